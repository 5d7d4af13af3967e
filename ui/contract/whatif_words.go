package contract

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Doc implements Printed.
func (w WhatIf) Doc(bool) (d doc.Doc) {
	d.Named("SIMULATED", words.Of("branch.simulated", "name", w.name, "from", millis(w.From), "to", millis(w.until)))
	for _, what := range w.changed {
		d.Named("CHANGED", what)
	}
	d.Named("BELIEVE", words.Text(w.Fit.says))
	w.putPods(&d)
	w.putNodes(&d)
	d.Table(w.workloads())
	d.Table(w.changes())
	if len(w.Changes) == 0 {
		d.Say(doc.Plain, words.Of("branch.none-differs"))
	}
	d.Each("ASSUMED", w.Assumptions)
	return d
}

func (b Between) String() string { return words.Between(b).String() }

func (w *WhatIf) putPods(d *doc.Doc) {
	pods := w.Pods
	if pods == nil {
		d.Named("PODS", words.Of("branch.no-pods"))
		return
	}
	unchanged := words.Say{}
	if pods.DeletedUnchanged != (Between{pods.DeletedRecorded, pods.DeletedRecorded}) {
		unchanged = words.Of("branch.if-unchanged", "pods", pods.DeletedUnchanged)
	}
	if seen := w.Caveats.Says(); seen != "" {
		d.Named("NOT KNOWN", words.Of("branch.seen-only", "why", seen))
	}
	d.Named("PODS", words.Of("branch.pods", "n", pods.DeletedRecorded, "unchanged", unchanged, "branch", pods.DeletedBranch))
	if pods.LaterRecorded+pods.LaterBranch.Most > 0 {
		d.Named("LATER", words.Of("branch.later", "n", pods.LaterRecorded, "branch", pods.LaterBranch))
	}
	pods.Spared.put(d, "SPARED")
	pods.Lost.put(d, "LOST")
	if len(pods.Ended.Certain)+len(pods.Ended.Possible) > 0 { // Terminating pods that end in the branch only
		pods.Ended.put(d, "ENDED")
	}
	if n := len(w.answer.Pods.Open); n > 0 {
		which := "recorded"
		if w.Pods.DeletedRecorded == 0 {
			which = "unchanged"
		}
		d.Named("OPEN", words.Of("branch.open."+which, "n", n))
	}
}

// put adds how many they are, and the first names.
func (s *PodSet) put(d *doc.Doc, name string) {
	certain, possible := len(s.Certain), len(s.Possible)
	if certain+possible == 0 {
		d.Named(name, words.Text("none"))
		return
	}
	more := words.Say{}
	if possible > 0 {
		more = words.Of("branch.some-may", "n", possible)
	}
	d.Named(name, words.Of("branch.certainly", "pods", s.Between, "n", certain, "more", more))
	if certain > 0 {
		d.Named("", words.Of("branch.certain", "pods", topics.Names(s.Certain, " ", shownNodes)))
	}
	if possible > 0 {
		d.Named("", words.Of("branch.possible", "pods", topics.Names(s.Possible, " ", shownNodes)))
	}
}

func (w *WhatIf) putNodes(d *doc.Doc) {
	zones := map[string][]string{}
	for i := range w.answer.Branch {
		is := &w.answer.Branch[i]
		if is.Kind != model.ZoneState {
			continue
		}
		word := is.State.To.String()
		if !is.Certain {
			word += " (possible)"
		}
		zone := is.Zone.Value.String()
		zones[zone] = append(zones[zone], word)
	}
	d.Named("NODES", words.Of("branch.nodes", "n", w.answer.Nodes.Recorded, "branch", Between{w.answer.Nodes.Least, w.answer.Nodes.Most}))
	for _, zone := range slices.Sorted(maps.Keys(zones)) {
		d.Named("ZONE", words.Text(zone+": "+strings.Join(zones[zone], ", then ")))
	}
}

// workloads counts the pods that are spared or additionally evicted, by owner.
func (w *WhatIf) workloads() *doc.Grid {
	pods := &w.answer.Pods
	by := map[string]*[5]int{}
	for column, list := range [...][]whatif.Pod{pods.Spared.Certain, pods.Spared.Possible, pods.Lost.Certain, pods.Lost.Possible, pods.Open} {
		for i := range list {
			name := list[i].Namespace + " (no owner)"
			if o := list[i].Owner; o != (model.Owner{}) {
				name = list[i].Namespace + " " + o.Kind + "/" + o.Name
			}
			if by[name] == nil {
				by[name] = new([5]int)
			}
			by[name][column]++
		}
	}
	t := &doc.Grid{Head: []string{"WORKLOAD", "SPARED", "MAY BE SPARED", "LOST", "MAY BE LOST", "OPEN"}}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		t.Add(append([]string{name}, each(by[name][:], strconv.Itoa)...)...)
	}
	return t
}

// changes are the differences. Equal ones of several subjects are one row.
func (w *WhatIf) changes() *doc.Grid {
	type alike struct {
		change, kind, usual, within string
		certain                     bool
	}
	rows := map[alike][]*DecisionChange{}
	var order []alike
	beyond := false
	for i := range w.Changes {
		c := &w.Changes[i]
		k := alike{c.Change, c.Kind, none, none, c.Certain}
		if c.Branch != nil {
			k.within = spanWord(c.Branch.Window)
		}
		if c.Unchanged != nil {
			k.usual, beyond = spanWord(c.Unchanged.Window), true
		}
		if rows[k] == nil {
			order = append(order, k)
		}
		rows[k] = append(rows[k], c)
	}
	t := &doc.Grid{Head: []string{"CHANGE", "CERTAIN", "KIND", "RECORDED", "UNCHANGED, WITHIN", "BRANCH, WITHIN", "OF"}}
	for _, k := range order {
		certain := "may be"
		if k.certain {
			certain = "yes"
		}
		t.Add(k.change, certain, k.kind, recordedWord(rows[k]), k.usual, k.within, subjectsWord(rows[k]))
	}
	if !beyond {
		t.Drop("UNCHANGED, WITHIN")
	}
	return t
}

func recordedWord(list []*DecisionChange) string {
	var span model.Interval
	for _, c := range list {
		if c.Recorded == nil {
			return none
		}
		at := model.Instant(c.Recorded.Time)
		if !span.Known() {
			span = model.Exactly(at)
		}
		span = model.Interval{Earliest: min(span.Earliest, at), Latest: max(span.Latest, at)}
	}
	if first, last := clock(span.Earliest), clock(span.Latest); first != last {
		return first + "–" + last
	}
	return clock(span.Earliest)
}

const shownSubjects = 3

func subjectsWord(list []*DecisionChange) string {
	var names []string
	for _, c := range list {
		names = append(names, c.subject)
	}
	if n := len(names); n > shownSubjects {
		return fmt.Sprintf("%d: %s … %s", n, names[0], names[n-1])
	}
	return strings.Join(names, ", ")
}

func spanWord(v *Window) string {
	if v == nil {
		return "exact"
	}
	return clock(model.Instant(v.Earliest)) + "–" + clock(model.Instant(v.Latest))
}

func clock(i model.Instant) string { return i.Time().Format("15:04:05.0") }
