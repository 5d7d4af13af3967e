package history_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/internal/randomhistory"
	"kardia/model"
	"kardia/model/history"
)

// second is a time of these stories, counted from noon.
func second(n int) model.Instant {
	return randomhistory.Noon.Add(time.Duration(n) * time.Second)
}

func between(from, to int) model.Interval {
	return model.Interval{Earliest: second(from), Latest: second(to)}
}

// shows is a source that shows some kinds from one second to another.
func shows(from, to int, kinds ...model.Kind) history.Source {
	s := history.Source{Kinds: map[model.Kind]int{}, Coverage: between(from, to), Quality: model.ByArrival}
	for _, kind := range kinds {
		s.Kinds[kind] = 1
	}
	return s
}

// logOf is an audit log of one of several API servers.
func logOf(server, from, to int, kinds ...model.Kind) history.Source {
	s := shows(from, to, kinds...)
	s.Server, s.Format, s.Quality = server, "audit", model.ByServer
	return s
}

// captured is a capture that was taken at a second. The newest renewal and status in it are five seconds older.
func captured(at int, kinds ...model.Kind) history.Source {
	s := shows(at, at, kinds...)
	s.Captured = &history.Captured{At: second(at), Taken: model.Exactly(second(at)), Leases: second(at - 5), Statuses: second(at - 5)}
	return s
}

func gap(source, from, to int) history.Gap {
	return history.Gap{Interval: between(from, to), Source: source}
}

// covering is a History without Changes, of ten minutes.
func covering(sources []history.Source, gaps ...history.Gap) history.History {
	return history.NewMemory(nil, between(0, 600), gaps, sources)
}

// TestBlindIn: a kind is covered if any source covers it. Logs of several API servers are one source: each may be the
// only one that shows a request.
func TestBlindIn(t *testing.T) {
	lease, node := model.KindNodeLease, model.KindNode
	unlisted := gap(0, 100, 160)
	unlisted.Unlisted = true
	for name, x := range map[string]struct {
		sources []history.Source
		gaps    []history.Gap
		kind    model.Kind
		want    string
	}{
		"one watch without a gap":                {[]history.Source{shows(0, 600, lease)}, nil, lease, ""},
		"a gap":                                  {[]history.Source{shows(0, 600, lease)}, []history.Gap{gap(0, 100, 160)}, lease, "100-160"},
		"a gap after which nothing was listed":   {[]history.Source{shows(0, 600, lease)}, []history.Gap{unlisted}, lease, "100-160 unlisted"},
		"a gap that another watch fills":         {[]history.Source{shows(0, 600, lease), shows(0, 600, lease)}, []history.Gap{gap(0, 100, 160)}, lease, ""},
		"a gap that another watch fills in part": {[]history.Source{shows(0, 600, lease), shows(0, 600, lease)}, []history.Gap{gap(0, 100, 160), gap(1, 140, 200)}, lease, "140-160"},
		"a watch of another kind fills nothing":  {[]history.Source{shows(0, 600, lease), shows(0, 600, node)}, []history.Gap{gap(0, 100, 160)}, lease, "100-160"},
		"a gap of another kind":                  {[]history.Source{shows(0, 600, lease), shows(0, 600, node)}, []history.Gap{gap(1, 100, 160)}, lease, ""},
		"leases end early":                       {[]history.Source{shows(0, 300, lease), shows(0, 600, node)}, nil, lease, "300-600 unlisted"},
		"leases start late":                      {[]history.Source{shows(90, 600, lease), shows(0, 600, node)}, nil, lease, "0-90 unlisted"},
		"nodes end early, as they may":           {[]history.Source{shows(0, 600, lease), shows(0, 300, node)}, nil, node, ""},
		"the log of one of two servers":          {[]history.Source{logOf(1, 0, 600, lease), logOf(2, 0, 600, lease)}, []history.Gap{gap(0, 100, 160)}, lease, "100-160"},
		"two pieces of one server's log":         {[]history.Source{logOf(1, 0, 300, lease), logOf(1, 300, 600, lease)}, nil, lease, ""},
		"a watch beside the log of a server":     {[]history.Source{logOf(1, 0, 600, lease), shows(0, 600, lease)}, []history.Gap{gap(0, 100, 160)}, lease, ""},
		"leases in a capture after the watch":    {[]history.Source{shows(0, 500, node), captured(600, lease)}, nil, lease, "0-600 unlisted"},
		"no source shows leases":                 {[]history.Source{shows(0, 600, node)}, nil, lease, ""},
	} {
		var got []string
		for _, b := range history.BlindIn(covering(x.sources, x.gaps...), x.kind) {
			is := fmt.Sprintf("%d-%d", b.Earliest.Sub(second(0))/time.Second, b.Latest.Sub(second(0))/time.Second)
			if b.Unlisted {
				is += " unlisted"
			}
			got = append(got, is)
		}
		if is := strings.Join(got, ", "); is != x.want {
			t.Errorf("%s: blind in %q, want %q", name, is, x.want)
		}
	}
}

// TestAnAgeIsExcused: a node may have renewed while no lease was watched, and its age counts less.
func TestAnAgeIsExcused(t *testing.T) {
	row := func(heard int) *model.NodeRow {
		r := &model.NodeRow{Name: "a-1", Node: &model.Node{}, Written: model.Exactly(second(heard))}
		r.Lease.Heard, r.Lease.Written = second(heard), model.Exactly(second(heard))
		return r
	}
	for name, x := range map[string]struct {
		gap               history.Gap
		heard, at         int
		excused           time.Duration
		lastKnown, isLate bool
	}{
		"no gap since it was heard":       {gap(0, 100, 160), 170, 220, 0, false, true},
		"a gap within its age":            {gap(0, 100, 160), 90, 200, 60 * time.Second, false, true},
		"most of its age is the gap":      {gap(0, 100, 160), 99, 165, 60 * time.Second, false, false},
		"a gap that has not ended":        {gap(0, 100, 600), 90, 200, 110 * time.Second, true, false},
		"a gap without a list at its end": {history.Gap{Interval: between(100, 160), Unlisted: true}, 90, 200, 70 * time.Second, true, false},
	} {
		u := history.UnwatchedIn(covering([]history.Source{shows(0, 600, model.KindNodeLease, model.KindNode, model.KindPod)}, x.gap))
		r, at := row(x.heard), second(x.at)
		ages := model.Ages{Age: model.Some(at.Sub(second(x.heard))), From: model.AgeHeard}
		if is := u.Late(r, ages, at); is != x.isLate {
			t.Errorf("%s: late is %v", name, is)
		}
		if u.Excuse(&ages, at); ages.Unwatched != x.excused {
			t.Errorf("%s: %s of its age were not watched, want %s", name, ages.Unwatched, x.excused)
		}
		_, lease := u.Lease(r, at)
		_, node := u.Node(r, at)
		_, pod := u.Pod(&model.Pod{Created: second(x.heard)}, at)
		if lease != x.lastKnown || node != x.lastKnown || pod != x.lastKnown {
			t.Errorf("%s: only the last known lease is %v, node %v, pod %v", name, lease, node, pod)
		}
		if list := u.Leases(); len(list) != 1 || list[0] != x.gap.Interval {
			t.Errorf("%s: leases were not watched in %v", name, list)
		}
	}
	var always history.Unwatched
	if _, ok := always.Pods(second(10)); ok || always.Unsettles(second(10), time.Hour) {
		t.Error("a History that watched all the time is in doubt")
	}
	never := history.UnwatchedIn(covering([]history.Source{shows(0, 600, model.KindNodeLease)}, history.Gap{Interval: between(100, 160), Unlisted: true}))
	for at, want := range map[int]bool{90: false, 130: true, 190: true, 220: false} {
		if is := never.Unsettles(second(at), 50*time.Second); is != want {
			t.Errorf("the zones are unsettled at %d s: %v", at, is)
		}
	}
}

// TestASourceThatLosesLines proves nothing, if there is no better one.
func TestASourceThatLosesLines(t *testing.T) {
	losing := shows(0, 600, model.KindNodeLease)
	losing.Losing = "one request in three is missing"
	whole := shows(0, 600, model.KindNodeLease)
	if why, is := history.LosingIn(covering([]history.Source{losing, losing}), model.KindNodeLease); !is || why != losing.Losing {
		t.Errorf("losing is %v: %q", is, why)
	}
	if why, is := history.LosingIn(covering([]history.Source{losing, whole}), model.KindNodeLease); is || why != "" {
		t.Errorf("beside a whole one, losing is %v: %q", is, why)
	}
	u := history.UnwatchedIn(covering([]history.Source{losing}))
	row := &model.NodeRow{}
	row.Lease.Heard = second(50)
	if v, ok := u.Lease(row, second(80)); !ok || v != between(50, 80) {
		t.Errorf("it may have renewed in %v: %v", v, ok)
	}
	if len(u.Leases()) > 0 {
		t.Error("it counts as a time without a watch")
	}
}

// TestCaptures: a capture shows one time. What the sources with history cover is not it.
func TestCaptures(t *testing.T) {
	beside := captured(200, model.KindPod)
	beside.Captured.Beside = true
	h := covering([]history.Source{shows(0, 300, model.KindNode), captured(500, model.KindNode), captured(400, model.KindNode, model.KindNodeLease), captured(400, model.KindPod), beside})
	var at []int
	for _, c := range history.Captures(h.Sources()) {
		at = append(at, int(c.At.Sub(second(0))/time.Second), len(c.Sources))
	}
	if !slices.Equal(at, []int{400, 2, 500, 1}) {
		t.Errorf("captures and their sources: %v", at)
	}
	if v := history.Recorded(h); v != between(0, 300) {
		t.Errorf("recorded in %v", v)
	}
	if list := history.Listed(h.Sources(), model.KindPod); len(list) != 2 || list[0].At != second(200) {
		t.Errorf("pods were listed at %v", list)
	}
	if list := history.Listed(h.Sources(), model.KindNode); list != nil {
		t.Errorf("nodes were listed at %v, and a watch shows them", list)
	}
	for seconds, want := range map[int]string{200: "not alone", 350: "none by then", 450: "400", 550: "500"} {
		is := "not alone"
		if c, alone := history.Alone(h, second(seconds)); alone && c == nil {
			is = "none by then"
		} else if alone {
			is = fmt.Sprint(int(c.At.Sub(second(0)) / time.Second))
		}
		if is != want {
			t.Errorf("at %d s: %s, want %s", seconds, is, want)
		}
	}
	as := history.AsOf(h, second(405))
	if as.Leases != (model.ReadUpTo{Instant: second(395), AtLeast: true}) || as.Statuses != (model.ReadUpTo{Instant: second(395), AtLeast: true}) {
		t.Errorf("at 405 s, leases were read up to %v and statuses up to %v", as.Leases, as.Statuses)
	}
	if as := history.AsOf(h, second(450)); as.Leases != (model.ReadUpTo{Instant: second(450)}) {
		t.Errorf("long after the capture, leases count up to %v", as.Leases)
	}
	if as := history.AsOf(covering([]history.Source{shows(0, 600, model.KindNode)}), second(100)); as != model.Watched(second(100)) {
		t.Errorf("a watch reads all the time, and not up to %v", as)
	}
}

// TestTheServersClock: of an answer it is known only how far the API server's clock is ahead of ours.
func TestTheServersClock(t *testing.T) {
	for want, o := range map[string]history.Offset{
		"1s to 2.001s ahead":       {Least: time.Second, Most: 2*time.Second + time.Microsecond},
		"1s to 3s behind":          {Least: -3 * time.Second, Most: -time.Second},
		"20ms behind to 1ms ahead": {Least: -20 * time.Millisecond, Most: time.Nanosecond},
	} {
		if o.String() != want {
			t.Errorf("%s, want %s", o, want)
		}
	}
	m := history.NewMemory(nil, between(0, 600), nil, []history.Source{captured(300, model.KindNodeLease)})
	m.Readings = []history.ClockReading{
		{At: second(200), Server: model.Some(history.Offset{Least: -2 * time.Second, Most: 0})},
		{At: second(400), Server: model.Some(history.Offset{Least: time.Hour, Most: time.Hour})},
		{At: second(250)},
	}
	if got, want := history.AsOfServer(m, second(305)).Leases.Instant, second(293); got != want {
		t.Errorf("leases were read up to %s, want %s", got, want)
	}
	if m.Readings[0].Stepped() {
		t.Error("a reading without a step is one")
	}
}

// TestStatements: what a log says, and when it was true.
func TestStatements(t *testing.T) {
	flag := history.Statement{What: history.SaidFlag, Text: "--node-monitor-period=5s"}
	if name, value := flag.Flag(); name != "node-monitor-period" || value != "5s" {
		t.Errorf("the flag is %q, its value %q", name, value)
	}
	for name, x := range map[string]struct {
		is   history.Statement
		of   model.DecisionKind
		when model.Interval
	}{
		"a line of the controller": {history.Statement{What: history.SaidLost, At: second(60)}, model.MarkUnknown, between(60, 60)},
		"an Event":                 {history.Statement{What: history.SaidDeclared, At: second(60)}, model.MarkUnknown, between(59, 60)},
		"a sample of Ready":        {history.Statement{What: history.SaidReady, Status: model.StatusUnknown, Sampled: true, Since: second(30), At: second(60)}, model.MarkUnknown, between(30, 60)},
		"the first sample":         {history.Statement{What: history.SaidReady, Status: model.StatusUnknown, Sampled: true, At: second(60)}, model.DecisionNone, between(60, 60)},
		"a sample of a taint":      {history.Statement{What: history.SaidTainted, Sampled: true, Since: second(30), At: second(60)}, model.TaintNoExecute, between(30, 60)},
		"a kubelet's start":        {history.Statement{What: history.SaidKubeletStart, At: second(60)}, model.DecisionNone, between(60, 60)},
	} {
		if x.is.Decision() != x.of || x.is.When() != x.when {
			t.Errorf("%s: %v in %v, want %v in %v", name, x.is.Decision(), x.is.When(), x.of, x.when)
		}
	}
	words := map[string]history.Saying{}
	for s := history.SaidNothing; s <= history.LastSaying; s++ {
		if other, twice := words[s.String()]; twice {
			t.Errorf("%d and %d have the word %q", other, s, s)
		}
		words[s.String()] = s
	}
	said := []history.Statement{{What: history.SaidLost}, {What: history.SaidReached}, {What: history.SaidUnreached}}
	if of := history.OfLogs(said); len(of) != 1 || len(said) != 3 || said[1].What != history.SaidReached {
		t.Errorf("%v of %v are of logs", of, said)
	}
	if of := history.OfLogs(said[:1]); &of[0] != &said[0] {
		t.Error("a list without any is copied")
	}
}
