// Package learn shows lessons in the terminal, to one person or to a class. Example: a step asks when a silent node
// becomes Unknown, and shows the answer on its lane.
package learn

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/sources/lesson"
	"kardia/themes"
	"kardia/ui/app"
	"kardia/ui/learn/sitting"
	texts "kardia/ui/learn/words"
	"kardia/ui/paint"
	"kardia/ui/widget"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// Options are how it begins.
type Options struct {
	Lessons []*lesson.Lesson
	// Open is the name of the first lesson; "" is the list.
	Open string
	// Language is used if the lesson has it.
	Language string
	Class    bool
	// Resume continues a session that was left for a real case.
	Resume *Outcome
	// Progress keeps the person's progress; nil keeps nothing.
	Progress *File
	// Tour reports whether the list offers the tour.
	Tour bool

	app.Look
}

// Outcome is how it was left: for a real case, for the tour, or, with neither, for good.
type Outcome struct {
	Real     lesson.Real
	Tour     bool
	Language string
	sitting  *sitting.Sitting
	list     widget.Scroller
}

// Run shows lessons until the person leaves.
func Run(ctx context.Context, o Options) (*Outcome, error) {
	m := newModel(o)
	err := app.RunModel(ctx, m, o.Plain)
	return &m.Outcome, err
}

// Once is a frame of w×h cells.
func Once(o Options, w, h int) string {
	o.Auto = false
	m := newModel(o)
	m.width, m.height = w, h
	for cmd := m.Init(); cmd != nil; {
		cmd = m.update(cmd())
	}
	return strings.Join(m.frame(), "\n")
}

// Model is the one Bubble Tea model of lessons.
type Model struct {
	Outcome       // so far
	o             Options
	p             *paint.Painter
	md            *markdown
	words         texts.Words
	width, height int

	loading string // the lesson that is being played through
	draft   draft
	run     *passing
	// step is the selected decision, counted back from the newest; 0 for none.
	step   int
	scroll int // the first line of the body, or toAnswer
	// room is the lines of the body that are shown; above and below are those that are not.
	room, above, below int

	notes, help bool
	status      string
	later       func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	// play is lesson.NewStage, or a test's.
	play func(l *lesson.Lesson, plays int) *lesson.Stage
	// held is the key that waits until the right answers are known.
	held string
}

// toAnswer scrolls to the top of the body, or to the answer in it if its explanation would not fit.
const toAnswer = -1

type passing struct {
	from, to time.Duration
	done     int // of passingSteps
}

// The steps in which time passes on the screen, and the length of one.
const (
	passingSteps = 45
	passingStep  = 66 * time.Millisecond
)

type (
	// staged: a lesson was simulated.
	staged struct {
		name    string
		sitting *sitting.Sitting
		err     error
	}
	// counted: more runs of a lesson are there, or all of them, and the right answers.
	counted struct {
		stage *lesson.Stage
		keys  []*lesson.Key
		err   error
	}
	passed struct{}
)

func newModel(o Options) *Model {
	m := &Model{Outcome: Outcome{Language: o.Language}, o: o, later: tea.Tick, play: lesson.NewStage}
	m.look(o.Theme)
	if o.Resume != nil {
		m.Outcome = *o.Resume
		m.Real, m.Tour = lesson.Real{}, false
		if m.o.Open = ""; m.sitting != nil {
			m.begin()
		}
	}
	m.speak(m.Language)
	return m
}

// speak makes a language that of the lesson, and of the decisions and rules in it.
func (m *Model) speak(language string) {
	m.Language, m.words = language, texts.Of(language)
	words.Speak(language)
}

func (m *Model) look(t themes.Theme) {
	m.p = paint.New(t, m.o.Glyphs, nil)
	m.md = newMarkdown(m.p)
}

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	var look, open tea.Cmd
	if m.o.Auto {
		look = tea.RequestBackgroundColor
	}
	if m.sitting == nil && m.o.Open != "" {
		i := max(slices.IndexFunc(m.o.Lessons, func(l *lesson.Lesson) bool { return l.Name == m.o.Open }), 0)
		m.list.Fit(len(m.o.Lessons), 1)
		m.list.To(i)
		open = m.open(m.o.Lessons[i])
	}
	return tea.Batch(look, open)
}

// open simulates a lesson in the background.
func (m *Model) open(l *lesson.Lesson) tea.Cmd {
	m.loading = l.Name
	play, left := m.play, m.left(l)
	return func() tea.Msg {
		s, err := sitting.New(play(l, lesson.Plays))
		if err == nil && (left.Beat > 0 || len(left.Answers) > 0) {
			s.Resume(left.Beat, left.Answers)
		}
		return staged{l.Name, s, err}
	}
}

// left is the place in a lesson that was left before its end, or is being repeated.
func (m *Model) left(l *lesson.Lesson) (p Progress) {
	if !m.o.Class {
		p = m.o.Progress.Of(l.Name)
	}
	if p.Done && len(p.Answers) == 0 {
		return Progress{}
	}
	return p
}

// Update implements tea.Model.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) { return m, m.update(msg) }

func (m *Model) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		if m.o.Auto {
			m.look(themes.For(m.o.Themes, msg.IsDark()))
		}
	case tea.KeyPressMsg:
		return m.press(app.KeyOf(msg))
	case staged:
		return m.enter(msg)
	case counted:
		return m.counted(msg)
	case passed:
		return m.pass()
	}
	return nil
}

// enter starts a lesson at its kept place, while more runs are simulated.
func (m *Model) enter(msg staged) tea.Cmd {
	if msg.name != m.loading {
		if msg.sitting != nil {
			msg.sitting.Stage.Close()
		}
		return nil // another one was chosen meanwhile
	}
	m.loading = ""
	if msg.err != nil {
		m.status = msg.err.Error()
		return nil
	}
	m.sitting = msg.sitting
	m.sitting.Class = m.o.Class
	if _, beat := m.sitting.Beat(); beat > 0 {
		m.status = m.words.Say("resumed")
	}
	m.begin()
	m.held = ""
	return weigh(m.sitting.Stage)
}

// weigh waits for more runs, or for their right answers if all are there.
func weigh(s *lesson.Stage) tea.Cmd {
	return func() tea.Msg {
		if have, all := s.Wait(0); have < all {
			s.Wait(have + max(all/16, 1))
			return counted{stage: s}
		}
		keys, err := s.Keys()
		return counted{s, keys, err}
	}
}

// counted takes the right answers if all runs are there, and the answer given before them.
func (m *Model) counted(msg counted) tea.Cmd {
	switch {
	case m.sitting == nil || m.sitting.Stage != msg.stage:
		return nil
	case msg.err != nil:
		m.leave()
		m.status = msg.err.Error()
		return nil
	case msg.keys == nil:
		return weigh(msg.stage)
	}
	judging, resuming := m.sitting.Judging(), m.sitting.Resuming()
	m.sitting.Weigh(msg.keys)
	if judging {
		m.begin()
	}
	if resuming {
		m.keep()
	}
	if m.held == "" {
		return nil
	}
	return m.press(m.held)
}

// hold keeps a key until the right answers are known; false if they are.
func (m *Model) hold(key string) bool {
	if m.sitting.Weighed() {
		return false
	}
	m.held = key
	return true
}

// ends reports whether this is the last step of a lesson.
func (m *Model) ends() bool {
	_, i := m.sitting.Beat()
	return i+1 == len(m.sitting.Stage.Lesson.Beats) && !m.sitting.Asking()
}

// next is the lesson after this one; nil for none.
func (m *Model) next() *lesson.Lesson {
	i := slices.IndexFunc(m.o.Lessons, func(l *lesson.Lesson) bool { return l.Name == m.sitting.Stage.Lesson.Name })
	if i < 0 || i+1 >= len(m.o.Lessons) {
		return nil
	}
	return m.o.Lessons[i+1]
}

func (m *Model) leave() {
	m.sitting.Stage.Close()
	m.sitting = nil
}

func (m *Model) begin() {
	m.scroll, m.step, m.run = toAnswer, 0, nil
	m.draft = newDraft(m.sitting)
}

func (m *Model) keep() {
	if m.o.Progress == nil || m.sitting.Class || m.sitting.Resuming() { // the kept progress stays until it is judged again
		return
	}
	_, beat := m.sitting.Beat()
	_, right, all := m.sitting.Score()
	p := Progress{Beat: beat, Right: right, Questions: all, Done: m.sitting.Done()}
	if !p.Done {
		p.Answers = m.sitting.Answers()
	}
	if err := m.o.Progress.Keep(m.sitting.Stage.Lesson.Name, p); err != nil {
		m.status = err.Error()
	}
}

// passTo lets time pass on the screen, from a time to the present one.
func (m *Model) passTo(from time.Duration) tea.Cmd {
	to := m.sitting.At()
	if to <= from {
		return nil
	}
	m.run = &passing{from: from, to: to}
	return m.later(passingStep, func(time.Time) tea.Msg { return passed{} })
}

func (m *Model) pass() tea.Cmd {
	if m.run == nil {
		return nil
	}
	if m.run.done++; m.run.done >= passingSteps {
		m.run = nil
		return nil
	}
	return m.later(passingStep, func(time.Time) tea.Msg { return passed{} })
}

// now is the time up to which the lanes show events.
func (m *Model) now() time.Duration {
	if m.run != nil {
		return m.run.from + (m.run.to-m.run.from)*time.Duration(m.run.done)/passingSteps
	}
	if e := m.stepped(); e != nil {
		return e.At + lesson.Settle
	}
	return m.sitting.At()
}

// View implements tea.Model.
func (m *Model) View() tea.View {
	v := tea.NewView(strings.Join(m.frame(), "\n"))
	v.AltScreen = true
	v.WindowTitle = "kardia learn"
	return v
}

// Label is what a lesson is called in the course: L2.
func Label(l *lesson.Lesson) string {
	if l.Number == 0 {
		return ""
	}
	return fmt.Sprintf("L%d", l.Number)
}
