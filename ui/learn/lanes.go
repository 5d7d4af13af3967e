package learn

import (
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
	"kardia/themes"
	"kardia/ui/learn/words"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// maxNodes is the most nodes with a lane each; beyond it, each zone has one.
const maxNodes = 5

// stageView draws the visible part of a run.
type stageView struct {
	p    *paint.Painter
	w    words.Words
	play *play.Play
	zero time.Duration
	// from and to limit the time on the lanes; now is the place of the curtain.
	from, to, now time.Duration
	name          int // cells of the names
	cells         int // of the lanes
	width         int
	// noPods hides the number of pods if the question asks for it.
	noPods bool
}

// divide divides the width between names, lanes and states.
func (v *stageView) divide() {
	for _, name := range v.names() {
		v.name = max(v.name, min(paint.Width(v.p.Text(name)), 12))
	}
	status := 29
	if !v.byNode() {
		status = 42
	}
	if v.width >= 110 {
		status += 10
	}
	v.cells = max(v.width-v.name-status-5, 10)
}

// contain widens the lanes by a time outside them: the present stays visible after any step, all else in place.
func (v *stageView) contain(t time.Duration) {
	if t > v.to+lesson.Settle {
		v.to = t
	}
	if t <= v.from {
		v.from = max(t-(v.to-t)/8, 0)
	}
}

func (v *stageView) byNode() bool { return len(v.play.Nodes) <= maxNodes }

func (v *stageView) names() (list []string) {
	if !v.byNode() {
		return v.play.Zones()
	}
	for i := range v.play.Nodes {
		list = append(list, v.play.Nodes[i].Name)
	}
	return list
}

// at is the start of a cell; cell is the one of a time, from -1 to cells.
func (v *stageView) at(cell int) time.Duration {
	return v.from + time.Duration(float64(v.to-v.from)*float64(cell)/float64(v.cells))
}

func (v *stageView) cell(t time.Duration) int {
	if t < v.from {
		return -1
	}
	return min(int(float64(t-v.from)/float64(v.to-v.from)*float64(v.cells)), v.cells)
}

func (v *stageView) rows() []paint.Row {
	rows := []paint.Row{v.axis()}
	if v.byNode() {
		for i := range v.play.Nodes {
			n := &v.play.Nodes[i]
			rows = append(rows, v.lane(n.Name, func(from, to time.Duration) (themes.Token, string) { return v.nodeCell(n, from, to) },
				func(l *paint.Line) { v.nodeStatus(l, n) }))
		}
		return rows
	}
	for _, zone := range v.play.Zones() {
		rows = append(rows, v.lane(zone, func(_, to time.Duration) (themes.Token, string) {
			t := v.tally(zone, min(to, v.now))
			return t.token(), v.height(t)
		}, func(l *paint.Line) { v.zoneStatus(l, zone) }))
	}
	return rows
}

func (v *stageView) axis() paint.Row {
	l := v.p.Line(v.width).Skip(v.name + 2)
	every := time.Hour
	for _, e := range []time.Duration{5 * time.Second, 10 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 30 * time.Minute} {
		if v.cell(v.from+e) >= 9 {
			every = e
			break
		}
	}
	start := l.Width()
	for t := v.zero - (v.zero-v.from)/every*every; t < v.to; t += every {
		label := model.Clock(t - v.zero)
		if c := v.cell(t); c >= 0 && c+len(label) <= v.cells && start+c >= l.Width() {
			l.To(start+c).Put(themes.Dim, label)
		}
	}
	return l.Row()
}

// silentAfter is the age from which a node counts as silent: its next renewal is overdue.
const silentAfter = 11 * time.Second

// lane is a row: a name, a cell for each part of the time, and the state now.
func (v *stageView) lane(name string, cell func(from, to time.Duration) (themes.Token, string), status func(*paint.Line)) paint.Row {
	l := v.p.Line(v.width).Skip(1).Left(themes.Text, v.p.Text(name), v.name).Skip(1)
	for c := range v.cells {
		token, glyph := themes.Faint, v.p.Glyphs.Later
		if from := v.at(c); from < v.now {
			token, glyph = cell(from, v.at(c+1))
		}
		l.Glyph(token, glyph)
	}
	status(l.Skip(2))
	return l.Row()
}

func (v *stageView) nodeCell(n *play.Node, from, to time.Duration) (themes.Token, string) {
	g, at := v.p.Glyphs, min(to, v.now)
	switch s := n.At(at); {
	case s.Gone:
		return themes.Dim, " "
	case s.Emptied:
		return themes.Evict, g.Hatch
	case s.Ready == model.StatusUnknown:
		return themes.Unknown, g.Silent
	case s.Ready == model.StatusFalse:
		return themes.NotReady, g.Bad
	case n.Silence(at) > silentAfter:
		return themes.Age3, g.Dot
	case to-from > 6*time.Second:
		return themes.Dim, g.Good
	}
	if i, _ := slices.BinarySearch(n.Beats, from); i < len(n.Beats) && n.Beats[i] < at {
		return themes.Dim, g.Renewal
	}
	return themes.Dim, " "
}

func (v *stageView) nodeStatus(l *paint.Line, n *play.Node) {
	s := n.At(v.now)
	silence := n.Silence(v.now)
	switch {
	case s.Gone:
		l.Put(themes.Dim, v.w.Say("gone"))
		return
	case s.Ready == model.StatusUnknown:
		l.Put(themes.Unknown, v.p.Glyphs.Unknown+" Unknown")
	case s.Ready == model.StatusFalse:
		l.Put(themes.NotReady, v.p.Glyphs.NotReady+" NotReady")
	case silence > silentAfter:
		l.Put(themes.Age3, v.w.Say("silent")+" "+model.Clock(silence))
	case s.Cordoned: // and Ready: both have no room
		l.Put(themes.Warn, v.w.Say("cordoned"))
	default:
		l.Put(themes.Dim, "Ready")
	}
	pods, ending, failed := v.podsOn(n.Name)
	if v.noPods {
		pods, ending, failed = 0, 0, 0
	}
	if s.Emptied && (ending+failed == 0 || v.width >= 110) { // the lane shows it too
		l.Skip(1).Put(themes.Evict, "NoExecute")
	}
	stay, leave, left := "", "", ""
	switch {
	case pods == 1:
		stay = " " + v.w.Say("pod")
	case pods > 1:
		stay = " " + v.w.Say("pods", pods)
	}
	if ending > 0 {
		leave = " " + v.w.Say("ending", ending)
	}
	if failed > 0 {
		left = " " + v.w.Say("failed", failed)
	}
	if paint.Width(stay+leave+left) <= l.Rest() {
		l.Put(themes.Dim, stay)
	}
	l.Put(themes.Evict, leave).Put(themes.NotReady, left)
}

func (v *stageView) podsOn(node string) (pods, ending, failed int) {
	for _, pod := range v.play.Pods {
		switch is := pod.At(v.now); {
		case is.Gone || is.Node != node:
		case is.Terminating:
			ending++
		case is.Failed:
			failed++
		default:
			pods++
		}
	}
	return pods, ending, failed
}

type tally struct{ all, silent, unknown, tainted int }

func (v *stageView) tally(zone string, at time.Duration) (t tally) {
	for i := range v.play.Nodes {
		n := &v.play.Nodes[i]
		s := n.At(at)
		if n.Zone != zone || s.Gone {
			continue
		}
		t.all++
		if s.NoExecute {
			t.tainted++
		}
		if s.Ready == model.StatusUnknown {
			t.unknown++
		}
		if s.Ready != model.StatusTrue || n.Silence(at) > silentAfter {
			t.silent++
		}
	}
	return t
}

func (v *stageView) zoneStatus(l *paint.Line, zone string) {
	t := v.tally(zone, v.now)
	state, rate := v.play.Zone(zone, v.now)
	l.Put(t.token(), fmt.Sprintf("%d/%d", t.silent, t.all)).Put(themes.Dim, " "+v.w.Say("silent"))
	token := themes.Dim
	if state == model.ZonePartial || state == model.ZoneFull {
		token = themes.Warn
	}
	l.Skip(1).Put(token, topics.ZoneState(state).String()).Skip(1)
	if rate == 0 {
		l.Put(themes.Halted, v.w.Say("halted"))
	} else {
		l.Put(themes.Dim, fmt.Sprintf("1/%ds", int(1/rate+0.5)))
	}
	if t.tainted > 0 {
		l.Skip(1).Put(themes.Evict, fmt.Sprintf("%d %s", t.tainted, v.w.Say("tainted")))
	}
}

func (t tally) token() themes.Token {
	switch {
	case t.tainted > 0:
		return themes.Evict
	case t.unknown > 0:
		return themes.Unknown
	case t.silent > 0:
		return themes.Age3
	}
	return themes.Dim
}

// height is a share as a bar.
func (v *stageView) height(t tally) string {
	switch {
	case t.silent == 0:
		return v.p.Glyphs.Good
	case t.silent == t.all:
		return v.p.Glyphs.Full
	}
	return v.p.Glyphs.Bars[min(t.silent*8/t.all, 6)]
}

// mark is a row with a word at a time on the lane; low and high, if they differ, are a window.
func (v *stageView) mark(token themes.Token, moment, low, high time.Duration, label string) paint.Row {
	l := v.p.Line(v.width)
	start, at := v.name+2, max(min(v.cell(moment), v.cells-1), 0)
	if low < high {
		from, to := max(v.cell(low), 0), min(v.cell(high), v.cells-1)
		l.To(start + from)
		for c := from; c <= max(to, at); c++ {
			if c == at {
				l.Glyph(token, v.p.Glyphs.Now)
			} else {
				l.Glyph(themes.Predicted, v.p.Glyphs.Horizontal)
			}
		}
		return l.Skip(1).Put(token, label).Row()
	}
	if width := paint.Width(label) + 1; start+at+1+width > v.width {
		return l.To(start+at-width).Put(token, label).Skip(1).Glyph(token, v.p.Glyphs.Now).Row()
	}
	return l.To(start+at).Glyph(token, v.p.Glyphs.Now).Skip(1).Put(token, label).Row()
}
