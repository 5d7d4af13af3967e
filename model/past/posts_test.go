package past

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// posted is a version of node n, written at a second with a heartbeat of that second, whose kernel is what changes.
func posted(second int, kernel string) model.Change {
	ch := nodeAt(second, model.OpModify, "Ready=True@-300")
	ch.Node.Conditions[0].Heartbeat = sec(second)
	ch.Node.Details = model.PackNode(model.Detail{Name: model.DetailKernel, Value: kernel})
	return ch
}

// every is a post every so many seconds.
func every(from, to, apart int) (list []model.Change) {
	for at := from; at <= to; at += apart {
		list = append(list, posted(at, "6.1"))
	}
	return list
}

// A status that is posted often though nothing changes in it is told from all that looks like it.
func TestPace(t *testing.T) {
	changing := every(0, 120, 10)
	for i := range changing {
		changing[i] = posted(10*i, []string{"6.1", "6.2"}[i%2])
	}
	tainted := every(0, 300, 300)
	for at := 10; at < 300; at += 10 { // others write the Node: its heartbeat stays
		ch := posted(at, "6.1")
		ch.Node.Conditions[0].Heartbeat = sec(0)
		ch.Node.Taints = []model.Taint{{Key: "k", Value: "v", Effect: model.NoSchedule, Added: sec(at)}}
		tainted = append(tainted, ch)
	}
	uneven := []model.Change{posted(0, ""), posted(10, ""), posted(70, ""), posted(75, ""), posted(160, ""), posted(170, ""), posted(250, "")}
	late := every(0, 100, 10)
	for i := range late {
		late[i].Node.Conditions[0].Heartbeat = sec(i * 10 / 100 * 100) // its clock stands
	}
	for name, tt := range map[string]struct {
		changes []model.Change
		every   time.Duration
		times   int
	}{
		"every ten seconds":                     {every(0, 120, 10), 10 * time.Second, 12},
		"every minute, as it may be configured": {every(0, 420, 60), time.Minute, 7},
		"once something changed in between":     {append(every(0, 100, 10), append([]model.Change{posted(105, "6.2")}, posted(115, "6.2"))...), 10 * time.Second, 10},
		"too few to tell":                       {every(0, 40, 10), 0, 0},
		"every five minutes":                    {every(0, 3000, 300), 0, 0},
		"something changes each time":           {changing, 0, 0},
		"others write the Node":                 {tainted, 0, 0},
		"now and then":                          {uneven, 0, 0},
		"its clock stands":                      {late, 0, 0},
		"no longer, since it was restarted":     {append(every(0, 120, 10), every(420, 1020, 300)...), 0, 0},
		"another Node of the name each time": {func() (list []model.Change) {
			for i := range 12 {
				ch := posted(10*i, "6.1")
				ch.Node.UID = model.UUID([16]byte{1, byte(i % 2)})
				list = append(list, ch)
			}
			return list
		}(), 0, 0},
	} {
		slices.SortStableFunc(tt.changes, func(a, b model.Change) int { return int(a.Effective().Sub(b.Effective())) })
		h := history.NewMemory(tt.changes, model.Interval{Earliest: sec(0), Latest: sec(3000)}, nil, []history.Source{{}})
		track, err := BuildTrack(h, "n", model.Interval{Earliest: sec(0), Latest: sec(3000)})
		if err != nil {
			t.Fatal(err)
		}
		pace := track.Pace()
		every, times, ok := pace.Often()
		if ok != (tt.times > 0) || ok && (every != tt.every || times != tt.times) {
			t.Errorf("%s: every %v, %d times, %v; want every %v, %d times", name, every, times, ok, tt.every, tt.times)
		}
	}
}

// What lies outside a window is not of its pace.
func TestPaceOfAWindow(t *testing.T) {
	all := append(every(0, 100, 10), every(300, 900, 300)...)
	track, err := BuildTrack(history.NewMemory(all, model.Interval{Earliest: sec(0), Latest: sec(900)}, nil, []history.Source{{}}), "n", model.Interval{Earliest: sec(0), Latest: sec(900)})
	if err != nil {
		t.Fatal(err)
	}
	pace := track.Clip(model.Interval{Earliest: sec(0), Latest: sec(100)}).Pace()
	if _, times, ok := pace.Often(); !ok || times != 10 {
		t.Errorf("in the first minutes it is seen %d times, %v", times, ok)
	}
	pace = track.Pace()
	if _, _, ok := pace.Often(); ok {
		t.Error("it is said of one that does so no more")
	}
}
