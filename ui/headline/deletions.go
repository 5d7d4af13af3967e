package headline

import (
	"slices"

	"kardia/model"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// counting is how many pods' countdowns on nodes with a NoExecute taint end by a time, and when the first ends.
func (t *tally) counting(by model.Instant) (n int, first model.Instant) {
	state := t.outlook.State
	if state == nil || state.Taints == nil || state.Taints.Size() == 0 {
		return 0, 0
	}
	for _, timer := range state.Taints.Timers() {
		node := state.Cache.Node(timer.Node)
		if node == nil || !node.HasNoExecute() || timer.FireAt > by {
			continue
		}
		if pod := t.s.Cluster.PodOn(timer.Node, timer.Pod); pod == nil || pod.Deletion.Known() {
			continue // it was not seen at that time, or is Terminating
		}
		if n++; n == 1 {
			first = timer.FireAt
		}
	}
	return n, first
}

// deletions are the nodes whose pods are deleted first, and how many pods in all.
func (t *tally) deletions() sentence {
	o := t.outlook
	var nodes []string
	pods := 0
	for i := range o.Forecast.Evictions {
		e := &o.Forecast.Evictions[i]
		if e.State != forecast.Due || !e.Window.Alike(o.Next) {
			continue
		}
		if pods++; !slices.Contains(nodes, e.Node) {
			nodes = append(nodes, e.Node)
		}
	}
	of, in := t.podsOf(pods, nodes), t.p.In(t.s.From(), o.Next)
	if sooner, ok := t.sooner(); ok {
		return sentence{t.p.Glyphs.Predicted, themes.Evict, sooner, []words.Say{words.Of("headline.then", "pods", of, "in", in)}}
	}
	lead := words.Of("headline.next-deleted", "pods", of, "in", in)
	all := t.inAll(pods)
	stay := t.stays()
	waiting, wait := words.Say{}, words.Say{}
	if o.Queued > 0 {
		waiting, wait = t.waits(o.Requeued == 0) // else some of them are those whose pods are deleted
	}
	said := func(parts ...words.Say) words.Say {
		return words.Chain(all, joined("; ", words.Say{}, listed(parts...)))
	}
	lost, unseen := stay.lost, stay.unseen
	return sentence{t.p.Glyphs.Predicted, themes.Evict, []words.Say{lead, words.Of("headline.next-deleted", "pods", words.Of("count.pods", "n", pods), "in", in)},
		[]words.Say{said(lost, unseen, waiting, stay.stuck), said(lost, unseen, wait, stay.brief), said(lost, unseen, waiting), said(lost, unseen, wait), said(lost, unseen), said(lost), joined("; ", words.Say{}, lost), all}}
}

func (t *tally) podsOf(pods int, nodes []string) words.Say {
	whose := words.Of("count.nodes", "n", len(nodes))
	switch len(nodes) {
	case 0:
		return words.Of("count.pods", "n", pods)
	case 1:
		whose = words.Text(t.p.Text(t.nodes.Label(nodes[0])))
	}
	return words.Of("headline.pods-of", "n", pods, "whose", whose)
}

// sooner are pods that tolerate so little that they are deleted, once tainted, before the first countdown ends.
func (t *tally) sooner() (lead []words.Say, ok bool) {
	o := t.outlook
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
	of, in := t.podsOf(pods, nodes), t.p.In(t.s.From(), first)
	is := words.Of("headline.next-deleted", "pods", of, "in", in)
	if !sure {
		is = words.Of("headline.possibly-deleted", "pods", of, "in", in)
	}
	return []words.Say{words.Of("headline.once-tainted", "what", is), is}, true
}

// inAll counts the pods to be deleted, and when the last is, including pods of nodes that are still to be tainted. If
// that time is not known it counts running countdowns. next counts the first ones.
func (t *tally) inAll(next int) words.Say {
	o := t.outlook
	switch is := &o.Total; {
	case is.Most <= next:
		return words.Say{}
	case is.By.Bounded():
		return words.Of("headline.in-all", "pods", topics.Deleted(&is.Deleted), "by", t.p.By(is.By))
	}
	if by, sure := t.armedBy(); sure && o.Armed > next {
		return words.Of("headline.at-least-in-all", "pods", words.Of("count.pods", "n", o.Armed), "by", t.p.By(by))
	}
	return words.Say{}
}

// armedBy is when the last running countdown ends, and whether all of them surely do.
func (t *tally) armedBy() (by model.Instant, sure bool) {
	sure = true
	for i := range t.outlook.Forecast.Evictions {
		if e := &t.outlook.Forecast.Evictions[i]; e.State == forecast.Due {
			by, sure = max(by, e.Window.Latest), sure && e.Certain
		}
	}
	return by, sure && by.Bounded()
}
