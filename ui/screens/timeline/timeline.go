// Package timeline is the screen of the whole time. It shows the changes, the states of each zone, and the controllers'
// decisions around the time shown. Example: the lane of a zone turns full at 14:02, its taints follow.
package timeline

import (
	"cmp"
	"fmt"
	"sort"

	"kardia/model"
	"kardia/model/history"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is the timeline as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "timeline", Key: "4", Title: "Timeline", ShowsTime: true, // decisions are listed even if no node is known
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Attention},
		Keys: []screen.Binding{
			{Keys: []string{"z"}, Action: screen.ZoomIn, Hint: "zoom"},
			{Keys: []string{"Z"}, Action: screen.ZoomOut},
			{Action: screen.ZoomAll},
			{Keys: []string{"("}, Action: screen.Earlier},
			{Keys: []string{")"}, Action: screen.Later},
		},
		Words:        map[screen.Action]string{screen.Open: "go there", "filter": "search"},
		SearchesTime: true, New: func() screen.View { return New() }}
}

// View is the person's place on the timeline screen.
type View struct {
	window window
	list   list
	// panel is the scroll position of the decision in full; focused reports that keys move it.
	panel          widget.Scroller
	panelFocused   bool
	panelX, panelY int // its place in the last Render; panelX 0 is nowhere

	picture widget.Scale
	x, y, h int
	listY   int
}

// New is a timeline of everything, with the cursor on the decision made last.
func New() *View { return &View{} }

func (v *View) update(s *screen.Snapshot) {
	v.window.update(s)
	if v.list.update(s) {
		v.panel = widget.Scroller{}
	}
}

// Selected implements screen.View.
func (v *View) Selected(s *screen.Snapshot) screen.Subject {
	v.update(s)
	return screen.SubjectOf(v.list.chosen())
}

// Decision is the one under the cursor; nil if there is none.
func (v *View) Decision(s *screen.Snapshot) *model.Decision {
	v.update(s)
	return v.list.chosen()
}

// Cells implements screen.Celled: the decisions that are listed.
func (v *View) Cells(s *screen.Snapshot, p *paint.Painter) (titles []string, rows [][]string) {
	v.update(s)
	titles = []string{"TIME", "KNOWN", "ABOUT", "WHAT", "RULE"}
	if v.list.read == nil {
		return titles, nil
	}
	for i := range v.list.count() {
		d := v.list.decision(i)
		rows = append(rows, []string{p.Window(d.Window), d.Basis.String(), p.Text(d.Subject()), p.Text(topics.What(d)), d.Rule.String()})
	}
	return titles, rows
}

// Listed implements screen.Lister.
func (v *View) Listed(d *model.Decision) bool { return v.list.lists(d) }

// Follow lists only the decisions about a node and its pods, or a zone with its nodes and pods; else all.
func (v *View) Follow(about screen.Subject) {
	if about.Kind != screen.NodeSubject && about.Kind != screen.ZoneSubject {
		about = screen.Subject{}
	}
	v.list.about, v.list.read = about, nil
}

// Visit implements screen.Visitor: from a screen about one node or zone, its decisions are listed.
func (v *View) Visit(about screen.Subject, scope screen.Scope, _ *screen.Snapshot) {
	if scope != screen.OfSelected {
		about = screen.Subject{}
	}
	v.Follow(about)
}

// CursorTime implements screen.Timed: when the decision under the cursor was made.
func (v *View) CursorTime(s *screen.Snapshot) (model.Instant, bool) {
	v.update(s)
	d := v.list.chosen()
	if d == nil {
		return 0, false
	}
	return d.Time, true
}

// Instant implements screen.Scrubber.
func (v *View) Instant(x, y int, _ *screen.Snapshot) (model.Instant, bool) {
	cell := x - v.x
	if y < v.y || y >= v.y+v.h || cell < 0 || cell >= v.picture.Cells {
		return 0, false
	}
	return v.picture.At(cell), true
}

// Zoom implements screen.Scrubber.
func (v *View) Zoom(x, by int, s *screen.Snapshot) {
	v.update(s)
	around := s.At
	if cell := x - v.x; cell >= 0 && cell < v.picture.Cells {
		around = v.picture.At(cell)
	}
	for ; by > 0; by-- {
		v.window.zoom(s, around, true)
	}
	for ; by < 0; by++ {
		v.window.zoom(s, around, false)
	}
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, s *screen.Snapshot) bool {
	v.update(s)
	switch action {
	case screen.ZoomIn:
		v.window.zoom(s, s.At, true)
	case screen.ZoomOut:
		v.window.zoom(s, s.At, false)
	case screen.ZoomAll:
		v.window = window{shown: s.At}
	case screen.Earlier:
		v.window.pan(s, -1)
	case screen.Later:
		v.window.pan(s, +1)
	case screen.NextPane, screen.PrevPane:
		v.panelFocused = !v.panelFocused && v.panelX+v.panelY > 0
	case screen.Attention:
		v.list.all = !v.list.all
		v.list.read = nil
	case screen.Escape:
		return v.close(s)
	default:
		return v.move(action)
	}
	return true
}

// close closes the innermost thing: the panel in front, the zoom, the node or zone followed.
func (v *View) close(s *screen.Snapshot) bool {
	switch {
	case v.panelFocused:
		v.panelFocused = false
	case v.window.length != 0:
		v.window = window{shown: s.At}
	case v.list.about.Kind != screen.NoSubject:
		v.Follow(screen.Subject{})
	default:
		return false
	}
	return true
}

func (v *View) move(action screen.Action) bool {
	page := v.list.page
	if v.panelFocused {
		page = v.panel.Page
	}
	by, ok := action.Motion(page)
	if !ok {
		return false
	}
	if v.panelFocused {
		v.panel.Scroll(by)
		return true
	}
	v.list.move(by)
	v.panel = widget.Scroller{}
	return true
}

// Click implements screen.View. Pointing at the lanes is the app's: see Instant.
func (v *View) Click(x, y int, s *screen.Snapshot) screen.Hit {
	v.update(s)
	if v.panelX+v.panelY > 0 && x >= v.panelX && y >= v.panelY {
		v.panelFocused = true
		return screen.Moved
	}
	row := v.list.first + y - v.listY
	if y < v.listY || y >= v.listY+v.list.page {
		return screen.Missed
	}
	i, ok := v.list.at(row)
	if !ok {
		return screen.Missed
	}
	v.panelFocused = false
	if i == v.list.cursor {
		return screen.Opened
	}
	v.list.cursor, v.panel = i, widget.Scroller{}
	return screen.Moved
}

// Context implements screen.View.
func (v *View) Context(s *screen.Snapshot, p *paint.Painter, width int) string {
	v.update(s)
	l := p.Line(width).Skip(1)
	put := func(key, text string) { l.Put(themes.Accent, key).Put(themes.Dim, " "+text).Skip(3) }
	if s.Timeline == nil {
		return l.String()
	}
	for i, m := range s.Timeline.Marks {
		text := p.Clock(m.At) + " " + p.Truncate(cmp.Or(p.Text(m.Note), words.Label("mark")), 30)
		if l.Rest() < paint.Width(text)+12 {
			l.Put(themes.Faint, words.Of("timeline.marks", "n", len(s.Timeline.Marks)-i).In(p))
			break
		}
		put(m.Name(), text)
	}
	if q := s.Timeline.Query; q != "" && l.Rest() > 20 {
		put("/"+p.Text(q), hitsText(s.Timeline, s.At))
	}
	if n := len(s.Timeline.Anomalies.List); n > 0 && l.Rest() > 20 {
		put(p.Glyphs.NotReady, words.Of("timeline.anomalies", "n", n+s.Timeline.Anomalies.More).In(p)+", "+anomalyKeys(s))
	}
	if said := lastSaid(s); said != nil && l.Rest() > 60 {
		text := p.Clock(said.At) + " " + said.What.String() + " " + said.Subject()
		put(p.Glyphs.Here, p.Truncate(p.Text(text), 50))
	}
	if legend := v.legend(s, p); l.Rest() > legend.Width+2 {
		l.To(width - 1 - legend.Width).Append(legend)
	}
	return l.String()
}

// lastSaid is the last statement of a log by the time shown; nil for none.
func lastSaid(s *screen.Snapshot) *history.Statement {
	n := sort.Search(len(s.Said), func(i int) bool { return s.Said[i].At > s.At })
	if n == 0 {
		return nil
	}
	return &s.Said[n-1]
}

func (v *View) legend(s *screen.Snapshot, p *paint.Painter) paint.Row {
	g := &p.Glyphs
	l := p.Line(80).Put(themes.Faint, g.Recorded+" "+words.Label("observed")+"  "+g.Inferred+" "+words.Label("inferred")+"  ").Glyph(themes.Predicted, g.Predicted).Put(themes.Faint, " "+words.Label("predicted"))
	if s.Remembered.Known() {
		l.Skip(2).Glyph(themes.Predicted, g.Reconstructed).Put(themes.Faint, " "+words.Label("reconstructed"))
	}
	if !s.Curtain && s.Mode != screen.Live {
		l.Put(themes.Faint, "  "+g.Later+" "+words.Label("later"))
	}
	return l.Row()
}

func hitsText(past *screen.Timeline, at model.Instant) string {
	n := len(past.Hits)
	text := words.Of("timeline.found", "n", n+past.MoreHits).String()
	for i := range past.Hits {
		if past.Hits[i].At == at {
			text = words.Of("step.place", "i", i+1, "of", n+past.MoreHits).String()
			break
		}
	}
	if past.Searched < 1 {
		text += words.Of("timeline.searched", "percent", fmt.Sprintf("%.0f", past.Searched*100)).String()
	}
	return text
}

// anomalyKeys are the keys to anomalies from the time shown: a live session has none ahead.
func anomalyKeys(s *screen.Snapshot) string {
	_, later := s.Timeline.Anomalies.Nearest(s.At, true)
	_, earlier := s.Timeline.Anomalies.Nearest(s.At, false)
	switch {
	case later && earlier:
		return words.Of("timeline.both").String()
	case earlier:
		return words.Of("timeline.before").String()
	}
	return words.Of("timeline.after").String()
}
