package timeline

import (
	"time"

	"kardia/model"
	"kardia/model/past"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

type window struct {
	from   model.Instant
	length time.Duration // 0 is all that is covered
	// shown is the time shown when the window was placed: if that leaves the window, the window follows.
	shown model.Instant
}

const shortest = 10 * time.Second

// update lets the window follow the time shown.
func (w *window) update(s *screen.Snapshot) {
	if w.length == 0 || s.At == w.shown {
		return
	}
	w.shown = s.At
	if s.At < w.from || s.At >= w.from.Add(w.length) {
		w.moveTo(s, s.At.Add(-w.length/5))
	}
}

func (w *window) moveTo(s *screen.Snapshot, from model.Instant) {
	w.from = max(min(from, s.Reach().Latest.Add(-w.length)), s.Reach().Earliest)
}

// zoom halves or doubles the window, and keeps a time at its place in it.
func (w *window) zoom(s *screen.Snapshot, around model.Instant, in bool) {
	if !s.Reach().Bounded() {
		return
	}
	whole := s.Reach().Width()
	length, from := w.length, w.from
	if length == 0 {
		length, from = whole, s.Reach().Earliest
	}
	next := length * 2
	if in {
		next = max(length/2, min(shortest, whole))
	}
	if next >= whole {
		*w = window{shown: s.At}
		return
	}
	share := 0.5
	if length > 0 {
		share = min(max(float64(around.Sub(from))/float64(length), 0), 1)
	}
	w.length, w.shown = next, s.At
	w.moveTo(s, around.Add(-time.Duration(share*float64(next))))
}

func (w *window) pan(s *screen.Snapshot, by int) {
	if w.length != 0 {
		w.moveTo(s, w.from.Add(time.Duration(by)*w.length/3))
	}
}

// scaleOf is the scale of the window in so many cells, which begin on round times.
func (w *window) scaleOf(s *screen.Snapshot, o *past.Overview, cells int) widget.Scale {
	from, length := w.from, w.length
	if length == 0 {
		from, length = s.Reach().Earliest, s.Reach().Width()
	}
	if o == nil {
		o = &past.Overview{}
	}
	// One cell less, because the first one begins before the window does.
	step := o.Step(length, max(cells-1, 1))
	return widget.Scale{From: from.Truncate(step), Step: step, Cells: max(cells, 1)}
}
