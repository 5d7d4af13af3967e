package model

import (
	"slices"
	"strings"
	"time"
)

// WriterOf is the component that a field manager is: the name of the program, unless it says otherwise. All
// controllers of kube-controller-manager are one field manager, and what it wrote may be any controller's: that stays
// unknown, as what a program wrote that is all of Kubernetes in one, and what was merged of managers that were too many.
func WriterOf(manager string) Writer {
	switch {
	case manager == "" || manager == ControllerManager || allInOne(manager) || merged(manager):
		return WriterUnknown
	case manager == "kubelet" || strings.HasPrefix(manager, "kwok"):
		return WriterKubelet
	case manager == "kube-apiserver":
		return WriterAPIServer
	case manager == "kube-scheduler":
		return WriterScheduler
	case manager == "cloud-controller-manager":
		return WriterControllerManager
	}
	return WriterPerson
}

// allInOne says that a program is kubelet and controllers in one: that of k3s, MicroK8s, and of Kubernetes itself once.
func allInOne(manager string) bool {
	return manager == "k3s" || manager == "kubelite" || manager == "hyperkube"
}

// merged says that an entry of managedFields stands for several managers, or for a time before there were any.
// Source: kubernetes: apimachinery/pkg/util/managedfields/internal, capManagersManager and skipNonAppliedManager.
func merged(manager string) bool {
	return manager == "ancient-changes" || manager == "before-first-apply"
}

// Managed finds in the managedFields of a Node who wrote what nothing else in it tells: whoever changes a field owns it alone,
// until another does. What else a manager has written since may have moved its time.
// Source: kubernetes: structured-merge-diff, merge.Updater.Update.
type Managed struct {
	status, heartbeat owner  // of the Ready condition
	taints            string // when its list of taints was written last at the latest: whoever adds or takes off one owns it
	cordon            string
}

// ManagedEntry is an entry of managedFields: its time in RFC 3339, "" for none, and its fields as JSON.
type ManagedEntry struct{ Manager, Subresource, Time, Fields string }

// owner is a manager, and when it wrote last, in RFC 3339; "*" are several.
type owner struct{ manager, last string }

func (o *owner) is(manager, last string) {
	if o.manager != "" && o.manager != manager {
		manager = "*"
	}
	*o = owner{manager, max(o.last, last)}
}

// Entry takes in one entry. wrote is called for one of which it is kept when its manager wrote last: see DetailWriter.
func (o *Managed) Entry(e ManagedEntry, wrote func(manager, last string)) {
	if e.Time == "" {
		return
	}
	if o.ready(e); e.Subresource != "" {
		return
	}
	wrote(e.Manager, e.Time)
	if strings.Contains(e.Fields, `"f:taints"`) {
		o.taints = max(o.taints, e.Time)
	}
	if strings.Contains(e.Fields, `"f:unschedulable"`) {
		o.cordon = e.Manager + " " + e.Time
	}
}

// ready takes in what an entry tells of the Ready condition.
func (o *Managed) ready(e ManagedEntry) {
	_, fields, ok := strings.Cut(e.Fields, `"k:{\"type\":\"Ready\"}"`)
	if !ok {
		return
	}
	depth := 0
	end := strings.IndexFunc(fields, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == '}' && depth <= 0
	})
	if end < 0 {
		return
	}
	if strings.Contains(fields[:end], `"f:status"`) {
		o.status.is(e.Manager, e.Time)
	}
	if strings.Contains(fields[:end], `"f:lastHeartbeatTime"`) {
		o.heartbeat.is(e.Manager, e.Time)
	}
}

// Details adds what was found of a node with these taints.
func (o *Managed) Details(cordoned bool, taints []Taint, add func(name, value string)) {
	add(DetailReadyBy, o.readyBy())
	if slices.ContainsFunc(taints, func(t Taint) bool { return !t.Added.Known() }) {
		add(DetailTainted, o.taints)
	}
	if cordoned {
		add(DetailCordoned, o.cordon)
	}
}

// readyBy is the value of DetailReadyBy; "" where nothing is told. A kubelet that has posted since
// somebody else wrote the status says the same: what it finds otherwise it changes. Of kubelets and of the
// controllers no time is kept: they write all the time.
func (o *Managed) readyBy() string {
	by := o.status
	if posts := o.heartbeat; by.manager != "" && WriterOf(posts.manager) == WriterKubelet && posts.last > by.last {
		by = posts
	}
	switch {
	case by.manager == "*" || merged(by.manager):
		return ""
	case by.manager == "" || WriterOf(by.manager) == WriterPerson:
		return strings.TrimSpace(by.manager + " " + by.last)
	}
	return by.manager
}

// ManagerAt parts a manager from when it wrote last, with a blank between them; no time where none follows.
func ManagerAt(text string) (who string, last Instant) {
	if cut := strings.LastIndexByte(text, ' '); cut >= 0 {
		if t, err := time.Parse(time.RFC3339, text[cut+1:]); err == nil {
			return text[:cut], At(t)
		}
	}
	return text, 0
}

// ReadyManager is who gave Ready the status that it has, as the node's managedFields tell, and when that manager wrote last;
// "" where they do not tell, and no time for what is part of Kubernetes.
func (n *Node) ReadyManager() (who string, last Instant) {
	text, _ := n.Details.Get(DetailReadyBy)
	return ManagerAt(text)
}

// ReadyWriter is ReadyManager as a component. Of the controllers only node-lifecycle writes Ready, and only that it is Unknown;
// anything else is the kubelet's, where both are one program.
func (n *Node) ReadyWriter() Writer {
	who, _ := n.ReadyManager()
	ready := n.Ready()
	switch {
	case ready == nil || who == "":
		return WriterUnknown
	case ready.DeclaredUnknown() && (who == ControllerManager || allInOne(who)):
		return WriterNodeLifecycle
	case allInOne(who):
		return WriterKubelet
	}
	return WriterOf(who)
}
