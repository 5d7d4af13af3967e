package app

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/headline"
	"kardia/ui/paint"
	"kardia/ui/screen"

	tea "charm.land/bubbletea/v2"
)

// lastFrame is the last frame, and all that it depends on.
type lastFrame struct {
	key  frameKey
	view tea.View
	full bool
}

type frameKey struct {
	session, revision uint64
	generation        int
	width, height     int
	at                model.Instant
	painter           *paint.Painter
}

// frameKey is everything that the frame depends on. While time moves by itself the clock counts in whole seconds, as
// all printed times do; a held time is shown exactly.
func (a *App) frameKey(s *screen.Snapshot) frameKey {
	k := frameKey{revision: a.revision, generation: a.generation, width: a.width, height: a.height, painter: a.painter}
	if s != nil {
		k.session, k.at = s.Revision, s.At
		if s.Mode.Moves() {
			k.at = s.At.Truncate(time.Second)
		}
	}
	return k
}

// View implements tea.Model. It is called after every message, and draws only changes.
func (a *App) View() tea.View {
	key := a.frameKey(a.snapshot())
	if a.last.full && a.last.key == key {
		return a.last.view
	}
	began := a.now()
	defer func() { a.drawing = a.now().Sub(began) }()
	v := tea.NewView(strings.Join(a.frame(), "\n"))
	v.AltScreen = true
	v.MouseMode = pick(a.mouseOff, tea.MouseModeNone, tea.MouseModeCellMotion)
	v.WindowTitle = "kardia"
	if a.session != nil {
		v.WindowTitle = "kardia " + paint.Clean(a.session.Snapshot().Name)
	}
	v.Cursor = a.cursor()
	a.last = lastFrame{key, v, true}
	a.drawn++
	a.unpainted += len(v.Content)
	return v
}

// maxUnpainted is how many bytes of frames are drawn between repaints.
const maxUnpainted = 4 << 20

// repaint paints the whole screen again after many frames. The terminal library keeps each cell as a part of its
// painted text, so a part that stays keeps its whole frame in memory.
func (a *App) repaint() tea.Cmd {
	if a.unpainted < maxUnpainted {
		return nil
	}
	a.unpainted = 0
	return tea.ClearScreen
}

// frame is the whole screen: height lines, none wider than width.
func (a *App) frame() []string {
	if a.width < 1 || a.height < 1 {
		return nil // the first View comes before the first size
	}
	a.layout = screen.Arrange(a.width, a.height)
	l, s := &a.layout, a.snapshot()
	lines := make([]string, a.height)
	put := func(r screen.Rect, text func() string) {
		if r.H > 0 {
			lines[r.Y] = text()
		}
	}
	for i, text := range a.body(s) {
		if i < l.Body.H {
			lines[l.Body.Y+i] = text
		}
	}
	put(l.Identity, func() string { return a.identity(s) })
	for i, text := range a.headlines(s) {
		lines[l.Headline.Y+i] = text
	}
	put(l.Tabs, func() string { return a.tabs(s, false) })
	put(l.Head, func() string {
		if l.Tabs.H == 0 && a.at != nil {
			return a.tabs(s, true)
		}
		return a.painter.Rule(a.width).Text
	})
	put(l.Foot, func() string { return a.foot(s) })
	put(l.Message, func() string { return a.messageLine(s) })
	put(l.Context, func() string { return a.contextLine(s) })
	put(l.Keys, func() string { return a.keyLine() })
	return a.drawOverlay(lines)
}

// body is the view, or why there is nothing to view.
func (a *App) body(s *screen.Snapshot) []string {
	area := a.layout.Area()
	if a.at == nil {
		return a.start.render(a.painter, area, a.options.Hint)
	}
	if s.Loading < 1 {
		return drawOpening(a.painter, s, area)
	}
	if text := a.nothing(s); text != "" {
		return a.instead(text, area)
	}
	return a.view().Render(s, a.painter, area)
}

// instead is a text in the middle of the body.
func (a *App) instead(text string, area screen.Area) []string {
	lines := make([]string, area.H)
	parts := paint.Fold(text, max(area.W-2, 1))
	for i, part := range parts[:min(len(parts), area.H)] {
		lines[max((area.H-len(parts)+1)/2, 0)+i] = a.painter.Line(area.W).Put(themes.Text, " "+part).String()
	}
	return lines
}

// nothing is why there is no state to show; "" if there is one.
func (a *App) nothing(s *screen.Snapshot) string {
	switch {
	case s.Cluster.NodeCount() > 0:
		return ""
	case a.session.Err() != nil:
		return a.painter.Text(a.session.Err().Error())
	case s.Coverage.Known() && a.at.ShowsTime, s.Status != nil && a.at.ShowsSource:
		return ""
	}
	return screen.EmptyText(s, a.painter)
}

// headlines are the trouble and the next events: the same on every screen.
func (a *App) headlines(s *screen.Snapshot) []string {
	if s == nil || s.Loading < 1 || a.layout.Headline.H == 0 {
		return nil
	}
	return paint.Fill(headline.Rows(s, a.painter, a.width, a.layout.Headline.H), a.layout.Headline.H)
}
