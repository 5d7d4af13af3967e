package headline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/decision"
)

// counting is how many pods' countdowns run, on nodes that have a NoExecute taint, and end by an instant; and
// when the first ends.
func (t *tally) counting(by model.Instant) (n int, first model.Instant) {
	state := t.controllers.State
	if state == nil || state.Taints == nil || state.Taints.Size() == 0 {
		return 0, 0
	}
	for _, timer := range state.Taints.Timers() {
		node := state.Cache.Node(timer.Node)
		if node == nil || !node.HasNoExecute() || timer.FireAt > by || why.Over(state, t.s.Cluster.Node(timer.Node)) {
			continue
		}
		if pod := t.s.Cluster.PodOn(timer.Node, timer.Pod); pod == nil || pod.Deletion.Known() {
			continue // nobody knew of it yet, or to delete it once more changes nothing
		}
		if n++; n == 1 {
			first = timer.FireAt
		}
	}
	return n, first
}

// deletions says whose pods go first, and how many in all.
func (t *tally) deletions() sentence {
	o := t.controllers
	var nodes []string
	pods := 0
	for i := range o.Forecast.Evictions {
		e := &o.Forecast.Evictions[i]
		if e.State != forecast.Due || !controllers.Alike(e.Window, o.Next) {
			continue
		}
		if pods++; !slices.Contains(nodes, e.Node) {
			nodes = append(nodes, e.Node)
		}
	}
	of := ""
	switch {
	case len(nodes) == 1:
		of = " of " + t.p.Text(t.nodes.Label(nodes[0]))
	case len(nodes) > 1:
		of = " of " + decision.Counted(len(nodes), "node")
	}
	if sooner, ok := t.sooner(); ok {
		return sentence{t.p.Glyphs.Predicted, themes.Evict, sooner, []string{fmt.Sprintf(", then %s%s %s", decision.Counted(pods, "pod"), of, t.p.In(t.s.From(), o.Next)), ""}}
	}
	lead := fmt.Sprintf("next: %s%s deleted %s", decision.Counted(pods, "pod"), of, t.p.In(t.s.From(), o.Next))
	all := t.inAll(pods)
	stay := t.stays()
	waiting, wait := "", ""
	if o.Queued > 0 {
		anew, held := t.waitsHow()
		more := ""
		if o.Anew == 0 { // else some of them are those whose pods go
			more = "more "
		}
		waiting, wait = t.waits(more)+anew+held, strconv.Itoa(o.Queued+o.Anew)+" "+more+"wait for a taint"+held
	}
	said := func(parts ...string) string {
		return all + strings.Join(append([]string{""}, slices.DeleteFunc(parts, func(text string) bool { return text == "" })...), "; ")
	}
	lost, unseen := stay.lost, stay.unseen
	tails := []string{said(lost, unseen, waiting, stay.stuck), said(lost, unseen, wait, stay.brief), said(lost, unseen, waiting), said(lost, unseen, wait), said(lost, unseen), said(lost)}
	if lost != "" {
		tails = append(tails, "; "+lost)
	}
	return sentence{t.p.Glyphs.Predicted, themes.Evict, []string{lead}, append(tails, all, "")}
}

// sooner says whose pods go before the first whose countdown runs, though their nodes have no taint yet: they tolerate
// it for less.
func (t *tally) sooner() (lead []string, ok bool) {
	o := t.controllers
	pods, sure, first := 0, false, model.Interval{}
	var nodes []string
	for i := range o.Forecast.Evictions {
		e := &o.Forecast.Evictions[i]
		if e.State != forecast.WaitingForTaint || e.Window.Latest >= o.Next.Earliest {
			continue
		}
		if pods == 0 || e.Window.Earliest < first.Earliest {
			first.Earliest = e.Window.Earliest
		}
		first.Latest, sure = max(first.Latest, e.Window.Latest), sure || e.Certain
		if pods++; !slices.Contains(nodes, e.Node) {
			nodes = append(nodes, e.Node)
		}
	}
	if pods == 0 {
		return nil, false
	}
	next := "next: "
	if !sure {
		next = "possibly next: "
	}
	whose := t.p.Text(t.nodes.Label(nodes[0]))
	if len(nodes) > 1 {
		whose = decision.Counted(len(nodes), "node")
	}
	is := fmt.Sprintf("%s%s of %s deleted %s", next, decision.Counted(pods, "pod"), whose, t.p.In(t.s.From(), first))
	return []string{is + ", once tainted", is}, true
}

// inAll says how many pods go in all, and by when: those too whose nodes are still to be tainted. Where the end of that is
// not known it counts those whose countdown runs. next is how many go first.
func (t *tally) inAll(next int) string {
	o := t.controllers
	switch is := &o.Total; {
	case is.Most <= next:
		return ""
	case is.By.Bounded():
		return fmt.Sprintf(", %s in all by %s", is.Deleted, t.p.By(is.By))
	}
	if by, sure := t.armedBy(); sure && o.Armed > next {
		return fmt.Sprintf(", at least %s in all by %s", decision.Counted(o.Armed, "pod"), t.p.By(by))
	}
	return ""
}

// armedBy is when the last of the pods is deleted whose countdown runs, and whether all of them surely are.
func (t *tally) armedBy() (by model.Instant, sure bool) {
	sure = true
	for i := range t.controllers.Forecast.Evictions {
		if e := &t.controllers.Forecast.Evictions[i]; e.State == forecast.Due {
			by, sure = max(by, e.Window.Latest), sure && e.Certain
		}
	}
	return by, sure && by.Bounded()
}
