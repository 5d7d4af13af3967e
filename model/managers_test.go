package model_test

import (
	"testing"
	"time"

	"kardia/model"
)

// Who gave Ready the status that it has, by the managedFields of one version alone.
func TestWhoWroteReadyByManagedFields(t *testing.T) {
	entry := func(fields string) string {
		return `{"f:status": {"f:conditions": {"k:{\"type\":\"DiskPressure\"}": {"f:status": {}, "f:lastHeartbeatTime": {}},
 "k:{\"type\":\"Ready\"}": {".": {}, ` + fields + `}, "k:{\"type\":\"Zzz\"}": {"f:status": {}}}}}`
	}
	const status, heartbeat, both = `"f:status":{}`, `"f:lastHeartbeatTime":{}`, `"f:lastHeartbeatTime":{},"f:status":{}`
	type of struct{ manager, second, fields string }
	for _, c := range []struct {
		name    string
		status  model.Status
		reason  string
		entries []of
		who     string
		by      model.Writer
	}{
		{"nothing is told", model.StatusFalse, "", []of{{"kubelet", "10", `"f:message":{}`}}, "", model.WriterUnknown},
		{"its kubelet", model.StatusFalse, "", []of{{"kubelet", "10", both}}, "kubelet", model.WriterKubelet},
		{"the controllers", model.StatusUnknown, model.ReasonUnknown, []of{{"kubelet", "10", heartbeat}, {"kube-controller-manager", "50", status}}, "kube-controller-manager", model.WriterNodeLifecycle},
		{"the controllers do not say that it is not ready", model.StatusFalse, "", []of{{"kube-controller-manager", "50", status}}, "kube-controller-manager", model.WriterUnknown},
		{"a person", model.StatusFalse, "", []of{{"kubelet", "10", heartbeat}, {"kubectl-edit", "50", status}}, "kubectl-edit", model.WriterPerson},
		{"a person, and the kubelet has posted the same since", model.StatusFalse, "", []of{{"kubelet", "51", heartbeat}, {"kubectl-edit", "50", status}}, "kubelet", model.WriterKubelet},
		{"two that say the same", model.StatusFalse, "", []of{{"kubectl", "10", status}, {"argo", "50", status}}, "", model.WriterUnknown},
		{"one in two entries", model.StatusFalse, "", []of{{"kubelet", "10", status}, {"kubelet", "50", both}}, "kubelet", model.WriterKubelet},
		{"one program for all, of a kubelet", model.StatusFalse, "", []of{{"k3s", "10", both}}, "k3s", model.WriterKubelet},
		{"one program for all, of the controllers", model.StatusUnknown, model.ReasonUnknown, []of{{"k3s", "10", both}}, "k3s", model.WriterNodeLifecycle},
		{"managers that were too many", model.StatusFalse, "", []of{{"ancient-changes", "10", both}}, "", model.WriterUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			var o model.Managed
			for _, e := range c.entries {
				o.Entry(model.ManagedEntry{Manager: e.manager, Subresource: "status", Time: "2026-11-20T12:00:" + e.second + "Z", Fields: entry(e.fields)}, nil)
			}
			var details []model.Detail
			o.Details(false, nil, func(name, value string) { details = append(details, model.Detail{Name: name, Value: value}) })
			n := &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: c.status, Reason: c.reason}}, Details: model.PackNode(details...)}
			who, last := n.ReadyManager()
			if by := n.ReadyWriter(); who != c.who || by != c.by || last.Known() != (by == model.WriterPerson) {
				t.Errorf("%q at %s, %s; want %q, %s", who, last, by, c.who, c.by)
			}
		})
	}
}

// Who comes late knows it from the first version that is shown, and what is seen to be written counts before that.
func TestWhoComesLateKnowsWhoWroteReady(t *testing.T) {
	version := func(op model.Op, number uint64, by model.Writer, manager string) *model.Change {
		return &model.Change{Kind: model.KindNode, Op: op, Writer: by, Key: model.Key{Name: "a"}, Version: number,
			Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusFalse, Heartbeat: model.Instant(number) * 1e9}},
				Details: model.PackNode(model.Detail{Name: model.DetailReadyBy, Value: manager})}}
	}
	c := model.NewCluster()
	c.Fold(version(model.OpBaseline, 1, model.WriterUnknown, "kubectl-edit 2026-11-20T12:00:00Z"))
	said := c.Node("a").SaidNotReady()
	if said.By.OfKubelet() || said.Manager != "kubectl-edit" || said.Last.Clock() != "12:00:00Z" {
		t.Errorf("%+v", said)
	}
	c.Fold(version(model.OpModify, 2, model.WriterKubelet, "kubelet"))
	if said = c.Node("a").SaidNotReady(); said != (model.Said{By: model.WriterKubelet}) {
		t.Errorf("%+v", said)
	}
}

// Since when a taint is there is a window where it does not say so: since the node was made, and by when managedFields have its
// taints written last, to the second.
func TestSinceWhenATaintIsThere(t *testing.T) {
	at := func(second int) model.Instant { return model.At(time.Date(2026, 11, 20, 12, 0, second, 0, time.UTC)) }
	for _, c := range []struct {
		added   model.Instant
		made    model.Instant
		written string
		want    model.Interval
	}{
		{at(30), at(1), "2026-11-20T12:00:40Z", model.Exactly(at(30))},
		{0, at(1), "2026-11-20T12:00:40Z", model.Interval{Earliest: at(1), Latest: at(41)}},
		{0, 0, "2026-11-20T12:00:40Z", model.Interval{Earliest: model.FarPast, Latest: at(41)}},
		{0, at(1), "", model.Interval{Earliest: at(1)}},
	} {
		n := &model.Node{Created: c.made, Details: model.PackNode(model.Detail{Name: model.DetailTainted, Value: c.written})}
		if got := n.TaintSince(&model.Taint{Added: c.added}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
