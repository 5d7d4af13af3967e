// Package hypothesestest judges what is supposed of a scenario of which it is known what truly happened.
package hypothesestest

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/infer/processes"
)

// Truth is the hidden acts of a scenario: no input records them.
type Truth struct {
	// Restarts are the processes that ended and began again.
	Restarts []Restart
	// Forged is a write under a controller's own identity that it did not make; nil for none.
	Forged *Forged
}

// Restart is that of one process.
type Restart struct {
	// Process is "node-lifecycle" or "taint-eviction".
	Process          string
	Stopped, Started time.Time
}

// Forged is a write that was forged.
type Forged struct {
	// What is "taint", "untaint", "mark", "pressure", "unready" or "evict".
	What, Node, Pod string
	At              time.Time
}

// Tally counts what became of scenarios.
type Tally struct {
	Logs, Whole            int
	Restarts, Told, Missed int // restarts that leave two or more contradicting writes
	Alone                  int // those of them of which one is anybody's, perhaps, and the others follow: listed
	Alleged                int // hypotheses of a restart where there was none
	Forged, Away           int // forged writes, and those that are explained
	Caught, Unjudged       int // and those that are unexplained, or listed as not judged
	Contradicted           int // scenarios whose true flags, given by hand, are contradicted
}

func (n *Tally) String() string {
	return fmt.Sprintf(`
logs                                          %4d, explained wholly %d
restarts that leave contradicting writes      %4d, told %d, listed as one trace alone %d, missed %d
restarts alleged that never were              %4d
forged writes                                 %4d, explained away %d, unexplained %d, not judged %d
logs whose true flags are contradicted        %4d`,
		n.Logs, n.Whole, n.Restarts, n.Told, n.Alone, n.Missed, n.Alleged, n.Forged, n.Away, n.Caught, n.Unjudged, n.Contradicted)
}

// Search is what is supposed of a History under flags given by hand. Its errors are those of reading.
func Search(h history.History, params model.Params) (*hypotheses.Found, error) {
	res, err := hypotheses.Run(h, infer.Options{Params: params})
	if err != nil {
		return nil, err
	}
	return hypotheses.Search(res)
}

// Judge holds what was found in a scenario, under its true flags given by hand, against the truth, and counts it. It
// returns what is wrong, a sentence each; its error is that of driving the models again.
func (n *Tally) Judge(truth *Truth, found *hypotheses.Found) (wrong []string, err error) {
	n.Logs++
	res := found.Base
	if len(res.Contradicted) > 0 {
		n.Contradicted++
		wrong = append(wrong, fmt.Sprintf("its own flags are contradicted: %v", res.Contradicted))
	}
	if res.Findings() == 0 && len(res.Contradicted) == 0 {
		n.Whole++
	}
	truly, err := truth.assumed(res)
	if err != nil {
		return wrong, err
	}
	if truly != nil && leavesTraces(truly, res) {
		n.Restarts++
		alone := false
		if !truth.told(found, true) && truth.told(found, false) {
			if alone, err = oneAlone(truly, res); err != nil {
				return wrong, err
			}
		}
		switch {
		case alone:
			n.Alone++
		case truth.told(found, true):
			n.Told++
		default:
			n.Missed++
			wrong = append(wrong, fmt.Sprintf("the restart %v is not told: %v", truth.Restarts, found.Hypotheses))
		}
	}
	for _, h := range found.Hypotheses {
		if h.Counts && h.Kind == processes.Restarted && len(h.Or) == 0 && !truth.restarted(&h) {
			n.Alleged++
			wrong = append(wrong, fmt.Sprintf("there was no restart, but %v: %s, settles %d of %d", truth.Restarts, h.What.Code, len(h.Writes), len(open(res))))
		}
	}
	if truth.Forged != nil {
		n.Forged++
		switch truth.BecameOf(found) {
		case "unexplained":
			n.Caught++
		case "not judged":
			n.Unjudged++
		default:
			n.Away++
			wrong = append(wrong, fmt.Sprintf("the forged %s of %s at %s is explained away", truth.Forged.What, truth.Forged.Node, truth.Forged.At))
		}
	}
	return wrong, nil
}

// open are the numbers of the writes that nothing explains.
func open(r *infer.Result) (list []int) {
	for i := range r.Writes {
		if r.Writes[i].Decision == 0 {
			list = append(list, r.Writes[i].Number)
		}
	}
	return list
}

// assumed is what the models make of a scenario under the true restarts; nil where there are none.
func (p *Truth) assumed(res *infer.Result) (*infer.Result, error) {
	if len(p.Restarts) == 0 || len(res.Contradicted) > 0 {
		return nil, nil
	}
	var list []infer.Assumption
	for _, r := range p.Restarts {
		a := infer.Assumption{Kind: processes.Restarted, Who: processes.TaintEviction, Stopped: model.At(r.Stopped),
			At: model.Interval{Earliest: model.At(r.Started).Add(-50 * time.Millisecond), Latest: model.At(r.Started).Add(100 * time.Millisecond)}}
		if r.Process == "node-lifecycle" {
			a.Who = processes.NodeLifecycle
		}
		if n := len(list); n > 0 && list[n-1].At == a.At {
			list[n-1].Who |= a.Who
			continue
		}
		list = append(list, a)
	}
	return res.Assuming(list)
}

// leavesTraces says that what is explained under the true restarts is two writes or more that are not explained
// without, and are not of one decision.
func leavesTraces(truly, res *infer.Result) bool {
	return len(open(truly)) <= len(open(res))-2 && hypotheses.Traces(res, hypotheses.ExplainedMore(truly, res)) >= 2
}

// oneAlone reports whether one of those writes may have any writer: if it is set aside, the others follow from it.
func oneAlone(truly, res *infer.Result) (bool, error) {
	for _, number := range hypotheses.ExplainedMore(truly, res) {
		aside, err := res.Assuming([]infer.Assumption{{Kind: processes.SetAside, Write: number}})
		if err != nil || hypotheses.Traces(res, hypotheses.ExplainedMore(truly, aside)) < 2 {
			return err == nil, err
		}
	}
	return false, nil
}

// apart is how far beside its window a restart may be.
const apart = time.Second

// restarted says that a process truly restarted within the window of a hypothesis, or nearly.
func (p *Truth) restarted(h *hypotheses.Hypothesis) bool {
	for _, r := range p.Restarts {
		if at := model.At(r.Started); h.Window.Earliest.Add(-apart) <= at && at <= h.Window.Latest.Add(apart) {
			return true
		}
	}
	return false
}

// told says that a true restart is among the hypotheses, and counts, or is listed at least.
func (p *Truth) told(found *hypotheses.Found, counts bool) bool {
	return slices.ContainsFunc(found.Hypotheses, func(h hypotheses.Hypothesis) bool {
		return (h.Counts || !counts) && h.Kind == processes.Restarted && p.restarted(&h)
	})
}

// kinds are what the forged writes look like.
var kinds = map[string]model.DecisionKind{"taint": model.TaintNoExecute, "untaint": model.UntaintNoExecute, "mark": model.MarkUnknown,
	"pressure": model.AddNoSchedule, "unready": model.MarkPodsNotReady, "evict": model.EvictPod}

// BecameOf is the judgement of the forged write: "unexplained" if no decision and no hypothesis that counts explains
// it, or "not judged"; else empty.
func (p *Truth) BecameOf(found *hypotheses.Found) string {
	res, at, settled := found.Base, model.At(p.Forged.At), found.If()
	is := func(w infer.Write) bool {
		return w.Kind == kinds[p.Forged.What] && w.Node == p.Forged.Node && w.Time.Earliest.Sub(at).Abs() <= time.Millisecond
	}
	switch i := slices.IndexFunc(res.Writes, is); {
	case i >= 0 && res.Writes[i].Decision == 0 && settled[res.Writes[i].Number] == "":
		return "unexplained"
	case i < 0 && slices.ContainsFunc(res.NotJudged, is):
		return "not judged"
	}
	return ""
}
