package conformance

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/simulate/whatif"
)

var (
	branches   = flag.Int("branches", 20, "how many random scenarios TestBranchesOfRealControllers branches")
	branchFrom = flag.Int("branch", 0, "the first of them")
)

// TestBranchesOfRealControllers plays random scenarios twice by the real controllers, with the same faults,
// under some flags and under others. What is said of the others on the audit log of the first must hold what
// the real controllers did: all that they did is possible, within its window, and what is certain came.
//
//	go test . -run TestBranchesOfRealControllers -v -branches 1000 -seed 3
//	go test . -run TestBranchesOfRealControllers -v -branches 1 -seed 2 -branch 43    tells all of one
func TestBranchesOfRealControllers(t *testing.T) {
	var sum branchTally
	for i := *branchFrom; sum.played < *branches && i < *branchFrom+20**branches; i++ {
		s := ordinary(t, Numbered(*seed*1000000+i))
		if s.find("restart").Verb != "" || s.find("stall").Verb != "" || s.find("forget").Verb != "" || s.Flags().Grace < late {
			continue // nobody tells of a restart, with which a stall ends too, nobody takes conditions off a Node, and no heartbeat is late where the grace period is so short
		}
		if wokenTwice(s) {
			continue // the kubelet of this test then posts twice, which none does
		}
		sum.branch(t, i, s)
	}
	t.Logf("%d scenarios of seed %d: %d decisions, %d outside, %d not foreseen, %d false; %d have no answer", sum.played, *seed, sum.decisions, sum.outside, sum.unforeseen, sum.false_, sum.refused)
	if wrong := sum.outside + sum.unforeseen + sum.false_; wrong*100 > sum.decisions {
		t.Errorf("%d of %d are not held", wrong, sum.decisions)
	}
	if sum.refused*10 > sum.played {
		t.Errorf("%d of %d have no answer", sum.refused, sum.played)
	}
}

// wokenTwice says that a kubelet is woken that has not fallen silent since it was woken last.
func wokenTwice(s Scenario) bool {
	awake := map[string]bool{}
	for _, c := range s {
		switch c.Verb {
		case "silence":
			delete(awake, c.Args[0])
		case "wake":
			if awake[c.Args[0]] {
				return true
			}
			awake[c.Args[0]] = true
		}
	}
	return false
}

type branchTally struct{ played, decisions, outside, unforeseen, false_, refused int }

// otherFlags are a scenario's flags with some of them otherwise.
func otherFlags(s Scenario, number int) Scenario {
	r := rand.New(rand.NewPCG(uint64(number), 17))
	out := slices.Clone(s)
	for i := range out {
		if out[i].Verb != "flags" {
			continue
		}
		c := &out[i]
		c.Options = slices.Clone(c.Options)
		set := func(key string, values ...string) {
			c.Options = slices.DeleteFunc(c.Options, func(o Option) bool { return o.Key == key })
			c.Options = append(c.Options, Option{key, values[r.IntN(len(values))]})
		}
		first := r.IntN(4)
		if first == 0 || r.IntN(3) == 0 {
			set("grace", "25s", "30s", "40s", "50s", "80s", "120s")
		}
		if first == 1 || r.IntN(3) == 0 {
			set("rate", "1", "0.5", "0.1", "0.03")
			set("secondary", "0.1", "0.05", "1", "0")
		}
		if first == 2 || r.IntN(3) == 0 {
			set("threshold", "0.3", "0.5", "0.75", "1")
		}
		if first == 3 || r.IntN(3) == 0 {
			set("large", "2", "3", "5", "50")
		}
	}
	return out
}

// branch plays one scenario under its flags and under others, and compares.
func (b *branchTally) branch(t *testing.T, number int, s Scenario) {
	t.Helper()
	b.played++
	a := foretelling{signed: true, a: &agreement{}, scenario: s, trace: playLater(t, s)}
	end := a.trace.Zero.Add(s.Length())
	h := a.history(end)
	result, err := infer.Run(h, infer.Options{Params: given(s.Flags().params(model.Version{Major: 1, Minor: 36}))})
	if err != nil {
		t.Fatal(err)
	}
	base, err := whatif.Prepare(h, result, whatif.Options{})
	var refusal *whatif.Refusal
	errors.As(err, &refusal)
	if fit := fitOf(base, refusal); fit != nil && slices.ContainsFunc(fit.Extra, func(w whatif.Write) bool { return w.Kind == model.CollectPod }) {
		b.played-- // pod garbage collection has something to do, and does not run here
		return
	}
	if refusal != nil {
		t.Logf("scenario %d: %v", number, err)
		if *branches == 1 {
			t.Logf("the scenario:\n%s", s)
		}
		b.refused++
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	others := otherFlags(s, number)
	branch := base.Unchanged()
	branch.Params = others.Flags().params(model.Version{Major: 1, Minor: 36})
	answer := base.Branch(branch)
	was := b.outside + b.unforeseen + b.false_
	truth := foretelling{a: &agreement{}, scenario: others, trace: playLater(t, others)}
	b.compare(t, number, base, answer, &truth, end)
	if b.outside+b.unforeseen+b.false_ > was {
		t.Logf("scenario %d of seed %d: under %s, then %s", number, *seed, s.find("flags"), others.find("flags"))
		if *branches == 1 {
			b.tell(t, s, answer, &truth)
		}
	}
}

// fitOf is what a comparison found, of which there is an answer, or is none.
func fitOf(base *whatif.Base, refusal *whatif.Refusal) *whatif.Fit {
	if refusal != nil {
		return refusal.Fit
	}
	if base != nil {
		return &base.Fit
	}
	return nil
}

// tell logs a scenario, what was recorded of it, what is said of it, and what the real controllers did.
func (b *branchTally) tell(t *testing.T, s Scenario, answer *whatif.Answer, truth *foretelling) {
	t.Helper()
	zero := model.At(truth.trace.Zero)
	say := func(who string, d *model.Decision) {
		t.Logf("%s %s: %s %s%s (%s to %s) %s", who, d.Time.Sub(zero), d.Kind, d.Node, d.Pod, d.Window.Earliest.Sub(zero), d.Window.Latest.Sub(zero), d.Why.Code)
	}
	t.Logf("the scenario:\n%s", s)
	for i := range answer.Recorded {
		say("recorded", &answer.Recorded[i])
	}
	for i := range answer.Branch {
		say(map[bool]string{true: "certain", false: "possible"}[answer.Branch[i].Certain], &answer.Branch[i].Decision)
	}
	for _, d := range truth.then(truth.trace.Zero, truth.trace.Zero.Add(s.Length())) {
		say("real", &d)
	}
}

// given are flags that the person says.
func given(p model.Params) model.Params {
	for i := range model.Flags {
		f := &model.Flags[i]
		if f.Name != "feature-gates" {
			_ = f.Set(&p, f.Value(&p), model.FromFlag) // its own value
		}
	}
	return p
}

// soon is how long after its decision a write is there, with what the log rounds.
const soon = 60 * time.Millisecond

// compare holds what the real controllers did against the branch.
func (b *branchTally) compare(t *testing.T, number int, base *whatif.Base, answer *whatif.Answer, truth *foretelling, end time.Time) {
	t.Helper()
	key := func(d *model.Decision) string {
		if d.Pod != (model.Key{}) {
			return fmt.Sprint(d.Kind, " ", d.Pod) // a DELETE names the pod, wherever it is
		}
		return fmt.Sprint(d.Kind, " ", d.Node)
	}
	windows := map[string][]*whatif.Decision{}
	for i := range answer.Branch {
		d := &answer.Branch[i]
		windows[key(&d.Decision)] = append(windows[key(&d.Decision)], d)
	}
	holds := func(d *whatif.Decision, at model.Instant) bool {
		return at >= d.Window.Earliest.Add(-soon) && at <= d.Window.Latest.Add(soon)
	}
	came := map[string][]model.Instant{}
	zero := model.At(truth.trace.Zero)
	for _, d := range truth.then(base.From.Time(), end) {
		if d.Pod != (model.Key{}) {
			if d.Node == "" {
				continue
			}
		}
		b.decisions++
		came[key(&d)] = append(came[key(&d)], d.Time)
		list := windows[key(&d)]
		if slices.ContainsFunc(list, func(w *whatif.Decision) bool { return holds(w, d.Time) }) {
			continue
		}
		if len(list) == 0 {
			b.unforeseen++
			t.Logf("scenario %d: %s at %s was not foreseen", number, key(&d), d.Time.Sub(zero))
			continue
		}
		b.outside++
		t.Logf("scenario %d: %s at %s is outside %s to %s", number, key(&d), d.Time.Sub(zero), list[0].Window.Earliest.Sub(zero), list[len(list)-1].Window.Latest.Sub(zero))
	}
	for i := range answer.Branch {
		d := &answer.Branch[i]
		switch d.Kind {
		case model.MarkUnknown, model.TaintNoExecute, model.EvictPod:
		default:
			continue
		}
		if !d.Certain || d.Window.Latest.Add(time.Second) >= model.At(end) {
			continue
		}
		if !slices.ContainsFunc(came[key(&d.Decision)], func(at model.Instant) bool { return holds(d, at) }) {
			b.false_++
			t.Logf("scenario %d: %s is certain within %s to %s, and did not come", number, key(&d.Decision), d.Window.Earliest.Sub(zero), d.Window.Latest.Sub(zero))
		}
	}
}
