package app

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// How regular is this node? Its page says how far apart its renewals are as a rule, and at most, beside how they are meant.
func TestHowRegularANodeIs(t *testing.T) {
	s := opened(t, "demo:node-loss", 400)
	s.send(tea.WindowSizeMsg{Width: 160, Height: 90})
	s.keys("2").shows("longest pause", "its pauses", "usually ", "longest 10.", "in the last")
}

// That a Node was deleted is in the headline, for it is in no list any more.
func TestADeletedNodeIsInTheHeadline(t *testing.T) {
	opened(t, "testdata/deleted.scenario", 190).shows("all 3 nodes renew, a-2 deleted 9s ago")
	opened(t, "testdata/deleted.scenario", 175).hides("deleted")
}

// A capture's zones say how many pods have a countdown that runs, by the taints that are there, though what the
// controller makes of the zone is not known.
func TestACapturesZonesSayWhosePodsAreDue(t *testing.T) {
	s := captured(t, "zone-outage", 150)
	s.send(tea.WindowSizeMsg{Width: 160, Height: 40})
	s.keys("3").row("us-east-1b").has("7        12")
}

// Where neither Nodes nor leases were seen, nodes that pods or Events name are said to be named.
func TestNodesThatAreOnlyNamed(t *testing.T) {
	s := begun(t, "all-dark", 150, 20)
	s.shows("no node is known at 00:09:19Z, but 2 nodes are named by pods or Events").keys("v").shows("but 2 nodes are named")
}

// A pressure that is reported may be over: the node's page says for how long a kubelet holds it.
func TestAPressureIsHeld(t *testing.T) {
	s := opened(t, "demo:node-loss", 110)
	s.send(tea.WindowSizeMsg{Width: 160, Height: 120})
	s.keys("/").types("ip-10-0-3-002").keys("enter", "2").shows("MemoryPressure", "may be over already: its kubelet reports it for 5m0s", "it is reported until")
}
