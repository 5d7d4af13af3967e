package screen

import (
	"kardia/model"
	"kardia/ui/paint"
)

// View is the body of one screen between the head and foot lines, which belong to the app. A View keeps the person's
// place (selection, scroll, sort, filter) and nothing of the cluster.
//
// Render draws a function of the Snapshot's Revision and At, the Painter, the Area, and the earlier calls of Do, Click,
// SetFilter and Show. The app may keep a frame while none of these changes.
type View interface {
	// Render draws the body in exactly area.H lines of at most area.W cells.
	Render(s *Snapshot, p *paint.Painter, area Area) []string
	// Do performs an action; false if the view does nothing for it, or Escape has nothing left to close.
	Do(action Action, s *Snapshot) bool
	// Click is a left click on a cell of the body as rendered last.
	Click(x, y int, s *Snapshot) Hit
	// Selected is the subject under the cursor: for open, copy and why.
	Selected(s *Snapshot) Subject
	// Context is a line about the view itself: its sort, its filter, the number of hidden rows.
	Context(s *Snapshot, p *paint.Painter, width int) string
}

// Filterer is a View that can be filtered.
type Filterer interface {
	// SetFilter replaces the filter; "" clears it. On an error, which is for the person, the old filter stays.
	SetFilter(text string) error
	Filter() string
}

// Opener is a View that can open a subject of another screen, and may fail, or shows it otherwise than a Visitor does. The
// error is for people.
type Opener interface {
	Open(about Subject, s *Snapshot) error
}

// Visitor is a View that takes over the subject under the cursor of the screen before. scope reports whether that
// screen was about it alone.
type Visitor interface {
	Visit(about Subject, scope Scope, s *Snapshot)
}

// NodeLister is a View that lists nodes: a screen of one node walks through them.
type NodeLister interface {
	// Order is the names of the nodes shown, in order. The slice must not be modified.
	Order(s *Snapshot) []string
}

// Crumber is a View that names the place of the person within its screen, for its tab: the name of the subject shown.
type Crumber interface {
	Crumb(s *Snapshot) string
}

// Tabular is a View with a table whose columns a person may choose.
type Tabular interface {
	// SetColumns sets the titles of its columns, in order; none for the usual ones.
	SetColumns(titles []string)
}

// Celled is a View whose rows can be written as a table.
type Celled interface {
	// Cells are the titles of its columns and all rows, including those out of sight, as uncut plain text.
	Cells(s *Snapshot, p *paint.Painter) (titles []string, rows [][]string)
}

// Asider is a View with a few words for the lower rule, at most width cells.
type Asider interface {
	Aside(s *Snapshot, p *paint.Painter, width int) paint.Row
}

// Commander is a View with commands to copy: Y copies one after the other.
type Commander interface {
	// Commands are those in sight; if empty, the subject's is copied.
	Commands(s *Snapshot) []string
}

// Summarizer is a View that counts its rows, beside the tabs.
type Summarizer interface {
	// Summary is no wider than width; empty without room for it.
	Summary(s *Snapshot, p *paint.Painter, width int) paint.Row
}

// Ordered is a View that holds the order of its rows still while the cursor moves.
type Ordered interface {
	// Frozen reports that the order is held; Thaw releases it. The app thaws some two seconds after the last move.
	Frozen() bool
	Thaw()
}

// Action is the name of something a person can do in a view, as the palette has it.
type Action string

const (
	Up       Action = "up"
	Down     Action = "down"
	HalfUp   Action = "half page up"
	HalfDown Action = "half page down"
	PageUp   Action = "page up"
	PageDown Action = "page down"
	First    Action = "first"
	Last     Action = "last"
	// NextHit and PreviousHit go through the filter's matches.
	NextHit     Action = "next hit"
	PreviousHit Action = "previous hit"
	NextPane    Action = "next pane"
	PrevPane    Action = "previous pane"
	// Sort selects the next sort column, Reverse reverses the order.
	Sort    Action = "sort"
	Reverse Action = "reverse sort"
	MarkRow Action = "mark row"
	// Open shows the thing under the cursor in full, on this screen. If a View has none of that kind, the app opens the
	// subject on its own screen.
	Open      Action = "open"
	Attention Action = "attention or all"
	// ZoomIn and ZoomOut show less or more time around the time shown, ZoomAll all of it.
	ZoomIn  Action = "zoom in"
	ZoomOut Action = "zoom out"
	ZoomAll Action = "zoom to all"
	// Earlier and Later move the window on screen, not the time shown.
	Earlier Action = "window earlier"
	Later   Action = "window later"
	// Escape closes the innermost thing: the filter, then the marks.
	Escape Action = "close"
)

// Hit is what a click met.
type Hit uint8

const (
	// Missed: nothing there reacts.
	Missed Hit = iota
	// Moved: the cursor moved, a header sorted, a tab changed.
	Moved
	// Opened: the clicked row was already under the cursor; the app opens it.
	Opened
)

// SubjectKind is the kind of thing a Subject names.
type SubjectKind uint8

const (
	NoSubject SubjectKind = iota
	NodeSubject
	ZoneSubject
	PodSubject
)

// Subject names the thing under the cursor.
type Subject struct {
	Kind SubjectKind
	// Node is a node's name; also set for a pod.
	Node string
	Zone model.Maybe[model.ZoneKey]
	Pod  model.Key
}

// SubjectOf is what a decision is about; nothing of nil.
func SubjectOf(d *model.Decision) Subject {
	switch {
	case d == nil:
	case d.Pod != model.Key{}:
		return Subject{Kind: PodSubject, Node: d.Node, Pod: d.Pod}
	case d.Node != "":
		return Subject{Kind: NodeSubject, Node: d.Node}
	case d.Zone.Known:
		return Subject{Kind: ZoneSubject, Zone: d.Zone}
	}
	return Subject{}
}

// SubjectNode is the node of a name; nothing for "".
func SubjectNode(name string) Subject {
	if name == "" {
		return Subject{}
	}
	return Subject{Kind: NodeSubject, Node: name}
}

// Name is the subject in one word, as the cluster has it: to copy. It is not cleaned for the screen.
func (s Subject) Name() string {
	switch s.Kind {
	case NodeSubject:
		return s.Node
	case ZoneSubject:
		if !s.Zone.Known {
			return ""
		}
		return s.Zone.Value.String()
	case PodSubject:
		return s.Pod.String()
	}
	return ""
}
