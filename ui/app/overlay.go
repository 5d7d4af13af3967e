package app

import (
	"strings"

	"kardia/model/timeline"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"

	tea "charm.land/bubbletea/v2"
)

// overlayKind is what lies over the screen.
type overlayKind uint8

const (
	noOverlay overlayKind = iota
	helpOverlay
	messagesOverlay
	whyOverlay
	diffOverlay
)

// overlay is a list of lines over the screen, which can be searched and scrolled.
type overlay struct {
	kind   overlayKind
	search string
	first  int
	// subject is what the why is about.
	subject screen.Subject
	// diff is what is compared.
	diff *timeline.Diff
	// room is how many lines were shown last.
	room int
}

func (o *overlay) open() bool { return o.kind != noOverlay }

func (a *App) showHelp() tea.Cmd     { a.overlay = overlay{kind: helpOverlay}; return nil }
func (a *App) showMessages() tea.Cmd { a.overlay = overlay{kind: messagesOverlay}; return nil }

// overlayKey handles a key while an overlay is open: letters search.
func (a *App) overlayKey(msg tea.KeyPressMsg) tea.Cmd {
	o := &a.overlay
	if o.kind == whyOverlay {
		return a.whyKey(msg.String())
	}
	switch key := msg.String(); key {
	case "esc":
		if o.search != "" {
			o.search, o.first = "", 0
			return nil
		}
		a.overlay = overlay{}
	case "enter", "?":
		a.overlay = overlay{}
	case "up":
		o.first--
	case "down":
		o.first++
	case "pgup", "ctrl+u":
		o.first -= max(o.room/2, 1)
	case "pgdown", "ctrl+d":
		o.first += max(o.room/2, 1)
	case "home":
		o.first = 0
	case "end":
		o.first = 1 << 30
	case "backspace":
		if runes := []rune(o.search); len(runes) > 0 {
			o.search = string(runes[:len(runes)-1])
		}
	case "q":
		if o.search == "" {
			a.overlay = overlay{}
			return nil
		}
		o.search += key
	default:
		if len(o.search) < maxTyped {
			o.search += paint.Clean(msg.Text)
			o.first = 0
		}
	}
	return nil
}

// drawOverlay lays over the lines what is open: the palette, or help or messages.
func (a *App) drawOverlay(lines []string) {
	if a.prompt != nil && a.prompt.kind == askingCommand {
		h := min(a.layout.Body.H, 12)
		if a.layout.Tier == screen.Tiny {
			h = a.layout.Body.H
		}
		rows := a.paletteRows(a.width, h)
		lay(lines, rows, 0, a.layout.Body.Y+a.layout.Body.H-len(rows))
		return
	}
	if !a.overlay.open() {
		return
	}
	width, height := a.width, a.height
	if a.layout.Tier >= screen.Standard {
		width, height = min(a.width-8, 96), a.height-4
	}
	rows := a.box(width, height)
	lay(lines, rows, (a.width-width)/2, (a.height-height)/2)
}

// box draws the open overlay: a title, a rule, and as much of its lines as there is room for.
func (a *App) box(width, height int) []paint.Row {
	p, o := a.painter, &a.overlay
	title, content := "Messages", a.messageRows
	switch o.kind {
	case helpOverlay:
		title, content = "Help", a.helpRows
	case whyOverlay:
		title, content = a.whyTitle(), a.whyRows
	case diffOverlay:
		title, content = a.diffTitle(), a.diffRows
	}
	inner := max(width-2, 1)
	list := content(inner)
	o.room = max(height-4, 1)
	o.first = max(min(o.first, len(list)-o.room), 0)
	head := p.Line(inner).Skip(1).Put(themes.Accent, title).Skip(2)
	switch {
	case o.kind == whyOverlay:
		head.Put(themes.Faint, a.whyHint(len(list)))
	case o.search != "":
		head.Put(themes.Text, "/"+p.Text(o.search))
	default:
		head.Put(themes.Faint, "type to search, arrows scroll, esc closes")
	}
	rows := []paint.Row{head.To(inner).Row(), p.Rule(inner)}
	for i := o.first; i < min(o.first+o.room, len(list)); i++ {
		rows = append(rows, p.Line(inner).Append(list[i]).To(inner).Row())
	}
	return frameRows(p, rows, width, height)
}

// frameRows draws a border around rows, in exactly width×height cells.
func frameRows(p *paint.Painter, rows []paint.Row, width, height int) []paint.Row {
	edge := p.Rule(width)
	out := []paint.Row{edge}
	for i := range max(height-2, 0) {
		l := p.Line(width).Glyph(themes.Rule, p.Glyphs.Vertical)
		if i < len(rows) {
			l.Append(rows[i])
		}
		out = append(out, l.To(width-1).Glyph(themes.Rule, p.Glyphs.Vertical).Row())
	}
	out = append(out, edge)
	return out[:min(len(out), height)]
}

// helpRows are the bindings of this screen, by group.
func (a *App) helpRows(width int) []paint.Row {
	p := a.painter
	var rows []paint.Row
	search := strings.ToLower(a.overlay.search)
	for _, group := range groups {
		first := true
		for _, b := range a.active() {
			keys := a.keyList(b)
			if b.group != group || !strings.Contains(strings.ToLower(keys+" "+string(b.action)+" "+b.help), search) {
				continue
			}
			if first {
				rows = append(rows, p.Line(width).Skip(1).Put(themes.Accent, group).Row())
				first = false
			}
			rows = append(rows, a.helpRow(b, keys, width)...)
		}
	}
	if rows == nil {
		rows = append(rows, p.Line(width).Skip(1).Put(themes.Dim, "nothing here is called that").Row())
	}
	return rows
}

// narrowHelp is the width below which what a binding does stands below its name.
const narrowHelp = 60

// helpRow is one binding: its keys, its name and what it does, or why it does not.
func (a *App) helpRow(b *binding, keys string, width int) []paint.Row {
	p := a.painter
	if keys == "" {
		keys = ":" + string(b.action)
	}
	text, token := b.help, themes.Dim
	if why := b.why(a); why != "" {
		text, token = b.help+" ("+why+")", themes.Faint
	}
	l := p.Line(width).Skip(2).Left(themes.Text, keys, 12).Skip(1).Left(themes.Text, string(b.action), 17).Skip(1)
	indent := l.Width()
	var rows []paint.Row
	if width < narrowHelp {
		rows = append(rows, l.Row())
		indent = 4
		l = p.Line(width).Skip(indent)
	}
	for _, part := range paint.Fold(text, max(width-indent-1, 10)) {
		rows = append(rows, l.Put(token, part).Row())
		l = p.Line(width).Skip(indent)
	}
	return rows
}

// messageRows are the messages, the newest first, and before them all that must be said of
// the state shown.
func (a *App) messageRows(width int) []paint.Row {
	p := a.painter
	var rows []paint.Row
	add := func(token themes.Token, lead, text string) {
		if !strings.Contains(strings.ToLower(text), strings.ToLower(a.overlay.search)) {
			return
		}
		for _, part := range paint.Fold(p.Text(text), max(width-14, 10)) {
			rows = append(rows, p.Line(width).Skip(1).Left(themes.Faint, lead, 12).Skip(1).Put(token, part).Row())
			lead = ""
		}
	}
	if s := a.snapshot(); s != nil {
		for _, n := range screen.Notices(s, p) {
			add(n.Token, "now", n.Text)
		}
	}
	for i := len(a.messages.log) - 1; i >= 0; i-- {
		m := &a.messages.log[i]
		lead := ""
		if m.at.Bounded() {
			lead = p.Clock(m.at)
		}
		add(themes.Text, lead, m.text)
	}
	if rows == nil {
		rows = append(rows, p.Line(width).Skip(1).Put(themes.Dim, "nothing was said").Row())
	}
	return rows
}
