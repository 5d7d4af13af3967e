package verdict

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past/stall"
)

const (
	// slowFrom is how long heartbeats must be watched before they can be called slow.
	slowFrom = time.Minute
	// lateAtATime is the least share of nodes that is late at the time, cameBack that of those that returned recently.
	lateAtATime, cameBack = 0.2, 1.0 / 3
	// byTurns is the least time between the first and the last return: if all return at once, an outage has ended.
	byTurns = 2 * AtOnce
	// fewNodes is the size of zones that may be silent for longer than a node's interval: five nodes renew five times.
	fewNodes = 5
	// leaderPause is a pause that a leader does not make by itself: it renews every two seconds.
	// Source: kubernetes: staging/src/k8s.io/component-base/config, RetryPeriod and RenewDeadline.
	leaderPause = 5 * time.Second
)

type rhythm struct {
	interval time.Duration // between those of a node, on average
	longest  time.Duration // the longest pause after which a node came back
	back     int           // nodes that came back
	zones    []turns       // of three nodes and more
	unlike   map[model.ZoneKey]bool
}

type turns struct {
	key                 model.ZoneKey
	back, all           int
	firstBack, lastBack model.Instant
	last                model.Instant
}

// slow (V4): the API server, or its network, accepts too few heartbeats. Nodes of all zones fall silent by turns.
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
	within := e.At.Sub(e.since)
	v = Verdict{Rule: ControlPlane, Every: r.interval, Says: []Fact{{Code: "heartbeats-slow", For: r.interval.Round(time.Second)}},
		For: []Fact{{Code: "heartbeats-heard", N: e.heard, Of: int(within/renewing) * len(e.nodes), Others: len(e.nodes), For: within.Round(time.Second)},
			{Code: "back-by-turns", N: r.back, For: model.LateAfter}},
		Missing: []Fact{{Code: "which-dead", For: r.longest}},
		Do:      []Fact{askReady, askPriorities, {Code: "server-before-nodes"}}}
	if n := len(r.zones); n > 1 {
		least := slices.MinFunc(r.zones, func(a, b turns) int { return cmp.Compare(a.share(), b.share()) })
		v.For = append(v.For, Fact{Code: "zones-alike", N: n, Of: n + len(r.unlike), Name: least.key.String(), Others: least.back, OthersOf: least.all})
	}
	if !e.leadersSay(&v) && len(e.leaders) > 0 {
		v.Against = append(v.Against, Fact{Code: "leaders-priority"})
	}
	return v, about
}

// leadersSay adds the state of the control plane's leases, and reports whether one was renewed slowly. If none was, or
// none was read, all nodes may be dark.
func (e *Evidence) leadersSay(v *Verdict) (slowly bool) {
	for _, l := range e.leaders {
		if pause := max(l.paused, l.age); pause >= leaderPause {
			slowly = true
			v.For = append(v.For, Fact{Code: "leader-slow", Name: l.name, For: pause})
		} else {
			v.Against = append(v.Against, Fact{Code: "leader-in-time", Name: l.name})
		}
	}
	if !slowly {
		v.Or = []Rule{AllDark}
	}
	if len(e.leaders) == 0 {
		v.Missing = append(v.Missing, Fact{Code: "leaders-unread"})
	}
	return slowly
}

// rare reports whether at most half of the expected heartbeats arrived since the recent span began.
func (e *Evidence) rare() bool {
	return time.Duration(e.heard)*model.LateAfter <= e.At.Sub(e.since)*time.Duration(len(e.nodes))
}

// rhythm describes the recent heartbeats. ok is false if their rate is as expected or configured. It is also false if
// only a few nodes or one zone miss heartbeats, or if all returned at once.
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
			return r, false // as configured
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
	stopped := e.At.Sub(newest) > max(model.LateAfter, fewNodes*r.interval/time.Duration(len(e.nodes))) // heartbeats are not slow: none arrives
	return r, !stopped && r.everywhere(zones, e.At)
}

// everywhere sorts the zones, and reports whether all are alike, except those without any heartbeat.
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
		if z.back > 1 && z.lastBack.Sub(z.firstBack) < byTurns {
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
