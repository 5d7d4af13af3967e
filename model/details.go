package model

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Details are what a Node says beyond what its health depends on: labels, what the machine runs, its
// addresses, capacity, and who owns it. They are shown, and nodes are compared by them.
//
// They are packed into one text, a line for each: name=value, in the order of names. Versions of a node
// share it as long as nothing in it changes. The zero value is none.
type Details string

// The names of details. Labels, addresses and resources have their own name after these.
const (
	DetailOSImage    = "osImage"
	DetailKernel     = "kernelVersion"
	DetailRuntime    = "containerRuntimeVersion"
	DetailBootID     = "bootID"
	DetailMachineID  = "machineID"
	DetailSystemUUID = "systemUUID"
	// DetailFeatures are those that the kubelet declares, with blanks between them.
	DetailFeatures = "declaredFeatures"
	// DetailPodCIDR are those of the node, with blanks between them.
	DetailPodCIDR = "podCIDR"
	// DetailWriter has the name of a manager of the object after it, and when it wrote last as value; those of
	// the status are left out, which kubelets write all the time.
	DetailWriter = "writer "
	// DetailCordoned is the manager of spec.unschedulable and when it wrote last, with a blank between them; only of
	// a node that is cordoned.
	DetailCordoned = "cordoned by"
	// DetailTainted is when the list of its taints was written last at the latest; only of a node with a taint that does not
	// say itself when it was added.
	DetailTainted = "tainted by"
	// DetailReadyBy is the manager that gave Ready its status, and, unless that is part of Kubernetes, when it wrote last,
	// with a blank between them: see Managed.
	DetailReadyBy     = "ready by"
	DetailOwner       = "owner"
	DetailLabel       = "label "
	DetailAddress     = "address "
	DetailCapacity    = "capacity "
	DetailAllocatable = "allocatable "
)

// HasField says that a label is kept in a field of the Node, and is no detail.
func HasField(label string) bool {
	switch label {
	case LabelZone, LabelRegion, labelZoneBeta, labelRegionBeta, LabelExcludeDisruption, LabelInstanceType, LabelInstanceTypeBeta:
		return true
	}
	return false
}

// TaintedBy is by when its taints were there that do not say themselves since when, as managedFields tell, to the second;
// unknown where they do not tell.
func (n *Node) TaintedBy() Instant {
	text, _ := n.Details.Get(DetailTainted)
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return At(t).Add(time.Second)
	}
	return 0
}

// TaintSince is within which time a taint of the node was put on: at its timeAdded or, where it has none, after the node was
// made and by when managedFields have its taints written last. Its Latest is unknown where neither is told.
func (n *Node) TaintSince(t *Taint) Interval {
	if t.Added.Bounded() {
		return Exactly(t.Added)
	}
	return Interval{Earliest: cmp.Or(n.Created, FarPast), Latest: n.TaintedBy()}
}

// CordonedBy is who has cordoned the node, as its managedFields tell, and when that manager wrote last; "" where they
// do not tell.
func (n *Node) CordonedBy() (who string, last Instant) {
	if !n.Unschedulable {
		return "", 0
	}
	text, _ := n.Details.Get(DetailCordoned)
	return ManagerAt(text)
}

// maxDetails bounds what is kept of one node: what it has beyond is left out.
const maxDetails = 4 << 10

// Detail is one of them.
type Detail struct{ Name, Value string }

// PackDetails packs details, which it puts in order. Empty values are none, and what has no room is left
// out. Line breaks become blanks.
func PackDetails(list []Detail, into []byte) []byte { return packDetails(list, into, maxDetails) }

// PackLong is PackDetails with room for the endpoints of a whole EndpointSlice.
func PackLong(list []Detail, into []byte) []byte { return packDetails(list, into, 16*maxDetails) }

func packDetails(list []Detail, into []byte, most int) []byte {
	slices.SortFunc(list, func(a, b Detail) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Value, b.Value))
	})
	for _, d := range list {
		if d.Value == "" && !strings.HasPrefix(d.Name, DetailLabel) || strings.ContainsAny(d.Name, "=\n") || len(into)+len(d.Name)+len(d.Value)+2 > most {
			continue
		}
		if len(into) > 0 {
			into = append(into, '\n')
		}
		into = append(into, d.Name...)
		into = append(into, '=')
		into = append(into, strings.ReplaceAll(d.Value, "\n", " ")...)
	}
	return into
}

// All calls yield for each, in the order of names, until it returns false.
func (d Details) All(yield func(name, value string) bool) {
	for rest := string(d); rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		name, value, _ := strings.Cut(line, "=")
		if !yield(name, value) {
			return
		}
		rest = after
	}
}

// Get is the value of a detail; ok is false where there is none.
func (d Details) Get(name string) (value string, ok bool) {
	for text := string(d); ; { // line by line would take ten times as long
		at := strings.Index(text, name)
		if at < 0 || name == "" {
			return "", false
		}
		begins := at == 0 && len(text) == len(d) || at > 0 && text[at-1] == '\n'
		text = text[at+len(name):]
		if begins && strings.HasPrefix(text, "=") {
			value, _, _ = strings.Cut(text[1:], "\n")
			return value, true
		}
	}
}

// withoutWriters are the details without who wrote when.
func (d Details) withoutWriters() Details {
	return d.without(func(name string) bool {
		return name == DetailReadyBy || name == DetailTainted || strings.HasPrefix(name, DetailWriter)
	})
}
