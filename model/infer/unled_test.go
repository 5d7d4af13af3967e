package infer

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// withLeader is a History in which the leader's lease is listed at its beginning as it was renewed last, and renewed again
// at some instants.
func withLeader(t *testing.T, h *history.Memory, holder string, renewed model.Instant, again ...model.Instant) *history.Memory {
	t.Helper()
	from := h.Coverage().Earliest
	key := model.Key{Namespace: "kube-system", Name: model.ControllerManager}
	lease := model.Lease{Holder: holder, Acquired: noon.Add(-time.Hour), Renewed: renewed, Seconds: 15}
	changes := []model.Change{{Kind: model.KindLeaderLease, Op: model.OpBaseline, Key: key, Time: model.Interval{Earliest: lease.Acquired, Latest: from}, At: from, Lease: lease}}
	for _, at := range again {
		lease.Renewed = at
		changes = append(changes, model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: key, Time: model.Exactly(at), At: at, Arrival: at, Lease: lease})
	}
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		changes = append(changes, *ch)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
	return history.NewMemory(changes, h.Coverage(), nil, h.Sources())
}

// That nobody leads is known to who watches the lease: once it has run out for as long again, and was watched for as long
// as it lasts; at once where it was given up. Where nobody watches it, where there is none, or somebody has written
// since, it is not.
func TestThatNobodyLeadsIsKnown(t *testing.T) {
	whole := outage(12, 0).tell(after(300))
	from := after(100)
	calm := listed(t, whole, from)
	every := func(to model.Instant) (at []model.Instant) {
		for x := from.Add(time.Second); x < to; x = x.Add(2 * time.Second) {
			at = append(at, x)
		}
		return at
	}
	// The API server's clock tells when the lease that is listed was written.
	confirmed := func(h *history.Memory) *history.Memory {
		return only(t, h, after(300), func(ch *model.Change) bool {
			if ch.Kind == model.KindLeaderLease {
				ch.Time.Earliest = ch.Lease.Renewed
			}
			return true
		})
	}
	writes := listed(t, outage(12, 4).tell(after(300)), after(80)) // nodes are declared at +108 s or so
	for name, is := range map[string]struct {
		h       *history.Memory
		watched bool
		at      model.Instant
		want    model.Instant
		broke   model.Instant
		late    model.Instant // it was renewed last, and whether anybody leads is not known
	}{
		"it ran out before":                            {withLeader(t, calm, "cp-1_a", after(40)), true, after(120), after(55), 0, 0},
		"it ran out long before":                       {withLeader(t, calm, "cp-1_a", after(-60)), true, after(120), after(-45), 0, 0},
		"it was not watched for long":                  {withLeader(t, calm, "cp-1_a", after(40)), true, after(110), 0, 0, after(40)},
		"it had run out by the API server's clock too": {confirmed(withLeader(t, calm, "cp-1_a", after(60))), true, after(102), after(75), 0, 0},
		"it is not that old by that clock":             {confirmed(withLeader(t, calm, "cp-1_a", after(80))), true, after(102), 0, 0, after(80)},
		"it is fresh by that clock":                    {confirmed(withLeader(t, calm, "cp-1_a", after(98))), true, after(102), 0, 0, 0},
		"nobody watches":                               {withLeader(t, calm, "cp-1_a", after(40)), false, after(120), 0, 0, 0},
		"there is none":                                {calm, true, after(120), 0, 0, 0},
		"it is renewed":                                {withLeader(t, calm, "cp-1_a", after(99), every(after(200))...), true, after(150), 0, 0, 0},
		"it was renewed 13 s ago":                      {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(162), 0, 0, 0},
		"it was renewed 14 s ago, and its holder ends": {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(163), 0, 0, after(149)},
		"it is not renewed any more":                   {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(190), after(164), 0, 0},
		"it may be renewed late":                       {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(170), 0, 0, after(149)},
		"before that it was renewed":                   {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(140), 0, 0, 0},
		"it was given up":                              {withLeader(t, calm, "", after(97)), true, after(102), after(97), 0, 0},
		"somebody writes all the same":                 {withLeader(t, writes, "cp-1_a", after(30)), true, after(140), 0, 0, 0},
		"and nobody has written so far":                {withLeader(t, writes, "cp-1_a", after(30)), true, after(100), after(45), 0, 0},
		"its watch alone broke":                        {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(190), 0, after(155), 0},
		"its watch broke after that":                   {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(190), after(164), after(195), 0},
		"another leader's watch broke":                 {withLeader(t, calm, "cp-1_a", after(99), every(after(150))...), true, after(190), after(164), after(120), 0},
	} {
		s, err := ran(t, is.h, Options{Mode: Causal, Watched: is.watched, Until: is.at, LeadersUnwatched: is.broke}).Known(is.at)
		if err != nil {
			t.Fatal(err)
		}
		if supposed := name == "there is none"; s.Supposed != supposed {
			t.Errorf("%s: that the controllers run is supposed: %v", name, s.Supposed)
		}
		if s.Unled != is.want {
			t.Errorf("%s: nobody leads since %v, want %v", name, s.Unled.Sub(noon), is.want.Sub(noon))
		}
		if !s.Clock.Pass.Bounded() {
			t.Errorf("%s: no pass is expected, by whoever", name)
		}
		if s.Unrenewed != is.late {
			t.Errorf("%s: perhaps nobody leads, since %v, want %v", name, s.Unrenewed.Sub(noon), is.late.Sub(noon))
		}
		for _, o := range []*State{s.Otherwise, s.Before} {
			if o != nil && o.Unled != is.want {
				t.Errorf("%s: otherwise nobody leads since %v", name, o.Unled.Sub(noon))
			}
		}
	}
}

// seen is a History in which all Changes come from the source that of says, of the sources given.
func seen(t *testing.T, h *history.Memory, gaps []history.Gap, of func(*model.Change) int, sources ...history.Source) *history.Memory {
	t.Helper()
	var changes []model.Change
	err := historytest.Walk(h, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
		c := *ch
		c.Origin.Source = int32(of(&c))
		s := &sources[c.Origin.Source]
		if s.Kinds == nil {
			s.Kinds = map[model.Kind]int{}
		}
		s.Kinds[c.Kind]++
		changes = append(changes, c)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range sources {
		if s := &sources[i]; !s.Coverage.Known() {
			s.Coverage = h.Coverage()
		}
	}
	return history.NewMemory(changes, h.Coverage(), gaps, sources)
}

// In a record too it is known, at an instant, by what was shown until then: where all renewals are shown, one that is missing
// was not made. Of whom a part is seen only, it is not; nor where nothing tells whether anybody still watched.
func TestThatNobodyLeadsIsKnownOfARecord(t *testing.T) {
	calm := outage(12, 0).tell(after(300))
	renewed := func(every time.Duration, change func(*model.Change)) *history.Memory {
		var at []model.Instant
		for x := after(1); x < after(150); x = x.Add(every) {
			at = append(at, x)
		}
		h := withLeader(t, calm, "cp-1_a", after(-1), at...)
		return only(t, h, after(300), func(ch *model.Change) bool {
			if ch.Kind == model.KindLeaderLease {
				change(ch)
			}
			return true
		})
	}
	all, sampled := renewed(2*time.Second, func(*model.Change) {}), renewed(6*time.Second, func(*model.Change) {})
	requests := renewed(2*time.Second, func(ch *model.Change) { ch.Lease = model.Lease{} })
	one := func(*model.Change) int { return 0 }
	leaders := func(ch *model.Change) int {
		if ch.Kind == model.KindLeaderLease {
			return 1
		}
		return 0
	}
	leases := func(ch *model.Change) int {
		if ch.Kind == model.KindLeaderLease || ch.Kind == model.KindNodeLease {
			return 1
		}
		return 0
	}
	audit := history.Source{Format: "audit", Quality: model.ByServer}
	server := func(n int) history.Source { return history.Source{Format: "audit", Server: n, Quality: model.ByServer} }
	watch := history.Source{Format: "watch", Quality: model.ByStamp}
	live := func(kind string, until float64) history.Source {
		return history.Source{Format: "live " + kind, Quality: model.ByArrival, Coverage: model.Interval{Earliest: noon, Latest: after(until)}}
	}
	hole := func(source int, from, to float64, unlisted bool) []history.Gap {
		return []history.Gap{{Interval: model.Interval{Earliest: after(from), Latest: after(to)}, Source: source, Unlisted: unlisted}}
	}
	for name, is := range map[string]struct {
		h    *history.Memory
		want model.Instant
	}{
		"an audit log":                     {seen(t, all, nil, one, audit), after(164)},
		"a part of it only":                {seen(t, sampled, nil, one, audit), 0},
		"its requests alone":               {seen(t, requests, nil, one, audit), 0},
		"lines of it are missing":          {seen(t, all, hole(0, 155, 165, true), one, audit), 0},
		"another API server's log goes on": {seen(t, all, nil, leaders, server(1), server(2)), 0},
		"those of both go on":              {seen(t, all, nil, func(ch *model.Change) int { return int(ch.At/1e6) % 2 }, server(1), server(2)), after(164)},
		"a watch of leases":                {seen(t, all, nil, leases, watch, watch), after(164)},
		"a watch of leaders, which ends with it for all one knows": {seen(t, all, nil, leaders, watch, watch), 0},
		"recorded": {seen(t, all, nil, leaders, live("Node", 300), live("LeaderLease", 300)), after(164)},
		"recorded, of a lease that is renewed more seldom":   {seen(t, sampled, nil, leaders, live("Node", 300), live("LeaderLease", 300)), after(160)},
		"recorded, and the watch of leaders broke":           {seen(t, all, hole(1, 152, 260, false), leaders, live("Node", 300), live("LeaderLease", 300)), 0},
		"recorded, and the watch of leaders never came back": {seen(t, all, nil, leaders, live("Node", 300), live("LeaderLease", 152)), 0},
		"recorded, and another watch broke":                  {seen(t, all, hole(0, 152, 260, false), leaders, live("Node", 300), live("LeaderLease", 300)), after(164)},
		"recorded, and the watch was back in time":           {seen(t, all, hole(1, 152, 160, false), leaders, live("Node", 300), live("LeaderLease", 300)), after(164)},
	} {
		for _, mode := range []Mode{Causal, Calibrated} {
			for at, want := range map[model.Instant]model.Instant{after(140): 0, after(170): 0, after(190): is.want} {
				s, err := ran(t, is.h, Options{Mode: mode}).Known(at)
				if err != nil {
					t.Fatal(err)
				}
				c := history.NewCursor(is.h)
				if err := c.Seek(at); err != nil {
					t.Fatal(err)
				}
				if since, err := Unled(is.h, c.State(), at); err != nil || since != want {
					t.Errorf("%s: at %v, without the models, nobody leads since %v, want %v: %v", name, at.Sub(noon), since.Sub(noon), want.Sub(noon), err)
				}
				if s.Unled != want {
					t.Errorf("%s, %v: at %v nobody leads since %v, want %v", name, mode, at.Sub(noon), s.Unled.Sub(noon), want.Sub(noon))
				}
			}
		}
	}
}

// Where nobody leads, nobody decides anything: no pass is inferred after the last leader's last act, and nothing that would
// have followed. With the next leader all begins anew.
func TestNothingIsInferredWhileNobodyLeads(t *testing.T) {
	renewed, next := after(130), after(230)
	for _, silent := range []int{1, 4, 12} {
		s := outage(12, silent)
		s.elect(renewed, renewed.Add(time.Second), next, true)
		whole := s.tell(after(390))
		h := seen(t, whole, nil, func(*model.Change) int { return 0 }, history.Source{Format: "audit", Quality: model.ByServer})
		acted := renewed
		for _, w := range ran(t, h, Options{}).Writes {
			if w.Time.Latest < next.Add(-time.Second) {
				acted = max(acted, w.Time.Latest)
			}
		}
		for _, until := range []model.Instant{renewed.Add(31 * time.Second), renewed.Add(90 * time.Second)} {
			for _, mode := range []Mode{Causal, Calibrated} {
				res := ran(t, only(t, h, until, func(*model.Change) bool { return true }), Options{Mode: mode})
				what := fmt.Sprintf("%d silent, %v after the leader's last renewal, %v", silent, until.Sub(renewed), mode)
				if st, err := res.At(until); err != nil || st.Unled != renewed.Add(15*time.Second) {
					t.Fatalf("%s: nobody leads since %v: %v", what, st.Unled, err)
				}
				if at, _, ok := res.StepPass(acted, true); ok {
					t.Errorf("%s: a pass at %v", what, at.Sub(noon))
				}
				for i := range res.Decisions {
					if d := &res.Decisions[i]; d.Time > acted {
						t.Errorf("%s: %s of %s at %v", what, d.Kind, d.Subject(), d.Time.Sub(noon))
					}
				}
				if len(res.Unobserved) > 0 {
					t.Errorf("%s: %d not seen", what, len(res.Unobserved))
				}
			}
		}
		res := ran(t, h, Options{Mode: Causal})
		clean(t, res)
		for at, want := range map[float64]model.Instant{150: 0, 170: renewed.Add(15 * time.Second), 225: renewed.Add(15 * time.Second), 231: 0} {
			if st, err := res.At(after(at)); err != nil || st.Unled != want {
				t.Errorf("%d silent: at %v, as later records show, nobody leads since %v: %v", silent, at, st.Unled, err)
			}
		}
		if list := res.PassesAfter(acted); len(list) == 0 || !list[0].First || list[0].At < next.Add(-2*time.Second) {
			t.Errorf("%d silent: the first pass of the next leader is not: %v", silent, list[:min(1, len(list))])
		}
	}
}

// Who was overdue, and died, does not go on: what was due then comes anew by the next leader, and nothing of it was left out.
func TestWhoDiedDoesNotGoOnWhenAnotherLeads(t *testing.T) {
	renewed, next := after(130), after(230)
	for _, byEvents := range []bool{true, false} {
		s := outage(12, 4)
		s.elect(renewed, renewed.Add(time.Second), next, byEvents)
		h := s.tell(after(390))
		seen := ran(t, stopped(t, h, model.FarFuture, next.Add(-time.Second)), Options{Mode: Causal})
		if !seen.Overdue.Known() {
			t.Fatal("nothing is overdue before another leads")
		}
		stood := model.Interval{Earliest: seen.Overdue.Held, Latest: model.FarFuture}
		for _, w := range ran(t, h, Options{}).Writes {
			if w.Time.Earliest > seen.Overdue.Since {
				stood.Latest = min(stood.Latest, w.Time.Latest)
			}
		}
		for until := next.Add(time.Second); until < after(390); until = until.Add(20 * time.Second) {
			what := fmt.Sprintf("restart told by Events: %v, until %v", byEvents, until.Sub(noon))
			res := ran(t, stopped(t, h, model.FarFuture, until), Options{Mode: Causal, Standstills: []model.Interval{stood}})
			if n := res.Findings(); n > 0 || res.Overdue.Known() {
				t.Errorf("%s: %d findings, overdue since %v", what, n, res.Overdue.Since)
				clean(t, res)
			}
			st, err := res.Known(until)
			if err != nil {
				t.Fatal(err)
			}
			if st.Undeleted.Pods > 0 || st.Behind.Known() {
				t.Errorf("%s: not deleted %+v; caches are behind until %v", what, st.Undeleted, st.Behind)
			}
			for i := range res.Decisions {
				if d := &res.Decisions[i]; d.Kind == model.EvictPod && d.Time < next.Add(60*time.Second) {
					t.Errorf("%s: %s of %s at %v", what, d.Kind, d.Subject(), d.Time.Sub(noon))
				}
			}
		}
	}
}
