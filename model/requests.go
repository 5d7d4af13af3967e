package model

import (
	"strconv"
	"strings"
)

// DetailRequests is the requests of a pod, in the form of Requests.String; unknown without it.
const DetailRequests = "requests"

// Requests is what the scheduler reserves for a pod: cores, and bytes of memory.
type Requests struct{ CPU, Memory Quantity }

func (r Requests) plus(o Requests) Requests {
	return Requests{r.CPU.Plus(o.CPU, 1), r.Memory.Plus(o.Memory, 1)}
}

func (r Requests) atLeast(o Requests) Requests {
	return Requests{max(r.CPU, o.CPU), max(r.Memory, o.Memory)}
}

type ContainerRequests struct {
	Requests
	// Init: it runs before the pod's containers start. Sidecar: it continues beside them.
	Init, Sidecar bool
}

// WholeRequests is the requests of the pod itself; unknown if it has none.
type WholeRequests struct{ CPU, Memory Maybe[Quantity] }

// PodRequests sums up the requests of a pod: its concurrent containers or a larger init phase, and its runtime class's
// overhead. Requests of the pod itself replace the sum; a resize under way does not count.
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

// String is the requests as a detail: thousandths of cores and bytes, in Kubernetes' form.
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
