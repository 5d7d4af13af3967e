// Package review looks over a whole recording with what the models say of it: where something
// is out of the ordinary, and which state each zone had when.
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

// maxAnomalies bounds the list; later ones are counted.
const maxAnomalies = 2000

// Kind says what is out of the ordinary, or what begins there that whoever reads an incident looks for.
type Kind uint8

const (
	// Gap: a source knows nothing of a while.
	Gap Kind = iota + 1
	// Unexplained: a controller's write was seen that no decision of the models explains.
	Unexplained
	// Unobserved: the models decide something whose effect was not seen, though it would show.
	Unobserved
	// ClockStep: a kubelet's clock was set, as its lease shows; or, where there is no Node, the
	// recorder's was set or stood still, as it noted.
	ClockStep
	// FirstUnknown: the first node is declared Unknown.
	FirstUnknown
	// ZoneChange: a zone is judged anew, or master disruption begins or ends.
	ZoneChange
	// FirstDeletion: the first pod is deleted by a controller.
	FirstDeletion
	// LateBeat: the first heartbeat is late, two renewals after the last.
	LateBeat
	// LongSilence: a node is heard again after one of the longest silences there are.
	LongSilence
	// NearMiss: a node is heard again that would have been declared Unknown one renewal later, or sooner.
	NearMiss
	// Stall: the API server took its last write before it stopped answering, or its first after.
	Stall
)

const (
	// maxSilences is how many of the longest silences are listed, and maxMisses how many near misses.
	maxSilences, maxMisses = 3, 10
	// renewal is how often a kubelet is heard.
	renewal = 10 * time.Second
)

func (k Kind) String() string {
	return [...]string{"", "gap", "unexplained write", "effect not seen", "clock step", "first Unknown", "zone change", "first deletion", "first late beat", "long silence", "near miss", "stall"}[min(k, Stall)]
}

// Anomaly is one such instant.
type Anomaly struct {
	At   model.Instant
	Kind Kind
	// Window is the time of the gap, or bounds the write or decision.
	Window model.Interval
	// Node, Pod and Zone are the subject, as far as there is one.
	Node string
	Pod  model.Key
	Zone model.Maybe[model.ZoneKey]
	// Why is the source's word for it; "" if the other fields are all there is.
	Why string
	// For is how long a silence or a stall lasted, or by how much a kubelet's clock went ahead. Grace is the grace period
	// of a near miss.
	For, Grace time.Duration
	// Ends: a stall ended.
	Ends bool
	// Write is one that nothing explains.
	Write *infer.Write
	// Clock is a step of the recorder's clock.
	Clock *history.ClockReading
	// Decision is the one that is meant; nil for none.
	Decision *model.Decision
}

// Anomalies are in order of time; More counts those beyond the ones listed.
type Anomalies struct {
	List []Anomaly
	More int
}

// Find lists the anomalies of a History: its gaps, the steps of the clock it was recorded by, the
// clock steps of its Overview and what a shadow run found. The Overview and the Result may be nil; what they know is then left out.
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
	slices.SortStableFunc(list, func(a, b Anomaly) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return int(a.Kind) - int(b.Kind)
	})
	found := Anomalies{List: list}
	if len(list) > maxAnomalies {
		found = Anomalies{list[:maxAnomalies], len(list) - maxAnomalies}
	}
	if o != nil {
		found.More += o.MoreClockSteps
	}
	return found
}

// silences are the first late beat, the longest silences that ended, and the near misses among them, as
// far as the grace period is known.
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

// ofRun is what a shadow run found out of the ordinary.
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

// milestone is what a decision begins, of the things that a reader of an incident looks for; 0 for
// none. first says which of those that count once were met already.
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

// Next is the first anomaly after an instant, Previous the last one before it.
func (a *Anomalies) Next(after model.Instant) (*Anomaly, bool) {
	for i := range a.List {
		if a.List[i].At > after {
			return &a.List[i], true
		}
	}
	return nil, false
}

// Previous is the last anomaly before an instant.
func (a *Anomalies) Previous(before model.Instant) (*Anomaly, bool) {
	for i := len(a.List) - 1; i >= 0; i-- {
		if a.List[i].At < before {
			return &a.List[i], true
		}
	}
	return nil, false
}
