package topics

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Decision is what was decided, without its subject.
func Decision(d *model.Decision) words.Say {
	switch d.Outcome {
	case model.Declined:
		return words.Of("decision.declined", "what", decided(d))
	case model.Failed:
		return words.Of("decision.failed", "what", decided(d))
	}
	return decided(d)
}

// sameDay is from how far apart on a time of day alone would mislead.
const sameDay = 12 * time.Hour

// OnAnotherDay reports that a decision's time needs its date: objects show decisions of months ago.
func OnAnotherDay(at, now model.Instant) bool {
	return at.Bounded() && now.Bounded() && (at.Sub(now) > sameDay || now.Sub(at) > sameDay)
}

// DecisionTime is when a decision was or will be made: to a tenth of a second, or its window if that is wider.
func DecisionTime(d *model.Decision, now model.Instant) words.Say {
	switch {
	case OnAnotherDay(d.Time, now):
		return words.Of("decision.at", "at", words.Day(d.Time))
	case d.Time.Bounded() && d.Window.Bounded() && d.Window.Width() < paint.AboutOne:
		return at(model.Exactly(d.Time))
	}
	return at(d.Window)
}

// DecisionSign is how a decision is known at a time.
func DecisionSign(d *model.Decision, now model.Instant) doc.Sign {
	switch {
	case d.Basis == model.Simulated || d.Outcome == model.Declined:
		return doc.Foreseen
	case later(d, now):
		return doc.Later
	case d.Basis == model.Observed:
		return doc.Recorded
	case d.Basis == model.Reconstructed:
		return doc.Reconstructed
	}
	return doc.Inferred
}

// later reports that a decision was recorded later than a time.
func later(d *model.Decision, now model.Instant) bool {
	return now.Known() && forecast.IsLater(d, now)
}

// DecisionTone is the tone of a decision.
func DecisionTone(d *model.Decision, now model.Instant) doc.Tone {
	switch {
	case d.Basis == model.Simulated:
		return doc.Predicted
	case later(d, now):
		return doc.Faint
	case d.Outcome == model.Declined:
		return doc.Dim
	}
	switch d.Kind {
	case model.EvictPod, model.CollectPod, model.ScheduleEviction:
		return doc.Evict
	case model.MarkUnknown:
		return doc.NodeUnknown
	case model.EnterMasterDisruption:
		return doc.Halted
	}
	return doc.Plain
}

// What is Decision as text: it has no times of a zone.
func What(d *model.Decision) string { return Decision(d).String() }

func decided(d *model.Decision) words.Say {
	taints := ""
	switch d.Kind {
	case model.MarkPodsNotReady:
		if d.Written() == 0 && d.Rule == model.RuleNone {
			return words.Of("decision.pods-marked") // a log does not contain the number
		}
	case model.AddNoSchedule, model.TaintNoExecute, model.SwapNoExecute:
		taints = Taints(d, model.WriteTaint)
	case model.RemoveNoSchedule, model.UntaintNoExecute:
		taints = Taints(d, model.WriteUntaint)
	case model.ScheduleEviction:
		if length := d.Length(); length.Known {
			return words.Of("decision.countdown", "for", Span(length.Value))
		}
	}
	return words.Of("decision.what."+d.Kind.String(), "n", d.Written(), "taints", taints, "change", changed(d))
}

// DecisionShort is the decision in one word, for a row without room for more.
func DecisionShort(d *model.Decision) words.Say {
	switch {
	case d.Outcome == model.Declined:
		return words.Of("decision.short.declined")
	case d.Kind == model.ZoneState:
		return ZoneState(d.State.To)
	case d.Kind == model.SetRate:
		return TaintRate(d.Rate.To)
	case d.Kind == model.ControllerStart, d.Kind == model.RegisterNode, d.Kind == model.ForgetNode, d.Kind == model.SwapNoExecute:
		return decided(d)
	}
	return words.Of("decision.short." + d.Kind.String())
}

// ZoneChange is a change of a zone's state in the screens' shorter words.
func ZoneChange(d *model.Decision) words.Say {
	return words.Of("decision.what.ZoneState", "change", words.Of("decision.from-to", "from", ZoneState(d.State.From), "to", ZoneState(d.State.To)))
}

// DecisionHeld is that a decision has not come yet.
func DecisionHeld(d *model.Decision) words.Say {
	switch d.Kind {
	case model.MarkUnknown, model.QueueForTaint, model.TaintNoExecute, model.EvictPod, model.ZoneState:
		return words.Of("decision.held."+d.Kind.String(), "state", d.State.To)
	}
	return words.Of("decision.declined", "what", d.Kind.String())
}

// Comes is when a declined decision comes if nothing changes; the zero Say if that is not known.
func Comes(d *model.Decision) words.Say {
	switch v := d.Window; {
	case d.Kind == model.ZoneState: // it stays as it is
	case v.Earliest == model.FarFuture && d.Kind == model.TaintNoExecute:
		return words.Of("decision.comes-not-while")
	case v.Earliest == model.FarFuture:
		return words.Of("decision.comes-never")
	case v.Bounded():
		return words.Of("decision.comes", "when", words.Stamps(v))
	case v.Earliest.Bounded():
		return words.Of("decision.comes-from", "from", words.Stamp(v.Earliest))
	}
	return words.Say{}
}

// RuleName is a rule's name in the language spoken.
func RuleName(r model.Rule) string { return words.Label(r.String()) }

// Rule is a rule of the controllers in a sentence; the zero Say for no rule.
func Rule(r model.Rule) words.Say {
	return words.Of("rule." + r.Spec()).If(r != model.RuleNone)
}

// Flag is what a flag of kube-controller-manager is for.
func Flag(f *model.Flag) string { return words.Of("flag." + f.Name).String() }

// Changed is what was before and after, if the decision changes one value.
func Changed(d *model.Decision) (before, after string, ok bool) {
	switch {
	case d.State.From != d.State.To:
		return d.State.From.String(), d.State.To.String(), true
	case d.Rate.From != d.Rate.To:
		return model.Number(d.Rate.From).String() + "/s", model.Number(d.Rate.To).String() + "/s", true
	}
	return "", "", false
}

func changed(d *model.Decision) words.Say {
	switch before, after, ok := Changed(d); {
	case !ok:
		return words.Of("decision.unchanged")
	case d.State.From == model.ZoneNone && d.Rule == model.RuleNone: // a log does not contain it
		return words.Of("decision.to", "to", after)
	default:
		return words.Of("decision.from-to", "from", before, "to", after)
	}
}

// Taints are the keys and effects that a decision writes or removes, without the domain of Kubernetes' own.
func Taints(d *model.Decision, kind model.WriteKind) string {
	var list []string
	for i := range d.Writes {
		if w := &d.Writes[i]; w.Kind == kind {
			list = append(list, strings.TrimPrefix(w.Taint.Key, "node.kubernetes.io/")+":"+w.Taint.Effect.String())
		}
	}
	if list == nil {
		return model.NoExecute.String()
	}
	return words.Listed(list)
}

// Would is what would change something, and to what.
func Would(c why.Change) words.Say {
	then := words.Of("zone.then", "share", Share(c.NotReady, c.Counted), "state", c.State, "rate", Rate(c.Rate))
	return words.Of("would."+c.Kind.String(), "n", c.Nodes, "then", then, "for", c.At.Width())
}

// WouldShort is a change of a zone's state and the new state, in few words; counted: the share of its nodes decides.
func WouldShort(c *why.Change) (what, becomes words.Say, counted bool) {
	what = words.Of("would-short."+c.Kind.String(), "n", c.Nodes, "ready", c.Counted-c.NotReady, "counted", c.Counted)
	switch c.Kind {
	case why.ZoneHeard:
		return what, words.Of("zone.master-ends"), false
	case why.AllFail:
		return what, words.Of("zone.master-starts"), false
	}
	return what, words.Of("zone.becomes", "state", ZoneState(c.State), "rate", taintRate(c.Rate)), c.Kind != why.NextPass
}

// taintRate is TaintRate, but a number for 0.
func taintRate(rate float32) words.Say {
	if rate == 0 {
		return words.Of("zone.rate-zero")
	}
	return TaintRate(rate)
}

// StateName is a state by its name in the controller's log and metrics, if it has one there.
func StateName(s model.DisruptionState) words.Say {
	if s == model.ZonePartial || s == model.ZoneFull {
		return words.Text(s.String())
	}
	return ZoneState(s)
}

// ZoneState is a state as screens have it, with the fewest cells.
func ZoneState(s model.DisruptionState) words.Say {
	return words.Of("zone.state." + cmp.Or(s.String(), "blank"))
}

// TaintRate is a rate at which nodes are tainted: 1/10s for one in ten seconds, 5/s, or halted for 0.
func TaintRate(rate float32) words.Say {
	if rate == 0 {
		return words.Of("zone.halted")
	}
	if every := 1 / rate; every > 1 && every == float32(int(every+0.5)) {
		return words.Text("1/" + strconv.Itoa(int(every+0.5)) + "s")
	}
	return words.Text(strconv.FormatFloat(float64(rate), 'f', -1, 32) + "/s")
}

// Rate is at which pace a zone's nodes are tainted, in a sentence.
func Rate(r float32) words.Say {
	return words.Of("zone.rate-none").If(r == 0).Or(words.Of("zone.rate", "rate", Number(float64(r))))
}

// Share is a part of a whole: 21/40 = 52.5%.
func Share(part, whole int) string {
	if whole == 0 {
		return "0/0"
	}
	return fmt.Sprintf("%d/%d = %.1f%%", part, whole, 100*float64(part)/float64(whole))
}

// Number is a share or a rate to three places, and shorter where that is all of it.
func Number(f float64) string {
	short := model.Number(float32(f)).String()
	if rounded := fmt.Sprintf("%.3f", f); len(rounded) < len(short) {
		return rounded
	}
	return short
}

// Span is a duration: below a minute to a hundredth of a second, 50.04s. Above it a setting is as typed, 60s or 300s,
// and other durations are to the second.
func Span(d time.Duration) string {
	switch {
	case d > -time.Minute && d < time.Minute:
		return strconv.FormatFloat(math.Round(d.Seconds()*100)/100, 'f', -1, 64) + "s"
	case d%(10*time.Second) == 0:
		return paint.Setting(d)
	}
	return paint.Duration(d)
}

// WriterUntold is why it is not known which controller wrote what was observed.
func WriterUntold() words.Say { return words.Of("decision.writer-untold") }

// Writer is who wrote something: the component, and who sent the request if the input shows it; "" if neither is known.
func Writer(w model.Writer, by *model.Requester) string {
	request := by.String()
	switch {
	case request == "":
		return w.String()
	case w == model.WriterUnknown:
		return request
	}
	return w.String() + " (" + request + ")"
}
