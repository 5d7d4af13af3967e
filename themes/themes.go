// Package themes has Kardia's looks as data: colours and glyphs by meaning. It imports no other package of Kardia.
package themes

import (
	"embed"
	"slices"
	"strings"
	"sync"
)

// Token is a meaning that has a look.
type Token uint8

const (
	// Text, Dim and Faint are three weights of plain text. Healthy and old things are Dim.
	Text Token = iota
	Dim
	Faint
	// Rule is the thin lines between panes. It carries no information.
	Rule
	// Accent marks what is selected or active.
	Accent
	// Select is the text of a selected row; its background is that of the whole row.
	Select
	// Age0 to Age4 are heartbeat ages: fresh, ok, late, very late, past the grace period.
	Age0
	Age1
	Age2
	Age3
	Age4
	// Unknown, NotReady and Cordoned are states of a node.
	Unknown
	NotReady
	Cordoned
	// Evict is for pods that will be deleted, and for nothing else.
	Evict
	// Halted is for a limiter at rate 0; Predicted for events that have not happened yet.
	Halted
	Predicted
	// Warn asks for a person's attention, as Age3 does.
	Warn
	// Gap is a time without data.
	Gap
	// Live, Replay and Stale are badges of the source of the time shown, Branch that of simulated results.
	Live
	Replay
	Stale
	Branch

	TokenCount
)

// String is the token's name in theme files.
func (t Token) String() string {
	return [...]string{"text", "text.dim", "text.faint", "rule", "accent", "select",
		"age.0", "age.1", "age.2", "age.3", "age.4", "unknown", "notready", "cordoned", "evict", "halted",
		"predicted", "warn", "gap", "live", "replay", "stale", "branch", "?"}[min(t, TokenCount)]
}

// If is the token under a condition, and another one otherwise.
func (t Token) If(is bool, otherwise Token) Token {
	if is {
		return t
	}
	return otherwise
}

// Colour is 0xRRGGBB. The zero value is the terminal's own colour.
type Colour struct {
	RGB uint32
	Set bool
}

// Style is the look of a token.
type Style struct {
	Fg, Bg                          Colour
	Bold, Faint, Reverse, Underline bool
}

// Theme gives every token a style. Backgrounds are the terminal's own, except for badges and the selected row.
type Theme struct {
	Name string
	// Light: made for a light terminal background.
	Light  bool
	Styles [TokenCount]Style
}

//go:embed *.yaml
var files embed.FS

// embedded are the built-in themes, in the order in which they are listed: one for each file.
var embedded = sync.OnceValue(func() []Theme {
	names := []string{"dark", "light"}
	entries, _ := files.ReadDir(".") // by name; reading what is embedded cannot fail
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".yaml"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	var list []Theme
	for _, name := range names {
		t, err := read(files, name+".yaml")
		if err != nil {
			panic(err) // the tests read all embedded files
		}
		list = append(list, t)
	}
	return append(list, NoColour())
})

// All lists the built-in themes.
func All() []Theme { return slices.Clone(embedded()) }

// With lists all themes: a person's own, then the built-in ones whose names are not taken.
func With(own []Theme) []Theme {
	list := slices.Clone(own)
	for _, t := range All() {
		if _, replaced := Named(own, t.Name); !replaced {
			list = append(list, t)
		}
	}
	return list
}

// Named finds a theme by name.
func Named(list []Theme, name string) (Theme, bool) {
	i := slices.IndexFunc(list, func(t Theme) bool { return t.Name == name })
	if i < 0 {
		return Theme{}, false
	}
	return list[i], true
}

// For is the default theme for a terminal background: the one in the list that is named dark or light.
func For(list []Theme, dark bool) Theme {
	standard := Light()
	if dark {
		standard = Dark()
	}
	if t, there := Named(list, standard.Name); there {
		return t
	}
	return standard
}

// Dark is the default on a dark background.
func Dark() Theme { return embedded()[0] }

// Light is the default on a light background.
func Light() Theme { return embedded()[1] }

// NoColour uses bold, faint and reverse only, for NO_COLOR and terminals without colour.
func NoColour() Theme {
	t := Theme{Name: "no-colour"}
	for _, k := range []Token{Faint, Rule, Age0} {
		t.Styles[k].Faint = true
	}
	for _, k := range []Token{Accent, Age3, Age4, Unknown, NotReady, Evict, Halted, Warn} {
		t.Styles[k].Bold = true
	}
	for _, k := range []Token{Select, Live, Replay, Stale, Branch} {
		t.Styles[k].Reverse = true
	}
	return t
}
