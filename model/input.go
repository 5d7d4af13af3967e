package model

// Input is a fact a Decision rests on.
type Input struct {
	// The fields Of and N are a name and a number in the fact.
	What InputRole
	Kind Kind
	N    int32
	Of   string
	Key  Key
	// Version is the resourceVersion; 0 if unknown.
	Version uint64
	// At is when the fact held; for a heartbeat its own timestamp.
	At Instant
	// Position is that of the Change in the History plus one; 0 if the fact is not a Change.
	Position int
}

// InputRole is the role of an Input.
type InputRole uint8

const (
	InputNone InputRole = iota
	// The object as the controller saw it.
	InputNode
	InputPod
	// The start of a counted silence: last lease or status, first sight or creation of the node, or disruption's end.
	InputLease
	InputStatus
	InputFirstSight
	InputCreation
	InputMasterEnd
	// Timestamps in objects. InputNotReadySince is the kubelet's; InputTaintAdded names the taint, InputDisrupted why.
	InputRenewal
	InputReadySince
	InputNotReadySince
	InputTaintAdded
	InputDeletion
	InputDisrupted
	InputAcquired
	// An Event named Of; one with a count N has a first and a last time.
	InputEvent
	InputEventFirst
	InputEventLast
	InputChange
	// InputLogLine is line N of a component's own log, InputSample a sample with its place.
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
