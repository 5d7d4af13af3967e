package app

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// kept is the frame that was drawn last, and all that it depends on.
type kept struct {
	key  frameKey
	view tea.View
	full bool
}

// frameKey changes whenever the frame may.
type frameKey struct {
	session, touched uint64
	generation       int
	width, height    int
	at               model.Instant
	painter          *paint.Painter
}

// key is what the frame depends on at present. While the instant moves by itself, the
// clock counts in whole seconds, as everything that is printed does; an instant that is
// held is shown exactly.
func (a *App) frameKey(s *screen.Snapshot) frameKey {
	k := frameKey{touched: a.touched, generation: a.generation, width: a.width, height: a.height, painter: a.painter}
	if s != nil {
		k.session, k.at = s.Revision, s.At
		if s.Mode.Moves() {
			k.at = s.At.Truncate(time.Second)
		}
	}
	return k
}

// View implements tea.Model. It is called after every message, and draws only when
// something has changed.
func (a *App) View() tea.View {
	key := a.frameKey(a.snapshot())
	if a.kept.full && a.kept.key == key {
		return a.kept.view
	}
	v := tea.NewView(strings.Join(a.frame(), "\n"))
	v.AltScreen = true
	v.MouseMode = tea.MouseModeCellMotion
	if a.mouseOff {
		v.MouseMode = tea.MouseModeNone
	}
	v.WindowTitle = "kardia"
	if a.session != nil {
		v.WindowTitle = "kardia " + paint.Clean(a.session.Snapshot().Name)
	}
	v.Cursor = a.cursor()
	a.kept = kept{key, v, true}
	return v
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
	put(l.Summary, func() string { return a.secondLine(s) })
	put(l.Tabs, func() string { return a.tabs() })
	put(l.Head, func() string { return a.painter.Rule(a.width).Text })
	put(l.Foot, func() string { return a.foot(s) })
	put(l.Message, func() string { return a.messageLine(s) })
	put(l.Context, func() string { return a.contextLine(s) })
	put(l.Keys, func() string { return a.keyLine() })
	a.drawOverlay(lines)
	return lines
}

// body is the screen's own part: the view, or why there is nothing to view.
func (a *App) body(s *screen.Snapshot) []string {
	area := a.layout.Area()
	if a.where == onStart {
		return a.start.render(a.painter, area, a.options.Hint)
	}
	if text := a.nothing(s); text != "" {
		lines := make([]string, area.H)
		lines[area.H/2] = a.painter.Line(area.W).Put(themes.Text, " "+text).String()
		return lines
	}
	return a.view().Render(s, a.painter, area)
}

// nothing says why there is no state to show; "" where there is one.
func (a *App) nothing(s *screen.Snapshot) string {
	switch {
	case s.Loading < 1:
		return fmt.Sprintf("%s opening %s  %.0f%%    esc cancels", a.painter.Glyphs.Ellipsis, a.painter.Text(s.Name), s.Loading*100)
	case s.Cluster.NodeCount() > 0:
		return ""
	case a.session.Err() != nil:
		return a.painter.Text(a.session.Err().Error())
	}
	return screen.EmptyText(s, a.painter)
}

// secondLine is the summary, or on the node screen which node this is. Where there is no
// room for tabs, the zones have them here.
func (a *App) secondLine(s *screen.Snapshot) string {
	switch {
	case s == nil || s.Loading < 1:
		return ""
	case a.where == onNode:
		i, n := a.place(s)
		return a.node.Crumbs(s, a.painter, a.width, i, n).Text
	case a.where == onZones && a.layout.Tabs.H == 0:
		return a.tabs()
	}
	return a.summary(s, a.painter, a.width).Text
}

// place is where the node that is shown stands among those of the fleet screen, from 1;
// 0 of 0 where the fleet screen does not show it.
func (a *App) place(s *screen.Snapshot) (i, n int) {
	order := a.fleet.Order(s)
	i = slices.Index(order, a.node.Selected(s).Node)
	if i < 0 {
		return 0, 0
	}
	return i + 1, len(order)
}

// tabSpan is where a tab was drawn.
type tabSpan struct {
	from, to int
	screen   place
}

// tabs are the screens there are.
func (a *App) tabs() string {
	l := a.painter.Line(a.width)
	a.tabSpans = a.tabSpans[:0]
	if a.where == onStart {
		return ""
	}
	l.Skip(1)
	for _, t := range []struct {
		key, name string
		to        place
	}{{"1", "Fleet", onFleet}, {"2", "Node", onNode}, {"3", "Zones", onZones}, {"4", "Timeline", onTimeline}} {
		from := l.Width()
		if t.to == a.where {
			l.Put(themes.Accent, "["+t.key+" "+t.name+"]")
		} else {
			l.Put(themes.Dim, " "+t.key+" "+t.name+" ")
		}
		a.tabSpans = append(a.tabSpans, tabSpan{from, l.Width(), t.to})
		l.Skip(1)
	}
	return l.String()
}

// foot is the lower rule. In a recording, and in a live session that is held, it is the
// scrub bar.
func (a *App) foot(s *screen.Snapshot) string {
	if !a.scrubs(s) {
		return a.painter.Rule(a.width).Text
	}
	l := a.painter.Line(a.width).Skip(1)
	bar := widget.ScrubBar{Coverage: s.Coverage, Gaps: s.Gaps, At: s.At}
	if s.Past != nil {
		bar.Marks = s.Past.Marks
		if a.layout.Tier >= screen.Standard {
			bar.Overview = s.Past.Overview
		}
	}
	l.Append(bar.Row(a.painter, a.width-2))
	return l.String()
}

func (a *App) scrubs(s *screen.Snapshot) bool {
	return s != nil && s.Mode != screen.Live && s.Coverage.Bounded() && s.Coverage.Width() > 0 && a.width > 20
}

// messageLine is the prompt, else the message, else the first thing that must be said of
// the state shown.
func (a *App) messageLine(s *screen.Snapshot) string {
	p := a.painter
	l := p.Line(a.width)
	switch {
	case a.asking:
		return l.Put(themes.Warn, " leave "+p.Text(s.Name)+"?").Put(themes.Text, "  q leaves, any other key stays").String()
	case a.prompt != nil:
		return a.promptLine()
	case s != nil && s.Underway.What != "":
		return l.Put(themes.Accent, " "+p.Glyphs.About+" ").Put(themes.Text, a.seeking(s)).String()
	case a.messages.current() != "":
		return l.Put(themes.Text, " "+p.Text(a.messages.current())).String()
	}
	if s == nil || s.Loading < 1 {
		return ""
	}
	if row, ok := a.steppedRow(s, a.width); ok && a.layout.Context.H == 0 {
		return row.Text
	}
	list := screen.Notices(s, p)
	if len(list) > 0 && list[0].Text == a.nothing(s) {
		list = list[1:] // the body says it
	}
	if text := a.undecided(s); text != "" {
		list = append(list, screen.Notice{Token: themes.Dim, Text: text})
	}
	if len(list) == 0 {
		return l.Put(themes.Dim, a.remembered(s)).String()
	}
	l.Put(list[0].Token, " "+list[0].Text)
	if n := len(list) - 1; n > 0 && l.Rest() > 24 {
		l.Put(themes.Faint, fmt.Sprintf("  +%d more in :messages", n))
	}
	return l.String()
}

// seeking says what is looked for, and how far that has come.
func (a *App) seeking(s *screen.Snapshot) string {
	text := "looking for " + a.painter.Text(s.Underway.What)
	if at := s.Underway.At; at.Known() {
		text += ", at " + a.painter.Clock(at)
	}
	return text + "   esc stops"
}

// undecided says why the models are silent, where the screen's own line has no room.
func (a *App) undecided(s *screen.Snapshot) string {
	if v, ok := a.view().(interface{ Undecided(*screen.Snapshot) string }); ok && a.layout.Context.H == 0 {
		return v.Undecided(s)
	}
	return ""
}

// remembered says how far back a live session that is held can go.
func (a *App) remembered(s *screen.Snapshot) string {
	if s.Mode != screen.LivePaused && s.Mode != screen.LiveReplay || !s.Coverage.Bounded() {
		return ""
	}
	limit, size, changes := a.session.Memory()
	return fmt.Sprintf(" held; the watch goes on   remembered since %s: %d changes in %.1f of at most %.0f MB",
		a.painter.Clock(s.Coverage.Earliest), changes, float64(size)/1e6, float64(limit)/1e6)
}

// contextLine is the decision that was stepped to, else what the view says of itself.
func (a *App) contextLine(s *screen.Snapshot) string {
	if s == nil || s.Loading < 1 || a.view() == nil {
		return ""
	}
	if row, ok := a.steppedRow(s, a.width); ok {
		return row.Text
	}
	return a.view().Context(s, a.painter, a.width)
}

// keyLine is the keys that work here, as many as there is room for. Those of the program
// stand at its end, and the others give way to them.
func (a *App) keyLine() string {
	p := a.painter
	end := a.hints(p.Line(a.width-1), true).Row()
	l := p.Line(max(a.width-3-end.Width, 0)).Skip(1)
	return p.Line(a.width).Append(a.hints(l, false).Row()).To(a.width - 1 - end.Width).Append(end).String()
}

// hints writes the keys of the program, or all others.
func (a *App) hints(l *paint.Line, program bool) *paint.Line {
	for _, b := range a.active() {
		if b.hint == "" || (b.group == groupProgram) != program || b.why(a) != "" {
			continue
		}
		key := a.keyName(b.keys[0])
		if l.Rest() < paint.Width(key)+1+paint.Width(a.hint(b)) {
			continue
		}
		l.Put(themes.Accent, key).Put(themes.Dim, " "+a.hint(b)).Skip(2)
	}
	return l
}

// hint is a binding's word in the key line. What space does depends on what is going on.
func (a *App) hint(b *binding) string {
	switch {
	case b.action == "back or quit" && a.where&(onNode|onZones|onTimeline) != 0:
		return "back"
	case b.action == "filter" && a.where == onTimeline:
		return "search"
	case b.action == "open" && a.where == onTimeline:
		return "go there"
	case b.action != "play or pause":
		return b.hint
	}
	switch a.session.Snapshot().Mode {
	case screen.Live:
		return "hold"
	case screen.LivePaused:
		return "follow"
	case screen.Playing:
		return "pause"
	case screen.LiveReplay:
		return "hold"
	}
	return b.hint
}

// lay puts rows over lines, from a column and a line on. Rows have equal widths.
func lay(lines []string, rows []paint.Row, x, y int) {
	for i, r := range rows {
		if y+i < 0 || y+i >= len(lines) {
			continue
		}
		under := lines[y+i]
		left := ansi.Truncate(under, x, "")
		if w := ansi.StringWidth(left); w < x {
			left += strings.Repeat(" ", x-w)
		}
		lines[y+i] = left + "\x1b[m" + r.Text + ansi.TruncateLeft(under, x+r.Width, "")
	}
}
