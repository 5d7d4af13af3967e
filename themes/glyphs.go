package themes

// Glyphs are the shapes of one character set, by meaning. Every one is one cell
// wide in every terminal, or as near as Unicode allows: no emoji, no braille.
type Glyphs struct {
	Name string
	// ASCII says that nothing outside ASCII may be printed at all.
	ASCII bool

	// Age is the heartbeat's age: under 10 s, 20 s, 30 s, and under the grace period.
	Age [4]string
	// PastGrace the grace period; NoAge if no heartbeat is known, Coarse if only the node's status shows the age.
	PastGrace, NoAge, Coarse string

	Unknown, NotReady, Cordoned string
	// New is a node that never posted a status, Unseen one whose object was not seen.
	New, Unseen string
	// Recorded, Inferred and Predicted are facts, conclusions and expectations in lists; Reconstructed is a fact that
	// timestamps and Events show of an unwatched time.
	Recorded, Inferred, Predicted, Reconstructed string
	// LastKnown is a state that was seen before an unwatched time, and not since.
	LastKnown string
	// Later is what is recorded of after the instant shown, and the curtain over it.
	Later string
	Gap   string
	// Yes and No say whether a comparison holds.
	Yes, No string

	// Good, Bad and Silent draw condition lanes; Renewal is a heartbeat's tick.
	Good, Bad, Silent, Renewal string

	// Bars are eight heights, lowest first. Taken is what was taken away, as Renewal is what
	// came; Partial is a zone of which part is lost, Hit where something was found.
	Bars                [8]string
	Taken, Partial, Hit string

	// Full and Empty draw bars, Hatch those of Unknown nodes; Grace is the mark of a threshold.
	Full, Hatch, Empty, Grace string

	Horizontal, Vertical  string
	Selected, Mark        string
	Ellipsis              string
	Descending, Ascending string
	Up, Down, Left, Right string
	Now, Here, Crumb, Dot string
	Pause, Play, Minus    string
	// About precedes a time that is still on its way to the requested one.
	About string
}

// Unicode is the glyph set for UTF-8 locales.
func Unicode() Glyphs {
	return Glyphs{
		Name: "unicode",
		Age:  [4]string{"▁", "▂", "▄", "▆"}, PastGrace: "►", NoAge: "·", Coarse: "~",
		Unknown: "✕", NotReady: "!", Cordoned: "⊘", New: "◇", Unseen: "◦",
		Recorded: "●", Inferred: "○", Predicted: "◌", Reconstructed: "◐", LastKnown: "◑", Later: "░", Gap: "┄", Yes: "✓", No: "✗",
		Good: "━", Bad: "▀", Silent: "╍", Renewal: "╹",
		Bars: [8]string{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}, Taken: "╻", Partial: "▚", Hit: "◆",
		Full: "█", Hatch: "▒", Empty: "░", Grace: "┊",
		Horizontal: "─", Vertical: "│", Selected: "▌", Mark: "●", Ellipsis: "…",
		Descending: "▾", Ascending: "▴", Up: "↑", Down: "↓", Left: "←", Right: "→",
		Now: "▼", Here: "┃", Crumb: "›", Dot: "·", Pause: "‖", Play: "►", Minus: "−", About: "≈",
	}
}

// ASCII is the glyph set for every other locale.
func ASCII() Glyphs {
	return Glyphs{
		Name: "ascii", ASCII: true,
		Age: [4]string{".", ":", "-", "="}, PastGrace: ">", NoAge: "_", Coarse: "s",
		Unknown: "X", NotReady: "!", Cordoned: "c", New: "N", Unseen: "u",
		Recorded: "*", Inferred: "i", Predicted: "p", Reconstructed: "r", LastKnown: "k", Later: "L", Gap: "?", Yes: "y", No: "n",
		Good: "-", Bad: "#", Silent: "?", Renewal: "'",
		Bars: [8]string{".", ":", "-", "=", "+", "*", "%", "@"}, Taken: ",", Partial: "%", Hit: "+",
		Full: "#", Hatch: "x", Empty: ".", Grace: ":",
		Horizontal: "-", Vertical: "|", Selected: ">", Mark: "*", Ellipsis: "~",
		Descending: "v", Ascending: "^", Up: "^", Down: "v", Left: "<", Right: ">",
		Now: "v", Here: "|", Crumb: ">", Dot: ".", Pause: "=", Play: ">", Minus: "-", About: "~",
	}
}
