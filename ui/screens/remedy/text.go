package remedy

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/actors"
	"kardia/model/explain/command"
	"kardia/model/explain/impact"
	"kardia/model/explain/recovery"
	"kardia/model/explain/volumes"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/volume"
	"kardia/ui/widget"
)

// Recovery is which pods of a node are stuck, how they go, its volumes, and the checklist before it is declared out
// of service, in a width.
func Recovery(s *screen.Snapshot, p *paint.Painter, row *model.NodeRow, width int) []paint.Row {
	t := &text{p: p, w: width}
	t.recovery(s, row)
	return t.rows
}

// Actors is who else acts on a node, and when, in a width.
func Actors(s *screen.Snapshot, p *paint.Painter, row *model.NodeRow, width int) []paint.Row {
	t := &text{p: p, w: width}
	t.actors(s, row)
	return t.rows
}

// Commands are those that Recovery names, to be copied.
func Commands(s *screen.Snapshot, row *model.NodeRow) (list []string) {
	o := recovery.Of(row, s.ReadAsOf(s.From()), s.From(), s.Params, s.Attached(row.Name))
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

// below adds what belongs to the sentence before.
func (t *text) below(token themes.Token, words string) {
	if words == "" {
		return
	}
	for _, part := range paint.Fold(t.p.Text(words), max(t.w-6, 8)) {
		t.rows = append(t.rows, t.p.Line(t.w).Skip(5).Put(token, part).Row())
	}
}

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

// ahead says where to look for what halts the deletions of a node's pods that lie ahead, beside some that are stuck; "" where
// none does.
func ahead(s *screen.Snapshot, node string, stuck int) string {
	n := s.Controllers().Node(node)
	switch {
	case n == nil || n.Ahead == 0:
		return ""
	case stuck == 0:
		return model.Counted(n.Ahead, "pod", "pods") + " may be deleted: I tries what would halt that"
	}
	return model.Counted(n.Ahead, "other", "others") + " may be deleted: I tries what would halt that"
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

// recovery is which pods are stuck, how they go, and the checklist: what is asked first stands together at the top, in
// as many lines as a small window has. Volumes that hang on the node, and the commands, come after it.
func (t *text) recovery(s *screen.Snapshot, row *model.NodeRow) {
	o := recovery.Of(row, s.ReadAsOf(s.From()), s.From(), s.Params, s.Attached(row.Name))
	t.title("STUCK TERMINATING", themes.Dim, ahead(s, row.Name, len(o.Stuck)))
	groups := stuckBy(&o)
	for i := range groups[:min(len(groups), stuckShown)] {
		t.sign(t.p.Glyphs.Recorded, themes.Text, groups[i].says(t.p, s.From(), &o, namesShown))
	}
	if more := len(groups) - stuckShown; more > 0 {
		t.say(themes.Dim, fmt.Sprintf("and of %d more workloads: below", more))
	}
	unread := s.Unread(model.KindPod)
	switch {
	case unread != "":
		t.say(themes.Warn, "stuck pods unknown: pods are "+unread)
	case len(o.Stuck) == 0:
		t.say(themes.Dim, "no pod of this node is past its termination grace")
		if n, nodes := stuckElsewhere(s); n > 0 {
			t.say(themes.Text, model.Counted(n, "pod is", "pods are")+" on "+widget.Listed(nodes)+": put the cursor there")
		}
	case len(o.Exits) == 0:
		t.say(themes.Dim, "its kubelet renews, and has not ended them yet")
	default:
		t.title("HOW THEY GO", themes.Warn, "while the machine runs, 2 to 4 make two copies, and both write")
	}
	for i, e := range o.Exits {
		t.say(themes.Text, strings.TrimSuffix(fmt.Sprintf("%d %s: gone %s; %s", i+1, e.Says, e.Gone, e.Risk), "; "))
	}
	t.title("SAFE TO MARK OUT OF SERVICE?", themes.Warn, o.Safe())
	for _, c := range o.Checks {
		glyph, token := "?", themes.Warn
		switch c.Answer {
		case recovery.Yes:
			glyph, token = t.p.Glyphs.Yes, themes.Text
		case recovery.No:
			glyph, token = t.p.Glyphs.No, themes.Warn
		}
		t.sign(glyph, token, c.Says)
	}
	if unread != "" {
		t.say(themes.Warn, "the taint: number of deleted pods unknown: pods are "+unread)
		o.Effects = o.Effects[1:]
	}
	for _, line := range o.Effects {
		t.say(themes.Dim, line)
	}
	if len(o.Volumes) > 0 { // when they are free is asked before what else there is to do
		t.volumes(s, &o)
	}
	t.head("COMMANDS")
	for _, c := range o.Checks {
		t.command("?", c.Command)
	}
	for i, e := range o.Exits {
		for _, line := range e.Commands {
			t.command(strconv.Itoa(i+1), line)
		}
	}
	if len(o.Exits) == 0 {
		t.command("", o.Taint)
	}
	t.command("", o.Untaint)
	if len(o.Volumes) == 0 {
		t.volumes(s, &o)
	}
	if len(groups) > stuckShown || slices.ContainsFunc(groups, func(g stuck) bool { return len(g.pods) > namesShown+1 }) {
		t.head("STUCK, ALL OF THEM")
		for i := range groups {
			t.sign(t.p.Glyphs.Recorded, themes.Text, groups[i].says(t.p, s.From(), &o, len(groups[i].pods)))
		}
	}
}

// stuckShown is how many workloads are named before how their pods go is said, and namesShown how many pods of each.
const (
	stuckShown = 2
	namesShown = 2
)

// title is a head with more beside it, or below it where there is no room; what stands before it belongs to it.
func (t *text) title(words string, token themes.Token, more string) {
	if paint.Width(words)+2+paint.Width(more) > t.w {
		t.rows = append(t.rows, t.p.Line(t.w).Put(themes.Accent, words).Row())
		t.say(token, more)
		return
	}
	t.rows = append(t.rows, t.p.Line(t.w).Put(themes.Accent, words).Skip(2).Put(token, more).Row())
}

// command is a command, behind the number of the way that it is, or the question that it answers.
func (t *text) command(mark, words string) {
	if words == "" {
		return
	}
	for _, part := range paint.Fold(t.p.Text(words), max(t.w-3, 8)) {
		t.rows = append(t.rows, t.p.Line(t.w).Left(themes.Dim, mark, 2).Put(themes.Accent, part).Row())
		mark = ""
	}
}

// stuck are the stuck pods of one workload, or those of a namespace that have none.
type stuck struct {
	of          string
	pods        []*model.Pod
	first, last model.Instant
}

// stuckBy parts stuck pods by whose they are, in the order in which they come.
func stuckBy(o *recovery.Assessment) (list []stuck) {
	for _, k := range o.Stuck {
		name := of(k.Pod)
		i := slices.IndexFunc(list, func(g stuck) bool { return g.of == name })
		if i < 0 {
			i, list = len(list), append(list, stuck{of: name, first: k.Since, last: k.Since})
		}
		g := &list[i]
		g.pods, g.first, g.last = append(g.pods, k.Pod), min(g.first, k.Since), max(g.last, k.Since)
	}
	return list
}

// says is whose they are, for how long they have been stuck, which volumes they keep, and which they are, most of
// them at most.
func (g *stuck) says(p *paint.Painter, at model.Instant, o *recovery.Assessment, most int) string {
	length := paint.Duration(at.Sub(g.first))
	if last := paint.Duration(at.Sub(g.last)); last != length {
		length = last + "–" + length
	}
	text := decision.Counted(len(g.pods), "pod") + " " + g.of + ", " + length + " past grace"
	for i := range o.Volumes {
		if slices.ContainsFunc(g.pods, func(pod *model.Pod) bool { return slices.Contains(o.Volumes[i].By, pod) }) {
			text += ", keeps " + volume.Name(&o.Volumes[i])
			text += " (" + cmp.Or(volume.When(p, at, &o.Volumes[i]), "for six minutes after they are gone") + ")"
		}
	}
	text += ":"
	for i, pod := range g.pods {
		if i == most && len(g.pods) > most+1 {
			return text + fmt.Sprintf(" and %d more", len(g.pods)-i)
		}
		text += " " + pod.Key.String()
	}
	return text
}

// volumes are those that hang on the node, each with its clock.
func (t *text) volumes(s *screen.Snapshot, o *recovery.Assessment) {
	t.head("VOLUMES")
	if o.Unread != "" {
		t.say(themes.Dim, "attached volumes unknown: VolumeAttachments are "+o.Unread)
	} else if len(o.Volumes) == 0 {
		t.say(themes.Dim, "no volume is attached")
	}
	for i := range o.Volumes {
		token, text := volume.Row(t.p, s.From(), &o.Volumes[i])
		t.sign(t.p.Glyphs.Recorded, token, text)
		t.below(themes.Warn, o.Volumes[i].Failed)
	}
	t.say(themes.Dim, recovery.Clock)
	if len(o.Volumes) > 0 {
		t.say(themes.Dim, "assumes: "+volumes.Assumes)
	}
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
			when = decision.Window(a.When, t.p)
		case a.When.Latest <= s.From():
			token, when = themes.Warn, "since "+paint.Duration(s.From().Sub(a.When.Earliest))
		case a.When.Earliest <= s.From() && a.When.Latest == model.FarFuture:
			token, when = themes.Warn, "possible for "+paint.Duration(s.From().Sub(a.When.Earliest))+", but not seen: it is off, halted, or about to act"
		case a.When.Latest == model.FarFuture:
			when = "in " + paint.Countdown(a.When.Earliest.Sub(s.From()).Truncate(time.Second)) + " or later, " + decision.Window(a.When, t.p)
		default:
			when = t.p.In(s.From(), a.When) + ", " + decision.Window(a.When, t.p)
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

// of is whose pod it is.
func of(p *model.Pod) string {
	if p.Owner == nil {
		return "without an owner, not replaced"
	}
	o := impact.OwnerOf(p)
	return "of " + o.Kind + " " + o.Namespace + "/" + o.Name
}
