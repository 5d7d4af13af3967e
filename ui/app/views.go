package app

import (
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screens/fleet"
	"kardia/ui/screens/node"
	"kardia/ui/screens/timeline"
	"kardia/ui/screens/zones"
)

// views are the bodies of the screens.
type views struct {
	fleet fleetView
	node  nodeView
	zones screen.View
	// timeline is the whole time.
	timeline timelineView
	// summary is the sentence about the fleet, for the line below the title.
	summary func(*screen.Snapshot, *paint.Painter, int) paint.Row
}

type fleetView interface {
	screen.View
	screen.Filterer
	// Order is the names of the nodes shown, in order; Select puts the cursor on one.
	Order(*screen.Snapshot) []string
	Select(name string)
}

type nodeView interface {
	screen.View
	// Show turns to a node.
	Show(name string)
	// Crumbs says where the person is: node i of n.
	Crumbs(s *screen.Snapshot, p *paint.Painter, width, i, n int) paint.Row
}

type timelineView interface {
	screen.View
	// Follow lists only the decisions about a node or zone; everyone's for no subject.
	Follow(about screen.Subject)
}

// newViews makes the views of a sitting.
func newViews() views {
	f := fleet.New()
	return views{f, node.New(), zones.New(), timeline.New(), f.Summary}
}
