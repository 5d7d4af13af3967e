package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// auditAgents are the user and the agent of each Actor.
var auditAgents = map[Actor][2]string{
	Eviction:  {"system:kube-controller-manager", "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/abc1234/taint-eviction-controller"},
	Collector: {"system:kube-controller-manager", "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/abc1234/pod-garbage-collector"},
	World:     {"admin", "kubectl/v1.36.3 (linux/amd64) kubernetes/abc1234"},
}

func auditAgent(by Actor) [2]string {
	if a, ok := auditAgents[by]; ok {
		return a
	}
	return [2]string{"system:kube-controller-manager", "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/abc1234/node-controller"}
}

// auditTook is how long each request takes.
const auditTook = 2 * time.Millisecond

type auditEvent struct {
	Kind       string         `json:"kind"`
	APIVersion string         `json:"apiVersion"`
	Level      string         `json:"level"`
	AuditID    string         `json:"auditID"`
	Stage      string         `json:"stage"`
	Verb       string         `json:"verb"`
	User       map[string]any `json:"user"`
	UserAgent  string         `json:"userAgent"`
	ObjectRef  auditRef       `json:"objectRef"`
	Status     map[string]any `json:"responseStatus"`
	Request    any            `json:"requestObject,omitempty"`
	Response   any            `json:"responseObject,omitempty"`
	Received   string         `json:"requestReceivedTimestamp"`
	Finished   string         `json:"stageTimestamp"`
}

type auditRef struct {
	Resource    string `json:"resource"`
	Namespace   string `json:"namespace,omitempty"`
	Name        string `json:"name"`
	APIGroup    string `json:"apiGroup,omitempty"`
	APIVersion  string `json:"apiVersion"`
	Subresource string `json:"subresource,omitempty"`
}

// WriteAuditLog writes the API server's audit log, level RequestResponse, without Events and leader leases.
func (t *Trace) WriteAuditLog(w io.Writer) error {
	out := bufio.NewWriter(w)
	a := &auditWriter{json: json.NewEncoder(out)}
	for i := range t.Steps {
		a.step(&t.Steps[i], t.Steps[i+1:])
	}
	if a.err != nil {
		return a.err
	}
	return out.Flush()
}

type auditWriter struct {
	json *json.Encoder
	n    int
	err  error
	// deletes: the next write of this pod is the effect of the preceding DELETE.
	deletes string
	forced  bool
}

func (a *auditWriter) step(s *Step, rest []Step) {
	switch {
	case s.Node != nil:
		a.node(s)
	case s.Lease != nil:
		a.lease(s)
	case s.Pod != nil:
		a.pod(s)
	case s.Delete != "":
		a.deletes, a.forced = s.Delete, s.Force
		if len(rest) == 0 || rest[0].Pod == nil || rest[0].Pod.Name != s.Delete {
			a.deletes = "" // nothing changed: the pod was terminating
		}
	case s.Conflict != "":
		a.refused(s, s.Conflict, 409, "Conflict")
	case s.Refused != "" && !strings.Contains(s.Refused, " "):
		a.refused(s, s.Refused, 500, "InternalError")
	}
}

func (a *auditWriter) node(s *Step) {
	ref := auditRef{Resource: "nodes", Name: s.Node.Name, APIVersion: "v1"}
	verb, o, agent := "update", s.Node.New, auditAgent(s.By)
	switch {
	case s.Node.New == nil:
		verb, o = "delete", s.Node.Old
	case s.Node.Old == nil:
		verb = "create"
	case !reflect.DeepEqual(s.Node.Old.Status, o.Status):
		ref.Subresource = "status"
		if s.By == World {
			agent = kubeletAgent(s.Node.Name)
		}
	case s.By != World:
		verb = "patch"
	}
	var request any
	if verb == "patch" {
		request = map[string]any{"spec": map[string]any{"taints": o.Spec.Taints}}
		if reflect.DeepEqual(s.Node.Old.Spec.Taints, o.Spec.Taints) {
			request = map[string]any{"metadata": map[string]any{"labels": o.Labels}}
		}
	}
	o = o.DeepCopy()
	o.TypeMeta = metav1.TypeMeta{Kind: "Node", APIVersion: "v1"}
	a.write(s, verb, ref, agent, request, o)
}

func (a *auditWriter) lease(s *Step) {
	verb, o := "update", s.Lease.New
	switch {
	case s.Lease.New == nil:
		verb, o = "delete", s.Lease.Old
	case s.Lease.Old == nil:
		verb = "create"
	}
	o = o.DeepCopy()
	o.TypeMeta = metav1.TypeMeta{Kind: "Lease", APIVersion: "coordination.k8s.io/v1"}
	ref := auditRef{Resource: "leases", Namespace: o.Namespace, Name: o.Name, APIGroup: "coordination.k8s.io", APIVersion: "v1"}
	a.write(s, verb, ref, kubeletAgent(o.Name), nil, o)
}

func (a *auditWriter) pod(s *Step) {
	ns, name, _ := strings.Cut(s.Pod.Name, "/")
	ref := auditRef{Resource: "pods", Namespace: ns, Name: name, APIVersion: "v1"}
	verb, o, agent := "update", s.Pod.New, auditAgent(s.By)
	var request any
	switch {
	case a.deletes == s.Pod.Name || s.Pod.New == nil:
		verb = "delete"
		if a.forced || a.deletes == "" {
			request = map[string]any{"kind": "DeleteOptions", "apiVersion": "v1", "gracePeriodSeconds": 0}
		}
		if s.Pod.New == nil {
			o = s.Pod.Old
		}
		if s.By == World {
			agent = kubeletAgent(o.Spec.NodeName)
		}
	case s.Pod.Old == nil:
		verb = "create"
	case !reflect.DeepEqual(s.Pod.Old.Status, o.Status):
		ref.Subresource = "status"
		if s.By == Eviction || s.By == Collector {
			verb, request = "patch", map[string]any{"status": map[string]any{"conditions": o.Status.Conditions}}
		}
	}
	a.deletes = ""
	o = o.DeepCopy()
	o.TypeMeta = metav1.TypeMeta{Kind: "Pod", APIVersion: "v1"}
	if verb == "delete" && s.Pod.New == nil {
		zero := int64(0)
		o.DeletionGracePeriodSeconds, o.DeletionTimestamp = &zero, &metav1.Time{Time: s.At}
	}
	a.write(s, verb, ref, agent, request, o)
}

func (a *auditWriter) refused(s *Step, name string, code int, reason string) {
	ref := auditRef{Resource: "nodes", Name: name, APIVersion: "v1"}
	verb := "patch"
	if ns, pod, ok := strings.Cut(name, "/"); ok {
		ref = auditRef{Resource: "pods", Namespace: ns, Name: pod, APIVersion: "v1", Subresource: "status"}
	} else if s.By == Pass {
		verb, ref.Subresource = "update", "status"
	}
	a.line(s, verb, ref, auditAgent(s.By), code, reason, nil, nil)
}

func kubeletAgent(node string) [2]string {
	return [2]string{"system:node:" + node, "kubelet/v1.36.3 (linux/amd64) kubernetes/abc1234"}
}

func (a *auditWriter) write(s *Step, verb string, ref auditRef, agent [2]string, request any, o runtime.Object) {
	code := 200
	if verb == "create" {
		code = 201
	}
	a.line(s, verb, ref, agent, code, "", request, o)
}

func (a *auditWriter) line(s *Step, verb string, ref auditRef, agent [2]string, code int, reason string, request, response any) {
	status := map[string]any{"metadata": map[string]any{}, "code": code}
	if reason != "" {
		status["status"], status["reason"] = "Failure", reason
	}
	a.n++
	e := auditEvent{Kind: "Event", APIVersion: "audit.k8s.io/v1", Level: "RequestResponse", AuditID: auditID(a.n), Stage: "ResponseComplete",
		Verb: verb, User: map[string]any{"username": agent[0]}, UserAgent: agent[1], ObjectRef: ref, Status: status,
		Request: request, Response: response, Received: micro(s.At), Finished: micro(s.At.Add(auditTook))}
	if err := a.json.Encode(&e); err != nil && a.err == nil {
		a.err = err
	}
}

func auditID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func micro(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }
