// Package drive takes the models of the controllers through the Changes of a History. Each pass runs at its fitted
// time, each write is decided just before it shows. What cannot be observed is chosen so that the observed writes
// follow.
package drive

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
	"kardia/model/infer/processes"
)

// Plan is the input of a drive.
type Plan struct {
	Input    *evidence.Input
	Evidence *evidence.Evidence
	Passes   passes.List
	Course   *processes.Course
	Params   model.Params
	// FlagsAt are the flags of the process that ran at a time; Params are those of the last.
	FlagsAt  func(model.Instant) model.Params
	Coverage model.Interval
	// Judgeable: passes could be placed, and cycles can be.
	Judgeable bool
	// Held is the time after which the models stop, because a decision is overdue; unknown if none is.
	Held model.Instant
}

// Undecided is what the models of a drive are not to decide.
type Undecided struct {
	Nodes map[string]bool
	Zones map[model.ZoneKey]bool
}

// settleTime is how long a token may be unused before the model spends it without an observed taint.
const settleTime = 500 * time.Millisecond

func (p *Plan) rhythm() passes.Rhythm {
	return passes.Rhythm{Period: p.Params.NodeMonitorPeriod.Value, Nodes: p.Evidence.Nodes}
}

func (p *Plan) passAt(i int) passes.Pass { return p.Passes.At(i, p.rhythm()) }

// Start is the models before the first Change.
func (p *Plan) Start() *Driver {
	first := p.FlagsAt(model.FarPast)
	d := &Driver{plan: p, Cache: informer.New(), Nodes: nodelifecycle.New(first), Taints: tainteviction.New(first), Pods: p.collector(),
		Position: p.Input.First, At: model.FarPast, due: model.FarPast,
		open: newOpenEffects(0), armed: map[model.Key]countdown{}, written: map[string]model.Interval{}, said: map[string]model.Interval{}, became: map[model.ZoneKey]model.Interval{}, told: map[model.ZoneKey]model.DisruptionState{}, unsure: map[model.ZoneKey]int{}, evaluated: map[string]model.Instant{}}
	d.turns = p.Course.Turns()
	d.passWrite(0)
	d.passStep(0)
	d.Cycle = model.FarFuture
	if p.Judgeable {
		d.Cycle = p.cycleAfter(p.Coverage.Earliest.Add(-podgc.Period))
	}
	for s, pod := range p.Evidence.Seeds.All {
		if s != nil {
			d.Cache.SetNode(s.Name, s.Node, s.Version, 0, 0)
		} else {
			d.Cache.SetPod(nil, pod)
		}
	}
	for s := range model.Each(p.Evidence.Seeds.Nodes) {
		d.beginCountdowns(s.Name, s.Node)
	}
	for _, name := range p.Evidence.Unseen {
		d.Cache.SetNode(name, placeholder(p.Coverage.Earliest), 0, 0, 0)
	}
	return d
}

// Nowhere is the zone of nodes known only by their leases.
var Nowhere = model.ZoneKey{Region: "unseen", Zone: "unseen"}

// placeholder is a node known only by its renewals.
func placeholder(at model.Instant) *model.Node {
	return &model.Node{Created: at, Zone: Nowhere, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: at, Heartbeat: at}}}
}

// beyond is how far a state may be past the end of coverage; later ones are answered as of then.
const beyond = time.Hour

// flags are those of the running process.
func (d *Driver) flags() model.Params { return d.plan.FlagsAt(d.At) }
