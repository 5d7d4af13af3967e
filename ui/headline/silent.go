package headline

import (
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/verdict"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/paint"
)

// unheard is of nodes that all may be well, and of which no heartbeat is known: what they read is said all the same.
func (t *tally) unheard() sentence {
	n, ready := len(t.nodes.Entries), 0
	for i := range t.nodes.Entries {
		if t.nodes.Entries[i].Health == model.HealthReady {
			ready++
		}
	}
	lead, rest := decision.Counted(n, "node"), ", of which no heartbeat is known to the second"
	switch {
	case ready == n && n == 1:
		lead, rest = t.whole("the only node reads Ready", "%s reads Ready", n), "; no heartbeat is known to the second"
	case ready == n:
		lead, rest = t.whole(fmt.Sprintf("all %d nodes read Ready", n), "%s read Ready", n), "; no heartbeat is known to the second"
	case ready > 0:
		lead, rest = fmt.Sprintf("%d of %d nodes read Ready", ready, n), "; no heartbeat is known to the second"
	}
	but := t.besides()
	return t.butMarked(sentence{"", themes.Text, []string{lead}, []string{but + rest, but, ""}})
}

// whole says something of all n nodes, or only of those that are known, where others may exist.
func (t *tally) whole(all, named string, n int) string {
	switch unknown, _ := t.s.NotKnown(caveat.NodeCount); {
	case unknown == "":
		return all
	case n == 1 && len(t.nodes.Entries) == 1:
		return fmt.Sprintf(named, "node "+t.nodes.Entries[0].Row.Name)
	}
	return fmt.Sprintf(named, decision.Counted(n, "node"))
}

// allSilent is every node silent: a fault of all, or of what we see of them.
func (t *tally) allSilent() sentence {
	n := len(t.silent)
	lead := t.whole(fmt.Sprintf("every node is silent: all %d", n), "%s are silent", n)
	if n == 1 {
		lead = t.whole("the only node is silent", "%s is silent", n)
	}
	tail := t.declaredText(n)
	if t.declared == 0 && !t.s.Mode.Watches() {
		tail = "; not declared Unknown: the recording may simply end here"
	}
	return sentence{t.p.Glyphs.Unknown, themes.Unknown, []string{lead + t.sinceText(), lead}, []string{tail, ""}}
}

// someSilent says which nodes are silent, by zone.
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
	var rest []string
	for _, other := range t.others("") {
		rest = append(rest, declared+other)
	}
	rest = append(rest, declared)
	if n := len(t.late); n > 0 { // who may be next, where nothing more has room
		rest = append(rest, fmt.Sprintf("; %d late", n))
	}
	return sentence{t.p.Glyphs.Unknown, themes.Unknown, leads, append(rest, "")}
}

// silentLeads say which n nodes are silent, by the zones that they are in: the longest wording first.
func (t *tally) silentLeads(n int, zones []int) []string {
	z := &t.nodes.Zones[zones[0]]
	name, short := t.zoneNames(z)
	since := t.sinceText()
	switch {
	case n == 1:
		node := t.p.Text(t.nodes.Label(t.nodes.Entries[t.silent[0]].Row.Name))
		return []string{node + t.in(z) + " is silent" + since, node + " is silent"}
	case len(zones) == 1 && !named(z):
		return []string{fmt.Sprintf("%d of %d %s silent%s", n, len(z.Nodes), name, since), fmt.Sprintf("%d of %d nodes silent", n, len(z.Nodes))}
	case len(zones) == 1 && t.unseen > 0: // which may be of this zone, too
		return []string{fmt.Sprintf("%s: %d of %d nodes known there silent%s", name, n, len(z.Nodes), since), fmt.Sprintf("%s: %d of %d known silent", short, n, len(z.Nodes))}
	case len(zones) == 1 && n == len(z.Nodes):
		return []string{fmt.Sprintf("%s is dark: all %d nodes silent%s", name, n, since), fmt.Sprintf("%s is dark: all %d silent%s", short, n, since), fmt.Sprintf("%s is dark: %d silent", short, n)}
	case len(zones) == 1:
		return []string{fmt.Sprintf("%s: %d of %d nodes silent%s", name, n, len(z.Nodes), since), fmt.Sprintf("%s: %d of %d silent", short, n, len(z.Nodes))}
	}
	return t.silentInZones(n, zones, since)
}

// silentInZones is silentLeads of several zones. Those whose zone is not known are in none that can be counted.
func (t *tally) silentInZones(n int, zones []int, since string) []string {
	var list []string
	where := fmt.Sprintf("%d nodes in %d zones silent%s", n, len(zones), since)
	for _, i := range zones {
		z := &t.nodes.Zones[i]
		list = append(list, fmt.Sprintf("%d of %d%s", t.silentIn[i], len(z.Nodes), t.in(z)))
		if !z.Zone.Known {
			where = fmt.Sprintf("%d nodes silent%s, %d of unknown zone", n, since, t.silentIn[i])
		}
	}
	return []string{fmt.Sprintf("%d nodes silent%s: %s", n, since, strings.Join(list, ", ")), where, fmt.Sprintf("%d nodes silent", n)}
}

// named says that a zone has a name of its own: nodes without the label are a zone to the controller, and those whose object
// was not seen are in zones that nobody knows.
func named(z *nodes.Zone) bool { return z.Zone.Known && z.Zone.Value.Zone != "" }

// in is where a node of a zone is, as the end of a phrase.
func (t *tally) in(z *nodes.Zone) string {
	switch {
	case !z.Zone.Known:
		return " of unknown zone"
	case !named(z):
		return " without a zone"
	}
	return " in " + t.p.Text(z.Name)
}

// zoneNames are a zone's names at the beginning of a sentence.
func (t *tally) zoneNames(z *nodes.Zone) (name, short string) {
	if !named(z) {
		return "nodes" + t.in(z), t.p.Text(z.Short)
	}
	return t.p.Text(z.Name), t.p.Text(z.Short)
}

// sinceText is since when the silent nodes are; of those that did not fall silent at once, since when the first is.
func (t *tally) sinceText() string {
	switch {
	case !t.since.Bounded():
		return ""
	case t.until.Sub(t.since) > verdict.AtOnce:
		return ", the first since " + t.p.Clock(t.since)
	}
	return " since " + t.p.Clock(t.since)
}

// declaredText says how many of n silent nodes the controller has declared Unknown, and when.
func (t *tally) declaredText(n int) string {
	ago := ""
	if at := t.s.Confirmed(); t.first.Bounded() && at.Bounded() {
		ago = " " + paint.Duration(max(at.Sub(t.first), 0)) + " ago"
		if t.firstLast.Sub(t.first) > verdict.AtOnce && t.declared == n {
			ago = ", the first" + ago
		}
	}
	last := "" // that is seen is not what is, where nobody watched since
	if t.lastKnown.Known() && !t.s.Blind {
		last = ", as last known " + t.p.Clock(t.lastKnown)
	}
	switch t.declared {
	case n:
		return ", declared Unknown" + ago + last
	case 0:
		return ", not declared Unknown yet" + last
	}
	return fmt.Sprintf(", %d declared Unknown, the first%s%s", t.declared, ago, last)
}
