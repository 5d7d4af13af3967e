// Package drive takes the models of the controllers through the Changes of a History: each pass when it was
// fitted, each write just before it shows. What nobody can see from outside is chosen so that what was
// written comes out, where it can.
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

// Plan is what a drive goes by.
type Plan struct {
	Input    *evidence.Input
	Evidence *evidence.Evidence
	Passes   passes.List
	Course   *processes.Course
	Params   model.Params
	// FlagsAt are the flags of the process that ran at an instant; Params are those of the last.
	FlagsAt  func(model.Instant) model.Params
	Coverage model.Interval
	// Judgeable says that passes could be placed, and cycles can be.
	Judgeable bool
	// Hidden are the nodes that are known by their leases only.
	Hidden map[string]bool
	// BurntTokens are those of which it is assumed.
	BurntTokens []BurntToken
	// Held is the instant beyond which the models do not go, for what they decided then is overdue;
	// unknown where nothing is.
	Held model.Instant
}

// BurntToken is one that was given to a node which the cache of the controller did not show as it was.
type BurntToken struct {
	Node string
	At   model.Interval
}

// Undecided is what the models of a drive have not decided, though they would have.
type Undecided struct {
	// Nodes are not declared Unknown, and Zones give no token.
	Nodes map[string]bool
	Zones map[model.ZoneKey]bool
}

// settleTime is how long a token may lie unused before the model uses it without having seen
// that the real controller did.
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
		open: newOpenEffects(0), expectations: &expectations{nextWindows: map[int32]model.Interval{}, until: map[int32]model.Instant{}}, armed: map[model.Key]countdown{}, written: map[string]model.Interval{}, said: map[string]model.Interval{}, became: map[model.ZoneKey]model.Interval{}, told: map[model.ZoneKey]model.DisruptionState{}, unsure: map[model.ZoneKey]int{}, evaluated: map[string]model.Instant{}}
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
	for i := range p.Evidence.Seeds.Nodes {
		s := &p.Evidence.Seeds.Nodes[i]
		d.beginCountdowns(s.Name, s.Node)
	}
	for _, name := range p.Evidence.Unseen {
		d.Cache.SetNode(name, placeholder(p.Coverage.Earliest), 0, 0, 0)
	}
	return d
}

// Nowhere is the zone in which nodes stand that are known by their leases only.
var Nowhere = model.ZoneKey{Region: "unseen", Zone: "unseen"}

// placeholder stands for a node of which nothing is known but that it beats.
func placeholder(at model.Instant) *model.Node {
	return &model.Node{Created: at, Zone: Nowhere, Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Transition: at, Heartbeat: at}}}
}

// beyond is how far past the end of coverage a state may lie; what is asked for later is
// answered as of then.
const beyond = time.Hour

// flags are those of the process that runs.
func (d *Driver) flags() model.Params { return d.plan.FlagsAt(d.At) }
