package app

import (
	"testing"

	"kardia/ui/session"
)

// Whatever a person has the name of, typed at once, is one enter away: no screen has to be gone to first.
func TestThePaletteFindsThings(t *testing.T) {
	s := incident(t, "zone-outage", 200, 80, 24)
	s.keys(":").types("b-009").shows("b-009", "node", "us-east-1b, Unknown", "default/app-b-009-0", "pod").keys("enter").
		shows("[2 Node › us-east-1b/b-009")
	s.keys("esc", ":").types("east-1b").shows("10 nodes, 10 not Ready").keys("enter").shows("[3 Zones]")
	s.row("1b").isSelected()

	s.keys("esc", ":").types("app-b-009-1").keys("enter").shows("[8 Pods]")
	s.row("default/app-b-009-1").isSelected()
	s.keys("esc", ":").types("app-a-003-0").keys("enter") // which is well, and so was not listed
	s.row("default/app-a-003-0").isSelected()

	s.keys("esc", ":").types("nodenotready").shows("Event", "10 times").keys("enter").shows("[5 Events]")
	s.row("NodeNotReady").isSelected()
}

// A decision is gone to in time, and listed there, also one of those that the list leaves out.
func TestThePaletteGoesToDecisions(t *testing.T) {
	s := incident(t, "zone-outage", 70, 80, 24)
	s.keys(":").types("b-009 declared").shows("b-009 declared Unknown", "observed, recorded later").keys("enter").
		shows("[4 Timeline]", "23:53:23Z", "b-009                   declared Unknown")
	s.keys("esc", ":").types("b-009 queued").keys("enter").shows("▌○ :53:23.3  b-009             queued")
	s.keys("ctrl+home", "c", ":").types("b-009 declared").hides("observed") // behind the curtain nothing is known of it
}

// More than are offered are a filter away, and what is gone by now is searched for across time.
func TestThePaletteLeadsOn(t *testing.T) {
	s := incident(t, "zone-outage", 200, 80, 24)
	s.keys(":").types("b-00").shows("Fleet /b-00", "4 more").keys("down", "down", "down", "down", "down", "down", "enter").
		shows("18 of 28 nodes hidden by the filter")
	s.keys("esc", ":").types("xyzzy").shows("across time: xyzzy").keys("enter").shows("[4 Timeline]", "/xyzzy 0 found")
}

// Names in the palette are harmless, whatever they hold.
func TestThePaletteFindsHostileNames(t *testing.T) {
	s := newClock()
	s.open(t, Options{Session: session.Replay(hostile(), session.Options{Now: s.time, Judging: session.AtOnce})}, 80, 24)
	s.keys(":").types("ww").shows("日本語")
	fits(t, s)
	s.keys("enter")
	fits(t, s)
}
