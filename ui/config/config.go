// Package config reads the person's configuration: one YAML file in which everything is optional. An unknown setting is
// an error with its line. Example: theme: light.
package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"kardia/ui/nodes"
	"kardia/ui/spelling"
	"kardia/ui/words"
)

// Name is the file's name, in the directory kardia of the system's place for configuration.
const Name = "config.yaml"

const largest = 1 << 20

// Config is the settings of the file. The zero value is the defaults.
type Config struct {
	// Theme, Glyphs, View and Language have the values of the flags of these names; Times is utc or local.
	Theme, Glyphs, View, Language, Times string
	// ZoneLabel is a label of nodes whose value is shown beside a zone's name.
	ZoneLabel  string
	Thresholds nodes.Thresholds
	// Keys replace the usual keys of actions, by the action's name; none for an action without a key.
	Keys map[string][]string
	// Columns are the columns of a screen's table in their order, by the screen's name.
	Columns map[string][]string
	// Contexts are the settings for clusters, by the name of their kubeconfig context.
	Contexts map[string]Context
}

const leastThreshold, mostThreshold = time.Second, time.Hour

// Colours are the possible colours of a cluster's name, by their meaning in a theme.
var Colours = []string{"danger", "warn", "accent"}

// Context is the settings for one cluster.
type Context struct {
	// Flags are those of its kube-controller-manager, and kubernetes-version, as on the command line.
	Flags map[string]string
	// Colour is the colour of its name, one of Colours; "" for none.
	Colour string
}

// Problem is one thing that is wrong in a file.
type Problem struct {
	Path string
	Line int // from 1; 0 if it is the whole file
	Text string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.Path + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Text)
}

// Read reads the file of a directory, called path in problems. A missing file sets nothing. All problems are returned,
// in the order of their lines, each a *Problem; the valid part is in the Config all the same.
func Read(dir fs.FS, path string, usual Usual) (Config, []error) {
	r := reader{path: path, usual: usual}
	file, err := dir.Open(Name)
	if errors.Is(err, fs.ErrNotExist) {
		return Config{}, nil
	}
	if err != nil {
		return Config{}, []error{err}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, largest+1))
	switch {
	case err != nil:
		r.problem(nil, "%v", err)
	case len(text) > largest:
		r.problem(nil, "more than %d bytes are too many", largest)
	default:
		r.read(text)
	}
	return r.config, r.problems
}

type reader struct {
	path     string
	usual    Usual
	config   Config
	problems []error
}

func (r *reader) problem(at *yaml.Node, format string, args ...any) {
	p := &Problem{Path: r.path, Text: fmt.Sprintf(format, args...)}
	if at != nil {
		p.Line = at.Line
	}
	r.problems = append(r.problems, p)
}

func (r *reader) read(text []byte) {
	var file yaml.Node
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	switch err := decoder.Decode(&file); {
	case errors.Is(err, io.EOF):
		return
	case err != nil:
		r.problem(nil, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
		return
	case !errors.Is(decoder.Decode(new(yaml.Node)), io.EOF):
		r.problem(nil, "a second document: the file is one")
		return
	}
	var actions []string
	for _, k := range r.usual.Keys {
		actions = append(actions, k.Action)
	}
	r.mapping(file.Content[0], "the file", map[string]func(*yaml.Node){
		"theme":    r.word(&r.config.Theme, "theme", append([]string{"auto"}, r.usual.Themes...)),
		"glyphs":   r.word(&r.config.Glyphs, "glyph set", []string{"auto", "unicode", "ascii"}),
		"times":    r.word(&r.config.Times, "time zone", []string{"utc", "local"}),
		"view":     r.word(&r.config.View, "screen", r.usual.Views),
		"language": r.word(&r.config.Language, "language", append([]string{"auto"}, words.Languages...)),
		"zone-label": func(n *yaml.Node) {
			r.config.ZoneLabel, _ = r.scalar(n)
		},
		"keys": func(n *yaml.Node) {
			r.config.Keys = r.lists(n, "keys", "action", actions, strings.Fields)
		},
		"thresholds": func(n *yaml.Node) {
			r.mapping(n, "thresholds", map[string]func(*yaml.Node){"late": r.length(&r.config.Thresholds.Late), "clock": r.length(&r.config.Thresholds.Clock)})
		},
		"columns":  r.columns,
		"contexts": r.contexts,
	})
}

// mapping reads a mapping of known keys, each with the reader of its value.
func (r *reader) mapping(n *yaml.Node, what string, keys map[string]func(*yaml.Node)) {
	r.each(n, what, func(key, value *yaml.Node) {
		read, ok := keys[key.Value]
		if !ok {
			r.problem(key, "unknown key %q in %s%s", key.Value, what, known(key.Value, slices.Sorted(maps.Keys(keys))))
			return
		}
		read(value)
	})
}

// each calls f with the keys of a mapping and their values. An empty node is an empty mapping.
func (r *reader) each(n *yaml.Node, what string, f func(key, value *yaml.Node)) {
	if n.Kind == yaml.ScalarNode && n.Tag == "!!null" {
		return
	}
	if n.Kind != yaml.MappingNode {
		r.problem(n, "%s is a mapping: \"key: value\", a line each", what)
		return
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch {
		case value.Kind == yaml.AliasNode || key.Kind != yaml.ScalarNode:
			r.problem(key, "anchors, aliases and keys that are no words are not understood here")
		case seen[key.Value]:
			r.problem(key, "%q is here twice", key.Value)
		default:
			seen[key.Value] = true
			f(key, value)
		}
	}
}

func (r *reader) scalar(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		r.problem(n, "one value is wanted here")
		return "", false
	}
	return n.Value, true
}

// word reads a value that must be one of allowed.
func (r *reader) word(into *string, what string, allowed []string) func(*yaml.Node) {
	return func(n *yaml.Node) {
		value, ok := r.scalar(n)
		switch {
		case !ok:
		case !slices.Contains(allowed, value):
			r.problem(n, "there is no %s %q%s", what, value, known(value, allowed))
		default:
			*into = value
		}
	}
}

func (r *reader) length(into *time.Duration) func(*yaml.Node) {
	return func(n *yaml.Node) {
		text, ok := r.scalar(n)
		if !ok {
			return
		}
		d, err := time.ParseDuration(text)
		if err != nil || d < leastThreshold || d > mostThreshold {
			r.problem(n, "%q is no length of time from %s to %s, as 20s is", text, leastThreshold, mostThreshold)
			return
		}
		*into = d
	}
}

// lists reads a mapping of names to lists: a sequence, or one value, which split divides.
func (r *reader) lists(n *yaml.Node, where, what string, allowed []string, split func(string) []string) map[string][]string {
	out := map[string][]string{}
	r.each(n, where, func(key, value *yaml.Node) {
		if !slices.Contains(allowed, key.Value) {
			r.problem(key, "there is no %s %q%s", what, key.Value, known(key.Value, allowed))
			return
		}
		list := []string{}
		switch {
		case value.Kind == yaml.SequenceNode:
			for _, item := range value.Content {
				if text, ok := r.scalar(item); ok {
					list = append(list, text)
				}
			}
		case value.Tag == "!!null":
		default:
			if text, ok := r.scalar(value); ok {
				list = split(text)
			}
		}
		out[key.Value] = list
	})
	return out
}

func (r *reader) columns(n *yaml.Node) {
	screens := slices.Sorted(maps.Keys(r.usual.Columns))
	r.config.Columns = r.lists(n, "columns", "screen with columns", screens, func(text string) []string {
		return slices.DeleteFunc(strings.Split(text, ","), func(s string) bool { return strings.TrimSpace(s) == "" })
	})
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		list := r.config.Columns[key.Value]
		for k := range list {
			list[k] = strings.ToUpper(strings.TrimSpace(list[k]))
			at := value
			if k < len(value.Content) {
				at = value.Content[k]
			}
			if all := r.usual.Columns[key.Value]; !slices.Contains(all, list[k]) {
				r.problem(at, "%s has no column %q%s", key.Value, list[k], known(list[k], all))
			}
		}
		if list != nil && len(list) == 0 {
			r.problem(key, "no columns at all: leave the line out for the usual ones")
		}
	}
}

func (r *reader) contexts(n *yaml.Node) {
	r.config.Contexts = map[string]Context{}
	r.each(n, "contexts", func(name, value *yaml.Node) {
		c := Context{Flags: map[string]string{}}
		r.mapping(value, "context "+name.Value, map[string]func(*yaml.Node){"colour": r.word(&c.Colour, "colour", Colours), "flags": func(n *yaml.Node) {
			r.each(n, "flags", func(flag, value *yaml.Node) {
				text, ok := r.scalar(value)
				is := r.usual.Flags.Lookup(flag.Value)
				switch {
				case !ok:
				case is == nil:
					var flags []string
					r.usual.Flags.VisitAll(func(f *pflag.Flag) { flags = append(flags, f.Name) })
					r.problem(flag, "there is no flag %q%s", flag.Value, known(flag.Value, flags))
				default:
					if err := is.Value.Set(text); err != nil {
						r.problem(value, "%s %s: %v", flag.Value, text, err)
						return
					}
					c.Flags[flag.Value] = text
				}
			})
		}})
		r.config.Contexts[name.Value] = c
	})
}

// known names the valid words: the nearest, or all.
func known(word string, list []string) string {
	if near := nearest(word, list); near != "" {
		return fmt.Sprintf("; did you mean %q?", near)
	}
	if len(list) == 0 || len(list) > 12 {
		return ""
	}
	return "; there are " + strings.Join(list, ", ")
}

// nearest is the likely intended word of a list; "" if none is near.
func nearest(word string, list []string) (near string) {
	best := len(word)/2 + 1
	for _, w := range list {
		if d := spelling.Distance(strings.ToLower(word), strings.ToLower(w)); d < best {
			near, best = w, d
		}
	}
	return near
}
