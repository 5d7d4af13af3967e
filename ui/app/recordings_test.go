package app

import (
	"fmt"
	"testing"
)

// Stories on real recordings, through the real program. Each says what a person sees, pane by pane.

func TestAnOutageIsReadFromTheTop(t *testing.T) {
	s := incident(t, "zone-outage", 200, 120, 36)
	s.shows("us-east-1b: all 10 nodes silent", "next: 2 pods of b-009 deleted in 0:07")
	s.pane("Zones").lines(" us-east-1a          10 ▁", "   ○ Normal", "▌us-east-1b          10 ✕✕✕✕✕✕✕✕✕✕", "   ○ FullDisruption")
	s.pane("Nodes").lines("  NODE          ZONE  READY", "▌›10 nodes      1b    Unknown")
	s.row("›10").has("Unknown", "0:07 b-009 … 0:37 b-007; 12 stuck").isSelected()
	s.keys("enter", "j", "j", "j")
	s.row("b-002").isSelected()
}

func TestANodeIsOpenedAndItsPodsGoneThrough(t *testing.T) {
	s := incident(t, "zone-outage", 120, 120, 36)
	s.keys("/").types("b-006").keys("enter", "enter").shows("Node › us-east-1b/b-006")
	s.pane("Conditions").lines("", "▌ Ready, Memory-, Disk-, PIDPressure", "  NetworkUnavailable")
	s.pane("Pods 2").lines("  POD                  TOLERATES     ◌ DELETED IN", "  default/app-b-006-0  60s           1:06–1:58", "  default/app-b-006-1")
	s.pane("Taints 1").lines("  TAINT", "  unreachable:NoSchedule")
	s.pane("Why are its pods not evicted yet?").lines("  1 ● heartbeat last seen in the pass of 23:52:33.3Z")
	s.keys("tab")
	s.pane("Pods 2").lines("  POD", "▌ default/app-b-006-0")
	s.keys("j")
	s.row("default/app-b-006-1").isSelected()
	s.keys("q").shows("[1 Fleet]")
	s.row("b-006").isSelected()
}

func TestTheZonesSayWhatHoldsThemBack(t *testing.T) {
	s := incident(t, "all-dark", 150, 120, 36)
	s.keys("3")
	s.pane("Zones").lines("  ZONE    ○ STATE", "▌ zone-1  Full")
	s.shows("master disruption: yes")
	s.pane("Queue of zone-1").lines("  4 queued; none is tainted while the rate is 0")
	s.keys("down")
	s.row("zone-2").isSelected()
}

// A calm cluster has its picture, and says that nothing is wrong.
func TestACalmFleet(t *testing.T) {
	s := incident(t, "zone-outage", 10, 120, 36)
	s.shows("✓ all 28 nodes renew", "nothing due", "no node needs attention", "Margin  oldest 5s of 50s", "renewals 1.0/s")
}

// The whole screen at three sizes, of one incident and of a calm fleet.
func TestWholeScreens(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		s := incident(t, "zone-outage", 200, size[0], size[1])
		s.golden("outage-" + name)
		s.keys("4", "c").golden("curtain-" + name)
		incident(t, "zone-outage", 10, size[0], size[1]).golden("calm-" + name)
	}
}

// The pods are sorted anew as the models tell who is deleted first: the cursor stays on the first row until
// it is moved, and on its row from then on.
func TestThePodsAreReadFromTheTop(t *testing.T) {
	s := incident(t, "zone-outage", 10, 120, 36)
	s.keys("8", "a")
	s.row("default/app-a-000-0").isSelected()
	s.keys("t").types("+200s").keys("enter")
	s.row("default/app-b-009-0").isSelected()
	s.keys("j")
	s.row("default/app-b-009-1").isSelected()
	s.keys("t").types("+10s").keys("enter")
	s.row("default/app-b-009-1").isSelected()
}

// How near it came: each node with its longest silence, what other graces would have made of it, and one node
// in full; with the curtain drawn nothing of later counts.
func TestHowNearItCame(t *testing.T) {
	s := incident(t, "zone-outage", 120, 120, 36)
	s.keys("9").shows("[9 Margin]", "longest that ended undeclared", "in force", "reaches later than the time shown")
	s.keys("/").types("b-006").keys("enter")
	s.row("b-006").isSelected()
	s.keys("enter").shows("declared Unknown")
	s.keys("esc", "esc", "s").shows("by near misses")
	s.keys("c").hides("reaches later")
}
