package incident

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
)

// Pod is a pod that was on a node when that was declared Unknown, or that a controller deleted, and what became of it.
type Pod struct {
	Key model.Key
	UID model.UID
	// Node is "" where the input does not show it.
	Node  string
	Owner Owner
	// Deletion is the first decision that deleted it; nil where none did, and Spared is why.
	Deletion *model.Decision
	Spared   *Spared
	// NotReady is for how long it was not Ready in scope; NotReadyAtEnd says that it was so where the scope ends.
	NotReady      model.Maybe[time.Duration]
	NotReadyAtEnd bool
	// Gone is when it was gone from the API; 0 while it is there.
	Gone model.Instant
}

// Spared is why a pod was not deleted by a controller.
type Spared struct {
	// By is a code: of Why, which is nil for the others here.
	By  string
	Why *why.Spared
	// At is when its deletion was asked for, by Asker, when it was gone, or when its node was heard again.
	At    model.Instant
	Asker Author
}

// The codes that are not why's.
const (
	SparedNotKnown  = "not-known"
	DeletedByOthers = "deleted-by-another"
	GoneByItself    = "gone"
)

// Reason is what spared pods, how many, and the first of them.
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
	// Before is how many of its pods were Ready when the incident began, Least the fewest since, at LeastAt; where they
	// were counted.
	Counted       bool
	Before, Least int
	LeastAt       model.Instant
}

// subject is a pod as decisions know it.
type subject struct {
	key model.Key
	uid model.UID
}

// fates is what became of each pod that a controller deleted, then of those that none did.
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

// because counts what spared a pod.
func (x *Incident) because(p *Pod) {
	for k := range x.Reasons {
		if x.Reasons[k].By == p.Spared.By {
			x.Reasons[k].Pods++
			return
		}
	}
	x.Reasons = append(x.Reasons, Reason{p.Spared.By, 1, p})
}

// Sum adds what is known.
func Sum(a, b model.Maybe[time.Duration]) model.Maybe[time.Duration] {
	if !b.Known {
		return a
	}
	return model.Some(a.Value + b.Value)
}

// String is default/app (Deployment), or the namespace of pods that nothing owns.
func (w Owner) String() string {
	if w.Kind == "" {
		return w.Namespace
	}
	return w.Namespace + "/" + w.Name + " (" + w.Kind + ")"
}

// workload begins to sum up one, with how many of its pods were Ready.
func (s *scan) workload(of Owner) Workload {
	w := Workload{Owner: of}
	if n := s.workloads[of]; !s.Captured && s.PodsListed && n != nil && n.before > 0 && of.Kind != "" {
		w.Counted, w.Before, w.Least, w.LeastAt = true, n.before, n.least, n.leastAt
	}
	return w
}

// subject is the pod that a decision deletes: where it does not say which of one name, the one on its node
// then.
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

// track finds a pod; of one that the input does not show, no more than its name is known.
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

// Deleted are the pods that a controller deleted, the others are spared.
func (x *Incident) Deleted() (deleted, spared int) {
	for i := range x.Pods {
		if x.Pods[i].Deletion != nil {
			deleted++
		}
	}
	return deleted, len(x.Pods) - deleted
}

// NotReady is for how long the pods were not Ready, together, and how many still where the scope ends.
func (x *Incident) NotReady() (together model.Maybe[time.Duration], still int) {
	for i := range x.Pods {
		if together = Sum(together, x.Pods[i].NotReady); x.Pods[i].NotReadyAtEnd {
			still++
		}
	}
	return together, still
}

// Below counts the workloads of which fewer pods were Ready than when the incident began; counted is of how many that is
// known.
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

// Strays counts the pods that were deleted on nodes of which no declaration is known: on those of which their own kubelets
// had said that they were not ready, and on all.
func (x *Incident) Strays() (unready, all int) {
	lost := x.Lost()
	for i := range x.Pods {
		p := &x.Pods[i]
		if p.Deletion == nil || !p.Deletion.Time.Bounded() {
			continue
		}
		if _, declared := slices.BinarySearch(lost, p.Node); p.Node == "" || !declared {
			if all++; p.Node != "" && x.wasUnready(p.Node, p.Deletion.Time) {
				unready++
			}
		}
	}
	return unready, all
}

// Countdowns is how near pods came to being spared.
type Countdowns struct {
	// Avoidable are pods that were deleted before their node was heard again within five minutes, the nearest first.
	Avoidable []Avoidable
	// Cancelled counts countdowns that were taken back, the nearest with Left to go: not those that a process began at its
	// start, and took back at once with the taints.
	Cancelled int
	Left      model.Maybe[time.Duration]
	// Forgotten counts countdowns that ended with the process of the controllers that had begun them, when these
	// restarted: the nearest had ForgottenLeft to go.
	Forgotten     int
	ForgottenLeft model.Maybe[time.Duration]
}

// Avoidable is a pod that would have been spared had its node come back a little earlier.
type Avoidable struct {
	Pod   model.Key
	Node  string
	Later time.Duration
}

// avoidable is how soon after a deletion its node must have been heard for it to count as one that
// could have been avoided.
const avoidable = 5 * time.Minute

// countdowns are the pods whose node came back soon after, and those whose countdown was cancelled, or forgotten.
func (x *Incident) countdowns() {
	c := &x.Countdowns
	begun := map[model.Key]*model.Decision{}
	done := map[subject]bool{}
	starts, anew := x.Restarts(), model.Instant(0)
	for _, d := range x.Decided {
		for ; len(starts) > 0 && starts[0] <= d.Time; starts = starts[1:] { // what a process begins at its start has its instant
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
				continue // begun by the new process, which takes the taints off first of all
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

// nearest is what the nearest of some countdowns had to go: of those so far, or of one more, which ended at an instant.
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

// heardAfter is when the node of a pod was heard again after its deletion.
func (x *Incident) heardAfter(d *model.Decision) (model.Instant, bool) {
	for i := range x.Silences {
		s := &x.Silences[i]
		if s.Node == d.Node && s.IsBack() && !s.BackAtLatest && s.Back.At() > d.Time && s.Declared.Window.Earliest <= d.Time {
			return s.Back.At(), true
		}
	}
	return 0, false
}
