package app

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/headline"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"

	tea "charm.land/bubbletea/v2"
)

// lastFrame is the frame that was drawn last, and all that it depends on.
type lastFrame struct {
	key  frameKey
	view tea.View
	full bool
}

// frameKey changes whenever the frame may.
type frameKey struct {
	session, revision uint64
	generation        int
	width, height     int
	at                model.Instant
	painter           *paint.Painter
}

// key is what the frame depends on at present. While the instant moves by itself, the
// clock counts in whole seconds, as everything that is printed does; an instant that is
// held is shown exactly.
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

// View implements tea.Model. It is called after every message, and draws only when
// something has changed.
func (a *App) View() tea.View {
	key := a.frameKey(a.snapshot())
	if a.last.full && a.last.key == key {
		return a.last.view
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
	a.last = lastFrame{key, v, true}
	a.drawn++
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

// body is the screen's own part: the view, or why there is nothing to view.
func (a *App) body(s *screen.Snapshot) []string {
	area := a.layout.Area()
	if a.at == nil {
		return a.start.render(a.painter, area, a.options.Hint)
	}
	if s.Loading < 1 {
		return drawOpening(a.painter, s, area)
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
	case s.Cluster.NodeCount() > 0:
		return ""
	case a.session.Err() != nil:
		return a.painter.Text(a.session.Err().Error())
	case s.Coverage.Known() && showsTime(a.view()):
		return ""
	}
	return screen.EmptyText(s, a.painter)
}

// showsTime says that a view has something to show where no node is known.
func showsTime(v screen.View) bool {
	t, ok := v.(screen.OverTime)
	return ok && t.ShowsTime()
}

// headlines are what is wrong, and what comes next: on every screen the same.
func (a *App) headlines(s *screen.Snapshot) []string {
	if s == nil || s.Loading < 1 || a.layout.Headline.H == 0 {
		return nil
	}
	return paint.Fill(headline.Rows(s, a.painter, a.width, a.layout.Headline.H), a.layout.Headline.H)
}

// span is the columns of a line in which a click does something.
type span struct {
	from, to int
	run      func() tea.Cmd
}

// clicked does what a click at a column of a line does.
func clicked(spans []span, x int) tea.Cmd {
	for _, t := range spans {
		if x >= t.from && x < t.to {
			return t.run()
		}
	}
	return nil
}

// tabs are the screens there are; where there is no room for a line of their own they stand in
// the rule. The present one says what it shows.
func (a *App) tabs(s *screen.Snapshot, inRule bool) string {
	p := a.painter
	l := p.Line(a.width)
	a.tabSpans = a.tabSpans[:0]
	if a.at == nil {
		return ""
	}
	rule := func(n int) {
		if inRule {
			l.Repeat(themes.Rule, p.Glyphs.Horizontal, n)
		} else {
			l.Skip(n)
		}
	}
	rule(1)
	names, shown := a.tabNames(s, inRule)
	for i, t := range a.screens {
		if !shown[i] {
			continue
		}
		from := l.Width()
		if t == a.at {
			l.Put(themes.Accent, "["+names[i]+"]")
		} else {
			l.Put(themes.Dim, " "+names[i]+" ")
		}
		a.tabSpans = append(a.tabSpans, span{from, l.Width(), func() tea.Cmd { return a.switchTo(t.ID) }})
		rule(1)
	}
	if slices.Contains(shown, false) {
		from := l.Width()
		l.Put(themes.Dim, moreTabs+p.Glyphs.Ellipsis+" ")
		a.tabSpans = append(a.tabSpans, span{from, l.Width(), a.askScreen})
	}
	end := a.tabsEnd(s, a.width-l.Width()-2)
	if inRule {
		rule(a.width - 1 - end.Width - l.Width())
	}
	return l.To(a.width - 1 - end.Width).Append(end).String()
}

// moreTabs is before the ellipsis that stands for the screens without a tab: the key that lists them.
const moreTabs = " 0 "

// tabNames are what the tabs say, and which of them have room: always the present one's, and of the others
// the first.
func (a *App) tabNames(s *screen.Snapshot, inRule bool) (names []string, shown []bool) {
	p := a.painter
	names, shown = make([]string, len(a.screens)), make([]bool, len(a.screens))
	room, all := a.width-2, 0
	if want := a.tabsEnd(s, a.width/2); !inRule && want.Width > 0 {
		room -= want.Width + 3 // for what the present screen counts
	}
	at := slices.Index(a.screens, a.at)
	for i, t := range a.screens {
		names[i] = t.Key + " " + t.Title
		if c, ok := t.view.(screen.Crumber); ok && t == a.at && s != nil && s.Loading == 1 {
			if crumb := p.Text(c.Crumb(s)); crumb != "" {
				names[i] += " " + p.Glyphs.Crumb + " " + p.Middle(crumb, max(a.width/4, 8))
				if place, n := a.position(s); inRule && t.Opens == screen.NodeSubject && n > 0 {
					names[at] += fmt.Sprintf("  %d of %d", place, n)
				}
			}
		}
		all += paint.Width(names[i]) + 3
	}
	if all > room {
		room -= paint.Width(moreTabs) + 3
	}
	shown[at] = true
	room -= paint.Width(names[at]) + 3
	for i := range names {
		if shown[i] {
			continue
		}
		if room -= paint.Width(names[i]) + 3; room < 0 {
			break
		}
		shown[i] = true
	}
	return names, shown
}

// tabsEnd is what stands beside the tabs: which of how many nodes is shown, or the counts of all.
func (a *App) tabsEnd(s *screen.Snapshot, room int) paint.Row {
	if s == nil || s.Loading < 1 {
		return paint.Row{}
	}
	if a.at.Opens == screen.NodeSubject {
		if i, n := a.position(s); n > 0 && room > 12 && a.layout.Tabs.H > 0 {
			return a.painter.Line(room).Put(themes.Dim, fmt.Sprintf("%d of %d", i, n)).Row()
		}
		return paint.Row{}
	}
	if v, ok := a.view().(screen.Summarizer); ok && a.layout.Tabs.H > 0 {
		return v.Summary(s, a.painter, room)
	}
	return paint.Row{}
}

// foot is the lower rule. In a recording, and in a live session that is held, it is the
// scrub bar.
func (a *App) foot(s *screen.Snapshot) string {
	if !a.scrubs(s) {
		return a.aside(s).Text
	}
	l := a.painter.Line(a.width).Skip(1)
	bar := widget.ScrubBar{Coverage: s.Reach(), Gaps: s.Gaps, At: s.At, Curtain: s.Curtain, Lifts: " c lifts the curtain "}
	if s.Timeline != nil {
		bar.Marks = s.Timeline.Marks
		if a.layout.Tier >= screen.Standard {
			bar.Overview = s.Timeline.Overview
		}
	}
	l.Append(bar.Row(a.painter, a.width-2))
	return l.String()
}

// aside is the lower rule with what the view says in it, where it has no line to say it in.
func (a *App) aside(s *screen.Snapshot) paint.Row {
	const before, after = 3, 2 // rule and space
	v, ok := a.view().(screen.Asider)
	if !ok || s == nil || a.layout.Context.H > 0 || a.nothing(s) != "" {
		return a.painter.Rule(a.width)
	}
	row := v.Aside(s, a.painter, a.width-before-after)
	if row.Width == 0 {
		return a.painter.Rule(a.width)
	}
	l := a.painter.Line(a.width).Append(a.painter.Rule(a.width - row.Width - after - 2)).Skip(1)
	return l.Append(row).Skip(1).Append(a.painter.Rule(after)).Row()
}

func (a *App) scrubs(s *screen.Snapshot) bool {
	return s != nil && s.Mode != screen.Live && s.Coverage.Bounded() && s.Reach().Width() > 0 && a.width > 20
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
	case a.anew != nil:
		return l.Put(themes.Accent, " "+p.Glyphs.About+" ").Put(themes.Text, a.anew.words(p)).String()
	case a.messages.current() != "":
		return l.Put(themes.Text, " "+p.Text(a.messages.current())).String()
	}
	if s == nil || s.Loading < 1 {
		return ""
	}
	if row, ok := a.steppedRow(s, a.width); ok && a.layout.Context.H == 0 {
		return row.Text
	}
	if a.at.SearchesTime && s.Timeline != nil && s.Timeline.Query != "" && a.layout.Context.H == 0 {
		return a.view().Context(s, p, a.width) // what was found
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
// stand at its end, and the others give way to them. A click on one presses it.
func (a *App) keyLine() string {
	p := a.painter
	a.hintSpans = a.hintSpans[:0]
	end := a.hints(p.Line(a.width-1), true).Row()
	for i := range a.hintSpans {
		a.hintSpans[i].from += a.width - 1 - end.Width
		a.hintSpans[i].to += a.width - 1 - end.Width
	}
	l := p.Line(max(a.width-3-end.Width, 0)).Skip(1)
	return p.Line(a.width).Append(a.hints(l, false).Row()).To(a.width - 1 - end.Width).Append(end).String()
}

// hints writes the keys of the program, or all others.
func (a *App) hints(l *paint.Line, program bool) *paint.Line {
	for _, b := range a.active() {
		if b.Hint == "" || len(b.Keys) == 0 || (b.group == groupProgram) != program || b.why(a) != "" {
			continue
		}
		key := a.keyName(b.Keys[0])
		if l.Rest() < paint.Width(key)+1+paint.Width(a.hint(b)) {
			continue
		}
		from := l.Width()
		l.Put(themes.Accent, key).Put(themes.Dim, " "+a.hint(b))
		a.hintSpans = append(a.hintSpans, span{from, l.Width(), func() tea.Cmd { return a.do(b) }})
		l.Skip(2)
	}
	return l
}

// hint is a binding's word in the key line: the screen's own where it has one. What space and q
// do depends on what is going on.
func (a *App) hint(b *binding) string {
	if a.at != nil {
		if word := a.at.Words[b.Action]; word != "" {
			return word
		}
	}
	switch {
	case b.Action == "back or quit" && len(a.trail) > 0:
		return "back"
	case b.Action != "play or pause":
		return b.Hint
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
	return b.Hint
}
