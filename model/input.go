package model

// Input is a fact a Decision rests on.
type Input struct {
	// What is the role of the fact; Of and N are what is named and counted in it.
	What InputRole
	Kind Kind
	N    int32
	Of   string
	Key  Key
	// Version is the resourceVersion; 0 where unknown.
	Version uint64
	// At is when the fact held or, for a heartbeat, what it says of itself.
	At Instant
	// Position is the Change's position in the History plus one; 0 where the fact is
	// no Change of a History.
	Position int
}

// InputRole is the role of an Input.
type InputRole uint8

const (
	InputNone InputRole = iota
	// InputNode and InputPod: the object as the controller saw it.
	InputNode
	InputPod
	// What a silence is counted from: the last lease or status that counted, the controller's first sight of the node, its
	// creation, or the end of master disruption.
	InputLease
	InputStatus
	InputFirstSight
	InputCreation
	InputMasterEnd
	// Stamps in objects that were listed. InputNotReadySince is by the kubelet's word; InputTaintAdded names the taint, and
	// InputDisrupted the reason.
	InputRenewal
	InputReadySince
	InputNotReadySince
	InputTaintAdded
	InputDeletion
	InputDisrupted
	InputAcquired
	// An Event named Of; one that was counted N times has a first and a last time.
	InputEvent
	InputEventFirst
	InputEventLast
	// InputChange is a Change with the operation Of.
	InputChange
	// InputLogLine is line N of a component's own log, InputSample what was sampled, and where.
	InputLogLine
	InputSample
	inputRoleCount
)

// String is the code in a file of sentences; "" for none.
func (r InputRole) String() string {
	return [...]string{"", "node", "pod", "lease", "status", "first-sight", "creation", "master-end", "renewal", "ready-since",
		"not-ready-since", "taint-added", "deletion", "disrupted", "acquired", "event", "event-first", "event-last", "change",
		"log-line", "sample"}[min(r, inputRoleCount-1)]
}
