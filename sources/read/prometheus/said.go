package prometheus

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// The components with metrics.
const (
	stateMetrics      = "kube-state-metrics"
	controllerManager = "kube-controller-manager"
	prometheus        = "prometheus"
)

// End is the Statements of all series, once they were read.
func (r *Reader) End() *Log {
	r.log.Statements, r.log.Dropped = nil, 0
	for instance, at := range r.times {
		r.instants[instance] = slices.Sorted(maps.Keys(at))
	}
	became := map[string][]history.Statement{}
	for _, node := range slices.Sorted(maps.Keys(r.ready)) {
		became[node] = r.saidOfReady(node)
	}
	for _, t := range slices.SortedFunc(maps.Keys(r.taints), func(a, b taint) int {
		return cmp.Or(strings.Compare(a.node, b.node), strings.Compare(a.key, b.key))
	}) {
		r.saidOfTaint(t, became[t.node])
	}
	for _, node := range slices.Sorted(maps.Keys(r.leases)) {
		r.saidOfLease(node)
	}
	for _, zone := range slices.SortedFunc(maps.Keys(r.counts), func(a, b model.ZoneKey) int { return strings.Compare(a.String(), b.String()) }) {
		r.saidOfZone(zone)
	}
	for i := range r.up {
		x := &r.up[i]
		r.say(history.Statement{What: history.SaidNotScraped, By: prometheus, Node: x.node, Since: r.scraped(x, x.previous), Text: x.text + " is 0"}, x)
	}
	slices.SortStableFunc(r.log.Statements, func(a, b history.Statement) int { return cmp.Compare(a.At, b.At) })
	return &r.log
}

func (r *Reader) say(s history.Statement, x *run) {
	if len(r.log.Statements) >= MaxStatements {
		r.log.Dropped++
		return
	}
	s.Sampled, s.Times, s.Origin = true, max(s.Times, x.times), x.origin
	if !s.At.Known() {
		s.At = x.first
	}
	s.Until = max(s.Until, x.last, s.At)
	if s.What == history.SaidNotRenewed {
		s.Until = s.At.Add(s.Silence)
	}
	r.log.Statements = append(r.log.Statements, s)
}

// scraped is the earliest time at which a sample of a range query can have been read. The query looks back, but not
// beyond the newest renewal that it shows. Unknown for no sample.
func (r *Reader) scraped(x *run, at model.Instant) model.Instant {
	if !at.Known() {
		return 0
	}
	earliest := at
	if !x.exact {
		earliest = max(at.Add(-r.lookBack), min(at, r.fresh[shown{x.instance, at}].second))
	}
	return earliest.Add(-behind)
}

func (r *Reader) saidOfReady(node string) (said []history.Statement) {
	runs := r.ready[node]
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.first, b.first) })
	before := (*run)(nil)
	for i := range runs {
		x := &runs[i]
		if before != nil && x.status == before.status {
			before.last, before.times = max(before.last, x.last), before.times+x.times
			if n := len(r.log.Statements) - 1; n >= 0 && len(said) > 0 && r.log.Statements[n].Node == node {
				r.log.Statements[n].Until, r.log.Statements[n].Times = before.last, before.times
			}
			continue
		}
		s := history.Statement{What: history.SaidReady, By: stateMetrics, Node: node, Status: x.status,
			Text: fmt.Sprintf("kube_node_status_condition of Ready, status %s", strings.ToLower(x.status.String()))}
		if before != nil {
			s.Since = r.scraped(before, before.last)
			s.Text += ", after " + strings.ToLower(before.status.String())
		}
		before = x
		if !s.Since.Known() && x.status == model.StatusTrue {
			continue // it had that value from the beginning
		}
		r.say(s, x)
		s.At = x.first
		said = append(said, s)
	}
	return said
}

// saidOfTaint is the Statements about a NoExecute taint's start and end. ready is the changes of the node's Ready.
func (r *Reader) saidOfTaint(t taint, ready []history.Statement) {
	runs := r.taints[t]
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.first, b.first) })
	runs = r.joined(t.node, runs)
	for i := range runs {
		x := &runs[i]
		s := history.Statement{What: history.SaidTainted, By: stateMetrics, Node: t.node, Text: "kube_node_spec_taint " + t.key + ":NoExecute"}
		// It is set only once the node's Ready condition has that status.
		because := model.StatusUnknown
		if t.key == model.TaintNotReady {
			because = model.StatusFalse
		}
		for _, b := range ready {
			if b.Status == because && b.At <= x.first && b.Since.Known() {
				s.Since = b.Since
			}
		}
		untainted := model.Instant(0) // sampled so
		if before, _ := r.around(t.node, x); before >= r.tainted[x.instance].Earliest && (i == 0 || before > runs[i-1].last) {
			untainted = before
		}
		s.Since = max(s.Since, r.scraped(x, untainted))
		r.say(s, x)
		if _, gone := r.around(t.node, x); gone.Known() && gone <= r.tainted[x.instance].Latest && (i+1 == len(runs) || gone < runs[i+1].first) {
			went := *x
			went.first, went.last, went.times = gone, gone, 1
			r.say(history.Statement{What: history.SaidUntainted, By: stateMetrics, Node: t.node, Since: r.scraped(x, x.last), Text: s.Text + " is there no more"}, &went)
		}
	}
}

// joined are the runs of a taint without those between which its node was not sampled either.
func (r *Reader) joined(node string, runs []run) (all []run) {
	for _, x := range runs {
		if n := len(all) - 1; n >= 0 {
			if before, _ := r.around(node, &x); before <= all[n].last {
				all[n].last, all[n].times = max(all[n].last, x.last), all[n].times+x.times
				continue
			}
		}
		all = append(all, x)
	}
	return all
}

// around is when a node was last sampled before a run, and next after it.
func (r *Reader) around(node string, x *run) (before, after model.Instant) {
	all := r.instants[x.instance]
	for n := sort.Search(len(all), func(i int) bool { return all[i] >= x.first }) - 1; n >= 0 && !before.Known(); n-- {
		if r.sampled(node, all[n]) {
			before = all[n]
		}
	}
	for n := sort.Search(len(all), func(i int) bool { return all[i] > x.last }); n < len(all) && !after.Known(); n++ {
		if r.sampled(node, all[n]) {
			after = all[n]
		}
	}
	return before, after
}

func (r *Reader) sampled(node string, at model.Instant) bool {
	return slices.ContainsFunc(r.ready[node], func(is run) bool { return is.first <= at && at <= is.last })
}

func (r *Reader) saidOfLease(node string) {
	for i := range r.leases[node] {
		x := &r.leases[node][i]
		renewed := seconds(x.value)
		silent := r.scraped(x, x.last).Sub(renewed.Add(time.Second)) // the time has whole seconds
		if silent <= leaseDuration {
			continue
		}
		text := "kube_lease_renew_time does not change"
		if !math.IsNaN(x.after) {
			text += "; renewed again at " + seconds(x.after).String()
		}
		r.say(history.Statement{What: history.SaidNotRenewed, By: stateMetrics, Node: node, At: renewed, Silence: silent.Round(time.Millisecond), Text: text}, x)
	}
}

func (r *Reader) saidOfZone(zone model.ZoneKey) {
	for i := range r.counts[zone] {
		x := &r.counts[zone][i]
		if math.IsNaN(x.before) && x.value == 0 {
			continue
		}
		s := history.Statement{What: history.SaidUnhealthy, By: controllerManager, Zone: model.Some(zone), Since: r.scraped(x, x.previous),
			Text: "node_collector_unhealthy_nodes_in_zone is " + number(x.value)}
		if !math.IsNaN(x.before) {
			s.Text += ", after " + number(x.before)
		}
		r.say(s, x)
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
