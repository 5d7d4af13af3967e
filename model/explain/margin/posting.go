package margin

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
)

// Posting is how many nodes post their status often though nothing changes in it, and what that costs.
type Posting struct {
	// Nodes do, of so Of whose status was seen; Simulated are further ones that do, whose kubelets are kwok's,
	// which has a rhythm of its own.
	Nodes, Of, Simulated int
	// Every is how often the middle one of Nodes does; 0 of none.
	Every time.Duration
	// Writes is how many writes to etcd they cause a minute, and Meant how many it would be by default.
	Writes, Meant float64
}

// posting sums up the rhythms of all nodes that are there.
func (f *Reading) posting() (p Posting) {
	var every []time.Duration
	for _, n := range f.nodes {
		if n.gone || !n.posted.Known() {
			continue
		}
		p.Of++
		d, _, often := n.pace.Often()
		switch {
		case !often:
		case n.object != nil && n.object.Simulated():
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
