package contract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/infer"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// Decisions are the controllers' decisions within a time, in order.
type Decisions struct {
	Caveats

	From Stamp `json:"from"`
	To   Stamp `json:"to"`
	// Mode is how hidden inputs were estimated: "calibrated" or "causal".
	Mode        string     `json:"mode"`
	Assumptions []string   `json:"assumptions"`
	Decisions   []Decision `json:"decisions"`

	// Began is the start of the recording, from which the table counts; unknown for no such column.
	Began model.Instant `json:"-"`
}

// Decision is one decision of a controller.
type Decision struct {
	ID   string `json:"id"`
	Time Stamp  `json:"time"`
	// Window is nil if Time is exact.
	Window *Window `json:"window,omitempty"`
	// TimeZoneAssumed: Time is by a clock of unknown time zone, taken as UTC.
	TimeZoneAssumed bool `json:"timeZoneAssumed,omitempty"`

	Controller string `json:"controller"`
	Kind       string `json:"kind"`
	Outcome    string `json:"outcome"`

	Node   *string `json:"node"`
	Zone   *string `json:"zone"`
	Region *string `json:"region"`
	Pod    *string `json:"pod"`

	// Rule is the rule's name, Spec its number in docs/rules.md.
	Rule   string   `json:"rule"`
	Spec   string   `json:"ruleNumber"`
	Why    string   `json:"why"`
	Checks []Check  `json:"checks"`
	Inputs []Input  `json:"inputs"`
	Causes []string `json:"causes"`
	// Effect is its writes, in words, in the order they are sent.
	Effect      []string  `json:"effect"`
	LeavesTrace bool      `json:"leavesTrace"`
	Basis       string    `json:"basis"`
	Observed    *Observed `json:"observed"`
	// Gone is by when the deleted pod was gone from the API, within GoneWindow.
	Gone       Stamp   `json:"gone"`
	GoneWindow *Window `json:"goneWindow,omitempty"`

	subject string
}

// Check is one comparison. The operands are text with their unit.
type Check struct {
	What  string `json:"what"`
	Left  string `json:"left"`
	Op    string `json:"op"`
	Right string `json:"right"`
	Holds bool   `json:"holds"`
}

// Input refers to a Change that a decision rests on.
type Input struct {
	What            string  `json:"what"`
	Kind            string  `json:"kind"`
	Namespace       *string `json:"namespace"`
	Name            string  `json:"name"`
	ResourceVersion *uint64 `json:"resourceVersion"`
	At              Stamp   `json:"at"`
	// Position counts the Changes of the timeline from 0; nil for anything else.
	Position *int `json:"position"`
}

// Observed is where a decision's effect was seen. It had been written by Time.
type Observed struct {
	Time     Stamp   `json:"time"`
	Window   *Window `json:"window,omitempty"`
	Evidence []Input `json:"evidence"`
	// Writer wrote it. By is evidence against that: another user agent, or an Event of another component.
	Writer    *string    `json:"writer"`
	By        *string    `json:"by"`
	Requester *Requester `json:"requester"`
}

// Requester is the sender of a request by an audit log: user, user agent and addresses.
type Requester struct {
	User      *string `json:"user"`
	UserAgent *string `json:"userAgent"`
	Address   *string `json:"address"`
}

// RequesterOf reports a sender; nil of nil.
func RequesterOf(r *model.Requester) *Requester {
	if r == nil {
		return nil
	}
	return &Requester{text(r.User), text(r.Agent), text(r.Address)}
}

func (d *Decision) written(w *infer.Write) {
	if d.Observed != nil {
		d.Observed.Writer, d.Observed.By, d.Observed.Requester = known(w.Writer != model.WriterUnknown, w.Writer.String()), text(w.By), RequesterOf(w.Requester)
	}
}

// DecisionOf reports one decision.
func DecisionOf(d *model.Decision) Decision {
	out := Decision{
		ID:     d.ID.String(),
		Time:   Stamp(d.Time),
		Window: inexact(d.Window),

		TimeZoneAssumed: d.ZoneAssumed,

		Controller:  d.Controller.String(),
		Kind:        d.Kind.String(),
		Outcome:     d.Outcome.String(),
		Node:        text(d.Node),
		Zone:        known(d.Zone.Known, d.Zone.Value.Zone),
		Region:      known(d.Zone.Known, d.Zone.Value.Region),
		Pod:         known(d.Pod != model.Key{}, d.Pod.String()),
		Rule:        d.Rule.String(),
		Spec:        d.Rule.Spec(),
		Why:         topics.Why(d).String(),
		Checks:      checksOf(d.Checks),
		Inputs:      each(d.Inputs, inputOf),
		Causes:      each(d.Causes, model.DecisionID.String),
		Effect:      each(d.Writes, func(w model.Write) string { return w.String() }),
		LeavesTrace: d.LeavesTrace,
		Basis:       d.Basis.String(),
		subject:     d.Subject(),
	}
	if o := d.Observed; o != nil {
		out.Observed = &Observed{Time: Stamp(o.Time.Latest), Window: inexact(o.Time), Evidence: each(o.Evidence, inputOf)}
	}
	return out
}

// inexact is the window of a time, nil if it is exact. A time that never comes has a window without ends.
func inexact(v model.Interval) *Window {
	if v.Earliest == v.Latest && v.Earliest != model.FarFuture {
		return nil
	}
	return window(v)
}

func checksOf(checks []model.Check) []Check {
	return each(checks, func(c model.Check) Check {
		left, right := c.Sides()
		return Check{topics.Compared(&c).String(), left, c.Op.String(), right, c.Holds}
	})
}

func inputOf(in model.Input) Input {
	return Input{
		What:            topics.Input(&in).String(),
		Kind:            in.Kind.String(),
		Namespace:       text(in.Key.Namespace),
		Name:            in.Key.Name,
		ResourceVersion: known(in.Version != 0, in.Version),
		At:              Stamp(in.At),
		Position:        known(in.Position > 0, in.Position-1),
	}
}

// WriteLines writes the decisions alone, one JSON object a line.
func (d Decisions) WriteLines(w io.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for i := range d.Decisions {
		b.Reset()
		if err := enc.Encode(&d.Decisions[i]); err != nil {
			return err
		}
		if _, err := w.Write(paint.JSON(b.Bytes())); err != nil {
			return err
		}
	}
	return nil
}

// Doc implements Printed.
func (d Decisions) Doc(wide bool) doc.Doc {
	untold, at := false, millis
	if n := len(d.Decisions); n > 0 && !wide && day(d.Decisions[0].Time) == day(d.Decisions[n-1].Time) {
		at = func(s Stamp) string { return strings.TrimPrefix(millis(s), day(s)) }
	}
	t := &doc.Grid{Head: []string{"TIME", "AT", "WITHIN", "KIND", "SUBJECT", "NODE", "OUTCOME", "BASIS", "WROTE", "RULE", "WHY"}}
	for i := range d.Decisions {
		row := &d.Decisions[i]
		who := row.writerWord()
		untold = untold || who == unknown
		t.Add(at(row.Time), sinceBegin(d.Began, row.Time), row.within(), row.kindWord(), row.subject, or(row.Node, none), row.Outcome, row.Basis, who, row.ruleWord(wide), row.whyWord())
	}
	out := tableOf(t, wide, "AT", "NODE", "OUTCOME", "WROTE", "WHY")
	if untold && wide {
		out.Named("WROTE "+unknown, topics.WriterUntold())
	}
	return out
}

// ruleWord is the rule, or in the narrow table the new state or rate of a zone.
func (d *Decision) ruleWord(wide bool) string {
	if (d.Kind == model.ZoneState.String() || d.Kind == model.SetRate.String()) && !wide {
		return d.whyWord()
	}
	return cmp.Or(d.Rule, none)
}

// day is the date of a time, as the start of millis.
func day(s Stamp) string {
	date, _, _ := strings.Cut(millis(s), "T")
	return date + "T"
}

func (d *Decision) kindWord() string {
	if d.Outcome == model.Did.String() {
		return d.Kind
	}
	return d.Kind + " " + d.Outcome
}

func (d *Decision) writerWord() string {
	switch o := d.Observed; {
	case o == nil:
		return none
	case o.By != nil:
		return *o.By
	case o.Writer == nil:
		return unknown
	default:
		return *o.Writer
	}
}

// whyWord is why in words, else by its comparisons.
func (d *Decision) whyWord() string {
	if model.Instant(d.Gone).Bounded() {
		gone := *d
		gone.Gone = 0
		return gone.whyWord() + "; gone " + millis(d.Gone)
	}
	if d.Why != "" && d.Kind != model.MarkUnknown.String() {
		return d.Why
	}
	entries := each(d.Checks, Check.String)
	if d.Why != "" {
		entries = append(entries, d.Why)
	}
	return list(entries)
}

// String is the check as a person reads it.
func (c Check) String() string {
	out := c.What + " " + c.Left + " " + c.Op + " " + c.Right
	if !c.Holds {
		out += " (no)"
	}
	return out
}

func millis(s Stamp) string {
	i := model.Instant(s)
	if !i.Bounded() {
		return unknown
	}
	return i.Time().Format("2006-01-02T15:04:05.000Z")
}

// sinceBegin is the time since a start, as --at takes it.
func sinceBegin(began model.Instant, s Stamp) string {
	i := model.Instant(s)
	if !i.Bounded() || !began.Bounded() {
		return unknown
	}
	d := i.Sub(began).Round(100 * time.Millisecond)
	if d < 0 {
		return d.String()
	}
	return "+" + d.String()
}

func (d *Decision) within() string {
	switch {
	case !d.TimeZoneAssumed:
		return withinWord(d.Window)
	case d.Window == nil:
		return "zone assumed"
	}
	return withinWord(d.Window) + ", zone assumed"
}

func withinWord(v *Window) string {
	if v == nil {
		return "exact"
	}
	w := model.Interval{Earliest: model.Instant(v.Earliest), Latest: model.Instant(v.Latest)}
	if !w.Bounded() {
		return unknown
	}
	return w.Width().Round(time.Millisecond).String()
}

// AfterDecision reports one decision with its consequences.
func AfterDecision(d *model.Decision, a *incident.Aftermath) Decision {
	row := DecisionOf(d)
	if w := a.Wrote[d.ID]; w != nil {
		row.written(w)
	} else if d.Told() && d.Window.Width() == 0 { // its own log shows it
		row.written(&infer.Write{Writer: map[bool]model.Writer{true: model.WriterTaintEviction, false: model.WriterNodeLifecycle}[d.Controller == model.TaintEviction]})
	}
	if v, ok := a.Gone[d.ID]; ok {
		row.Gone, row.GoneWindow = Stamp(v.Latest), inexact(v)
	}
	return row
}
