package conformance

import (
	"fmt"
	"reflect"
	"slices"
	"time"
	"unsafe"

	v1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/flowcontrol"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle"
	"kardia/model"
	"kardia/model/control/informer"
	modelnodes "kardia/model/control/nodelifecycle"
)

// Memory is what a node-lifecycle controller remembers and no object shows. It is read from unexported fields, in the
// goroutine of the passes when one starts, or after that has ended.
type Memory struct {
	// Zones are the states, by zone key; "" is a state too (Z8).
	Zones map[string]string
	// Rates are the limiters' rates, Waiting the queues, by zone key. They outlive states.
	Rates   map[string]float32
	Waiting map[string][]string
	// Probes are the last signs of life, by node name.
	Probes map[string]time.Time
}

// read is a field of a struct, even if it is not exported.
func read(v reflect.Value, name string) reflect.Value {
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	f := v.FieldByName(name)
	if !f.IsValid() {
		panic(fmt.Sprintf("%s has no field %s any more", v.Type(), name))
	}
	return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
}

// onJudging returns what to call when a pass starts. The given function is called once it judges its first zone.
func onJudging(c *nodelifecycle.Controller, told func()) (pass func()) {
	field := read(reflect.ValueOf(c), "computeZoneStateFunc")
	real := field.Interface().(func([]*v1.NodeCondition) (int, nodelifecycle.ZoneState))
	first := false
	field.Set(reflect.ValueOf(func(conditions []*v1.NodeCondition) (int, nodelifecycle.ZoneState) {
		if first {
			first = false
			told()
		}
		return real(conditions)
	}))
	return func() { first = true }
}

func memoryOf(c *nodelifecycle.Controller) *Memory {
	m := &Memory{Zones: map[string]string{}, Rates: map[string]float32{}, Waiting: map[string][]string{}, Probes: map[string]time.Time{}}
	controller := reflect.ValueOf(c)
	for i := read(controller, "zoneStates").MapRange(); i.Next(); {
		m.Zones[i.Key().String()] = i.Value().String()
	}
	for i := read(controller, "zoneNoExecuteTainter").MapRange(); i.Next(); {
		zone, tainter := i.Key().String(), i.Value()
		m.Rates[zone] = read(tainter, "limiter").Interface().(flowcontrol.RateLimiter).QPS()
		queue := read(read(tainter, "queue"), "queue")
		for k := range queue.Len() {
			m.Waiting[zone] = append(m.Waiting[zone], read(queue.Index(k), "Value").String())
		}
		slices.Sort(m.Waiting[zone])
	}
	for i := read(read(controller, "nodeHealthMap"), "nodeHealths").MapRange(); i.Next(); {
		if !i.Value().IsNil() {
			m.Probes[i.Key().String()] = read(i.Value(), "probeTimestamp").Interface().(metav1.Time).Time
		}
	}
	return m
}

// differences are what the model remembers otherwise. A zone without a state is left out: its queue is replaced before
// its next use, unless its nodes have left.
func (m *Memory) differences(at model.Instant, c *modelnodes.Controller, view *informer.Cache) (lines []string) {
	say := func(what string, real, model any) {
		if r, m := fmt.Sprint(real), fmt.Sprint(model); r != m {
			lines = append(lines, fmt.Sprintf("remembers %s: real %s, model %s", what, r, m))
		}
	}
	seen := map[string]bool{}
	for _, z := range c.Zones(at, view) {
		key := z.Zone.Raw()
		state, has := m.Zones[key]
		if z.State == model.ZoneNone {
			say("a state of zone "+z.Zone.String(), has, false)
			continue
		}
		seen[key] = true
		say("a state of zone "+z.Zone.String(), has, true)
		say("the state of zone "+z.Zone.String(), state, z.State)
		rate := z.Rate
		if rate == 0 && m.Rates[key] == 1 {
			rate = 1 // the limiter that never gives a token reports 1 (L6)
		}
		say("the rate of zone "+z.Zone.String(), m.Rates[key], rate)
		say("who waits in zone "+z.Zone.String(), m.Waiting[key], z.Waiting)
	}
	for key := range m.Zones {
		say(fmt.Sprintf("a state of zone %q", key), true, seen[key])
	}
	for name, probe := range m.Probes {
		if v, ok := c.Node(name, view); ok {
			say("the probe of "+name, probe.UTC().Format(time.StampMicro), v.Probe.Time().Format(time.StampMicro))
		}
	}
	return lines
}
