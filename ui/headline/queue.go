package headline

import (
	"kardia/model"
	"kardia/themes"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// queue words the nodes that wait for a taint, and whether one comes.
func (t *tally) queue() sentence {
	o := t.outlook
	lead, brief := t.queued(false, true), words.Of("headline.queued-brief", "n", o.Queued+o.Requeued)
	then := t.then()
	why := words.Say{}
	switch {
	case o.Master:
		why = words.Of("headline.stopped-master")
	case t.stopped() == o.Queued+o.Requeued:
		why = words.Of("headline.stopped-rate")
	}
	text, inBrief := t.stuck()
	besides, besidesBrief := joined("; ", words.Say{}, text), joined("; ", words.Say{}, inBrief)
	switch {
	case why.Missing():
		in := t.nextTaint()
		rests := []words.Say{}
		if !in.Missing() {
			rests = []words.Say{words.Chain(words.Of("headline.next-tainted", "in", in), t.goes(then)), words.Of("headline.the-next", "in", in)}
		}
		waiting, _ := t.waits(false)
		return sentence{t.p.Glyphs.Predicted, themes.Predicted, []words.Say{waiting, t.queued(false, false)}, rests}
	case !then.Missing(): // it ends: silent nodes are back, or all nodes of another zone are
		waits := words.Of("headline.waits-stopped", "queued", lead, "why", why)
		return sentence{t.p.Glyphs.Predicted, themes.Predicted, []words.Say{then}, []words.Say{words.Chain(waits, besides), waits,
			words.Of("headline.waits-stopped-now", "queued", t.queued(false, false)), words.Of("headline.waits-stopped-now", "queued", brief), words.Of("headline.waits-stopped-brief", "n", o.Queued+o.Requeued)}}
	}
	return sentence{t.p.Glyphs.Inferred, themes.Halted, []words.Say{words.Of("headline.stopped", "queued", lead, "why", why),
		words.Of("headline.stopped", "queued", t.queued(false, false), "why", why), words.Of("headline.stopped", "queued", brief, "why", why)}, []words.Say{besides, besidesBrief}}
}

// nextTaint is by when the next queued node is tainted; missing if that is not certain.
func (t *tally) nextTaint() words.Say {
	next := model.FarFuture
	for i := range t.outlook.Zones {
		if z := &t.outlook.Zones[i]; z.Next.Known() && len(z.Waiting) > 0 {
			next = min(next, z.Next.Latest)
		}
	}
	if next == model.FarFuture {
		return words.Say{}
	}
	return topics.Within(next, t.s.From())
}

// goes is the effect of a taint if no countdown runs yet. then is how many pods are deleted, and when.
func (t *tally) goes(then words.Say) words.Say {
	switch {
	case !t.s.Has(model.KindPod):
		return words.Of("headline.goes-untolerated")
	case !then.Missing():
		return words.Of("headline.goes-then", "what", then)
	}
	return words.Of("headline.goes-none")
}

// then counts the pods to be deleted, and when the first is; missing if none is predicted.
func (t *tally) then() words.Say {
	is, first := &t.outlook.Total, model.Interval{}
	for i := range t.outlook.Forecast.Evictions {
		if e := &t.outlook.Forecast.Evictions[i]; e.State.Ahead() && e.Window.Earliest.Bounded() && (!first.Known() || e.Window.Compare(first) < 0) {
			first = e.Window
		}
	}
	if is.Most == 0 || !first.Known() {
		return words.Say{}
	}
	if w := is.First; w.Known() && w.Latest < first.Latest {
		first.Latest = max(w.Latest, first.Earliest)
	}
	return words.Of("headline.deleted-first", "pods", topics.Deleted(&is.Deleted), "in", t.p.In(t.s.From(), first))
}

// queued counts the nodes in the queues, as the rows of the zones do. It includes nodes that have the taint and wait
// for it again, whose number is added on request. more: the line has named others.
func (t *tally) queued(more, anew bool) words.Say {
	n := t.outlook.Queued + t.outlook.Requeued
	say := words.Of("headline.queued", "n", n)
	if more {
		say = words.Of("headline.queued-more", "n", n)
	}
	if again := t.outlook.Requeued; anew && again > 0 {
		say = words.Of("headline.queued-again", "queued", say, "n", again)
	}
	return say
}

// waits is queued, and how many of them get no taint in the present state of their zones.
func (t *tally) waits(more bool) (long, brief words.Say) {
	n, stopped := t.outlook.Queued+t.outlook.Requeued, t.stopped()
	held := words.Say{}
	switch {
	case stopped > 0 && stopped == n:
		held = words.Of("headline.all-stopped")
	case stopped > 0:
		held = words.Of("headline.some-stopped", "n", stopped)
	}
	brief = words.Of("headline.queued-brief", "n", n)
	if more {
		brief = words.Of("headline.queued-more-brief", "n", n)
	}
	return words.Chain(t.queued(more, true), held), words.Chain(brief, held)
}

// stopped is how many queued nodes are in zones that taint no node.
func (t *tally) stopped() (n int) {
	for i := range t.outlook.Zones {
		if z := &t.outlook.Zones[i]; z.Rate == 0 || t.outlook.Master {
			n += len(z.Waiting)
		}
	}
	return n
}
