package fleet

import (
	"strconv"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// Summary is the sentence about all nodes: long where it fits into the width, else
// short, and cut only where even that does not fit.
func Summary(s *screen.Snapshot, p *paint.Painter, width int) paint.Row {
	t := sum(s)
	if t.Nodes == 0 {
		return p.Line(width).Skip(1).Put(themes.Text, screen.EmptyText(s, p)).Row()
	}
	const roomy = 1 << 10
	if r := longSummary(s, p, t, roomy); r.Width <= width {
		return r
	}
	return shortSummary(p, t, width)
}

// sum adds up the zones.
func sum(s *screen.Snapshot) (t model.ZoneSummary) {
	for _, z := range s.Zones() {
		t.Nodes += z.Nodes
		t.Ready += z.Ready
		t.NotReady += z.NotReady
		t.Unknown += z.Unknown
		t.Never += z.Never
		t.Unseen += z.Unseen
		t.Cordoned += z.Cordoned
		t.Late += z.Late
	}
	return t
}

// phrase is a count and its word; optional ones are left out when 0.
type phrase struct {
	n        int
	word     string
	token    themes.Token
	optional bool
}

func longSummary(s *screen.Snapshot, p *paint.Painter, t model.ZoneSummary, width int) paint.Row {
	l := p.Line(width).Skip(1).Put(themes.Text, strconv.Itoa(t.Nodes)+plural(t.Nodes, " node"))
	l.Skip(2).Put(themes.Dim, strconv.Itoa(t.Ready)+" ready")
	if t.Late > 0 {
		l.Put(themes.Dim, " (").Put(themes.Warn, strconv.Itoa(t.Late)+" late").Put(themes.Dim, ")")
	}
	for _, f := range []phrase{
		{t.Unknown, "unknown", themes.Unknown, false},
		{t.NotReady, "not ready", themes.NotReady, false},
		{t.Never, "never posted", themes.Text, true},
		{t.Unseen, "without Node object", themes.Text, true},
		{t.Cordoned, "cordoned", themes.Cordoned, false},
	} {
		put(l, f, " ")
	}
	if s.Has(model.KindPod) {
		l.Skip(2).Put(themes.Dim, strconv.Itoa(s.Cluster.PodCount())+plural(s.Cluster.PodCount(), " pod"))
	}
	return l.Row()
}

func shortSummary(p *paint.Painter, t model.ZoneSummary, width int) paint.Row {
	l := p.Line(width).Skip(1).Put(themes.Text, strconv.Itoa(t.Nodes)+"n")
	for _, f := range []phrase{
		{t.Ready, "ready", themes.Dim, false},
		{t.Late, "late", themes.Warn, true},
		{t.Unknown, "unk", themes.Unknown, false},
		{t.NotReady, "nr", themes.NotReady, false},
		{t.Never, "new", themes.Text, true},
		{t.Unseen, "unseen", themes.Text, true},
		{t.Cordoned, p.Glyphs.Cordoned, themes.Cordoned, true},
	} {
		put(l, f, " ")
	}
	return l.Row()
}

// put writes a phrase, quiet where it counts nothing.
func put(l *paint.Line, f phrase, between string) {
	if f.n == 0 {
		if f.optional {
			return
		}
		f.token = themes.Dim
	}
	l.Skip(2).Put(f.token, strconv.Itoa(f.n)+between+f.word)
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
