package postmortem

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/loss"
	"kardia/ui/report"
)

// Silence is a time in which the control plane did not hear a node, and said so.
type Silence struct {
	Node string  `json:"node"`
	Zone *string `json:"zone"`
	// Last is the last sign of life before it, by the kubelet's clock, and LastWas what that was. ClockOffSeconds is how
	// far that clock was ahead of the one that heard it, way and server included; null where that is not known.
	Last            report.Stamp   `json:"last"`
	LastWas         string         `json:"lastWas"`
	ClockOffSeconds report.Seconds `json:"clockOffSeconds"`
	// Unheeded says that the node was not silent: it renewed its lease by a clock that had been set back, which does
	// not count.
	Unheeded bool `json:"clockSetBack"`
	// Declared is when the control plane declared it, within Window.
	Declared report.Stamp   `json:"declared"`
	Window   *report.Window `json:"window"`
	Decision string         `json:"decision"`
	Basis    string         `json:"basis"`
	// CountedSeconds is the silence that the controller had counted then, SilentSeconds the true one. CountedFrom is
	// what it counted from, where that was no sign of life.
	CountedSeconds report.Seconds `json:"countedSeconds"`
	CountedFrom    *string        `json:"countedFrom"`
	SilentSeconds  report.Seconds `json:"silentSeconds"`
	// Back is the first sign of life after it, by the kubelet's clock: null where none came. Of one
	// that stood when the data begins it is the latest it can have been.
	Back         report.Stamp `json:"back"`
	BackAtLatest bool         `json:"backAtLatest"`
	// WholeSeconds is from Last to Back, by the clock that heard them where the kubelet's is off.
	WholeSeconds report.Seconds `json:"wholeSeconds"`
	// ReadyAgain is when the API had Ready=True again, Gone when the Node object was deleted.
	ReadyAgain report.Stamp `json:"readyAgain"`
	Gone       report.Stamp `json:"gone"`

	last, back loss.Beat
	ready      model.Instant
	declared   model.Interval
	decision   *model.Decision
	counted    time.Duration // the least that the true silence was: what was counted from the last sign of life; 0 where that is not known
}

// silent is the true silence at the declaration, within what the window leaves.
func (s *Silence) silent() string {
	if !s.SilentSeconds.Known {
		return "not known"
	}
	return lengths(s.silentBetween())
}

// silentBetween is between which lengths the true silence was at the declaration.
func (s *Silence) silentBetween() (least, most time.Duration) {
	if w := s.declared.Width(); w < 200*time.Millisecond {
		return s.SilentSeconds.Value, s.SilentSeconds.Value
	}
	return max(s.declared.Earliest.Sub(s.last.At()), s.counted), max(s.declared.Latest.Sub(s.last.At()), s.counted)
}

// isBack says that the node was heard again.
func (s *Silence) isBack() bool { return s.back.Says.Bounded() }

// beat says that the node was heard before and after its declaration without two renewals missing: it was not silent.
func (s *Silence) beat() bool {
	return s.isBack() && s.WholeSeconds.Known && s.WholeSeconds.Value < model.LateAfter
}

// until is how the silence ended.
func (s *Silence) until() string {
	switch {
	case s.isBack() && s.BackAtLatest:
		return "by " + clock(s.back.Says)
	case s.isBack():
		return says(s.back)
	case model.Instant(s.Gone).Bounded():
		return "node deleted " + clock(model.Instant(s.Gone))
	}
	return "not heard again"
}

func (r *Report) tellSilences() chapter {
	c := chapter{title: "Silence, node by node"}
	if len(r.Silences) == 0 {
		c.say(r.nothing("No node was declared Unknown in what the report covers."))
		return c
	}
	c.say("From the last sign of life to the first one after it, both by the kubelet's own clock. The controller counts from the pass of its monitor " +
		"that saw the last sign of life, so its count lags behind the true silence by up to one pass, and by more where it restarted, or counted a lease again after a status; it declares a node when its count is above the grace period. What is sent is seen afterwards: where the count started with the last heartbeat, the true silence is no less, whatever clocks and windows leave.")
	shown := r.Silences[:min(len(r.Silences), most)]
	t := &table{head: []string{"Node", "Zone", "Last heard", "Declared Unknown", "Controller's count", "True silence then", "Heard again", "Silent in all", "Ready again"}}
	anew, off := false, false
	for i := range shown {
		s := &shown[i]
		anew, off = anew || s.CountedFrom != nil && s.CountedSeconds.Known, off || s.last.IsOff() || s.back.IsOff()
		ready := "not seen"
		until := s.until()
		if s.ready.Bounded() {
			ready = clock(s.ready)
		}
		if !r.scan.seesNodes {
			until, ready = "not known", "not known"
		}
		whole := span(s.WholeSeconds)
		if !s.isBack() && s.last.Says.Bounded() && !r.captured && !model.Instant(s.Gone).Bounded() {
			whole = "at least " + length(r.scan.scope.To.Sub(s.last.At()))
		}
		heard := says(s.last)
		if s.Unheeded {
			heard += ", then by a clock that was set back"
		}
		t.add(s.Node, or(s.Zone, "not known"), heard, clock(model.Instant(s.Declared)), s.countWords(), s.silent(), until, whole, ready)
	}
	if anew {
		c.say("If it had not seen a heartbeat itself, it counts from the event named behind its count: a restart, its first sight of the node, or the end of master disruption.")
	}
	if off {
		c.say("Some of these clocks were off: what they say stands with how far they were from the clock that heard them, way and server included. The silences are by the clock that heard them.")
	}
	c.put(t)
	if more := len(r.Silences) - most; more > 0 {
		c.say(fmt.Sprintf("%d more are in the JSON.", more))
	}
	return c
}

// nothing is a sentence that says that something did not happen, where that is known.
func (r *Report) nothing(sentence string) string {
	if r.undecided == "" {
		return sentence
	}
	return "Not known: " + r.undecided + "."
}

// says is when a sign of life was sent by the kubelet's clock, and how far that was off, if it was.
func says(b loss.Beat) string {
	if !b.IsOff() {
		return clock(b.Says)
	}
	return clock(b.Says) + " (" + apart(b.Off.Value) + ")"
}

// countWords is the controller's count, and from what it counted where that is no sign of life.
func (s *Silence) countWords() string {
	if s.CountedFrom == nil || !s.CountedSeconds.Known {
		return counts(s.CountedSeconds)
	}
	return counts(s.CountedSeconds) + ", from the " + *s.CountedFrom
}

// counts prints the controller's count to a hundredth of a second: it is compared with a whole number.
func counts(s report.Seconds) string {
	if !s.Known {
		return "not known"
	}
	return strconv.FormatFloat(s.Value.Round(10*time.Millisecond).Seconds(), 'f', 2, 64) + " s"
}
