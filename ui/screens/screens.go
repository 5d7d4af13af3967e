// Package screens is the list of all screens. A new one is a package beside the others, and a line here.
package screens

import (
	"kardia/ui/screen"
	"kardia/ui/screens/branch"
	"kardia/ui/screens/compare"
	"kardia/ui/screens/events"
	"kardia/ui/screens/evictions"
	"kardia/ui/screens/fleet"
	"kardia/ui/screens/impact"
	"kardia/ui/screens/margin"
	"kardia/ui/screens/node"
	"kardia/ui/screens/pods"
	"kardia/ui/screens/remedy"
	"kardia/ui/screens/timeline"
	"kardia/ui/screens/trust"
	"kardia/ui/screens/zones"
)

// All are the screens, in the order of their tabs; a session begins at the first.
func All() []screen.Screen {
	return append([]screen.Screen{
		fleet.Screen(),
		node.Screen(),
		zones.Screen(),
		timeline.Screen(),
		events.Screen(),
		evictions.Screen(),
		impact.Screen(),
		pods.Screen(),
		margin.Screen(),
		branch.Screen(),
		trust.Screen(),
		compare.Screen(),
	}, remedy.Screens()...)
}

// Names are the screens as --view knows them: those that every sitting has.
func Names() []string {
	var names []string
	for _, s := range All() {
		if !s.Compares {
			names = append(names, s.ID)
		}
	}
	return names
}
