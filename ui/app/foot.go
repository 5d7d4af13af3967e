package app

import (
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
)

// foot is the lower rule; in a recording or a held live session the scrub bar.
func (a *App) foot(s *screen.Snapshot) string {
	if !a.scrubs(s) {
		return a.aside(s).Text
	}
	l := a.painter.Line(a.width).Skip(1)
	bar := widget.ScrubBar{Coverage: s.Reach(), Gaps: s.Gaps, At: s.At, Curtain: s.Curtain, Lifts: " " + words.Of("foot.lifts").String() + " "}
	if s.Timeline != nil {
		bar.Marks = s.Timeline.Marks
		if a.layout.Tier >= screen.Standard {
			bar.Overview = s.Timeline.Overview
		}
	}
	l.Append(bar.Row(a.painter, a.width-2))
	return l.String()
}

// aside is the lower rule with the view's words, if it has no line for them.
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

// messageLine is the prompt, else the message, else the first caveat.
func (a *App) messageLine(s *screen.Snapshot) string {
	p := a.painter
	l := p.Line(a.width)
	switch {
	case a.asking:
		return l.Put(themes.Warn, " "+words.Of("foot.leave", "name", p.Text(s.Name)).In(p)).Put(themes.Text, "  "+words.Of("foot.leave-keys").In(p)).String()
	case a.prompt != nil:
		return a.promptLine()
	case s != nil && s.Underway.What != "":
		return l.Put(themes.Accent, " "+p.Glyphs.About+" ").Put(themes.Text, a.seeking(s)).String()
	case a.anew != nil:
		return l.Put(themes.Accent, " "+p.Glyphs.About+" ").Put(themes.Text, a.anew.words().In(p)).String()
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
		return a.view().Context(s, p, a.width) // the results
	}
	list := screen.Notices(s, p)
	if len(list) > 0 && list[0].Text == a.nothing(s) {
		list = list[1:] // the body shows it
	}
	if text := a.undecided(s); text != "" {
		list = append(list, screen.Notice{Token: themes.Dim, Text: text})
	}
	if len(list) == 0 {
		return l.Put(themes.Dim, a.remembered(s)).String()
	}
	l.Put(list[0].Token, " "+list[0].Text)
	if n := len(list) - 1; n > 0 && l.Rest() > 24 {
		l.Put(themes.Faint, "  "+words.Of("foot.more", "n", n).In(p))
	}
	return l.String()
}

// seeking shows the target of a search, and how far it is.
func (a *App) seeking(s *screen.Snapshot) string {
	what, at := a.painter.Text(s.Underway.What), s.Underway.At
	return words.Of("foot.seeking-at", "what", what, "at", at).If(at.Known()).Or(words.Of("foot.seeking", "what", what)).In(a.painter)
}

// undecided is why the models are silent, if the screen's own line has no room.
func (a *App) undecided(s *screen.Snapshot) string {
	if v, ok := a.view().(interface{ Undecided(*screen.Snapshot) string }); ok && a.layout.Context.H == 0 {
		return v.Undecided(s)
	}
	return ""
}

// remembered shows how far back a held live session can go.
func (a *App) remembered(s *screen.Snapshot) string {
	if s.Mode != screen.LivePaused && s.Mode != screen.LiveReplay || !s.Coverage.Bounded() {
		return ""
	}
	limit, size, changes := a.session.Memory()
	return " " + words.Of("foot.remembered", "since", s.Coverage.Earliest, "n", changes, "size", paint.Bytes(size), "limit", paint.Bytes(limit)).In(a.painter)
}

// contextLine is the decision stepped to, else the view's own line.
func (a *App) contextLine(s *screen.Snapshot) string {
	if s == nil || s.Loading < 1 || a.view() == nil {
		return ""
	}
	if row, ok := a.steppedRow(s, a.width); ok {
		return row.Text
	}
	return a.view().Context(s, a.painter, a.width)
}

// keyLine is as many keys as fit. Those of the program are at its end, and take precedence. A click presses one.
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

func (a *App) hints(l *paint.Line, program bool) *paint.Line {
	o := a.overlay()
	for _, b := range a.active() {
		if o != nil && !o.takes(b) {
			continue
		}
		if b.Hint == "" || len(b.Keys) == 0 || (b.group == groupProgram) != program || b.why(a) != "" {
			continue
		}
		key := a.keyName(b.Keys[0])
		hint := a.hint(b)
		if l.Rest() < paint.Width(key)+1+paint.Width(hint) {
			continue
		}
		from := l.Width()
		l.Put(themes.Accent, key).Put(themes.Dim, " "+hint)
		a.hintSpans = append(a.hintSpans, span{from, l.Width(), func() tea.Cmd { return a.press(b) }})
		l.Skip(2)
	}
	return l
}

func (a *App) press(b *binding) tea.Cmd {
	if o := a.overlay(); o != nil {
		return a.overlayPress(o, b.Keys[0])
	}
	return a.do(b)
}

// hint is a binding's word in the key line: the screen's own if it has one. For space and q it depends on the state.
func (a *App) hint(b *binding) string {
	if a.at != nil {
		if word := a.at.Words[b.Action]; word != "" {
			return words.Label(word)
		}
	}
	switch {
	case b.Action == "back or quit" && a.overlay() != nil:
		return words.Label("close")
	case b.Action == "back or quit" && len(a.trail) > 0:
		return words.Label("back")
	case b.Action == "back or quit" && a.options.Within != "":
		return a.options.Within
	case b.Action != "play or pause":
		return words.Label(b.Hint)
	}
	switch a.session.Snapshot().Mode {
	case screen.Live, screen.LiveReplay:
		return words.Label("hold")
	case screen.LivePaused:
		return words.Label("follow")
	case screen.Playing:
		return words.Label("pause")
	}
	return words.Label(b.Hint)
}
