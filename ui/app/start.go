package app

import (
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
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
	lines := make([]string, 0, area.H)
	head := []string{words.Of("start.title").In(p), ""}
	if area.H < startHead+4 {
		head = nil
	}
	for _, text := range head {
		lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Dim, text).String())
	}
	s.list.Fit(len(s.demos), max(area.H-len(lines)-2, 1))
	s.top = len(lines)
	for i, to := s.list.Shown(); i < to; i++ {
		l := widget.Begin(p, area.W, i == s.list.Cursor, true)
		l.Left(themes.Text, p.Text(s.demos[i].Name), 20).Skip(2).Put(themes.Dim, p.Text(s.demos[i].Summary))
		lines = append(lines, l.String())
	}
	if len(s.demos) == 0 {
		lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Text, words.Of("start.none").In(p)).String())
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
				lines = append(lines, "")
			}
			lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Dim, p.Text(text)).String())
		}
	}
	for len(lines) < area.H {
		lines = append(lines, "")
	}
	return lines[:area.H]
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
