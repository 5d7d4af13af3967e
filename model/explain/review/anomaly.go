// Package review answers where a recording is out of the ordinary by the models' findings, and which state each zone
// had when. For example: a write without a decision gives an Anomaly of Kind Unexplained at its time.
package review

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/past"
)

const maxAnomalies = 2000

// Kind is the kind of an Anomaly: something unusual, or a milestone of an incident.
type Kind uint8

const (
	// Gap: a source has no data for a span.
	Gap Kind = iota + 1
	// Unexplained: no decision of the models explains an observed write of a controller.
	Unexplained
	// Unobserved: the models decide something whose visible effect was not seen.
	Unobserved
	// ClockStep: a kubelet's clock was set, as its lease shows. Without a Node it is the recorder's clock.
	ClockStep
	// FirstUnknown: the first node is declared Unknown.
	FirstUnknown
	// ZoneChange: the state of a zone changes, or master disruption begins or ends.
	ZoneChange
	// FirstDeletion: a controller deletes the first pod.
	FirstDeletion
	// LateBeat: the first heartbeat that is late.
	LateBeat
	// LongSilence: a node returns after one of the longest silences.
	LongSilence
	// NearMiss: a node returns within one renewal of being declared Unknown.
	NearMiss
	// Stall: the API server's last write before it stopped answering, or its first after.
	Stall
)

const (
	// maxSilences is how many of the longest silences are listed, and maxMisses how many near misses.
	maxSilences, maxMisses = 3, 10
	// renewal is the interval of a kubelet's renewals.
	renewal = 10 * time.Second
)

func (k Kind) String() string {
	return [...]string{"", "gap", "unexplained write", "effect not seen", "clock step", "first Unknown", "zone change", "first deletion", "first late beat", "long silence", "near miss", "stall"}[min(k, Stall)]
}

// Anomaly is one finding.
type Anomaly struct {
	At   model.Instant
	Kind Kind
	// Window is the time of the gap, or bounds the write or decision.
	Window model.Interval
	// Node, Pod and Zone are the subject, if there is one.
	Node string
	Pod  model.Key
	Zone model.Maybe[model.ZoneKey]
	// Why is the source's reason; "" if the other fields are complete.
	Why string
	// For is the length of a silence or stall, or the step of a kubelet's clock ahead. Grace is for near misses.
	For, Grace time.Duration
	Ends       bool
	Write      *infer.Write
	Clock      *history.ClockReading
	Decision   *model.Decision
}

// Anomalies are in order of time; More counts those beyond the ones listed.
type Anomalies struct {
	List []Anomaly
	More int
}

// Find lists the anomalies of a History: gaps, steps of the clock, findings of its Overview and a shadow run, or nil.
func Find(h history.History, o *past.Overview, r *infer.Result) Anomalies {
	var list []Anomaly
	sources := h.Sources()
	for _, g := range h.Gaps() {
		text := g.Why
		if g.Source >= 0 && g.Source < len(sources) {
			text = sources[g.Source].Path + ": " + text
		}
		list = append(list, Anomaly{At: g.Earliest, Kind: Gap, Window: g.Interval, Why: text})
	}
	clocks := h.Clocks()
	for i := range clocks {
		if c := &clocks[i]; c.Stepped() {
			list = append(list, Anomaly{At: c.During.Earliest, Kind: ClockStep, Window: c.During, Clock: c})
		}
	}
	if o != nil {
		for _, s := range o.ClockSteps() {
			list = append(list, Anomaly{At: s.At, Kind: ClockStep, Window: model.Exactly(s.At), Node: s.Node, For: s.By})
		}
		list = append(list, silences(o, r)...)
	}
	if r != nil {
		list = append(list, ofRun(r)...)
	}
	slices.SortStableFunc(list, func(a, b Anomaly) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Kind, b.Kind)) })
	found := Anomalies{List: list}
	if len(list) > maxAnomalies {
		found = Anomalies{list[:maxAnomalies], len(list) - maxAnomalies}
	}
	if o != nil {
		found.More += o.MoreClockSteps
	}
	return found
}

// silences are the first late heartbeat, the longest silences that ended, and near misses if the grace period is known.
func silences(o *past.Overview, r *infer.Result) (list []Anomaly) {
	if late, ok := o.FirstLate(); ok {
		list = append(list, Anomaly{At: late.At, Kind: LateBeat, Window: model.Exactly(late.At), Node: late.Node})
	}
	kept, declared := o.Quiets()
	near := map[past.Quiet]bool{}
	if r != nil && r.Params.NodeMonitorGracePeriod.Value > 0 {
		grace := r.Params.NodeMonitorGracePeriod.Value
		for _, q := range kept {
			if silent := q.Width(); silent > grace-renewal && len(near) < maxMisses {
				near[q] = true
				list = append(list, Anomaly{At: q.Latest, Kind: NearMiss, Window: q.Interval, Node: q.Node, For: silent, Grace: grace})
			}
		}
	}
	all := append(slices.Clone(kept), declared...)
	all = slices.DeleteFunc(all, func(q past.Quiet) bool { return near[q] })
	slices.SortStableFunc(all, func(a, b past.Quiet) int { return cmp.Compare(b.Width(), a.Width()) })
	for _, q := range all[:min(len(all), maxSilences)] {
		list = append(list, Anomaly{At: q.Latest, Kind: LongSilence, Window: q.Interval, Node: q.Node, For: q.Width()})
	}
	return list
}

// Stalls are when the API server stopped answering, and when it answered again.
func Stalls(r *infer.Result) (list []Anomaly) {
	for _, v := range r.Stalls() {
		list = append(list, Anomaly{At: v.Earliest, Kind: Stall, Window: model.Exactly(v.Earliest), For: v.Width()},
			Anomaly{At: v.Latest, Kind: Stall, Window: model.Exactly(v.Latest), For: v.Width(), Ends: true})
	}
	return list
}

func ofRun(r *infer.Result) []Anomaly {
	list := Stalls(r)
	for i := range r.Writes {
		w := &r.Writes[i]
		if w.Decision != 0 {
			continue
		}
		at := w.Time.Earliest
		if !at.Bounded() {
			at = w.Time.Latest
		}
		list = append(list, Anomaly{At: at, Kind: Unexplained, Window: w.Time, Node: w.Node, Pod: w.Pod, Write: w})
	}
	unseen := r.Missing()
	first := map[Kind]bool{}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		a := Anomaly{At: d.Time, Window: d.Window, Node: d.Node, Pod: d.Pod, Zone: d.Zone, Decision: d}
		if unseen[d.ID] {
			a.Kind = Unobserved
			list = append(list, a)
		}
		if kind := milestone(d, first); kind != 0 {
			a.Kind = kind
			list = append(list, a)
		}
	}
	return list
}

// milestone is that of a decision; 0 for none. first has the kinds that count once and were met.
func milestone(d *model.Decision, first map[Kind]bool) Kind {
	kind := Kind(0)
	switch d.Kind {
	case model.MarkUnknown:
		kind = FirstUnknown
	case model.EvictPod, model.CollectPod:
		kind = FirstDeletion
	case model.ZoneState:
		if d.State.From > model.ZoneInitial { // a zone that is met is judged for the first time
			return ZoneChange
		}
	case model.EnterMasterDisruption, model.ExitMasterDisruption:
		return ZoneChange
	}
	if kind == 0 || d.Outcome != model.Did || first[kind] {
		return 0
	}
	first[kind] = true
	return kind
}

// Nearest is the first anomaly after a time, or the last before it.
func (a *Anomalies) Nearest(from model.Instant, forwards bool) (*Anomaly, bool) {
	return past.Nearest(a.List, func(a *Anomaly) model.Instant { return a.At }, from, forwards)
}
