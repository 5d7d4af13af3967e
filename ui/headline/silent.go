package headline

import (
	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/verdict"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/words"
)

// unheard words the Ready conditions of nodes without a known heartbeat.
func (t *tally) unheard() sentence {
	n, ready := len(t.nodes.Entries), 0
	for i := range t.nodes.Entries {
		if t.nodes.Entries[i].Health == model.HealthReady {
			ready++
		}
	}
	lead, rest := words.Of("count.nodes", "n", n), words.Of("headline.no-heartbeat")
	switch {
	case ready == n:
		lead = t.whole("ready", n)
	case ready > 0:
		lead = words.Of("headline.some-ready", "n", ready, "all", n)
	}
	return t.fine(sentence{token: themes.Text, lead: []words.Say{lead}}, rest)
}

// whole is a statement on all n nodes, or only on the known ones if others may exist.
func (t *tally) whole(what string, n int) words.Say {
	if unknown, _ := t.s.NotKnown(caveat.NodeCount); unknown == "" {
		return words.Of("headline.all."+what, "n", n)
	}
	if n == 1 && len(t.nodes.Entries) == 1 {
		return words.Of("headline.known."+what, "n", n, "who", words.Of("headline.node", "node", t.p.Text(t.nodes.Entries[0].Row.Name)))
	}
	return words.Of("headline.known."+what, "n", n, "who", words.Of("count.nodes", "n", n))
}

// allSilent: a fault of all nodes, or of the observer.
func (t *tally) allSilent() sentence {
	n := len(t.silent)
	lead := t.whole("silent", n)
	tail := t.declaredText(n)
	if t.declared == 0 && !t.s.Mode.Watches() {
		tail = words.Of("headline.recording-ends")
	}
	return sentence{t.p.Glyphs.Unknown, themes.Unknown, []words.Say{words.Chain(lead, t.sinceText()), lead}, []words.Say{tail}}
}

func (t *tally) someSilent() sentence {
	n := len(t.silent)
	var zones []int
	for i, k := range t.silentIn {
		if k > 0 {
			zones = append(zones, i)
		}
	}
	declared := t.declaredText(n)
	leads := t.silentLeads(n, zones)
	if back := t.comesBack(); len(back) > 0 {
		leads = t.backLeads(back)
	}
	var rest []words.Say
	for _, other := range t.others(words.Say{}) {
		rest = append(rest, words.Chain(declared, other))
	}
	rest = append(rest, declared)
	if n := len(t.late); n > 0 { // the next ones, if nothing else has room
		rest = append(rest, joined("; ", words.Say{}, words.Of("headline.others.late", "n", n)))
	}
	return sentence{t.p.Glyphs.Unknown, themes.Unknown, leads, rest}
}

// silentLeads are which n nodes are silent, by zone, the longest wording first.
func (t *tally) silentLeads(n int, zones []int) []words.Say {
	z := &t.nodes.Zones[zones[0]]
	name, short := t.zoneNames(z)
	all, since := len(z.Nodes), t.sinceText()
	silent := func(who words.Say) words.Say { return words.Of("headline.silent", "who", who, "since", since) }
	brief := func(who words.Say) words.Say { return words.Of("headline.silent", "who", who, "since", words.Say{}) }
	switch {
	case n == 1:
		node := words.Text(t.p.Text(t.nodes.Label(t.nodes.Entries[t.silent[0]].Row.Name)))
		return []words.Say{silent(words.Chain(node, t.in(z))), brief(node)}
	case len(zones) == 1 && !named(z):
		of := words.Of("headline.of-nodes", "n", n, "all", all)
		return []words.Say{silent(words.Chain(of, t.in(z))), brief(of)}
	case len(zones) == 1 && t.unseen > 0: // which may be in this zone too
		return []words.Say{silent(words.Of("headline.zone-known", "zone", name, "n", n, "all", all)), brief(words.Of("headline.zone-known-short", "zone", short, "n", n, "all", all))}
	case len(zones) == 1 && n == all:
		of := words.Of("headline.zone-all-short", "zone", short, "n", n)
		return []words.Say{silent(words.Of("headline.zone-all", "zone", name, "n", n)), silent(of), brief(of)}
	case len(zones) == 1:
		return []words.Say{silent(words.Of("headline.zone-nodes", "zone", name, "n", n, "all", all)), brief(words.Of("headline.zone-of", "zone", short, "n", n, "all", all))}
	}
	return t.silentInZones(n, zones, since)
}

// silentInZones is silentLeads of several zones. Nodes of unknown zone count for no zone.
func (t *tally) silentInZones(n int, zones []int, since words.Say) []words.Say {
	var list []words.Say
	where := words.Of("headline.silent", "who", words.Of("headline.in-zones", "n", n, "zones", len(zones)), "since", since)
	silent := words.Of("headline.silent", "who", words.Of("count.nodes", "n", n), "since", since)
	for _, i := range zones {
		z := &t.nodes.Zones[i]
		list = append(list, words.Chain(words.Of("headline.of", "n", t.silentIn[i], "all", len(z.Nodes)), t.in(z)))
		if !z.Zone.Known {
			where = words.Of("headline.of-unknown-zone", "silent", silent, "n", t.silentIn[i])
		}
	}
	return []words.Say{words.Of("headline.by-zone", "silent", silent, "zones", joined(", ", list...)), where, words.Of("headline.silent", "who", words.Of("count.nodes", "n", n), "since", words.Say{})}
}

// named reports whether a zone has a name. For the controller, nodes without the label are a zone too.
func named(z *nodes.Zone) bool { return z.Zone.Known && z.Zone.Value.Zone != "" }

// in is a node's zone, as the end of a phrase.
func (t *tally) in(z *nodes.Zone) words.Say {
	switch {
	case !z.Zone.Known:
		return words.Of("headline.in-unknown-zone")
	case !named(z):
		return words.Of("headline.in-no-zone")
	}
	return words.Of("headline.in-zone", "zone", t.p.Text(z.Name))
}

// zoneNames are a zone's names as the subject of a sentence.
func (t *tally) zoneNames(z *nodes.Zone) (name, short string) {
	if !named(z) {
		return words.Of("headline.nodes-in", "in", t.in(z)).In(t.p), t.p.Text(z.Short)
	}
	return t.p.Text(z.Name), t.p.Text(z.Short)
}

// sinceText is since when nodes are silent, or the first of them if they did not fall silent at once.
func (t *tally) sinceText() words.Say {
	if !t.since.Bounded() {
		return words.Say{}
	}
	return t.sinceOf(model.Interval{Earliest: t.since, Latest: t.until})
}

func (t *tally) sinceOf(w model.Interval) words.Say {
	if w.Width() > verdict.AtOnce {
		return words.Of("headline.since-first", "at", w.Earliest)
	}
	return words.Of("headline.since", "at", w.Earliest)
}

// declaredText is how many of n silent nodes the controller has declared Unknown, and when.
func (t *tally) declaredText(n int) words.Say {
	ago, last := words.Say{}, words.Say{}
	if at := t.s.Confirmed(); t.first.Bounded() && at.Bounded() {
		key := "ago"
		if t.declared < n || t.firstLast.Sub(t.first) > verdict.AtOnce {
			key = "ago-first"
		}
		ago = words.Of("headline.declared-"+key, "for", max(at.Sub(t.first), 0))
	}
	if t.lastKnown.Known() && !t.s.Blind { // without a watch the state may have changed
		last = words.Of("headline.last-known", "at", t.lastKnown)
	}
	switch t.declared {
	case n:
		return words.Of("headline.declared", "ago", ago, "last", last)
	case 0:
		if t.unseen == len(t.nodes.Entries) {
			return words.Of("headline.declared-unseen")
		}
		return words.Of("headline.not-declared", "last", last)
	}
	return words.Of("headline.some-declared", "n", t.declared, "ago", ago, "last", last)
}
