package app

import (
	"image/color"
	"math"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"

	"charm.land/bubbles/v2/progress"
)

// start is the screen without a session.
type start struct {
	demos []Demo
	list  widget.Scroller
	top   int // the line of the first recording in the last Render
}

func (s *start) do(action screen.Action) {
	if by, ok := action.Motion(s.list.Page); ok {
		s.list.Move(by)
	}
}

func (s *start) selected() (Demo, bool) {
	if len(s.demos) == 0 {
		return Demo{}, false
	}
	return s.demos[s.list.Cursor], true
}

// startHead is the lines above the list.
const startHead = 2

func (s *start) render(p *paint.Painter, area screen.Area, hint string) []string {
	lines := make([]paint.Row, 0, area.H)
	head := []string{words.Of("start.title").In(p), ""}
	if area.H < startHead+4 {
		head = nil
	}
	for _, text := range head {
		lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Dim, text).Row())
	}
	s.list.Fit(len(s.demos), max(area.H-len(lines)-2, 1))
	s.top = len(lines)
	for i, to := s.list.Shown(); i < to; i++ {
		l := widget.Begin(p, area.W, i == s.list.Cursor, true)
		l.Left(themes.Text, p.Text(s.demos[i].Name), 20).Skip(2).Put(themes.Dim, p.Text(s.demos[i].Summary))
		lines = append(lines, l.Row())
	}
	if len(s.demos) == 0 {
		lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Text, words.Of("start.none").In(p)).Row())
	}
	about := ""
	if len(s.demos) > 0 {
		about = s.demos[s.list.Cursor].Summary // whole: the list may have cut it
	}
	for _, paragraph := range []string{about, hint} {
		for i, text := range paint.Fold(paragraph, max(area.W-2, 1)) {
			if text == "" || len(lines)+2 >= area.H {
				continue
			}
			if i == 0 {
				lines = append(lines, paint.Row{})
			}
			lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Dim, p.Text(text)).Row())
		}
	}
	return paint.Fill(lines, area.H)
}

// click moves the cursor to a line of the body; true if it was there already.
func (s *start) click(y int) bool {
	i, ok := s.list.At(y - s.top)
	again := ok && i == s.list.Cursor
	if ok {
		s.list.To(i)
	}
	return again
}

const openingWidth = 60

// drawOpening is the body while a recording is opened or a scenario played: its name, share, speed, and the time left.
func drawOpening(p *paint.Painter, s *screen.Snapshot, area screen.Area) []string {
	w := min(openingWidth, area.W-2)
	if w < 1 || area.H < 5 {
		return paint.Fill([]paint.Row{p.Line(area.W).Put(themes.Text, openingWords(p, s)).Row()}, area.H)
	}
	rows := make([]paint.Row, (area.H-5)/2, area.H)
	left := (area.W - w) / 2
	say := func(t themes.Token, text string) {
		rows = append(rows, p.Line(area.W).Skip(left).Put(t, text).Row())
	}
	say(themes.Text, openingWords(p, s))
	rows = append(rows, p.Line(area.W).Skip(left).Append(paint.Row{Text: openingBar(p, w).ViewAs(s.Loading), Width: w}).Row(), paint.Row{})
	if left, ok := s.Opening.Left(); ok {
		say(themes.Dim, words.Of("opening.left", "read", openedOf(s.Opening), "for", left.Round(time.Second)).In(p))
	}
	say(themes.Dim, words.Of("opening.keys").In(p))
	return paint.Fill(rows, area.H)
}

// openedOf is how much of how much was read, and how fast, or how much was played.
func openedOf(o screen.Opening) words.Say {
	if o.Plays {
		return words.Of("opening.played", "done", offset(time.Duration(o.Done))[1:], "of", offset(time.Duration(o.Total))[1:])
	}
	return words.Of("opening.read", "done", paint.Bytes(o.Done), "of", paint.Bytes(o.Total), "rate", paint.Bytes(int64(o.Rate())))
}

func openingWords(p *paint.Painter, s *screen.Snapshot) string {
	percent := words.Say{}
	if s.Opening.Total > 0 { // a pipe's length is not known
		percent = words.Of("opening.percent", "percent", int(math.Round(s.Loading*100)))
	}
	return words.Of("opening.says-"+pick(s.Opening.Plays, "plays", "reads"), "mark", p.Glyphs.Ellipsis, "name", p.Text(s.Name), "percent", percent).In(p)
}

// openingBar is the bar of bubbles, in the theme's colours and glyphs.
func openingBar(p *paint.Painter, w int) progress.Model {
	glyph := func(s string) rune { return []rune(s)[0] }
	bar := progress.New(progress.WithWidth(w), progress.WithoutPercentage(), progress.WithFillCharacters(glyph(p.Glyphs.Full), glyph(p.Glyphs.Empty)))
	bar.FullColor, bar.EmptyColor = foreground(p, themes.Accent), foreground(p, themes.Rule)
	return bar
}

// foreground is a token's colour; nil if the theme leaves it to the terminal.
func foreground(p *paint.Painter, t themes.Token) color.Color {
	c := p.Theme.Styles[t].Fg
	if !c.Set {
		return nil
	}
	return color.RGBA{R: uint8(c.RGB >> 16), G: uint8(c.RGB >> 8), B: uint8(c.RGB), A: 0xff}
}
