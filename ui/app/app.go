package app

import (
	"context"
	"fmt"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
)

// App is the one Bubble Tea model. It belongs to the event loop.
type App struct {
	options Options
	ctx     context.Context
	session *session.Session
	// generation counts sessions: what belongs to a session that was left comes too late.
	generation int

	width, height int
	layout        screen.Layout
	painter       *paint.Painter
	theme         themes.Theme
	glyphs        themes.Glyphs
	location      *time.Location
	autoTheme     bool
	plain         bool // no colour, whatever the theme
	mouseOff      bool

	where place
	views
	start start

	table    []binding
	prompt   *prompt
	overlay  overlay
	messages messages
	unknown  map[string]bool // keys without an action that were pointed out
	asking   bool            // whether to quit
	step     standing

	// later is tea.Tick, and wait is Session.Wait, or a test's.
	later func(time.Duration, func(time.Time) tea.Msg) tea.Cmd
	wait  func(*session.Session) bool

	mouse    mouse
	ticking  bool // a tick is under way
	thawing  bool
	touched  uint64 // counts what may have changed the screen, apart from the session
	kept     kept
	tabSpans []tabSpan
}

// Messages of the app to itself.
type (
	// tick: the session's clock is due.
	tick struct{ generation int }
	// news: a source has brought something; more says that it may bring more.
	news struct {
		generation int
		more       bool
	}
	// said: something that was done in the background has ended.
	said struct{ text string }
	// faded: a message has been on the screen long enough.
	faded struct{ number int }
	// thaw: the order of rows may change again.
	thaw struct{}
	// pointed: what the mouse did in the meantime is to be shown.
	pointed struct{}
)

// How long a message stays, and how long the order of rows is held after the cursor moved.
const (
	messageTime = 6 * time.Second
	holdTime    = 2 * time.Second
)

func newApp(ctx context.Context, o Options) (*App, error) {
	theme, glyphs, auto, plain, err := looks(o)
	if err != nil {
		return nil, err
	}
	if o.Location == nil {
		o.Location = time.UTC
	}
	if o.Local == nil {
		o.Local = time.UTC
	}
	a := &App{options: o, ctx: ctx, theme: theme, glyphs: glyphs, autoTheme: auto, plain: plain, location: o.Location,
		table: bindings(), unknown: map[string]bool{}, start: start{demos: o.Demos}, where: onStart, session: o.Session,
		later: tea.Tick, wait: (*session.Session).Wait}
	a.newPainter()
	a.views = a.makeViews()
	if a.session != nil {
		a.where = onFleet
	}
	switch o.View {
	case "", "fleet":
	case "node":
		if a.session != nil {
			a.node.Show(o.Node)
			a.where = onNode
			a.arrive()
		}
	case "zones":
		if a.session != nil {
			a.where = onZones
		}
	case "timeline":
		if a.session != nil {
			a.where = onTimeline
		}
	default:
		return nil, fmt.Errorf("there is no screen %q; there are fleet, node, zones and timeline", o.View)
	}
	return a, nil
}

func (a *App) makeViews() views {
	if a.options.views != nil {
		return a.options.views()
	}
	return newViews()
}

// Init implements tea.Model.
func (a *App) Init() tea.Cmd {
	cmds := []tea.Cmd{a.begin()}
	if a.autoTheme {
		cmds = append(cmds, tea.RequestBackgroundColor)
	}
	return tea.Batch(cmds...)
}

// begin lets the session work, and listens to it.
func (a *App) begin() tea.Cmd {
	if a.session == nil {
		return nil
	}
	a.session.Start(a.ctx)
	return tea.Batch(a.listen(), a.schedule())
}

// listen waits for the session's sources.
func (a *App) listen() tea.Cmd {
	s, generation, wait := a.session, a.generation, a.wait
	return func() tea.Msg { return news{generation, wait(s)} }
}

// schedule makes the next tick, if one is due and none is under way.
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

// enter leaves the present session, if there is one, for another; nil is the start screen.
func (a *App) enter(s *session.Session) tea.Cmd {
	if old := a.session; old != nil {
		go old.Close() // a source may take its time; nobody waits for it
	}
	a.generation++
	a.session, a.ticking, a.asking = s, false, false
	a.views = a.makeViews()
	a.where = onFleet
	if s == nil {
		a.where = onStart
		return nil
	}
	return a.begin()
}

// Update implements tea.Model. Session messages change nothing but the session, whose
// revision tells whether there is anything new to draw.
func (a *App) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	cmd := a.update(msg)
	return a, tea.Batch(cmd, a.schedule())
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
	a.touched++
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		a.width, a.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		if a.autoTheme {
			a.theme = themes.For(msg.IsDark())
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
	case said:
		return a.say(msg.text)
	case faded:
		a.messages.fade(msg.number)
	case thaw:
		a.thawing = false
		if v, ok := a.view().(screen.Ordered); ok {
			v.Thaw()
		}
	}
	return nil
}

// receive shows what a source has brought.
func (a *App) receive(msg news) tea.Cmd {
	if msg.generation != a.generation {
		return nil
	}
	wasLoading := a.session.Loading()
	a.session.Advance()
	if wasLoading && !a.session.Loading() {
		a.arrive()
	}
	said := a.report()
	if !msg.more {
		return said
	}
	return tea.Batch(said, a.listen())
}

// report says what went wrong in the session, once.
func (a *App) report() tea.Cmd {
	for _, told := range a.session.News() {
		a.noteAt(told.At, told.Text)
		a.touched++
	}
	if err := a.session.Err(); err != nil && a.messages.problem != err.Error() {
		a.messages.problem = err.Error()
		a.touched++
		return a.say(err.Error())
	}
	return nil
}

// view is the view of the present screen; nil on the start screen.
func (a *App) view() screen.View {
	switch a.where {
	case onFleet:
		return a.fleet
	case onNode:
		return a.node
	case onZones:
		return a.zones
	case onTimeline:
		return a.timeline
	}
	return nil
}

// snapshot is what the session shows; nil without one.
func (a *App) snapshot() *screen.Snapshot {
	if a.session == nil {
		return nil
	}
	return a.session.Snapshot()
}

// arrive settles what depends on the first state that is shown: the node screen without a
// name shows the node that the fleet screen has first.
func (a *App) arrive() {
	if a.where == onStart || a.options.View != "node" || a.options.Node != "" {
		return
	}
	if order := a.fleet.Order(a.snapshot()); len(order) > 0 {
		a.node.Show(order[0])
	}
}
