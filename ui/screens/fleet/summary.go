package fleet

import (
	"strconv"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// Summary is the sentence about all nodes and, at its right, what comes: long where it
// fits into the width, else short, and cut only where even that does not fit.
func (v *View) Summary(s *screen.Snapshot, p *paint.Painter, width int) paint.Row {
	t := sum(s)
	if t.Nodes == 0 {
		return p.Line(width).Skip(1).Put(themes.Text, screen.EmptyText(s, p)).Row()
	}
	v.outlook.Update(s)
	const roomy = 1 << 10
	long, short := longSummary(s, p, t, roomy), shortSummary(p, t, width)
	comes, brief := v.comes(s, p, roomy)
	for i, try := range [...][2]paint.Row{{long, comes}, {long, brief}, {short, brief}} {
		if i == 2 && v.outlook.Armed+v.outlook.Queued == 0 && long.Width <= width {
			break // what comes is nothing: all of what is matters more
		}
		if try[0].Width+2+try[1].Width+1 <= width {
			return p.Line(width).Append(try[0]).To(width - 1 - try[1].Width).Append(try[1]).Row()
		}
	}
	if long.Width <= width {
		return long
	}
	return short
}

// comes is what the models expect, long and short; empty where no models run.
func (v *View) comes(s *screen.Snapshot, p *paint.Painter, width int) (long, short paint.Row) {
	o := v.outlook
	a, b := p.Line(width), p.Line(width)
	switch {
	case !o.Judged:
	case o.Forecast == nil:
		a.Put(themes.Dim, p.Text("decisions: "+o.Status()))
		pending := p.Glyphs.Ellipsis
		if !o.Pending {
			pending = "?"
		}
		b.Put(themes.Dim, "decisions "+pending)
	case o.State != nil && o.State.Overdue.Known():
		late := paint.Duration(o.State.Overdue.For(s.From()))
		a.Put(themes.Warn, "overdue "+late+": the controller does not act")
		b.Put(themes.Warn, "overdue "+late)
	case o.Armed == 0 && o.Queued == 0:
		a.Put(themes.Dim, "no pod armed, no node queued")
		b.Put(themes.Dim, "none armed")
	default:
		if o.Armed > 0 {
			in := p.Ahead(s.From(), o.Next)
			a.Put(themes.Evict, strconv.Itoa(o.Armed)+plural(o.Armed, " pod")+" armed").Put(themes.Dim, ", next in ").Put(themes.Predicted, in)
			b.Put(themes.Evict, strconv.Itoa(o.Armed)+"p armed ").Put(themes.Predicted, in)
		}
		if o.Queued > 0 {
			if o.Armed > 0 {
				a.Put(themes.Faint, " "+p.Glyphs.Dot+" ")
				b.Put(themes.Faint, " "+p.Glyphs.Dot+" ")
			}
			a.Put(themes.Text, strconv.Itoa(o.Queued)+plural(o.Queued, " node")+" queued")
			b.Put(themes.Text, "queue "+strconv.Itoa(o.Queued))
		}
	}
	return a.Row(), b.Row()
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
