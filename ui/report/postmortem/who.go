package postmortem

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/explain/removal"
	"kardia/model/history"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// whoFell: which nodes fell silent, when and where.
func (r *Report) whoFell() string {
	nodes, zones := map[string]bool{}, map[string]int{}
	var first, last model.Instant
	fell := "kept beating"
	for i := range r.Silences {
		s := &r.Silences[i]
		if !s.beat() {
			fell = "fell silent"
		}
		if !nodes[s.Node] {
			nodes[s.Node] = true
			zones[or(s.Zone, "")]++
		}
		if at := s.last.At(); at.Bounded() {
			if first == 0 || at < first {
				first = at
			}
			last = max(last, at)
		}
	}
	if len(nodes) == 0 {
		if r.undecided != "" {
			return "Whether any node was lost is not known: " + r.undecided + "."
		}
		text := fmt.Sprintf("Between %s and %s no node was declared Unknown", stamp(model.Instant(r.From)), stamp(model.Instant(r.To)))
		if n := r.scan.unknown; n > 0 {
			text += fmt.Sprintf("; %s Unknown already when the input first shows %s", were(n, "node"), map[bool]string{true: "it", false: "them"}[n == 1])
		}
		return text + "."
	}
	who := counted(len(nodes), "node")
	if n := r.scan.existed; n >= len(nodes) && !r.captured && r.Node == nil {
		if who = fmt.Sprintf("%d of %s", len(nodes), counted(n, "node")); n == len(nodes) && n > 1 {
			who = fmt.Sprintf("All %d nodes", n)
		}
	}
	if len(nodes) == 1 {
		who += " (" + r.Silences[0].Node + ")"
	}
	where := r.where(zones)
	switch {
	case first == 0:
		return fmt.Sprintf("%s %s%s; when %s heard last is not known.", who, fell, where, map[bool]string{true: "it was", false: "they were"}[len(nodes) == 1])
	case coarse(first) == coarse(last):
		return fmt.Sprintf("%s %s%s, heard last at %s.", who, fell, where, stamp(first))
	}
	return fmt.Sprintf("%s %s%s, heard last between %s and %s.", who, fell, where, stamp(first), coarse(last))
}

// whoSaidSo: of which nodes the kubelets themselves said that they were not ready.
func (r *Report) whoSaidSo() string {
	return r.whoWrote(true) + r.whoWrote(false)
}

// whoWrote is whoSaidSo of kubelets, or of others who wrote it.
func (r *Report) whoWrote(kubelets bool) string {
	var nodes []string
	var from, to model.Instant
	seen := false
	for _, u := range r.scan.unready {
		if u.by.OfKubelet() != kubelets {
			continue
		}
		seen = seen || u.by != model.WriterUnknown
		if from == 0 {
			from = u.from
		}
		nodes, to = append(nodes, u.node), max(to, u.from)
	}
	nodes = unique(nodes)
	when := " at " + coarse(from)
	if coarse(from) != coarse(to) {
		when = " between " + coarse(from) + " and " + coarse(to)
	}
	unseen := ""
	if !seen {
		unseen = ", as it reads: who wrote it is not in the input"
	}
	switch {
	case len(nodes) == 0:
		return ""
	case !kubelets && len(nodes) == 1:
		return "That " + nodes[0] + " was not ready a person wrote, not its kubelet," + when + ". "
	case !kubelets:
		return fmt.Sprintf("That %s (%s) were not ready persons wrote, not their kubelets,%s. ", counted(len(nodes), "node"), names(nodes, 3), when)
	case len(nodes) == 1:
		return "The kubelet of " + nodes[0] + " itself said that the node was not ready," + when + unseen + ". "
	}
	return fmt.Sprintf("Of %s (%s) the kubelets themselves said that they were not ready,%s%s. ", counted(len(nodes), "node"), names(nodes, 3), when, unseen)
}

// whoWasUnheeded: which nodes were not silent, though they were declared.
func (r *Report) whoWasUnheeded() string {
	var nodes []string
	for i := range r.Silences {
		if r.Silences[i].Unheeded {
			nodes = append(nodes, r.Silences[i].Node)
		}
	}
	switch nodes = unique(nodes); len(nodes) {
	case 0:
		return ""
	case 1:
		return " Yet " + nodes[0] + " was not silent: it renewed its lease by a clock that had been set back, and the controllers take no older time for a heartbeat."
	}
	return fmt.Sprintf(" Yet %s (%s) were not silent: they renewed their leases by clocks that had been set back, and the controllers take no older time for a heartbeat.", counted(len(nodes), "node"), names(nodes, 3))
}

// whoBeat: which nodes were declared, and beat all along, where others did not.
func (r *Report) whoBeat() string {
	var nodes []string
	for i := range r.Silences {
		if r.Silences[i].beat() {
			nodes = append(nodes, r.Silences[i].Node)
		}
	}
	if len(nodes) == 0 || len(nodes) == len(r.Silences) {
		return ""
	}
	nodes = unique(nodes)
	return fmt.Sprintf(" Of these, %s (%s) kept beating.", counted(len(nodes), "node"), names(nodes, 3))
}

// whoWasExpected: which declarations the models expect, and nobody saw.
func (r *Report) whoWasExpected() string {
	nodes := map[string]bool{}
	for _, d := range r.unseen {
		if d.Kind == model.MarkUnknown {
			nodes[d.Node] = true
		}
	}
	if len(nodes) == 0 {
		return ""
	}
	return fmt.Sprintf(" The models expect that %s declared Unknown from %s on; the input would show that, and does not: it is not counted here.", were(len(nodes), "node"), coarse(r.doubt.Earliest))
}

// whoLeads: that nobody does in the end, and so nobody declares whom nobody hears.
func (r *Report) whoLeads() string {
	said := ""
	if n := len(r.leaseFailures); n > 0 {
		f := r.leaseFailures[n-1].Fact()
		says := topics.Fact(&f).String()
		said = " " + strings.ToUpper(says[:1]) + says[1:] + "."
	}
	if !r.unled.Known() {
		return said
	}
	text := said + " From " + coarse(r.unled) + " on the controllers had no leader, by their lease"
	if n := r.undeclared; n > 0 {
		text += fmt.Sprintf(": %s silent at the end and not declared", were(n, "node"))
	}
	return text + "."
}

// removed are the nodes that were lost and then removed, as far as the input shows it by the end of the report.
func (r *Report) removed(in *Input) ([]report.Removed, error) {
	cursor := history.NewCursor(in.History)
	if err := cursor.Seek(model.Instant(r.To)); err != nil {
		return nil, err
	}
	list, err := removal.Of(in.History, cursor.State(), model.FarPast+1, model.Instant(r.To))
	list = slices.DeleteFunc(list, func(x removal.Removal) bool {
		return !slices.ContainsFunc(r.Silences, func(s Silence) bool { return s.Node == x.Node })
	})
	return report.RemovedOf(list), err
}

// whoRemoved: which of the lost nodes were removed, and by whom.
func (r *Report) whoRemoved() string {
	const named = 3
	var list []string
	for i := range r.Removed[:min(len(r.Removed), named)] {
		list = append(list, r.Removed[i].Says)
	}
	if more := len(r.Removed) - named; more > 0 {
		list = append(list, were(more, "more node")+" removed")
	}
	if len(list) == 0 {
		return ""
	}
	return " " + strings.Join(list, ". ") + "."
}

// nodeDeleted is what the timeline says of a Node that went.
const nodeDeleted = "Node object deleted"

// byHand is what persons did to nodes, but for the removals of lost nodes, and that they wrote that a node is not ready: those
// are told beside.
func (r *Report) byHand() string {
	const named = 3
	var list []string
	for i := range r.Timeline {
		row := &r.Timeline[i]
		told := func(x report.Removed) bool { return slices.Contains(row.Subjects, x.Node) }
		if row.Kind != "node" || row.Actor == nil || *row.Actor != model.WriterPerson.String() ||
			row.What == nodeDeleted && slices.ContainsFunc(r.Removed, told) {
			continue
		}
		who := "a person"
		if row.by != nil && row.by.Who() != "" {
			who = row.by.Who()
		}
		what, _, _ := strings.Cut(row.What, ";")
		list = append(list, fmt.Sprintf("%s: %s at %s, by %s", names(row.Subjects, named), what, coarse(row.at), who))
	}
	if len(list) == 0 {
		return ""
	}
	more := ""
	if n := len(list) - named; n > 0 {
		more = fmt.Sprintf("; and %d more, which the timeline has", n)
	}
	return " By hand: " + strings.Join(list[:min(len(list), named)], "; ") + more + "."
}
