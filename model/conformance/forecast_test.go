package conformance

import (
	"flag"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	v1 "k8s.io/api/core/v1"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
)

var foretold = flag.Int("foretold", 300, "how many cuts of random scenarios TestForecastsOfRealControllers judges")

// TestForecastsOfRealControllers cuts random scenarios that the real controllers played, as an API
// server's audit log would show them without Events, forecasts there, and holds against that what the
// real controllers then did, until something else happens: a person, a kubelet that comes back or falls
// silent, a restart.
//
//	go test . -run TestForecastsOfRealControllers -v -foretold 200 -seed 3
func TestForecastsOfRealControllers(t *testing.T) {
	g, cuts := Scenarios(), 0
	var fates [forecast.Lapsed + 1]int
	for i := 0; cuts < *foretold && i < 20**foretold; i++ {
		s := ordinary(t, g.Example(*seed*1000000+i))
		if s.find("restart").Verb != "" || s.Flags().Grace < late {
			continue // nobody tells of a restart, and no heartbeat is late where the grace period is so short
		}
		f := foretelling{a: &agreement{}, scenario: s, trace: playLater(t, s)}
		for k := range 3 {
			r := rand.New(rand.NewPCG(uint64(i), uint64(k)))
			cut := f.trace.Zero.Add(warm + time.Duration(r.Int64N(int64(s.Length()-warm-time.Second))))
			if end := f.undisturbed(cut); end.Sub(cut) > 10*time.Second {
				cuts++
				f.compare(t, i, cut, end, &fates)
			}
		}
	}
	t.Logf("%d cuts: pending %d, came true %d, missed %d, unforeseen %d, broken %d, lapsed %d", cuts, fates[forecast.Pending],
		fates[forecast.CameTrue], fates[forecast.Missed], fates[forecast.Unforeseen], fates[forecast.Broken], fates[forecast.Lapsed])
}

// foretelling is a scenario that was played, of which a part is shown.
type foretelling struct {
	// signed says that what is shown tells who wrote.
	signed   bool
	a        *agreement
	scenario Scenario
	trace    *Trace
}

// late is from when on a node is not heard: two renewals and a little.
const late = 25 * time.Second

// undisturbed is until when nothing but the controllers, and renewals of those who renewed, does
// anything after an instant.
func (f *foretelling) undisturbed(cut time.Time) time.Time {
	end := f.trace.Zero.Add(f.scenario.Length())
	grace := min(f.scenario.Flags().Grace, f.scenario.Flags().Startup)
	before := func(at time.Time) {
		if at.Before(end) {
			end = at
		}
	}
	renewed, says, posted := map[string]time.Time{}, map[string]time.Time{}, map[string]time.Time{}
	for i := range f.trace.Steps {
		s := &f.trace.Steps[i]
		if s.Lease != nil && s.Lease.New != nil {
			name := s.Lease.Name
			if r := s.Lease.New.Spec.RenewTime; r != nil {
				stands := !r.After(says[name])
				if says[name] = r.Time; stands { // its clock stands, or went back: that is no sign of life
					if last := renewed[name]; s.At.After(cut) && last.After(cut.Add(-forecast.SilentAfter)) {
						before(last.Add(grace))
					}
					continue
				}
			}
			if last, ok := renewed[name]; ok && s.At.After(cut) && s.At.Sub(last) > late {
				before(s.At) // it comes back
				if last.After(cut.Add(-forecast.SilentAfter)) {
					before(last.Add(grace)) // it beat at the cut: it falls silent
				}
			}
			renewed[name] = s.At
			continue
		}
		if !s.At.After(cut) {
			if s.Node != nil && s.By == World {
				posted[s.Node.Name] = s.At
			}
			continue
		}
		switch {
		case s.Started != "" || s.Stopped != "" || s.Lease != nil || s.Pod != nil && s.By == World:
			before(s.At)
		case s.Node != nil && s.By == World && edited(s.Node.Old, s.Node.New):
			before(s.At)
		}
	}
	for name, last := range posted { // or one that posted, and does not renew
		if last.After(cut.Add(-forecast.SilentAfter)) && cut.Sub(renewed[name]) > forecast.SilentAfter {
			before(last.Add(grace))
		}
	}
	for _, last := range renewed { // who falls silent is declared a grace period later
		if at := last.Add(grace); last.After(cut.Add(-forecast.SilentAfter)) && at.Before(end) {
			end = at
		}
	}
	return end
}

// edited says that a write did more to a node than to post again what its kubelet had posted.
func edited(old, new *v1.Node) bool {
	return old == nil || new == nil || readyOf(old) != readyOf(new) || len(old.Spec.Taints) != len(new.Spec.Taints) ||
		old.Spec.Unschedulable != new.Spec.Unschedulable || !maps.Equal(old.Labels, new.Labels)
}

// history is what an audit log shows up to an instant.
func (f *foretelling) history(until time.Time) history.History {
	var changes []model.Change
	kinds := map[model.Kind]int{}
	add := func(s *Step, ch model.Change, old, new bool, resource string) {
		ch.Op, ch.Quality = model.OpModify, model.ByServer
		switch {
		case !new:
			ch.Op = model.OpDelete
		case !old:
			ch.Op = model.OpAdd
		}
		ch.Version, ch.At = version(resource), model.At(s.At)
		if f.signed {
			ch.Writer = writer(s)
		}
		ch.Time = model.Interval{Earliest: ch.At, Latest: ch.At.Add(auditTook)}
		ch.Arrival = ch.At
		kinds[ch.Kind]++
		changes = append(changes, ch)
	}
	for i := range f.trace.Steps {
		s := &f.trace.Steps[i]
		switch {
		case s.At.After(until):
		case s.Node != nil && s.Node.New != nil:
			add(s, model.Change{Kind: model.KindNode, Key: model.Key{Name: s.Node.Name}, UID: f.a.uid(string(s.Node.New.UID)), Node: f.a.node(s.Node.New)}, s.Node.Old != nil, true, s.Node.New.ResourceVersion)
		case s.Node != nil:
			add(s, model.Change{Kind: model.KindNode, Key: model.Key{Name: s.Node.Name}, UID: f.a.uid(string(s.Node.Old.UID))}, true, false, s.Node.Old.ResourceVersion)
		case s.Pod != nil && s.Pod.New != nil:
			p := f.a.pod(s.Pod.New)
			add(s, model.Change{Kind: model.KindPod, Key: p.Key, UID: p.UID, Pod: p}, s.Pod.Old != nil, true, s.Pod.New.ResourceVersion)
		case s.Pod != nil:
			p := f.a.pod(s.Pod.Old)
			add(s, model.Change{Kind: model.KindPod, Key: p.Key, UID: p.UID}, true, false, s.Pod.Old.ResourceVersion)
		case s.Lease != nil && s.Lease.New != nil && s.Lease.New.Spec.RenewTime != nil:
			l := s.Lease.New
			add(s, model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: l.Name}, Lease: model.Lease{Renewed: model.At(l.Spec.RenewTime.Time), Holder: l.Name}}, s.Lease.Old != nil, true, l.ResourceVersion)
		case s.Lease != nil && s.Lease.New == nil:
			add(s, model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: s.Lease.Name}}, true, false, s.Lease.Old.ResourceVersion)
		}
	}
	coverage := model.Interval{Earliest: model.At(f.trace.Zero), Latest: model.At(until)}
	return history.NewMemory(changes, coverage, nil, []history.Source{{Path: "scenario", Format: "audit", Changes: len(changes), Kinds: kinds, Coverage: coverage, Quality: model.ByServer}})
}

// writer is who made a write, as the audit log tells it.
func writer(s *Step) model.Writer {
	switch {
	case s.By == Eviction:
		return model.WriterTaintEviction
	case s.By == Collector:
		return model.WriterPodGC
	case s.By != World:
		return model.WriterNodeLifecycle
	case s.Lease != nil, s.Node != nil && s.Node.Old != nil && s.Node.New != nil && !reflect.DeepEqual(s.Node.Old.Status, s.Node.New.Status),
		s.Pod != nil && s.Pod.Old != nil && (s.Pod.New == nil || !reflect.DeepEqual(s.Pod.Old.Status, s.Pod.New.Status)):
		return model.WriterKubelet
	}
	return model.WriterPerson
}

// then is what the controllers did in a time.
func (f *foretelling) then(from, to time.Time) (list []model.Decision) {
	did := func(s *Step, kind model.DecisionKind, node string, pod model.Key) {
		at := model.At(s.At)
		list = append(list, model.Decision{Time: at, Window: model.Exactly(at), Kind: kind, Node: node, Pod: pod})
	}
	noExecute := func(n *v1.Node) bool {
		return slices.ContainsFunc(n.Spec.Taints, func(t v1.Taint) bool { return t.Effect == v1.TaintEffectNoExecute })
	}
	for i := range f.trace.Steps {
		s := &f.trace.Steps[i]
		if !s.At.After(from) || s.At.After(to) || s.By == World {
			continue
		}
		switch {
		case s.Node != nil && s.Node.Old != nil && s.Node.New != nil:
			if readyOf(s.Node.Old) != v1.ConditionUnknown && readyOf(s.Node.New) == v1.ConditionUnknown {
				did(s, model.MarkUnknown, s.Node.Name, model.Key{})
			}
			if s.By == Tick && noExecute(s.Node.New) { // also one that is stamped anew
				did(s, model.TaintNoExecute, s.Node.Name, model.Key{})
			}
		case s.Delete != "" && s.By == Eviction:
			p := f.a.pod(f.podAt(s.Delete, s.At))
			did(s, model.EvictPod, p.Node, p.Key)
		}
	}
	return list
}

// podAt is a pod as it was at an instant.
func (f *foretelling) podAt(name string, at time.Time) *v1.Pod {
	pod := &v1.Pod{}
	for i := range f.trace.Steps {
		if s := &f.trace.Steps[i]; s.Pod != nil && s.Pod.Name == name && s.Pod.New != nil && !s.At.After(at) {
			pod = s.Pod.New
		}
	}
	return pod
}

// compare holds what was foretold at a cut against what the real controllers then did.
func (f *foretelling) compare(t *testing.T, i int, cut, end time.Time, fates *[forecast.Lapsed + 1]int) {
	t.Helper()
	params := f.scenario.Flags().params(model.Version{Major: 1, Minor: 36})
	params.NodeMonitorPeriod.From, params.NodeMonitorGracePeriod.From, params.NodeEvictionRate.From = model.FromFlag, model.FromFlag, model.FromFlag
	params.SecondaryNodeEvictionRate.From, params.UnhealthyZoneThreshold.From, params.LargeClusterSizeThreshold.From = model.FromFlag, model.FromFlag, model.FromFlag
	result, err := infer.Run(f.history(cut), infer.Options{Params: params, Mode: infer.Causal, Until: model.At(cut)})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Unsupported) > 0 {
		return
	}
	if testing.Verbose() {
		t.Logf("scenario %d, cut at %s, until %s: %s", i, cut.Sub(f.trace.Zero), end.Sub(f.trace.Zero), f.scenario.find("flags"))
	}
	s, err := result.Known(model.At(cut))
	if err != nil {
		t.Fatal(err)
	}
	foreseen := forecast.Run(s, forecast.Options{})
	for _, a := range forecast.Compare(foreseen, f.then(cut, end), model.At(end)) {
		if a.Pod != (model.Key{}) && s.Cache.Node(a.Node) == nil {
			continue // pod garbage collection would take it, and does not run here
		}
		fates[a.Fate]++
		if a.Fate == forecast.Missed || a.Fate == forecast.Unforeseen || a.Fate == forecast.Broken {
			t.Errorf("scenario %d of seed %d, cut at %s: %s %s%s %s, off by %s; foreseen %s to %s, certain %v: %s", i, *seed, cut.Sub(f.trace.Zero), a.Kind, a.Node, a.Pod, a.Fate, a.Off.Value,
				a.Predicted.Earliest.Sub(model.At(f.trace.Zero)), a.Predicted.Latest.Sub(model.At(f.trace.Zero)), a.Certain, a.Why)
		}
	}
}
