package decision

import (
	"fmt"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Panel tells one decision in full, by one grammar: what the controller decided, what it saw, what it asked,
// what that changed, how close it was, what came of it, whether the
// recording agrees, and where in Kubernetes the rule stands. Parts of which nothing is known
// are left out. j may be nil; decisions after the instant now are drawn as still to come.
func Panel(d *model.Decision, j *outlook.Judgement, now model.Instant, p *paint.Painter, width int) []paint.Row {
	w := &writer{p: p, width: max(width, 1), now: now}
	w.title(d)
	w.decided(d)
	w.saw(d)
	w.asked(d)
	w.beforeAfter(d)
	w.closeCall(d, j)
	w.next(d, j)
	w.checked(d, j)
	w.source(d, j)
	if d.Rule != model.RuleNone {
		w.text("RULE", themes.Dim, d.Rule.String()+": "+topics.Rule(d.Rule).In(w.p))
	}
	return w.rows
}

// writer writes rows one below the other.
type writer struct {
	p     *paint.Painter
	width int
	now   model.Instant
	rows  []paint.Row
}

// labelWidth is the column of the parts' names; below roomForLabels they are cut short by
// a smaller one.
const (
	labelWidth    = 12
	roomForLabels = 44
)

func (w *writer) indent() int {
	if w.width < roomForLabels {
		return 2
	}
	return labelWidth
}

func (w *writer) add(l *paint.Line) { w.rows = append(w.rows, l.Row()) }

func (w *writer) line() *paint.Line { return w.p.Line(w.width) }

func (w *writer) blank() { w.rows = append(w.rows, paint.Row{}) }

// says is an instant that an object tells: with its date where that is not the one shown.
func (w *writer) says(at model.Instant) string {
	if onAnotherDay(at, w.now) {
		return w.p.DateTime(at)
	}
	return w.p.ClockTenths(at)
}

// part begins a part: its name stands in a column, or above it where there is no room.
func (w *writer) part(name string) *paint.Line {
	l := w.line().Put(themes.Accent, name)
	if w.indent() < labelWidth {
		w.add(l)
		return w.line().To(w.indent())
	}
	return l.To(labelWidth)
}

// more is a further line of a part.
func (w *writer) more() *paint.Line { return w.line().To(w.indent()) }

// text writes a part of running text, which is cleaned and folded.
func (w *writer) text(name string, token themes.Token, text string) {
	w.foldedAfter(w.part(name), token, text, w.indent())
}

// title is the decision in a line.
func (w *writer) title(d *model.Decision) {
	mark, glyph := Glyph(d, w.now, w.p)
	l := w.line().Glyph(mark, glyph).Skip(1).Put(themes.Dim, Time(d, w.now, w.p)).Skip(2)
	l.Put(themes.Text, w.p.Middle(w.p.Text(d.Subject()), max(w.width/2, 8))).Skip(2)
	what := w.p.Text(topics.What(d))
	if paint.Width(what) > l.Rest() && l.Rest() < w.width/2 {
		w.add(l)
		l = w.line().Skip(2)
	}
	w.add(l.Put(token(d, w.now), what))
}

// saw are the facts as the controller had them.
func (w *writer) saw(d *model.Decision) {
	if d.Told() {
		for _, e := range d.Observed.Evidence {
			w.text("STATED BY", themes.Text, topics.Input(&e).In(w.p))
		}
	}
	for i := range d.Inputs {
		l := w.more()
		if i == 0 {
			l = w.part("SAW")
		}
		w.foldedAfter(l, themes.Text, w.fact(&d.Inputs[i]), w.indent())
	}
}

// fact is one input in words.
func (w *writer) fact(in *model.Input) string {
	text := in.Kind.String() + " " + in.Key.String()
	if in.What > model.InputPod {
		text = topics.Input(in).In(w.p) + ": " + text
	}
	if in.Version != 0 {
		text += fmt.Sprintf(", version %d", in.Version)
	}
	if in.At.Bounded() {
		text += ", says " + w.says(in.At)
	}
	return w.p.Text(text)
}

// asked are the comparisons in the order they were made.
func (w *writer) asked(d *model.Decision) {
	if len(d.Checks) == 0 {
		return
	}
	w.checks(d.Checks, w.part("CHECKS"), w.indent())
}

// checks writes comparisons in columns, the first into l, the others below it.
func (w *writer) checks(list []model.Check, l *paint.Line, indent int) {
	questions, answers := make([]string, len(list)), make([]string, len(list))
	widest, widestAnswer := 0, 0
	for i := range list {
		questions[i], answers[i] = Question(&list[i], w.p)
		widest = max(widest, paint.Width(questions[i]))
		widestAnswer = max(widestAnswer, paint.Width(answers[i]))
	}
	room := max(w.width-indent, 8)
	narrow := widest+widestAnswer+6 > room
	for i := range list {
		mark, token := w.p.Glyphs.No, themes.Dim
		if list[i].Holds {
			mark, token = w.p.Glyphs.Yes, themes.Text
		}
		if narrow { // the answer stands below the question
			w.foldedAfter(l, themes.Dim, questions[i], indent)
			w.add(w.line().To(indent).Skip(2).Glyph(token, mark).Skip(1).Put(themes.Text, answers[i]))
		} else {
			w.add(l.Left(themes.Dim, questions[i], widest+2).Left(themes.Text, answers[i], widestAnswer+2).Glyph(token, mark))
		}
		l = w.line().To(indent)
	}
}

// Question is a check as it was asked, and the answer it got.
func Question(c *model.Check, p *paint.Painter) (asked, answer string) {
	left, right := operand(c.Left, p), operand(c.Right, p)
	for _, fraction := range [...]string{".000", ".999999999"} {
		if left == right && c.Hidden() { // rounding would hide what decides
			left, right = exactly(c.Left, p, fraction), exactly(c.Right, p, fraction)
		}
	}
	return p.Text(topics.Compared(c).In(p) + " " + c.Op.String() + " " + right + " ?"), p.Text(left)
}

// operand prints one side of a check as a person reads it.
func operand(o model.Operand, p *paint.Painter) string {
	switch o.Kind {
	case model.OperandDuration:
		return topics.Span(time.Duration(o.Int))
	case model.OperandInstant:
		if i := model.Instant(o.Int); i.Bounded() {
			return p.ClockTenths(i)
		} else if i == model.FarFuture {
			return "never"
		}
		return "?"
	case model.OperandNumber:
		return topics.Number(o.Float)
	}
	return o.String()
}

// exactly prints one side of a check without rounding, an instant with a fraction of a second.
func exactly(o model.Operand, p *paint.Painter, fraction string) string {
	if i := model.Instant(o.Int); o.Kind == model.OperandInstant && i.Bounded() {
		return i.Time().In(p.Location).Format("15:04:05" + fraction + "Z07:00")
	}
	return o.String()
}

// decided is the outcome with its rule, and what is written for it.
func (w *writer) decided(d *model.Decision) {
	w.text("DECISION", token(d, w.now), words.Join(": ", topics.Decision(d), topics.WhyBesides(d)).In(w.p))
	w.writes(d)
}

// maxWrites is how many requests of one decision are listed.
const maxWrites = 4

func (w *writer) writes(d *model.Decision) {
	for i := range d.Writes {
		if i == maxWrites && len(d.Writes) > maxWrites+1 {
			w.add(w.more().Put(themes.Dim, fmt.Sprintf("%s %d more requests", w.p.Glyphs.Ellipsis, len(d.Writes)-i)))
			return
		}
		l := w.more()
		if i == 0 {
			l = w.part("WRITES")
		}
		w.foldedAfter(l, themes.Text, d.Writes[i].String(), w.indent())
	}
}

// How many effects of a decision are told, and among how many later decisions they are
// looked for: what follows from one stands near it.
const (
	maxEffects = 3
	lookAhead  = 2000
)

// next is what came of the decision.
func (w *writer) next(d *model.Decision, j *outlook.Judgement) {
	effects, more := effectsOf(d, j.Decisions())
	for i, e := range effects {
		l := w.more()
		if i == 0 {
			l = w.part("NEXT")
		}
		when := "same pass"
		if e.Time != d.Time {
			when = "+" + topics.Span(e.Time.Sub(d.Time))
		}
		l.Put(themes.Dim, when+"  ")
		if e.Subject() != d.Subject() {
			l.Put(themes.Text, w.p.Middle(w.p.Text(e.Subject()), max(l.Rest()/2, 8))).Skip(2)
		}
		w.add(l.Put(token(e, w.now), w.p.Text(topics.What(e))))
	}
	if more > 0 {
		w.add(w.more().Put(themes.Dim, fmt.Sprintf("%s %d more", w.p.Glyphs.Ellipsis, more)))
	}
}

// effectsOf are the first decisions that have d among their causes, and how many more there
// are.
func effectsOf(d *model.Decision, all []model.Decision) (effects []*model.Decision, more int) {
	at := position(d, all)
	for i := at + 1; at >= 0 && i < min(at+lookAhead, len(all)); i++ {
		for _, id := range all[i].Causes {
			if id != d.ID {
				continue
			}
			if len(effects) < maxEffects {
				effects = append(effects, &all[i])
			} else {
				more++
			}
			break
		}
	}
	return effects, more
}

// position is where d stands in a list in order of time; -1 if it does not.
func position(d *model.Decision, all []model.Decision) int {
	for i := search(all, d.Time); i < len(all) && all[i].Time == d.Time; i++ {
		if all[i].ID == d.ID {
			return i
		}
	}
	return -1
}

// checked says whether the recording agrees with the model.
func (w *writer) checked(d *model.Decision, j *outlook.Judgement) {
	token, text := agreement(d, j, w.p)
	w.text("VERIFIED", token, text)
}

func agreement(d *model.Decision, j *outlook.Judgement, p *paint.Painter) (themes.Token, string) {
	switch {
	case d.Told():
		return themes.Text, "stated in a log only: no write was seen, and the models do not judge that time"
	case d.Observed != nil:
		text := "model and recording agree: the write was seen"
		if d.Observed.Time.Latest.Bounded() {
			text += ", made by " + p.ClockTenths(d.Observed.Time.Latest)
		}
		return themes.Text, text
	case d.Basis == model.Reconstructed:
		return themes.Text, "reconstructed from timestamps or Events: that time was not watched"
	case d.Basis == model.Simulated || d.Outcome == model.Declined:
		return themes.Predicted, "not yet, by the model"
	case unobserved(d, j):
		return themes.Warn, "by the model; the write it would leave was not seen"
	case !d.LeavesTrace:
		return themes.Dim, "inferred: it changes the controller's mind only, and no object shows it"
	}
	return themes.Dim, "inferred: no write was seen that shows it"
}

func unobserved(d *model.Decision, j *outlook.Judgement) bool {
	if j == nil || j.Result == nil {
		return false
	}
	for _, id := range j.Result.Unobserved {
		if id == d.ID {
			return true
		}
	}
	return false
}

// source is where the rule stands in Kubernetes.
func (w *writer) source(d *model.Decision, j *outlook.Judgement) {
	text := Source(d)
	if text == "" {
		return
	}
	if j != nil && j.Result != nil {
		if v := j.Result.Params.Version; v != (model.Version{}) {
			text += fmt.Sprintf(", kubernetes %s", v)
		}
	}
	w.text("SOURCE", themes.Dim, text)
}
