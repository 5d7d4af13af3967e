package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"kardia/model"
)

const (
	// slowFrom is for how long heartbeats must have been watched before it is said that they come slowly.
	slowFrom = time.Minute
	// lateAtATime is the share of nodes that must be late at the instant, cameBack the share that must have come back of late.
	lateAtATime, cameBack = 0.2, 1.0 / 3
	// byTurns is over what time nodes must have come back, and those of most zones: what ends for all of them at once was an
	// outage, and is over.
	byTurns = 2 * AtOnce
	// fewNodes is up to how many nodes of a zone may all be silent for longer than one of them is on average: of a single one that
	// is nothing, five of them beat five times in that time.
	fewNodes = 5
	// leaderRenews is how often a leader renews its lease, and leaderPause a pause that is none of its own making.
	// Source: kubernetes: staging/src/k8s.io/component-base/config, RetryPeriod and RenewDeadline.
	leaderRenews, leaderPause = 2 * time.Second, 5 * time.Second
)

// rhythm is how the heartbeats of a whole cluster came of late.
type rhythm struct {
	interval time.Duration // between those of a node, on average
	longest  time.Duration // the longest pause after which a node came back
	back     int           // nodes that came back
	zones    []turns       // of three nodes and more
	unlike   map[model.ZoneKey]bool
}

// turns is a zone, how many of its nodes came back, when the first and the last of them did, and when one of it was heard last.
type turns struct {
	key                 model.ZoneKey
	back, all           int
	firstBack, lastBack model.Instant
	last                model.Instant
}

// atOnce says that several nodes of the zone came back together.
func (t turns) atOnce() bool { return t.back > 1 && t.lastBack.Sub(t.firstBack) < byTurns }

// slow (V4): the API server, or the way to it, lets through too few heartbeats. Nodes of all zones fall silent and come back
// by turns, so that at any time many are silent, and no other nodes in the next minute.
func (e *Evidence) slow(bad []*node) (v Verdict, about []*node) {
	r, ok := e.rhythm()
	if !ok {
		return v, nil
	}
	about = those(bad, func(n *node) bool {
		return n.silent() && n.age.Age.Known && n.age.Age.Value <= 2*r.longest && !r.unlike[n.zone.Value]
	})
	if len(about) == 0 {
		return v, nil
	}
	within := model.Length(e.At.Sub(e.since).Round(time.Second))
	v = Verdict{Rule: ControlPlane, Every: r.interval, Says: fmt.Sprintf("heartbeats come too slowly from nearly everywhere, one in %s from a node: the API server, or the way to it", model.Length(r.interval.Round(time.Second))),
		For: []string{
			fmt.Sprintf("in the last %s %d heartbeats were heard of %d nodes, and %d were due", within, e.heard, len(e.nodes), int(e.At.Sub(e.since)/renewing)*len(e.nodes)),
			fmt.Sprintf("they come back by themselves, by turns: %d nodes beat again after %s and more", r.back, model.Length(model.LateAfter))},
		Missing: []string{fmt.Sprintf("which of them are dead: nodes that live were silent for up to %s", model.Length(r.longest))},
		Do: []string{"kubectl get --raw '/readyz?verbose'", "kubectl get --raw /debug/api_priority_and_fairness/dump_priority_levels",
			"look at the API server and etcd first, and repair no node for its silence before they answer in time"}}
	if n := len(r.zones); n > 1 {
		least := slices.MinFunc(r.zones, func(a, b turns) int { return cmp.Compare(a.share(), b.share()) })
		v.For = append(v.For, fmt.Sprintf("in %d of %d zones alike: in %s, where it is fewest, of %d of %d nodes", n, n+len(r.unlike), least.key, least.back, least.all))
	}
	slowly := e.leadersSay(&v)
	switch {
	case len(e.leaders) == 0:
		v.Or = []Rule{AllDark}
		v.Missing = append(v.Missing, "the leases of kube-controller-manager and kube-scheduler: whether the control plane itself is slow is not known")
	case !slowly:
		v.Or = []Rule{AllDark}
		v.Against = append(v.Against, "leaders' leases have their own priority: their timely arrival does not show whether the API server or the network is slow for nodes")
	}
	return v, about
}

// leadersSay adds what the leases of the control plane tell, and whether one was renewed slowly.
func (e *Evidence) leadersSay(v *Verdict) (slowly bool) {
	for _, l := range e.leaders {
		if pause := max(l.paused, l.age); pause >= leaderPause {
			slowly = true
			v.For = append(v.For, fmt.Sprintf("the lease of %s was not renewed for %s: every %s is usual", l.name, model.Length(pause), model.Length(leaderRenews)))
		} else {
			v.Against = append(v.Against, fmt.Sprintf("the lease of %s was renewed in time", l.name))
		}
	}
	return slowly
}

// rare says that of the heartbeats that were due since each was heard not even half came.
func (e *Evidence) rare() bool {
	return time.Duration(e.heard)*model.LateAfter <= e.At.Sub(e.since)*time.Duration(len(e.nodes))
}

// rhythm is how heartbeats came of late; ok is false where they came as they should or as kubelets are configured, where those
// that did not are of a few or of a zone, and where all came back at once.
func (e *Evidence) rhythm() (r rhythm, ok bool) {
	watched := e.At.Sub(e.since)
	if !e.history || watched < slowFrom || len(e.nodes) < wholeZone || !e.rare() {
		return r, false
	}
	late := 0
	var newest model.Instant
	zones := map[model.ZoneKey]*turns{}
	for _, n := range e.nodes {
		if n.rarely {
			return r, false // as it was meant
		}
		z := zones[n.zone.Value]
		if z == nil {
			z = &turns{key: n.zone.Value}
			zones[z.key] = z
		}
		z.all++
		z.last = max(z.last, n.last)
		newest = max(newest, n.last)
		if n.late() {
			late++
		}
		r.longest = max(r.longest, n.beat.longest)
		if n.beat.first.Known() {
			if z.lastBack = max(z.lastBack, n.beat.last); z.back == 0 || n.beat.first < z.firstBack {
				z.firstBack = n.beat.first
			}
			z.back++
		}
	}
	first, last := model.FarFuture, model.FarPast
	for _, z := range zones {
		if z.back > 0 {
			first, last = min(first, z.firstBack), max(last, z.lastBack)
		}
	}
	if float64(late) < lateAtATime*float64(len(e.nodes)) || last.Sub(first) < byTurns {
		return r, false
	}
	r.interval = watched * time.Duration(len(e.nodes)) / time.Duration(e.heard)
	nobody := e.At.Sub(newest) > max(model.LateAfter, fewNodes*r.interval/time.Duration(len(e.nodes))) // it is slow no more: nothing comes
	return r, !nobody && r.everywhere(zones, e.At)
}

// everywhere sorts the zones, and says whether all of them are alike: but those of which nothing is heard at all.
func (r *rhythm) everywhere(zones map[model.ZoneKey]*turns, at model.Instant) bool {
	r.unlike = map[model.ZoneKey]bool{}
	all, known, together := 0, 0, 0
	for key, z := range zones {
		known += z.all
		if at.Sub(z.last) > r.interval*max(1, fewNodes/time.Duration(z.all)) {
			r.unlike[key] = true
			continue
		}
		all += z.all
		r.back += z.back
		if z.atOnce() {
			together += z.all
		}
		if z.all >= wholeZone {
			r.zones = append(r.zones, *z)
		}
	}
	slices.SortFunc(r.zones, func(a, b turns) int { return cmp.Compare(a.key.String(), b.key.String()) })
	return 2*all >= known && 2*together <= all && float64(r.back) >= cameBack*float64(all) &&
		!slices.ContainsFunc(r.zones, func(z turns) bool { return z.share() < cameBack })
}

func (t turns) share() float64 { return float64(t.back) / float64(t.all) }
