package audit

import (
	"cmp"
	"strings"

	"github.com/tidwall/gjson"

	"kardia/model"
)

type request struct {
	kind              model.Kind
	verb, subresource string
	by                model.Requester // of the whole agent
	body              gjson.Result    // of the request; may be absent
	pod               *model.Pod      // of the response; may be nil
	event             *model.Event    // of the response or the request; may be nil
}

// writer is the component that made a write. The user agent shows the program if it has its own name. Else the user
// does: k3s and others run all components in one program. In kube-controller-manager the controller's client name ends
// the user agent, or is its service account. Node-lifecycle and taint eviction share the client "node-controller", and
// a cut agent is shared by all: then the write itself decides.
// Source: kubernetes: cmd/kube-controller-manager/app/core.go, client-go/rest, AddUserAgent.
func (q *request) writer() model.Writer {
	program, user := q.by.Program(), q.by.User
	account, isAccount := strings.CutPrefix(user, model.ControllerAccounts)
	if !isAccount {
		account = ""
	}
	switch {
	case program == "kubectl":
		return model.WriterPerson
	case program == "kubelet" || strings.HasPrefix(program, "kwok"):
		return model.WriterKubelet
	case program == "kube-apiserver" || user == "system:apiserver":
		return model.WriterAPIServer
	case program == "kube-scheduler" || user == "system:kube-scheduler" || q.subresource == "binding":
		return model.WriterScheduler
	case program == "kube-controller-manager" || user == "system:kube-controller-manager":
		return q.controller(cmp.Or(q.by.Client(), account))
	case isAccount && (account == "node-controller" || account == "pod-garbage-collector" || account == "taint-eviction-controller"):
		return q.controller(account)
	case program == "cloud-controller-manager" || user == "system:cloud-controller-manager" ||
		isAccount && strings.HasSuffix(account, "-controller"):
		return model.WriterControllerManager
	case strings.HasPrefix(user, "system:node:"):
		return model.WriterKubelet
	case q.by.Agent == "" && user == "":
		return model.WriterUnknown
	}
	return model.WriterPerson
}

// controller distinguishes the controllers of kube-controller-manager; name is the client's, "" if unknown.
func (q *request) controller(name string) model.Writer {
	switch name {
	case "pod-garbage-collector":
		return model.WriterPodGC
	case "taint-eviction-controller":
		return model.WriterTaintEviction
	case "node-controller", "":
	default:
		return model.WriterControllerManager
	}
	switch q.kind {
	case model.KindNode:
		return q.nodeController(name)
	case model.KindPod:
		return q.podController(name)
	case model.KindEvent:
		return q.eventController(name)
	}
	return model.WriterControllerManager
}

// nodeController: node-lifecycle writes conditions (PUT), taints and labels (PATCH). Node IPAM shares its client and
// writes the pod CIDR; others write annotations and volumes.
func (q *request) nodeController(name string) model.Writer {
	cidr := q.body.Get("spec.podCIDR").Exists() || q.body.Get("spec.podCIDRs").Exists()
	switch {
	case q.verb == "update":
		return model.WriterNodeLifecycle
	case q.verb != "patch" || cidr:
		return model.WriterControllerManager
	case name != "", q.body.Get("spec.taints").Exists(), q.body.Get("metadata.labels").Exists():
		return model.WriterNodeLifecycle
	}
	return model.WriterControllerManager
}

// podController distinguishes by the request. Node-lifecycle marks pods not ready (PUT status). Taint eviction and pod
// GC patch a DisruptionTarget and delete: the first with the pod's termination grace, the second with 0.
func (q *request) podController(name string) model.Writer {
	switch q.verb {
	case "update":
		if q.subresource == "status" {
			return model.WriterNodeLifecycle
		}
	case "patch":
		if w := byReason(q.body.Get(`status.conditions.#(type=="DisruptionTarget").reason`).String()); w != model.WriterUnknown {
			return w
		}
	case "delete":
		if grace := q.body.Get("gracePeriodSeconds"); grace.Exists() && grace.Int() == 0 {
			return model.WriterPodGC
		}
		if name == "node-controller" {
			return model.WriterTaintEviction
		}
		if q.pod != nil {
			if w := byReason(q.pod.DisruptionReason); w != model.WriterUnknown {
				return w
			}
		}
	}
	return model.WriterControllerManager
}

// byReason finds the writer by a DisruptionTarget's reason.
// Source: kubernetes: staging/src/k8s.io/api/core/v1, PodReasonDeletionBy…
func byReason(reason string) model.Writer {
	switch reason {
	case model.DisruptedByTaintManager:
		return model.WriterTaintEviction
	case "DeletionByPodGC":
		return model.WriterPodGC
	}
	return model.WriterUnknown
}

func (q *request) eventController(name string) model.Writer {
	if q.event != nil {
		switch q.event.Component {
		case "taint-eviction-controller":
			return model.WriterTaintEviction
		case "node-controller":
			return model.WriterNodeLifecycle
		}
	}
	if name != "" && q.event == nil {
		return model.WriterNodeLifecycle
	}
	return model.WriterControllerManager
}
