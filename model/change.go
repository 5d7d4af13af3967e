package model

// Kind is the kind of thing a Change is about.
type Kind uint8

// The kinds Kardia watches. LeaderLease is the Lease in kube-system by which
// instances of kube-controller-manager or kube-scheduler elect their leader;
// NodeLease is a node's heartbeat in kube-node-lease.
const (
	KindNone Kind = iota
	KindNode
	KindNodeLease
	KindPod
	KindEvent
	KindLeaderLease
	// What follows are the related kinds: see Related.
	KindVolumeAttachment
	KindPersistentVolume
	KindPodDisruptionBudget
	KindEndpointSlice
	KindNodeClaim
	KindNodeHealthCheck
	// KindAutoscalerStatus is the ConfigMap in which the cluster autoscaler says how it is doing.
	KindAutoscalerStatus
	// KindServerLease is the Lease by which a kube-apiserver says that it lives: see Server.
	KindServerLease
	// KindEviction is what a pod that is still there was asked to be evicted for, and the answers: see Eviction. No source
	// shows such an object: a Cluster gathers it from the requests.
	KindEviction
	kindCount
)

// LastKind is the highest of the kinds.
const LastKind = kindCount - 1

// Kinds lists the kinds that are watched, in the order they are printed.
var Kinds = [...]Kind{KindNode, KindNodeLease, KindPod, KindEvent, KindLeaderLease}

// RelatedKinds lists those of which Changes carry a Related. A live cluster is asked for them only where
// they are shown.
var RelatedKinds = [...]Kind{KindVolumeAttachment, KindPersistentVolume, KindPodDisruptionBudget, KindEndpointSlice, KindNodeClaim,
	KindNodeHealthCheck, KindAutoscalerStatus, KindServerLease, KindEviction}

// AllKinds is Kinds, and RelatedKinds after them.
var AllKinds = append(Kinds[:len(Kinds):len(Kinds)], RelatedKinds[:]...)

// Related says whether Changes of the kind carry a Related.
func (k Kind) Related() bool { return k > KindLeaderLease && k < kindCount }

var kindNames = [kindCount]string{"None", "Node", "Lease", "Pod", "Event", "LeaderLease", "VolumeAttachment", "PersistentVolume",
	"PodDisruptionBudget", "EndpointSlice", "NodeClaim", "NodeHealthCheck", "AutoscalerStatus", "APIServerLease", "Eviction"}

// String is the word used in JSON and on screens.
func (k Kind) String() string { return kindNames[min(k, kindCount-1)] }

// Op says what happened to the object.
type Op uint8

const (
	// OpBaseline: the object stood so when coverage began. When it was written is
	// bounded by its own stamps only.
	OpBaseline Op = iota
	OpAdd
	OpModify
	OpDelete
	// OpAttempt: a write the API server refused. It changes no state, but tells
	// that somebody tried.
	OpAttempt
	// OpRepeat: a write that left the object version as it was (a patch that changes
	// nothing, a second DELETE of a terminating pod).
	OpRepeat
	// OpPatch: a write of which only the patch is known, because the source never
	// showed the whole object. Sources resolve it where they can.
	OpPatch
	// OpGap: the source was blind during Time. No object.
	OpGap
)

func (o Op) String() string {
	return [...]string{"baseline", "add", "modify", "delete", "attempt", "repeat", "patch", "gap"}[min(o, OpGap)]
}

// Quality says how good the time of a Change is, best first.
type Quality uint8

const (
	// ByArrival: received by our own recorder, on its clock.
	ByArrival Quality = iota
	// ByServer: the API server's clock, to the microsecond (audit log).
	ByServer
	// ByStamp: bounded by stamps the API server or a client left in the object, to about
	// a second.
	ByStamp
	// ByNeighbours: the version carries no stamp of its own; versions before and after it
	// in resourceVersion order bound it.
	ByNeighbours
	// ByOrder: only the order is known.
	ByOrder
)

func (q Quality) String() string {
	return [...]string{"arrival", "server", "stamp", "neighbours", "order"}[min(q, ByOrder)]
}

// Writer is the component that made a write, where it is known.
type Writer uint8

const (
	WriterUnknown Writer = iota
	WriterKubelet
	WriterNodeLifecycle
	WriterTaintEviction
	WriterPodGC
	WriterScheduler
	// WriterControllerManager: some controller of kube-controller-manager that is none
	// of the above (node IPAM, a workload controller, the leader election itself).
	WriterControllerManager
	WriterAPIServer
	// WriterPerson: kubectl, or a client that is none of the control plane's own.
	WriterPerson
)

func (w Writer) String() string {
	return [...]string{"unknown", "kubelet", "node-lifecycle", "taint-eviction", "pod-gc", "scheduler",
		"controller-manager", "apiserver", "person"}[min(w, WriterPerson)]
}

// PostsAsKubelet says that a status of this writer is a sign of life of its node's kubelet. What a person writes into it is
// none; but a program that nobody here knows may be the kubelet of a node that has no lease.
func (w Writer) PostsAsKubelet(leased bool) bool { return w != WriterPerson || !leased }

// Origin is where a Change was read: the source's index in the History, and the
// line (from 1) or byte offset in it; 0 where the source has none.
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

// Change is one observed fact. Its order in a History is the position it has
// there; its time is an interval, because most sources do not say when a version
// was written.
//
// Exactly one of Node, Pod, Event, Lease and Related belongs to the Kind; Node, Pod,
// Event and Related are nil where the source did not show the object (a DELETE known by
// its request only, an attempt). They are shared and must not be modified.
type Change struct {
	Kind    Kind
	Op      Op
	Quality Quality
	Writer  Writer
	// Code is the HTTP status of the request; 0 where the source has none.
	Code int16

	Key Key
	UID UID
	// Version is the resourceVersion as a number; 0 where unknown or not a number.
	Version uint64
	// Previous is the resourceVersion the writer said it was replacing (a PUT's
	// precondition); 0 where unknown.
	Previous uint64

	// Time is when the API server completed the write.
	Time Interval
	// Arrival is when we, the recorder, or the API server's audit log received it: the
	// moment its heartbeat was heard. Unknown for files that keep no arrival time.
	Arrival Instant
	// At is when the Change enters the state that is shown, where its History has placed
	// it: see Effective.
	At Instant

	Origin Origin
	// Also is a second place the same version was read from; zero if none.
	Also Origin

	Lease Lease
	Node  *Node
	Pod   *Pod
	Event *Event
	// Related is the object of a related kind.
	Related *Related

	// Patch is the body of an OpPatch, and Note the reason of an OpGap or of a refusal, or what else the
	// request tells.
	Patch []byte
	Note  string

	// Requester is who sent the request; nil where the source does not tell, and of a heartbeat (what a
	// kubelet writes to its node and its lease): those come by the million, and tell by the Writer and
	// the Key who wrote them.
	Requester *Requester
}

// Effective is when the Change enters the state that is shown. A History places it
// (At) within Time, never before the Change before it; until then it is the arrival
// where that is known, else the earliest instant at which it can have been written. So
// the state at t holds what may have been written by then.
func (c *Change) Effective() Instant {
	switch {
	case c.At.Known():
		return c.At
	case c.Arrival.Known():
		return c.Arrival
	}
	return c.Time.Earliest
}

// NodeName is the node the Change concerns, or "" if none: the node itself, the
// node of a lease, the node a pod is bound to, or the node an Event is about.
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
