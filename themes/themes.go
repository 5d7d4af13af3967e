// Package themes holds how Kardia looks, as data: colours by meaning, and glyphs by
// meaning. It draws nothing and knows nobody.
package themes

// Token is a meaning that has a look. There are as few as the screens need.
type Token uint8

const (
	// Text, Dim and Faint are three weights of plain text. Healthy and old things are Dim.
	Text Token = iota
	Dim
	Faint
	// Rule is the thin lines between panes. It carries no information.
	Rule
	// Accent marks what is selected or active; AccentOn is text on an accent background.
	Accent
	AccentOn
	// Select is the text of a selected row; its background lies under the whole row.
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
	// Evict is for pods that will be deleted, and for nothing else but Bad.
	Evict
	// Halted is for a limiter at rate 0; Predicted for what has not happened yet.
	Halted
	Predicted
	// Good, Warn and Bad are judgements; Bad means that data is lost.
	Good
	Warn
	Bad
	// Gap is a time of which nothing is known.
	Gap
	// Live and Replay are the badges that say where the instant shown comes from.
	Live
	Replay

	TokenCount
)

// String is the token's name as terminal themes spell it.
func (t Token) String() string {
	return [...]string{"text", "text.dim", "text.faint", "rule", "accent", "accent.on", "select.bg",
		"age.0", "age.1", "age.2", "age.3", "age.4", "unknown", "notready", "cordoned", "evict", "halted",
		"predicted", "good", "warn", "bad", "gap", "live", "replay", "?"}[min(t, TokenCount)]
}

// Colour is a truecolour value 0xRRGGBB, and whether it is set at all: the zero
// value leaves the terminal's own colour.
type Colour struct {
	RGB uint32
	Set bool
}

// hex is a colour that is set.
func hex(rgb uint32) Colour { return Colour{RGB: rgb, Set: true} }

// Style is the look of a token.
type Style struct {
	Fg, Bg                          Colour
	Bold, Faint, Reverse, Underline bool
}

// Theme gives every token a style. Backgrounds are the terminal's own, save under
// badges and the selected row.
type Theme struct {
	Name string
	// Light says which terminal background the theme is made for.
	Light  bool
	Styles [TokenCount]Style
}

// All lists the themes in the order in which T goes through them.
func All() []Theme {
	return []Theme{Dark(), Light(), HighContrastDark(), HighContrastLight(), NoColour()}
}

// For is the default theme for a terminal background.
func For(dark bool) Theme {
	if dark {
		return Dark()
	}
	return Light()
}

// Named finds a theme by name.
func Named(name string) (Theme, bool) {
	for _, t := range All() {
		if t.Name == name {
			return t, true
		}
	}
	return Theme{}, false
}
