package verdict

import (
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past/stall"
)

const (
	// stallEnds is how long after the time the end of a stall is searched.
	stallEnds = 15 * time.Minute
	// renewsAgain is how long after a stall a kubelet may need to renew: pending requests fail, and it retries later.
	renewsAgain = 15 * time.Second
)

func (e *Evidence) findStall(h history.History, since model.Instant) error {
	list, open, err := stall.In(h, model.Interval{Earliest: since, Latest: e.At.Add(stallEnds)})
	for i, v := range list {
		if v.Earliest <= e.At && e.At < v.Latest.Add(renewsAgain) {
			e.stall, e.stallOpen = v, open && i == len(list)-1
		}
	}
	if !e.stall.Known() {
		return err
	}
	for _, n := range e.nodes {
		if n.declared() && n.declaredAt > e.stall.Earliest && n.declaredAt < e.stall.Latest.Add(stall.Queued) {
			n.declaredAt, n.unheard = max(n.declaredAt, e.stall.Latest), true // when it was written
		}
		if n.renewed > e.stall.Earliest && n.renewed < e.stall.Latest {
			n.age.Skew = model.Maybe[time.Duration]{} // the renewal was delayed, and its clock may be right
		}
		n.stalled = n.last.Bounded() && n.last >= e.stall.Earliest.Add(-inTime) && n.last < e.stall.Latest
	}
	return err
}

// stalls (V4): nodes renewed until the API server stored no write of any sender.
func (e *Evidence) stalls(bad []*node) (v Verdict, about []*node) {
	if about = those(bad, func(n *node) bool { return n.stalled && n.silent() }); len(about) == 0 {
		return v, nil
	}
	was := those(e.nodes, func(n *node) bool { return n.last.Bounded() && n.last >= e.stall.Earliest.Add(-inTime) })
	v = Verdict{Rule: ControlPlane, Says: []Fact{{Code: "nothing-written", At: e.stall.Earliest, To: e.stall.Latest}},
		For: []Fact{{Code: "none-heard", N: len(was), At: e.stall.Earliest}},
		Do:  []Fact{askReady, {Code: "server-first"}}}
	if e.At >= e.stall.Latest {
		v.For = append(v.For, Fact{Code: "writes-again", At: e.stall.Latest, For: e.At.Sub(e.stall.Latest)})
	}
	if e.stallOpen {
		v.Missing = append(v.Missing, Fact{Code: "renews-after-stall"})
	}
	e.leadersSay(&v)
	return v, about
}
