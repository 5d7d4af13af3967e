package themes

// Glyphs are the shapes of one character set, by meaning: each one cell wide, no emoji, no braille.
type Glyphs struct {
	Name string
	// ASCII: only ASCII may be printed.
	ASCII bool

	// Age is the heartbeat's age: under 10 s, 20 s, 30 s, and under the grace period.
	Age [4]string
	// PastGrace is past the grace period; NoAge has no heartbeat, Coarse an age that only the node's status shows.
	PastGrace, NoAge, Coarse string

	Unknown, NotReady, Cordoned string
	// New is a node that never posted a status, Unseen one whose object was not seen.
	New, Unseen string
	// Recorded, Inferred and Predicted are facts, conclusions and expectations. Reconstructed is a fact known from
	// timestamps and Events.
	Recorded, Inferred, Predicted, Reconstructed string
	// LastKnown is a state seen before an unwatched time, and not since.
	LastKnown string
	// Later is recorded after the time shown, or hidden.
	Later string
	Gap   string
	// Yes and No are the results of a comparison.
	Yes, No string

	// Good, Bad and Silent draw condition lanes; Renewal is a heartbeat's tick.
	Good, Bad, Silent, Renewal string

	// Bars are eight heights, lowest first. Taken is a removed taint. Partial is a zone's PartialDisruption. Hit is a
	// search result.
	Bars                [8]string
	Taken, Partial, Hit string

	// Full and Empty draw bars, Hatch those of Unknown nodes; Grace is a threshold.
	Full, Hatch, Empty, Grace string

	Horizontal, Vertical  string
	Selected, Mark        string
	Ellipsis              string
	Descending, Ascending string
	Up, Down, Left, Right string
	Now, Here, Crumb, Dot string
	Pause, Play, Minus    string
	// About precedes a time that the session is still seeking.
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
