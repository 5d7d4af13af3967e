package chronology

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/read/object"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

func after(seconds float64) model.Instant {
	return noon.Add(time.Duration(seconds * float64(time.Second)))
}

// logged is a write of a node in an audit log: exact to the instant.
func logged(node string, version uint64, seconds float64) Sighting {
	return Sighting{Change: model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: node}, Version: version, Quality: model.ByServer,
		Time: model.Exactly(after(seconds)), Node: &model.Node{}}}
}

// unstamped is the same version as a watch shows it, from another source: without a time.
func unstamped(node string, version uint64) Sighting {
	return Sighting{Change: model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: node}, Version: version, Node: &model.Node{}, Origin: model.Origin{Source: 1}}}
}

// leaseIn is a lease in a capture.
func leaseIn(node string, version uint64, renewed float64) Sighting {
	return Sighting{Change: model.Change{Kind: model.KindNodeLease, Op: model.OpBaseline, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: node}, Version: version,
		Lease: model.Lease{Renewed: after(renewed)}}, Stamps: object.Stamps{Created: after(-3600)}, List: 1}
}

// A write without a date is between its neighbours in the order of resourceVersions, in whatever order the files come.
func TestNeighboursBoundAWrite(t *testing.T) {
	sightings := []Sighting{logged("a", 10, 10), unstamped("b", 11), logged("c", 12, 12)}
	for range 3 {
		sightings = append(sightings[1:], sightings[0])
		r := Date(slices.Clone(sightings), nil)
		if len(r.Changes) != 3 {
			t.Fatalf("%d changes of three versions", len(r.Changes))
		}
		b := r.Changes[1]
		if want := (model.Interval{Earliest: after(10), Latest: after(12)}); b.Key.Name != "b" || b.Time != want || b.Quality != model.ByNeighbours {
			t.Errorf("%s at %v, %s", b.Key.Name, b.Time, b.Quality)
		}
	}
}

// One version in two sources is one change, with the better time.
func TestOneVersionInTwoSources(t *testing.T) {
	r := Date([]Sighting{unstamped("a", 10), logged("a", 10, 10), unstamped("a", 11)}, nil)
	if len(r.Changes) != 2 || r.Changes[0].Time != model.Exactly(after(10)) || r.Changes[0].Quality != model.ByServer {
		t.Errorf("%+v", r.Changes)
	}
	if later := r.Changes[1].Time; later.Earliest != after(10) || later.Latest.Bounded() {
		t.Errorf("of the version after it is known %v, not from then on", later)
	}
}

// A stamp bounds a write to the second in which it was made, and a little for the store.
func TestAStampBoundsAWrite(t *testing.T) {
	of := func(version uint64, managed float64) Sighting {
		s := unstamped("a", version)
		s.Stamps.Managed = after(managed)
		return s
	}
	r := Date([]Sighting{of(10, 5), of(11, 20)}, nil)
	want := model.Interval{Earliest: after(20), Latest: after(20).Add(stampWidth + commitWithin)}
	if got := r.Changes[1]; got.Time != want || got.Quality != model.ByStamp {
		t.Errorf("%v, %s; want %v", got.Time, got.Quality, want)
	}
}

// TestABindingLeavesNoStamp: the write that places a pod moves no managedFields time, so it may be much newer than the pod.
func TestABindingLeavesNoStamp(t *testing.T) {
	pod := func(version uint64, op model.Op, node string) Sighting {
		s := Sighting{Change: model.Change{Kind: model.KindPod, Op: op, Key: model.Key{Namespace: "data", Name: "postgres-1"}, Version: version, Pod: &model.Pod{Node: node}}}
		s.Pod.Created, s.Stamps = after(10), object.Stamps{Created: after(10), Managed: after(10)}
		return s
	}
	r := Date([]Sighting{pod(100, model.OpAdd, ""), logged("a", 150, 200), pod(200, model.OpModify, "a"), logged("a", 250, 210)}, nil)
	if got, want := r.Changes[2], (model.Interval{Earliest: after(200), Latest: after(210)}); got.Version != 200 || got.Time != want {
		t.Errorf("version %d written within %v, not %v", got.Version, got.Time, want)
	}
}

// A version from a watch is one write. Its writer is the only manager with a timestamp newer than all of the version
// before. A write that only removes something may leave the timestamps as they were, and has no known writer.
func TestWhoWroteAVersionOfAWatch(t *testing.T) {
	of := func(version uint64, managed float64, manager string) Sighting {
		s := unstamped("a", version)
		s.Stamps = object.Stamps{Managed: after(managed), Manager: manager, Managers: 2}
		return s
	}
	changes := Date([]Sighting{of(10, 5, "kubelet"), of(11, 20, "kubectl-taint"), of(12, 20, "kubectl-taint"), of(13, 30, "kube-controller-manager"),
		of(14, 40, "kubelet"), of(15, 50, "")}, nil).Changes
	want := []model.Writer{model.WriterUnknown, model.WriterPerson, model.WriterUnknown, model.WriterUnknown, model.WriterKubelet, model.WriterUnknown}
	for i, w := range want {
		if changes[i].Writer != w {
			t.Errorf("version %d was written by %s, not by %s", changes[i].Version, changes[i].Writer, w)
		}
	}
}

// A capture was taken at its newest stamp at the earliest; the clock of one kubelet that is an hour ahead of all
// others is not believed, for it would make all of them look silent.
func TestWhenACaptureWasTaken(t *testing.T) {
	sightings := []Sighting{leaseIn("a", 10, 0), leaseIn("b", 11, 4), leaseIn("c", 12, 8), leaseIn("ahead", 13, 3600)}
	r := Date(sightings, nil, Capture{Sources: []int32{0}})
	if c := r.Captured[0]; c == nil || c.At != after(8) || c.Taken.Earliest != after(8) || c.Taken.Latest.Bounded() {
		t.Errorf("taken %+v, not from %s on", c, after(8))
	}
	sightings[3].Lease.Renewed, sightings[3].Stamps.Managed = after(45), after(7) // half a minute ahead, by the API server's stamp
	if b := Bounds(sightings); b.Earliest != after(8) {
		t.Errorf("read together at %s at the earliest", b.Earliest)
	}
	said := after(30)
	r = Date(sightings, nil, Capture{Sources: []int32{0}, When: said})
	if c := r.Captured[0]; c == nil || c.Taken != model.Exactly(said) {
		t.Errorf("somebody says %s: %+v", said, c)
	}
}

// An Event's stamps are whole seconds, and client-go puts the nanosecond into its name: a capture that holds it was taken
// no sooner.
func TestACaptureHoldsItsNewestEvent(t *testing.T) {
	event := Sighting{Change: model.Change{Kind: model.KindEvent, Op: model.OpBaseline, Key: model.Key{Namespace: "default", Name: fmt.Sprintf("p.%x", int64(after(9.7)))}, Version: 20,
		Event: &model.Event{Component: "taint-eviction-controller", First: after(9), Last: after(9)}}, List: 1}
	r := Date([]Sighting{leaseIn("a", 10, 8), event}, nil, Capture{Sources: []int32{0}})
	if c := r.Captured[0]; c == nil || c.At != after(9.7) {
		t.Errorf("taken %+v, not from %s on", c, after(9.7))
	}
}

// A watch that broke leaves a gap from the last version before to the list after it.
func TestAWatchThatBroke(t *testing.T) {
	r := Date([]Sighting{logged("a", 10, 10), logged("b", 20, 50)}, []Notice{
		{What: Lost, Kind: model.KindNode, Version: 10, Why: "too old"}, {What: Resumed, Kind: model.KindNode, Version: 20}})
	if len(r.Gaps) != 1 || r.Gaps[0].Earliest != after(10) || r.Gaps[0].Latest != after(50) || r.Gaps[0].Why != "Node: too old" {
		t.Errorf("%+v", r.Gaps)
	}
}

// A list after which nothing came is no event: what was listed later was not too late for it.
func TestAListWithoutEvents(t *testing.T) {
	list := func(source int32, version uint64, managed float64) Sighting {
		s := unstamped("a", version)
		s.Op, s.Stamps.Managed, s.Origin.Source = model.OpBaseline, after(managed), source
		return s
	}
	r := Date([]Sighting{list(2, 5, 1), list(1, 10, 50), unstamped("a", 11), logged("b", 12, 60)}, nil)
	if r.Coverage.Earliest < after(50) {
		t.Errorf("covered from %s, before the nodes were listed", r.Coverage.Earliest)
	}
}

// A list was made when the newest write in it was there, by the API server's clock: what a kubelet says by a clock
// that is ahead does not make it later, nor a write that leaves no stamp.
func TestAKubeletsClockIsAhead(t *testing.T) {
	node := func(op model.Op, version uint64, managed float64, taints ...model.Taint) Sighting {
		s := unstamped("a", version)
		s.Op, s.Stamps.Managed = op, after(managed)
		s.Node = &model.Node{Taints: taints, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: after(45), Transition: after(45)}}}
		return s
	}
	r := Date([]Sighting{node(model.OpBaseline, 10, 5, model.Taint{Key: "x"}), node(model.OpModify, 11, 5), logged("b", 12, 9)}, nil)
	if got := r.SourceCoverage[1].Earliest; got != after(5) {
		t.Errorf("the list was made at %s", got)
	}
	if got, want := r.Changes[1].Time, (model.Interval{Earliest: after(5), Latest: after(9)}); got != want || r.Distrusted[1] != 0 {
		t.Errorf("a taint was taken off in %v, not %v; %v stamps are not trusted", got, want, r.Distrusted)
	}
}

// An audit log answers the DELETE of a Node with no version of it, and a watch shows it gone with one: it went once, when
// the request was made.
func TestADeletionInTwoSources(t *testing.T) {
	uid := model.ParseUID("00000000-0000-4000-8000-000000000001", nil)
	was, request, gone := logged("a", 10, 10), logged("a", 0, 30), unstamped("a", 12)
	request.Op, request.Node, gone.Op = model.OpDelete, nil, model.OpDelete
	was.UID, request.UID, gone.UID = uid, uid, uid
	r := Date([]Sighting{was, logged("b", 11, 15), gone, request, logged("b", 13, 40)}, nil)
	if len(r.Changes) != 4 {
		t.Fatalf("%d changes: %+v", len(r.Changes), r.Changes)
	}
	if d := r.Changes[2]; d.Op != model.OpDelete || d.Time != model.Exactly(after(30)) || d.Version != 12 {
		t.Errorf("%+v", d)
	}
}
