package incident

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
)

// Pod is a pod that was on a node when it was declared Unknown, or that a controller deleted, and what happened to it.
type Pod struct {
	Key model.Key
	UID model.UID
	// Node is "" if the input does not show it.
	Node  string
	Owner Owner
	// Deletion is the first decision that deleted the pod; nil if none did, and Spared is why.
	Deletion *model.Decision
	Spared   *Spared
	// NotReady is how long the pod was not Ready in scope; NotReadyAtEnd: it was so at the end.
	NotReady      model.Maybe[time.Duration]
	NotReadyAtEnd bool
	// Gone is when it was gone from the API; 0 if it is still there.
	Gone model.Instant
}

// Spared is why a pod was not deleted by a controller.
type Spared struct {
	// By is a code: that of Why, or one of those here, for which Why is nil.
	By  string
	Why *why.Spared
	// At is when Asker requested its deletion, when it was gone, or when its node returned.
	At    model.Instant
	Asker Author
}

// The codes that package why does not have.
const (
	SparedNotKnown  = "not-known"
	DeletedByOthers = "deleted-by-another"
	GoneByItself    = "gone"
)

// Reason is a reason why pods were spared, their number, and the first of them.
type Reason struct {
	By   string
	Pods int
	Pod  *Pod
}

// Workload sums up the pods of one owner.
type Workload struct {
	Owner
	Deleted, Spared int
	NotReady        model.Maybe[time.Duration]
	// Before counts its Ready pods when the incident began. Least is the fewest since, at LeastAt. All need Counted.
	Counted       bool
	Before, Least int
	LeastAt       model.Instant
}

type subject struct {
	key model.Key
	uid model.UID
}

// fates describes each pod that a controller deleted, then the struck pods that none deleted.
func (x *Incident) fates() {
	x.survival = why.SurvivalOf(x.Result)
	deleted := map[subject]*model.Decision{}
	var list []*pod
	for _, d := range x.Decided {
		if !IsDelete(d) {
			continue
		}
		x.Deletes++
		s := x.scan.subject(d)
		if deleted[s] != nil {
			continue
		}
		deleted[s] = d
		p := *x.scan.track(s, d.Node)
		p.Deletion = d
		list = append(list, &p)
	}
	for _, p := range x.scan.struck {
		if deleted[subject{p.Key, p.UID}] == nil {
			list = append(list, p)
		}
	}
	x.Pods = make([]Pod, 0, len(list)) // reasons point at them
	index := map[Owner]int{}
	for _, p := range list {
		is := p.Pod
		if x.Watched() && (p.struck || p.followed) && !p.unseen && !(x.podsLost && p.Gone == 0) {
			is.NotReady, is.NotReadyAtEnd = model.Some(p.notReady), p.lasts
		}
		k, ok := index[p.Owner]
		if !ok {
			k, index[p.Owner] = len(x.Workloads), len(x.Workloads)
			x.Workloads = append(x.Workloads, x.scan.workload(p.Owner))
		}
		w := &x.Workloads[k]
		w.NotReady = Sum(w.NotReady, is.NotReady)
		if is.Deletion != nil {
			w.Deleted++
		} else {
			is.Spared = x.spared(p)
			w.Spared++
		}
		x.Pods = append(x.Pods, is)
		if is.Spared != nil {
			x.because(&x.Pods[len(x.Pods)-1])
		}
	}
	slices.SortStableFunc(x.Workloads, func(a, b Workload) int {
		return cmp.Or(cmp.Compare(b.Deleted, a.Deleted), strings.Compare(a.String(), b.String()))
	})
	slices.SortStableFunc(x.Reasons, func(a, b Reason) int { return cmp.Compare(b.Pods, a.Pods) })
}

func (x *Incident) because(p *Pod) {
	k := slices.IndexFunc(x.Reasons, func(r Reason) bool { return r.By == p.Spared.By })
	if k < 0 {
		k, x.Reasons = len(x.Reasons), append(x.Reasons, Reason{By: p.Spared.By, Pod: p})
	}
	x.Reasons[k].Pods++
}

// Sum adds the known values.
func Sum(a, b model.Maybe[time.Duration]) model.Maybe[time.Duration] {
	if !b.Known {
		return a
	}
	return model.Some(a.Value + b.Value)
}

// String is default/app (Deployment), or the namespace for pods without an owner.
func (w Owner) String() string {
	if w.Kind == "" {
		return w.Namespace
	}
	return w.Namespace + "/" + w.Name + " (" + w.Kind + ")"
}

func (s *scan) workload(of Owner) Workload {
	w := Workload{Owner: of}
	if n := s.workloads[of]; !s.Captured && s.PodsListed && n != nil && n.before > 0 && of.Kind != "" {
		w.Counted, w.Before, w.Least, w.LeastAt = true, n.before, n.least, n.leastAt
	}
	return w
}

// subject is the pod that a decision deletes; without a UID, the pod of that name on the node then.
func (s *scan) subject(d *model.Decision) subject {
	if d.PodUID.Known() {
		return subject{d.Pod, d.PodUID}
	}
	if p := s.struckBy[d.Pod]; p != nil && (p.Node == d.Node || d.Node == "") { // Events and logs name no node
		return subject{p.Key, p.UID}
	}
	for _, p := range slices.Backward(s.followed[d.Pod]) {
		if p.Node == d.Node || d.Node == "" {
			return subject{p.Key, p.UID}
		}
	}
	return subject{key: d.Pod}
}

// track finds a pod. If the input does not show it, only its name is known.
func (s *scan) track(of subject, node string) *pod {
	if p := s.struckBy[of.key]; p != nil && p.UID == of.uid {
		return p
	}
	for _, p := range slices.Backward(s.followed[of.key]) {
		if p.UID == of.uid || !of.uid.Known() {
			return p
		}
	}
	return &pod{Pod: Pod{Key: of.key, UID: of.uid, Node: node, Owner: Owner{Namespace: of.key.Namespace}}}
}

// spared is why a pod on a node that was declared Unknown was not deleted by a controller.
func (x *Incident) spared(p *pod) *Spared {
	if x.Captured || x.Undecided.Is() {
		return &Spared{By: SparedNotKnown}
	}
	silence := &x.Silences[p.silence]
	s := x.survival.Of(&model.Pod{Key: p.Key, UID: p.UID, Node: p.Node, Tolerations: p.tolerations}, silence.Declared, x.judged)
	switch {
	case s.By == why.SparedCancelled && s.Cancelled.Rule != model.RulePodGone:
	case p.asked != 0 && !s.Over(p.asked):
		return &Spared{By: DeletedByOthers, At: p.asked, Asker: p.asker}
	case p.Gone != 0 && !s.Over(p.Gone):
		return &Spared{By: GoneByItself, At: p.Gone}
	case s.By == why.SparedUnqueued && silence.IsBack():
		return &Spared{By: s.By.String(), At: silence.Back.At()}
	}
	return &Spared{By: s.By.String(), Why: &s}
}

// Deleted counts the pods that a controller deleted, and the spared ones.
func (x *Incident) Deleted() (deleted, spared int) {
	for i := range x.Pods {
		if x.Pods[i].Deletion != nil {
			deleted++
		}
	}
	return deleted, len(x.Pods) - deleted
}

// NotReady is how long the pods were not Ready, added up, and how many still are not at the end of the scope.
func (x *Incident) NotReady() (together model.Maybe[time.Duration], still int) {
	for i := range x.Pods {
		if together = Sum(together, x.Pods[i].NotReady); x.Pods[i].NotReadyAtEnd {
			still++
		}
	}
	return together, still
}

// Below counts the workloads with fewer Ready pods than when the incident began; counted is the number of known ones.
func (x *Incident) Below() (below, counted int) {
	for i := range x.Workloads {
		if w := &x.Workloads[i]; w.Counted {
			counted++
			if w.Least < w.Before {
				below++
			}
		}
	}
	return below, counted
}

// Strays counts the pods deleted on nodes without a known declaration: with a kubelet that posted NotReady, others, and
// unknown nodes.
func (x *Incident) Strays() (unready, others, unplaced int) {
	lost := x.Lost()
	for i := range x.Pods {
		p := &x.Pods[i]
		if p.Deletion == nil || !p.Deletion.Time.Bounded() {
			continue
		}
		switch _, declared := slices.BinarySearch(lost, p.Node); {
		case p.Node == "":
			unplaced++
		case declared:
		case x.wasUnready(p.Node, p.Deletion.Time):
			unready++
		default:
			others++
		}
	}
	return unready, others, unplaced
}

// Countdowns describes how near pods came to the other outcome.
type Countdowns struct {
	// Avoidable are pods deleted less than five minutes before their node returned, the nearest first.
	Avoidable []Avoidable
	// Cancelled counts cancelled countdowns, Left is the least time that one had to go. Countdowns that a process
	// starts and cancels with the taints at its start do not count.
	Cancelled int
	Left      model.Maybe[time.Duration]
	// Forgotten counts countdowns that ended when their process restarted, ForgottenLeft the least time left of one.
	Forgotten     int
	ForgottenLeft model.Maybe[time.Duration]
}

// Avoidable is a pod that would have been spared if its node had returned a little earlier.
type Avoidable struct {
	Pod   model.Key
	Node  string
	Later time.Duration
}

// avoidable is how soon after a deletion its node must return for it to count as avoidable.
const avoidable = 5 * time.Minute

// countdowns collects the avoidable deletions, and the cancelled and forgotten countdowns.
func (x *Incident) countdowns() {
	c := &x.Countdowns
	begun := map[model.Key]*model.Decision{}
	done := map[subject]bool{}
	starts, anew := x.Restarts(), model.Instant(0)
	for _, d := range x.Decided {
		for ; len(starts) > 0 && starts[0] <= d.Time; starts = starts[1:] { // decisions at the start are the new process's own
			anew = starts[0]
			for _, b := range begun {
				c.Forgotten++
				c.ForgottenLeft = nearest(c.ForgottenLeft, b, anew)
			}
			clear(begun)
		}
		switch {
		case d.Kind == model.ScheduleEviction:
			begun[d.Pod] = d
		case d.Kind == model.CancelEviction:
			b := begun[d.Pod]
			delete(begun, d.Pod)
			if b != nil && anew.Known() && d.Time.Sub(anew) <= Together {
				continue // the new process began it, and removes the taints first
			}
			c.Cancelled++
			c.Left = nearest(c.Left, b, d.Time)
		case IsDelete(d) && !done[x.scan.subject(d)]:
			delete(begun, d.Pod)
			done[x.scan.subject(d)] = true
			if back, ok := x.heardAfter(d); ok && back.Sub(d.Time) < avoidable {
				c.Avoidable = append(c.Avoidable, Avoidable{d.Pod, d.Node, back.Sub(d.Time)})
			}
		}
	}
	slices.SortStableFunc(c.Avoidable, func(a, b Avoidable) int { return cmp.Compare(a.Later, b.Later) })
}

// nearest is the least time left of countdowns: so, or that of one that ended at a time.
func nearest(so model.Maybe[time.Duration], begun *model.Decision, at model.Instant) model.Maybe[time.Duration] {
	if begun == nil {
		return so
	}
	end := why.CountdownEnds(begun)
	if left := max(0, end.Sub(at)); end.Known() && (!so.Known || left < so.Value) {
		return model.Some(left)
	}
	return so
}

// heardAfter is when the node of a pod returned after the pod's deletion.
func (x *Incident) heardAfter(d *model.Decision) (model.Instant, bool) {
	for i := range x.Silences {
		s := &x.Silences[i]
		if s.Node == d.Node && s.IsBack() && !s.BackAtLatest && s.Back.At() > d.Time && s.Declared.Window.Earliest <= d.Time {
			return s.Back.At(), true
		}
	}
	return 0, false
}
