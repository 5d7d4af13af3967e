package conformance

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// keys are the short names of taints in scripts.
var keys = map[string]string{
	"U":   v1.TaintNodeUnreachable,
	"N":   v1.TaintNodeNotReady,
	"OOS": v1.TaintNodeOutOfService,
}

func key(short string) string {
	if long, ok := keys[short]; ok {
		return long
	}
	return short
}

// conditionOf is the condition of a short name in scripts.
var conditionOf = map[string]v1.NodeConditionType{
	"memory": v1.NodeMemoryPressure, "disk": v1.NodeDiskPressure, "pid": v1.NodePIDPressure,
	"network": v1.NodeNetworkUnavailable,
}

// readTaint reads "key=value:Effect", "key:Effect".
func readTaint(s string) v1.Taint {
	s, effect, _ := strings.Cut(s, ":")
	k, value, _ := strings.Cut(s, "=")
	return v1.Taint{Key: key(k), Value: value, Effect: v1.TaintEffect(effect)}
}

// readTolerations reads "key/operator/value/effect/seconds" joined by "+"; "" is none.
func readTolerations(s string) []v1.Toleration {
	var list []v1.Toleration
	for _, word := range strings.Split(s, "+") {
		if word == "" || word == "none" {
			continue
		}
		f := strings.Split(word, "/")
		if len(f) != 5 {
			panic(fmt.Sprintf("toleration %q is not key/operator/value/effect/seconds", word))
		}
		t := v1.Toleration{Key: key(f[0]), Operator: v1.TolerationOperator(f[1]), Value: f[2], Effect: v1.TaintEffect(f[3])}
		if f[4] != "" {
			n, err := strconv.ParseInt(f[4], 10, 64)
			if err != nil {
				panic(err)
			}
			t.TolerationSeconds = &n
		}
		list = append(list, t)
	}
	return list
}

func zoneLabels(labels map[string]string, zone string) {
	delete(labels, v1.LabelTopologyRegion)
	delete(labels, v1.LabelTopologyZone)
	region, name, found := strings.Cut(zone, "/")
	if !found {
		region, name = "", zone
	}
	if region != "" {
		labels[v1.LabelTopologyRegion] = region
	}
	if name != "" {
		labels[v1.LabelTopologyZone] = name
	}
}

const excludeLabel = "node.kubernetes.io/exclude-disruption"

func uid(kind, name string, n int) types.UID {
	return types.UID(fmt.Sprintf("%s-%s-%d", kind, name, n))
}

// second is t as the API server stores a metav1.Time.
func second(t time.Time) metav1.Time { return metav1.Time{Time: time.Unix(t.Unix(), 0)} }

// newNode makes the node of a script's node line.
func newNode(c Command, created time.Time, generation int) *v1.Node {
	name := c.arg(0)
	n := &v1.Node{ObjectMeta: metav1.ObjectMeta{
		Name: name, UID: uid("node", name, generation), CreationTimestamp: second(created),
		Labels: map[string]string{
			v1.LabelOSStable: "linux", "beta.kubernetes.io/os": "linux",
			v1.LabelArchStable: "amd64", "beta.kubernetes.io/arch": "amd64",
		},
	}}
	zoneLabels(n.Labels, c.option("zone", ""))
	if c.option("exclude", "no") == "yes" {
		n.Labels[excludeLabel] = ""
	}
	if ready := c.option("ready", "True"); ready != "none" {
		setCondition(n, v1.NodeReady, v1.ConditionStatus(ready), created)
		for _, kind := range []v1.NodeConditionType{v1.NodeMemoryPressure, v1.NodeDiskPressure, v1.NodePIDPressure} {
			if c.option("pressures", "all") != "none" {
				setCondition(n, kind, v1.ConditionFalse, created)
			}
		}
	}
	for _, t := range strings.Split(c.option("taints", ""), "+") {
		if t != "" {
			n.Spec.Taints = append(n.Spec.Taints, readTaint(t))
		}
	}
	return n
}

// setCondition posts a condition as a kubelet does: the heartbeat always moves, the transition only with the status.
func setCondition(n *v1.Node, kind v1.NodeConditionType, status v1.ConditionStatus, now time.Time) {
	for i := range n.Status.Conditions {
		c := &n.Status.Conditions[i]
		if c.Type != kind {
			continue
		}
		if c.Status != status {
			c.Status, c.LastTransitionTime = status, second(now)
		}
		c.Reason, c.Message, c.LastHeartbeatTime = "KubeletSays", "", second(now)
		return
	}
	n.Status.Conditions = append(n.Status.Conditions, v1.NodeCondition{
		Type: kind, Status: status, Reason: "KubeletSays",
		LastHeartbeatTime: second(now), LastTransitionTime: second(now),
	})
}

const namespace = "default"

// newPod makes the pod of a script's pod line.
func newPod(c Command, created time.Time, generation int) *v1.Pod {
	name := c.arg(0)
	p := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: namespace, Name: name, UID: uid("pod", name, generation), CreationTimestamp: second(created),
		},
		Spec:   v1.PodSpec{NodeName: c.option("node", ""), Tolerations: readTolerations(c.option("tolerate", ""))},
		Status: v1.PodStatus{Phase: v1.PodPhase(c.option("phase", "Running"))},
	}
	if ready := c.option("ready", "True"); ready != "none" {
		p.Status.Conditions = []v1.PodCondition{{
			Type: v1.PodReady, Status: v1.ConditionStatus(ready), LastTransitionTime: second(created),
		}}
	}
	return p
}
