package learn

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/themes"
	"kardia/ui/glossary"
	"kardia/ui/paint"
)

func (m *Model) frame() []string {
	if m.width < 20 || m.height < 8 {
		return paint.Fill([]paint.Row{m.p.Line(m.width).Put(themes.Dim, m.words.Say("learn")).Row()}, m.height)
	}
	var head []paint.Row
	var text body
	switch {
	case m.help:
		head, text.rows = []paint.Row{m.titleRow(m.words.Say("words"), ""), m.p.Rule(m.width)}, m.helpRows()
	case m.sitting == nil:
		head = m.listHead()
	default:
		head, text = m.stageRows(), m.body()
	}
	room := max(m.height-len(head)-2, 0)
	if m.sitting == nil && !m.help {
		text.rows = m.listRows(room)
	}
	rows := append(head, m.shown(&text, room)...)
	for len(rows) < m.height-2 {
		rows = append(rows, paint.Row{})
	}
	rows = append(rows, m.footRule(), m.keyRow())
	return paint.Fill(rows, m.height)
}

// shown are the rows of a text that have room, as far as it is scrolled.
func (m *Model) shown(text *body, room int) []paint.Row {
	if top := text.top(room); m.scroll == toAnswer && m.run == nil {
		m.scroll = top
	}
	from := max(min(m.scroll, len(text.rows)-room), 0)
	if m.scroll != toAnswer {
		m.scroll = from
	}
	m.room, m.above, m.below = room, from, max(len(text.rows)-room-from, 0)
	rows := text.rows[from:min(from+room, len(text.rows))]
	if large := m.bigRows(); large != nil {
		rows = m.p.Beside(rows, m.width-1-large[0].Width, large, m.width, false)
	}
	return rows[:min(len(rows), room)]
}

func (m *Model) titleRow(title, end string) paint.Row {
	l := m.titleHead()
	l.Put(themes.Text, m.p.Truncate(title, m.titleRoom(end)))
	if n := paint.Width(end); n > 0 && l.Width()+n+2 <= m.width {
		l.To(m.width-n-1).Put(themes.Dim, end)
	}
	return l.Row()
}

func (m *Model) titleHead() *paint.Line {
	return m.p.Line(m.width).Put(themes.Live, " KARDIA ").Skip(1).Put(themes.Dim, m.words.Say("learn")).Skip(2)
}

func (m *Model) titleRoom(end string) int {
	return m.width - paint.Width(end) - 2 - m.titleHead().Width()
}

// footRule is the line above the keys; it shows whether the body continues below it.
func (m *Model) footRule() paint.Row {
	text := m.status
	switch {
	case m.held == "" && m.sitting != nil && m.sitting.Judging():
		text = m.runs("counting")
	case text != "":
	case m.held != "":
		text = m.runs("held")
	case m.below > 0 && m.above > 0:
		text = m.words.Say("more.both", m.below, m.above)
	case m.below > 0:
		text = m.words.Say("more", m.below)
	case m.above > 0:
		text = m.words.Say("more.above", m.above)
	case m.sitting != nil && !m.sitting.Weighed():
		text = m.runs("counting")
	}
	if text == "" {
		return m.p.Rule(m.width)
	}
	l := m.p.Line(m.width).Repeat(themes.Rule, m.p.Glyphs.Horizontal, 2).Skip(1)
	token := themes.Dim
	if text == m.status {
		token = themes.Warn
	}
	l.Put(token, m.p.Truncate(m.p.Text(text), m.width-6)).Skip(1)
	return l.Repeat(themes.Rule, m.p.Glyphs.Horizontal, m.width-l.Width()).Row()
}

// runs says how many runs are there.
func (m *Model) runs(name string) string {
	have, all := m.sitting.Stage.Wait(0)
	return m.words.Say(name, have, all)
}

// keyRow is the keys that work here: closer together if that makes all fit.
func (m *Model) keyRow() paint.Row {
	row, all := m.keysApart(3)
	if !all {
		row, _ = m.keysApart(2)
	}
	return row
}

// keysApart are the keys with gap cells between them; all reports that none was left out.
func (m *Model) keysApart(gap int) (row paint.Row, all bool) {
	l := m.p.Line(m.width).Skip(1)
	all = true
	for _, h := range m.hints() {
		word, before := m.words.Say("key."+h.does), gap
		if l.Width() == 1 {
			before = 0
		}
		if l.Width()+before+paint.Width(h.key)+1+paint.Width(word) > m.width {
			all = false
			continue // a shorter one may fit
		}
		l.Skip(before).Put(themes.Accent, m.p.Text(h.key)).Skip(1).Put(themes.Dim, word)
	}
	return l.Row(), all
}

// hints are the keys that work here, the most important first.
func (m *Model) hints() hints {
	switch {
	case m.help:
		return hints{{"esc", "close"}, {"j k", "scroll"}}
	case m.sitting == nil:
		list := hints{{"enter", "open"}, {"j k", "choose"}, {"q", "quit"}}
		list.addIf(m.o.Tour, "T", "tour")
		return append(list, hint{"?", "words"}, hint{"L", "language"}, hint{"C", "class"})
	case m.run != nil:
		return hints{{"space", "skip"}}
	}
	b, i := m.sitting.Beat()
	var list hints
	switch {
	case m.sitting.Asking():
		list = m.askingHints(b.Question)
	case m.below > 0:
		list = hints{{"space", "more"}}
	case i+1 < len(m.sitting.Stage.Lesson.Beats):
		list = hints{{"space", "go"}}
	case m.next() != nil:
		list = hints{{"n", "next"}}
	}
	list.addIf(m.showsReal(b), "o", "real")
	list.addIf(true, "esc", "leave")
	list.addIf(i > 0, "P", "back")
	list.addIf(true, "?", "words")
	list.addIf(len(m.decisions()) > 0, ", .", "step")
	list.addIf(m.sitting.Text(m.Language).Notes.Text != "", "N", "notes")
	return append(list, hint{"L", "language"}, hint{"C", "class"}, hint{"R", "reset"})
}

func (m *Model) askingHints(q *lesson.Question) hints {
	letters := fmt.Sprintf("a-%c", 'a'+max(len(q.Options)-1, 0))
	if v := m.sitting.Votes(); v != nil {
		switch {
		case v.Closed:
			return hints{{"v", "again"}, {"enter", "reveal"}}
		case m.votesOptions():
			return hints{{letters, "vote"}, {"enter", "count"}}
		}
		return hints{{"0-9 enter", "vote"}, {"enter", "count"}}
	}
	if m.draft.isValue() {
		letters = "0-9 ← →"
	}
	list := hints{{letters, "choose"}, {"enter", "commit"}}
	list.addIf(m.draft.begun(), "bksp", "undo")
	list.addIf(m.sitting.Hints() < len(m.sitting.Text(m.Language).Hints), "H", "hint")
	return list
}

func (m *Model) stageRows() []paint.Row {
	s := m.sitting
	l := s.Stage.Lesson
	b, i := s.Beat()
	mode := m.mode(s.Class)
	title := strings.TrimSpace(Label(l) + "  " + m.p.Text(l.In(m.Language).Title))
	at := m.words.Say("beat", i+1, len(l.Beats))
	end := fmt.Sprintf("%s  %s  %s  %s", at, m.words.Say("left", s.Left()), mode, m.Language)
	if m.titleRoom(end) < paint.Width(title) {
		end = at + "  " + mode
	}
	rows := []paint.Row{m.titleRow(title, end), m.rail(), m.p.Rule(m.width), m.clockRow(b)}
	v := m.lanes(b)
	rows = append(rows, v.rows()...)
	rows = append(rows, m.marks(v, b)...)
	if e := m.stepped(); e != nil {
		rows = append(rows, m.decisionRows(e, l)...)
	}
	return append(rows, m.p.Rule(m.width))
}

// lanes are the visible part of the run, including the present.
func (m *Model) lanes(b *lesson.Beat) *stageView {
	s := m.sitting
	zero := s.Stage.Lesson.Zero
	v := &stageView{p: m.p, w: m.words, play: s.Stage.Shown(b), zero: zero, from: zero + b.Lane[0], to: zero + b.Lane[1], now: m.now(), width: m.width}
	v.noPods = s.Asking() && b.Question.CountsPods()
	v.divide()
	if v.contain(s.At()); m.run == nil { // while time passes it may still have to come to where the lanes begin
		v.contain(m.now())
	}
	return v
}

// rail is the steps: past, the current one by its name, future.
func (m *Model) rail() paint.Row {
	s := m.sitting
	present, at := s.Beat()
	l := m.p.Line(m.width).Skip(1)
	for i := range s.Stage.Lesson.Beats {
		b := &s.Stage.Lesson.Beats[i]
		switch a := s.Answered(i); {
		case i == at:
			l.Skip(1).Put(themes.Accent, m.p.Glyphs.Play+" "+m.words.Say(present.Kind.String()))
			if title := s.Text(m.Language).Title; title != "" {
				l.Skip(2).Put(themes.Text, m.p.Truncate(m.p.Text(title), max(l.Rest()-len(s.Stage.Lesson.Beats), 0)))
			}
			l.Skip(2)
		case a != nil && a.Verdict == 0:
			l.Glyph(themes.Warn, m.p.Glyphs.No)
		case i < at && (a != nil || b.Question == nil):
			l.Glyph(themes.Dim, m.p.Glyphs.Yes)
		case b.Question != nil:
			l.Glyph(themes.Dim, m.p.Glyphs.Inferred)
		default:
			l.Glyph(themes.Dim, m.p.Glyphs.Dot)
		}
	}
	return l.Row()
}

// clockRow reports the simulated time, and what of it is hidden.
func (m *Model) clockRow(b *lesson.Beat) paint.Row {
	l := m.p.Line(m.width).Put(themes.Replay, " "+strings.ToUpper(m.words.Say("simulated"))+" ").Skip(2)
	l.Put(themes.Text, instant(m.now()-m.sitting.Stage.Lesson.Zero))
	word := ""
	switch {
	case m.run != nil:
		word = m.words.Say("running")
	case b.Kind == lesson.Predict && m.sitting.Asking() && m.sitting.Class:
		word = m.words.Say("curtain.class")
	case b.Kind == lesson.Predict && m.sitting.Asking():
		word = m.words.Say("curtain")
	}
	if n := paint.Width(word); n > 0 && l.Width()+n+3 < m.width {
		l.To(m.width-n-1).Put(themes.Dim, word)
	}
	return l.Row()
}

// instant is a time as the screen prints it: T+0:48.
func instant(d time.Duration) string {
	text := model.Clock(d)
	if strings.HasPrefix(text, "-") {
		return "T" + text
	}
	return "T+" + text
}

// helpRows are the words of this screen, the signs on the lanes, and the keys.
func (m *Model) helpRows() []paint.Row {
	width := min(m.width-2, 100)
	var rows []paint.Row
	title := func(text string) {
		if rows != nil {
			rows = append(rows, paint.Row{})
		}
		rows = append(rows, m.p.Line(width).Skip(1).Put(themes.Accent, text).Row())
	}
	entry := func(name, meaning string) {
		rows = append(rows, m.p.Line(width).Skip(2).Put(themes.Text, m.p.Text(name)).Row())
		rows = append(rows, m.p.Folded(m.p.Line(width-1).Skip(4), themes.Dim, meaning)...)
	}
	if here := m.wordsHere(); len(here) > 0 {
		title(m.words.Say("words"))
		for _, t := range here {
			entry(t.Title(), t.Meaning)
		}
	}
	title(m.words.Say("legend"))
	for _, s := range m.signs() {
		rows = append(rows, m.p.Line(width).Skip(2).Glyph(s.token, s.glyph).Skip(2).Put(themes.Dim, m.words.Say("legend."+s.name)).Row())
	}
	rows = append(rows, m.p.Line(width).Skip(2).Put(themes.Warn, "!").Skip(2).Put(themes.Dim, m.words.Say("legend.trap")).Row())
	for _, name := range []string{"plays", "solo"} {
		rows = append(rows, m.p.Folded(m.p.Line(width-1).Skip(5), themes.Dim, m.words.Say("legend."+name))...)
	}
	title(m.words.Say("keys"))
	m.help = false // the keys of the screen below
	for _, h := range m.hints() {
		rows = append(rows, m.p.Line(width).Skip(2).Left(themes.Text, m.p.Text(h.key), 12).Put(themes.Dim, m.words.Say("key."+h.does)).Row())
	}
	m.help = true
	return rows
}

type sign struct {
	glyph string
	token themes.Token
	name  string
}

// signs are those on the current lanes: of nodes, or of zones.
func (m *Model) signs() []sign {
	g := m.p.Glyphs
	later := sign{g.Later, themes.Faint, "later"}
	if m.sitting != nil {
		if b, _ := m.sitting.Beat(); len(m.sitting.Stage.Shown(b).Nodes) > maxNodes {
			return []sign{{g.Good, themes.Dim, "heard"}, {g.Bars[3], themes.Age3, "share"}, {g.Full, themes.Evict, "emptied"}, later}
		}
	}
	return []sign{{g.Renewal, themes.Dim, "renewal"}, {g.Good, themes.Dim, "heard"}, {g.Dot, themes.Age3, "silent"}, {g.Silent, themes.Unknown, "unknown"}, {g.Bad, themes.NotReady, "notready"},
		{g.Hatch, themes.Evict, "noexecute"}, later}
}

// wordsHere are the words of the glossary on the screen, below its title.
func (m *Model) wordsHere() (list []glossary.Term) {
	if m.sitting == nil {
		return nil
	}
	text := strings.Builder{}
	for _, row := range slices.Concat(m.stageRows()[2:], m.body().rows) {
		text.WriteString(ansi.Strip(row.Text) + "\n")
	}
	for _, w := range glossary.Words() {
		if w.In(text.String()) {
			list = append(list, w)
		}
	}
	return list
}

// digits are readable from the last row of a class: three cells wide, five high.
var digits = map[rune][5]string{
	'0': {"###", "# #", "# #", "# #", "###"}, '1': {" # ", "## ", " # ", " # ", "###"},
	'2': {"###", "  #", "###", "#  ", "###"}, '3': {"###", "  #", "###", "  #", "###"},
	'4': {"# #", "# #", "###", "  #", "  #"}, '5': {"###", "#  ", "###", "  #", "###"},
	'6': {"###", "#  ", "###", "# #", "###"}, '7': {"###", "  #", "  #", "  #", "  #"},
	'8': {"###", "# #", "###", "# #", "###"}, '9': {"###", "# #", "###", "  #", "###"},
	':': {" ", "#", " ", "#", " "}, '-': {"   ", "   ", "###", "   ", "   "}, '/': {"  #", "  #", " # ", "#  ", "#  "},
	'%': {"# #", "  #", " # ", "#  ", "# #"}, ' ': {" ", " ", " ", " ", " "},
}

func big(p *paint.Painter, token themes.Token, text string) []paint.Row {
	rows := make([]paint.Row, 5)
	for y := range rows {
		l := p.Line(4 * len(text))
		for _, r := range text {
			if l.Width() > 0 {
				l.Skip(1)
			}
			for _, c := range digits[r][y] {
				if c == '#' {
					l.Glyph(token, p.Glyphs.Full)
				} else {
					l.Skip(1)
				}
			}
		}
		rows[y] = l.Row()
	}
	return rows
}
