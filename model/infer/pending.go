package infer

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/infer/drive"
)

func (r *run) pendingIn(d *drive.Driver) (u pending) {
	if r.o.Mode != Causal || d.AwaitsNothing() {
		return u
	}
	u.Nodes, u.Zones, u.open = map[string]bool{}, map[model.ZoneKey]bool{}, map[model.DecisionID]bool{}
	for e := range model.Each(d.Expectations()) {
		x, of := &d.Decisions[e.Decision], d.Expected(e)
		if e.Met || e.Traceless || !d.Awaits(of, x.ID) || !wanted(of, d.Cache) {
			continue
		}
		if d.May(e).Latest.Add(d.Patience(of)) >= r.coverage.Latest {
			u.open[x.ID] = true
		}
		switch x.Kind {
		case model.MarkUnknown:
			u.Nodes[x.Node] = true
		case model.TaintNoExecute:
			if d.May(e).Latest < r.coverage.Latest {
				continue // the token was spent on another node
			}
			u.Zones[x.Zone.Value] = true
		default:
			continue
		}
		if window := d.Window(e); !u.from.Known() || window.Earliest <= u.from {
			u.from = min(window.Earliest, x.Time) - 1
		}
	}
	return u
}

// withhold omits decisions without an observed effect that may still come, and those they cause.
func (r *run) withhold(d *drive.Driver, res *Result) {
	unseen := r.pending.open
	if len(unseen) == 0 {
		return
	}
	kept := d.Decisions[:0]
	for x := range model.Each(d.Decisions) {
		rests := slices.ContainsFunc(x.Causes, func(id model.DecisionID) bool { return unseen[id] })
		if x.Observed == nil && (unseen[x.ID] || rests) {
			if x.Kind == model.EvictPod && !rests {
				r.pending.fired = append(r.pending.fired, *x)
			}
			unseen[x.ID] = true
			continue
		}
		kept = append(kept, *x)
	}
	d.Decisions = kept
	res.Unobserved = slices.DeleteFunc(res.Unobserved, func(id model.DecisionID) bool { return unseen[id] })
}

// known is the state at or after the end, without pending decisions.
func (r *run) known(t model.Instant) (*State, error) {
	s, err := r.ifActing(t)
	if err == nil && s.Unrenewed.Known() {
		s.Standing, err = r.standing(t)
	}
	return s, err
}

// ifActing is known if the leader has acted until then, which may be unknown.
func (r *run) ifActing(t model.Instant) (*State, error) {
	r, err := r.withSupposedRestarts()
	if err != nil {
		return nil, err
	}
	var s *State
	if !r.pending.from.Known() || r.overdue.Known() {
		s, err = r.at(t)
	} else {
		s, err = r.otherwise(t, r.pending.from, func(*drive.Driver) {})
	}
	if err != nil {
		return nil, err
	}
	s.Doubted, s.Undeleted = r.doubted(s), r.undeleted(&r.found)
	if last := r.lastPass(t); last > 0 && !r.overdue.Known() {
		if s.Otherwise, err = r.otherwise(t, r.passes[last-1].At-1, func(d *drive.Driver) { d.Unjudged = last }); err != nil {
			return nil, err
		}
		return s.orGoesOn(), nil
	}
	if last := r.lastJudged(t); last > 0 && !r.overdue.Known() {
		return r.orUnseen(s, last)
	}
	return s, nil
}

// otherwise is the state at a time without pending decisions, with a change to the models from another time on.
func (r *run) otherwise(t, from model.Instant, change func(*drive.Driver)) (*State, error) {
	u := &r.pending
	if u.from.Known() {
		from = min(from, u.from)
	}
	d, err := r.from(min(t, from))
	if err != nil {
		return nil, err
	}
	if u.from.Known() {
		d.Undecided = &u.Undecided
	}
	change(d)
	return r.stateOf(d, t)
}

// doubtFor is how long an unexplained taint makes a zone's queue and bucket unknown. By then waiting nodes usually have
// had a token.
const doubtFor = 10 * time.Minute

// doubted are the zones with an unexplained NoExecute taint or removal, or a gap that may hide one.
func (r *run) doubted(s *State) (list []model.ZoneKey) {
	for w := range model.Each(r.evidence.Writes) {
		if w.Decision != 0 || w.Across || w.Kind != model.TaintNoExecute && w.Kind != model.UntaintNoExecute || w.Time.Latest.Add(doubtFor) < s.At {
			continue
		}
		if n := s.Cache.Node(w.Node); n != nil && !slices.Contains(list, n.Zone) {
			list = append(list, n.Zone)
		}
	}
	// A gap hides what was done to a silent node, and which nodes had the tokens.
	if r.evidence.Gaps.AnyUnlisted(model.KindNode) {
		for _, row := range s.Cache.All() {
			if n := row.Node; n != nil && !n.IsReady() && !slices.Contains(list, n.Zone) {
				if _, ok := r.evidence.Outlived(model.KindNode, model.Key{Name: row.Name}, s.At); ok {
					list = append(list, n.Zone)
				}
			}
		}
	}
	return list
}
