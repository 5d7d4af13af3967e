package forecast

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/simulate/courses"
)

// stay is one time of a node in its zone's queue. It may get any token until the queue is empty.
type stay struct {
	node string
	zone model.ZoneKey
	// by is the position of the decision that queued the node; -1 if it waited at the start.
	by int32
	// since is when it was queued, first and last are the first and last token that it may get; FarFuture for none.
	since, first, last model.Instant
	// slip is when a pass ends the tokens while the node waits, if a token may come just before; otherwise 0.
	slip model.Instant
	// sure: the queue does not end before the node has a token.
	sure bool
	// tokens is the number of the zone's tokens up to last; each may be a tick off.
	tokens int
	// burnt is how much later last is if tokens are lost; at is the last token before revive.
	burnt time.Duration
	at    model.Instant
}

// token is one given token, and which nodes may have got it, including those with an earlier one in this run.
type token struct {
	at    model.Instant
	among []string
	// nth is its number in the zone; each may be a tick off.
	nth int
	// burnt is how much later it comes if earlier tokens are lost.
	burnt time.Duration
}

type races struct {
	// stays are the stays of each node, in order.
	stays map[string][]*stay
	// tainted is the stay that a taint ended; tokens has the nodes that could get it.
	tainted map[model.DecisionID]*stay
	tokens  map[model.DecisionID]token
	// given are each zone's tokens.
	given map[model.ZoneKey][]token
	// slips are when one more token may come as tokens end; halts are when they end.
	slips, halts map[model.ZoneKey][]model.Instant
	// on are the zones that give tokens after the end of the run.
	on map[model.ZoneKey]bool
}

type queue struct {
	waiting []string // sorted
	// busy are the stays since the queue was last empty, including ended ones.
	busy []*stay
	// names are those of busy; nil until needed.
	names  []string
	tokens int
	latest model.Instant
	// next is the next token at the present rate, as far as known.
	next model.Instant
	rate float64
	// burns is how many tokens may be lost, by the passes up to burner: each declares and queues a node near the time
	// of a token. A tick may read the node from the cache of before, as Ready, and lose the token (E8).
	burns  int
	burner model.Instant
	// late is how much later the zone's tokens may come, depending on the last one.
	late time.Duration
	// served are stays that ended with a token, and would end later if one was lost or late.
	served []*stay
}

// unread is how long after a declaration a tick may still read the node as Ready.
const unread = nodelifecycle.TickPeriod + courses.Lag

// burn counts a pass that declares and queues nodes near a token. Fewer writes before make it earlier.
func (q *queue) burn(at model.Instant, slack, writing time.Duration) {
	if slack < 0 || q.rate <= 0 || q.burner == at {
		return
	}
	slack += unread + nodelifecycle.TickPeriod*time.Duration(q.tokens)
	if len(q.waiting) == 0 && at.Sub(q.latest) > q.behind()+q.late+writing {
		q.burns, q.served = 0, nil // a token is there in any case
	}
	if q.next <= at.Add(slack) && (len(q.waiting) == 0 || q.next >= at.Add(-slack)) {
		q.burns, q.burner = q.burns+1, at
	}
}

// revive returns stays to the queue that would still wait if their token was lost or late.
func (q *queue) revive(at model.Instant, slack time.Duration) {
	for _, s := range q.served {
		if s.last != 0 && s.burnt+q.late > 0 && s.last.Add(s.burnt+q.late+max(0, slack)) >= at {
			s.last, s.sure, s.at = 0, false, s.last.Add(s.burnt)
			q.busy, q.names = append(q.busy, s), nil
		}
	}
	q.served = slices.DeleteFunc(q.served, func(s *stay) bool { return s.last == 0 })
}

// behind is how much later tokens come if all that may be lost are.
func (q *queue) behind() time.Duration {
	if q.burns == 0 || q.rate <= 0 {
		return 0
	}
	return time.Duration(float64(q.burns)*float64(time.Second)/q.rate) + nodelifecycle.TickPeriod
}

// race follows the queues through a run. Passes may come earlier or later by the slack; negative: exactly then.
func race(c *course, begins []nodelifecycle.ZoneView, l *loop.Loop) races {
	s, list, slack, writing := c.s, c.list, c.slack(), c.writing()
	r := races{stays: map[string][]*stay{}, tainted: map[model.DecisionID]*stay{}, tokens: map[model.DecisionID]token{},
		given: map[model.ZoneKey][]token{}, slips: map[model.ZoneKey][]model.Instant{}, halts: map[model.ZoneKey][]model.Instant{}, on: map[model.ZoneKey]bool{}}
	queues, declared := map[model.ZoneKey]*queue{}, map[string]model.Instant{}
	of := func(p model.ZoneKey) *queue {
		q := queues[p]
		if q == nil {
			q = &queue{rate: float64(s.Params.NodeEvictionRate.Value)}
			if slack >= 0 {
				q.late = s.TokenOffset(p).Later
			}
			queues[p] = q
		}
		return q
	}
	for _, z := range begins {
		of(z.Zone).next, of(z.Zone).rate = z.NextToken, float64(z.Rate)
		for _, name := range z.Waiting {
			r.join(of(z.Zone), &stay{node: name, zone: z.Zone, by: -1, since: s.At})
		}
	}
	for i, d := range list {
		switch {
		case d.Controller != model.NodeLifecycle:
		case d.Kind == model.MarkUnknown:
			declared[d.Node] = d.Time
		case d.Kind == model.QueueForTaint && d.Outcome == model.Did:
			q := of(d.Zone.Value)
			if declared[d.Node] == d.Time {
				q.burn(d.Time, slack, writing)
			}
			q.revive(d.Time, slack)
			r.join(q, &stay{node: d.Node, zone: d.Zone.Value, by: int32(i), since: d.Time})
		case d.Kind == model.TaintNoExecute:
			q := of(d.Zone.Value)
			if d.Outcome == model.Did {
				r.given[d.Zone.Value] = append(r.given[d.Zone.Value], token{at: d.Time, burnt: q.behind()})
			}
			r.token(q, d)
		case d.Kind == model.EnterMasterDisruption && slack >= 0:
			for zone, q := range queues {
				r.halt(zone, q, d.Time, slack)
			}
		case d.Kind == model.SetRate && d.Outcome == model.Did:
			q := of(d.Zone.Value)
			if q.rate = d.Checks[len(d.Checks)-1].Right.Float; q.rate <= 0 && slack >= 0 {
				r.halt(d.Zone.Value, q, d.Time, slack)
			}
			q.next = max(q.next, d.Time)
		case d.Kind == model.DequeueFromTaint:
			of(d.Zone.Value).leave(d.Node)
		}
	}
	for _, z := range l.Nodes.Zones(l.Now(), l.Cache) {
		if q := queues[z.Zone]; q != nil {
			r.on[z.Zone] = len(q.waiting) > 0 && z.NextToken != model.FarFuture
			q.end(&z)
		}
	}
	return r
}

// halt notes the end of a zone's tokens, and whether one more may be given then.
func (r *races) halt(zone model.ZoneKey, q *queue, at model.Instant, slack time.Duration) {
	r.halts[zone] = append(r.halts[zone], at)
	if q.halt(at, slack) {
		r.slips[zone] = append(r.slips[zone], at)
	}
}

// after are a node's stays that begin after a decision; none for -1.
func (r *races) after(node string, position int32) []*stay {
	stays := r.stays[node]
	if position < 0 {
		return nil
	}
	for len(stays) > 0 && stays[0].by < position {
		stays = stays[1:]
	}
	return stays
}

func (r *races) join(q *queue, s *stay) {
	i, found := slices.BinarySearch(q.waiting, s.node)
	if found {
		return
	}
	if q.tokens > 0 && q.late > 0 && q.latest.Add(q.late) >= s.since {
		s.first = s.since // a token given earlier in this run may come only now
	}
	q.waiting = slices.Insert(q.waiting, i, s.node)
	q.busy, q.names = append(q.busy, s), nil
	r.stays[s.node] = append(r.stays[s.node], s)
}

// token gives a token to a node. Every waiting node could have had it.
func (r *races) token(q *queue, d *model.Decision) {
	if d.Outcome == model.Did && len(q.busy) > 1 {
		if q.names == nil {
			for _, s := range q.busy {
				q.names = append(q.names, s.node)
			}
			slices.Sort(q.names)
		}
		r.tokens[d.ID] = token{d.Time, q.names, q.tokens + 1, q.behind()}
	}
	q.tokens, q.latest = q.tokens+1, d.Time
	if q.rate > 0 {
		q.next = d.Time.Add(time.Duration(float64(time.Second) / q.rate))
	}
	for _, s := range q.busy {
		s.first = cmp.Or(s.first, d.Time)
	}
	if d.Outcome == model.Did {
		if all := r.stays[d.Node]; len(all) > 0 {
			r.tainted[d.ID] = all[len(all)-1]
		}
	}
	if i, found := slices.BinarySearch(q.waiting, d.Node); found {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.settle(true)
	}
}

// settle ends the stays when the queue is empty. If a token emptied it, each node has had one.
func (q *queue) settle(served bool) {
	if len(q.waiting) > 0 {
		return
	}
	for _, s := range q.busy {
		switch {
		case s.last != 0:
		case served:
			s.last, s.tokens, s.sure, s.burnt = q.latest, q.tokens, true, q.behind()
			if s.burnt+q.late > 0 {
				q.served = append(q.served, s)
			}
		default:
			q.unsure(s)
		}
	}
	q.busy, q.names = nil, nil
}

// leave removes a node without a token: had another node got an earlier token, that one would be removed instead.
func (q *queue) leave(node string) {
	i, found := slices.BinarySearch(q.waiting, node)
	if !found {
		return
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	for _, s := range q.busy {
		if s.node == node {
			q.unsure(s)
		}
	}
	q.settle(false)
}

// halt is when a pass ends the zone's tokens. A token just before may go to any waiting node, even one just declared.
func (q *queue) halt(at model.Instant, slack time.Duration) (slips bool) {
	for _, s := range q.served {
		s.sure = s.sure && s.last.Add(s.burnt+q.late) < at.Add(-slack)
	}
	slack += nodelifecycle.TickPeriod*time.Duration(q.tokens+1) + courses.Lag
	if q.next > at.Add(slack) && (q.tokens == 0 || q.latest < at.Add(-slack)) {
		return false
	}
	for _, s := range q.busy {
		if _, waits := slices.BinarySearch(q.waiting, s.node); waits && s.first == 0 {
			s.first, s.slip = max(s.since, min(q.next, at)), at
			slips = true
		}
	}
	return slips
}

// unsure ends a stay that may have had one of the tokens since it began, or none.
func (q *queue) unsure(s *stay) {
	if s.first == 0 {
		s.first, s.last = model.FarFuture, model.FarFuture
	}
	if s.last == 0 {
		s.last, s.tokens, s.burnt = max(q.latest, s.slip, s.at), q.tokens+1, q.behind()
	}
}

// end continues beyond the horizon at its last rate.
func (q *queue) end(z *nodelifecycle.ZoneView) {
	if z.NextToken == model.FarFuture {
		for _, s := range q.busy {
			q.unsure(s)
		}
		return
	}
	each := time.Duration(float64(time.Second)/float64(z.Rate)) + nodelifecycle.TickPeriod
	last := z.NextToken.Add(nodelifecycle.TickPeriod + each*time.Duration(max(0, len(q.waiting)-1)))
	for _, s := range q.busy {
		s.first = cmp.Or(s.first, z.NextToken)
		if s.last == 0 {
			s.last, s.tokens, s.sure, s.burnt = last, q.tokens, true, q.behind()
		}
	}
}
