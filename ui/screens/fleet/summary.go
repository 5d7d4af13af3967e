package fleet

import (
	"kardia/model"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// Summary counts the nodes by state: all counts if they fit into the width, else those above 0, else nothing.
func (v *View) Summary(s *screen.Snapshot, p *paint.Painter, width int) paint.Row {
	t := sum(s)
	if t.Nodes == 0 {
		return paint.Row{}
	}
	for _, all := range []bool{true, false} {
		if r := counts(s, p, t, all); r.Width <= width {
			return r
		}
	}
	return paint.Row{}
}

func sum(s *screen.Snapshot) (t model.ZoneSummary) {
	for i := range s.Nodes().Zones {
		z := &s.Nodes().Zones[i].ZoneSummary
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

// phrase is a count and the key of its words; optional ones are left out when 0.
type phrase struct {
	n        int
	word     string
	token    themes.Token
	optional bool
}

// counts are the nodes and pods by state; zeros only if all are requested.
func counts(s *screen.Snapshot, p *paint.Painter, t model.ZoneSummary, all bool) paint.Row {
	l := p.Line(1<<10).Put(themes.Text, words.Of("count.nodes", "n", t.Nodes).In(p))
	if all || t.Ready > 0 {
		l.Skip(2).Put(themes.Dim, words.Of("fleet.count.ready", "n", t.Ready).In(p))
	}
	late(l, s, p, t.Late)
	unseen := "unseen"
	if !all {
		unseen = "unseen-brief"
	}
	for _, f := range []phrase{
		{t.Unknown, "unknown", themes.Unknown, !all},
		{t.NotReady, "not-ready", themes.NotReady, !all},
		{t.Never, "never", themes.Text, true},
		{t.Unseen, unseen, themes.Text, true},
		{t.Cordoned, "cordoned", themes.Cordoned, !all},
	} {
		if f.n == 0 {
			if f.optional {
				continue
			}
			f.token = themes.Dim // it counts nothing
		}
		l.Skip(2).Put(f.token, words.Of("fleet.count."+f.word, "n", f.n).In(p))
	}
	if s.Has(model.KindPod) {
		l.Skip(2).Put(themes.Dim, words.Of("count.pods", "n", s.Cluster.PodCount()).In(p))
	}
	return l.Row()
}

// late counts the late Ready nodes, and those past the grace period, which the headline counts as silent.
func late(l *paint.Line, s *screen.Snapshot, p *paint.Painter, n int) {
	past := 0
	for i := range s.Nodes().Entries {
		if e := &s.Nodes().Entries[i]; e.Class == nodes.PastGrace && e.Health == model.HealthReady && past < n {
			past++
		}
	}
	between := " ("
	for _, f := range []phrase{{n: n - past, word: "late", token: themes.Warn}, {n: past, word: "past", token: themes.Unknown}} {
		if f.n > 0 {
			l.Put(themes.Dim, between).Put(f.token, words.Of("fleet.count."+f.word, "n", f.n).In(p))
			between = ", "
		}
	}
	if n > 0 {
		l.Put(themes.Dim, ")")
	}
}
