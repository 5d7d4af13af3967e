package postmortem

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
	"kardia/ui/report"
)

// Silence is a time in which the control plane did not hear a node, and said so.
type Silence struct {
	Node string  `json:"node"`
	Zone *string `json:"zone"`
	// Last is the last sign of life before it, by the kubelet's clock, and LastWas what that was.
	Last    report.Stamp `json:"last"`
	LastWas string       `json:"lastWas"`
	// Declared is when the control plane declared it, within Window.
	Declared report.Stamp   `json:"declared"`
	Window   *report.Window `json:"window"`
	Decision string         `json:"decision"`
	Basis    string         `json:"basis"`
	// CountedSeconds is the silence that the controller had counted then, SilentSeconds the true one.
	CountedSeconds report.Seconds `json:"countedSeconds"`
	SilentSeconds  report.Seconds `json:"silentSeconds"`
	// Back is the first sign of life after it, by the kubelet's clock: null where none came. Of one
	// that stood when the data begins it is the latest it can have been.
	Back         report.Stamp `json:"back"`
	BackAtLatest bool         `json:"backAtLatest"`
	// WholeSeconds is from Last to Back.
	WholeSeconds report.Seconds `json:"wholeSeconds"`
	// ReadyAgain is when the API had Ready=True again, Gone when the Node object was deleted.
	ReadyAgain report.Stamp `json:"readyAgain"`
	Gone       report.Stamp `json:"gone"`

	last, back, ready model.Instant
	declared          model.Interval
	decision          *model.Decision
}

// silent is the true silence at the declaration, within what the window leaves.
func (s *Silence) silent() string {
	if !s.SilentSeconds.Known {
		return "not known"
	}
	if w := s.declared.Width(); w < 200*time.Millisecond {
		return length(s.SilentSeconds.Value)
	}
	return lengths(s.declared.Earliest.Sub(s.last), s.declared.Latest.Sub(s.last))
}

// until is how the silence ended.
func (s *Silence) until() string {
	switch {
	case s.back.Bounded() && s.BackAtLatest:
		return "by " + clock(s.back)
	case s.back.Bounded():
		return clock(s.back)
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
		"that saw the last sign of life, so its count lags behind the true silence by up to one pass; it declares a node when its count is above the grace period.")
	t := &table{head: []string{"Node", "Zone", "Last heard", "Declared Unknown", "Controller's count", "True silence then", "Heard again", "Silent in all", "Ready again"}}
	for i := range r.Silences[:min(len(r.Silences), most)] {
		s := &r.Silences[i]
		ready := "not seen"
		until := s.until()
		if s.ready.Bounded() {
			ready = clock(s.ready)
		}
		if !r.scan.seesNodes {
			until, ready = "not known", "not known"
		}
		whole := span(s.WholeSeconds)
		if !s.back.Bounded() && s.last.Bounded() && !r.captured && !model.Instant(s.Gone).Bounded() {
			whole = "at least " + length(r.scan.scope.To.Sub(s.last))
		}
		t.add(s.Node, or(s.Zone, "not known"), clock(s.last), clock(model.Instant(s.Declared)), counts(s.CountedSeconds), s.silent(), until, whole, ready)
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

// counts prints the controller's count to a hundredth of a second: it is compared with a whole number.
func counts(s report.Seconds) string {
	if !s.Known {
		return "not known"
	}
	return strconv.FormatFloat(s.Value.Round(10*time.Millisecond).Seconds(), 'f', 2, 64) + " s"
}
