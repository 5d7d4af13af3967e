package doc

import (
	"kardia/model"
	"kardia/ui/words"
)

// Picture is lanes over time: the states of its subjects, and events.
type Picture struct {
	Title, Desc, Span words.Say
	From, To          model.Instant
	Lanes             []Lane
	// Marks go across all lanes.
	Marks []Mark
	// Legend is what the shapes mean, in order; More is what was left out.
	Legend []Key
	More   words.Say
}

// Shape is a state, or something that happened.
type Shape string

const (
	Heard   Shape = "heard"
	Silent  Shape = "silent"
	Unknown Shape = "unknown"
	Tainted Shape = "taint"
	Deleted Shape = "delete"
	Removed Shape = "removed"
	Act     Shape = "act"
	Restart Shape = "restart"
	Normal  Shape = "Normal"
	Partial Shape = "Partial"
	Full    Shape = "Full"
	Gap     Shape = "gap"
	Note    Shape = "mark"
)

// Lane is one row. A node's line covers the time in which it renewed.
type Lane struct {
	Name  string
	Line  bool
	Spans []Stretch
	Marks []Mark
}

// Stretch is a shape over a time. Word is written in it, if there is room.
type Stretch struct {
	Shape    Shape
	From, To model.Instant
	Is, Word words.Say
}

// Mark is a shape at a time; of one that lasts, to another. Word is written beside one that goes across.
type Mark struct {
	Shape    Shape
	At, To   model.Instant
	Is, Word words.Say
}

// Key is a shape and its meaning.
type Key struct {
	Shape Shape
	Is    words.Say
}
