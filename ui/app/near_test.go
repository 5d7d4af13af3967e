package app

import (
	"testing"

	tea "charm.land/bubbletea/v2"
)

// How regular is this node? Its page says how far apart its renewals are as a rule, and at most, beside how they are meant.
func TestHowRegularANodeIs(t *testing.T) {
	s := opened(t, "demo:node-loss", 400)
	s.send(tea.WindowSizeMsg{Width: 160, Height: 90})
	s.keys("2").shows("longest pause", "its pauses", "as a rule", "the longest, which ended")
}

// That a Node was deleted is in the headline, for it is in no list any more.
func TestADeletedNodeIsInTheHeadline(t *testing.T) {
	opened(t, "testdata/deleted.scenario", 190).shows("all 3 nodes beat, a-2 deleted 9s ago")
	opened(t, "testdata/deleted.scenario", 175).hides("deleted")
}
