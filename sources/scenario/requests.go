package scenario

import (
	"cmp"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"kardia/model"
)

// Resources are the capacity of a node (zero: no limit), or a pod's requests: CPU in millicores, Memory in bytes.
type Resources struct {
	CPU, Memory int64
}

// The most that a file may request: a million cores, and a petabyte.
const (
	maxCPU    = 1e6
	maxMemory = 1e15
)

// take reads "cpu=500m memory=256Mi".
func (r *Resources) take(s *statement) error {
	var cpu, memory resource.Quantity
	err := cmp.Or(
		given(s, "cpu", &cpu, quantity(maxCPU, "cpu: expected cores such as 4 or 500m")),
		given(s, "memory", &memory, quantity(maxMemory, "memory: expected an amount such as 512Mi or 8Gi")))
	r.CPU, r.Memory = cpu.MilliValue(), memory.Value()
	return err
}

// quantity reads an amount from 0 to most.
func quantity(most float64, expected string) func(text string) (resource.Quantity, error) {
	return func(text string) (resource.Quantity, error) {
		q, err := resource.ParseQuantity(text)
		if f := q.AsApproximateFloat64(); err != nil || f < 0 || f > most {
			return q, fmt.Errorf("%s, found %q", expected, text)
		}
		return q, nil
	}
}

func (r Resources) fits(node, used Resources) bool {
	return (node.CPU == 0 || used.CPU+r.CPU <= node.CPU) && (node.Memory == 0 || used.Memory+r.Memory <= node.Memory)
}

// parseToleration reads KEY[=VALUE][:EFFECT[/FOR]].
func parseToleration(text string) (t model.Toleration, err error) {
	wrong := fmt.Errorf("tolerates: expected maint, maint=true:NoSchedule or maint:NoExecute/30s, found %q", text)
	what, effect, some := strings.Cut(text, ":")
	effect, length, limited := strings.Cut(effect, "/")
	value, valued := "", false
	t.Key, value, valued = strings.Cut(what, "=")
	t.Operator = "Exists"
	if valued {
		t.Operator, t.Value = "Equal", value
	}
	if t.Key == "" {
		return t, wrong
	}
	if some {
		var ok bool
		if t.Effect, ok = model.ParseEffect(effect); !ok || t.Effect == model.EffectAny {
			return t, wrong
		}
	}
	if limited {
		d, err := duration(length)
		if err != nil || t.Effect != model.NoExecute {
			return t, wrong
		}
		t.Seconds = model.Some(int64(d.Seconds()))
	}
	return t, nil
}
