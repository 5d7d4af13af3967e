package evidence

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// takeBase takes in the state before the first event: the base of a shortened History, or the initial lists.
func (s *survey) takeBase(in *Input, scope Scope) error {
	stood, _, err := in.History.State(in.First)
	if err != nil {
		return err
	}
	if stood.Folded > 0 {
		for row := range stood.Nodes {
			if row.Node != nil {
				s.Listed = s.Begins
			}
		}
		s.base(stood, scope.Prologue)
		return nil
	}
	var listed int // position after the last list
	var lists history.Lists
	err = in.Pages(in.First, func(page *history.Condensed, from, to int) (bool, error) {
		some := false
		lists.Begin(page.First)
		page.Each(from, to, func(int, *model.Renewal) bool { return true }, func(slot int, ch *model.Change) bool {
			if ch.Effective() <= s.until && lists.Take(ch) {
				listed, some = page.Start+slot+1, true
			}
			return true
		})
		return some, nil
	})
	if err != nil || listed == 0 {
		return err
	}
	c := model.NewCluster()
	err = in.Pages(in.First, func(page *history.Condensed, from, to int) (bool, error) {
		to = min(to, listed-page.Start)
		page.EachChange(from, to, func(_ int, ch *model.Change) bool {
			c.Fold(ch)
			if ch.Kind == model.KindNode {
				s.listed(ch, ch.Effective())
			}
			return true
		})
		return page.End < listed, nil
	})
	if err != nil || !heard(c) {
		return err
	}
	in.First, s.Begins = listed, max(lists.Ended(), scope.Coverage.Earliest)
	s.base(c, scope.Prologue)
	return nil
}

// heard reports whether there are nodes, each with a known renewal.
func heard(c *model.Cluster) bool {
	some, all := false, true
	c.Nodes(func(row *model.NodeRow) bool {
		some = some || row.Node != nil
		all = row.Node == nil || row.Lease.Seen && row.Lease.Renewed.Known()
		return all
	})
	return some && all
}

// base takes in the state before the first position as after a gap: objects as before it, and their changes as steps.
func (s *survey) base(c *model.Cluster, long time.Duration) {
	gap := model.Interval{Earliest: s.Begins.Add(-long), Latest: s.Begins}
	for i := range s.Gaps {
		s.Gaps[i] = append([]Gap{{Interval: gap, until: gap.Latest, Noted: true, BeforeStart: true}}, s.Gaps[i]...)
	}
	s.KnownStart = true
	s.standingProcess(c, gap)
	var rows []model.NodeRow
	c.Nodes(func(row *model.NodeRow) bool {
		rows = append(rows, *row)
		return true
	})
	s.takesWrites(rows)
	for row := range model.Each(rows) {
		if row.Lease.Seen && !row.Lease.Gone {
			s.baseLease(row, gap)
		}
		if row.Node != nil {
			s.baseObject(&model.Change{Kind: model.KindNode, Key: model.Key{Name: row.Name}, UID: row.Node.UID, Version: row.Version, Node: row.Node}, gap)
		}
	}
	for _, p := range c.Pods() {
		s.baseObject(&model.Change{Kind: model.KindPod, Key: p.Key, UID: p.UID, Pod: p}, gap)
	}
}

// takesWrites finds since when the API server takes writes: the oldest renewal within RenewsWithin. If all are older, a
// cause that silenced all nodes may have just ended.
func (s *survey) takesWrites(rows []model.NodeRow) {
	s.TakesWrites, s.AllLate = s.Begins, true
	leases := 0
	for i := range rows {
		l := &rows[i].Lease
		if !l.Seen || l.Gone || !l.Renewed.Known() {
			continue
		}
		if leases++; s.Begins.Sub(l.Renewed) < RenewsWithin {
			s.TakesWrites, s.AllLate = min(s.TakesWrites, l.Renewed), false
		}
	}
	s.AllLate = s.AllLate && leases > 1
}

// baseLease takes in a lease that exists.
func (s *survey) baseLease(row *model.NodeRow, gap model.Interval) {
	l := &row.Lease
	ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: row.Name},
		UID: l.UID, Version: l.Version, Time: l.Written, Lease: l.Lease}
	when := min(cmp.Or(l.Heard, l.Renewed, gap.Earliest), gap.Latest)
	ch.Lease.Renewed = cmp.Or(l.Renewed, when)
	ch.At = max(when, gap.Earliest)
	n := s.traces.Of(row.Name)
	n.leased, n.heard, n.beat, n.counted = true, when, when, when
	n.last.Lease = StampedWithin(l.Written, l.Renewed, gap.Latest)
	s.Counts[model.KindNodeLease]++
	if when > gap.Earliest {
		s.heardIn[gapOf{gap.Earliest, row.Name}] = ch.Lease.Renewed
	}
	s.Steps = append(s.Steps, Step{At: ch.At, id: len(s.Steps), Position: -1, Change: ch})
}

func (s *survey) baseObject(ch *model.Change, gap model.Interval) {
	ch.Op, ch.At, ch.Quality = model.OpModify, gap.Latest, model.ByStamp
	ch.Time = gap
	s.Counts[ch.Kind]++
	since := func(t model.Instant) bool { return t.Bounded() && t > gap.Earliest }
	var same bool
	if ch.Node != nil {
		n := s.traces.Of(ch.Key.Name)
		n.node, n.created = true, ch.Node.Created
		if ready := ch.Node.Ready(); ready != nil && ready.Posted().Known() {
			n.last.Status = StampedWithin(model.Interval{}, ready.Posted(), gap.Latest)
		}
		before := undone(ch.Node, since)
		same = before == ch.Node
		s.seedNode(ch.Key.Name, before, ch.Version)
	} else {
		before := undonePod(ch.Pod, since)
		same = before == ch.Pod
		s.seedPod(before)
	}
	if same {
		return
	}
	first := len(s.out)
	s.span(-1, ch, &Gap{Interval: gap, until: gap.Latest, Noted: true, BeforeStart: true})
	x := Step{At: gap.Latest, id: len(s.Steps), Position: -1, Change: *ch}
	for i := first; i < len(s.out); i++ {
		if s.out[i].Key == -1 {
			s.out[i].Key = x.Key()
		}
		if n := s.traces.Find(s.out[i].Node); n != nil {
			s.out[i].Beat, s.out[i].Posted = n.counted, n.posted
		}
	}
	s.Steps = append(s.Steps, x)
}

// registering is how long a new node takes to complete its registration.
const registering = 5 * time.Second

// undone is a node before the changes since a time, by its timestamps; the same pointer if there are none.
func undone(is *model.Node, since func(model.Instant) bool) *model.Node {
	had := func(key string) bool {
		return slices.ContainsFunc(is.Taints, func(t model.Taint) bool { return t.Key == key && !since(t.Added) })
	}
	changed := false
	n := *is
	n.Conditions, n.Taints = slices.Clone(is.Conditions), slices.Clone(is.Taints)
	for c := range model.Each(n.Conditions) {
		// A remaining taint contradicts the posted status: some kubelets do not update the transition time.
		was := before(c, had)
		contradicted := since(c.Heartbeat) && was != c.Status && c.Status != model.StatusUnknown && (was == model.StatusUnknown || c.Type != "Ready")
		if was == c.Status || !contradicted && (!since(c.Transition) || c.Transition < is.Created.Add(registering)) {
			continue
		}
		if c.Status != model.StatusUnknown { // the kubelet posted it, with a heartbeat
			c.Heartbeat = is.Created
		}
		c.Status, c.Transition, c.Reason = was, is.Created, ""
		changed = true
	}
	n.Taints = slices.DeleteFunc(n.Taints, func(t model.Taint) bool { return t.OfNodeLifecycle() && since(t.Added) })
	if !changed && len(n.Taints) == len(is.Taints) {
		return is
	}
	return &n
}

// before is the earlier status of a condition: by a taint that was already there, else that of a healthy node.
func before(c *model.Condition, had func(taint string) bool) model.Status {
	if c.Type != "Ready" {
		if c.Status == model.StatusUnknown || c.Status == model.StatusTrue {
			return model.StatusFalse
		}
		for _, of := range model.ConditionTaints {
			if of.Condition == c.Type && had(of.Taint) {
				return of.Status
			}
		}
		return c.Status
	}
	switch {
	case c.Status != model.StatusUnknown && had(model.TaintUnreachable):
		return model.StatusUnknown
	case c.Status != model.StatusFalse && had(model.TaintNotReady):
		return model.StatusFalse
	}
	return model.StatusTrue
}

func undonePod(is *model.Pod, since func(model.Instant) bool) *model.Pod {
	p := *is
	if is.Ready == model.StatusFalse && since(is.ReadySince) {
		p.Ready, p.ReadySince = model.StatusTrue, is.Created
	}
	if is.DisruptionReason == model.DisruptedByTaintManager && since(is.Disrupted) {
		p.Disrupted, p.DisruptionReason, p.Deletion = 0, "", 0
	}
	if p == *is {
		return is
	}
	return &p
}
