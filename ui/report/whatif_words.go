package report

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/ui/words"
)

// WriteTable implements Tabular.
func (w WhatIf) WriteTable(out io.Writer) error {
	p := &prose{}
	p.line(0, "SIMULATED  %s, from %s to %s", w.name, millis(w.From), millis(w.until))
	for _, what := range w.changed {
		p.line(0, "CHANGED    %s", what)
	}
	p.line(0, "BELIEVE    %s", w.Fit.says)
	w.podWords(p)
	w.nodeWords(p)
	p.line(0, "")
	if err := p.printTo(out); err != nil {
		return err
	}
	if err := w.workloads(out); err != nil {
		return err
	}
	if err := w.changes(out); err != nil {
		return err
	}
	p = &prose{}
	for _, what := range w.Assumptions {
		p.line(0, "ASSUMED    %s", what)
	}
	return p.printTo(out)
}

func (b Between) String() string { return words.Between(b).String() }

func (w *WhatIf) podWords(p *prose) {
	pods := w.Pods
	if pods == nil {
		p.line(0, "PODS       %s", words.Of("branch.no-pods"))
		return
	}
	unchanged := words.Say{}
	if pods.DeletedUnchanged != (Between{pods.DeletedRecorded, pods.DeletedRecorded}) {
		unchanged = words.Of("branch.if-unchanged", "pods", pods.DeletedUnchanged)
	}
	if seen := w.Caveats.Says(); seen != "" {
		p.line(0, "NOT KNOWN  %s", words.Of("branch.seen-only", "why", seen))
	}
	p.line(0, "PODS       %s", words.Of("branch.pods", "n", pods.DeletedRecorded, "unchanged", unchanged, "branch", pods.DeletedBranch))
	if pods.LaterRecorded+pods.LaterBranch.Most > 0 {
		p.line(0, "LATER      %s", words.Of("branch.later", "n", pods.LaterRecorded, "branch", pods.LaterBranch))
	}
	for _, s := range []struct {
		word string
		of   *PodSet
	}{{"SPARED", &pods.Spared}, {"LOST", &pods.Lost}, {endedWord, &pods.Ended}} {
		if len(s.of.Certain)+len(s.of.Possible) == 0 && s.word == endedWord {
			continue
		}
		if len(s.of.Certain)+len(s.of.Possible) == 0 {
			p.line(0, "%-10s none", s.word)
			continue
		}
		more := words.Say{}
		if n := len(s.of.Possible); n > 0 {
			more = words.Of("branch.some-may", "n", n)
		}
		p.line(0, "%-10s %s", s.word, words.Of("branch.certainly", "pods", s.of.Between, "n", len(s.of.Certain), "more", more))
		for _, part := range []struct {
			word string
			list []string
		}{{"certain", s.of.Certain}, {"possible", s.of.Possible}} {
			if n := len(part.list); n > 0 {
				more := ""
				if n > shownNodes {
					more = fmt.Sprintf(" and %d more", n-shownNodes)
				}
				p.line(0, "           %s: %s%s", part.word, strings.Join(part.list[:min(n, shownNodes)], " "), more)
			}
		}
	}
	if n := len(w.answer.Pods.Open); n > 0 {
		which := "recorded"
		if w.Pods.DeletedRecorded == 0 {
			which = "unchanged"
		}
		p.line(0, "OPEN       %s", words.Of("branch.open."+which, "n", n))
	}
}

// endedWord is of pods that are Terminating and end in the branch only.
const endedWord = "ENDED"

// nodeWords are the tainted nodes, and the states of zones, in words.
func (w *WhatIf) nodeWords(p *prose) {
	zones := map[string][]string{}
	for i := range w.answer.Branch {
		d := &w.answer.Branch[i]
		if d.Kind != model.ZoneState {
			continue
		}
		word := d.State.To.String()
		if !d.Certain {
			word += " (possible)"
		}
		zone := d.Zone.Value.String()
		zones[zone] = append(zones[zone], word)
	}
	p.line(0, "NODES      %s", words.Of("branch.nodes", "n", w.answer.Nodes.Recorded, "branch", Between{w.answer.Nodes.Least, w.answer.Nodes.Most}))
	for _, zone := range slices.Sorted(maps.Keys(zones)) {
		p.line(0, "ZONE       %s: %s", zone, strings.Join(zones[zone], ", then "))
	}
}

// workloads counts the pods that are spared or lost, by owner.
func (w *WhatIf) workloads(out io.Writer) error {
	type counts struct{ spared, maySpared, lost, mayLost, open int }
	by := map[string]*counts{}
	count := func(pods []whatif.Pod, add func(*counts)) {
		for i := range pods {
			name := pods[i].Namespace + " (no owner)"
			if o := pods[i].Owner; o != (model.Owner{}) {
				name = pods[i].Namespace + " " + o.Kind + "/" + o.Name
			}
			if by[name] == nil {
				by[name] = &counts{}
			}
			add(by[name])
		}
	}
	pods := &w.answer.Pods
	count(pods.Spared.Certain, func(c *counts) { c.spared++ })
	count(pods.Spared.Possible, func(c *counts) { c.maySpared++ })
	count(pods.Lost.Certain, func(c *counts) { c.lost++ })
	count(pods.Lost.Possible, func(c *counts) { c.mayLost++ })
	count(pods.Open, func(c *counts) { c.open++ })
	if len(by) == 0 {
		return nil
	}
	t := table{head: []string{"WORKLOAD", "SPARED", "MAY BE SPARED", "LOST", "MAY BE LOST", "OPEN"}}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		c := by[name]
		t.add(name, fmt.Sprint(c.spared), fmt.Sprint(c.maySpared), fmt.Sprint(c.lost), fmt.Sprint(c.mayLost), fmt.Sprint(c.open))
	}
	if err := t.write(out); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// changes prints the differences. Equal ones of several subjects are one row.
func (w *WhatIf) changes(out io.Writer) error {
	if len(w.Changes) == 0 {
		_, err := io.WriteString(out, "No decision differs.\n\n")
		return err
	}
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
	t := table{head: []string{"CHANGE", "CERTAIN", "KIND", "RECORDED", "BRANCH, WITHIN", "OF"}}
	if beyond {
		t.head = slices.Insert(t.head, 4, "UNCHANGED, WITHIN")
	}
	for _, k := range order {
		certain := "may be"
		if k.certain {
			certain = "yes"
		}
		row := []string{k.change, certain, k.kind, recordedWord(rows[k]), k.within, subjectsWord(rows[k])}
		if beyond {
			row = slices.Insert(row, 4, k.usual)
		}
		t.add(row...)
	}
	if err := t.write(out); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// recordedWord is when decisions were recorded, from the first to the last.
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

// shownSubjects is how many subjects a row names.
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

// spanWord is from when to when, by the clock.
func spanWord(v *Window) string {
	if v == nil {
		return "exact"
	}
	return clock(model.Instant(v.Earliest)) + "–" + clock(model.Instant(v.Latest))
}

// clock is the time of day to a tenth of a second, in UTC.
func clock(i model.Instant) string { return i.Time().Format("15:04:05.0") }
