package past

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"

	"pgregory.net/rapid"
)

// noon is the second 0 of these tests.
const noon = model.Instant(1_700_000_000_000_000_000)

func sec(n int) model.Instant { return noon.Add(time.Duration(n) * time.Second) }

// nodeAt is a version of node n written at a second, whose conditions are given as
// "Ready=True@-300" (status, and the second of its transition).
func nodeAt(second int, op model.Op, conditions ...string) model.Change {
	n := &model.Node{}
	for _, text := range conditions {
		var c model.Condition
		name, rest, _ := strings.Cut(text, "=")
		status, at, dated := strings.Cut(rest, "@")
		c.Type, c.Status = name, model.ParseStatus(status)
		if dated {
			var s int
			fmt.Sscan(at, &s)
			c.Transition = sec(s)
		}
		n.Conditions = append(n.Conditions, c)
	}
	ch := model.Change{Kind: model.KindNode, Op: op, Key: model.Key{Name: "n"}, Time: model.Exactly(sec(second)), Node: n}
	if op == model.OpDelete {
		ch.Node = nil
	}
	return ch
}

func leaseAt(second, renewed int) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "n"},
		Time: model.Exactly(sec(second)), Lease: model.Lease{Renewed: sec(renewed)}}
}

// draw prints a track with seconds, as "Ready True[0 40] Unknown[40 60]".
func draw(t *Track) string {
	at := func(i model.Instant) int { return int(i.Sub(noon) / time.Second) }
	var lines []string
	for _, c := range t.Conditions {
		line := c.Type
		for _, s := range c.Spans {
			line += fmt.Sprintf(" %v[%d %d]", s.Status, at(s.From), at(s.To))
		}
		lines = append(lines, line)
	}
	if len(t.Renewals) > 0 {
		line := "renewed"
		for _, r := range t.Renewals {
			line += fmt.Sprint(" ", at(r))
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, fmt.Sprint("flips ", t.Flips)), " | ")
}

func TestBuildTrack(t *testing.T) {
	silent := []model.Change{
		nodeAt(0, model.OpBaseline, "MemoryPressure=False@-900", "Ready=True@-300"),
		leaseAt(10, 10), leaseAt(20, 20),
		nodeAt(70, model.OpModify, "MemoryPressure=Unknown@70", "Ready=Unknown@70"),
		leaseAt(95, 95),
		nodeAt(100, model.OpModify, "MemoryPressure=False@100", "Ready=True@100"),
	}
	heard := leaseAt(30, 25)
	heard.Arrival = sec(30)
	refused := leaseAt(40, 40)
	refused.Op = model.OpAttempt
	for _, c := range []struct {
		name     string
		changes  []model.Change
		coverage [2]int
		window   [2]int
		gaps     []history.Gap
		want     string
	}{
		{"a node falls silent and comes back", silent, [2]int{0, 120}, [2]int{0, 120}, nil,
			"Ready True[0 70] Unknown[70 100] True[100 120] | MemoryPressure False[0 70] Unknown[70 100] False[100 120] | renewed 10 20 95 | flips 2"},
		{"what stood before the window is known from the version before it", silent, [2]int{0, 120}, [2]int{80, 90}, nil,
			"Ready Unknown[80 90] | MemoryPressure Unknown[80 90] | flips 0"},
		{"before the coverage the timestamps of the first version tell, and after it nothing", silent, [2]int{0, 120}, [2]int{-600, 600}, nil,
			"Ready True[-300 70] Unknown[70 100] True[100 120] | MemoryPressure False[-600 70] Unknown[70 100] False[100 120] | renewed 10 20 95 | flips 2"},
		{"within a gap nothing is known", silent, [2]int{0, 120}, [2]int{0, 60}, []history.Gap{{Interval: model.Interval{Earliest: sec(30), Latest: sec(45)}}},
			"Ready True[0 30] True[45 60] | MemoryPressure False[0 30] False[45 60] | renewed 10 20 | flips 0"},
		{"another source's gap takes nothing away", silent, [2]int{0, 120}, [2]int{0, 60}, []history.Gap{{Interval: model.Interval{Earliest: sec(30), Latest: sec(45)}, Source: 1}},
			"Ready True[0 60] | MemoryPressure False[0 60] | renewed 10 20 | flips 0"},
		{"the first version seen states since when it holds", []model.Change{nodeAt(50, model.OpModify, "Ready=False@20")}, [2]int{0, 60}, [2]int{0, 60}, nil,
			"Ready False[20 60] | flips 0"},
		{"a deleted node has no conditions", []model.Change{nodeAt(0, model.OpBaseline, "Ready=True"), nodeAt(30, model.OpDelete), nodeAt(40, model.OpAdd, "Ready=True@40")}, [2]int{0, 60}, [2]int{0, 60}, nil,
			"Ready True[0 30] True[40 60] | flips 0"},
		{"a renewal counts when it was heard, once, and only if it succeeded", []model.Change{leaseAt(10, 9), leaseAt(12, 9), heard, refused}, [2]int{0, 60}, [2]int{0, 60}, nil,
			"renewed 10 30 | flips 0"},
		{"nothing about the node", nil, [2]int{0, 60}, [2]int{0, 60}, nil, "flips 0"},
		{"a window before the coverage", silent, [2]int{0, 120}, [2]int{-400, -200}, nil, "Ready True[-300 -200] | MemoryPressure False[-400 -200] | flips 0"},
		{"a gap before the coverage takes nothing of that away", silent, [2]int{0, 120}, [2]int{-400, 60}, []history.Gap{{Interval: model.Interval{Earliest: sec(-500), Latest: sec(0)}}},
			"Ready True[-300 60] | MemoryPressure False[-400 60] | renewed 10 20 | flips 0"},
		{"a window after the end", silent, [2]int{0, 120}, [2]int{200, 300}, nil, "flips 0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := history.NewMemory(c.changes, model.Interval{Earliest: sec(c.coverage[0]), Latest: sec(c.coverage[1])}, c.gaps, nil)
			track, err := BuildTrack(h, "n", model.Interval{Earliest: sec(c.window[0]), Latest: sec(c.window[1])})
			if err != nil {
				t.Fatal(err)
			}
			if got := draw(track); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

// When the budget runs out, the oldest part stays empty.
func TestBuildTrackIsBounded(t *testing.T) {
	changes := []model.Change{nodeAt(0, model.OpBaseline, "Ready=True")}
	for s := 1; s < 5000; s++ {
		changes = append(changes, leaseAt(s, s))
	}
	h := history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(5000)}, nil, nil)
	track, err := buildTrack(h, "n", model.Interval{Earliest: sec(0), Latest: sec(5000)}, 100)
	if err != nil {
		t.Fatal(err)
	}
	if len(track.Renewals) != 100 || track.Renewals[0] != sec(4900) || len(track.Conditions) != 0 {
		t.Errorf("%d renewals from %v, %d conditions; want the last 100 and none", len(track.Renewals), track.Renewals[0], len(track.Conditions))
	}
}

// At any instant of the window, the track says what the state at that instant says.
func TestTrackAgreesWithTheState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		second := 0
		var changes []model.Change
		for range rapid.IntRange(1, 30).Draw(t, "changes") {
			second += rapid.IntRange(1, 20).Draw(t, "later")
			switch rapid.IntRange(0, 5).Draw(t, "what") {
			case 0:
				changes = append(changes, nodeAt(second, model.OpDelete))
			case 1, 2:
				changes = append(changes, leaseAt(second, second))
			default:
				status := rapid.SampledFrom([]string{"True", "False", "Unknown"}).Draw(t, "status")
				changes = append(changes, nodeAt(second, model.OpModify, "Ready="+status))
			}
		}
		h := history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(second + 10)}, nil, nil)
		from := rapid.IntRange(0, second).Draw(t, "from")
		window := model.Interval{Earliest: sec(from), Latest: sec(second + 10)}
		track, err := BuildTrack(h, "n", window)
		if err != nil {
			t.Fatal(err)
		}
		cursor := history.NewCursor(h)
		for s := from; s < second+10; s++ {
			if err := cursor.Seek(sec(s)); err != nil {
				t.Fatal(err)
			}
			want := model.StatusAbsent
			if row := cursor.State().Node("n"); row != nil && row.Node != nil {
				want = row.Node.Ready().Status
			}
			got := model.StatusAbsent
			for _, c := range track.Conditions {
				for _, span := range c.Spans {
					if span.From <= sec(s) && sec(s) < span.To {
						got = span.Status
					}
				}
			}
			if got != want {
				t.Fatalf("at %ds the track says %q, the state %q: %s", s, got, want, draw(track))
			}
		}
	})
}

// A taint without timeAdded was put on when the first version that has it was written; one that stood
// there already, at some time before. One that was taken off and came back is another.
func TestWhenATaintWasPutOn(t *testing.T) {
	tainted := func(second int, op model.Op, keys ...string) model.Change {
		ch := nodeAt(second, op)
		ch.Node.Created = sec(-900)
		for _, key := range keys {
			ch.Node.Taints = append(ch.Node.Taints, model.Taint{Key: key, Effect: model.NoSchedule})
		}
		return ch
	}
	drained := tainted(40, model.OpModify, "old", "drain")
	drained.Time.Earliest, drained.Writer = sec(39), model.WriterPerson
	h := history.NewMemory([]model.Change{tainted(0, model.OpBaseline, "old"), drained, tainted(60, model.OpModify, "old"), tainted(80, model.OpModify, "old", "drain")},
		model.Interval{Earliest: sec(0), Latest: sec(120)}, nil, nil)
	for _, c := range []struct {
		from, to, at int
		key          string
		added        [2]int
		writer       model.Writer
		none         bool
	}{
		{0, 120, 45, "drain", [2]int{39, 40}, model.WriterPerson, false},
		{0, 120, 70, "drain", [2]int{}, 0, true},
		{0, 120, 90, "drain", [2]int{80, 80}, model.WriterUnknown, false},
		{0, 120, 90, "old", [2]int{-900, 0}, model.WriterUnknown, false},
		{50, 55, 52, "drain", [2]int{-900, 40}, model.WriterUnknown, false}, // the version before the window is the oldest that is read
	} {
		track, err := BuildTrack(h, "n", model.Interval{Earliest: sec(c.from), Latest: sec(c.to)})
		if err != nil {
			t.Fatal(err)
		}
		x, ok := track.Clip(model.Interval{Earliest: sec(c.at), Latest: sec(c.at)}).Taint(c.key, model.NoSchedule, sec(c.at))
		if ok == c.none {
			t.Errorf("%s at %ds: %v", c.key, c.at, ok)
		} else if want := (model.Interval{Earliest: sec(c.added[0]), Latest: sec(c.added[1])}); ok && (x.Added != want || x.Writer != c.writer) {
			t.Errorf("%s at %ds: put on within %v by %s, want %v by %s", c.key, c.at, x.Added, x.Writer, want, c.writer)
		}
	}
}

// A taint that does not say itself since when it is there was there when the list of taints was written last, as managedFields
// tell who comes late; of one that says it itself they tell nothing new.
func TestWhenATaintWasPutOnByManagedFields(t *testing.T) {
	ch := nodeAt(0, model.OpBaseline)
	ch.Node.Created = sec(-900)
	ch.Node.Taints = []model.Taint{{Key: "old", Effect: model.NoSchedule}, {Key: "dated", Effect: model.NoSchedule, Added: sec(-500)}}
	ch.Node.Details = model.PackNode(model.Detail{Name: model.DetailTainted, Value: sec(-300).Time().UTC().Format(time.RFC3339)})
	h := history.NewMemory([]model.Change{ch}, model.Interval{Earliest: sec(0), Latest: sec(120)}, nil, nil)
	track, err := BuildTrack(h, "n", model.Interval{Earliest: sec(0), Latest: sec(120)})
	if err != nil {
		t.Fatal(err)
	}
	for key, latest := range map[string]int{"old": -299, "dated": 0} {
		if x, ok := track.Taint(key, model.NoSchedule, sec(60)); !ok || x.Added != (model.Interval{Earliest: sec(-900), Latest: sec(latest)}) {
			t.Errorf("%s was put on within %v", key, x.Added)
		}
	}
}
