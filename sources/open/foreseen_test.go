package open

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

// foreseeable is an incident with what disturbs forecasts in it.
type foreseeable struct {
	res *infer.Result
	// changes are when something was recorded, returns when silent nodes were heard again.
	changes, returns []model.Instant
	// beats are each node's renewals, made when each pod came.
	beats map[string][]model.Instant
	made  map[model.Key]model.Instant
}

func incidentToForesee(t *testing.T, name string) *foreseeable {
	t.Helper()
	o := incident(t, name, everything)
	res, err := infer.Run(o.History, infer.Options{Params: flags})
	if err != nil {
		t.Fatal(err)
	}
	x := &foreseeable{res: res, beats: map[string][]model.Instant{}, made: map[model.Key]model.Instant{}}
	err = historytest.Walk(o.History, model.FarPast+1, model.FarFuture, func(_ int, ch *model.Change) bool {
		at := ch.Effective()
		x.changes = append(x.changes, at)
		switch {
		case ch.Kind == model.KindNodeLease && ch.Lease.Renewed.Known():
			beats := x.beats[ch.Key.Name]
			if n := len(beats); n > 0 && at.Sub(beats[n-1]) > 40*time.Second {
				x.returns = append(x.returns, at)
			}
			x.beats[ch.Key.Name] = append(beats, at)
		case ch.Kind == model.KindPod && ch.Pod != nil:
			if _, ok := x.made[ch.Key]; !ok {
				x.made[ch.Key] = at
			}
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// instants are those at which to forecast: just after each write of the passes that declare nodes Unknown, between
// it and the next, and some time after the last; or all changes.
func (x *foreseeable) instants(all bool) (list []model.Instant) {
	if all {
		return slices.Compact(slices.Clone(x.changes))
	}
	var last model.Instant
	for i := range x.res.Writes {
		w := &x.res.Writes[i]
		at := w.Time.Latest
		switch {
		case w.Kind == model.MarkUnknown:
		case w.Kind == model.MarkPodsNotReady && at.Sub(last) < time.Second && i%4 == 0: // there are many of them
		default:
			continue
		}
		last = at
		list = append(list, at, at.Add(5*time.Millisecond), at.Add(60*time.Millisecond), at.Add(700*time.Millisecond))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// undisturbed says that between two instants no node came back, and none fell silent that was heard at the first.
func (x *foreseeable) undisturbed(from, to model.Instant) bool {
	if slices.ContainsFunc(x.returns, func(at model.Instant) bool { return at > from && at <= to }) ||
		slices.ContainsFunc(x.res.Restarts, func(at model.Interval) bool { return at.Latest > from && at.Earliest <= to }) {
		return false
	}
	return !slices.ContainsFunc(x.res.Writes, func(w infer.Write) bool {
		if w.Kind != model.MarkUnknown || w.Time.Earliest <= from || w.Time.Earliest > to {
			return false
		}
		n, _ := slices.BinarySearch(x.beats[w.Node], w.Time.Earliest)
		return n == 0 || x.beats[w.Node][n-1].Add(21*time.Second) > from
	})
}

// hold compares the forecast of an instant with the recording, and counts the predictions.
func (x *foreseeable) hold(t *testing.T, at model.Instant) (held int) {
	return x.holdAs(t, x.res, at, at)
}

// holdAs compares with what came the forecast of one who knows the cluster by another Result, and has not heard the nodes
// since an instant.
func (x *foreseeable) holdAs(t *testing.T, known *infer.Result, at, since model.Instant) (held int) {
	const near = 250 * time.Millisecond
	s, err := known.Known(at)
	if err != nil {
		t.Fatal(err)
	}
	f := forecast.Run(s, forecast.Options{})
	windows, came := map[model.Key]*forecast.Eviction{}, map[model.Key]bool{}
	for i := range f.Evictions {
		windows[f.Evictions[i].Pod] = &f.Evictions[i]
	}
	for i := range x.res.Writes {
		w := &x.res.Writes[i]
		if w.Time.Earliest <= at.Add(5*time.Millisecond) || w.Time.Earliest > f.Until.Add(-time.Minute) {
			continue
		}
		came[w.Pod] = came[w.Pod] || w.Kind == model.EvictPod
		if !x.undisturbed(since, w.Time.Latest) {
			continue
		}
		within := func(v model.Interval) bool {
			return w.Time.Overlaps(model.Interval{Earliest: v.Earliest.Add(-near), Latest: v.Latest.Add(near)})
		}
		switch w.Kind {
		case model.MarkUnknown:
			if !slices.ContainsFunc(f.Coming, func(c forecast.Coming) bool {
				return c.Decision.Kind == w.Kind && c.Decision.Node == w.Node && within(c.Decision.Window)
			}) {
				t.Errorf("at %s: %s is declared Unknown at %s, and it was not foreseen", at, w.Node, w.Time.Earliest)
			}
		case model.EvictPod:
			if e := windows[w.Pod]; x.made[w.Pod] <= at && (e == nil || !within(e.Window)) {
				t.Errorf("at %s: %s is deleted at %s; foreseen %+v", at, w.Pod, w.Time.Earliest, e)
			}
		default:
			continue
		}
		held++
	}
	for _, e := range f.Evictions {
		if end := e.Window.Latest.Add(near); e.Certain && e.State < forecast.Terminating && end < x.res.Coverage.Latest && x.undisturbed(since, end) && !came[e.Pod] {
			t.Errorf("at %s: %s was to be deleted surely between %s and %s", at, e.Pod, e.Window.Earliest, e.Window.Latest)
		}
	}
	return held
}

// TestARecordMayEndInAPass: of a pass that enters master disruption while ticks still taint watch files without
// Events show what it takes off before what slips through. Wherever they end after it, all of that is explained by
// the pass, and no restart is supposed.
func TestARecordMayEndInAPass(t *testing.T) {
	o := incident(t, "all-dark", func(path string) bool { return watchFiles(path) && !strings.Contains(path, "events") })
	entered := model.At(time.Date(2026, 11, 21, 0, 8, 15, 0, time.UTC))
	taken := 0
	for at := entered; at < entered.Add(3*time.Second); at = at.Add(280 * time.Millisecond) {
		res, err := infer.Run(o.History, infer.Options{Params: flags, Mode: infer.Causal, Until: at})
		if err != nil {
			t.Fatal(err)
		}
		taken = 0
		for i := range res.Writes {
			w := &res.Writes[i]
			if taken += map[bool]int{true: 1}[w.Kind == model.UntaintNoExecute]; w.Decision == 0 {
				t.Errorf("%s: %s %s at %s: %s", at, w.Kind, w.Subject(), w.Time.Earliest, w.Unexplained)
			}
		}
		s, err := res.Known(at)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.SupposedRestarts) > 0 {
			t.Errorf("%s: the controllers are supposed to have begun anew at %v", at, s.SupposedRestarts)
		}
	}
	if taken != 4 {
		t.Errorf("%d taints were taken off by the end", taken)
	}
}

// TestATokenIsKnownAsWellAsItsTaint: when a zone's token was taken, and so when the next is there, is known as
// well as the taint is dated that was seen, wherever in that window the models have it.
func TestATokenIsKnownAsWellAsItsTaint(t *testing.T) {
	o := incident(t, "all-dark", func(path string) bool { return watchFiles(path) && !strings.Contains(path, "events") })
	at := model.At(time.Date(2026, 11, 21, 0, 10, 25, 874_000_000, time.UTC))
	res, err := infer.Run(o.History, infer.Options{Params: flags, Mode: infer.Causal, Until: at})
	if err != nil {
		t.Fatal(err)
	}
	s, err := res.Known(at)
	if err != nil {
		t.Fatal(err)
	}
	given := at.Add(9_397 * time.Millisecond) // s-000 is tainted then, says the audit log
	waited := 0
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		if len(z.Waiting) == 0 {
			continue
		}
		waited++
		off := s.TokenOffset(z.Zone)
		if w := (model.Interval{Earliest: z.NextToken.Add(off.Earlier), Latest: z.NextToken.Add(off.Later + 100*time.Millisecond)}); !w.Contains(given) {
			t.Errorf("%s: the next token is there within %s to %s, and was at %s", z.Zone.Zone, w.Earliest, w.Latest, given)
		}
	}
	if waited != 2 {
		t.Errorf("nodes wait in %d zones", waited)
	}
}

// TestForecastsHoldWithinAGap: asked in a gap, the events that came are within the windows all the same, whether they
// were due by then or not, and no event is certain that may have come by then.
func TestForecastsHoldWithinAGap(t *testing.T) {
	for _, c := range []struct {
		name       string
		from, long time.Duration
		without    model.Kind // a kind that was never watched
	}{{"zone-outage", 60 * time.Second, time.Minute, model.KindNone}, {"zone-outage", 100 * time.Second, 50 * time.Second, model.KindNone},
		{"zone-outage", 150 * time.Second, 70 * time.Second, model.KindNodeLease}, {"node-loss", 70 * time.Second, 3 * time.Minute, model.KindNone},
		{"all-dark", 60 * time.Second, time.Minute, model.KindNone}} {
		x, o := incidentToForesee(t, c.name), incident(t, c.name, everything)
		start := o.History.Coverage().Earliest
		gap := model.Interval{Earliest: start.Add(c.from), Latest: start.Add(c.from + c.long)}
		changes := slices.DeleteFunc(changesOf(t, o.History), func(ch model.Change) bool { return ch.At > gap.Earliest || ch.Kind == c.without })
		sources := o.History.Sources()
		var gaps []history.Gap
		for i := range sources {
			sources[i].Kinds = maps.Clone(sources[i].Kinds)
			delete(sources[i].Kinds, c.without)
			gaps = append(gaps, history.Gap{Interval: gap, Source: i, Why: "nothing was recorded", Between: true})
		}
		h := history.NewMemory(changes, model.Interval{Earliest: start, Latest: gap.Latest}, gaps, sources)
		res, err := infer.Run(h, infer.Options{Params: flags, Mode: infer.Causal, Until: gap.Latest})
		if err != nil {
			t.Fatal(err)
		}
		held, lost := 0, lostIn(x, gap)
		for after := 5 * time.Second; after < c.long; after += 9 * time.Second {
			at := gap.Earliest.Add(after)
			held += x.holdAs(t, res, at, gap.Earliest)
			s, err := res.Known(at)
			if err != nil {
				t.Fatal(err)
			}
			told := map[model.Key]forecast.Eviction{}
			for _, e := range forecast.Run(s, forecast.Options{}).Evictions {
				told[e.Pod] = e
			}
			for pod, when := range lost { // what was due by then does not vanish
				if e, ok := told[pod]; when <= at && (!ok || e.Certain) {
					t.Errorf("at %s: %s was deleted unseen at %s; told %v", at, pod, when, e)
				}
			}
		}
		if held < 4 {
			t.Errorf("%s from +%s: %d steps were foreseen", c.name, c.from, held)
		}
		t.Logf("%s from +%s: %d steps were foreseen", c.name, c.from, held)
	}
}

// lostIn are the pods whose deletion a gap hides, that were due before it began, and when they were deleted.
func lostIn(x *foreseeable, gap model.Interval) map[model.Key]model.Instant {
	lost := map[model.Key]model.Instant{}
	for i := range x.res.Writes {
		w := &x.res.Writes[i]
		if w.Kind == model.EvictPod && gap.Contains(w.Time.Earliest) && x.made[w.Pod] <= gap.Earliest && x.undisturbed(gap.Earliest, w.Time.Latest) {
			lost[w.Pod] = w.Time.Latest
		}
	}
	return lost
}
