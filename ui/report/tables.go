package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/paint"
)

// WriteTable implements Tabular.
func (n Nodes) WriteTable(w io.Writer) error {
	t := table{head: []string{"NAME", "ZONE", "READY", "FOR", "HEARTBEAT", "FROM", "SKEW", "PODS", "KUBELET", "TAINTS"}, wide: []string{"FROM", "SKEW", "KUBELET"}}
	for i := range n.Nodes {
		row := &n.Nodes[i]
		t.add(row.Name, zoneWord(row.zone), row.readyCell(), row.forCell(n.At), bounded(row.AgeAtLeast, row.AgeAtMost, age(row.AgeSeconds)),
			or(row.AgeFrom, unknown), skew(row.SkewSeconds), count(row.Pods), or(row.KubeletVersion, unknown), row.taintCell())
	}
	return t.write(w)
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

// forCell is how long the Ready condition has had its status, as declared.
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

// WriteTable implements Tabular. The ages are the best known of each node, as on
// screens; JSON has those by arrival alone.
func (z Zones) WriteTable(w io.Writer) error {
	t := table{head: []string{"ZONE", "NODES", "READY", "NOTREADY", "UNKNOWN", "NOSTATUS", "LEASE-ONLY", "CORDONED", "OLDEST", "MEDIAN",
		"STATE", "RATE", "QUEUE", "TAINTED", "SHARE"}, wide: []string{"NOSTATUS", "CORDONED", "MEDIAN", "TAINTED", "SHARE"}}
	known := func(*Zone) []string { return nil }
	if slices.ContainsFunc(z.Zones, func(z Zone) bool { return z.LastKnown > 0 }) {
		t.head = append(t.head, "LAST KNOWN")
		known = func(z *Zone) []string { return []string{strconv.Itoa(z.LastKnown)} }
	}
	for i := range z.Zones {
		row := &z.Zones[i]
		s := &row.summary
		t.add(append([]string{zoneWord(s.Zone), strconv.Itoa(s.Nodes), strconv.Itoa(s.Ready), strconv.Itoa(s.NotReady), strconv.Itoa(s.Unknown),
			strconv.Itoa(s.Never), strconv.Itoa(s.Unseen), strconv.Itoa(s.Cordoned), bounded(s.AtLeast, row.atMost, paint.Age(s.Oldest)), bounded(s.AtLeast, row.atMost, paint.Age(s.Median)),
			row.stateCell(), number(row.Rate, "/s"), count(row.Queue), strconv.Itoa(row.Tainted), percent(row.UnhealthyShare)}, known(row)...)...)
	}
	return t.write(w)
}

func (p *Pod) readyCell() string {
	if model.Instant(p.LastKnownSince).Known() {
		return or(p.Ready, none) + ",last known"
	}
	return or(p.Ready, none)
}

// WriteTable implements Tabular.
func (p Pods) WriteTable(w io.Writer) error {
	t := table{head: []string{"NAMESPACE", "NAME", "NODE", "PHASE", "READY", "DELETION", "DISRUPTION", "TOLERATES"}, wide: []string{"DISRUPTION"}}
	for i := range p.Pods {
		row := &p.Pods[i]
		node := row.Node
		if node == "" {
			node = none
		}
		t.add(row.Namespace, row.Name, node, or(row.Phase, unknown), row.readyCell(),
			due(p.At, row.DeletionTimestamp), row.disruptionCell(), row.tolerationCell())
	}
	return t.write(w)
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

// due is when the grace period of a deletion ends.
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

// WriteTable implements Tabular.
func (in Info) WriteTable(w io.Writer) error {
	clean := paint.Clean
	if _, err := fmt.Fprintf(w, "Coverage   %s to %s (%s)\nCluster    %s; at the end: %s nodes in %s zones, %s pods\n\n",
		stampWord(in.From), stampWord(in.To), age(in.DurationSeconds),
		clean(or(in.ServerVersion, "version not known")), count(in.Nodes), count(in.Zones), count(in.Pods)); err != nil {
		return err
	}
	if err := writeRecordings(w, in.Recordings); err != nil {
		return err
	}
	t := table{head: []string{"SOURCE", "FORMAT", "CHANGES", "NODE", "LEASE", "POD", "EVENT", "LEADER", "SAYS", "FROM", "TO", "TIMES", "GAPS"}}
	for i := range in.Sources {
		s, k := &in.Sources[i], &in.Sources[i].Kinds
		t.add(s.Path, s.Format, strconv.Itoa(s.Changes), strconv.Itoa(k.Node), strconv.Itoa(k.Lease), strconv.Itoa(k.Pod), strconv.Itoa(k.Event),
			strconv.Itoa(k.LeaderLease), strconv.Itoa(s.Statements), stampWord(s.From), stampWord(s.To), or(s.TimeQuality, none), strconv.Itoa(len(s.Gaps)))
	}
	if err := t.write(w); err != nil {
		return err
	}
	return in.writeNotes(w)
}

// writeNotes lists gaps, the parts that could not be used, and files in no known format.
func (in Info) writeNotes(w io.Writer) error {
	var notes []string
	for i := range in.Sources {
		s := &in.Sources[i]
		for _, g := range s.Gaps {
			notes = append(notes, fmt.Sprintf("gap        %s: %s to %s: %s", s.Path, stampWord(g.From), stampWord(g.To), g.Why))
		}
		for _, p := range s.Problems {
			word := "not used   "
			if p.Used {
				word = "note       "
			}
			notes = append(notes, word+p.String())
		}
		if s.ProblemsDropped > 0 {
			notes = append(notes, fmt.Sprintf("not used   %s: and %d more", s.Path, s.ProblemsDropped))
		}
	}
	for _, path := range in.Skipped {
		notes = append(notes, "skipped    "+path+": no format that Kardia knows")
	}
	if in.Passed > 0 {
		notes = append(notes, fmt.Sprintf("archives   %d of their members hold nothing that Kardia reads, and were passed over", in.Passed))
	}
	if len(notes) > 0 {
		notes = append([]string{""}, notes...)
	}
	for _, note := range notes {
		if _, err := fmt.Fprintln(w, paint.Clean(note)); err != nil {
			return err
		}
	}
	return nil
}

// String is the problem in one line, with the place it was met at. It is not cleaned.
func (p Problem) String() string {
	if p.Line == nil {
		if p.Offset == 0 {
			return p.Path + ": " + p.What
		}
		return fmt.Sprintf("%s (byte %d): %s", p.Path, p.Offset, p.What)
	}
	return fmt.Sprintf("%s:%d (byte %d): %s", p.Path, *p.Line, p.Offset, p.What)
}

// stampWord is a stamp to the second.
func stampWord(s Stamp) string {
	i := model.Instant(s)
	if !i.Bounded() {
		return unknown
	}
	return i.Time().Format(time.RFC3339)
}

// stateCell is the zone's state; master disruption halts all zones, whatever their state.
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
