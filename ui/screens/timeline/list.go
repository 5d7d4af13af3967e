package timeline

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// list is the decisions in order of time, and after them the forecast.
type list struct {
	// all also shows decisions that leave queues and countdowns as they are.
	all bool
	// about is the node or zone whose decisions are listed; none for all decisions.
	about screen.Subject
	read  *infer.Result
	// rows are the decisions of each row, those of the forecast last. shown are indices of the first ones in the Result.
	rows    [][]*model.Decision
	shown   []int32
	foresaw *forecast.Forecast

	cursor int
	// head is the number of decisions up to the time shown, whose row comes after them; at is that time.
	head int
	now  model.Instant
	// stepped is the decision that was stepped to, if any; moving reports that the time moves by itself.
	stepped *model.Decision
	moving  bool

	first, page int
}

// update reads a Snapshot, and reports whether the cursor moved: it goes with the time shown, to the last decision.
func (t *list) update(s *screen.Snapshot) (moved bool) {
	r := s.Result()
	if r == nil {
		*t = list{all: t.all, about: t.about, first: t.first, page: t.page}
		return false
	}
	fresh := r != t.read
	if fresh {
		t.fill(r)
	}
	if f := s.Outlook().Forecast; f != t.foresaw || fresh {
		t.foresee(f, s.Judged.Until)
	}
	if s.At == t.now && s.Stepped == t.stepped && !fresh {
		return false
	}
	t.now, t.stepped = s.At, s.Stepped
	t.moving = s.Mode.Moves()
	t.head = sort.Search(len(t.shown), func(i int) bool { return t.read.Decisions[t.shown[i]].Time > s.At })
	before := t.cursor
	t.cursor = max(min(t.head, t.count())-1, 0)
	if s.Stepped != nil {
		t.cursor = t.nearest(s.Stepped)
	}
	return t.cursor != before
}

// nearest is the given decision, or if it is left out the last one shown before it.
func (t *list) nearest(d *model.Decision) int {
	all := t.read.Decisions
	k := sort.Search(len(all), func(i int) bool { return all[i].Time >= d.Time })
	for k < len(all) && all[k].ID != d.ID && all[k].Time == d.Time {
		k++
	}
	i, there := slices.BinarySearch(t.shown, int32(k))
	if !there {
		i--
	}
	return max(min(i, t.count()-1), 0)
}

func (t *list) fill(r *infer.Result) {
	t.read, t.shown, t.rows = r, t.shown[:0], make([][]*model.Decision, 0, len(t.rows))
	for i := range r.Decisions {
		if d := &r.Decisions[i]; t.lists(d) && t.add(d) {
			t.shown = append(t.shown, int32(i))
		}
	}
}

// add puts a decision into the last row, or into a new one.
func (t *list) add(d *model.Decision) (anew bool) {
	if n := len(t.rows); n > 0 && t.joins(t.rows[n-1][0], d) {
		t.rows[n-1] = append(t.rows[n-1], d)
		return false
	}
	t.rows = append(t.rows, []*model.Decision{d})
	return true
}

// joins reports that a decision is in the row of the one before it.
func (t *list) joins(before, d *model.Decision) bool { return !t.all && alike(before, d) }

// alike reports that two decisions may have one row: pods of one node that are deleted at the same time.
func alike(a, b *model.Decision) bool {
	return a.Kind == model.EvictPod && b.Kind == a.Kind && a.Node == b.Node && a.Outcome == b.Outcome && a.Basis == b.Basis &&
		b.Time.Sub(a.Time).Abs() < time.Second
}

// decisions is the number in some rows.
func decisions(rows [][]*model.Decision) (n int) {
	for _, row := range rows {
		n += len(row)
	}
	return n
}

// foresee appends the forecast from the end of the models' result on, and the events that may come at any time.
func (t *list) foresee(f *forecast.Forecast, until model.Instant) {
	t.foresaw, t.rows = f, t.rows[:len(t.shown)]
	if f == nil {
		return
	}
	var list []*model.Decision
	for i := range f.Coming {
		if d := &f.Coming[i].Decision; (d.Time > until || d.Window.Latest == model.FarFuture && d.Window.Earliest >= until) && t.lists(d) {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	for _, d := range list {
		t.add(d)
	}
}

func (t *list) lists(d *model.Decision) bool {
	switch t.about.Kind {
	case screen.NodeSubject:
		if d.Node != t.about.Node {
			return false
		}
	case screen.ZoneSubject:
		whole := !d.Zone.Known && d.Node == "" && d.Pod == model.Key{}
		if d.Zone != t.about.Zone && !whole {
			return false
		}
	}
	return t.all || !d.Minor()
}

func (t *list) count() int { return len(t.rows) }

func (t *list) decision(i int) *model.Decision { return t.rows[i][0] }

func (t *list) chosen() *model.Decision {
	if t.read == nil || t.cursor >= t.count() {
		return nil
	}
	d := t.decision(t.cursor)
	if t.stepped != nil && t.joins(d, t.stepped) {
		return t.stepped
	}
	return d
}

// at is the decision of a row; ok is false for the row of the time shown.
func (t *list) at(row int) (i int, ok bool) {
	switch {
	case row == t.head || row < 0 || row > t.count():
		return 0, false
	case row > t.head:
		row--
	}
	return row, row < t.count()
}

func (t *list) row(i int) int {
	if i >= t.head {
		return i + 1
	}
	return i
}

func (t *list) move(by int) {
	t.cursor = min(max(t.cursor+by, 0), max(t.count()-1, 0))
}

// drawn draws h rows, with the cursor in sight, and the row of the time shown if the cursor is beside it.
func (t *list) drawn(p *paint.Painter, width, h int, focused bool) []paint.Row {
	t.page = h
	all := t.count() + 1
	row := t.row(t.cursor)
	low, high := row, row
	switch { // of one line the cursor has it
	case h > 1 && row == t.head-1:
		high = t.head
	case h > 1 && row == t.head+1:
		low = t.head
	}
	t.first = min(max(t.first, high-h+1), low, max(all-h, 0))
	// The time shown stays in the middle while it moves, so that the future is in sight.
	if row == t.head-1 && h > 4 {
		t.first = min(max(t.head-h*2/3, 0), max(all-h, 0))
	}
	told := screen.DecisionsOf(t.inSight(h), t.now, p, width-1)
	rows := make([]paint.Row, 0, h)
	for r := t.first; r < min(t.first+h, all); r++ {
		i, ok := t.at(r)
		if !ok {
			rows = append(rows, t.playhead(p, width))
			continue
		}
		l := p.Line(width)
		if i == t.cursor {
			if focused {
				l.Pick()
			}
			l.Glyph(themes.Accent, p.Glyphs.Selected)
		} else {
			l.Skip(1)
		}
		told.Put(l, t.rows[i][0], t.rows[i][1:]...)
		rows = append(rows, l.Row())
	}
	return rows
}

func (t *list) inSight(h int) (list []*model.Decision) {
	for r := t.first; r < t.first+h; r++ {
		if i, ok := t.at(r); ok {
			list = append(list, t.decision(i))
		}
	}
	return list
}

func (t *list) playhead(p *paint.Painter, width int) paint.Row {
	clock := p.ClockTenths(t.now)
	if t.moving {
		clock = p.Clock(t.now)
	}
	l := p.Line(width).Repeat(themes.Accent, p.Glyphs.Horizontal, 2).Skip(1).Put(themes.Accent, clock).Skip(1)
	return l.Repeat(themes.Accent, p.Glyphs.Horizontal, l.Rest()).Row()
}

// pane is the pane of the list: its subject, and the place of the time shown.
func (t *list) pane(p *paint.Painter, width int) widget.Pane {
	past := min(t.head, len(t.shown))
	before := decisions(t.rows[:past])
	all := before + decisions(t.rows[past:len(t.shown)])
	pane := widget.Pane{Title: "Decisions", End: words.Of("step.place", "i", before, "of", all).In(p)}
	add := func(text string) { // as much as there is room for: a pane leaves out an end that is too long
		if paint.Width(pane.End+text+words.Label(pane.Title))+8 < width {
			pane.End += text
		}
	}
	switch hidden := len(t.read.Decisions) - all; {
	case t.about.Kind != screen.NoSubject:
		pane.Note = p.Middle(p.Text(t.about.Name()), max(width-36, 8))
	case hidden > 0:
		add(", a: " + words.Of("more", "n", hidden).In(p))
	}
	if n := decisions(t.rows[len(t.shown):]); n > 0 {
		add(words.Of("timeline.forecast", "n", n).In(p))
	}
	return pane
}
