package themes

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// largest is the most bytes of a theme's file.
const largest = 64 << 10

// Read reads the themes NAME.yaml of a directory, by name. One that cannot be read is left out, with an error.
func Read(dir fs.FS) (list []Theme, problems []error) {
	entries, err := fs.ReadDir(dir, ".")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		problems = append(problems, err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".yaml" || e.IsDir() {
			continue
		}
		t, err := read(dir, e.Name())
		if err != nil {
			problems = append(problems, err)
			continue
		}
		list = append(list, t)
	}
	return list, problems
}

type file struct {
	Light  bool             `json:"light"`
	Tokens map[string]Style `json:"tokens"`
}

// UnmarshalJSON reads a colour as #rrggbb, or {fg, bg, bold, faint, reverse, underline}.
func (s *Style) UnmarshalJSON(text []byte) error {
	var colour string
	if json.Unmarshal(text, &colour) == nil {
		return s.Fg.parse(colour)
	}
	var parts struct {
		Fg, Bg                          string
		Bold, Faint, Reverse, Underline bool
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&parts); err != nil {
		return fmt.Errorf("a style is \"#rrggbb\" or {fg, bg, bold, faint, reverse, underline}: %w", err)
	}
	s.Bold, s.Faint, s.Reverse, s.Underline = parts.Bold, parts.Faint, parts.Reverse, parts.Underline
	return errors.Join(s.Fg.parse(parts.Fg), s.Bg.parse(parts.Bg))
}

// parse reads #rrggbb; "" leaves the terminal's own colour.
func (c *Colour) parse(text string) error {
	if text == "" {
		return nil
	}
	digits, ok := strings.CutPrefix(text, "#")
	rgb, err := strconv.ParseUint(digits, 16, 32)
	if !ok || len(digits) != 6 || err != nil {
		return fmt.Errorf("%q is no colour: write #rrggbb", text)
	}
	*c = Colour{RGB: uint32(rgb), Set: true}
	return nil
}

// read reads one theme, named as its file.
func read(dir fs.FS, name string) (t Theme, err error) {
	fail := func(err error) (Theme, error) { return Theme{}, fmt.Errorf("theme %s: %w", name, err) }
	info, err := fs.Stat(dir, name)
	if err != nil {
		return fail(err)
	}
	if info.Size() > largest {
		return fail(fmt.Errorf("%d bytes are too many: at most %d", info.Size(), largest))
	}
	text, err := fs.ReadFile(dir, name)
	if err != nil {
		return fail(err)
	}
	var f file
	if err := yaml.UnmarshalStrict(text, &f); err != nil {
		return fail(err)
	}
	t = Theme{Name: strings.TrimSuffix(name, ".yaml"), Light: f.Light}
	var missing []string
	for k := range TokenCount {
		s, there := f.Tokens[k.String()]
		if !there {
			missing = append(missing, k.String())
		}
		t.Styles[k] = s
		delete(f.Tokens, k.String())
	}
	for name := range f.Tokens {
		return fail(fmt.Errorf("there is no token %q; docs/themes.md lists them", name))
	}
	if missing != nil {
		return fail(fmt.Errorf("no style for %s", strings.Join(missing, ", ")))
	}
	return t, nil
}
