package infer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/drive"
)

// portrait is everything a state holds, as text.
func portrait(s *State) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.At, s.Clock, s.Phases, s.Params)
	for i := range int32(s.Cache.Rows()) {
		row := s.Cache.Row(i)
		fmt.Fprintf(&b, "%s %p %d %d %s %s %v %v\n", row.Name, row.Node, row.Version, row.Position, row.ConditionsBy, row.TaintsBy, row.Lease, row.Pods())
	}
	fmt.Fprintf(&b, "%+v\n%+v\n%+v\n", *s.Nodes, s.Taints.Timers(), *s.Pods)
	return b.String()
}

// TestSeekingIsDriving: wherever one looks, in whatever order, the state is that of a drive
// from the start, and nothing in it is shared.
func TestSeekingIsDriving(t *testing.T) {
	for _, silent := range []int{3, 20} {
		res := ran(t, outage(20, silent).tell(after(1200)), Options{})
		if n, _ := res.run.checkpoints.Kept(); n < 3 {
			t.Fatalf("%d checkpoints test nothing", n)
		}
		rapid.Check(t, func(t *rapid.T) {
			at := noon.Add(time.Duration(rapid.Int64Range(-10e9, 840e9).Draw(t, "at")))
			asDriven(t, res, at, func(got, want *State) string {
				if a, b := portrait(got), portrait(want); a != b {
					return a + "\nfrom the start\n" + b
				}
				return ""
			})
		})
	}
}

// TestAlongIsSeeking: on the way through some instants each state is that of a drive from the start, whatever
// becomes of the one before.
func TestAlongIsSeeking(t *testing.T) {
	for _, silent := range []int{3, 20} {
		res := ran(t, outage(20, silent).tell(after(800)), Options{})
		rapid.Check(t, func(t *rapid.T) {
			ways := rapid.SliceOfN(rapid.Int64Range(-10e9, 840e9), 1, 6).Draw(t, "instants")
			slices.Sort(ways)
			var instants []model.Instant
			for _, at := range ways {
				instants = append(instants, noon.Add(time.Duration(at)))
			}
			met := 0
			err := res.Along(instants, func(got *State) {
				want, err := res.run.stateOf(res.run.seek(), instants[met])
				if err != nil {
					t.Fatal(err)
				}
				if a, b := portrait(got), portrait(want); a != b {
					t.Fatalf("%s\nfrom the start\n%s", a, b)
				}
				spoil(got)
				met++
			})
			if err != nil || met != len(instants) {
				t.Fatalf("%d of %d instants: %v", met, len(instants), err)
			}
		})
	}
}

// asDriven demands that the state at an instant does not differ from that of a drive from the start, and
// spoils it.
func asDriven(t interface {
	Fatal(...any)
	Fatalf(string, ...any)
}, res *Result, at model.Instant, difference func(got, want *State) string) {
	want, err := res.run.stateOf(res.run.seek(), at)
	if err != nil {
		t.Fatal(err)
	}
	got, err := res.At(at)
	if err != nil {
		t.Fatal(err)
	}
	if found := difference(got, want); found != "" {
		t.Fatalf("%s: %s", at, found)
	}
	spoil(got)
}

// spoil lets a state go on.
func spoil(s *State) {
	s.Taints.Fire(model.FarFuture-1, s.Cache)
	s.Nodes.Pass(s.At.Add(time.Hour), s.Cache, nodelifecycle.Hidden{})
}

// TestCheckpointsAreBounded: however long the input, and however many nodes.
func TestCheckpointsAreBounded(t *testing.T) {
	for _, nodes := range []int{300, 3000} {
		res := ran(t, newHealthy(nodes, 30*time.Minute), Options{})
		n, _ := res.run.checkpoints.Kept()
		last, err := res.run.checkpoints.Take(n - 1)
		if err != nil {
			t.Fatal(err)
		}
		if n < 2 || n > drive.MaxCheckpoints || n*last.Cache.Rows() > drive.MaxCheckpointRows {
			t.Errorf("%d checkpoints of %d nodes", n, nodes)
		}
	}
}

// TestARunCanBeStopped at any time, also while it tries other times and flags, and tells how far it is.
func TestARunCanBeStopped(t *testing.T) {
	wrong := standard
	wrong.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: 20 * time.Second, From: model.FromFlag}
	for what, params := range map[string]model.Params{"the flags": standard, "a wrong one": wrong} {
		h := outage(4, 4).tell(after(300))
		var shares []float64
		res := ran(t, h, Options{Params: params, Progress: func(share float64) bool { shares = append(shares, share); return true }})
		if len(shares) < 2 || what == "the flags" && !slices.IsSorted(shares) || slices.Min(shares) < 0 || slices.Max(shares) > 1 {
			t.Errorf("%s: progress %v", what, shares)
		}
		if got := len(res.Contradicted) > 0; got != (what == "a wrong one") {
			t.Errorf("%s: contradicted %v", what, res.Contradicted)
		}
		for stop := range shares {
			n := 0
			_, err := Run(h, Options{Params: params, Progress: func(float64) bool { n++; return n <= stop }})
			if !errors.Is(err, ErrStopped) || n != stop+1 {
				t.Errorf("%s: stopped after %d: %v", what, n, err)
			}
		}
	}
}

// TestBeyondTheEndTimeGoesOn: passes and countdowns, and no heartbeat is made up.
func TestBeyondTheEndTimeGoesOn(t *testing.T) {
	h := outage(6, 2).tell(after(140))
	res := ran(t, h, Options{Mode: Causal})
	end, err := res.At(after(140))
	if err != nil {
		t.Fatal(err)
	}
	later, err := res.At(after(240))
	if err != nil {
		t.Fatal(err)
	}
	if n, m := len(end.Taints.Timers()), len(later.Taints.Timers()); n != 2 || m != 0 {
		t.Errorf("%d countdowns run at the end, %d later", n, m)
	}
	if p := later.Clock.Pass; p <= after(240) || p > after(246) {
		t.Errorf("the next pass is at %s", p)
	}
	for i := range int32(end.Cache.Rows()) {
		if a, b := end.Cache.Row(i).Lease, later.Cache.Row(i).Lease; a != b {
			t.Errorf("a heartbeat was made up: %v, %v", a, b)
		}
	}
}
