package model

import (
	"slices"
	"strings"
	"time"
)

// WriterOf is the component behind a field manager, by default the program's name. It is unknown for merged entries and
// for programs that are several components: kube-controller-manager is one manager for all its controllers.
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

// allInOne reports whether a program is kubelet and controllers in one.
func allInOne(manager string) bool {
	return manager == "k3s" || manager == "kubelite" || manager == "hyperkube"
}

// merged reports whether an entry of managedFields is for several managers, or for the time before there were any.
// Source: kubernetes: apimachinery/pkg/util/managedfields/internal, capManagersManager and skipNonAppliedManager.
func merged(manager string) bool {
	return manager == "ancient-changes" || manager == "before-first-apply"
}

// Managed finds writers that only a Node's managedFields show: a manager that changes a field owns it alone until
// another changes it. Its time may be that of a later write to another field.
// Source: kubernetes: structured-merge-diff, merge.Updater.Update.
type Managed struct {
	status, heartbeat owner  // of the Ready condition
	taints            string // the latest time of the last write to its taints: each writer owns the list
	cordon            string
}

// ManagedEntry is an entry of managedFields: Time in RFC 3339, "" for none, and Fields as JSON.
type ManagedEntry struct{ Manager, Subresource, Time, Fields string }

// owner is a manager and when it last wrote, in RFC 3339; "*" is several.
type owner struct{ manager, last string }

func (o *owner) is(manager, last string) {
	if o.manager != "" && o.manager != manager {
		manager = "*"
	}
	*o = owner{manager, max(o.last, last)}
}

// Entry adds an entry. wrote is called for each manager whose last write is kept: see DetailWriter.
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

// Details adds the findings for a node with these taints.
func (o *Managed) Details(cordoned bool, taints []Taint, add func(name, value string)) {
	add(DetailReadyBy, o.readyBy())
	if slices.ContainsFunc(taints, func(t Taint) bool { return !t.Added.Known() }) {
		add(DetailTainted, o.taints)
	}
	if cordoned {
		add(DetailCordoned, o.cordon)
	}
}

// readyBy is the value of DetailReadyBy; "" if unknown. A kubelet that posts after another writer agrees with it, or it
// would have changed the status. Times of kubelets and controllers are left out: they write all the time.
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

// ManagerAt splits a manager from the time of its last write, behind the last blank, if any.
func ManagerAt(text string) (who string, last Instant) {
	if cut := strings.LastIndexByte(text, ' '); cut >= 0 {
		if t, err := time.Parse(time.RFC3339, text[cut+1:]); err == nil {
			return text[:cut], At(t)
		}
	}
	return text, 0
}

// ReadyManager is the manager that set the status of Ready and, unless Kubernetes' own, its last write; "" if unknown.
func (n *Node) ReadyManager() (who string, last Instant) {
	return ManagerAt(n.Details.Value(DetailReadyBy))
}

// ReadyWriter is ReadyManager as a component. node-lifecycle is the only controller that writes Ready, as Unknown.
// Other writes of an all-in-one program are its kubelet's.
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

// Said is the writer that set a node NotReady: mostly its kubelet, but a person may write into a status too.
type Said struct {
	// By is the writer; an unseen write counts as the kubelet's.
	By Writer
	// Manager is the field manager of a writer that is not the kubelet, and Last when it last wrote; zero if unknown.
	Manager string
	Last    Instant
}

// OfKubelet reports whether this writer of NotReady is the kubelet, or unknown and so taken for it.
func (w Writer) OfKubelet() bool { return w == WriterKubelet || w == WriterUnknown }

// SaidNotReady is the writer that set the node NotReady.
func (r *NodeRow) SaidNotReady() Said {
	said := Said{By: r.ReadyBy}
	if r.Node == nil || said.By.OfKubelet() {
		return said
	}
	if who, last := r.Node.ReadyManager(); last.Known() && r.ReadyBy == WriterOf(who) {
		said.Manager, said.Last = who, last
	}
	return said
}

// WroteReady is the writer of Ready in this version of a Node, if that changed; WriterUnknown if neither the write nor
// managedFields show it. If versions between were missed, this writer did not make all changes. So a person's write
// counts only if nothing contradicts it. Only kubelets and persons write NotReady.
func (c *Change) WroteReady(was *Node) Writer {
	is := c.Node.Ready()
	switch {
	case c.Writer == WriterKubelet, c.Writer != WriterUnknown && is != nil && is.Status == StatusUnknown:
		return c.Writer
	case c.Writer != WriterPerson || was == nil || is == nil || was.Unschedulable != c.Node.Unschedulable || !slices.Equal(was.Taints, c.Node.Taints):
		return c.Node.ReadyWriter()
	}
	if before := was.Ready(); before == nil || before.Heartbeat != is.Heartbeat && is.Heartbeat < c.Time.Earliest.Truncate(time.Second) {
		return c.Node.ReadyWriter()
	}
	return WriterPerson
}
