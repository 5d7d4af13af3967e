package headline

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/review"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// next is the next event if silent nodes stay silent, as of the last Change seen or the last result of the models.
func (t *tally) next() sentence {
	is, asOf := t.coming(), t.s.JudgedAsOf
	if t.s.From() != t.s.At && t.s.AsOf.Known() {
		asOf = t.s.AsOf
	}
	if asOf.Known() {
		for i := range is.lead {
			is.lead[i] = words.Of("headline.as-of", "what", is.lead[i], "at", asOf)
		}
	}
	return is
}

// coming is next, without its time.
func (t *tally) coming() sentence {
	o := t.outlook
	switch {
	case !o.Judged || len(t.nodes.Entries) == 0:
		return sentence{}
	case o.Forecast == nil:
		return sentence{"", themes.Dim, []words.Say{words.Of("headline.no-forecast", "why", t.p.Text(topics.Unjudged(o.Missing)))}, nil}
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
	o := t.outlook
	switch {
	case o.State != nil && o.State.Overdue.Known():
		rest := []words.Say{}
		if n, _ := t.counting(t.s.From()); n > 0 {
			rest = []words.Say{words.Of("headline.when-it-acts", "n", n), words.Of("headline.when-it-acts-short", "n", n)}
		}
		return sentence{t.p.Glyphs.NotReady, themes.Warn, []words.Say{t.overdue(topics.Omits(o.State.Overdue.Omits()))}, rest}
	case o.Armed > 0:
		return t.deletions()
	case o.Queued > 0:
		return t.queue()
	}
	if lead, rest := t.unnoticed(); !lead.Missing() {
		return sentence{t.p.Glyphs.Predicted, themes.Predicted, []words.Say{lead}, rest}
	}
	lost := t.stays().lost
	if n, first := t.counting(model.FarFuture); n > 0 && lost.Missing() {
		return sentence{t.p.Glyphs.Predicted, themes.Warn, []words.Say{words.Of("headline.none-if-untainted")},
			[]words.Say{words.Of("headline.untaint-before-until", "at", first, "n", n), words.Of("headline.untaint-before", "at", first)}}
	}
	if o.Unsettled && !t.s.Blind {
		return sentence{t.p.Glyphs.LastKnown, themes.Gap, []words.Say{words.Of("headline.unsettled")}, []words.Say{words.Of("headline.unsettled-why"), words.Of("headline.unsettled-gap")}}
	}
	if what, rest := t.untainted(); !what.Missing() {
		return sentence{t.p.Glyphs.Predicted, themes.Predicted, []words.Say{what}, []words.Say{rest}}
	}
	nothing, more := words.Of("headline.nothing"), words.Of("headline.nothing-more")
	if t.unseen > 0 {
		nothing, more = words.Of("headline.nothing-known"), words.Of("headline.nothing-more-known")
	}
	held := joined("; ", words.Say{}, t.heldBack())
	if text, brief := t.stuck(); !text.Missing() {
		rest := []words.Say{words.Chain(held, joined("; ", words.Say{}, text)), words.Chain(held, joined("; ", words.Say{}, brief)), held}
		if held.Missing() {
			rest = rest[:2]
		}
		return sentence{t.p.Glyphs.Recorded, themes.Text, []words.Say{more}, rest}
	}
	if o.State != nil && o.State.Behind.Known() {
		return sentence{t.p.Glyphs.Predicted, themes.Warn, []words.Say{words.Of("headline.none-if-current")},
			[]words.Say{words.Of("headline.stale-until", "at", o.State.Behind), words.Of("headline.lags-until", "at", o.State.Behind)}}
	}
	if !t.s.Has(model.KindPod) {
		rest, none := []words.Say{words.Of("headline.pods-unknown")}, words.Of("headline.none-queued")
		if lead := t.taints(); !lead.Missing() {
			return sentence{t.p.Glyphs.Predicted, themes.Predicted, []words.Say{lead}, rest}
		}
		if is, ok := t.later(none); ok {
			return is
		}
		if unknown, first := t.s.NotKnown(caveat.Ready | caveat.Decided); unknown != "" { // such a node would not be seen
			return sentence{"", themes.Dim, []words.Say{words.Of("headline.queue-unknown")}, []words.Say{words.Text(": " + unknown), words.Text(": " + first)}}
		}
		return sentence{"", themes.Dim, []words.Say{none}, rest}
	}
	switch {
	case !held.Missing():
		return sentence{t.p.Glyphs.Inferred, themes.Halted, []words.Say{words.Of("headline.as-things-are", "nothing", nothing)}, []words.Say{held}}
	case t.unseen > 0:
		if is, ok := t.later(nothing); ok {
			return is
		}
		return sentence{"", themes.Dim, []words.Say{nothing}, []words.Say{words.Of("headline.leases-only", "n", t.unseen)}}
	}
	unknown, first := t.s.NotKnown(caveat.NoEviction | caveat.PodCount)
	if unknown != "" {
		nothing = words.Of("headline.nothing-known")
	}
	if is, ok := t.later(nothing); ok {
		return is
	}
	if unknown != "" {
		return sentence{"", themes.Dim, []words.Say{nothing}, []words.Say{joined("; ", words.Say{}, words.Of("headline.not-known", "what", unknown)), words.Text(": " + first)}}
	}
	return sentence{"", themes.Dim, []words.Say{nothing}, []words.Say{words.Of("headline.none-pending")}}
}

// leaderless: nothing happens before kube-controller-manager has a leader; and for how long something is overdue.
func (t *tally) leaderless() sentence {
	lead := words.Of("no-leader")
	if is := t.outlook.State; is != nil && is.Overdue.Known() {
		lead = t.overdue(lead)
	}
	return sentence{t.p.Glyphs.NotReady, themes.Warn, []words.Say{lead}, []words.Say{words.Of("headline.until-leader-restarts"), words.Of("headline.until-leader")}}
}

func (t *tally) overdue(what words.Say) words.Say {
	return topics.OverdueFor(t.outlook.State.Overdue.For(t.s.From()), what)
}

// mayBeUnled is the forecast if the last leader, its lease old, has exited or is paused, and another may lead.
func (t *tally) mayBeUnled(is sentence, since model.Instant) sentence {
	if len(is.lead) == 0 {
		return is
	}
	old, comes := words.Of("headline.lease-old", "for", max(0, t.s.From().Sub(since))), is.lead[0]
	may := words.Of("headline.may-be-unled-short", "old", old)
	if is.isNext(t.p) {
		short := func(what words.Say) words.Say { return words.Of("headline.if-led-short", "what", what, "old", old) }
		return sentence{t.p.Glyphs.NotReady, themes.Warn, []words.Say{words.Of("headline.if-led", "what", comes, "old", old), short(comes), short(is.lead[len(is.lead)-1]), may}, nil}
	}
	return sentence{t.p.Glyphs.NotReady, themes.Warn, []words.Say{words.Of("headline.may-be-unled", "what", comes, "old", old), joined("; ", comes, may), may}, nil}
}

// later is the next node that the recording shows to be declared Unknown, or the first to be late. Without it, a person
// who opens an incident that starts calm would suspect the wrong file. now is the statement about the present.
func (t *tally) later(now words.Say) (is sentence, ok bool) {
	if t.s.Blind {
		return is, false
	}
	said := func(at model.Instant, node, what string) (sentence, bool) {
		node = t.p.Text(node)
		say := func(who string) words.Say { return words.Of("headline.later-is."+what, "node", who) }
		how := words.Of("headline.later-how."+what, "in", paint.Countdown(at.Sub(t.s.At).Truncate(time.Second)))
		return sentence{t.p.Glyphs.Later, themes.Faint, []words.Say{now}, []words.Say{words.Chain(words.Of("headline.later", "at", at, "what", say(node)), how),
			words.Of("headline.later", "at", at, "what", say(node)), words.Of("headline.later", "at", at, "what", words.Of("headline.later-some."+what))}}, true
	}
	all := t.s.Judged.Decisions()
	from, _ := slices.BinarySearchFunc(all, t.s.At, func(d model.Decision, at model.Instant) int { return cmp.Compare(d.Time, at) })
	for i := range all[from:min(from+farAhead, len(all))] {
		d := &all[from+i]
		if d.Kind != model.MarkUnknown || d.Outcome == model.Declined || !forecast.IsLater(d, t.s.At) {
			continue
		}
		at := screen.Stands(d)
		return said(at, d.Node, "declared")
	}
	if t.s.Timeline != nil { // Nodes may not be recorded, but late heartbeats are
		for i := range t.s.Timeline.Anomalies.List {
			if a := &t.s.Timeline.Anomalies.List[i]; a.Kind == review.LateBeat && a.At > t.s.At {
				return said(a.At, a.Node, "late")
			}
		}
	}
	return is, false
}

// farAhead is how many decisions later examines, for each frame.
const farAhead = 4096

// taints counts the nodes predicted to be tainted, with the first time; missing for none. A capture shows no queue.
func (t *tally) taints() words.Say {
	n := 0
	for i := range t.outlook.Forecast.Taints {
		if t.outlook.Forecast.Taints[i].Window.Earliest.Bounded() {
			n++
		}
	}
	next := screen.Next(t.outlook, t.s.Cluster, t.s.From(), func(d *model.Decision) bool { return d.Kind == model.TaintNoExecute })
	if n == 0 || len(next) == 0 {
		return words.Say{}
	}
	in := t.p.In(t.s.From(), next[0].When)
	if !next[0].Sure {
		return words.Of("headline.possibly-tainted", "n", n, "in", in)
	}
	return words.Of("headline.tainted", "n", n, "in", in)
}

// unnoticed is the next declaration of a silent node.
func (t *tally) unnoticed() (lead words.Say, rest []words.Say) {
	if when, n, node := t.declaredNext(); n > 0 {
		if then, first := t.untainted(); !then.Missing() {
			then = words.Of("headline.goes-then", "what", then)
			rest = []words.Say{words.Chain(then, first), then}
		}
		return words.Of("headline.next-declared", "n", n, "node", t.p.Text(t.nodes.Label(node)), "in", t.p.In(t.s.From(), when)), rest
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
		return words.Of("headline.declared-now"), nil
	case counted:
		in = t.p.In(t.s.From(), ends)
	case len(t.late) > 0 && left > 0:
		in = t.p.In(t.s.From(), model.Exactly(t.s.From().Add(left)))
	default:
		return words.Say{}, nil
	}
	return words.Of("headline.grace-ends", "in", in), []words.Say{words.Of("headline.grace-then-if"), words.Of("headline.grace-then")}
}

// graceEnds is when the first late node's grace period ends for the controller; false if not known of all.
func (t *tally) graceEnds() (first model.Interval, ok bool) {
	for k, i := range t.late {
		ends := t.outlook.Silence(t.nodes.Entries[i].Row).GraceEnds
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

// declaredNext counts the silent nodes past the grace period that are predicted to be declared, and names one.
func (t *tally) declaredNext() (when model.Interval, n int, node string) {
	for _, i := range t.silent {
		e := &t.nodes.Entries[i]
		if e.Class != nodes.PastGrace {
			continue
		}
		w, ok := t.outlook.Declared(e.Row.Name)
		if !ok || !w.Latest.Bounded() || w.Latest < t.s.From() {
			continue
		}
		if n++; n == 1 {
			when, node = w, e.Row.Name
		}
		when = when.Around(w)
	}
	return when, n, node
}

// untainted counts the pods to be deleted if their nodes are tainted. It is for an unknown queue: the pass that
// declared the nodes may still run.
func (t *tally) untainted() (what, first words.Say) {
	nodes, next := 0, model.Interval{}
	for i := range t.nodes.Entries {
		if is := t.outlook.Node(t.nodes.Entries[i].Row.Name); is != nil && is.Ahead > 0 {
			if nodes == 0 || is.Next.Compare(next) < 0 {
				next = is.Next
			}
			nodes++
		}
	}
	if nodes == 0 {
		return words.Say{}, words.Say{}
	}
	is, who, tainted := &t.outlook.Total, words.Of("count.nodes", "n", nodes), nodes
	if is.Waiting == nodes && is.Tainted < nodes {
		who, tainted = words.Of("headline.of-nodes", "n", is.Tainted, "all", nodes), is.Tainted
	}
	return words.Of("headline.deleted-once", "n", tainted, "pods", topics.Deleted(&is.Deleted), "who", who), words.Of("headline.the-first", "in", t.p.In(t.s.From(), next))
}

// heldBack counts the blocked pods of silent nodes; missing for none.
func (t *tally) heldBack() words.Say {
	pods, nodes := 0, 0
	for i := range t.nodes.Entries {
		if is := t.outlook.Node(t.nodes.Entries[i].Row.Name); is != nil && is.Count[forecast.Halted] > 0 {
			pods += is.Count[forecast.Halted]
			nodes++
		}
	}
	if pods == 0 {
		return words.Say{}
	}
	return words.Of("headline.blocked", "pods", words.Of("count.pods", "n", pods), "nodes", words.Of("count.nodes", "n", nodes))
}
