package headline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/review"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// next is what happens next and when, if silent nodes stay silent. While nothing arrives it is that of the
// last change that was seen, and while the models lag, of when they spoke.
func (t *tally) next() sentence {
	is, asOf := t.coming(), t.s.JudgedAsOf
	if t.s.From() != t.s.At && t.s.AsOf.Known() {
		asOf = t.s.AsOf
	}
	if asOf.Known() {
		for i := range is.lead {
			is.lead[i] = "as of " + t.p.Clock(asOf) + ": " + is.lead[i]
		}
	}
	return is
}

// coming is next, whether anything arrives or not.
func (t *tally) coming() sentence {
	o := t.controllers
	switch {
	case !o.Judged || len(t.nodes.Entries) == 0:
		return sentence{}
	case o.Forecast == nil:
		return sentence{"", themes.Dim, []string{"what comes next: " + t.p.Text(o.Status())}, nil}
	}
	switch held, _ := o.Holding(); held.Reason {
	case caveat.NoLeader:
		return t.leaderless()
	case caveat.MaybeNoLeader:
		return t.mayBeUnled(t.steps(), held.Since)
	}
	return t.steps()
}

// steps is the forecast if kube-controller-manager has a leader.
func (t *tally) steps() sentence {
	o := t.controllers
	switch {
	case o.State != nil && o.State.Overdue.Known():
		late := paint.Duration(o.State.Overdue.For(t.s.From()))
		rest := []string{""}
		if n, _ := t.counting(t.s.From()); n > 0 {
			rest = []string{"; when it does, " + decision.Counted(n, "pod") + " may be deleted at once: the countdowns have ended", "; then " + decision.Counted(n, "pod") + " may be deleted at once", ""}
		}
		return sentence{t.p.Glyphs.NotReady, themes.Warn, []string{"overdue " + late + ": " + o.State.Overdue.Says()}, rest}
	case o.Armed > 0:
		return t.deletions()
	case o.Queued > 0:
		return t.queue()
	}
	if lead, rest := t.unnoticed(); lead != "" {
		return sentence{t.p.Glyphs.Predicted, themes.Predicted, []string{lead}, rest}
	}
	lost := t.stays().lost
	if n, first := t.counting(model.FarFuture); n > 0 && lost == "" {
		before := " before " + t.p.Clock(first)
		return sentence{t.p.Glyphs.Predicted, themes.Warn, []string{"nothing due if the controller removes the taints"},
			[]string{before + "; until then " + model.Counted(n, "pod's countdown keeps running", "pods' countdowns keep running"), before, ""}}
	}
	if o.Unsettled && !t.s.Blind {
		return sentence{t.p.Glyphs.LastKnown, themes.Gap, []string{"pending evictions unknown"}, []string{": watching started recently, and the zone queues have not been seen yet", " after the gap", ""}}
	}
	if lead, rest := t.untainted(); lead != "" {
		return sentence{t.p.Glyphs.Predicted, themes.Predicted, []string{lead}, rest}
	}
	due := "due"
	if t.unseen > 0 {
		due = "known due"
	}
	held := t.heldBack()
	if text, brief := t.stuck(); text != "" {
		return sentence{t.p.Glyphs.Recorded, themes.Text, []string{"nothing more " + due}, []string{held + "; " + text, held + "; " + brief, cmp.Or(held, "; "+brief), ""}}
	}
	if o.State != nil && o.State.Behind.Known() {
		return sentence{t.p.Glyphs.Predicted, themes.Warn, []string{"nothing due if the controller's cache is current"},
			[]string{"; until " + t.p.Clock(o.State.Behind) + " it may still taint or delete on stale data", "; until " + t.p.Clock(o.State.Behind) + " it may lag", ""}}
	}
	if !t.s.Has(model.KindPod) {
		rest := []string{"; pods unknown", ""}
		if lead := t.taints(); lead != "" {
			return sentence{t.p.Glyphs.Predicted, themes.Predicted, []string{lead}, rest}
		}
		if is, ok := t.later("no node queued for a taint"); ok {
			return is
		}
		if unknown, first := t.s.NotKnown(caveat.Ready | caveat.Decided); unknown != "" { // such a node would not be seen
			return sentence{"", themes.Dim, []string{"which nodes wait for a taint is not known"}, []string{": " + unknown, ": " + first, ""}}
		}
		return sentence{"", themes.Dim, []string{"no node queued for a taint"}, rest}
	}
	switch {
	case held != "":
		return sentence{t.p.Glyphs.Inferred, themes.Halted, []string{"nothing " + due + " as things are"}, []string{held, ""}}
	case t.unseen > 0:
		if is, ok := t.later("nothing " + due); ok {
			return is
		}
		return sentence{"", themes.Dim, []string{"nothing " + due}, []string{": " + model.Counted(t.unseen, "node is", "nodes are") + " known only by the lease", ""}}
	}
	unknown, first := t.s.NotKnown(caveat.NoEviction | caveat.PodCount)
	if unknown != "" {
		due = "known due"
	}
	if is, ok := t.later("nothing " + due); ok {
		return is
	}
	if unknown != "" {
		return sentence{"", themes.Dim, []string{"nothing known due"}, []string{"; not known: " + unknown, ": " + first, ""}}
	}
	return sentence{"", themes.Dim, []string{"nothing due"}, []string{": no eviction pending, no node queued for a taint", ""}}
}

// leaderless is that nothing happens before kube-controller-manager has a leader, and for how long something is overdue.
func (t *tally) leaderless() sentence {
	lead := model.NoLeader
	if is := t.controllers.State; is != nil && is.Overdue.Known() {
		lead = "overdue " + paint.Duration(is.Overdue.For(t.s.From())) + ": " + lead
	}
	return sentence{t.p.Glyphs.NotReady, themes.Warn, []string{lead}, []string{"; nothing happens until it has one, then countdowns restart", "; nothing happens until it has one", ""}}
}

// mayBeUnled is the forecast if kube-controller-manager may have no leader: the last one has not renewed its lease for so long
// that it has exited or is paused, and another may lead by now.
func (t *tally) mayBeUnled(is sentence, since model.Instant) sentence {
	if len(is.lead) == 0 {
		return is
	}
	old, comes := "(lease "+paint.Duration(max(0, t.s.From().Sub(since)))+" old)", is.lead[len(is.lead)-1]
	may := "possibly no leader " + old
	if next := strings.TrimPrefix(comes, "next: "); next != comes {
		return sentence{t.p.Glyphs.NotReady, themes.Warn, []string{next + ", if kube-controller-manager still has a leader " + old, next + ", if there is a leader " + old, may}, nil}
	}
	comes, _, _ = strings.Cut(comes, "; later,") // what else the recording shows has no room
	return sentence{t.p.Glyphs.NotReady, themes.Warn, []string{comes + "; kube-controller-manager may have no leader " + old, comes + "; " + may, may}, nil}
}

// later is which node the recording shows to be declared Unknown next or, where none is, to be late first. Who opens an
// incident sees it calm at first, and would wait for what it is about, or take the wrong file for the right one. now is what
// is true meanwhile.
func (t *tally) later(now string) (is sentence, ok bool) {
	if t.s.Blind {
		return is, false
	}
	said := func(at model.Instant, node, what, how string) (sentence, bool) {
		return sentence{t.p.Glyphs.Later, themes.Faint, []string{now + "; later, " + t.p.Clock(at) + ","},
			[]string{" " + t.p.Text(node) + " is " + what + how, " " + t.p.Text(node) + " is " + what, " a node is " + what}}, true
	}
	all := t.s.Judged.Decisions()
	from, _ := slices.BinarySearchFunc(all, t.s.At, func(d model.Decision, at model.Instant) int { return cmp.Compare(d.Time, at) })
	for i := range all[from:min(from+farAhead, len(all))] {
		d := &all[from+i]
		if d.Kind != model.MarkUnknown || d.Outcome == model.Declined || forecast.TenseOf(d, t.s.At) != forecast.Later {
			continue
		}
		at := screen.Stands(d)
		return said(at, d.Node, "declared Unknown", ", in "+paint.Countdown(at.Sub(t.s.At).Truncate(time.Second)))
	}
	if t.s.Timeline != nil { // of Nodes nothing may have been seen, and heartbeats stop all the same
		for i := range t.s.Timeline.Anomalies.List {
			if a := &t.s.Timeline.Anomalies.List[i]; a.Kind == review.LateBeat && a.At > t.s.At {
				return said(a.At, a.Node, "late", ": n goes there")
			}
		}
	}
	return is, false
}

// farAhead is how many decisions are looked through for it, at every frame.
const farAhead = 4096

// taints says how many nodes are foreseen to be tainted, and when the first is; "" where none is. Of a capture no queue is
// known, and who has no taint yet comes to it all the same.
func (t *tally) taints() string {
	n := 0
	for i := range t.controllers.Forecast.Taints {
		if t.controllers.Forecast.Taints[i].Window.Earliest.Bounded() {
			n++
		}
	}
	first, sure, ok := decision.First(t.controllers.Forecast, t.controllers, t.s.Cluster, t.s.From(), model.TaintNoExecute)
	if n == 0 || !ok {
		return ""
	}
	lead := "next: 1 node gets a NoExecute taint "
	if n > 1 {
		lead = fmt.Sprintf("next: %d nodes get a NoExecute taint, the first ", n)
	}
	if !sure {
		lead += "possibly "
	}
	return lead + t.p.In(t.s.From(), first)
}

// unnoticed says when the first of the nodes that are silent and not declared is declared.
func (t *tally) unnoticed() (lead string, rest []string) {
	if when, n, node := t.declaredNext(); n > 0 {
		whom := t.p.Text(t.nodes.Label(node))
		if n > 1 {
			whom = decision.Counted(n, "node")
		}
		var rest []string
		if then, first := t.untainted(); then != "" {
			then = ", then " + strings.TrimPrefix(then, "next: ")
			rest = []string{then + first[0], then, ""}
		}
		return "next: " + whom + " declared Unknown " + t.p.In(t.s.From(), when), rest
	}
	grace := t.s.Params.NodeMonitorGracePeriod.Value
	var oldest time.Duration
	for _, i := range t.late {
		oldest = max(oldest, t.nodes.Entries[i].Then.Age.Value)
	}
	in := ""
	ends, counted := t.graceEnds()
	switch left := grace - oldest; {
	case t.declared < len(t.silent) && t.s.Mode.Watches():
		return "next: declared Unknown in the monitor pass that is due now", nil
	case counted:
		in = t.p.In(t.s.From(), ends)
	case len(t.late) > 0 && left > 0:
		in = "in " + paint.Countdown(left)
	default:
		return "", nil
	}
	return "next: the first grace period ends " + in, []string{", then the node is declared Unknown if it stays silent", ", then it is declared Unknown", ""}
}

// graceEnds is when the grace of the first of the late nodes ends, as the controller counts; false where that is not known of all.
func (t *tally) graceEnds() (first model.Interval, ok bool) {
	for k, i := range t.late {
		ends := t.controllers.Silence(t.nodes.Entries[i].Row).GraceEnds
		if !ends.Bounded() || ends.Latest <= t.s.From() {
			return first, false
		}
		if k == 0 {
			first = ends
		}
		first = model.Interval{Earliest: min(first.Earliest, ends.Earliest), Latest: min(first.Latest, ends.Latest)}
	}
	return first, len(t.late) > 0
}

// declaredNext is how many of the nodes that are silent past the grace period, and not declared, are foreseen to be: within
// which window, and one of them.
func (t *tally) declaredNext() (when model.Interval, n int, node string) {
	for _, i := range t.silent {
		e := &t.nodes.Entries[i]
		if e.Class != nodes.PastGrace {
			continue
		}
		w, ok := t.controllers.Declared(e.Row.Name)
		if !ok || !w.Latest.Bounded() || w.Latest < t.s.From() {
			continue
		}
		if n++; n == 1 {
			when, node = w, e.Row.Name
		}
		when = model.Interval{Earliest: min(when.Earliest, w.Earliest), Latest: max(when.Latest, w.Latest)}
	}
	return when, n, node
}

// untainted says how many pods go if their nodes are tainted, where nobody is known to wait for a taint yet, or
// the queues of the zones are not known: the pass that declared them may not be over.
func (t *tally) untainted() (lead string, rest []string) {
	nodes, first := 0, model.Interval{}
	for i := range t.nodes.Entries {
		if is := t.controllers.Node(t.nodes.Entries[i].Row.Name); is != nil && is.Ahead > 0 {
			if nodes == 0 || controllers.Sooner(is.Next, first) {
				first = is.Next
			}
			nodes++
		}
	}
	if nodes == 0 {
		return "", nil
	}
	is, who, tainted := &t.controllers.Total, decision.Counted(nodes, "node"), nodes
	if is.Waiting == nodes && is.Tainted < nodes {
		who, tainted = fmt.Sprintf("%d of %s", is.Tainted, who), is.Tainted
	}
	have := " has its NoExecute taint"
	if tainted > 1 {
		have = " have their NoExecute taints"
	}
	return "next: " + is.Deleted.String() + " deleted once " + who + have, []string{", the first " + t.p.In(t.s.From(), first), ""}
}

// heldBack counts the pods of silent nodes that are not evicted as things are; "" where there are none.
func (t *tally) heldBack() string {
	pods, nodes := 0, 0
	for i := range t.nodes.Entries {
		if is := t.controllers.Node(t.nodes.Entries[i].Row.Name); is != nil && is.Count[forecast.Halted] > 0 {
			pods += is.Count[forecast.Halted]
			nodes++
		}
	}
	if pods == 0 {
		return ""
	}
	return "; " + decision.Counted(pods, "pod") + " of " + decision.Counted(nodes, "node") + " blocked: 6 shows why"
}
