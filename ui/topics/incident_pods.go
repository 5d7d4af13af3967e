package topics

import (
	"cmp"
	"strconv"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/explain/loss"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// PodWhy is why a pod was deleted, or spared.
func (t *Incident) PodWhy(p *incident.Pod) string {
	s := p.Spared
	switch {
	case s == nil:
		if w := t.Result.Unexplained(p.Deletion); w != nil {
			return NoneExplains(w).String()
		}
		return Why(p.Deletion).String()
	case s.Why != nil:
		return Spared(s.Why, &model.Owner{Kind: p.Owner.Kind, Name: p.Owner.Name}, clock).String()
	case s.By == incident.SparedNotKnown && t.Captured:
		return words.Of("incident.spared-by.unwatched").String()
	}
	return words.Of("incident.spared-by."+s.By, "at", clock(s.At), "who", actorOf(&s.Asker), "why", t.why()).String()
}

// OwnerName is whose a pod is.
func OwnerName(o incident.Owner) string {
	if o.Kind == "" {
		return words.Of("incident.text.no-owner", "namespace", o.Namespace).String()
	}
	return o.String()
}

func (t *Incident) impact(d *doc.Doc) {
	t.chapter(d, "impact")
	deleted, spared := t.Incident.Deleted()
	switch {
	case !t.ShowsPods && deleted == 0:
		d.Say(doc.Plain, words.Of("incident.text.no-pods"))
		return
	case deleted == 0 && spared == 0:
		d.Say(doc.Plain, t.unless(words.Of("incident.text.no-impact")))
		return
	}
	d.Say(doc.Plain, words.Join(" ", t.deletions(deleted), t.strays(deleted), t.sparing(spared), t.notReady()))
	t.reasons(d, spared)
	t.workloads(d)
	table(d, "pods", t.Pods, func(p *incident.Pod) []string {
		when, after := words.Of("incident.no").String(), ""
		if p.Deletion != nil && p.Deletion.Time.Bounded() {
			when, after = clock(p.Deletion.Time), t.relative(p.Deletion.Time)
		}
		gone := words.Of("incident.text.still-there").String()
		switch {
		case p.Gone.Bounded():
			gone = clock(p.Gone)
		case !p.NotReady.Known:
			gone = clock(0)
		}
		unready := lasted(p.NotReady)
		if p.NotReadyAtEnd {
			unready = words.Of("incident.at-least").String() + unready
		}
		return []string{p.Key.String(), nodeOr(p.Node), when, after, t.PodWhy(p), unready, gone}
	})
	d.Say(doc.Plain, words.Of("incident.text.more-pods", "k", len(t.Pods)-most).If(len(t.Pods) > most))
}

func nodeOr(name string) string {
	return cmp.Or(name, words.Of("incident.not-known").String())
}

func (t *Incident) deletions(deleted int) words.Say {
	n := t.Deletes - deleted
	again := words.Of("incident.impact.again", "k", n).If(n > 0)
	says := words.Of("incident.impact.deleted", "pods", words.Of("incident.pods-were", "n", deleted), "again", again)
	return says.If(t.Deletes > 0).Or(words.Of("incident.impact.none"))
}

func (t *Incident) strays(deleted int) words.Say {
	unready, others, unplaced := t.Strays()
	said := words.Of("incident.impact.unready", "who", ofThem(unready, deleted)).If(unready > 0)
	other := words.Of("incident.impact.stray", "who", ofThem(others, deleted)).If(others > 0)
	return words.Join(" ", said, other, words.Of("incident.impact.no-nodes", "who", ofThem(unplaced, deleted)).If(unplaced > 0))
}

// sparing is how many others were on the lost nodes.
func (t *Incident) sparing(spared int) words.Say {
	key := "spared"
	switch {
	case !t.Watched():
		key = "unwatched"
	case len(t.Silences) == 0 || !t.SeesNodes:
		return words.Say{}
	case spared == 0:
		key = "all"
	case !t.PodsListed:
		key = "seen"
	}
	return words.Of("incident.sparing."+key, "k", spared, "spared", t.spared(spared))
}

func (t *Incident) notReady() words.Say {
	together, still := t.NotReady()
	end := words.Of("incident.impact.still", "n", still).If(still > 0)
	return words.Of("incident.impact.not-ready", "minutes", minutes(together), "still", end).If(together.Known)
}

func (t *Incident) reasons(d *doc.Doc, spared int) {
	tab := heads("reasons")
	for i := range t.Reasons {
		r := &t.Reasons[i]
		tab.Add(words.Of("incident.reason."+r.By).String(), strconv.Itoa(r.Pods), r.Pod.Key.String(), t.PodWhy(r.Pod))
	}
	if len(tab.Rows) > 1 || spared > most {
		d.Table(tab)
	}
}

func (t *Incident) workloads(d *doc.Doc) {
	table(d, "workloads", t.Workloads, func(w *incident.Workload) []string {
		before, least, at := "–", "–", "–"
		if w.Counted {
			before, least, at = strconv.Itoa(w.Before), strconv.Itoa(w.Least), clock(w.LeastAt)
		}
		return []string{OwnerName(w.Owner), strconv.Itoa(w.Deleted), strconv.Itoa(w.Spared), minutes(w.NotReady), before, least, at}
	})
}

func (t *Incident) silences(d *doc.Doc) {
	t.chapter(d, "silences")
	if len(t.Silences) == 0 {
		d.Say(doc.Plain, t.unless(words.Of("incident.text.none-declared")))
		return
	}
	d.Say(doc.Plain, words.Of("incident.text.silences"))
	tab := heads("silences")
	counted, off := false, false
	for i := range t.Silences[:min(len(t.Silences), most)] {
		s := &t.Silences[i]
		from := CountedFrom(s)
		counted, off = counted || from != "" && s.Counted.Known, off || s.Last.IsOff() || s.Back.IsOff()
		until, ready := t.until(s), words.Of("incident.text.not-seen").String()
		if s.ReadyAgain.Bounded() {
			ready = clock(s.ReadyAgain)
		}
		if !t.SeesNodes {
			until, ready = clock(0), clock(0)
		}
		count, silent, whole := counts(s.Counted), clock(0), lasted(s.Whole)
		if from != "" && s.Counted.Known {
			count = words.Of("incident.text.counted-from", "count", count, "from", from).String()
		}
		if s.Silent.Known {
			silent = tookBetween(s.SilentBetween())
		}
		if s.Lasts() && s.Last.Says.Bounded() && !t.Captured {
			whole = words.Of("incident.at-least").String() + took(t.To.Sub(s.Last.At()))
		}
		heard := said(&s.Last)
		if s.Unheeded {
			heard = words.Of("incident.text.set-back", "heard", heard).String()
		}
		tab.Add(s.Node, zoneOr(s.Zone, clock(0)), heard, clock(s.At()), count, silent, until, whole, ready)
	}
	d.Say(doc.Plain, words.Of("incident.text.counted").If(counted))
	d.Say(doc.Plain, words.Of("incident.text.clocks-off").If(off))
	d.Table(tab)
	d.Say(doc.Plain, words.Of("incident.text.more", "k", len(t.Silences)-most).If(len(t.Silences) > most))
}

func (t *Incident) until(s *incident.Silence) string {
	key, at := "not", ""
	switch {
	case s.IsBack() && s.BackAtLatest:
		key, at = "by", clock(s.Back.Says)
	case s.IsBack():
		return said(&s.Back)
	case s.Gone.Bounded():
		key, at = "gone", clock(s.Gone)
	}
	return words.Of("incident.until."+key, "at", at).String()
}

// CountedFrom is what the controller counted a silence from, if that is no sign of life; "" for one.
func CountedFrom(s *incident.Silence) string {
	if s.Restarted {
		return words.Of("incident.text.first-pass").String()
	}
	return Input(&model.Input{What: s.Loss.CountedFrom}).String()
}

// LastWas is what the last sign of life was.
func LastWas(s *incident.Silence) string { return beat(&s.Last).String() }

func beat(b *loss.Beat) words.Say {
	return words.Of("incident.beat.status").If(b.Status).Or(words.Of("incident.beat.lease"))
}

// shared is what the lost nodes have in common more than others.
func (t *Incident) shared(d *doc.Doc) {
	t.chapter(d, "shared")
	if len(t.Verdicts) == 0 {
		d.Say(doc.Plain, t.unless(words.Of("incident.text.none-declared")))
		return
	}
	tab := heads("shared")
	of := func(n, all int) string { return words.Of("incident.text.of", "k", n, "of", all).String() }
	for _, at := range t.Verdicts {
		for i := range at.Verdicts {
			for _, s := range at.Verdicts[i].Shared {
				tab.Add(second(at.At), Trait(s.Trait, s.Value).String(), of(s.Bad, s.BadOf), of(s.Others, s.OthersOf))
			}
		}
	}
	seen, all, others := t.Compared()
	key := "nothing"
	switch {
	case len(tab.Rows) > 0:
		key = "traits"
	case len(t.Lost()) == 1:
		key = "alone"
	case !seen:
		key = "not-seen"
	case all:
		key = "all"
	case others == 0:
		key = "no-others"
	}
	d.Say(doc.Plain, words.Of("incident.shared."+key))
	d.Table(tab)
}
