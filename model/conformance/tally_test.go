package conformance

import (
	"maps"
	"slices"
	"sync"
	"testing"
)

// tally adds up what many scenarios exercised.
type tally struct {
	mu                               sync.Mutex
	compared, written, races, differ int
	kinds, rules                     map[string]int
}

func (y *tally) add(a *Agreement) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.compared += a.Compared
	y.written += a.Written
	y.races += a.Races
	if len(a.Differences) > 0 {
		y.differ++
	}
	for k, n := range a.Kinds {
		y.kinds[k] += n
	}
	for k, n := range a.Rules {
		y.rules[k] += n
	}
}

func (y *tally) failed() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.differ
}

// least are how often 1,500 scenarios must meet each kind of decision and each rule, far
// below what any seed does: a test that does not get there proves nothing.
var least = map[string]int{
	"MarkUnknown did": 4000, "MarkPodsNotReady did": 800, "AddNoSchedule did": 6000, "RemoveNoSchedule did": 9000,
	"QueueForTaint did": 6000, "DequeueFromTaint cancelled": 2500, "TaintNoExecute did": 3500, "TaintNoExecute declined": 100,
	"UntaintNoExecute did": 2500, "SwapNoExecute did": 500, "ZoneState did": 4000, "SetRate did": 1400, "SetRate declined": 40,
	"EnterMasterDisruption did": 400, "ExitMasterDisruption did": 300, "ScheduleEviction did": 1500, "CancelEviction cancelled": 700,
	"EvictPod did": 1300, "ControllerStart did": 1500, "RegisterNode did": 8000, "ForgetNode did": 250,
	"conflict of pass": 60, "conflict of noschedule": 60, "conflict of eviction": 5, "tick inside a pass": 200,
	"node object gone": 250, "a swap needs no token": 500, "tainted from the queue": 3500, "state by share not Ready": 4000, "rate follows state": 900, "no zone has a Ready node": 700, "pods of a lost node": 800, "no taint, no countdown": 500, "no pod, no countdown": 10, "tolerated forever, or not": 700,
	"queued in every pass": 6000, "ready again": 3000, "every hand-out costs a token": 100, "a rate of 1 is no change": 40, "new to this process": 8000, "silent past the grace period": 4000, "a countdown runs to its end": 500, "shortest toleration counts": 1500, "NoSchedule follows conditions": 15000, "taints of the snapshot go": 1500,
}

// check prints the counts, and fails where a kind or a rule was hardly met, or where more
// than one match in a hundred needed an allowed race.
func (y *tally) check(t *testing.T, scenarios int) {
	if y.races*100 > y.written {
		t.Errorf("%d of %d writes and events agree by an allowed race only", y.races, y.written)
	}
	for what, n := range least {
		have := y.kinds[what] + y.rules[what]
		if want := n * scenarios / 1500; have < want && scenarios >= 1000 {
			t.Errorf("%s: met %d times, not even %d", what, have, want)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(y.kinds)) {
		t.Logf("%8d %s", y.kinds[k], k)
	}
	for _, r := range slices.Sorted(maps.Keys(y.rules)) {
		t.Logf("%8d rule %s", y.rules[r], r)
	}
}
