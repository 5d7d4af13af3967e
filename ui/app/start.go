package app

import (
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// start is the screen without a session: the recordings that can be opened.
type start struct {
	demos  []Demo
	cursor int
	first  int
}

// do moves the cursor.
func (s *start) do(action screen.Action) {
	switch action {
	case screen.Up:
		s.cursor--
	case screen.Down:
		s.cursor++
	case screen.HalfUp:
		s.cursor -= 5
	case screen.HalfDown:
		s.cursor += 5
	case screen.First:
		s.cursor = 0
	case screen.Last:
		s.cursor = len(s.demos) - 1
	}
	s.cursor = max(min(s.cursor, len(s.demos)-1), 0)
}

// selected is the name under the cursor.
func (s *start) selected() (string, bool) {
	if len(s.demos) == 0 {
		return "", false
	}
	return s.demos[s.cursor].Name, true
}

// startHead is how many lines stand above the list.
const startHead = 2

// render draws the screen's body.
func (s *start) render(p *paint.Painter, area screen.Area, hint string) []string {
	lines := make([]string, 0, area.H)
	head := []string{"Real incidents, recorded while a zone or its nodes failed. Nothing is watched.", ""}
	if area.H < startHead+4 {
		head = nil
	}
	for _, text := range head {
		lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Dim, text).String())
	}
	room := max(area.H-len(lines)-2, 1)
	s.first = min(max(s.first, s.cursor-room+1), s.cursor)
	for i := s.first; i < min(s.first+room, len(s.demos)); i++ {
		l := p.Line(area.W)
		if i == s.cursor {
			l.Pick().Glyph(themes.Accent, p.Glyphs.Selected)
		} else {
			l.Skip(1)
		}
		l.Left(themes.Text, p.Text(s.demos[i].Name), 20).Skip(2).Put(themes.Dim, p.Text(s.demos[i].Summary))
		lines = append(lines, l.String())
	}
	if len(s.demos) == 0 {
		lines = append(lines, p.Line(area.W).Skip(1).Put(themes.Text, "no recordings are built in").String())
	}
	about := ""
	if len(s.demos) > 0 {
		about = s.demos[s.cursor].Summary // whole: the list may have cut it
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
	i := y - startHead + s.first
	if i < 0 || i >= len(s.demos) {
		return false
	}
	again := i == s.cursor
	s.cursor = i
	return again
}
