package app

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// overlay is a scrollable page of lines over the body of the screen. The uppermost of several has the keys.
type overlay struct {
	title func() words.Say
	// rows are its lines in a width, only those that contain search, in lower case.
	rows func(width int, search string) []paint.Row
	// timed: the keys of time still work while it is open.
	timed bool
	// read: the page is text to look through, not about the cursor's item. A person who types words without / means a
	// search, so letters lead nowhere.
	read bool
	// closes is the key, beside esc and q, that closes it: the one that opened it.
	closes string
	// commands are those on it, for Y.
	commands []string
	// asks are its kinds that are not watched: a live session lists them while it is open.
	asks []model.Kind

	search    string
	searching bool
	text      widget.Scroller
}

func (a *App) openOverlay(o overlay) tea.Cmd {
	a.overlays = append(a.overlays, &o)
	return nil
}

func (a *App) overlay() *overlay {
	if len(a.overlays) == 0 {
		return nil
	}
	return a.overlays[len(a.overlays)-1]
}

func (a *App) closeOverlay() { a.overlays = a.overlays[:max(len(a.overlays)-1, 0)] }

func (a *App) showHelp() tea.Cmd {
	return a.openOverlay(overlay{title: func() words.Say { return words.Of("help.title") }, rows: a.helpRows, read: true, closes: "?"})
}

func (a *App) showMessages() tea.Cmd {
	return a.openOverlay(overlay{title: func() words.Say { return words.Of("messages.title") }, rows: a.messageRows, read: true})
}

func (a *App) overlayKey(msg tea.KeyPressMsg) tea.Cmd {
	o := a.overlay()
	if o.searching {
		o.searchKey(msg)
		return nil
	}
	return a.overlayPress(o, KeyOf(msg))
}

// overlayPress acts on a key, or a click on it in the key line, while a page is open.
func (a *App) overlayPress(o *overlay, key string) tea.Cmd {
	switch key {
	case "esc":
		if o.search != "" {
			o.search = ""
			o.text.First = 0
			return nil
		}
		a.closeOverlay()
	case "q", "enter", o.closes:
		a.closeOverlay()
	case "/":
		o.searching = true
	case "?":
		return a.showHelp()
	case "Y":
		if len(o.commands) == 0 {
			return a.say(words.Of("copy.none"))
		}
		return a.askOne(askingCopy, a.copies(o.commands))
	default:
		b := a.find(key)
		if b == nil {
			return nil
		}
		if by, ok := b.Action.Motion(o.text.Page); ok {
			o.text.Scroll(by)
			return nil
		}
		if !o.takes(b) {
			return nil
		}
		if b.leaves() {
			a.overlays = nil
		}
		return a.do(b)
	}
	return nil
}

// takes reports whether a binding works while a page is open.
func (o *overlay) takes(b *binding) bool {
	switch {
	case b.leaves():
		return !o.read || !slices.ContainsFunc(b.Keys, isLetter)
	case b.group == groupTime:
		return o.timed
	}
	return b.Action == "palette" || b.Action == "help" || b.Action == "back or quit"
}

// leaves reports whether a binding shows something else, which closes the pages.
func (b *binding) leaves() bool {
	return b.group == groupScreens || slices.Contains([]screen.Action{"why", "forecast", "verdict"}, b.Action)
}

func isLetter(key string) bool {
	r := []rune(key)
	return len(r) == 1 && unicode.IsLetter(r[0])
}

// holding are the rows of a page whose text contains search.
func (a *App) holding(rows func(width int) []paint.Row) func(width int, search string) []paint.Row {
	return func(width int, search string) []paint.Row {
		list := slices.DeleteFunc(rows(width), func(r paint.Row) bool {
			return search != "" && !strings.Contains(strings.ToLower(ansi.Strip(r.Text)), search)
		})
		if len(list) == 0 && search != "" {
			list = append(list, a.painter.Line(width).Skip(1).Put(themes.Dim, words.Of("no-match").In(a.painter)).Row())
		}
		return list
	}
}

func (o *overlay) searchKey(msg tea.KeyPressMsg) {
	switch msg.String() {
	case "esc":
		o.search, o.searching = "", false
	case "enter":
		o.searching = false
	case "backspace":
		if runes := []rune(o.search); len(runes) > 0 {
			o.search = string(runes[:len(runes)-1])
		} else {
			o.searching = false
		}
	default:
		if len(o.search) < maxTyped {
			o.search += paint.Clean(msg.Text)
		}
	}
	o.text.First = 0
}

// drawOverlay draws the open page over the lines, and the palette over that. The page covers the whole body, so that
// nothing below is mistaken for a part of it.
func (a *App) drawOverlay(lines []string) []string {
	body := a.layout.Body
	if o := a.overlay(); o != nil {
		lines = a.stack(lines, a.page(o, a.width, body.H), body.Y)
	}
	if a.prompt != nil && a.prompt.offers != nil {
		rows := a.paletteRows(a.width, a.paletteHeight())
		a.paletteTop = body.Y + body.H - len(rows)
		lines = a.stack(lines, rows, a.paletteTop)
	}
	return lines
}

// stack lays rows over the lines of a frame, from y on.
func (a *App) stack(lines []string, rows []paint.Row, y int) []string {
	if len(rows) == 0 {
		return lines
	}
	over := make([]string, len(rows))
	for i := range rows {
		over[i] = rows[i].Text + strings.Repeat(" ", max(a.width-rows[i].Width, 0))
	}
	frame := lipgloss.NewCanvas(a.width, a.height)
	frame.Compose(lipgloss.NewCompositor(
		lipgloss.NewLayer(strings.Join(lines, "\n")),
		lipgloss.NewLayer(strings.Join(over, "\n")).Y(y).Z(1)))
	return strings.Split(frame.Render(), "\n")
}

func (a *App) page(o *overlay, width, height int) []paint.Row {
	p := a.painter
	inner := max(width-4, 1)
	list := o.rows(inner, strings.ToLower(o.search))
	pane := widget.Pane{Title: o.title().In(p), Focused: true}
	o.text.Fit(len(list), max(height-2, 1))
	switch {
	case o.searching:
		pane.Note = words.Of("overlay.searching", "text", p.Text(o.search)).In(p)
	case o.search != "":
		pane.Note = words.Of("overlay.searched", "text", p.Text(o.search)).In(p)
	case len(o.commands) > 0:
		pane.Note = words.Of("overlay.keys-copy").In(p)
	default:
		pane.Note = words.Of("overlay.keys").In(p)
	}
	from, to := o.text.Shown()
	pane.End = o.text.InSight()
	return pane.Rows(p, list[from:to], width, height)
}

// card is the actions that a person needs first, in groups named by their first.
var card = [...][]screen.Action{
	{"why"}, {"verdict"}, {"forecast"}, {"recovery"}, {"actors"}, {"options"}, {"branch"}, {screen.Open}, {screen.Escape}, {"screens"},
	{"filter"}, {screen.Sort, screen.Reverse}, {screen.Attention},
	{"play or pause"}, {"next decision", "previous decision"}, {"next zone change", "prior zone change"}, {"next change", "previous change"},
	{"go to a time"}, {"last write"}, {"hide later"}, {"bookmark", "previous bookmark", "next bookmark"}, {"diff"}, {"copy name", "copy command"}, {"palette"}, {"back or quit"},
}

// cardRows are the card: in two columns if there is room.
func (a *App) cardRows(width int) (rows []paint.Row) {
	const keys, column = 9, 38
	type cell struct{ keys, does string }
	var cells []cell
	active := a.active()
	for _, actions := range card {
		c := cell{does: words.Of("card." + string(actions[0])).String()}
		for _, action := range actions {
			if i := slices.IndexFunc(active, func(b *binding) bool { return b.Action == action && len(b.Keys) > 0 }); i >= 0 {
				c.keys += " " + a.keyName(active[i].Keys[0])
			}
		}
		if c.keys != "" {
			cells = append(cells, c)
		}
	}
	columns := min(max(width/column, 1), 2)
	high := (len(cells) + columns - 1) / columns
	for i := range high {
		l := a.painter.Line(width)
		for k := i; k < len(cells); k += high {
			l.To(k/high*(width/columns)).Left(themes.Text, cells[k].keys, keys).Left(themes.Dim, cells[k].does, width/columns-keys-1)
		}
		rows = append(rows, l.Row())
	}
	return append(rows, paint.Row{})
}

// helpRows are the card, and the bindings of this screen by group.
func (a *App) helpRows(width int, search string) (rows []paint.Row) {
	p := a.painter
	if search == "" {
		rows = a.cardRows(width)
	}
	rows = append(rows, a.wordRows("cursor", a.wordsHere(), width, search)...)
	for _, group := range groups {
		first := true
		for _, b := range a.active() {
			keys := a.keyList(b)
			if b.group != group || !strings.Contains(strings.ToLower(keys+" "+string(b.Action)+" "+b.Action.Name()+" "+b.Help()), search) {
				continue
			}
			if first {
				rows = append(rows, p.Line(width).Skip(1).Put(themes.Accent, words.Label(group)).Row())
				first = false
			}
			rows = append(rows, a.helpRow(b, keys, width)...)
		}
	}
	rows = append(rows, a.glossaryRows(width, search)...)
	if rows == nil {
		rows = append(rows, p.Line(width).Skip(1).Put(themes.Dim, words.Of("no-match").In(p)).Row())
	}
	return rows
}

// narrowHelp is the width below which a binding's effect is below its name.
const narrowHelp = 60

// helpRow is one binding: its keys, its name, its effect, or why it has none.
func (a *App) helpRow(b *binding, keys string, width int) []paint.Row {
	p := a.painter
	keys = cmp.Or(keys, ":"+string(b.Action))
	text, token := b.Help(), themes.Dim
	if why := b.why(a); why != "" {
		text, token = b.Help()+" ("+why+")", themes.Faint
	}
	l := p.Line(width-1).Skip(2).Left(themes.Text, keys, 12).Skip(1).Left(themes.Text, b.Action.Name(), 17).Skip(1)
	if width < narrowHelp {
		return append([]paint.Row{l.Row()}, p.Folded(p.Line(width-1).Skip(4), token, text)...)
	}
	return p.Folded(l, token, text)
}

// messageRows are the caveats, and the messages, the newest first.
func (a *App) messageRows(width int, search string) []paint.Row {
	p := a.painter
	var rows []paint.Row
	add := func(token themes.Token, lead, text string) {
		if !strings.Contains(strings.ToLower(text), search) {
			return
		}
		rows = append(rows, p.Folded(p.Line(width).Skip(1).Left(themes.Faint, lead, 12).Skip(1), token, text)...)
	}
	if s := a.snapshot(); s != nil {
		for _, n := range screen.Notices(s, p) {
			add(n.Token, words.Of("messages.now").In(p), n.Text)
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
		rows = append(rows, p.Line(width).Skip(1).Put(themes.Dim, words.Of("messages.none").In(p)).Row())
	}
	return rows
}
