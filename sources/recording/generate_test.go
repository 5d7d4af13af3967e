package recording

import (
	"fmt"
	"math"
	"reflect"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/columns"
)

// The generators draw Changes that no cluster would make: whatever a field can hold.

var anyText = rapid.OneOf(rapid.Just(""), rapid.StringN(0, 12, 24), rapid.SampledFrom([]string{"us-east-1b", "\x00:\x00", "\xff\xfe", "a\"b\\c\n\r\t\x1b", "\u202e\U0001f600", "\xed\xa0\x80"}))

var oddUIDs = map[string]*string{}

func anyUID(t *rapid.T) model.UID {
	text := ""
	switch rapid.IntRange(0, 5).Draw(t, "uid") {
	case 0:
	case 1:
		text = rapid.SampledFrom([]string{"odd", "\xff", "x y"}).Draw(t, "odd uid")
	default:
		text = fmt.Sprintf("5f0e%04x-0000-4000-8000-%012x", rapid.IntRange(0, 9).Draw(t, "a"), rapid.Uint64Range(0, 1<<48-1).Draw(t, "b"))
	}
	return model.ParseUID(text, func(s string) *string {
		if oddUIDs[s] == nil {
			oddUIDs[s] = &s
		}
		return oddUIDs[s]
	})
}

func anyInstant(t *rapid.T) model.Instant {
	switch rapid.IntRange(0, 9).Draw(t, "instant") {
	case 0:
		return 0
	case 1:
		return rapid.SampledFrom([]model.Instant{model.FarPast, model.FarFuture, model.FarPast + 1, model.FarFuture - 1, 1, -1}).Draw(t, "end")
	case 2:
		return model.Instant(rapid.Int64().Draw(t, "any"))
	}
	unit := rapid.SampledFrom([]int64{1, 1e3, 1e6, 1e9}).Draw(t, "unit")
	return noon + model.Instant(rapid.Int64Range(-1000, 100_000).Draw(t, "offset")*unit)
}

func anyEnum[T ~uint8](t *rapid.T, last T) T {
	if rapid.IntRange(0, 30).Draw(t, "beyond") == 0 {
		return T(rapid.Uint8().Draw(t, "raw"))
	}
	return T(rapid.IntRange(0, int(last)).Draw(t, "enum"))
}

func anyKey(t *rapid.T) model.Key {
	return model.Key{Namespace: rapid.SampledFrom([]string{"", "kube-node-lease", "default", "\xff"}).Draw(t, "namespace"),
		Name: rapid.SampledFrom([]string{"a", "b", "c", "ip-10-0-0-1", "", "\x00"}).Draw(t, "name")}
}

func anyOrigin(t *rapid.T) (o model.Origin) {
	if rapid.Bool().Draw(t, "no origin") {
		return o
	}
	return model.Origin{Source: rapid.Int32Range(0, 5).Draw(t, "source"), Line: rapid.Int32().Draw(t, "line"), Offset: rapid.Int64().Draw(t, "offset")}
}

func anyLease(t *rapid.T) model.Lease {
	return model.Lease{UID: anyUID(t), Created: anyInstant(t), Renewed: anyInstant(t), Acquired: anyInstant(t), Holder: anyText.Draw(t, "holder"),
		Seconds: rapid.SampledFrom([]int32{0, 40, -1, math.MaxInt32}).Draw(t, "seconds"), Transitions: rapid.Int32Range(-1, 2).Draw(t, "transitions")}
}

func anyNode(t *rapid.T) *model.Node {
	n := &model.Node{UID: anyUID(t), Created: anyInstant(t), Deleted: anyInstant(t), Zone: model.ZoneKey{Region: anyText.Draw(t, "region"), Zone: anyText.Draw(t, "zone")},
		ExcludeDisruption: rapid.Bool().Draw(t, "exclude"), Unschedulable: rapid.Bool().Draw(t, "cordoned"),
		KubeletVersion: anyText.Draw(t, "kubelet"), OS: anyText.Draw(t, "os"), Arch: anyText.Draw(t, "arch"), InstanceType: anyText.Draw(t, "instance"), ProviderID: anyText.Draw(t, "provider")}
	for range rapid.IntRange(0, 3).Draw(t, "conditions") {
		n.Conditions = append(n.Conditions, model.Condition{Type: anyText.Draw(t, "type"), Reason: anyText.Draw(t, "reason"), Message: anyText.Draw(t, "message"),
			Status: anyEnum(t, model.StatusUnknown), Transition: anyInstant(t), Heartbeat: anyInstant(t)})
	}
	for range rapid.IntRange(0, 2).Draw(t, "taints") {
		n.Taints = append(n.Taints, model.Taint{Key: anyText.Draw(t, "key"), Value: anyText.Draw(t, "value"), Effect: anyEnum(t, model.NoExecute), Added: anyInstant(t)})
	}
	return n
}

func anyPod(t *rapid.T, ch *model.Change) *model.Pod {
	p := &model.Pod{Key: ch.Key, UID: anyUID(t), Node: anyText.Draw(t, "node"), Created: anyInstant(t), Deletion: anyInstant(t), ReadySince: anyInstant(t),
		Disrupted: anyInstant(t), DisruptionReason: anyText.Draw(t, "reason"), GraceSeconds: rapid.Int32().Draw(t, "grace"),
		Phase: anyEnum(t, model.PhaseUnknown), Ready: anyEnum(t, model.StatusUnknown)}
	if rapid.IntRange(0, 4).Draw(t, "other key") == 0 {
		p.Key = anyKey(t)
	}
	if rapid.Bool().Draw(t, "owned") {
		p.Owner = &model.Owner{Kind: anyText.Draw(t, "owner kind"), Name: anyText.Draw(t, "owner")}
	}
	if rapid.Bool().Draw(t, "tolerant") {
		list := model.Tolerations{}
		for range rapid.IntRange(0, 3).Draw(t, "tolerations") {
			tol := model.Toleration{Key: anyText.Draw(t, "key"), Value: anyText.Draw(t, "value"), Operator: anyText.Draw(t, "operator"), Effect: anyEnum(t, model.NoExecute)}
			if rapid.Bool().Draw(t, "for a while") {
				tol.Seconds = model.Some(rapid.Int64().Draw(t, "seconds"))
			}
			list = append(list, tol)
		}
		p.Tolerations = &list
	}
	p.Details = model.Details(anyText.Draw(t, "details"))
	return p
}

func anyEvent(t *rapid.T) *model.Event {
	return &model.Event{UID: anyUID(t), Regarding: model.Reference{Kind: anyText.Draw(t, "kind"), Key: anyKey(t), UID: anyUID(t)},
		Reason: anyText.Draw(t, "reason"), Message: anyText.Draw(t, "message"), Component: anyText.Draw(t, "component"),
		Warning: rapid.Bool().Draw(t, "warning"), Count: rapid.Int32().Draw(t, "count"), First: anyInstant(t), Last: anyInstant(t), Created: anyInstant(t)}
}

// anyChange is a Change with anything in it.
func anyChange(t *rapid.T) model.Change {
	ch := model.Change{Kind: anyEnum(t, model.KindLeaderLease), Op: anyEnum(t, model.OpGap), Quality: anyEnum(t, model.ByOrder), Writer: anyEnum(t, model.WriterPerson),
		Code: rapid.Int16().Draw(t, "code"), Key: anyKey(t), UID: anyUID(t), Version: rapid.Uint64().Draw(t, "version"), Previous: rapid.Uint64().Draw(t, "previous"),
		Time: model.Interval{Earliest: anyInstant(t), Latest: anyInstant(t)}, Arrival: anyInstant(t), At: anyInstant(t), Origin: anyOrigin(t), Also: anyOrigin(t),
		Note: anyText.Draw(t, "note")}
	if rapid.IntRange(0, 2).Draw(t, "lease") == 0 {
		ch.Lease = anyLease(t)
	}
	if rapid.IntRange(0, 2).Draw(t, "has node") == 0 {
		ch.Node = anyNode(t)
	}
	if rapid.IntRange(0, 2).Draw(t, "has pod") == 0 {
		ch.Pod = anyPod(t, &ch)
	}
	if rapid.IntRange(0, 3).Draw(t, "has event") == 0 {
		ch.Event = anyEvent(t)
	}
	if rapid.IntRange(0, 2).Draw(t, "has requester") == 0 {
		ch.Requester = &model.Requester{User: anyText.Draw(t, "user"), Agent: anyText.Draw(t, "agent"), Address: anyText.Draw(t, "address")}
	}
	if rapid.IntRange(0, 4).Draw(t, "patch") == 0 {
		ch.Patch = []byte(anyText.Draw(t, "patch"))
		if len(ch.Patch) == 0 {
			ch.Patch = nil
		}
	}
	return ch
}

// nextVersion is a later version of an object, as a cluster would make it or not: some fields are
// others, some empty, and the times go on or stay.
func nextVersion(t *rapid.T, was model.Change) model.Change {
	ch, other := was, anyChange(t)
	some := func(name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	if !some("the same time") {
		by := model.Instant(rapid.SampledFrom([]int64{1, 1e6, 16e6, 1e9, 1_500_000_001}).Draw(t, "after"))
		for _, at := range [...]*model.Instant{&ch.At, &ch.Arrival, &ch.Time.Earliest, &ch.Time.Latest} {
			if at.Bounded() && *at < 1<<62 && !some("stays") {
				*at += by
			}
		}
	}
	ch.Version++
	if some("change") {
		ch.Op, ch.Quality, ch.Writer, ch.Code, ch.Previous, ch.Note = other.Op, other.Quality, other.Writer, other.Code, other.Previous, other.Note
	}
	ch.Requester = nextObject(t, ch.Requester, other.Requester, func(r, other *model.Requester) { r.Agent = other.Agent })
	if some("origin") {
		ch.Origin, ch.Also = other.Origin, other.Also
	}
	if some("instants") {
		ch.At, ch.Arrival, ch.Time = other.At, other.Arrival, other.Time
	}
	if some("patch") {
		ch.Patch = other.Patch
	}
	if some("lease") {
		ch.Lease = other.Lease
	} else if some("renewed") {
		ch.Lease.Renewed, ch.Lease.Holder = other.Lease.Renewed, ""
	}
	ch.Node = nextObject(t, ch.Node, other.Node, func(n, other *model.Node) {
		n.Taints, n.Zone, n.Unschedulable = other.Taints, other.Zone, !n.Unschedulable
	}, func(n, other *model.Node) { n.Conditions, n.UID, n.ProviderID = other.Conditions, other.UID, "" })
	ch.Pod = nextObject(t, ch.Pod, other.Pod, func(p, other *model.Pod) {
		p.Phase, p.Ready, p.ReadySince, p.Node, p.Owner = other.Phase, other.Ready, other.ReadySince, other.Node, other.Owner
	}, func(p, other *model.Pod) {
		p.Tolerations, p.Key, p.UID, p.Deletion = other.Tolerations, other.Key, other.UID, other.Deletion
	})
	ch.Event = nextObject(t, ch.Event, other.Event, func(e, _ *model.Event) { e.Count++ },
		func(e, other *model.Event) {
			e.Regarding, e.Message, e.Warning = other.Regarding, other.Message, !e.Warning
		})
	return ch
}

// nextObject is the same object, an equal one, another, or one of which some things have changed.
func nextObject[T any](t *rapid.T, was, other *T, changes ...func(v, other *T)) *T {
	which := rapid.IntRange(0, 2+len(changes)).Draw(t, "object")
	if which == 0 || was == nil {
		return other
	}
	next := *was
	switch {
	case which == 1:
		return was
	case which > 2 && other != nil:
		changes[which-3](&next, other)
	}
	return &next
}

// heartbeat is a Change of the kind that is written in columns, more or less regular.
func heartbeat(t *rapid.T, i int) model.Change {
	name := fmt.Sprintf("n%d", rapid.IntRange(0, 3).Draw(t, "which"))
	at := noon + model.Instant(i)*1e9 + model.Instant(rapid.Int64Range(0, 5).Draw(t, "ms"))*1e6
	ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: name}, UID: anyUID(t), Version: uint64(1000 + i),
		Time: model.Interval{Earliest: at.Truncate(1e9), Latest: at}, Arrival: at, At: at, Quality: anyEnum(t, model.ByOrder), Origin: anyOrigin(t), Lease: model.Lease{Renewed: at - 3e6, Holder: name, Seconds: 40}}
	if rapid.IntRange(0, 2).Draw(t, "node") == 0 {
		ch.Kind, ch.Key.Namespace, ch.Lease = model.KindNode, "", model.Lease{}
		ch.Node = &model.Node{KubeletVersion: "v1.36.3", Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: at}, {Type: "NetworkUnavailable", Heartbeat: noon}}}
	}
	if rapid.IntRange(0, 5).Draw(t, "odd times") == 0 {
		ch.Lease.Renewed, ch.Arrival = anyInstant(t), anyInstant(t)
		ch.Time = model.Interval{Earliest: anyInstant(t), Latest: anyInstant(t)}
		ch.Previous = rapid.SampledFrom([]uint64{0, ch.Version - 1, 7}).Draw(t, "previous")
		ch.Also = anyOrigin(t)
	}
	return ch
}

// same says whether two Changes are equal in every field. UIDs that are no UUIDs are equal by
// their text.
func same(a, b model.Change) bool {
	return reflect.DeepEqual(a, b)
}

// newSlots is an empty page of n Changes.
func newSlots(n int) *columns.Slots {
	p := &columns.Slots{}
	p.Into(&history.Condensed{Full: true})
	p.Expect(n)
	return p
}
