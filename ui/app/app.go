package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/screens"
	"kardia/ui/session"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// App is the one Bubble Tea model. It belongs to the event loop.
type App struct {
	options Options
	ctx     context.Context
	session *session.Session
	// generation counts sessions: messages for an earlier one are ignored.
	generation int

	width, height int
	layout        screen.Layout
	painter       *paint.Painter
	Look
	location        *time.Location
	lightBackground bool
	mouseOff        bool

	// screens are those of this sitting, at the present one (nil is the start screen), trail those before it.
	screens []*openScreen
	at      *openScreen
	trail   []*openScreen
	start   start
	chosen  *Chosen // the choice on the start screen, if another program shows it

	table    []binding
	prompt   *prompt
	things   things // the palette's finds for the typed text
	overlays []*overlay
	messages messages
	unknown  map[string]bool // keys without an action that were pointed out
	asking   bool            // whether to quit
	step     stepPosition
	anew     *anew // a sandbox that replays the last action; nil if that is shown

	// later is tea.Tick, wait is Session.Wait, and now is time.Now, or a test's.
	later func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	wait  func(*session.Session, time.Duration) bool
	now   func() time.Time

	mouse    mouse
	ticking  bool // a tick is under way
	thawing  bool
	revision uint64 // counts possible changes of the screen, apart from the session
	last     lastFrame
	drawn    int           // how many frames were
	drawing  time.Duration // the last of them took so long
	// unpainted is how many bytes of frames were drawn since the last repaint.
	unpainted int
	// tabSpans and hintSpans are the click areas of the tabs and the key line.
	tabSpans, hintSpans []span
	paletteTop          int // the line of the palette's first row
}

// Messages of the app to itself.
type (
	tick struct{ generation int }
	// news: a source has data; more: it may have more.
	news struct {
		generation int
		more       bool
	}
	// statusMsg: a background task has ended.
	statusMsg struct{ text words.Say }
	// statusExpired: a message was shown long enough.
	statusExpired struct{ number int }
	// orderThawed: the order of rows may change again.
	orderThawed struct{}
	pointed     struct{}
)

// How long a message stays, and the order of rows after the cursor moved.
const (
	messageTime = 6 * time.Second
	holdTime    = 2 * time.Second
)

// New is the program, for another one to show it with something beside it. Who runs it closes the session.
func New(ctx context.Context, o Options) (*App, error) {
	look, err := LookOf(o)
	if err != nil {
		return nil, err
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Local == nil {
		o.Local = time.UTC
	}
	a := &App{options: o, ctx: ctx, Look: look, location: o.Location,
		unknown: map[string]bool{}, start: start{demos: o.Demos}, session: o.Session,
		later: tea.Tick, wait: (*session.Session).Wait, now: time.Now}
	a.newPainter()
	a.lightBackground = a.Theme.Light
	a.openScreens()
	first := a.screens[0]
	if o.View != "" {
		if first = a.screenOf(o.View); first == nil {
			return nil, fmt.Errorf("there is no screen %q; there are %s", o.View, strings.Join(screens.Names(), ", "))
		}
	}
	if a.session == nil {
		return a, nil
	}
	a.at = first
	if o.Node != "" {
		first.visit(screen.SubjectNode(o.Node), screen.OfSelected, a.snapshot())
	}
	a.arrive()
	return a, nil
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{a.begin()}
	if a.Auto {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

func (a *App) begin() tea.Cmd {
	if a.session == nil {
		return nil
	}
	a.session.Start(a.ctx)
	return tea.Batch(a.listen(), a.schedule())
}

func (a *App) listen() tea.Cmd {
	s, generation, drawing, wait := a.session, a.generation, a.drawing, a.wait
	return func() tea.Msg { return news{generation, wait(s, drawing)} }
}

// schedule makes the next tick, if one is due.
func (a *App) schedule() tea.Cmd {
	if a.session == nil || a.ticking {
		return nil
	}
	d, due := a.session.NextAdvance()
	if !due {
		return nil
	}
	a.ticking = true
	generation := a.generation
	return a.later(d, func(time.Time) tea.Msg { return tick{generation} })
}

func (a *App) enter(s *session.Session) tea.Cmd {
	if old := a.session; old != nil {
		go crash.Guarded(old.Close)() // a source may take its time; the app does not wait for it
	}
	a.generation++
	a.session, a.ticking, a.asking = s, false, false
	a.openScreens()
	if s == nil {
		return nil
	}
	a.at = a.screens[0]
	return a.begin()
}

// Update implements tea.Model. Session messages change only the session, whose revision shows if there is any news.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := a.update(msg)
	return a, tea.Batch(cmd, a.schedule(), a.repaint())
}

func (a *App) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tick:
		if msg.generation != a.generation {
			return nil
		}
		a.ticking = false
		a.session.Advance()
		return a.report()
	case news:
		return a.receive(msg)
	}
	a.revision++
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		a.lightBackground = !msg.IsDark()
		if a.Auto {
			a.Theme = themes.For(a.Themes, msg.IsDark())
			a.newPainter()
		}
	case tea.KeyPressMsg:
		return a.key(msg)
	case tea.PasteMsg:
		return a.paste(msg.Content)
	case tea.MouseMsg:
		return a.mouseEvent(msg)
	case pointed:
		return a.applyMouse()
	case swapped:
		return a.swap(msg)
	case anewDue:
		return a.showAnew(msg.of)
	case statusMsg:
		return a.say(msg.text)
	case statusExpired:
		a.messages.fade(msg.number)
	case orderThawed:
		a.thawing = false
		if v, ok := a.view().(screen.Ordered); ok {
			v.Thaw()
		}
	}
	return nil
}

func (a *App) receive(msg news) tea.Cmd {
	if msg.generation != a.generation {
		return nil
	}
	wasLoading := a.session.Loading()
	a.session.Advance()
	if wasLoading && !a.session.Loading() {
		a.arrive()
	}
	a.askFor()
	said := a.report()
	if !msg.more {
		return said
	}
	return tea.Batch(said, a.listen())
}

// askFor asks a live session for the related kinds on the screen and its page.
func (a *App) askFor() {
	var kinds []model.Kind
	if a.at != nil {
		kinds = a.at.Asks
	}
	if o := a.overlay(); o != nil {
		kinds = slices.Concat(kinds, o.asks)
	}
	a.session.Ask(kinds...)
}

func (a *App) report() tea.Cmd {
	for _, told := range a.session.News() {
		a.noteAt(told.At, told.Text)
		a.revision++
	}
	if err := a.session.Err(); err != nil && a.messages.problem != err.Error() {
		a.messages.problem = err.Error()
		a.revision++
		return a.fail(err)
	}
	return nil
}

func (a *App) snapshot() *screen.Snapshot {
	if a.session == nil {
		return nil
	}
	return a.session.Snapshot()
}
