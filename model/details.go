package model

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// Details are the data of a Node beyond its health: labels, software, addresses, capacity, owner. They are one text of
// lines name=value, in the order of names. Versions of a node share it while it is the same. The zero value is none.
type Details string

// The names of details. Labels, addresses and resources append their own name.
const (
	DetailOSImage    = "osImage"
	DetailKernel     = "kernelVersion"
	DetailRuntime    = "containerRuntimeVersion"
	DetailBootID     = "bootID"
	DetailMachineID  = "machineID"
	DetailSystemUUID = "systemUUID"
	// DetailFeatures are those that the kubelet declares, DetailPodCIDR those of the node; separated by blanks.
	DetailFeatures = "declaredFeatures"
	DetailPodCIDR  = "podCIDR"
	// DetailWriter is followed by a manager of the object; its value is when that last wrote. Managers of the status
	// are left out: kubelets write it all the time.
	DetailWriter = "writer "
	// DetailCordoned is the manager of spec.unschedulable and its last write, separated by a blank; only if cordoned.
	DetailCordoned = "cordoned by"
	// DetailTainted is the latest last write to the taints; only for a node with a taint without timeAdded.
	DetailTainted = "tainted by"
	// DetailReadyBy is the manager that set the status of Ready. If it is not part of Kubernetes, a blank and its last
	// write follow: see Managed.
	DetailReadyBy     = "ready by"
	DetailOwner       = "owner"
	DetailLabel       = "label "
	DetailAddress     = "address "
	DetailCapacity    = "capacity "
	DetailAllocatable = "allocatable "
)

// HasField reports whether a label is a field of the Node, not a detail.
func HasField(label string) bool {
	switch label {
	case LabelZone, LabelRegion, labelZoneBeta, labelRegionBeta, LabelExcludeDisruption, LabelInstanceType, LabelInstanceTypeBeta:
		return true
	}
	return false
}

// TaintedBy is the latest time at which taints without timeAdded were added, by managedFields, to 1 s; or unknown.
func (n *Node) TaintedBy() Instant {
	if t, err := time.Parse(time.RFC3339, n.Details.Value(DetailTainted)); err == nil {
		return At(t).Add(time.Second)
	}
	return 0
}

// TaintSince is timeAdded, or else from the node's creation to TaintedBy. Latest is unknown if neither is known.
func (n *Node) TaintSince(t *Taint) Interval {
	if t.Added.Bounded() {
		return Exactly(t.Added)
	}
	return Interval{Earliest: cmp.Or(n.Created, FarPast), Latest: n.TaintedBy()}
}

// CordonedBy is the manager that cordoned the node and when it last wrote, by managedFields; "" if unknown.
func (n *Node) CordonedBy() (who string, last Instant) {
	if !n.Unschedulable {
		return "", 0
	}
	return ManagerAt(n.Details.Value(DetailCordoned))
}

// maxDetails limits the bytes kept of one node.
const maxDetails = 4 << 10

// Detail is one name and value of Details.
type Detail struct{ Name, Value string }

// PackDetails sorts and packs details, without empty values and those that do not fit. Line breaks become blanks.
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

// All calls yield for each detail, in the order of names, until it returns false.
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

// Value is the value of a detail; "" if there is none.
func (d Details) Value(name string) string {
	value, _ := d.Get(name)
	return value
}

// Get is the value of a detail; ok is false if there is none.
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
