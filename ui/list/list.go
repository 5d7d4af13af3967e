// Package list is the body of a screen that is one list: a table, sorted or grouped, filtered by words, node or zone.
// Its cursor stays on its row, which is in full below the list, or at its right in a wide window.
package list

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/simulate/forecast"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Of is what differs between the lists of screens. Full may be nil.
type Of[R any, K comparable] struct {
	// Title names the list in its border. Orders are the orders that sort steps through.
	Title  string
	Orders []string
	// Read makes the rows of a Snapshot. It runs again if the Snapshot, or a setting of the List, changes.
	Read func(s *screen.Snapshot) []R
	// Compare is the order, which Reverse reverses. Equal rows, or all rows if it is nil, keep the order of Read.
	Compare func(a, b *R) int
	// Key identifies a row between Reads; Subject is the subject of the cursor on it.
	Key     func(row *R) K
	Subject func(row *R) screen.Subject
	// Table has all columns; the List drops those without room.
	Table func(s *screen.Snapshot, p *paint.Painter, width int, tier screen.Tier) widget.Table[*R]
	// Full is a row with nothing cut, and its title.
	Full func(s *screen.Snapshot, p *paint.Painter, row *R, width int) (title string, rows []paint.Row)
	// Opens: enter gives the full row more room, instead of opening its subject.
	Opens bool
	// Empty is why there is no row; the List itself reports rows that the filter hides.
	Empty func(s *screen.Snapshot, p *paint.Painter) string
	// Above is drawn above the list; nil for nothing.
	Above func(s *screen.Snapshot, p *paint.Painter, area screen.Area) []paint.Row
	// Says adds to the line about the list, after its order and filter; nil adds only the minor rows.
	Says func(line *paint.Line, s *screen.Snapshot, p *paint.Painter)
	// Minor is the code of the rows that only All shows: list.minor-hidden in ui/words counts them, list.minor-shown is for All.
	Minor string
	// Stale reports that Read would find another thing, though the Snapshot has not changed; nil for never.
	Stale func(s *screen.Snapshot) bool
	// Steps is the code of a step from row to row (step.what in ui/words), "" for none; When is the time of a row. A list
	// with steps is of everything, wherever one comes from.
	Steps func(s *screen.Snapshot) string
	When  func(s *screen.Snapshot, row *R) model.Instant
}

// List is the person's place in a list. Create it with New; a screen embeds it.
type List[R any, K comparable] struct {
	of Of[R, K]
	// About is the node or zone whose rows are listed; none for all rows.
	About screen.Subject
	// Order is an index of the Orders. All is what Attention switches.
	Order        int
	Reverse, All bool

	columns []string // those of the Table to show; nil for all

	filter string
	words  screen.Words

	rows []R
	// Hidden is how many minor rows All would show.
	Hidden int
	// tried is how many rows the filter was asked about, matched how many of them pass.
	tried, matched int
	from           stamp
	read           bool
	cursor         widget.Scroller
	chosen         K
	// held: the person has chosen or opened a row, and the cursor stays on it. Until then it is on the first row.
	held bool
	// stepped: a step, or the person, has put the cursor on its row since one came here.
	stepped bool

	// opened: the full row has more room. focused: the keys scroll it.
	opened, focused bool
	text            widget.Scroller

	// From the last Render: the columns, the number of lines above the list, and places in the list. These are those of
	// the columns, of the first row, and of the full row.
	table            widget.Table[*R]
	above, left, top int
	full             corner
}

type stamp struct {
	cluster  *model.Cluster
	revision uint64
	judged   *outlook.Judgement
	forecast *forecast.Forecast
	curtain  bool
}

type corner struct{ x, y int }

// nowhere is the corner of a part that is not shown.
var nowhere = corner{-1, -1}

// New is a list of everything, in its first order.
func New[R any, K comparable](of Of[R, K]) List[R, K] { return List[R, K]{of: of, full: nowhere} }

// Update reads a Snapshot, unless it has been read already, and keeps the cursor on its row.
func (l *List[R, K]) Update(s *screen.Snapshot) {
	now := stamp{s.Cluster, s.Revision, s.Judged, s.Outlook().Forecast, s.Curtain}
	stale := l.of.Stale != nil && l.of.Stale(s)
	if l.read && now == l.from && !stale {
		return
	}
	l.from, l.read = now, true
	l.tried, l.matched, l.Hidden = 0, 0, 0
	l.rows = l.arranged(l.of.Read(s))
	l.cursor.Fit(len(l.rows), l.cursor.Page)
	if !l.held {
		l.cursor.To(0)
	}
	for i := range l.rows {
		if l.held && l.of.Key(&l.rows[i]) == l.chosen {
			l.cursor.To(i)
			return
		}
	}
	l.choose()
}

func (l *List[R, K]) arranged(rows []R) []R {
	if l.of.Compare == nil {
		return rows
	}
	return model.Sorted(rows, func(a, b *R) int {
		order := l.of.Compare(a, b)
		if l.Reverse {
			return -order
		}
		return order
	})
}

// Changed makes the next Update read again.
func (l *List[R, K]) Changed() { l.read = false }

// Rows are the rows of the last Update.
func (l *List[R, K]) Rows() []R { return l.rows }

// Chosen is the row under the cursor; nil if there is none.
func (l *List[R, K]) Chosen() *R {
	if l.cursor.Cursor >= len(l.rows) {
		return nil
	}
	return &l.rows[l.cursor.Cursor]
}

// choose notes the row under the cursor, and shows it from its first line.
func (l *List[R, K]) choose() {
	r := l.Chosen()
	if r != nil && l.of.Key(r) == l.chosen {
		return
	}
	if l.text = (widget.Scroller{}); r != nil {
		l.chosen = l.of.Key(r)
	}
}

// Match reports whether a row's text passes the filter.
func (l *List[R, K]) Match(text string) bool {
	l.tried++
	if len(l.words) > 0 && !l.words.Match(text) {
		return false
	}
	l.matched++
	return true
}

// Hides counts a row if it is minor, and reports whether it is left out: only All shows it.
func (l *List[R, K]) Hides(minor bool) bool {
	if !minor || l.All {
		return false
	}
	l.Hidden++
	return true
}

// Concerns reports whether a row about a node is among the listed ones.
func (l *List[R, K]) Concerns(node string, zone model.Maybe[model.ZoneKey]) bool {
	if l.About.Kind == screen.ZoneSubject {
		return zone == l.About.Zone
	}
	return l.About.Node == "" || l.About.Node == node
}

// Visit implements screen.Visitor: from a screen about one node or zone, its rows are listed.
func (l *List[R, K]) Visit(about screen.Subject, scope screen.Scope, _ *screen.Snapshot) {
	l.stepped = false
	if scope != screen.OfSelected || l.of.Steps != nil {
		about = screen.Subject{}
	}
	l.About = about
	l.Changed()
}

// SetColumns implements screen.Tabular.
func (l *List[R, K]) SetColumns(titles []string) { l.columns = titles }

// Cells implements screen.Celled.
func (l *List[R, K]) Cells(s *screen.Snapshot, p *paint.Painter) ([]string, [][]string) {
	l.Update(s)
	t := l.of.Table(s, p, wide, screen.Wide)
	return t.Cells(p, len(l.rows), func(i int) *R { return &l.rows[i] })
}

// wide is a width at which a table has all of its columns.
const wide = 1000

// Crumb implements screen.Crumber.
func (l *List[R, K]) Crumb(*screen.Snapshot) string { return cmp.Or(l.About.Node, l.About.Name()) }

// Selected implements screen.View.
func (l *List[R, K]) Selected(s *screen.Snapshot) screen.Subject {
	l.Update(s)
	if r := l.Chosen(); r != nil {
		return l.of.Subject(r)
	}
	return screen.Subject{}
}

// SetFilter implements screen.Filterer.
func (l *List[R, K]) SetFilter(text string) error {
	l.filter, l.words = text, screen.WordsOf(text)
	l.Changed()
	return nil
}

// Filter implements screen.Filterer.
func (l *List[R, K]) Filter() string { return l.filter }

// Do implements screen.View.
func (l *List[R, K]) Do(action screen.Action, s *screen.Snapshot) bool {
	l.Update(s)
	if by, ok := action.RowMotion(l.page()); ok {
		l.stepped = true
		l.move(by)
		return true
	}
	switch action {
	case screen.Open:
		if !l.of.Opens || len(l.rows) == 0 {
			return false
		}
		l.opened, l.focused, l.held = !l.opened, !l.opened, true
	case screen.NextPane, screen.PrevPane:
		l.focused = !l.focused && l.full != nowhere
		l.held = l.held || l.focused
	case screen.Sort:
		if len(l.of.Orders) == 0 {
			return false
		}
		l.sortBy((l.Order + 1) % len(l.of.Orders))
	case screen.Reverse:
		l.Reverse = !l.Reverse
		l.Changed()
	case screen.Attention:
		l.All = !l.All
		l.Changed()
	case screen.Escape:
		return l.close()
	default:
		return false
	}
	return true
}

// Opened reports whether the full row has more room.
func (l *List[R, K]) Opened() bool { return l.opened }

func (l *List[R, K]) page() int {
	if l.focused {
		return l.text.Page
	}
	return l.cursor.Page
}

// move moves the cursor, or scrolls the full row if that is focused.
func (l *List[R, K]) move(by int) {
	if l.focused {
		l.text.Scroll(by)
		return
	}
	l.held = true
	l.cursor.Move(by)
	l.choose()
}

// Go puts the cursor on a row, where it stays.
func (l *List[R, K]) Go(row int) {
	l.held = true
	l.cursor.To(row)
	l.choose()
}

// Reveal puts the cursor on a row that the filter, or a node or zone, has hidden; false if there is none.
func (l *List[R, K]) Reveal(key K, s *screen.Snapshot) bool {
	_ = l.SetFilter("") // no words are never wrong
	l.About = screen.Subject{}
	l.Update(s)
	i := slices.IndexFunc(l.rows, func(r R) bool { return l.of.Key(&r) == key })
	if i >= 0 {
		l.Go(i)
	}
	return i >= 0
}

// Steps implements screen.Stepper.
func (l *List[R, K]) Steps(s *screen.Snapshot) string {
	if l.of.Steps == nil {
		return ""
	}
	return l.of.Steps(s)
}

// Step implements screen.Stepper: first to the next row after the time shown.
func (l *List[R, K]) Step(forwards bool, s *screen.Snapshot) (t model.Instant, where string, ok bool) {
	l.Update(s)
	at := l.cursor.Cursor - 1
	switch {
	case !l.stepped && forwards:
		for at = 0; at < len(l.rows) && l.of.When(s, &l.rows[at]) <= s.At; {
			at++
		}
	case forwards:
		at += 2
	}
	if at < 0 || at >= len(l.rows) {
		return 0, "", false
	}
	l.stepped = true
	l.Go(at)
	return l.of.When(s, &l.rows[at]), words.Of("step.where", "what", words.Of("step.what."+l.of.Steps(s)), "i", at+1, "of", len(l.rows), "about", "").String(), true
}

// sortBy takes an order, or reverses it if it is the present one.
func (l *List[R, K]) sortBy(order int) {
	l.Reverse = order == l.Order && !l.Reverse
	l.Order = order
	l.Changed()
}

// close closes the innermost of the full row, the filter, the node or zone.
func (l *List[R, K]) close() bool {
	switch {
	case l.opened || l.focused:
		l.opened, l.focused = false, false
	case l.filter != "":
		_ = l.SetFilter("") // an empty filter has no errors
	case l.About.Kind != screen.NoSubject:
		l.About = screen.Subject{}
		l.Changed()
	default:
		return false
	}
	return true
}

// Click implements screen.View.
func (l *List[R, K]) Click(x, y int, s *screen.Snapshot) screen.Hit {
	l.Update(s)
	if y -= l.above; y < 0 {
		return screen.Missed
	}
	switch i, ok := l.cursor.At(y - l.top); {
	case l.full != nowhere && x >= l.full.x && y >= l.full.y:
		l.focused, l.held = true, true
	case y == l.top-1:
		by := l.table.SortAt(x - l.left)
		if by == 0 {
			return screen.Missed
		}
		l.sortBy(by - 1)
	case !ok:
		return screen.Missed
	case i == l.cursor.Cursor:
		return screen.Opened
	default:
		l.focused = false
		l.Go(i)
	}
	return screen.Moved
}
