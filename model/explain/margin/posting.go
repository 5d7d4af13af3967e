package margin

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
)

// Posting counts the nodes that post their status often without a change, and the cost in writes.
type Posting struct {
	// Nodes of the Of with a known status do so. Simulated have kwok's rhythm.
	Nodes, Of, Simulated int
	// Every is the median interval of Nodes; 0 if there are none.
	Every time.Duration
	// Writes is how many writes to etcd a minute they cause, and Meant the number by default.
	Writes, Meant float64
}

func (f *Reading) posting() (p Posting) {
	var every []time.Duration
	for _, n := range f.nodes.All() {
		if n.gone || !n.posted.Known() {
			continue
		}
		p.Of++
		d, _, often := n.pace.Often()
		switch {
		case !often:
		case n.object.Simulated():
			p.Simulated++
		default:
			every = append(every, d)
			p.Writes += perMinute(d)
			p.Meant += perMinute(kubelet.Defaults(model.Version{}).StatusReport)
		}
	}
	slices.Sort(every)
	p.Nodes = len(every)
	p.Every, _ = model.Median(every)
	return p
}

func perMinute(every time.Duration) float64 { return float64(time.Minute) / float64(every) }
