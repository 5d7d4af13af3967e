package forecast_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/simulate/forecast"
)

// onceUnled are worlds beyond the first 250 in which nobody leads at the cut, and something was outside once: what is
// overdue was taken to be so from when it was first watched on, and what zones had become since was forgotten.
var onceUnled = []uint64{2135, 3148, 4636}

// unled is a random world in which the leader of the controllers stops at a second, and is cut while nobody leads; then another
// begins, or the same goes on, which only stood still. Nil where too little is seen of the leader before.
func unled(number uint64) (j *judged, anew bool) { return leaves(number, 31, 100) }

// leaves is a random world in which the leader stops so many seconds before the cut, as unled has it.
func leaves(number uint64, least, most float64) (j *judged, anew bool) {
	w, rec, cut := drawnWorld(number, func(*world) {})
	r := rand.New(rand.NewPCG(number, 13))
	between := func(a, b float64) float64 { return a + r.Float64()*(b-a) }
	died, begins, anew := cut-between(least, most), cut+between(3, 60), r.IntN(3) > 0
	if rec.leaders || rec.restarted > 0 || died < rec.from.Sub(epoch).Seconds()+10 {
		return nil, anew
	}
	beats := 0
	w.each(func(name, _ string) {
		if !w.falls(name) {
			beats++
		}
	})
	if beats == 0 {
		return nil, anew // nothing shows that anybody watches
	}
	rec.leaders = true
	rec.leads(w, died, 0)
	w.changes = append(w.changes, change{died, func(l *loop.Loop) { l.Stop(second(begins)) }})
	if anew {
		w.changes = append(w.changes, change{begins - .001, (*loop.Loop).Restart})
	}
	j = settled(w, rec, cut)
	j.resumes = !anew
	return j, anew
}

// Who watches the lease of the controllers' leader foresees nothing before somebody leads, whoever that will be: another
// process, which counts each grace and countdown anew, takes the taints off and has a token for each zone, or the same,
// which goes on with what it knew.
func TestForecastsWhileNobodyLeadsComeTrue(t *testing.T) {
	made, other := 0, 0
	run := func(n uint64, c *tally) {
		j, anew := unled(n)
		if j == nil {
			return
		}
		made++
		other += map[bool]int{true: 1}[anew]
		t.Run(fmt.Sprintf("%d, another leads then: %v", n, anew), func(t *testing.T) {
			if s := j.state(t); !s.Unled.Known() || len(s.SupposedRestarts) > 0 {
				t.Errorf("by %s: nobody leads since %v; restarts %v", j.seen.by, s.Unled, s.SupposedRestarts)
			}
			comesTrue(t, j, c)
		})
	}
	overWorlds(t, onceUnled, run)
	t.Logf("%d worlds, %d with another leader", made, other)
	if made < *worlds/5 {
		t.Errorf("%d worlds", made)
	}
}

// Who watches that lease does not know for the first half minute whether somebody leads. From when the leader has given it up
// on, nothing is promised, and nothing comes before it was foreseen.
func TestForecastsWhilePerhapsNobodyLeadsComeTrue(t *testing.T) {
	made := 0
	overWorlds(t, nil, func(n uint64, c *tally) {
		j, anew := leaves(n, 13.2, 26)
		if j == nil {
			return
		}
		made++
		t.Run(fmt.Sprintf("%d, another leads then: %v", n, anew), func(t *testing.T) {
			if s := j.state(t); s.Unled.Known() || !s.Unrenewed.Known() {
				t.Errorf("by %s: nobody leads since %v, the lease was renewed last at %v", j.seen.by, s.Unled, s.Unrenewed)
			}
			comesTrue(t, j, c)
		})
	})
	t.Logf("%d worlds", made)
	if made < *worlds/5 {
		t.Errorf("%d worlds", made)
	}
}

// Who comes only when the leader has died already sees by its lease that perhaps nobody leads, or surely, and promises nothing
// either; and all that may come is foreseen, though no pass was seen.
func TestForecastsOfWhoComesWhileNobodyLeadsComeTrue(t *testing.T) {
	made, sure := 0, 0
	overWorlds(t, nil, func(n uint64, c *tally) {
		w, rec, cut := drawnWorld(n, func(*world) {})
		r := rand.New(rand.NewPCG(n, 17))
		between := func(a, b float64) float64 { return a + r.Float64()*(b-a) }
		rec.from = second(cut - between(1, 25))
		died, begins := rec.from.Sub(epoch).Seconds()-between(14, 70), cut+between(3, 60)
		if rec.leaders || rec.restarted > 0 || died < 10 {
			return
		}
		rec.leaders, rec.listsLeader = true, true
		rec.leads(w, died, 0)
		w.changes = append(w.changes, change{died, func(l *loop.Loop) { l.Stop(second(begins)) }})
		anew := r.IntN(3) > 0
		if anew {
			w.changes = append(w.changes, change{begins - .001, (*loop.Loop).Restart})
		}
		j := settled(w, rec, cut)
		j.resumes = !anew
		j.arrives, j.live = true, true
		made++
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := j.state(t)
			if !s.Unled.Known() && !s.Unrenewed.Known() {
				t.Error("somebody seems to lead")
			}
			if s.Unled.Known() {
				sure++
			}
			comesTrue(t, j, c)
		})
	})
	t.Logf("%d worlds, in %d nobody leads for sure", made, sure)
	if made < *worlds/5 {
		t.Errorf("%d worlds", made)
	}
}

// A zone of a new leader has one token, and the next each ten seconds, or as its rate has it: no node is tainted before any of
// those that it may be can be declared, and the k-th not before k-1 more tokens. Five taints of one zone had the time of the first.
func TestTokensOfANewLeaderComeOneByOne(t *testing.T) {
	taints := 0
	overWorlds(t, onceUnled, func(n uint64, _ *tally) {
		j, _ := unled(n)
		if j == nil {
			return
		}
		s := j.state(t)
		f, first := forecast.Run(s, forecast.Options{}), map[string]model.Instant{}
		for _, c := range f.Coming {
			if d := &c.Decision; d.Kind == model.MarkUnknown {
				first[d.Node] = d.Window.Earliest
			}
		}
		rate := max(s.Params.NodeEvictionRate.Value, s.Params.SecondaryNodeEvictionRate.Value)
		each, last := time.Duration(float64(time.Second)/float64(rate)), map[model.ZoneKey]model.Instant{}
		for _, c := range f.Coming {
			d := &c.Decision
			if d.Kind != model.TaintNoExecute || d.Rule == model.RuleSwapNeedsNoToken {
				continue
			}
			taints++
			soonest := model.FarFuture
			for _, node := range append(c.Among, d.Node) {
				if node != "" {
					soonest = min(soonest, first[node])
				}
			}
			if before, ok := last[d.Zone.Value]; ok {
				soonest = max(soonest, before.Add(each))
			}
			if last[d.Zone.Value] = d.Window.Earliest; d.Window.Earliest < soonest.Add(-tick) {
				t.Errorf("world %d: a taint of zone %s to %q%q from %s on, and not before %s", n, d.Zone.Value, d.Node, c.Among, d.Window.Earliest.Sub(epoch), soonest.Sub(epoch))
			}
		}
		for _, z := range f.Zones {
			for _, by := range z.By {
				if most := 1 + int(by.By.Sub(f.At)/each); by.Tainted.Most > most {
					t.Errorf("world %d: up to %d nodes of zone %s tainted within %s, and there are %d tokens", n, by.Tainted.Most, z.Zone, by.By.Sub(f.At), most)
				}
			}
		}
	})
	if taints < *worlds/25 {
		t.Errorf("%d taints were foreseen", taints)
	}
}
