package wire

import (
	"reflect"
	"testing"

	"kardia/model"
)

// written is one of everything that objects are made of.
func written() (o Writer, node *model.Node, lease model.Lease, tolerations model.Tolerations) {
	names := &Names{}
	node = &model.Node{UID: names.UID([]byte("5f0e0000-0000-4000-8000-00000000000a")), Created: 1e18, Deleted: model.FarFuture, Zone: model.ZoneKey{Region: "eu", Zone: "eu-1"}, Unschedulable: true,
		Conditions: []model.Condition{{Type: "Ready", Status: model.StatusUnknown, Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status.", Transition: 5, Heartbeat: -1}},
		Taints:     []model.Taint{{Key: "k", Value: "v", Effect: model.NoExecute, Added: 1e18}}, KubeletVersion: "v1.36.3", OS: "linux", Arch: "arm64", InstanceType: "m", ProviderID: "p://1", Details: model.NodeDetails{Common: "d"}}
	lease = model.Lease{UID: names.UID([]byte("5f0e0000-0000-4000-8000-00000000000b")), Created: 7, Acquired: model.FarPast, Holder: "a", Seconds: 40, Transitions: 3}
	tolerations = model.Tolerations{{Key: "k", Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some(int64(300))}, {Operator: "Exists"}}
	c, list := To(&o), &tolerations
	c.Interval(&model.Interval{Earliest: model.FarPast, Latest: 9})
	c.Node(node)
	c.Lease(&lease)
	c.Tolerations(&list)
	return o, node, lease, tolerations
}

// read reads what written has made.
func read(i *Reader) (v model.Interval, node *model.Node, lease model.Lease, tolerations *model.Tolerations) {
	c, node := From(i, &Names{}), &model.Node{}
	c.Interval(&v)
	c.Node(node)
	c.Lease(&lease)
	c.Tolerations(&tolerations)
	return v, node, lease, tolerations
}

func TestObjectsComeBack(t *testing.T) {
	o, node, lease, tolerations := written()
	i := Read(o.B)
	gotInterval, gotNode, gotLease, gotTolerations := read(i)
	if gotInterval != (model.Interval{Earliest: model.FarPast, Latest: 9}) {
		t.Errorf("the interval is %v", gotInterval)
	}
	if !reflect.DeepEqual(gotNode, node) {
		t.Errorf("%+v\nwant %+v", gotNode, node)
	}
	if gotLease != lease {
		t.Errorf("%+v\nwant %+v", gotLease, lease)
	}
	if !reflect.DeepEqual(*gotTolerations, tolerations) {
		t.Errorf("%+v\nwant %+v", *gotTolerations, tolerations)
	}
	if i.Err != nil || len(i.B) > 0 {
		t.Errorf("%v, and %d bytes are left", i.Err, len(i.B))
	}
}

// TestCutShort: wherever it ends, the reader reports that, and its memory is bounded by the bytes there.
func TestCutShort(t *testing.T) {
	o, _, _, _ := written()
	for n := range o.B {
		i := Read(o.B[:n])
		if read(i); i.Err == nil {
			t.Errorf("nothing is missing of %d bytes when there are %d", len(o.B), n)
		}
	}
}

func TestAnnouncedNumbersAreNotBelieved(t *testing.T) {
	for _, announced := range []uint64{5, 4096, 1 << 40, 1<<64 - 1} {
		var o Writer
		o.Uint(announced)
		o.B = append(o.B, 1, 2, 3, 4)
		if n := Read(o.B).Count(1 << 12); n != 0 {
			t.Errorf("%d things in four bytes", n)
		}
	}
	var o Writer
	o.Uint(11)
	if i := Read(o.B); i.AtMost(10) != 0 || i.Err == nil {
		t.Error("11 is at most 10")
	}
}

// TestEqualThingsShareMemory: a state keeps what a reader makes, of thousands of pods.
func TestEqualThingsShareMemory(t *testing.T) {
	n := &Names{}
	for what, twice := range map[string]func() any{
		"owner":                   func() any { return n.SharedOwner("Job", "j") },
		"requester":               func() any { return n.SharedRequester(model.Requester{User: "u"}) },
		"UID that is no UUID":     func() any { return n.UID([]byte("odd")) },
		"list of all tolerations": func() any { return n.SharedTolerations(model.Tolerations{{Operator: "Exists"}}) },
	} {
		if one, other := twice(), twice(); one != other {
			t.Errorf("the same %s is there twice", what)
		}
	}
	if empty := n.SharedOwner("", ""); empty == nil || n.SharedRequester(model.Requester{}) == nil || n.SharedTolerations(nil) == nil {
		t.Error("an empty one is none")
	}
}
