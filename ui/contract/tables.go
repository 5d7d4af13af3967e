package contract

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/doc"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// Doc implements Printed.
func (n Nodes) Doc(wide bool) doc.Doc {
	t := &doc.Grid{Head: []string{"NAME", "ZONE", "READY", "FOR", "HEARTBEAT", "FROM", "SKEW", "PODS", "KUBELET", "TAINTS"}}
	for i := range n.Nodes {
		row := &n.Nodes[i]
		t.Add(row.Name, zoneWord(row.zone), row.readyCell(), row.forCell(n.At), bounded(row.AgeAtLeast, row.AgeAtMost, age(row.AgeSeconds)),
			or(row.AgeFrom, unknown), skew(row.SkewSeconds), count(row.Pods), or(row.KubeletVersion, unknown), row.taintCell())
	}
	return tableOf(t, wide, "FROM", "SKEW", "KUBELET")
}

func (n *Node) readyCell() string {
	text := n.health.String()
	if n.Unschedulable != nil && *n.Unschedulable {
		text += ",cordoned"
	}
	if model.Instant(n.LastKnownSince).Known() {
		text += ",last known"
	}
	return text
}

// forCell is how long the Ready condition has had its status, by its timestamp.
func (n *Node) forCell(now Stamp) string {
	if n.health == model.HealthNever {
		return none
	}
	return atLeast(n.atLeast, since(now, n.since))
}

func (n *Node) taintCell() string {
	if n.health == model.HealthUnseen {
		return unknown
	}
	var entries, keys []string
	for _, t := range n.Taints {
		key := short(t.Key)
		if t.Value != "" {
			key += "=" + t.Value
		}
		if i := slices.Index(keys, key); i >= 0 { // one cause, two effects
			entries[i] += "," + t.Effect
			continue
		}
		entries, keys = append(entries, key+":"+t.Effect), append(keys, key)
	}
	return list(entries)
}

// Doc implements Printed. The ages are the best known of each node, as on screens; JSON has those by arrival alone.
func (z Zones) Doc(wide bool) doc.Doc {
	t := &doc.Grid{Head: []string{"ZONE", "NODES", "READY", "NOTREADY", "UNKNOWN", "NOSTATUS", "LEASE-ONLY", "CORDONED", "OLDEST", "MEDIAN",
		"STATE", "RATE", "QUEUE", "TAINTED", "SHARE", "LAST KNOWN"}}
	for i := range z.Zones {
		row := &z.Zones[i]
		s := &row.summary
		t.Add(zoneWord(s.Zone), strconv.Itoa(s.Nodes), strconv.Itoa(s.Ready), strconv.Itoa(s.NotReady), strconv.Itoa(s.Unknown),
			strconv.Itoa(s.Never), strconv.Itoa(s.Unseen), strconv.Itoa(s.Cordoned), bounded(s.AtLeast, row.atMost, paint.Age(s.Oldest)), bounded(s.AtLeast, row.atMost, paint.Age(s.Median)),
			row.stateCell(), number(row.Rate, "/s"), count(row.Queue), strconv.Itoa(row.Tainted), percent(row.UnhealthyShare), strconv.Itoa(row.LastKnown))
	}
	if !slices.ContainsFunc(z.Zones, func(z Zone) bool { return z.LastKnown > 0 }) {
		t.Drop("LAST KNOWN")
	}
	return tableOf(t, wide, "NOSTATUS", "CORDONED", "MEDIAN", "TAINTED", "SHARE")
}

func (p *Pod) readyCell() string {
	if model.Instant(p.LastKnownSince).Known() {
		return or(p.Ready, none) + ",last known"
	}
	return or(p.Ready, none)
}

// Doc implements Printed.
func (p Pods) Doc(wide bool) doc.Doc {
	t := &doc.Grid{Head: []string{"NAMESPACE", "NAME", "NODE", "PHASE", "READY", "DELETION", "DISRUPTION", "TOLERATES"}}
	for i := range p.Pods {
		row := &p.Pods[i]
		t.Add(row.Namespace, row.Name, cmp.Or(row.Node, none), or(row.Phase, unknown), row.readyCell(),
			due(p.At, row.DeletionTimestamp), row.disruptionCell(), row.tolerationCell())
	}
	return tableOf(t, wide, "DISRUPTION")
}

func (p *Pod) disruptionCell() string {
	switch says, why := p.Departure != nil && p.Departure.Reason != nil, p.DisruptionTarget; {
	case why != nil && says:
		return why.Reason + ", " + p.Departure.word
	case why != nil:
		return why.Reason
	case says:
		return p.Departure.word
	}
	return none
}

func (p *Pod) tolerationCell() string {
	entries := make([]string, 0, len(p.Tolerations))
	for _, t := range p.Tolerations {
		entry := short(t.Key)
		switch {
		case t.Key == "":
			entry = "everything"
		case t.Operator == "Equal":
			entry += "=" + t.Value
		}
		if t.Effect != "" && t.Effect != model.NoExecute.String() {
			entry += ":" + t.Effect
		}
		last := len(entries) - 1
		if t.TolerationSeconds != nil {
			lasts := " " + strconv.FormatInt(*t.TolerationSeconds, 10) + "s"
			if last >= 0 && strings.HasSuffix(entries[last], lasts) { // as long as the one before
				entries[last] = strings.TrimSuffix(entries[last], lasts) + "," + entry + lasts
				continue
			}
			entry += lasts
		}
		entries = append(entries, entry)
	}
	return list(entries)
}

// due is when the termination grace of a deletion ends.
func due(now, deletion Stamp) string {
	a, b := model.Instant(now), model.Instant(deletion)
	switch {
	case !b.Known():
		return none
	case !a.Bounded() || !b.Bounded():
		return unknown
	case b > a:
		return "in " + paint.Duration(b.Sub(a))
	}
	return paint.Duration(a.Sub(b)) + " late"
}

// zoneWord is a zone as --zone takes it.
func zoneWord(zone model.Maybe[model.ZoneKey]) string {
	if !zone.Known {
		return unknown
	}
	return zone.Value.String()
}

func skew(s Seconds) string {
	if !s.Known {
		return unknown
	}
	return paint.Offset(s.Value)
}

func count(n *int) string {
	if n == nil {
		return unknown
	}
	return strconv.Itoa(*n)
}

// Doc implements Printed.
func (in Info) Doc(bool) (d doc.Doc) {
	d.Named("Coverage", words.Of("info.coverage", "from", stampWord(in.From), "to", stampWord(in.To), "for", age(in.DurationSeconds)))
	d.Named("Cluster", words.Of("info.cluster", "version", or(in.ServerVersion, "version not known"), "nodes", count(in.Nodes), "zones", count(in.Zones), "pods", count(in.Pods)))
	for i := range in.Recordings {
		in.Recordings[i].put(&d)
	}
	t := &doc.Grid{Head: []string{"SOURCE", "FORMAT", "CHANGES", "NODE", "LEASE", "POD", "EVENT", "LEADER", "SAYS", "FROM", "TO", "TIMES", "GAPS"}}
	for i := range in.Sources {
		s, k := &in.Sources[i], &in.Sources[i].Kinds
		t.Add(s.Path, s.Format, strconv.Itoa(s.Changes), strconv.Itoa(k.Node), strconv.Itoa(k.Lease), strconv.Itoa(k.Pod), strconv.Itoa(k.Event),
			strconv.Itoa(k.LeaderLease), strconv.Itoa(s.Statements), stampWord(s.From), stampWord(s.To), or(s.TimeQuality, none), strconv.Itoa(len(s.Gaps)))
	}
	d.Table(t)
	in.putNotes(&d)
	return d
}

func (in *Info) putNotes(d *doc.Doc) {
	for i := range in.Sources {
		s := &in.Sources[i]
		for _, g := range s.Gaps {
			d.Named("gap", words.Of("info.gap", "path", s.Path, "from", stampWord(g.From), "to", stampWord(g.To), "why", g.Why))
		}
		for _, p := range s.Problems {
			name := "not used"
			if p.Used {
				name = "note"
			}
			d.Named(name, words.Text(p.String()))
		}
		if s.ProblemsDropped > 0 {
			d.Named("not used", words.Of("info.dropped", "path", s.Path, "n", s.ProblemsDropped))
		}
	}
	for _, path := range in.Skipped {
		d.Named("skipped", words.Of("info.skipped", "path", path))
	}
	if in.Passed > 0 {
		d.Named("archives", words.Of("info.passed", "n", in.Passed))
	}
}

// String is the problem in one line, with its place. It is not cleaned.
func (p Problem) String() string {
	if p.Line == nil {
		if p.Offset == 0 {
			return p.Path + ": " + p.What
		}
		return fmt.Sprintf("%s (byte %d): %s", p.Path, p.Offset, p.What)
	}
	return fmt.Sprintf("%s:%d (byte %d): %s", p.Path, *p.Line, p.Offset, p.What)
}

func stampWord(s Stamp) string {
	i := model.Instant(s)
	if !i.Bounded() {
		return unknown
	}
	return i.Time().Format(time.RFC3339)
}

// stateCell is the zone's state; master disruption stops taints in all zones, in any state.
func (z *Zone) stateCell() string {
	if z.MasterDisruption != nil && *z.MasterDisruption {
		return or(z.State, unknown) + ",master-disruption"
	}
	return or(z.State, unknown)
}

func number(f *float64, unit string) string {
	if f == nil {
		return unknown
	}
	return strconv.FormatFloat(*f, 'g', -1, 64) + unit
}

func percent(f *float64) string {
	if f == nil {
		return unknown
	}
	return strconv.FormatFloat(*f*100, 'f', 1, 64) + "%"
}
