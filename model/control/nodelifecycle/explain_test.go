package nodelifecycle

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/control/informer"
)

// What comes next for a silent node comes within the window that was told while it had not yet come: its declaration,
// and the taint for which it waits in its zone's queue.
func TestWhyNotYetHoldsWhatComes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{cache: informer.New(), now: noon}
		ctl := New(model.Defaults(model.Version{Major: 1, Minor: 36}))
		silent, ready := rapid.IntRange(1, 4).Draw(t, "silent"), rapid.IntRange(1, 6).Draw(t, "ready")
		name := func(i int) string { return fmt.Sprintf("n%d", i) }
		for i := range silent + ready {
			w.set(name(i), &model.Node{Created: noon.Add(-time.Hour), Zone: model.ZoneKey{Zone: "a"},
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue, Heartbeat: noon.Add(-time.Minute), Transition: noon.Add(-time.Hour)}}})
			w.cache.SetLease(name(i), noon.Add(-time.Second), 1, 0)
		}
		phase := time.Duration(rapid.IntRange(0, 49).Draw(t, "first pass")) * TickPeriod
		renewed := time.Duration(rapid.IntRange(0, 150).Draw(t, "renewed last")) * TickPeriod
		asked := renewed + time.Duration(rapid.OneOf(rapid.IntRange(0, 60), rapid.IntRange(500, 700), rapid.IntRange(0, 1000)).Draw(t, "asked later by"))*TickPeriod
		of, waits := name(rapid.IntRange(0, silent-1).Draw(t, "of")), map[model.DecisionKind]model.Interval{}
		for at := time.Duration(0); at < 3*time.Minute; at += TickPeriod {
			w.now = noon.Add(at)
			var done []model.Decision
			if (at-phase)%(5*time.Second) == 0 && at >= phase {
				for i := range ready {
					w.seen++
					w.cache.SetLease(name(silent+i), w.now, w.seen, 0)
				}
				done = ctl.Pass(w.now, w.cache, Hidden{})
				w.compare(t, done, done)
			}
			tainted := ctl.Tick(w.now, w.cache, Hidden{})
			w.compare(t, tainted, tainted)
			for _, d := range slices.Concat(done, tainted) {
				window, told := waits[d.Kind]
				if told && window.Known() && d.Node == of && d.Outcome == model.Did && !window.Contains(d.Time) {
					t.Fatalf("%v of %s after %v, and told %v to %v", d.Kind, d.Node, d.Time.Sub(noon), window.Earliest.Sub(noon), window.Latest.Sub(noon))
				}
			}
			for i := 0; i < silent && at == renewed; i++ {
				w.seen++
				w.cache.SetLease(name(i), w.now, w.seen, 0)
			}
			if at == asked {
				for _, d := range ctl.WhyNot(w.now, of, w.cache, model.Interval{}) {
					if d.Outcome != model.Declined || len(d.Checks) == 0 || d.Why.Code == 0 {
						t.Fatalf("no reason: %+v", d)
					}
					waits[d.Kind] = d.Window
				}
			}
		}
		if v, ok := ctl.Node(of, w.cache); !ok || v.Marked == 0 || v.Tainted == 0 && ctl.NextToken(model.ZoneKey{Zone: "a"}, w.now) != model.FarFuture {
			t.Fatalf("after all this it is not declared, or not tainted: %+v", v)
		}
		if asked > phase && asked < renewed+40*time.Second && !waits[model.MarkUnknown].Known() {
			t.Fatalf("asked after %v, nothing told when it is declared: %v", asked, waits)
		}
	})
}

// All that is told of a zone is one: its state follows from its counts, and its rate from its state; a token is there
// when the time of the next one has come; and if nothing changed, the next pass would count what the last one did.
func TestWhatIsToldOfAZoneAgrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{cache: informer.New(), now: noon}
		ctl := New(model.Defaults(model.Version{Major: 1, Minor: 36}))
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			w.step(t)
			done := ctl.Pass(w.now, w.cache, Hidden{})
			w.compare(t, done, done)
			w.now = w.now.Add(5 * time.Second)
		}
		ctl.Pass(w.now, w.cache, Hidden{}) // its own writes of the last pass are counted now
		zones, counted, now := ctl.Zones(w.now, w.cache), map[model.ZoneKey]Counts{}, ctl.Recount(w.cache)
		ctl.EachZone(func(zone model.ZoneKey, ready, notReady int) { counted[zone] = Counts{ready, notReady} })
		master, _ := ctl.MasterDisruption()
		waiting := map[model.ZoneKey]bool{}
		ctl.EachWaiting(func(zone model.ZoneKey) { waiting[zone] = true })
		if ctl.Waiting() != (len(waiting) > 0) {
			t.Fatalf("nodes wait in %v, and any: %v", waiting, ctl.Waiting())
		}
		for _, z := range zones {
			if waits := len(z.Waiting) > 0; waits != waiting[z.Zone] || waits != ctl.Waits(z.Zone) {
				t.Fatalf("%+v, and nodes wait in %v", z, waiting)
			}
			ready, notReady, rate := ctl.Zone(z.Zone)
			if (Counts{z.Ready, z.NotReady}) != counted[z.Zone] || (Counts{ready, notReady}) != counted[z.Zone] || rate != z.Rate || counted[z.Zone] != now[z.Zone] {
				t.Fatalf("%+v, and %v counted, %v now", z, counted[z.Zone], now[z.Zone])
			}
			if share := z.Share(); share.Known != (ready+notReady > 0) || share.Value < 0 || share.Value > 1 {
				t.Fatalf("of %d and %d, %v are not Ready", ready, notReady, share)
			}
			if next := ctl.NextToken(z.Zone, w.now); next != z.NextToken || ctl.HasToken(z.Zone, w.now) != (next <= w.now) {
				t.Fatalf("the next token of %v comes at %v, and there is one: %v", z.Zone, next, ctl.HasToken(z.Zone, w.now))
			}
			checks, state, same, ok := ctl.WhyZone(z.Zone)
			if ok != (z.State != model.ZoneNone) || ok && (len(checks) == 0 || state != z.State || same != z.Rate) {
				t.Fatalf("%+v, because of %v: %v at %v a second", z, checks, state, same)
			}
			if ok && !master && ctl.RateFor(z.Zone, z.State) != z.Rate {
				t.Fatalf("%+v has the rate %v in that state", z, ctl.RateFor(z.Zone, z.State))
			}
		}
		nowhere := model.ZoneKey{Zone: "nowhere"}
		if _, _, _, ok := ctl.WhyZone(nowhere); ok || ctl.HasToken(nowhere, w.now) || ctl.NextToken(nowhere, w.now) != model.FarFuture || ctl.RateFor(nowhere, model.ZoneNormal) != 0 {
			t.Fatal("something is told of a zone without nodes")
		}
	})
}
