package learn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
	"kardia/themes"
	"kardia/ui/learn/sitting"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// textWidth is the greatest width of text: longer lines are hard to read.
const textWidth = 100

// body is what is below the lanes: the text of the step, and the answer.
type body struct {
	rows []paint.Row
	// answer is the first row of the answer, and why the one after its explanation; 0 before there is one.
	answer, why int
}

// top is the row that comes first on a screen with so many rows: the answer if its explanation would not fit below the
// question. There are enough rows below it to let it come first.
func (b *body) top(room int) int {
	if b.why <= room {
		return 0
	}
	for len(b.rows) < b.answer+room {
		b.rows = append(b.rows, paint.Row{})
	}
	return b.answer
}

func (m *Model) body() (all body) {
	width := min(m.width-2, textWidth)
	if large := m.bigRows(); large != nil {
		width = min(width, m.width-3-large[0].Width)
	}
	b, _ := m.sitting.Beat()
	t := m.sitting.Text(m.Language)
	rows := all.rows
	if m.notes && t.Notes.Text != "" {
		rows = append(m.said("notes", themes.Gap, m.say(b, t.Notes, ""), width), paint.Row{})
	}
	if b.Kind != lesson.RunUntil || m.run == nil { // it shows the events by then
		rows = append(rows, m.indent(m.md.rows(m.say(b, t.Body, ""), width-1))...)
	}
	switch {
	case b.Question == nil:
	case m.sitting.Asking():
		rows = append(append(rows, paint.Row{}), m.askRows(b, t, width)...)
	case m.run == nil:
		question := len(rows) + 1
		rows = append(append(rows, paint.Row{}), m.answerRows(b, t, width)...)
		if !m.notes {
			all.answer, all.why = question, len(rows)
		}
		rows = append(rows, m.proofRows(b, width)...)
	}
	all.rows = append(rows, m.endRows()...)
	return all
}

// endRows are the score at the end of a lesson, and the key to the next one.
func (m *Model) endRows() (rows []paint.Row) {
	if !m.ends() {
		return nil
	}
	if _, right, all := m.sitting.Score(); all > 0 && !m.sitting.Class {
		rows = append(rows, paint.Row{}, m.p.Line(m.width).Skip(1).Put(themes.Accent, m.words.Say("end.score", right, all)).Row())
	}
	if next := m.next(); next != nil {
		rows = append(rows, m.p.Line(m.width).Skip(1).Put(themes.Dim, m.words.Say("end.next", Label(next), m.p.Text(next.In(m.Language).Title))).Row())
	}
	return rows
}

// say answers the queries of a passage. The lesson was checked; an error is shown all the same.
func (m *Model) say(b *lesson.Beat, p lesson.Passage, option string) string {
	text, err := m.sitting.Stage.Say(b, p, option, m.Language)
	if err != nil {
		return err.Error()
	}
	return text
}

func (m *Model) indent(rows []paint.Row) []paint.Row {
	for i, r := range rows {
		rows[i] = m.p.Line(m.width).Skip(1).Append(r).Row()
	}
	return rows
}

// said is a text beside a word for its kind.
func (m *Model) said(name string, token themes.Token, text string, width int) []paint.Row {
	return m.labelled(m.words.Say(name), token, text, width)
}

func (m *Model) labelled(label string, token themes.Token, text string, width int) (rows []paint.Row) {
	edge := 11
	for i, r := range m.md.rows(text, width-edge-1) {
		l := m.p.Line(m.width).Skip(1)
		if i == 0 {
			l.Put(token, label)
		}
		rows = append(rows, l.To(edge+1).Append(r).Row())
	}
	return rows
}

func (m *Model) askRows(b *lesson.Beat, t *lesson.BeatText, width int) (rows []paint.Row) {
	q := b.Question
	if !m.draft.isValue() {
		rows = m.optionRows(b, t, width)
	}
	switch q.Kind {
	case lesson.Order:
		rows = append(rows, paint.Row{}, m.p.Line(m.width).Skip(1).Put(themes.Dim, m.words.Say("order")).Row(),
			m.p.Line(m.width).Skip(1).Put(themes.Dim, m.words.Say("sofar")+"  ").Put(themes.Accent, m.letters(q, m.draft.order)).Row())
	case lesson.Time, lesson.Number:
		if v := m.sitting.Votes(); v == nil || !v.Closed {
			rows = append(rows, m.valueRow(q))
		}
	}
	if v := m.sitting.Votes(); v != nil {
		rows = append(rows, m.voteRows(b, v)...)
	}
	for i := range m.sitting.Hints() {
		rows = append(append(rows, paint.Row{}), m.said("hint", themes.Predicted, m.say(b, t.Hints[i], ""), width)...)
	}
	return rows
}

func (m *Model) valueRow(q *lesson.Question) paint.Row {
	text, how := "_", m.words.Say(q.Kind.String())
	if m.draft.set {
		text = m.value(m.draft.value)
	}
	if m.draft.typed != "" {
		text = m.draft.typed + "_  = " + text
	}
	return m.p.Line(m.width).Skip(1).Put(themes.Accent, m.p.Glyphs.Selected+" "+text).Skip(3).Put(themes.Dim, how).Row()
}

func (m *Model) value(v play.Value) string {
	return lesson.WordsOf(m.Language).Value(v, m.sitting.Stage.Lesson.Zero)
}

func (m *Model) letters(q *lesson.Question, order []string) string {
	var list []string
	for _, id := range order {
		i := slices.IndexFunc(q.Options, func(o lesson.Option) bool { return o.ID == id })
		list = append(list, string(rune('a'+i)))
	}
	return strings.Join(list, " "+m.p.Glyphs.Right+" ")
}

func (m *Model) optionRows(b *lesson.Beat, t *lesson.BeatText, width int) (rows []paint.Row) {
	q, key, a := b.Question, m.sitting.Key(), m.sitting.Answer()
	v := m.sitting.Votes()
	for i, o := range q.Options {
		text := o.ID
		if q.Kind != lesson.Node {
			text = m.say(b, t.Options[o.ID], o.ID)
		}
		mark, token := " ", themes.Dim
		switch {
		case a != nil && slices.Contains(key.Accepted, o.ID):
			mark, token = m.p.Glyphs.Yes, themes.Halted
		case a != nil && a.Option == o.ID:
			mark, token = m.p.Glyphs.No, themes.Warn
		case a == nil && i == m.draft.option, slices.Contains(m.draft.order, o.ID):
			mark, token = m.p.Glyphs.Selected, themes.Accent
		}
		room := width - 6
		if v != nil {
			room = min(room, m.width/2)
		}
		for k, r := range m.md.rows(text, room) {
			l := m.p.Line(m.width)
			if k == 0 {
				l.Skip(1).Glyph(token, mark).Skip(1).Put(themes.Accent, string(rune('a'+i))).Skip(2)
			}
			l.To(6).Append(r)
			if k == 0 && v != nil && (a != nil || !secret(v)) {
				m.bar(l.To(m.width/2+8), v, o.ID, width)
			}
			rows = append(rows, l.Row())
		}
	}
	return rows
}

// secret hides the votes of the others until the second vote is counted.
func secret(v *sitting.Votes) bool { return !v.Closed || v.Before == nil }

// bar is the votes of an option, now and before.
func (m *Model) bar(l *paint.Line, v *sitting.Votes, option string, width int) {
	most := 1
	for _, a := range v.Answers {
		most = max(most, v.For(a.Option))
	}
	n := v.For(option)
	room := max(width-l.Width()-10, 4)
	l.Put(themes.Accent, fmt.Sprintf("%3d ", n)).Repeat(themes.Accent, m.p.Glyphs.Full, n*room/most)
	if v.Before != nil {
		l.Skip(1).Put(themes.Dim, fmt.Sprintf("(%d)", v.Before.For(option)))
	}
}

// voteRows are the state of the vote, and a request to discuss if about half are right.
func (m *Model) voteRows(b *lesson.Beat, v *sitting.Votes) (rows []paint.Row) {
	l := m.p.Line(m.width).Skip(1).Put(themes.Text, m.words.Say("votes", v.Count()))
	if v.Before != nil {
		l.Skip(2).Put(themes.Dim, m.words.Say("again"))
	}
	rows = append(rows, paint.Row{}, l.Row())
	if v.Count() > 0 && !b.Question.Lists() && !secret(v) {
		var list []string
		for _, a := range v.Answers {
			list = append(list, m.value(a.Value))
		}
		rows = append(rows, m.p.Folded(m.p.Line(m.width-27).Skip(3), themes.Dim, strings.Join(list, "  "))...)
	}
	if v.Closed && v.Discuss(b.Question, m.sitting.Key()) {
		rows = append(rows, m.p.Line(m.width).Skip(1).Put(themes.Warn, m.words.Say("discuss")).Row())
		rows = append(rows, m.p.Folded(m.p.Line(m.width/2+1).Skip(1), themes.Dim, m.words.Say("discuss.why"))...)
	}
	return rows
}

// answerRows are the result of the answer: whether it is right, and why.
func (m *Model) answerRows(b *lesson.Beat, t *lesson.BeatText, width int) (rows []paint.Row) {
	q, a := b.Question, m.sitting.Answer()
	rows = m.verdictRows(b, a)
	if q.Lists() {
		rows = append(rows, m.optionRows(b, t, width)...)
	}
	if q.Kind == lesson.Order {
		for i, id := range m.sitting.Key().Sequence(q, 0) {
			rows = append(rows, m.labelled(fmt.Sprintf("%d", i+1), themes.Accent, m.say(b, t.Options[id], id), width)...)
		}
	}
	if trap, ok := t.Traps[a.Trap]; ok {
		rows = append(append(rows, paint.Row{}), m.labelled("!", themes.Warn, m.say(b, trap, a.Trap), width)...)
	}
	return append(append(rows, paint.Row{}), m.said("why", themes.Accent, m.say(b, t.Why, ""), width)...)
}

// proofRows are the rule of an answer, and a real control plane's case.
func (m *Model) proofRows(b *lesson.Beat, width int) (rows []paint.Row) {
	if d := m.sitting.Stage.Decision(b); d != nil {
		rows = append(rows, m.ruleRows(b, d, width)...)
	}
	if real := b.Question.Real; real != (lesson.Real{}) {
		rows = append(rows, m.said("real", themes.Live, m.words.Say("real.open", real.Demo), width)...)
	}
	return rows
}

// ruleRows are the deciding rule, the compared values, and its place in Kubernetes' source.
func (m *Model) ruleRows(b *lesson.Beat, d *model.Decision, width int) (rows []paint.Row) {
	rows = append(rows, m.said("rule", themes.Accent, topics.RuleName(d.Rule)+": "+topics.Rule(d.Rule).In(m.p), width)...)
	for i := range d.Checks {
		rows = append(rows, m.said("compared", themes.Dim, m.compared(b, d, d.Checks[i]), width)...)
	}
	if source := topics.DecisionSource(d); source != "" {
		version := m.sitting.Stage.Lesson.Branches[""].Scenario.Params.Version
		rows = append(rows, m.said("source", themes.Dim, source+", "+version.String(), width)...)
	}
	return rows
}

// compared is the values that a decision compared, with its times in the lesson's time. A decision before the current
// step also has when, because the text beside it is about now.
func (m *Model) compared(b *lesson.Beat, d *model.Decision, c model.Check) string {
	l := m.sitting.Stage.Lesson
	after := func(at model.Instant) time.Duration { return at.Sub(l.Branches[b.Branch].Scenario.Start) }
	for _, o := range []*model.Operand{&c.Left, &c.Right} {
		if at := model.Instant(o.Int); o.Kind == model.OperandInstant && at.Bounded() {
			*o = model.Text(instant(after(at) - l.Zero))
		}
	}
	if at := after(d.Time); at < m.sitting.Began() {
		return m.words.Say("compared.at", instant(at-l.Zero), topics.Check(&c).In(m.p))
	}
	return topics.Check(&c).In(m.p)
}

func (m *Model) verdictRows(b *lesson.Beat, a *sitting.Answer) []paint.Row {
	q, key, n := b.Question, m.sitting.Key(), m.sitting.Stage.Plays
	l := m.p.Line(m.width).Skip(1)
	switch a.Verdict {
	case sitting.Right:
		l.Put(themes.Halted, m.p.Glyphs.Yes+" "+m.words.Say("right"))
	case sitting.Near:
		l.Put(themes.Halted, m.p.Glyphs.Yes+" "+m.words.Say("near", n))
	default:
		l.Put(themes.Warn, m.p.Glyphs.No+" "+m.words.Say("wrong"))
	}
	rows := []paint.Row{}
	switch q.Kind {
	case lesson.Time, lesson.Number:
		if a.Verdict == sitting.Wrong && key.Range.Low != key.Range.High {
			l.Skip(2).Put(themes.Dim, m.words.Say("off", m.value(a.Off)))
		}
		rows = append(rows, l.Row())
		window := lesson.WordsOf(m.Language).Range(key.Range, 0)
		line := m.p.Line(m.width).Skip(1).Put(themes.Accent, m.who()+" "+m.value(a.Value)).Skip(3).
			Put(themes.Evict, m.words.Say("control")+" "+m.value(key.Value))
		if window = m.words.Say("window", n) + " " + window; line.Rest() < paint.Width(window)+3 {
			rows = append(rows, line.Row())
			line = m.p.Line(m.width).Skip(1).Put(themes.Dim, window)
		} else {
			line.Skip(3).Put(themes.Dim, window)
		}
		rows = append(rows, line.Row())
	default:
		if len(key.Accepted) > 1 {
			l.Skip(2).Put(themes.Dim, m.words.Say("races", n))
		} else if q.Kind != lesson.Order && a.Verdict == sitting.Wrong {
			l.Skip(2).Put(themes.Dim, m.words.Say("noplay", n))
		} else if q.Kind != lesson.Order {
			l.Skip(2).Put(themes.Dim, m.words.Say("one", n))
		}
		rows = append(rows, l.Row())
	}
	return rows
}

// marks are the guess of a time on the lanes, and beside it the controller's.
func (m *Model) marks(v *stageView, b *lesson.Beat) (rows []paint.Row) {
	q := b.Question
	if q == nil || q.Kind != lesson.Time {
		return nil
	}
	from, err := v.play.Answer(q.From)
	if err != nil {
		return nil
	}
	a := m.sitting.Answer()
	switch {
	case a != nil:
		rows = append(rows, v.mark(themes.Accent, from.Time+a.Value.Time, 0, 0, m.who()+" "+m.value(a.Value)))
	case m.draft.set:
		rows = append(rows, v.mark(themes.Accent, from.Time+m.draft.value.Time, 0, 0, m.who()+" "+m.value(m.draft.value)))
	default:
		rows = append(rows, paint.Row{})
	}
	if a == nil || m.run != nil {
		return append(rows, paint.Row{})
	}
	key := m.sitting.Key()
	return append(rows, v.mark(themes.Evict, from.Time+key.Value.Time, from.Time+key.Range.Low.Time, from.Time+key.Range.High.Time, m.words.Say("control")+" "+m.value(key.Value)))
}

// who is whose guess is on the screen.
func (m *Model) who() string {
	if m.sitting.Class {
		return m.words.Say("class.mark")
	}
	return m.words.Say("you")
}

func (m *Model) decisionRows(e *play.Event, l *lesson.Lesson) []paint.Row {
	d := e.Decision
	row := m.p.Line(m.width).Skip(1).Put(themes.Accent, m.p.Glyphs.Now+" "+instant(e.At-l.Zero)).Skip(2).Put(themes.Text, d.Kind.String()).Skip(1).
		Put(themes.Text, m.p.Text(d.Subject())).Skip(2).Put(themes.Dim, topics.RuleName(d.Rule))
	return append([]paint.Row{row.Row()}, m.p.Folded(m.p.Line(m.width-1).Skip(3), themes.Dim, topics.Why(d).In(m.p))...)
}

// bigRows are for the last row of a class: the number of votes, of right ones, or the time.
func (m *Model) bigRows() []paint.Row {
	if m.help || m.sitting == nil || !m.sitting.Class || m.run == nil && m.height < 24 {
		return nil
	}
	text, token := model.Clock((m.now() - m.sitting.Stage.Lesson.Zero).Round(time.Second)), themes.Accent
	b, _ := m.sitting.Beat()
	if v := m.sitting.Votes(); v != nil {
		// The number of right answers comes after the answer: before, it would reveal the right option.
		switch n := v.Count(); {
		case n == 0:
		case m.sitting.Asking():
			text = fmt.Sprint(n)
		default:
			text, token = fmt.Sprintf("%d%%", (v.Right(b.Question, m.sitting.Key())*100+n/2)/n), themes.Warn
		}
	}
	return big(m.p, token, text)
}
