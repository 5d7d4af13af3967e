package timeline

import (
	"fmt"
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
)

// list is the decisions in order of time, and after them the forecast. It reads only the rows in sight.
type list struct {
	// all also shows decisions that leave queues and countdowns as they are.
	all bool
	// about is the node or zone whose decisions are listed; none for all decisions.
	about screen.Subject
	read  *infer.Result
	// shown are indices of the Result's decisions, the first of each row; others counts the rest of a row.
	shown   []int32
	others  []int
	foresaw *forecast.Forecast
	coming  [][]*model.Decision

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
	r := result(s)
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
	t.read, t.shown, t.others = r, t.shown[:0], t.others[:0]
	for i := range r.Decisions {
		switch n := len(t.shown); {
		case !t.lists(&r.Decisions[i]):
		case n > 0 && t.joins(&r.Decisions[t.shown[n-1]], &r.Decisions[i]):
			t.others[n-1]++
		default:
			t.shown, t.others = append(t.shown, int32(i)), append(t.others, 0)
		}
	}
}

// joins reports that a decision is in the row of the one before it.
func (t *list) joins(before, d *model.Decision) bool { return !t.all && alike(before, d) }

// alike reports that two decisions may have one row: pods of one node that are deleted at the same time.
func alike(a, b *model.Decision) bool {
	return a.Kind == model.EvictPod && b.Kind == a.Kind && a.Node == b.Node && a.Outcome == b.Outcome && a.Basis == b.Basis &&
		b.Time.Sub(a.Time).Abs() < time.Second
}

// decisions is the number in the first rows, without the forecast.
func (t *list) decisions(rows int) int {
	n := rows
	for _, more := range t.others[:rows] {
		n += more
	}
	return n
}

// foresee appends the forecast from the end of the models' result on, and the events that may come at any time.
func (t *list) foresee(f *forecast.Forecast, until model.Instant) {
	t.foresaw, t.coming = f, nil
	if f == nil {
		return
	}
	var list []*model.Decision
	for i := range f.Coming {
		if d := &f.Coming[i].Decision; (d.Time > until || d.Window.Latest == model.FarFuture && d.Window.Earliest >= until) && t.lists(d) {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b *model.Decision) int {
		switch {
		case a.Time < b.Time:
			return -1
		case a.Time > b.Time:
			return 1
		}
		return 0
	})
	for _, d := range list {
		if n := len(t.coming); n > 0 && t.joins(t.coming[n-1][0], d) {
			t.coming[n-1] = append(t.coming[n-1], d)
		} else {
			t.coming = append(t.coming, []*model.Decision{d})
		}
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

func (t *list) count() int { return len(t.shown) + len(t.coming) }

func (t *list) decision(i int) *model.Decision {
	if i < len(t.shown) {
		return &t.read.Decisions[t.shown[i]]
	}
	return t.coming[i-len(t.shown)][0]
}

func (t *list) with(i int) (others []*model.Decision) {
	if i >= len(t.shown) {
		return t.coming[i-len(t.shown)][1:]
	}
	for k := int(t.shown[i]) + 1; len(others) < t.others[i]; k++ {
		if d := &t.read.Decisions[k]; t.lists(d) {
			others = append(others, d)
		}
	}
	return others
}

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

// rows draws h rows, with the cursor in sight, and the row of the time shown if the cursor is beside it.
func (t *list) rows(p *paint.Painter, width, h int, focused bool) []paint.Row {
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
		told.Put(l, t.decision(i), t.with(i)...)
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
	pane := widget.Pane{Title: "Decisions", End: fmt.Sprintf("%d of %d", t.decisions(min(t.head, len(t.shown))), t.decisions(len(t.shown)))}
	add := func(text string) { // as much as there is room for: a pane leaves out an end that is too long
		if len(pane.End)+len(text)+len(pane.Title)+8 < width {
			pane.End += text
		}
	}
	hidden := len(t.read.Decisions) - t.decisions(len(t.shown))
	switch {
	case t.about.Kind != screen.NoSubject:
		pane.Note = p.Middle(p.Text(t.about.Name()), max(width-36, 8))
	case hidden > 0:
		add(fmt.Sprintf(", a: %d more", hidden))
	}
	n := 0
	for _, row := range t.coming {
		n += len(row)
	}
	if n > 0 {
		add(fmt.Sprintf(", %d forecast", n))
	}
	return pane
}
