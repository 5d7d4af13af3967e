package learn

import (
	"slices"
	"strings"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
	"kardia/ui/learn/sitting"

	tea "charm.land/bubbletea/v2"
)

type hint struct{ key, does string }

type hints []hint

func (l *hints) addIf(works bool, key, does string) {
	if works {
		*l = append(*l, hint{key, does})
	}
}

func (m *Model) press(name string) tea.Cmd {
	if name == "ctrl+c" {
		return tea.Quit
	}
	m.status, m.held = "", ""
	if m.help {
		if !m.scrollBy(name) {
			m.help, m.scroll = false, toAnswer
		}
		return nil
	}
	switch {
	case m.sitting != nil && m.run != nil && name != "?":
		m.run = nil // whatever it is: time is at its stop at once
		return nil
	case m.sitting != nil && m.sitting.Judging() && (name == "enter" || name == "space"):
		m.held = name // earlier answers here are judged first
		return nil
	case m.sitting != nil && !m.sitting.Judging() && m.sitting.Asking() && m.answering(name):
		return nil
	case name == "?":
		m.help, m.scroll, m.run = true, 0, nil
		return nil
	case name == "L":
		m.scroll = toAnswer
		m.speak(lesson.Languages[(slices.Index(lesson.Languages, m.Language)+1)%len(lesson.Languages)])
		return nil
	case m.sitting == nil:
		return m.listKey(name)
	}
	return m.beatKey(name)
}

func (m *Model) listKey(name string) tea.Cmd {
	by := len(m.o.Lessons)
	m.list.Move(map[string]int{"j": 1, "down": 1, "k": -1, "up": -1, "g": -by, "home": -by, "G": by, "end": by}[name])
	switch name {
	case "C":
		m.o.Class = !m.o.Class
	case "T":
		if m.o.Tour {
			m.Tour = true
			return tea.Quit
		}
	case "q", "esc":
		if m.loading != "" {
			m.loading = ""
			return nil
		}
		return tea.Quit
	case "enter", "space":
		if len(m.o.Lessons) > 0 && m.loading == "" {
			return m.open(m.o.Lessons[m.list.Cursor])
		}
	}
	return nil
}

// answering lets a key answer; false for one with another meaning.
func (m *Model) answering(name string) bool {
	if m.sitting.Class && m.voting(name) {
		return true
	}
	if i := m.draft.letter(name); i >= 0 && !m.votesOptions() {
		m.draft.choose(i)
		return true
	}
	moves := map[string]int{"right": 1, "left": -1, "shift+right": 10, "shift+left": -10}
	if m.draft.question.Lists() {
		moves = map[string]int{"down": 1, "j": 1, "up": -1, "k": -1}
	} else if name == "backspace" {
		if !m.draft.takeBack() {
			m.status = m.words.Say("notaken")
		}
		return true
	}
	by := moves[name]
	if by == 0 || m.votesOptions() {
		return m.types(name)
	}
	m.draft.move(by)
	return true
}

// types lets a key type a time or a number, and shows a message if the text is neither; false for another key.
func (m *Model) types(name string) bool {
	mine, refused := m.draft.key(name)
	switch refused {
	case "":
	case "toolong":
		m.status = m.words.Say(refused, m.value(play.Value{Kind: play.Length, Time: m.draft.longest}))
	default:
		m.status = m.words.Say(refused)
	}
	return mine
}

// votesOptions reports whether a class votes for the options of the current question.
func (m *Model) votesOptions() bool {
	return m.sitting.Class && m.draft.question.Lists()
}

// voting lets a key vote: a letter for its option, a capital takes one back; a number is typed, and Enter accepts it.
func (m *Model) voting(name string) bool {
	v := m.sitting.Votes()
	if v == nil {
		return false
	}
	b, _ := m.sitting.Beat()
	lower := strings.ToLower(name)
	if n := m.draft.letter(lower); n >= 0 {
		if option := b.Question.Options[n].ID; lower == name {
			v.Add(sitting.Answer{Option: option})
		} else {
			v.Remove(option)
		}
		return true
	}
	if v.Closed && name != "v" && name != "enter" {
		if mine, _ := m.draft.key(name); !mine {
			return false
		}
		m.draft, m.status = newDraft(m.sitting), m.words.Say("closed")
		return true
	}
	switch {
	case name == "-":
		v.Remove("")
	case name == "enter" && m.draft.set && !v.Closed:
		v.Add(sitting.Answer{Value: m.draft.value})
		m.draft = newDraft(m.sitting)
	case name == "v" && v.Closed:
		v.Again()
		m.draft = newDraft(m.sitting)
	case name == "enter" && !v.Closed && v.Count() == 0:
		m.status = m.words.Say("none")
	case name == "enter" && !v.Closed:
		if m.hold(name) {
			return true
		}
		v.Closed = true
		if !v.Discuss(b.Question, m.sitting.Key()) {
			return false // there is nothing to talk over: the answer follows
		}
	default:
		return false
	}
	return true
}

func (m *Model) beatKey(name string) tea.Cmd {
	switch name {
	case "enter":
		return m.enterKey()
	case "space":
		if m.below > 0 {
			m.scroll = m.above + min(m.below, max(m.room-1, 1))
			return nil
		}
		return m.goOn()
	case "o":
		return m.openReal()
	case "backspace":
		m.status = m.words.Say("howback")
	case "n":
		if next := m.next(); next != nil && m.ends() {
			m.keep()
			m.leave()
			m.list.Move(1)
			return m.open(next)
		}
	case "P":
		if !m.sitting.Back() {
			m.status = m.words.Say("noback")
			return nil
		}
		m.begin()
	case "R":
		m.sitting.Reset()
		m.begin()
		m.keep()
	case "H":
		if !m.sitting.Hint() {
			m.status = m.words.Say("nohint")
		}
	case "N":
		m.scroll = toAnswer
		if m.notes = !m.notes; m.notes && m.sitting.Text(m.Language).Notes.Text == "" {
			m.status = m.words.Say("nonotes")
		}
	case "C":
		m.o.Class = !m.o.Class
		m.sitting.Class = m.o.Class
	case ",", ".":
		m.stepBy(map[string]int{",": 1, ".": -1}[name])
	case "esc", "q":
		if m.keep(); m.status == "" {
			m.status = m.best()
		}
		m.leave()
	default:
		if !m.scrollBy(name) && len(name) == 1 && m.sitting.Asking() && m.draft.isValue() {
			m.status = m.words.Say(m.draft.question.Kind.String())
		}
	}
	return nil
}

// best is the kept result of a lesson that is repeated and left; "" for any other.
func (m *Model) best() string {
	if m.sitting.Class || m.sitting.Done() {
		return ""
	}
	p := m.o.Progress.Of(m.sitting.Stage.Lesson.Name)
	if !p.Done || len(p.Answers) == 0 {
		return ""
	}
	return m.words.Say("best", p.Right, p.Questions, p.Beat+1)
}

func (m *Model) scrollBy(name string) bool {
	by, ok := map[string]int{"j": 1, "down": 1, "k": -1, "up": -1, "pgdown": 8, "pgup": -8, "ctrl+d": 8, "ctrl+u": -8, "home": -1000, "end": 1000}[name]
	if ok {
		m.scroll = max(min(m.above+by, m.above+m.below), 0)
	}
	return ok
}

// openReal leaves for the same decision of a real control plane.
func (m *Model) openReal() tea.Cmd {
	b, _ := m.sitting.Beat()
	if !m.showsReal(b) {
		return nil
	}
	m.Real = m.sitting.Stage.Real(b)
	m.keep()
	return tea.Quit
}

// showsReal reports whether the current step was answered and leads to a real case.
func (m *Model) showsReal(b *lesson.Beat) bool {
	return b.Question != nil && b.Question.Real != (lesson.Real{}) && !m.sitting.Asking()
}

func (m *Model) enterKey() tea.Cmd {
	b, _ := m.sitting.Beat()
	if !m.sitting.Asking() {
		return m.goOn()
	}
	a, ok := m.draft.answer()
	if v := m.sitting.Votes(); v != nil {
		a, ok = v.Answer(b.Question)
		v.Closed = true
	}
	if left := len(b.Question.Options) - len(m.draft.order); !ok && len(m.draft.order) > 0 {
		m.status = m.words.Say("unordered", left)
		return nil
	}
	if !ok {
		m.status = m.words.Say("choose")
		return nil
	}
	if m.hold("enter") {
		return nil
	}
	before := m.sitting.At()
	m.sitting.Commit(a)
	m.scroll, m.step = toAnswer, 0
	m.keep()
	return m.passTo(before)
}

func (m *Model) goOn() tea.Cmd {
	if m.sitting.Asking() {
		m.status = m.words.Say("choose")
		return nil
	}
	before := m.sitting.At()
	branch, _ := m.sitting.Beat()
	if !m.sitting.Next() {
		m.status = m.words.Say("ended")
		m.keep()
		return nil
	}
	m.begin()
	m.keep()
	b, _ := m.sitting.Beat()
	if b.Branch != branch.Branch {
		return nil
	}
	return m.passTo(before)
}

var notable = map[model.DecisionKind]bool{model.MarkUnknown: true, model.MarkPodsNotReady: true, model.AddNoSchedule: true, model.TaintNoExecute: true,
	model.UntaintNoExecute: true, model.SwapNoExecute: true, model.ZoneState: true, model.SetRate: true, model.EnterMasterDisruption: true,
	model.ExitMasterDisruption: true, model.CancelEviction: true, model.EvictPod: true, model.CollectPod: true, model.ControllerStart: true}

func (m *Model) decisions() (list []*play.Event) {
	b, _ := m.sitting.Beat()
	shown := m.sitting.Stage.Shown(b)
	for i := range shown.Events {
		e := &shown.Events[i]
		if e.At > m.sitting.At() {
			break
		}
		if e.Decision != nil && notable[e.Decision.Kind] && e.At > 0 {
			list = append(list, e)
		}
	}
	return list
}

// stepBy steps back among the decisions, or forth.
func (m *Model) stepBy(by int) {
	if len(m.decisions()) == 0 {
		m.status = m.words.Say("nosteps")
	}
	m.step = max(min(m.step+by, len(m.decisions())), 0)
}

func (m *Model) stepped() *play.Event {
	if m.step == 0 || m.run != nil {
		return nil
	}
	list := m.decisions()
	if m.step > len(list) {
		return nil
	}
	return list[len(list)-m.step]
}
