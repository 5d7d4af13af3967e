package conformance

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"kardia/model"
)

// queueBook is the nodes that wait, by the model's decisions.
type queueBook struct{ names map[string]bool }

func (q *queueBook) set(name string, waits bool) {
	if q.names == nil {
		q.names = map[string]bool{}
	}
	if waits {
		q.names[name] = true
	} else {
		delete(q.names, name)
	}
}

func (a *agreement) model(by Actor, decisions []model.Decision) {
	for i := range decisions {
		d := &decisions[i]
		if other := a.ids[d.ID]; other != nil {
			a.say(ofModel, d.Time.Time(), by, fmt.Sprintf("%s %s%s has the id of another decision", d.Kind, d.Node, d.Pod))
		}
		a.ids[d.ID] = d
		a.result.Kinds[d.Kind.String()+" "+d.Outcome.String()]++
		a.result.Rules[d.Rule.String()]++
		say := func(format string, args ...any) { a.say(ofModel, d.Time.Time(), by, fmt.Sprintf(format, args...)) }
		switch d.Kind {
		case model.QueueForTaint:
			a.queue.set(d.Node, true)
			if !a.waited[d.Node] {
				say("%s queued", d.Node)
			}
		case model.DequeueFromTaint:
			a.queue.set(d.Node, false)
		case model.TaintNoExecute:
			say("token to %s", d.Node)
			if d.Outcome == model.Did || d.Why.Code != model.WhyTokenForNoReady && d.Why.Code != model.WhyTokenRefused {
				a.queue.set(d.Node, false)
			}
		case model.EnterMasterDisruption, model.ExitMasterDisruption:
			say("%s", d.Kind)
		case model.RegisterNode, model.ForgetNode:
			say("%s %s", d.Kind, d.Node)
		case model.ScheduleEviction:
			a.schedule(d, by)
		case model.CancelEviction:
			say("%s countdown cancelled", d.Pod)
		}
		for k := range d.Writes {
			a.write(&d.Writes[k], d.Time.Time(), by)
		}
	}
}

func (a *agreement) schedule(d *model.Decision, by Actor) {
	for i := range d.Checks {
		if d.Checks[i].What == model.ComparedToleration {
			ends := d.Time.Add(time.Duration(d.Checks[i].Left.Int))
			a.say(ofModel, d.Time.Time(), by, countdownLine(d.Pod.String(), ends.Time()))
		}
	}
}

func countdownLine(pod string, ends time.Time) string {
	return fmt.Sprintf("%s counts down to %s", pod, ends.UTC().Format("15:04:05.0"))
}

// write takes in a write of the model as the lines of the real write.
func (a *agreement) write(w *model.Write, at time.Time, by Actor) {
	say := func(text string) { a.say(ofModel, at, by, text) }
	switch w.Kind {
	case model.WriteConditions:
		for i := range w.Conditions {
			c := &w.Conditions[i]
			say(conditionLine(w.Node, c.Type, c.Status.String(), c.Reason, c.Heartbeat.Time(), c.Transition.Time()))
		}
	case model.WriteTaint:
		if a.stamped(w) {
			return // the same second again: the API server makes no new version
		}
		if text := taintLine(w.Node, w.Taint.Key, w.Taint.Effect.String(), w.Taint.Added.Time()); !a.wroteAt(at, by, text) {
			say(text)
		}
	case model.WriteUntaint:
		if n := a.cache.Node(w.Node); n != nil {
			for i := range n.Taints {
				if t := &n.Taints[i]; t.Key == w.Taint.Key && t.Effect == w.Taint.Effect {
					say(untaintLine(w.Node, t.Key, t.Effect.String()))
				}
			}
		}
	case model.WritePodNotReady:
		say(podConditionLine(w.Pod.String(), string(v1.PodReady), "False", ""))
	case model.WriteDisruption:
		if p := a.podsByKey[w.Pod.String()]; p != nil && p.DisruptionReason != w.Reason {
			say(podConditionLine(w.Pod.String(), string(v1.DisruptionTarget), "True", w.Reason))
		}
	case model.WriteDelete:
		say(w.Pod.String() + " DELETE")
	case model.WriteForceDelete:
		if p := a.podsByKey[w.Pod.String()]; p != nil && !p.Ended() {
			say(phaseLine(w.Pod.String(), string(v1.PodFailed)))
		}
		say(w.Pod.String() + " DELETE by force")
	case model.WriteEvent:
		if w.Reason == "NodeNotReady" && w.Pod == (model.Key{}) {
			say(w.Node + " event NodeNotReady")
		}
	}
}

// wroteAt reports whether the model has written this line at this time. A node whose zone changed can wait in two
// queues, and get two taints in one tick.
func (a *agreement) wroteAt(at time.Time, by Actor, text string) bool {
	lines := a.lines[ofModel]
	for i := len(lines) - 1; i >= 0 && lines[i].at.Equal(at); i-- {
		if lines[i] == (line{at, by, text}) {
			return true
		}
	}
	return false
}

// stamped reports whether the node has this taint, to the second.
func (a *agreement) stamped(w *model.Write) bool {
	n := a.cache.Node(w.Node)
	return n != nil && slices.ContainsFunc(n.Taints, func(t model.Taint) bool {
		return t.Key == w.Taint.Key && t.Effect == w.Taint.Effect && t.Added.Truncate(time.Second) == w.Taint.Added.Truncate(time.Second)
	})
}

// logged takes in log lines of decisions that leave no object.
func (a *agreement) logged(s *Step) {
	f := s.Log.Fields
	say := func(format string, args ...any) { a.say(ofReal, s.At, s.By, fmt.Sprintf(format, args...)) }
	switch m := s.Log.Message; m {
	case "Node is NotReady. Adding it to the Taint queue", "Node is unresponsive. Adding it to the Taint queue":
		// The real controller takes a waiting node out and puts it in again in every pass.
		if !a.waited[f["node"]] {
			say("%s queued", f["node"])
		}
	case "Controller detected that all Nodes are not-Ready. Entering master disruption mode":
		say("EnterMasterDisruption")
	case "Controller detected that some Nodes are Ready. Exiting master disruption mode":
		say("ExitMasterDisruption")
	case "Controller observed a new Node":
		say("RegisterNode %s", f["node"])
	case "Controller observed a Node deletion":
		say("ForgetNode %s", f["node"])
	case "Recording status change event message for node":
		say("%s event NodeNotReady", f["node"])
	case countdownStarts:
		if ends := parseGoTime(f["firedTime"]); ends.After(s.At) {
			say("%s", countdownLine(f["item"], ends))
		}
	case eventOccurred:
		say("%s countdown cancelled", f["object"])
	}
}

func parseGoTime(s string) time.Time {
	s, _, _ = strings.Cut(s, " m=")
	t, err := time.Parse("2006-01-02 15:04:05.999999999 -0700 MST", s)
	if err != nil {
		panic(err)
	}
	return t
}

func optionalMicro(t *metav1.MicroTime) model.Instant {
	if t == nil {
		return 0
	}
	return model.At(t.Time)
}

// settle compares the lines of both sides: each needs its equal on the other side within the tolerance.
func (a *agreement) settle() {
	type key struct {
		by   Actor
		text string
	}
	a.evaluatedTwice()
	a.deletedTwice()
	open := map[key][]time.Time{}
	for _, l := range a.lines[ofModel] {
		k := key{l.by, l.text}
		open[k] = append(open[k], l.at)
	}
	for _, l := range a.lines[ofReal] {
		k := key{l.by, l.text}
		matched := false
		for i, at := range open[k] {
			latest := at
			if slow, ok := a.slow[line{at, l.by, l.text}]; ok {
				latest = slow
			}
			if l.at.Sub(at) >= -Tolerance && l.at.Sub(latest) <= Tolerance {
				open[k] = append(open[k][:i:i], open[k][i+1:]...)
				matched = true
				break
			}
		}
		if !matched {
			a.differ(l, true)
		} else {
			a.result.Compared++
			a.result.Written++
		}
	}
	for k, times := range open {
		for _, at := range times {
			a.differ(line{at, k.by, k.text}, false)
		}
	}
	a.ties()
	d := a.result.Differences
	sort.SliceStable(d, func(i, j int) bool {
		if d[i].At != d[j].At {
			return d[i].At < d[j].At
		}
		return d[i].Line < d[j].Line
	})
}

// evaluatedTwice removes the effects of a second evaluation of a pod at one time: the countdown is cancelled and starts
// again. A pod that is bound when its node is tainted is evaluated once or twice, by which change is handled first.
func (a *agreement) evaluatedTwice() {
	var again [2]int
	for side := range a.lines {
		seen, cancelled := map[line]bool{}, map[line]int{}
		for _, l := range a.lines[side] {
			if strings.Contains(l.text, " counts down to ") {
				if seen[l] {
					pod, _, _ := strings.Cut(l.text, " ")
					cancelled[line{l.at, l.by, pod + " countdown cancelled"}]++
				}
				seen[l] = true
			}
		}
		kept := a.lines[side][:0]
		counted := map[line]bool{}
		for _, l := range a.lines[side] {
			switch {
			case strings.Contains(l.text, " counts down to "):
				if counted[l] {
					continue
				}
				counted[l] = true
			case cancelled[l] > 0:
				cancelled[l]--
				again[side]++
				continue
			}
			kept = append(kept, l)
		}
		a.lines[side] = kept
	}
	a.result.Races += max(again[ofModel]-again[ofReal], again[ofReal]-again[ofModel])
}

// deletedTwice leaves one DELETE if several come at one time. A pod without toleration is deleted at each evaluation,
// as long as the cache shows it. Each is a goroutine that tries again after a conflict, even if the pod is gone.
// Source: kubernetes: pkg/controller/tainteviction, deletePodHandler and createWorker.
func (a *agreement) deletedTwice() {
	var again [2]int
	for side := range a.lines {
		seen := map[line]bool{}
		a.lines[side] = slices.DeleteFunc(a.lines[side], func(l line) bool {
			if l.by == Collector && strings.HasSuffix(l.text, " DELETE by force") {
				repeated := seen[l] // found by two of its four looks at the pods
				seen[l] = true
				return repeated
			}
			if l.by != Eviction || !strings.HasSuffix(l.text, " DELETE") && !strings.Contains(l.text, "DisruptionTarget") {
				return false
			}
			repeated := seen[l] || side == ofReal && a.deletedBeside(l, seen)
			seen[l] = true
			if repeated && strings.HasSuffix(l.text, " DELETE") {
				again[side]++
			}
			return repeated
		})
	}
	a.result.Races += max(again[ofModel]-again[ofReal], again[ofReal]-again[ofModel])
}

// deletedBeside reports whether a DELETE retries after a conflict at which another evaluation deleted the pod.
func (a *agreement) deletedBeside(l line, seen map[line]bool) bool {
	pod, _ := strings.CutSuffix(l.text, " DELETE")
	return slices.ContainsFunc(a.retries[pod], l.at.Equal) && seen[line{l.at.Add(-evictionRetry), l.by, l.text}]
}

// evictionRetry is the wait after a failed write. Source: kubernetes: pkg/controller/tainteviction, deletePodHandler.
const evictionRetry = 10 * time.Millisecond

// ties forgives a countdown that ends at the time at which it is cancelled: either side may delete the pod.
func (a *agreement) ties() {
	type key struct {
		at  time.Duration
		pod string
	}
	deleted, cancelled := map[key]bool{}, map[key]bool{}
	each := func(do func(k key, d Difference, rest string) bool) {
		a.result.Differences = slices.DeleteFunc(a.result.Differences, func(d Difference) bool {
			pod, rest, _ := strings.Cut(d.Line, " ")
			return d.By == Eviction && do(key{d.At, pod}, d, rest)
		})
	}
	each(func(k key, _ Difference, rest string) bool {
		deleted[k] = deleted[k] || rest == "DELETE"
		cancelled[k] = cancelled[k] || rest == "countdown cancelled"
		return false
	})
	each(func(k key, _ Difference, rest string) bool {
		tied := deleted[k] && cancelled[k]
		if tied && rest == "DELETE" {
			a.result.Races++
		}
		return tied && (rest == "DELETE" || rest == "countdown cancelled" || strings.HasPrefix(rest, "DisruptionTarget"))
	})
}

func (a *agreement) differ(l line, real bool) {
	a.result.Differences = append(a.result.Differences, Difference{At: l.at.Sub(a.zero), By: l.by, Line: l.text, Real: real})
}
