package whatif_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/simulate/whatif"
)

var (
	worlds = flag.Int("worlds", 25, "how many random clusters TestBranchesComeTrue plays")
	first  = flag.Uint64("world", 0, "the first of them")
)

// randomCluster is a cluster of its own for each number, with other flags to try.
func randomCluster(number uint64) (c *cluster, other model.Params) {
	r := rand.New(rand.NewPCG(number, 11))
	between := func(a, b float64) float64 { return a + r.Float64()*(b-a) }
	sizes := make([]int, 1+r.IntN(3))
	for i := range sizes {
		sizes[i] = 1 + r.IntN(7)
	}
	c = small(sizes...)
	c.seed, c.by = number, evidence(r.IntN(3))
	c.begins, c.ends = between(20, 60), between(400, 700)
	c.clock = loop.StartingAt(epoch.Add(time.Duration(r.IntN(5000))*time.Millisecond), c.flags.NodeMonitorPeriod.Value, time.Duration(between(0.2, 8)*float64(time.Millisecond)))
	c.clock.Tick = c.clock.Tick.Add(time.Duration(r.IntN(100)) * time.Millisecond)
	if r.IntN(2) == 0 {
		c.clock.Takes = time.Duration(between(5, 140)) * time.Millisecond
	}
	zone, share, falls, back := "", 0, 0.0, 0.0
	for _, n := range c.nodes {
		if n.zone != zone {
			zone, share, falls = n.zone, []int{1, 4, 4, 10, 12}[r.IntN(5)], between(100, 150)
			back = falls + between(30, 300)
		}
		n.offset, n.sync = between(0, 10), between(0, 10)
		n.pods = []int64{[]int64{0, 30, 60, 120, 300}[r.IntN(5)], []int64{60, -1}[r.IntN(2)]}
		if r.IntN(12) < share {
			from := falls + between(0, 5)
			n.dead = [][2]float64{{from, []float64{back + between(0, 15), 10_000}[min(1, r.IntN(4)/3)]}}
		}
	}
	other = c.flags
	other.NodeMonitorGracePeriod.Value = time.Duration([]int{20, 30, 40, 50, 80, 120, 180}[r.IntN(7)]) * time.Second
	if r.IntN(2) == 0 {
		other.NodeEvictionRate.Value = []float32{0.02, 0.05, 0.3, 1}[r.IntN(4)]
	}
	if r.IntN(3) == 0 {
		other.UnhealthyZoneThreshold.Value = []float32{0.2, 0.35, 0.8}[r.IntN(3)]
	}
	if r.IntN(3) == 0 {
		other.LargeClusterSizeThreshold.Value, other.SecondaryNodeEvictionRate.Value = 3, 0.05
	}
	return c, other
}

// told are decisions that are compared, and key what of them must be the same.
func told(d *model.Decision) bool {
	return d.Outcome != model.Declined && d.Kind != model.RegisterNode && d.Kind != model.ForgetNode && d.Kind != model.ControllerStart
}

func key(d *model.Decision) string {
	k := fmt.Sprint(d.Kind, " ", d.Node, d.Pod, d.Zone.Known && d.Node == "", d.State, d.Rate)
	if d.Node == "" {
		k += d.Zone.Value.String()
	}
	if d.Kind == model.AddNoSchedule || d.Kind == model.RemoveNoSchedule {
		k += d.Writes[0].Taint.Key
	}
	return k
}

// TestBranchesComeTrue plays clusters under some flags and, with the same faults, under others. What the
// recording of the first is said to lead to under the others must hold what the second did: all that it
// decided is possible, within its window, and all that is certain came.
func TestBranchesComeTrue(t *testing.T) {
	refused, outside, none, false_, compared := 0, 0, 0, 0, 0
	for i := range uint64(*worlds) {
		number := *first + i
		c, other := randomCluster(number)
		_, rec := c.play()
		b, err := rec.base(t, whatif.Options{})
		var refusal *whatif.Refusal
		if errors.As(err, &refusal) {
			t.Logf("%d: %v", number, err)
			refused++
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		unchanged := b.Branch(b.Unchanged())
		for _, ch := range unchanged.Changes {
			t.Errorf("%d: nothing was changed, and %s %s", number, ch.Decision().Kind, ch.Decision().Subject())
		}
		branch := b.Unchanged()
		under(&branch.Params, &other)
		a := b.Branch(branch)

		truth := *c
		truth.flags, truth.seed = other, number+1000
		decisions, _ := truth.play()
		near := 50 * time.Millisecond
		if c.by == byWatch {
			near = time.Second
		}
		came := map[string][]*model.Decision{}
		deleted := map[model.Key]bool{}
		for k := range decisions {
			d := &decisions[k]
			if !told(d) || d.Time <= b.From {
				continue
			}
			came[key(d)] = append(came[key(d)], d)
			if d.Kind == model.EvictPod {
				deleted[d.Pod] = true
			}
		}
		windows := map[string][]*whatif.Decision{}
		for k := range a.Branch {
			d := &a.Branch[k]
			windows[key(&d.Decision)] = append(windows[key(&d.Decision)], d)
			if d.Window.Latest.Add(time.Second) >= b.Until || !d.Certain {
				continue
			}
			if !anyWithin(came[key(&d.Decision)], d, near) {
				t.Logf("%d: %s of %s is certain within %s, and did not come", number, d.Kind, d.Subject(), d.Window)
				false_++
			}
		}
		for k, list := range came {
			for _, d := range list {
				compared++
				switch {
				case len(windows[k]) == 0:
					t.Logf("%d: %s of %s at %s was not foreseen", number, d.Kind, d.Subject(), d.Time)
					none++
				case !anyHolds(windows[k], d, near):
					t.Logf("%d: %s of %s at %s is outside %s", number, d.Kind, d.Subject(), d.Time, windows[k][0].Window)
					outside++
				}
			}
		}
		if len(deleted) < a.Pods.Least || len(deleted) > a.Pods.Most {
			t.Errorf("%d: %d pods were deleted, not %d to %d", number, len(deleted), a.Pods.Least, a.Pods.Most)
		}
		held := map[model.Key]bool{}
		for _, list := range [...][]whatif.Pod{a.Pods.Spared.Certain, a.Pods.Spared.Possible, a.Pods.Lost.Certain, a.Pods.Lost.Possible, a.Pods.Open} {
			for _, p := range list {
				if held[p.Key] {
					t.Errorf("%d: %s is in two lists", number, p.Key)
				}
				held[p.Key] = true
			}
		}
		// What a race decides with nothing changed is no matter of the branch.
		was, race := recordedOf(a), raced(unchanged)
		for pod := range was {
			if !deleted[pod] && !held[pod] && !race[pod] {
				t.Errorf("%d: %s is not deleted, and neither spared nor open", number, pod)
			}
		}
		for pod := range deleted {
			if !was[pod] && !held[pod] && !race[pod] {
				t.Errorf("%d: %s is deleted, and was not lost", number, pod)
			}
		}
		if p := &a.Pods; p.SparedLeast < len(p.Spared.Certain) || p.SparedMost > len(p.Spared.Certain)+len(p.Spared.Possible) ||
			p.LostLeast < len(p.Lost.Certain) || p.LostMost > len(p.Lost.Certain)+len(p.Lost.Possible) {
			t.Errorf("%d: numbers do not agree: %+v", number, p)
		}
		for _, p := range a.Pods.Spared.Certain {
			if deleted[p.Key] {
				t.Errorf("%d: %s was to be spared for certain", number, p.Key)
			}
		}
		for _, p := range a.Pods.Lost.Certain {
			if !deleted[p.Key] {
				t.Errorf("%d: %s was to be lost for certain", number, p.Key)
			}
		}
	}
	t.Logf("%d clusters: %d decisions, %d outside, %d not foreseen, %d false; %d refused", *worlds, compared, outside, none, false_, refused)
	if outside+none+false_ > 0 {
		t.Errorf("%d outside, %d not foreseen, %d false", outside, none, false_)
	}
	if refused*10 > *worlds {
		t.Errorf("%d of %d are refused", refused, *worlds)
	}
}

// recordedOf are the pods that were recorded to be deleted.
func recordedOf(a *whatif.Answer) map[model.Key]bool {
	pods := map[model.Key]bool{}
	for i := range a.Recorded {
		if a.Recorded[i].Kind == model.EvictPod {
			pods[a.Recorded[i].Pod] = true
		}
	}
	return pods
}

// raced are the pods that are deleted or not as races decide.
func raced(a *whatif.Answer) map[model.Key]bool {
	pods := map[model.Key]bool{}
	for i := range a.Branch {
		if d := &a.Branch[i]; d.Kind == model.EvictPod && !d.Certain {
			pods[d.Pod] = true
		}
	}
	return pods
}

// The longer pods tolerate the taints of a silent node, the fewer are deleted.
func TestALongerTolerationDeletesNoMore(t *testing.T) {
	for number := range uint64(4) {
		c, _ := randomCluster(number)
		_, rec := c.play()
		b, err := rec.base(t, whatif.Options{})
		if err != nil {
			continue
		}
		least, most := 1<<30, 1<<30
		for _, seconds := range []int64{0, 20, 90, 200, 400} {
			branch := b.Unchanged()
			branch.Tolerations = &whatif.Tolerations{Seconds: seconds}
			p := b.Branch(branch).Pods
			if p.Least > least || p.Most > most {
				t.Errorf("%d: %d s: %d to %d are deleted, and %d to %d where they tolerate it for less long", number, seconds, p.Least, p.Most, least, most)
			}
			least, most = p.Least, p.Most
		}
	}
}

// under takes over the flags that a test changes.
func under(p, other *model.Params) {
	p.NodeMonitorGracePeriod, p.NodeEvictionRate, p.UnhealthyZoneThreshold = other.NodeMonitorGracePeriod, other.NodeEvictionRate, other.UnhealthyZoneThreshold
	p.LargeClusterSizeThreshold, p.SecondaryNodeEvictionRate = other.LargeClusterSizeThreshold, other.SecondaryNodeEvictionRate
}

func anyWithin(came []*model.Decision, d *whatif.Decision, near time.Duration) bool {
	for _, x := range came {
		if holds(d, x, near) {
			return true
		}
	}
	return false
}

func anyHolds(windows []*whatif.Decision, x *model.Decision, near time.Duration) bool {
	for _, d := range windows {
		if holds(d, x, near) {
			return true
		}
	}
	return false
}

func holds(d *whatif.Decision, x *model.Decision, near time.Duration) bool {
	return x.Time >= d.Window.Earliest.Add(-near) && x.Time <= d.Window.Latest.Add(near)
}
