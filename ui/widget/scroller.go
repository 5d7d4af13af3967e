package widget

import "kardia/ui/words"

// Scroller keeps a cursor among rows, and the cursor in sight. The zero value is on the first row.
type Scroller struct {
	// Cursor is the person's row, First the first in sight, Page the number in sight.
	Cursor, First, Page int
	n                   int
}

// Fit sets how many rows there are now and how many have room, and brings the cursor into sight.
func (s *Scroller) Fit(n, page int) {
	s.n, s.Page = max(n, 0), max(page, 1)
	s.Cursor = max(min(s.Cursor, s.n-1), 0)
	s.First = max(min(s.First, s.Cursor, s.n-s.Page), s.Cursor-s.Page+1, 0)
}

// N is how many rows there are.
func (s *Scroller) N() int { return s.n }

// Move moves the cursor by some rows, as far as there are any.
func (s *Scroller) Move(by int) { s.To(s.Cursor + by) }

// To puts the cursor on a row.
func (s *Scroller) To(row int) {
	s.Cursor = max(min(row, s.n-1), 0)
	s.First = max(min(s.First, s.Cursor), s.Cursor-max(s.Page, 1)+1, 0)
}

// Scroll moves the visible part, for text without a cursor.
func (s *Scroller) Scroll(by int) {
	s.First = max(min(s.First+by, s.n-s.Page), 0)
	s.Cursor = min(max(s.Cursor, s.First), s.First+max(s.Page, 1)-1)
}

// InSight is which of the rows are in sight, as "1-16 of 40"; "" if all are.
func (s *Scroller) InSight() string {
	from, to := s.Shown()
	if to-from >= s.n {
		return ""
	}
	return words.Of("pane.in-sight", "from", from+1, "to", to, "n", s.n).String()
}

// Shown are the rows in sight: from is the first, to the one after the last.
func (s *Scroller) Shown() (from, to int) { return s.First, min(s.First+s.Page, s.n) }

// At is the row in a line of those in sight; ok is false if there is none.
func (s *Scroller) At(line int) (row int, ok bool) {
	row = s.First + line
	return row, line >= 0 && line < s.Page && row < s.n
}

// Turn moves the cursor by one, from the last row to the first and back.
func (s *Scroller) Turn(by int) {
	if s.n > 0 {
		s.To((s.Cursor + by + s.n) % s.n)
	}
}
