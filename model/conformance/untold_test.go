package conformance

import (
	"flag"
	"testing"

	"kardia/model"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/hypotheses/hypothesestest"
)

var untold = flag.Int("untold", 10, "how many scenarios with a restart, and how many with a forged write, TestWhatNobodyTellsOf judges")

// TestWhatNobodyTellsOf plays random scenarios by the real controllers and shows them as an audit log without
// Events and leader leases does. A restart that leaves two or more writes that contradict what is known is told
// with its time; and a write that is forged under a controller's own identity is not explained away.
//
//	go test . -run TestWhatNobodyTellsOf -v -untold 200 -seed 3 -timeout 60m
func TestWhatNobodyTellsOf(t *testing.T) {
	for name, happens := range map[string]func(*testing.T, Scenario, int) Scenario{"restarted": restarted, "forged": forged} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := hypothesestest.Tally{}
			for i := 0; n.Logs < *untold && i < 100**untold; i++ {
				judgeUntold(t, &n, happens, *seed, i)
			}
			t.Log(&n)
		})
	}
}

// TestWhatWasOnceToldWrong judges scenarios of which something else was told than what happened, each for a reason
// of its own.
func TestWhatWasOnceToldWrong(t *testing.T) {
	for _, x := range []struct {
		why      string
		happens  func(*testing.T, Scenario, int) Scenario
		seed, of int
	}{
		{"a pod that came to a lost node was taken to be marked by a pass, and the next pass to wait for that", restarted, 778, 66},
		{"and so where a write is forged as well", forged, 992, 230},
		{"a forged declaration misled about all passes, and a restart explained as much as leaving it out did", forged, 992, 182},
		{"a token was taken to have come before its pass, for the next came sooner than the first rate lets it: the second was higher", restarted, 4101, 146},
		{"what followed from a forged declaration was taken for the traces of a restart", forged, 778, 187},
	} {
		t.Run(x.why, func(t *testing.T) {
			t.Parallel()
			n := hypothesestest.Tally{}
			if judgeUntold(t, &n, x.happens, x.seed, x.of); n.Logs != 1 || n.Restarts+n.Forged == 0 {
				t.Errorf("nothing was judged: %v", &n)
			}
		})
	}
}

// TestTrueFlagsAreNotContradicted judges a scenario in which one was: its restart leaves no trace that contradicts. A token
// was waited for as late as the rate of now lets it come, though it was known exactly when the taint before was written.
func TestTrueFlagsAreNotContradicted(t *testing.T) {
	n := hypothesestest.Tally{}
	if judgeUntold(t, &n, restarted, 992, 11); n.Logs != 1 {
		t.Errorf("nothing was judged: %v", &n)
	}
}

// judgeUntold judges one scenario, unless a write was to be forged in it and could not be.
func judgeUntold(t *testing.T, n *hypothesestest.Tally, happens func(*testing.T, Scenario, int) Scenario, seed, i int) {
	t.Helper()
	s := happens(t, ordinary(t, Scenarios().Example(seed*1000000+i)), i)
	f := foretelling{a: &agreement{}, scenario: s, trace: playLater(t, s), signed: true}
	truth := truthOf(s, f.trace).untold()
	if truth.Forged == nil && s.find("forge").Verb != "" {
		return
	}
	wrong, err := n.Judge(&truth, f.search(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrong {
		t.Errorf("scenario %d of seed %d: %s", i, seed, w)
	}
}

// untold is what no line tells of.
func (a audited) untold() (truth hypothesestest.Truth) {
	for _, r := range a.Restarts {
		truth.Restarts = append(truth.Restarts, hypothesestest.Restart{Process: string(r.Process), Stopped: r.Stopped, Started: r.Started})
	}
	if f := a.Forged; f != nil {
		truth.Forged = &hypothesestest.Forged{What: f.What, Node: f.Node, Pod: f.Pod, At: f.At}
	}
	return truth
}

// search is what is supposed of the scenario, under its flags.
func (f *foretelling) search(t *testing.T) *hypotheses.Found {
	t.Helper()
	h := f.history(f.trace.Zero.Add(f.scenario.Length()))
	found, err := hypothesestest.Search(h, given(f.scenario.Flags().params(model.Version{Major: 1, Minor: 36})))
	if err != nil {
		t.Fatal(err)
	}
	return found
}
