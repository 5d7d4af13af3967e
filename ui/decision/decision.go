// Package decision is how the controllers' decisions are told to a person, the same on every
// screen: one in a row, one in full, why it came, and why the next one has not come yet.
//
// It draws what the models say and decides nothing. All foreign text goes through the
// Painter's sanitiser.
package decision

import (
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/paint"
)

// What says in a few words what was decided, without its subject. It is not cleaned for the
// screen.
func What(d *model.Decision) string {
	switch d.Outcome {
	case model.Declined:
		return "not yet: " + step(d)
	case model.Failed:
		return "tried, and failed: " + step(d)
	}
	return step(d)
}

// step is the words for each kind.
func step(d *model.Decision) string {
	switch d.Kind {
	case model.MarkUnknown:
		return "declared Unknown"
	case model.MarkPodsNotReady:
		return podsMarked(d)
	case model.AddNoSchedule, model.TaintNoExecute:
		return "taint " + taints(d, model.WriteTaint)
	case model.RemoveNoSchedule, model.UntaintNoExecute:
		return "untaint " + taints(d, model.WriteUntaint)
	case model.QueueForTaint:
		return "queued for a NoExecute taint"
	case model.DequeueFromTaint:
		return "leaves the queue"
	case model.SwapNoExecute:
		return "taint swapped for " + taints(d, model.WriteTaint)
	case model.ZoneState, model.SetRate:
		return stateOrRate(d)
	case model.EnterMasterDisruption:
		return "master disruption starts"
	case model.ExitMasterDisruption:
		return "master disruption ends"
	case model.ScheduleEviction:
		return "countdown starts" + tolerated(d)
	case model.CancelEviction:
		return "countdown cancelled"
	case model.EvictPod:
		return "plain DELETE for a taint"
	case model.CollectPod:
		return "DELETE without grace"
	case model.ControllerStart:
		return "controller restarts"
	case model.RegisterNode:
		return "node registered"
	case model.ForgetNode:
		return "node forgotten"
	}
	return d.Kind.String()
}

// briefly says in a word what was decided, for a row that has no room for more.
func briefly(d *model.Decision) string {
	if d.Outcome == model.Declined {
		return "not yet"
	}
	switch d.Kind {
	case model.MarkUnknown:
		return "Unknown"
	case model.MarkPodsNotReady:
		return "not ready"
	case model.AddNoSchedule, model.TaintNoExecute:
		return "tainted"
	case model.RemoveNoSchedule, model.UntaintNoExecute:
		return "untainted"
	case model.QueueForTaint:
		return "queued"
	case model.DequeueFromTaint:
		return "unqueued"
	case model.ZoneState:
		return controllers.StateWord(d.State.To)
	case model.SetRate:
		return controllers.RateWord(d.Rate.To)
	case model.EnterMasterDisruption:
		return "all dark"
	case model.ExitMasterDisruption:
		return "not dark"
	case model.ScheduleEviction:
		return "countdown"
	case model.CancelEviction:
		return "cancelled"
	case model.EvictPod, model.CollectPod:
		return "deleted"
	}
	return step(d)
}

// stateOrRate is the change that Why holds for the kinds that are one.
func stateOrRate(d *model.Decision) string {
	lead := "zone "
	if d.Kind == model.SetRate {
		lead = "taint rate "
	}
	if before, after, ok := change(d); ok {
		if d.State.From == model.ZoneNone && d.Rule == model.RuleNone {
			return lead + "→ " + after // a log does not say what it was
		}
		return lead + before + " → " + after
	}
	return lead + "unchanged"
}

// fitting is What, by the screens' shorter words for a zone's states where it has no room.
func fitting(d *model.Decision, p *paint.Painter, room int) string {
	if what := p.Text(What(d)); paint.Width(what) <= room {
		return what
	}
	return shortly(d, p)
}

// shortly is What, by the screens' shorter words for a zone's states.
func shortly(d *model.Decision, p *paint.Painter) string {
	if d.Kind != model.ZoneState || d.State.From == d.State.To {
		return p.Text(What(d))
	}
	return p.Text("zone " + controllers.StateWord(d.State.From) + " → " + controllers.StateWord(d.State.To))
}

// change is what was before and after, where the decision is a change of one value.
func change(d *model.Decision) (before, after string, ok bool) {
	switch {
	case d.State.From != d.State.To:
		return d.State.From.String(), d.State.To.String(), true
	case d.Rate.From != d.Rate.To:
		return perSecond(d.Rate.From), perSecond(d.Rate.To), true
	}
	return "", "", false
}

func perSecond(rate float32) string { return model.Number(rate).String() + "/s" }

// taints are the keys and effects that a decision writes or takes off, without the domain
// of Kubernetes' own.
func taints(d *model.Decision, kind model.WriteKind) string {
	var list []string
	for i := range d.Writes {
		if w := &d.Writes[i]; w.Kind == kind {
			list = append(list, strings.TrimPrefix(w.Taint.Key, "node.kubernetes.io/")+":"+w.Taint.Effect.String())
		}
	}
	if list == nil {
		return "NoExecute"
	}
	return strings.Join(list, " and ")
}

func podsMarked(d *model.Decision) string {
	n := d.Written()
	if n == 0 && d.Rule == model.RuleNone {
		return "pods marked not ready" // a log does not say how many
	}
	return Counted(n, "pod") + " marked not ready"
}

// tolerated is how long the countdown is.
func tolerated(d *model.Decision) string {
	for i := range d.Checks {
		if left := d.Checks[i].Left; left.Kind == model.OperandDuration {
			return ": " + span(left.Int)
		}
	}
	return ""
}

// Counted is a number and what is counted: "1 pod", "3 pods".
func Counted(n int, what string) string { return model.Counted(n, what, what+"s") }

// Glyph shows how a decision is known: seen, inferred, reconstructed, predicted, or recorded later
// than the instant now.
func Glyph(d *model.Decision, now model.Instant, p *paint.Painter) (themes.Token, string) {
	switch {
	case d.Basis == model.Simulated || d.Outcome == model.Declined:
		return themes.Predicted, p.Glyphs.Predicted
	case later(d, now):
		return themes.Faint, p.Glyphs.Later
	case d.Basis == model.Observed:
		return themes.Text, p.Glyphs.Recorded
	case d.Basis == model.Reconstructed:
		return themes.Text, p.Glyphs.Reconstructed
	}
	return themes.Dim, p.Glyphs.Inferred
}

// later says that the recording tells of a decision only after the instant now.
func later(d *model.Decision, now model.Instant) bool {
	return now.Known() && forecast.TenseOf(d, now) == forecast.Later
}

// token is the colour of what was decided.
func token(d *model.Decision, now model.Instant) themes.Token {
	switch {
	case d.Basis == model.Simulated:
		return themes.Predicted
	case later(d, now):
		return themes.Faint
	case d.Outcome == model.Declined:
		return themes.Dim
	}
	switch d.Kind {
	case model.EvictPod, model.CollectPod, model.ScheduleEviction:
		return themes.Evict
	case model.MarkUnknown:
		return themes.Unknown
	case model.EnterMasterDisruption:
		return themes.Halted
	}
	return themes.Text
}
