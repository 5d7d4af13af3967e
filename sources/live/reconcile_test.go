package live

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
)

// Objects with every field the model keeps.
var samples = map[model.Kind]string{
	model.KindNode: `{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1","uid":"6a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f",
"resourceVersion":"812","creationTimestamp":"2026-08-14T13:00:00Z","deletionTimestamp":"2026-08-14T14:10:00Z",
"labels":{"topology.kubernetes.io/region":"eu-1","topology.kubernetes.io/zone":"eu-1b","failure-domain.beta.kubernetes.io/zone":"old",
"node.kubernetes.io/exclude-disruption":"","node.kubernetes.io/instance-type":"m5.large","kubernetes.io/os":"linux"},
"managedFields":[{"manager":"kubelet","operation":"Update","time":"2026-08-14T14:00:02Z"},{"manager":"kube-controller-manager","operation":"Update","time":"2026-08-14T14:00:07Z"},{"manager":"nobody","operation":"Update"},
{"manager":"kubectl-cordon","operation":"Update","time":"2026-08-14T13:00:07Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:unschedulable":{}}}},
{"manager":"kubelet","operation":"Update","subresource":"status","time":"2026-08-14T13:59:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{"f:lastHeartbeatTime":{}}}}}},
{"manager":"kubectl-taint","operation":"Update","time":"2026-08-14T13:30:07Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:taints":{}}}},
{"manager":"kubectl-edit","operation":"Update","subresource":"status","time":"2026-08-14T14:00:07Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{"f:conditions":{"k:{\"type\":\"Ready\"}":{"f:status":{},"f:reason":{}}}}}}]},
"spec":{"unschedulable":true,"providerID":"aws:///x/i-1","taints":[{"key":"node.kubernetes.io/unreachable","effect":"NoExecute","timeAdded":"2026-08-14T14:00:07Z"},{"key":"dedicated","value":"db","effect":"NoSchedule"}]},
"status":{"conditions":[{"type":"Ready","status":"Unknown","reason":"NodeStatusUnknown","message":"Kubelet stopped posting node status.","lastHeartbeatTime":"2026-08-14T13:59:00Z","lastTransitionTime":"2026-08-14T14:00:07Z"},
{"type":"MemoryPressure","status":"False","lastHeartbeatTime":null,"lastTransitionTime":null}],
"nodeInfo":{"kubeletVersion":"v1.36.3","operatingSystem":"linux","architecture":"arm64"}}}`,
	model.KindNodeLease: `{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"n1","namespace":"kube-node-lease","uid":"7a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f",
"resourceVersion":"813","creationTimestamp":"2026-08-14T13:00:00Z"},"spec":{"holderIdentity":"n1","leaseDurationSeconds":40,"leaseTransitions":3,
"acquireTime":"2026-08-14T13:00:00.000001Z","renewTime":"2026-08-14T14:00:00.123456Z"}}`,
	model.KindPod: `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p1","namespace":"shop","uid":"not-a-uuid","resourceVersion":"814","creationTimestamp":"2026-08-14T13:00:00Z",
"deletionTimestamp":"2026-08-14T14:00:37Z","deletionGracePeriodSeconds":30,"labels":{"app":"web","tier":"","statefulset.kubernetes.io/pod-name":"p1"},
"ownerReferences":[{"apiVersion":"v1","kind":"Other","name":"no","uid":"1"},{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-1","uid":"2","controller":true}]},
"spec":{"nodeName":"n1","containers":[{"name":"a","resources":{"requests":{"cpu":"250m","memory":"64Mi"}}},{"name":"b","resources":{"requests":{"cpu":"1"}}}],
"initContainers":[{"name":"s","restartPolicy":"Always","resources":{"requests":{"memory":"10M"}}},{"name":"i","resources":{"requests":{"memory":"100Mi"}}}],"overhead":{"cpu":"10m"},"resources":{"requests":{"cpu":"1500m"}},"volumes":[{"name":"data","persistentVolumeClaim":{"claimName":"data-p1"}}],"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute","tolerationSeconds":300},{"operator":"Exists"},{"key":"k","value":"v","tolerationSeconds":0}]},
"status":{"phase":"Running","conditions":[{"type":"Ready","status":"False","lastTransitionTime":"2026-08-14T14:00:07Z"},
{"type":"DisruptionTarget","status":"True","reason":"DeletionByTaintManager","lastTransitionTime":"2026-08-14T14:05:07Z"}]}}`,
	model.KindEvent: `{"apiVersion":"v1","kind":"Event","metadata":{"name":"n1.17","namespace":"default","uid":"8a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f","resourceVersion":"815","creationTimestamp":"2026-08-14T14:00:07Z"},
"involvedObject":{"kind":"Node","name":"n1","uid":"n1"},"reason":"NodeNotReady","message":"Node n1 status is now: NodeNotReady","source":{"component":"node-controller"},
"type":"Warning","count":2,"firstTimestamp":"2026-08-14T14:00:07Z","lastTimestamp":"2026-08-14T14:00:09Z","eventTime":null,"reportingComponent":"other"}`,
}

// newEvent is an Event as the newer API writes them.
const newEvent = `{"apiVersion":"v1","kind":"Event","metadata":{"name":"p1.17","namespace":"shop","uid":"9a3a1b9c-0f5d-4a57-9e4e-0a1b2c3d4e5f","resourceVersion":"816"},
"involvedObject":{"kind":"Pod","namespace":"shop","name":"p1"},"reason":"Scheduled","firstTimestamp":null,"lastTimestamp":null,"type":"Normal","eventTime":"2026-08-14T14:00:07.500000Z",
"reportingComponent":"default-scheduler","series":{"count":4,"lastObservedTime":"2026-08-14T14:01:07.500000Z"}}`

// evicted is a pod that its kubelet ended.
const evicted = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p2","namespace":"shop","resourceVersion":"817"},"spec":{"nodeName":"n1","priority":0,"containers":[{"name":"a"}]},
"status":{"phase":"Failed","reason":"Evicted","message":"The node was low on resource: memory. Threshold quantity: 100Mi, available: 50412Ki. ",
"conditions":[{"type":"DisruptionTarget","status":"True","reason":"TerminationByKubelet","lastTransitionTime":"2026-08-14T14:05:07Z"}]}}`

// A watch takes the objects of its kind, with what the model keeps of them; objects of another kind, or without a name,
// are left.
func TestAWatchTakesItsOwnKind(t *testing.T) {
	want := map[model.Kind]string{
		model.KindNode:      "n1 812 14:00:07Z kubectl-edit old cordoned 2 taints, 2 conditions",
		model.KindNodeLease: "kube-node-lease/n1 813 13:00:00Z n1 40 14:00:00Z",
		model.KindPod:       "shop/p1 814 13:00:00Z on n1 of web-1, 3 tolerations, 1510m 114857600",
		model.KindEvent:     "default/n1.17 815 14:00:07Z node-controller NodeNotReady n1 2",
	}
	for kind := range samples {
		for other, raw := range samples {
			w := &watcher{resource: resource{kind: kind}}
			ch, ok := w.change(gjson.Parse(raw), "")
			if ok != (kind == other) {
				t.Errorf("a %v where %v are watched: taken %v", other, kind, ok)
			}
			if got := told(&ch); kind == other && got != want[kind] {
				t.Errorf("%v:\n got %s\nwant %s", kind, got, want[kind])
			}
		}
		if _, ok := (&watcher{resource: resource{kind: kind}}).change(gjson.Parse(`{}`), kind.String()); ok {
			t.Errorf("a %v without a name was taken", kind)
		}
	}
	w := &watcher{resource: resource{kind: model.KindEvent}}
	if ch, _ := w.change(gjson.Parse(newEvent), ""); ch.Event.Component != "default-scheduler" || ch.Event.Count != 4 || ch.Event.Last.Clock() != "14:01:07Z" {
		t.Errorf("a newer Event: %+v", ch.Event)
	}
	w = &watcher{resource: resource{kind: model.KindPod}}
	if ch, _ := w.change(gjson.Parse(evicted), ""); ch.Pod.DisruptionReason != "TerminationByKubelet" || !strings.Contains(string(ch.Pod.Details), "memory") {
		t.Errorf("an evicted pod: %+v", ch.Pod)
	}
}

func told(ch *model.Change) string {
	head := fmt.Sprint(ch.Key, " ", ch.Version, " ", ch.Time.Earliest.Clock(), " ")
	switch {
	case ch.Node != nil:
		who, _ := ch.Node.ReadyManager()
		return head + fmt.Sprint(who, " ", ch.Node.Zone.Zone, " cordoned ", len(ch.Node.Taints), " taints, ", len(ch.Node.Conditions), " conditions")
	case ch.Pod != nil:
		asks, _ := ch.Pod.Details.Get(model.DetailRequests)
		return head + fmt.Sprint("on ", ch.Pod.Node, " of ", ch.Pod.Owner.Name, ", ", len(ch.Pod.Tolerations.List()), " tolerations, ", asks)
	case ch.Event != nil:
		return head + fmt.Sprint(ch.Event.Component, " ", ch.Event.Reason, " ", ch.Event.Regarding.Key, " ", ch.Event.Count)
	}
	return head + fmt.Sprint(ch.Lease.Holder, " ", ch.Lease.Seconds, " ", ch.Lease.Renewed.Clock())
}

func TestStampsAheadOfOurClockBoundNothing(t *testing.T) {
	now := model.At(time.Date(2026, 8, 14, 14, 0, 0, 0, time.UTC))
	for _, c := range []struct{ stamp, want model.Instant }{
		{0, model.FarPast},
		{now.Add(-time.Second), now.Add(-time.Second)},
		{now, now},
		{now.Add(time.Second), model.FarPast},
		{model.FarFuture, model.FarPast},
	} {
		ch := model.Change{Time: model.Interval{Earliest: c.stamp}}
		stamp(&ch, now)
		if ch.Arrival != now || ch.Time != (model.Interval{Earliest: c.want, Latest: now}) {
			t.Errorf("stamp %v: %v", c.stamp, ch.Time)
		}
	}
}
