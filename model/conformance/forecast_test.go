package conformance

import (
	"cmp"
	"flag"
	"fmt"
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
	g, cuts, zones, wrong := Scenarios(), 0, 0, 0
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
				of, not := f.compare(t, i, cut, end, &fates)
				zones, wrong = zones+of, wrong+not
			}
		}
	}
	if zones < *foretold/20 {
		t.Errorf("%d states and rates of zones were held against what came", zones)
	}
	if wrong > 0 {
		t.Errorf("of %d states and rates of zones %d were told wrong", zones, wrong)
	}
	t.Logf("%d cuts, %d changes of zones, %d told wrong: pending %d, came true %d, missed %d, unforeseen %d, broken %d, lapsed %d", cuts, zones, wrong, fates[forecast.Pending],
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
	c := calm{cut: cut, end: f.trace.Zero.Add(f.scenario.Length()), grace: min(f.scenario.Flags().Grace, f.scenario.Flags().Startup),
		renewed: map[string]time.Time{}, says: map[string]time.Time{}, posted: map[string]time.Time{}}
	for i := range f.trace.Steps {
		s := &f.trace.Steps[i]
		switch {
		case s.Lease != nil && s.Lease.New != nil:
			c.renews(s)
		case !s.At.After(cut):
			if s.Node != nil && s.By == World {
				c.posted[s.Node.Name] = s.At
			}
		case s.Started != "" || s.Stopped != "" || s.Lease != nil || s.Pod != nil && s.By == World,
			s.Node != nil && s.By == World && edited(s.Node.Old, s.Node.New):
			c.endsBy(s.At)
		}
	}
	for name, last := range c.posted { // one that posts, and does not renew
		if cut.Sub(c.renewed[name]) > forecast.SilentAfter {
			c.fallsSilent(last)
		}
	}
	for _, last := range c.renewed {
		c.fallsSilent(last)
	}
	return c.end
}

// calm is the time after a cut in which nothing disturbs the controllers.
type calm struct {
	cut, end time.Time
	grace    time.Duration
	// renewed is when each lease was written last that advanced, says what it says, posted when statuses were
	// before the cut.
	renewed, says, posted map[string]time.Time
}

// endsBy ends it, if it would end later.
func (c *calm) endsBy(at time.Time) {
	if at.Before(c.end) {
		c.end = at
	}
}

// fallsSilent is that a node gives no sign of life after one. If it seemed to beat at the cut, it is declared a grace
// period later.
func (c *calm) fallsSilent(last time.Time) {
	if last.After(c.cut.Add(-forecast.SilentAfter)) {
		c.endsBy(last.Add(c.grace))
	}
}

// renews takes in a renewal.
func (c *calm) renews(s *Step) {
	name := s.Lease.Name
	last, ok := c.renewed[name]
	if r := s.Lease.New.Spec.RenewTime; r != nil {
		stands := !r.After(c.says[name])
		if c.says[name] = r.Time; stands { // its clock stands, or went back: that is no sign of life
			if s.At.After(c.cut) {
				c.fallsSilent(last)
			}
			return
		}
	}
	if ok && s.At.After(c.cut) && s.At.Sub(last) > late {
		c.endsBy(s.At) // it comes back
		c.fallsSilent(last)
	}
	c.renewed[name] = s.At
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

// zones are the states and rates of zones that passes changed in a time, as the real controller remembers them.
func (f *foretelling) zones(from, to time.Time) (list []model.Decision) {
	var before *Memory
	var judged time.Time
	known := map[string]model.ZoneKey{}
	for i := range f.trace.Steps {
		s := &f.trace.Steps[i]
		switch {
		case s.Judged:
			judged = s.At
		case s.Stopped == NodeLifecycle:
			before = nil
		case s.Snapshot != nil:
			for _, n := range s.Snapshot.Nodes {
				zone := f.a.node(n).Zone
				known[zone.Raw()] = zone
			}
			if before != nil && judged.After(from) && !judged.After(to) {
				list = append(list, f.shifts(before, s.Snapshot.Memory, model.At(judged), known)...)
			}
			before = s.Snapshot.Memory
		}
	}
	return list
}

// shifts are what a pass changed that judged the zones at an instant. A zone that comes or is forgotten is left out,
// and one that gets the empty state, or has it: whether it is forgotten then is an accident of a map's order (Z8).
func (f *foretelling) shifts(before, after *Memory, at model.Instant, known map[string]model.ZoneKey) (list []model.Decision) {
	flags := f.scenario.Flags()
	rate := func(m *Memory, zone string) (rate float32, ok bool) {
		if r := m.Rates[zone]; r != 1 {
			return r, true
		}
		return 0, flags.Rate != 1 && flags.Secondary != 1 // the limiter that never gives a token says 1 (L6)
	}
	for _, zone := range slices.Sorted(maps.Keys(after.Zones)) {
		was, ok := before.Zones[zone]
		key, named := known[zone]
		if !ok || !named || was == "" {
			continue
		}
		did := model.Decision{Time: at, Window: model.Exactly(at), Zone: model.Some(key)}
		for state := model.ZoneInitial; state <= model.ZoneFull; state++ {
			if after.Zones[zone] != was && after.Zones[zone] == state.String() {
				did.Kind, did.State.To, did.Why.Name = model.ZoneState, state, was
				list = append(list, did)
			}
		}
		from, known := rate(before, zone)
		if to, ok := rate(after, zone); known && ok && from != to {
			did.Kind, did.State.To, did.Rate.From, did.Rate.To = model.SetRate, 0, from, to
			list = append(list, did)
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

// compare holds what was foretold at a cut against what the real controllers then did, and counts how many changes
// of zones there were, and of how many something else was said.
func (f *foretelling) compare(t *testing.T, i int, cut, end time.Time, fates *[forecast.Lapsed + 1]int) (zones, wrong int) {
	t.Helper()
	params := f.scenario.Flags().params(model.Version{Major: 1, Minor: 36})
	params.NodeMonitorPeriod.From, params.NodeMonitorGracePeriod.From, params.NodeEvictionRate.From = model.FromFlag, model.FromFlag, model.FromFlag
	params.SecondaryNodeEvictionRate.From, params.UnhealthyZoneThreshold.From, params.LargeClusterSizeThreshold.From = model.FromFlag, model.FromFlag, model.FromFlag
	result, err := infer.Run(f.history(cut), infer.Options{Params: params, Mode: infer.Causal, Until: model.At(cut)})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Unsupported) > 0 {
		return 0, 0
	}
	if testing.Verbose() {
		t.Logf("scenario %d, cut at %s, until %s: %s", i, cut.Sub(f.trace.Zero), end.Sub(f.trace.Zero), f.scenario.find("flags"))
	}
	s, err := result.Known(model.At(cut))
	if err != nil {
		t.Fatal(err)
	}
	foreseen := forecast.Run(s, forecast.Options{})
	then := append(f.then(cut, end), f.zones(cut, end)...)
	slices.SortStableFunc(then, func(a, b model.Decision) int { return cmp.Compare(a.Time, b.Time) })
	for _, a := range forecast.Compare(foreseen, then, model.At(end)) {
		if a.Pod != (model.Key{}) && s.Cache.Node(a.Node) == nil {
			continue // pod garbage collection would take it, and does not run here
		}
		if a.Later != nil && (a.Kind == model.ZoneState || a.Kind == model.SetRate) {
			zones++
			if a.Fate != forecast.CameTrue {
				wrong++
				t.Logf("scenario %d of seed %d, cut at %s: %s %s%s %s", i, *seed, cut.Sub(f.trace.Zero), a.Kind, a.Zone.Value, shifted(&a), a.Fate)
			}
			continue
		}
		fates[a.Fate]++
		if a.Fate == forecast.Missed || a.Fate == forecast.Unforeseen || a.Fate == forecast.Broken {
			t.Errorf("scenario %d of seed %d, cut at %s: %s %s%s %s, off by %s; foreseen %s to %s, certain %v", i, *seed, cut.Sub(f.trace.Zero), a.Kind, a.Node, a.Pod, a.Fate, a.Off.Value,
				a.Predicted.Earliest.Sub(model.At(f.trace.Zero)), a.Predicted.Latest.Sub(model.At(f.trace.Zero)), a.Certain)
		}
	}
	return zones, wrong
}

// shifted is what became of a zone.
func shifted(a *forecast.Ahead) string {
	switch {
	case a.Later == nil:
		return ""
	case a.Kind == model.ZoneState:
		return fmt.Sprintf(" %q → %q", a.Later.Why.Name, a.Later.State.To)
	case a.Kind == model.SetRate:
		return fmt.Sprintf(" %g → %g", a.Later.Rate.From, a.Later.Rate.To)
	}
	return ""
}
