package config

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"kardia/ui/words"
)

// Usual is the settings without a file, and the values that one may have.
type Usual struct {
	Themes, Views []string
	// Keys are the usual keys of each action, in the order of help.
	Keys []Keys
	// Columns are the available columns of each screen's table, Flags the flags of a context.
	Columns map[string][]string
	Flags   *pflag.FlagSet
}

// Keys are the usual keys of an action.
type Keys struct {
	Action string
	Keys   []string
}

// Sample is a file with every default, commented out: remove the # of a line that begins with # and no space after it.
func Sample(u Usual) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# The configuration of Kardia. Everything is optional: take the # off a line to say something.")
	line("# 'kardia config check' says what is wrong, 'kardia config view' what is in force.")
	line("")
	line("# Colours: auto (as the terminal's background asks for), or one of: %s.", strings.Join(u.Themes, ", "))
	line("# themes/NAME.yaml beside this file are yours.")
	line("#theme: auto")
	line("# What to draw with: auto (as the locale has it), unicode, ascii.")
	line("#glyphs: auto")
	line("# The language of screens and reports: auto (the locale's), or one of: %s.", strings.Join(words.Languages, ", "))
	line("#language: auto")
	line("# What times are printed in: utc or local. U switches.")
	line("#times: utc")
	line("# The screen to start with: %s.", strings.Join(u.Views, ", "))
	line("#view: %s", u.Views[0])
	line("# A node label whose value is shown beside the name of the zone. It changes what zones are called")
	line("# on the screen, not what they are: that is the controller's to say.")
	line("#zone-label: topology.k8s.aws/zone-id")
	line("")
	line("# From where on something needs attention: the age of a heartbeat, and how far a clock is off.")
	line("#thresholds:")
	line("#  late: 20s")
	line("#  clock: 10s")
	line("")
	line("# Columns of tables, in their order.")
	line("#columns:")
	for _, screen := range slices.Sorted(maps.Keys(u.Columns)) {
		line("#  %s: [%s]", screen, strings.ToLower(strings.Join(u.Columns[screen], ", ")))
	}
	line("")
	line("# What is known of clusters, by the name of their context: the colour of their name (%s),", strings.Join(Colours, ", "))
	line("# and the flags of kube-controller-manager.")
	line("# Flags on the command line go before these.")
	line("#contexts:")
	line("#  production:")
	line("#    colour: %s", Colours[0])
	line("#    flags:")
	u.Flags.VisitAll(func(f *pflag.Flag) {
		if f.DefValue != "" {
			line("#      %s: %s", f.Name, f.DefValue)
		}
	})
	line("")
	line("# Keys of actions, as ':' names them; several with a space between them, none to take them away.")
	line("#keys:")
	for _, k := range u.Keys {
		line("#  %s: %s", quoted(k.Action), quoted(strings.Join(k.Keys, " ")))
	}
	return b.String()
}

// quoted is a text as YAML reads it back: in quotes if the bare word would mean something else.
func quoted(text string) string {
	plain := text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == ' ')
	}) < 0
	if plain && !slices.Contains([]string{"y", "n", "Y", "N", "yes", "no", "on", "off", "true", "false", "null"}, text) {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// View is the settings in force: all those of the file, and the usual values of the rest.
func View(c Config, u Usual) string {
	var b strings.Builder
	line := func(key, value string, own bool) {
		if own {
			value += " # from the file"
		}
		fmt.Fprintf(&b, "%s: %s\n", key, value)
	}
	word := func(key, value, usual string) {
		if value != "" {
			usual = quoted(value)
		}
		line(key, usual, value != "")
	}
	word("theme", c.Theme, "auto")
	word("glyphs", c.Glyphs, "auto")
	word("language", c.Language, "auto")
	word("times", c.Times, "utc")
	word("view", c.View, u.Views[0])
	word("zone-label", c.ZoneLabel, `""`)
	b.WriteString("thresholds:\n")
	line("  late", cmp.Or(c.Thresholds.Late, 20*time.Second).String(), c.Thresholds.Late != 0)
	line("  clock", cmp.Or(c.Thresholds.Clock, 10*time.Second).String(), c.Thresholds.Clock != 0)
	b.WriteString("columns:\n")
	for _, screen := range slices.Sorted(maps.Keys(u.Columns)) {
		list, own := c.Columns[screen]
		if !own {
			list = u.Columns[screen]
		}
		line("  "+screen, "["+strings.ToLower(strings.Join(list, ", "))+"]", own)
	}
	b.WriteString("contexts:" + none(len(c.Contexts)) + "\n")
	for _, name := range slices.Sorted(maps.Keys(c.Contexts)) {
		flags := c.Contexts[name].Flags
		fmt.Fprintf(&b, "  %s: # from the file\n", quoted(name))
		if colour := c.Contexts[name].Colour; colour != "" {
			fmt.Fprintf(&b, "    colour: %s\n", colour)
		}
		fmt.Fprintf(&b, "    flags:%s\n", none(len(flags)))
		for _, flag := range slices.Sorted(maps.Keys(flags)) {
			fmt.Fprintf(&b, "      %s: %s\n", flag, quoted(flags[flag]))
		}
	}
	b.WriteString("keys:\n")
	for _, k := range u.Keys {
		list, own := c.Keys[k.Action]
		if !own {
			list = k.Keys
		}
		line("  "+quoted(k.Action), quoted(strings.Join(list, " ")), own)
	}
	return b.String()
}

// none is the text of an empty mapping.
func none(n int) string {
	if n == 0 {
		return " {}"
	}
	return ""
}
