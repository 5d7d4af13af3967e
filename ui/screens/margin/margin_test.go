package margin

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/explain/margin"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFrames(t *testing.T) {
	s := screentest.Recorded(t, "demo:all-dark", 150*time.Second)
	screentest.Goldens(t, "margin", s, func() screen.View { return New() })
}

func says(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
}

// The recording of the zone outage: who came nearest, what the grace left, what shorter and longer ones would
// have made of it; and of the node under the cursor each silence.
func TestWhoCameNear(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	says(t, screentest.Shown(New(), s), "grace 50s leaves", "28 nodes", "in force", "LONGEST")
	says(t, New().Context(s, screentest.Painters()["ascii"], 200), "reaches later than the time shown")
	v := New()
	_ = v.SetFilter("b-009")
	says(t, screentest.Shown(v, s), "declared Unknown", "heartbeats")
	_ = v.SetFilter("nonsense")
	says(t, screentest.Shown(v, s), "esc clears the filter")
}

// A node that flaps: its rhythm, the effect on its pods, the nodes that flap with it, and traits that these share and
// others lack.
func TestWhoFlapsWithWhom(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	found := &margin.Margin{Over: s.Coverage, Nodes: 28, Longest: 10 * time.Second, Nears: []margin.Near{{Node: "b-001", Beats: 9, Longest: 10 * time.Second}},
		Flaps: []margin.Flaps{{Node: "b-001", Times: 9, Declared: 9, First: s.At.Add(-time.Hour), Last: s.At, Down: 58 * time.Second, Up: 740 * time.Second, Tainted: 4, Longest: 53 * time.Second,
			With: []margin.Partner{{Node: "b-002", Times: 9, Apart: 300 * time.Millisecond}, {Node: "b-003", Times: 9, Apart: 200 * time.Millisecond}, {Node: "a-001", Times: 5, Apart: 8 * time.Second}}}}}
	s.Margin = func(model.Interval) screen.Margin { return screen.Margin{Found: found} }
	says(t, screentest.Shown(New(), &s), "stopped being Ready 9 times", "not Ready for 58s, Ready for 12m20s in between", "tainted NoExecute 4 times, for 53s at most: no pod that tolerates it for longer was deleted for it",
		"with b-002 (9 of 9, the same second), b-003 (9 of 9, the same second), a-001 (5 of 9, within 8s)", "in common", ": 3 of 3, and 7 of 25 others")
}

// Statuses that are posted too often are counted over all nodes, with the reason; without any, nothing is shown.
func TestStatusesPostedOften(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	if text := screentest.Shown(New(), &s); strings.Contains(text, "status posted") {
		t.Errorf("of none:\n%s", text)
	}
	found := *s.Margin(s.MarginOver()).Found
	found.Posting = margin.Posting{Nodes: 40, Of: 41, Every: 10 * time.Second, Writes: 240, Meant: 8}
	s.Margin = func(model.Interval) screen.Margin { return screen.Margin{Found: &found} }
	text := strings.Join(strings.Fields(screentest.Shown(New(), &s)), " ")
	says(t, text, "! status posted every 10s by 40 of 41 nodes though nothing changes in it: nodeStatusReportFrequency inherits nodeStatusUpdateFrequency where that is set alone; etcd writes 240 a minute, not 8")
}

// If a zone's name has no room, the part that distinguishes it replaces it.
func TestZonesAreToldApart(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	text := screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(80, 24).Area()))
	says(t, text, "b-001     1b", "c-001     1c")
}

// With the curtain drawn nothing of later counts.
func TestTheCurtainHidesWhatComes(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	s.Curtain = true
	text := screentest.Shown(New(), &s) + New().Context(&s, screentest.Painters()["ascii"], 200)
	if strings.Contains(text, "silent ") || !strings.Contains(text, "50s             0        0") || strings.Contains(text, "reaches later") {
		t.Errorf("of later:\n%s", text)
	}
}

// NOW is of the instant shown, as on the fleet, and not of the end of the input; a count with later events shows that.
func TestNowIsTheInstantShown(t *testing.T) {
	for after, want := range map[time.Duration]string{
		30 * time.Second:  "b-001 1b ░ 4m34s ░ 1 b-003",
		60 * time.Second:  "b-001 1b ░ 4m34s ░ 1 silent 24s b-003",
		150 * time.Second: "b-001 1b ░ 4m34s 1 silent 1m54s b-003",
	} {
		s := screentest.Recorded(t, "demo:zone-outage", after)
		text := screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(80, 24).Area()))
		says(t, strings.Join(strings.Fields(text), " "), want)
	}
}

// Without renewals, and until they are read, the screen shows that.
func TestNothingToSay(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	for want, m := range map[string]screen.Margin{
		"are being read":          {Searching: true},
		"no pause between":        {Found: &margin.Margin{Nodes: 3}},
		"it cannot be read: torn": {Problem: "it cannot be read: torn"},
	} {
		s.Margin = func(model.Interval) screen.Margin { return m }
		says(t, screentest.Shown(New(), &s), want)
	}
}

func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		found := hostile(t, s)
		s.Margin = func(model.Interval) screen.Margin { return screen.Margin{Found: found} }
		return New()
	}, func(*rapid.T, *View, screentest.Frame) {})
}

// hostile is a margin of a Snapshot's nodes, whose names are anything.
func hostile(t *rapid.T, s *screen.Snapshot) *margin.Margin {
	m := &margin.Margin{Over: s.Coverage, Beats: 10, Pauses: make([]int64, 1201), Hidden: rapid.IntRange(0, 3).Draw(t, "hidden")}
	m.Pauses[rapid.IntRange(0, 1200).Draw(t, "bucket")] = rapid.Int64Range(0, 1<<40).Draw(t, "count")
	length := rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.Int64Range(0, 1<<45).Draw(t, "length")) })
	m.Longest = length.Draw(t, "longest")
	s.Cluster.Nodes(func(row *model.NodeRow) bool {
		from := s.At.Add(-length.Draw(t, "ago"))
		m.Nodes++
		m.Nears = append(m.Nears, margin.Near{Node: row.Name, Zone: row.Zone(), Beats: 1, Longest: length.Draw(t, "near"), At: from, Misses: 1, Declared: 1})
		m.Silences = append(m.Silences, margin.Silence{Node: row.Name, From: from, To: s.At, Open: rapid.Bool().Draw(t, "open")})
		m.Flaps = append(m.Flaps, margin.Flaps{Node: row.Name, Times: 2, First: from, Last: s.At, With: []margin.Partner{{Node: row.Name, Times: 2, Apart: length.Draw(t, "apart")}}, Down: length.Draw(t, "down"), Tainted: 1})
		m.Cordons = append(m.Cordons, margin.Cordon{Node: row.Name, Since: from})
		return true
	})
	m.Stalls = []margin.Stall{{From: s.At, To: s.At, Nodes: m.Nodes, Of: m.Nodes}}
	for _, g := range margin.Graces(50 * time.Second) {
		m.Graces = append(m.Graces, margin.Grace{Grace: g, Sure: m.Nodes})
	}
	return m
}

// Flaps in Events are shown to a person who came too late to see them.
func TestFlapsThatEventsTellOf(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Cluster = s.Cluster.Clone()
	s.Cluster.Fold(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Name: "a"}, Version: 1, Time: model.Exactly(s.At),
		Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "a-001"}}, Reason: model.ReasonNodeNotReady, Component: model.ComponentNodeLifecycle, Count: 8, First: s.At.Add(-49 * time.Minute), Last: s.At.Add(-time.Minute)}})
	v := New()
	_ = v.SetFilter("a-001")
	says(t, screentest.Shown(v, &s), "by Events", "stopped being Ready 8 times from 23:05:27Z to 23:53:27Z, every 6m51s on average")
}

// What is recorded of later is marked as that, and what a node is now is as it is at the instant shown.
func TestWhatComesLaterIsMarked(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	later := s.At.Add(time.Minute)
	found := &margin.Margin{Over: s.Coverage, Nodes: 28, Longest: 10 * time.Second, Nears: []margin.Near{{Node: "a-001", Beats: 9, Longest: 10 * time.Second}},
		Flaps:   []margin.Flaps{{Node: "a-001", Times: 4, First: s.At, Last: later, Down: time.Second, Up: time.Second}},
		Cordons: []margin.Cordon{{Node: "a-001", Since: later}}}
	s.Margin = func(model.Interval) screen.Margin { return screen.Margin{Found: found} }
	text := screentest.Shown(New(), &s)
	says(t, text, "░ 4", "░ not Ready for 1s", "░ since 2026-11-20 23:55:27Z")
	if strings.Contains(text, "  cordoned  ") && !strings.Contains(text, "cordoned      ░") {
		t.Errorf("it is not cordoned yet:\n%s", text)
	}
}
