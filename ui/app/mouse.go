package app

import (
	"time"

	"kardia/model"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"

	tea "charm.land/bubbletea/v2"
)

// pointTime is how long mouse events are gathered: a wheel sends hundreds in a second, and each would redraw.
const pointTime = time.Second / 30

// mouse is the mouse events since it was last acted on.
type mouse struct {
	dragging bool // the scrub bar
	// lane is the dragged line of the body; -1 for the scrub bar.
	lane int
	// zoom is how far the wheel turned over a picture of time, at a column.
	zoom, zoomAt int
	target       model.Instant
	wheel        int
	pending      bool
}

// mouseEvent handles the mouse. Clicks act at once; wheel and drag are gathered.
func (a *App) mouseEvent(msg tea.MouseMsg) tea.Cmd {
	at := msg.Mouse()
	switch msg.(type) {
	case tea.MouseClickMsg:
		if at.Button == tea.MouseLeft {
			return a.click(at.X, at.Y)
		}
	case tea.MouseReleaseMsg:
		a.mouse.dragging = false
	case tea.MouseMotionMsg:
		if a.mouse.dragging {
			if t, ok := a.pointedAt(at.X); ok {
				a.mouse.target = t
			}
			return a.gather()
		}
	case tea.MouseWheelMsg:
		down := map[tea.MouseButton]int{tea.MouseWheelUp: -1, tea.MouseWheelDown: 1}[at.Button]
		if down == 0 {
			return nil
		}
		if _, ok := a.laneInstant(at.X, at.Y-a.layout.Body.Y); ok && a.prompt == nil && a.overlay() == nil {
			a.mouse.zoom, a.mouse.zoomAt = a.mouse.zoom-down, at.X // up zooms in
		} else {
			a.mouse.wheel += down
		}
		return a.gather()
	}
	return nil
}

// gather acts on the mouse in a moment, with its events until then.
func (a *App) gather() tea.Cmd {
	if a.mouse.pending {
		return nil
	}
	a.mouse.pending = true
	return a.later(pointTime, func(time.Time) tea.Msg { return pointed{} })
}

const maxWheel = 30

func (a *App) applyMouse() tea.Cmd {
	m := a.mouse
	a.mouse = mouse{dragging: m.dragging, lane: m.lane}
	if m.target.Known() && loaded(a) == "" {
		a.session.Seek(m.target)
	}
	if v, ok := a.view().(screen.Scrubber); ok && m.zoom != 0 {
		v.Zoom(m.zoomAt, max(min(m.zoom, 6), -6), a.snapshot())
	}
	switch o := a.overlay(); {
	case m.wheel == 0:
		return nil
	case a.prompt != nil:
		a.prompt.list.Move(m.wheel)
		return nil
	case o != nil:
		o.text.Scroll(3 * m.wheel)
		return nil
	}
	action, n := screen.Down, m.wheel
	if n < 0 {
		action, n = screen.Up, -n
	}
	var cmd tea.Cmd
	for range min(n, maxWheel) {
		if c := a.perform(action); c != nil {
			cmd = c
		}
	}
	return cmd
}

func (a *App) click(x, y int) tea.Cmd {
	l := &a.layout
	switch {
	case a.prompt != nil && a.prompt.offers != nil:
		return a.clickPalette(y)
	case a.asking, a.prompt != nil, a.overlay() != nil && !in(l.Keys, x, y):
		return nil
	}
	switch {
	case in(l.Foot, x, y) && a.scrubs(a.snapshot()):
		a.mouse.dragging, a.mouse.lane = true, -1
		a.session.Jump(a.scrubInstant(x))
	case in(l.Tabs, x, y), in(l.Head, x, y) && l.Tabs.H == 0:
		return clicked(a.tabSpans, x)
	case in(l.Keys, x, y):
		return clicked(a.hintSpans, x)
	case in(l.Body, x, y):
		return a.clickBody(x, y-l.Body.Y)
	}
	return nil
}

func in(r screen.Rect, x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

func (a *App) clickBody(x, y int) tea.Cmd {
	if a.at == nil {
		if a.start.click(y) {
			return a.openDemo()
		}
		return nil
	}
	if a.nothing(a.snapshot()) != "" {
		return nil
	}
	if t, ok := a.laneInstant(x, y); ok {
		a.mouse.dragging, a.mouse.lane = true, y
		a.session.Jump(t)
		return nil
	}
	if a.view().Click(x, y, a.snapshot()) == screen.Opened {
		return a.open()
	}
	return a.hold()
}

// laneInstant is the time of a cell in the body's picture of time.
func (a *App) laneInstant(x, y int) (model.Instant, bool) {
	v, ok := a.view().(screen.Scrubber)
	if !ok || loaded(a) != "" {
		return 0, false
	}
	return v.Instant(x, y, a.snapshot())
}

// pointedAt is the time dragged to, on the scrub bar or a lane.
func (a *App) pointedAt(x int) (model.Instant, bool) {
	if a.mouse.lane < 0 {
		return a.scrubInstant(x), true
	}
	return a.laneInstant(x, a.mouse.lane)
}

// scrubInstant is the time of a column of the scrub bar.
func (a *App) scrubInstant(x int) model.Instant {
	s := a.snapshot()
	lead := paint.Width(a.painter.Clock(s.Reach().Earliest)) + 1
	tail := paint.Width(a.painter.Clock(s.Coverage.Latest)) + 1
	cells := a.width - 2 - lead - tail
	if cells < 10 { // the bar then has no clocks at its ends
		lead, cells = 0, a.width-2
	}
	return widget.ScrubInstant(s.Reach(), x-1-lead, cells)
}
