package forecast

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/closedloop"
	"kardia/model/nodelifecycle"
	"kardia/model/shadow"
)

// stay is one time a node spends in its zone's queue. Whoever waits may get any token that
// comes until nobody waits any more.
type stay struct {
	node  string
	place model.Place
	// by is the position of the decision that queued the node; -1 if it waited when the run
	// began.
	by int32
	// since is when it was queued, first the first token it may get, last the latest;
	// FarFuture if there may be none for it.
	since, first, last model.Instant
	// tokens counts those of the zone up to last; each may be a tick off.
	tokens int

	// alone and together are what merge makes of it; the zero Interval until then.
	alone, together model.Interval
}

// token is one token given: when, and who may have got it. Those who had an earlier one in
// this run are among them: in another, they had it not.
type token struct {
	at    model.Instant
	among []string
	// nth counts the zone's tokens; each may be a tick off.
	nth int
	// busy are the stays of those.
	busy []*stay
}

// races is what the queues of one run allow.
type races struct {
	// stays are the times in the queue of each node, in order.
	stays map[string][]*stay
	// tainted is the stay that a taint ended, tokens who could get it.
	tainted map[model.DecisionID]*stay
	tokens  map[model.DecisionID]token
	// zones are the stays by zone, given when its tokens were.
	zones map[model.Place][]*stay
	given map[model.Place][]model.Instant
	// next is when each zone has a token to begin with.
	next map[model.Place]model.Instant
}

// queue follows one zone.
type queue struct {
	waiting []string // sorted
	// busy are the stays since the queue was empty last, those ended included.
	busy []*stay
	// names are theirs; nil until asked for.
	names  []string
	tokens int
	latest model.Instant
}

// race follows the queues through a run.
func race(s *shadow.State, list []*model.Decision, l *closedloop.Loop) races {
	r := races{stays: map[string][]*stay{}, tainted: map[model.DecisionID]*stay{}, tokens: map[model.DecisionID]token{},
		zones: map[model.Place][]*stay{}, given: map[model.Place][]model.Instant{}, next: map[model.Place]model.Instant{}}
	queues := map[model.Place]*queue{}
	of := func(p model.Place) *queue {
		q := queues[p]
		if q == nil {
			q = &queue{}
			queues[p] = q
		}
		return q
	}
	for _, z := range s.Nodes.Zones(s.At, s.Cache) {
		if z.NextToken != model.FarFuture {
			r.next[z.Place] = z.NextToken
		}
		for _, name := range z.Waiting {
			r.join(of(z.Place), &stay{node: name, place: z.Place, by: -1, since: s.At})
		}
	}
	for i, d := range list {
		switch {
		case d.Controller != model.NodeLifecycle:
		case d.Kind == model.QueueForTaint && d.Outcome == model.Did:
			r.join(of(d.Place.Value), &stay{node: d.Node, place: d.Place.Value, by: int32(i), since: d.Time})
		case d.Kind == model.TaintNoExecute:
			r.given[d.Place.Value] = append(r.given[d.Place.Value], d.Time)
			r.token(of(d.Place.Value), d)
		case d.Kind == model.DequeueFromTaint:
			of(d.Place.Value).leave(d.Node, model.FarFuture)
		}
	}
	for _, z := range l.Nodes.Zones(l.Now(), l.Cache) {
		if q := queues[z.Place]; q != nil {
			q.end(&z)
		}
	}
	return r
}

// after are a node's stays that begin after a decision of the run; none for -1.
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
	q.waiting = slices.Insert(q.waiting, i, s.node)
	q.busy, q.names = append(q.busy, s), nil
	r.zones[s.place] = append(r.zones[s.place], s)
	r.stays[s.node] = append(r.stays[s.node], s)
}

// token gives a token to a node. All that wait could have had it.
func (r *races) token(q *queue, d *model.Decision) {
	if d.Outcome == model.Did && len(q.busy) > 1 {
		if q.names == nil {
			for _, s := range q.busy {
				q.names = append(q.names, s.node)
			}
			slices.Sort(q.names)
		}
		r.tokens[d.ID] = token{d.Time, q.names, q.tokens + 1, q.busy}
	}
	q.tokens, q.latest = q.tokens+1, d.Time
	for _, s := range q.busy {
		if s.first == 0 {
			s.first = d.Time
		}
	}
	if d.Outcome == model.Did {
		if all := r.stays[d.Node]; len(all) > 0 {
			r.tainted[d.ID] = all[len(all)-1]
		}
	}
	if i, found := slices.BinarySearch(q.waiting, d.Node); found {
		q.waiting = slices.Delete(q.waiting, i, i+1)
		q.settle()
	}
}

// settle ends the stays when nobody waits any more: by the last token all have had one.
func (q *queue) settle() {
	if len(q.waiting) > 0 {
		return
	}
	for _, s := range q.busy {
		if s.last == 0 {
			s.last, s.tokens = q.latest, q.tokens
		}
	}
	q.busy, q.names = nil, nil
}

// leave takes a node out of the queue without a token.
func (q *queue) leave(node string, last model.Instant) {
	i, found := slices.BinarySearch(q.waiting, node)
	if !found {
		return
	}
	q.waiting = slices.Delete(q.waiting, i, i+1)
	for _, s := range q.busy {
		if s.first == 0 {
			s.first = model.FarFuture
		}
		// Had another got the tokens given so far, it would have been taken out instead.
		s.last = last
	}
	q.settle()
}

// end goes on beyond the horizon at the rate that holds there.
func (q *queue) end(z *nodelifecycle.ZoneView) {
	next, last := z.NextToken, model.FarFuture
	if next != model.FarFuture {
		each := time.Duration(float64(time.Second)/float64(z.Rate)) + nodelifecycle.TickPeriod
		last = next.Add(nodelifecycle.TickPeriod + each*time.Duration(max(0, len(q.waiting)-1)))
	}
	for _, s := range q.busy {
		if s.first == 0 {
			s.first = next
		}
		if s.last == 0 {
			s.last, s.tokens = last, q.tokens
		}
	}
}
