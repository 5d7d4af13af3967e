package model

import (
	"strconv"
	"strings"
)

// DetailRequests is a detail of pods: what the scheduler counts for them, as Requests.String writes it. Of one without it
// that is not known.
const DetailRequests = "requests"

// Requests is what the scheduler sets aside for a pod: cores, and bytes of memory. The zero value asks for nothing.
type Requests struct{ CPU, Memory Quantity }

func (r Requests) plus(o Requests) Requests {
	return Requests{r.CPU.Plus(o.CPU, 1), r.Memory.Plus(o.Memory, 1)}
}

func (r Requests) atLeast(o Requests) Requests {
	return Requests{max(r.CPU, o.CPU), max(r.Memory, o.Memory)}
}

// ContainerRequests is what one container of a pod asks for.
type ContainerRequests struct {
	Requests
	// Init says that it runs before those of the pod start, Sidecar that it is such a one and goes on beside them.
	Init, Sidecar bool
}

// WholeRequests is what a pod itself asks for, whatever its containers do; unknown where it does not.
type WholeRequests struct{ CPU, Memory Maybe[Quantity] }

// PodRequests adds up what the containers of a pod ask for: those that run side by side, or the first phase that asks
// for more; with what its runtime class adds. What the pod asks for as a whole stands in place of the sum. What a resize that is under way has allocated already is not counted.
// Source: k8s.io/component-helpers: resource/helpers.go, PodRequests and AggregateContainerRequests.
func PodRequests(containers []ContainerRequests, overhead Requests, whole WholeRequests) Requests {
	var beside, sidecars, before Requests
	for _, c := range containers {
		switch {
		case c.Sidecar:
			beside, sidecars = beside.plus(c.Requests), sidecars.plus(c.Requests)
			before = before.atLeast(sidecars)
		case c.Init:
			before = before.atLeast(sidecars.plus(c.Requests))
		default:
			beside = beside.plus(c.Requests)
		}
	}
	sum := beside.atLeast(before)
	if whole.CPU.Known {
		sum.CPU = whole.CPU.Value
	}
	if whole.Memory.Known {
		sum.Memory = whole.Memory.Value
	}
	return sum.plus(overhead)
}

// String is the requests as a detail: thousandths of cores and bytes, as Kubernetes writes them.
func (r Requests) String() string {
	return strconv.FormatInt(int64(r.CPU), 10) + "m " + strconv.FormatInt((int64(r.Memory)+999)/1000, 10)
}

// ParseRequests reads what Requests.String wrote.
func ParseRequests(text string) (Requests, bool) {
	cpu, memory, _ := strings.Cut(text, " ")
	cores, fine := ParseQuantity(cpu)
	bytes, also := ParseQuantity(memory)
	if !fine || !also {
		return Requests{}, false
	}
	return Requests{CPU: cores, Memory: bytes}, true
}
