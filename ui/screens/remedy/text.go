package remedy

import (
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/model/explain/command"
	"kardia/model/explain/recovery"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
)

// Recovery is which pods of a node are stuck, how they go, its volumes, and the checklist before it is declared out
// of service, in a width.
func Recovery(s *screen.Snapshot, p *paint.Painter, row *model.NodeRow, width int) []paint.Row {
	r := topic(s, row)
	return render.Terminal(r.Doc(), p, width)
}

// Actors is who else acts on a node, and when, in a width.
func Actors(s *screen.Snapshot, p *paint.Painter, row *model.NodeRow, width int) []paint.Row {
	t := &text{p: p, w: width}
	t.actors(s, row)
	return t.rows
}

func assess(s *screen.Snapshot, row *model.NodeRow) recovery.Assessment {
	return recovery.Of(row, s.ReadAsOf(s.From()), s.From(), s.Params, s.Attached(row.Name))
}

// topic is the recovery of a node with what lies around it.
func topic(s *screen.Snapshot, row *model.NodeRow) topics.Recovery {
	r := topics.Recovery{Assessment: assess(s, row), At: s.From(), PodsUnread: s.Unread(model.KindPod)}
	if n := s.Controllers().Node(row.Name); n != nil {
		r.Ahead = n.Ahead
	}
	if len(r.Stuck) == 0 && r.PodsUnread == "" {
		r.Elsewhere, r.On = stuckElsewhere(s)
	}
	return r
}

// Commands are those that Recovery names, to be copied.
func Commands(s *screen.Snapshot, row *model.NodeRow) (list []string) {
	o := assess(s, row)
	add := func(line string) {
		if command.Is(line) {
			list = append(list, line)
		}
	}
	for _, c := range o.Checks {
		add(c.Command)
	}
	for _, e := range o.Exits {
		for _, line := range e.Commands {
			add(line)
		}
	}
	add(o.Untaint)
	return list
}

// text gathers rows.
type text struct {
	p    *paint.Painter
	w    int
	rows []paint.Row
}

// say adds a sentence, folded.
func (t *text) say(token themes.Token, words string) { t.sign("", token, words) }

// sign adds a sentence behind a glyph.
func (t *text) sign(glyph string, token themes.Token, words string) {
	for _, part := range paint.Fold(t.p.Text(words), max(t.w-3, 8)) {
		l := t.p.Line(t.w)
		if glyph != "" {
			l.Glyph(token, glyph)
		} else {
			l.Skip(1)
		}
		t.rows = append(t.rows, l.Skip(1).Put(token, part).Row())
		glyph = ""
	}
}

func (t *text) head(words string) {
	if len(t.rows) > 0 {
		t.rows = append(t.rows, paint.Row{})
	}
	t.rows = append(t.rows, t.p.Line(t.w).Put(themes.Accent, words).Row())
}

// stuckElsewhere is how many pods of the cluster were deleted and are still there past their grace, and on which nodes.
func stuckElsewhere(s *screen.Snapshot) (n int, nodes []string) {
	for row := range s.Cluster.Nodes {
		before := n
		for _, p := range row.Pods() {
			if recovery.PastGrace(p, s.From()) {
				n++
			}
		}
		if n > before {
			nodes = append(nodes, row.Name)
		}
	}
	return n, nodes
}

// actors are who else acts on the node.
func (t *text) actors(s *screen.Snapshot, row *model.NodeRow) {
	list := actors.Of(s.Cluster, row, s.From(), actors.ShareOf(s.Cluster))
	if !slices.ContainsFunc(list, func(a actors.Actor) bool { return a.Who != actors.Alert }) {
		t.say(themes.Dim, "no other actor in the Node or its Events")
	}
	for i := range list {
		a := &list[i]
		t.head(t.p.Text(a.Who))
		var facts widget.Facts
		facts.Add("does", a.Does)
		token, when := themes.Predicted, ""
		switch {
		case !a.When.Known():
		case a.When.Width() > 0 && a.When.Latest <= s.From():
			when = t.p.Window(a.When)
		case a.When.Latest <= s.From():
			token, when = themes.Warn, "since "+paint.Duration(s.From().Sub(a.When.Earliest))
		case a.When.Earliest <= s.From() && a.When.Latest == model.FarFuture:
			token, when = themes.Warn, "possible for "+paint.Duration(s.From().Sub(a.When.Earliest))+", but not seen: it is off, halted, or about to act"
		case a.When.Latest == model.FarFuture:
			when = "in " + paint.Countdown(a.When.Earliest.Sub(s.From()).Truncate(time.Second)) + " or later, " + t.p.Window(a.When)
		default:
			when = t.p.In(s.From(), a.When) + ", " + t.p.Window(a.When)
		}
		facts.Put("when", token, when)
		facts.Put("halted by", themes.Halted, a.Halts)
		facts.Add("because", strings.Join(a.Because, "; "))
		facts.Put("assumes", themes.Dim, a.Assumes)
		t.rows = append(t.rows, facts.Rows(t.p, t.w)...)
	}
	if why := s.Unread(model.KindEvent); why != "" {
		t.say(themes.Dim, "Events: "+why)
	}
	t.lacks(s, model.KindNodeClaim, "NodeClaims (Karpenter)")
	t.lacks(s, model.KindNodeHealthCheck, "NodeHealthChecks (medik8s)")
	t.lacks(s, model.KindAutoscalerStatus, "the autoscaler's ConfigMap")
	if row.Node != nil && row.Node.Unschedulable {
		t.lacks(s, model.KindPodDisruptionBudget, "PodDisruptionBudgets")
	}
}

// lacks says why nothing is known of those who would tell of themselves in objects of a kind.
func (t *text) lacks(s *screen.Snapshot, kind model.Kind, what string) {
	if why := s.Lacks(kind); why != "" {
		t.say(themes.Dim, what+": "+why)
	}
}
