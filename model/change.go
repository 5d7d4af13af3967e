package model

// Kind is the kind of thing a Change is about.
type Kind uint8

// The kinds Kardia watches. LeaderLease is the leader-election lease of kube-controller-manager or kube-scheduler in
// kube-system; NodeLease is a node's heartbeat in kube-node-lease.
const (
	KindNone Kind = iota
	KindNode
	KindNodeLease
	KindPod
	KindEvent
	KindLeaderLease
	// The related kinds follow: see Related.
	KindVolumeAttachment
	KindPersistentVolume
	KindPodDisruptionBudget
	KindEndpointSlice
	KindNodeClaim
	KindNodeHealthCheck
	// KindAutoscalerStatus is the ConfigMap with the status of the cluster autoscaler.
	KindAutoscalerStatus
	// KindServerLease is the Lease that a kube-apiserver renews while it lives: see Server.
	KindServerLease
	// KindEviction is the requests to evict a pod: see Eviction. No source shows such an object: a Cluster gathers it.
	KindEviction
	kindCount
)

// LastKind is the highest of the kinds.
const LastKind = kindCount - 1

// Kinds lists the watched kinds, in the order they are printed.
var Kinds = [...]Kind{KindNode, KindNodeLease, KindPod, KindEvent, KindLeaderLease}

// RelatedKinds lists the kinds whose Changes carry a Related. A live cluster is asked for them only if they are shown.
var RelatedKinds = [...]Kind{KindVolumeAttachment, KindPersistentVolume, KindPodDisruptionBudget, KindEndpointSlice, KindNodeClaim,
	KindNodeHealthCheck, KindAutoscalerStatus, KindServerLease, KindEviction}

// AllKinds is Kinds, and RelatedKinds after them.
var AllKinds = append(Kinds[:len(Kinds):len(Kinds)], RelatedKinds[:]...)

// Related reports whether Changes of the kind carry a Related.
func (k Kind) Related() bool { return k > KindLeaderLease && k < kindCount }

var kindNames = [kindCount]string{"None", "Node", "Lease", "Pod", "Event", "LeaderLease", "VolumeAttachment", "PersistentVolume",
	"PodDisruptionBudget", "EndpointSlice", "NodeClaim", "NodeHealthCheck", "AutoscalerStatus", "APIServerLease", "Eviction"}

// String is the word used in JSON and on screens.
func (k Kind) String() string { return kindNames[min(k, kindCount-1)] }

// Op says what happened to the object.
type Op uint8

const (
	// OpBaseline: the object was so when coverage began. Only its own timestamps bound when it was written.
	OpBaseline Op = iota
	OpAdd
	OpModify
	OpDelete
	// OpAttempt: a write that the API server refused. It changes no state, but shows the attempt.
	OpAttempt
	// OpRepeat: a write that left the version as it was: a patch without effect, a second DELETE of a terminating pod.
	OpRepeat
	// OpPatch: only the patch is known, since the source never showed the object. Sources resolve it if they can.
	OpPatch
	// OpGap: the source had no data during Time. No object.
	OpGap
)

func (o Op) String() string {
	return [...]string{"baseline", "add", "modify", "delete", "attempt", "repeat", "patch", "gap"}[min(o, OpGap)]
}

// Quality is how exact the time of a Change is, best first.
type Quality uint8

const (
	// ByArrival: received by our own recorder, on its clock.
	ByArrival Quality = iota
	// ByServer: the API server's clock, to the microsecond (audit log).
	ByServer
	// ByStamp: bounded by timestamps that the API server or a client left in the object, to about a second.
	ByStamp
	// ByNeighbours: no timestamp; bounded by the versions before and after it in resourceVersion order.
	ByNeighbours
	// ByOrder: only the order is known.
	ByOrder
)

func (q Quality) String() string {
	return [...]string{"arrival", "server", "stamp", "neighbours", "order"}[min(q, ByOrder)]
}

// Writer is the component that made a write, if it is known.
type Writer uint8

const (
	WriterUnknown Writer = iota
	WriterKubelet
	WriterNodeLifecycle
	WriterTaintEviction
	WriterPodGC
	WriterScheduler
	// WriterControllerManager: another controller of kube-controller-manager (node IPAM, workloads), or its election.
	WriterControllerManager
	WriterAPIServer
	// WriterPerson: kubectl, or a client that is none of the control plane's own.
	WriterPerson
)

func (w Writer) String() string {
	return [...]string{"unknown", "kubelet", "node-lifecycle", "taint-eviction", "pod-gc", "scheduler",
		"controller-manager", "apiserver", "person"}[min(w, WriterPerson)]
}

// PostsAsKubelet reports whether a status by this writer is a heartbeat of the kubelet. A person's is not, except that
// an unknown program may be the kubelet of a node without a lease.
func (w Writer) PostsAsKubelet(leased bool) bool { return w != WriterPerson || !leased }

// Origin is where a Change was read: the source's index in the History, a Line from 1, an Offset in bytes; or 0.
type Origin struct {
	Source int32
	Line   int32
	Offset int64
}

// Key names an object. Namespace is empty for nodes.
type Key struct {
	Namespace, Name string
}

// String is namespace/name, or the name alone.
func (k Key) String() string {
	if k.Namespace == "" {
		return k.Name
	}
	return k.Namespace + "/" + k.Name
}

// ObjectID names an object among those of all kinds.
type ObjectID struct {
	Kind Kind
	Key  Key
}

func (o ObjectID) String() string { return o.Kind.String() + " " + o.Key.String() }

// Change is one observed fact. Its order is its position in a History; its time is an interval, because most sources do
// not show when a version was written. Kind decides which of Node, Pod, Event, Lease and Related is set. The pointers
// are nil if the source did not show the object, as in a DELETE. They are shared and must not be modified.
type Change struct {
	Kind    Kind
	Op      Op
	Quality Quality
	Writer  Writer
	// Code is the HTTP status of the request; 0 if unknown.
	Code int16

	Key Key
	UID UID
	// Version is the resourceVersion as a number; 0 if unknown or not a number.
	Version uint64
	// Previous is the resourceVersion that a PUT requires to be current; 0 if unknown.
	Previous uint64

	// Time is when the API server completed the write.
	Time Interval
	// Arrival is when the recorder or the audit log received it. Unknown for files without arrival times.
	Arrival Instant
	// At is when the Change enters the shown state, if set by its History: see Effective.
	At Instant

	Origin Origin
	// Also is a second place the same version was read from; zero if none.
	Also Origin

	Lease   Lease
	Node    *Node
	Pod     *Pod
	Event   *Event
	Related *Related

	// Patch is the body of an OpPatch. Note is the reason of an OpGap or a refusal, or more about the request.
	Patch []byte
	Note  string

	// Requester is the sender; nil if unknown, or for a kubelet's millions of heartbeats: Writer and Key identify it.
	Requester *Requester
}

// Effective is when the Change enters the shown state. A History sets it (At) within Time, never before the previous
// Change. Without At it is the arrival, else the earliest time of the write: the state has all possible writes by then.
func (c *Change) Effective() Instant { return effective(c.At, c.Arrival, c.Time) }

func effective(at, arrival Instant, written Interval) Instant {
	switch {
	case at.Known():
		return at
	case arrival.Known():
		return arrival
	}
	return written.Earliest
}

// NodeName is the node itself, the node of a lease or a pod, or the subject of an Event; "" if there is none.
func (c *Change) NodeName() string {
	switch c.Kind {
	case KindNode, KindNodeLease:
		return c.Key.Name
	case KindPod:
		if c.Pod != nil {
			return c.Pod.Node
		}
	case KindEvent:
		if c.Event != nil && c.Event.Regarding.Kind == "Node" {
			return c.Event.Regarding.Name
		}
	}
	return ""
}
