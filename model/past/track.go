package past

import (
	"cmp"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/history"
)

// Track is one node's past over a window: its conditions, taints and heartbeats.
type Track struct {
	Window model.Interval
	// Watched is the start of the source's coverage. The first version shows earlier states by its timestamps.
	Watched    model.Instant
	Conditions []ConditionTrack
	// Renewals are the times of lease renewals, in order: arrival, else renewTime, or the API server's time if that
	// contradicts renewTime. The renewal at the start of the coverage may be before Watched.
	Renewals []model.Instant
	// Reading: more is being read. Window is the known part, or unknown.
	Reading bool
	// Flips counts the changes of Ready's status within the window.
	Flips int
	// Taints are in the order in which they were first seen.
	Taints []TaintTrack
	Posts  []Post
}

// TaintTrack is a taint that a node had for a time, and when it was added: many taints have no timeAdded.
type TaintTrack struct {
	Key    string
	Effect model.Effect
	// From is when the first version with it took effect, To when the next one without it did; FarFuture if unknown.
	From, To model.Instant
	// Added bounds when it was added: the write of the first version with it. If no version before is known, it is from
	// the node's creation to that write, or to the last write of the taints by managedFields.
	Added model.Interval
	// Writer added it, by the Requester; unknown, and nil, if not shown.
	Writer    model.Writer
	Requester *model.Requester
}

// Taint finds a taint that the node had at a time.
func (t *Track) Taint(key string, effect model.Effect, at model.Instant) (track TaintTrack, ok bool) {
	for _, x := range t.Taints {
		if x.Key == key && x.Effect == effect && x.From <= at && at < x.To {
			return x, true
		}
	}
	return track, false
}

// Until is the Track as known at a time: its Window may reach beyond.
func (t *Track) Until(at model.Instant) *Track {
	is := *t
	by := func(list []model.Instant) int {
		return sort.Search(len(list), func(i int) bool { return list[i] > at })
	}
	is.Renewals = t.Renewals[:by(t.Renewals)]
	is.Posts = slices.DeleteFunc(slices.Clone(t.Posts), func(p Post) bool { return p.Seen > at })
	is.Taints = slices.DeleteFunc(slices.Clone(t.Taints), func(x TaintTrack) bool { return x.From > at })
	is.Conditions = slices.Clone(t.Conditions)
	for i := range is.Conditions {
		c := &is.Conditions[i]
		n := sort.Search(len(c.Spans), func(i int) bool { return c.Spans[i].From > at })
		if c.Type == model.ConditionReady {
			is.Flips = max(0, t.Flips-(len(c.Spans)-n))
		}
		c.Spans = c.Spans[:n]
	}
	return &is
}

// ConditionTrack is one condition's past. Spans are in order and do not overlap; between them it is unknown.
type ConditionTrack struct {
	Type  string
	Spans []Span
}

// Span is a time in which a condition had one status.
type Span struct {
	From, To model.Instant
	Status   model.Status
}

// trackBudget limits how many Changes BuildTrack reads: about an hour of 5,000 nodes.
const trackBudget = 2_000_000

// BuildTrack reads one node's past over a window from a History. It reads backwards, so that the oldest part stays
// empty if its budget ends. Times outside the coverage, or in a gap of the status's source, stay empty too. A status
// starts when it takes effect in the state of a Cursor. Only the oldest version read starts at its own transition time,
// which may be before the coverage.
func BuildTrack(h history.History, node string, window model.Interval) (*Track, error) {
	return buildTrack(h, node, window, trackBudget)
}

func buildTrack(h history.History, node string, window model.Interval, budget int) (*Track, error) {
	t := &Track{Window: window}
	known := window
	if c := h.Coverage(); c.Known() {
		if window.Earliest > c.Latest {
			return t, nil
		}
		t.Watched = c.Earliest
		known = model.Interval{Earliest: max(window.Earliest, c.Earliest), Latest: min(max(window.Latest, c.Earliest), c.Latest)}
	}
	first, end := h.Span()
	if first == end {
		return t, nil
	}
	read := collected{node: node, known: known}
	if err := read.back(h, budget); err != nil {
		return nil, err
	}
	t.renewals(read.leases)
	t.conditions(read.versions, known, h.Gaps())
	t.taints(read.versions)
	t.posts(read.versions)
	return t, nil
}

// collected is what was read of a node, oldest first.
type collected struct {
	node  string
	known model.Interval

	versions []*model.Change // of the object, effective within known, and the last before it
	prior    bool            // there is one before it
	leases   []leaseVersion
}

type leaseVersion struct{ renewed, at model.Instant }

// back reads page by page backwards.
func (r *collected) back(h history.History, budget int) error {
	first, _ := h.Span()
	var read history.Condensed
	for page := h.PageBefore(r.known.Latest); ; page = h.PageAt(page.Start - 1) {
		if err := h.Read(page, &read); err != nil {
			return err
		}
		versions, leases, n := r.versions, r.leases, page.End-page.Start
		r.versions, r.leases = nil, nil
		read.Each(max(0, n-budget), n, func(_ int, renewal *model.Renewal) bool {
			if of := &read.Leases[renewal.Lease]; of.Key.Name == r.node {
				ch := renewal.Change(of)
				r.lease(&ch)
			}
			return true
		}, func(_ int, ch *model.Change) bool {
			r.change(ch)
			return true
		})
		r.versions, r.leases = append(r.versions, versions...), append(r.leases, leases...)
		if budget -= n; budget <= 0 || r.prior || page.Start <= first {
			return nil
		}
	}
}

func (r *collected) change(ch *model.Change) {
	switch {
	case ch.Key.Name != r.node || ch.Effective() > r.known.Latest:
	case ch.Kind == model.KindNode && ch.Says() != model.TransitionUnknown:
		if ch.Effective() < r.known.Earliest {
			r.versions, r.leases, r.prior = nil, nil, true
		}
		kept := *ch
		r.versions = append(r.versions, &kept)
	case ch.Kind == model.KindNodeLease:
		r.lease(ch)
	}
}

// lease takes a successful write of the lease, or the lease at the start of the coverage.
func (r *collected) lease(ch *model.Change) {
	at := ch.Effective()
	if at <= r.known.Latest && (ch.Op == model.OpBaseline || at >= r.known.Earliest && ch.Renews()) {
		r.leases = append(r.leases, leaseVersion{ch.Lease.Renewed, renewalInstant(ch)})
	}
}

// renewals keeps the times at which renewTime changed.
func (t *Track) renewals(leases []leaseVersion) {
	var last model.Instant
	for _, v := range leases {
		if v.renewed.Known() && v.renewed == last {
			continue
		}
		if last = v.renewed; t.Window.Contains(v.at) {
			t.Renewals = append(t.Renewals, v.at)
		}
	}
	slices.Sort(t.Renewals)
}

// renewalInstant is when a renewal came: its arrival; else its renewTime, unless the API server's time contradicts it.
// A lease at the start of the coverage arrived at an unknown time.
func renewalInstant(ch *model.Change) model.Instant {
	renewed := ch.Lease.Renewed
	switch {
	case ch.Op == model.OpBaseline:
		return renewed
	case ch.Arrival.Known():
		return ch.Arrival
	case renewed.Bounded() && (!ch.Time.Known() || ch.Time.Contains(renewed)):
		return renewed
	}
	return ch.Effective()
}

// conditions turns object versions into spans.
func (t *Track) conditions(versions []*model.Change, known model.Interval, gaps []history.Gap) {
	for i, ch := range versions {
		if ch.Node == nil || ch.Op == model.OpDelete {
			continue
		}
		from, to := max(ch.Effective(), known.Earliest), known.Latest
		if i+1 < len(versions) {
			to = versions[i+1].Effective()
		}
		for j := range ch.Node.Conditions {
			c := &ch.Node.Conditions[j]
			start := from
			if i == 0 && c.Transition.Bounded() {
				start = max(min(from, c.Transition), t.Window.Earliest)
			}
			if start < t.Watched { // a timestamp holds through the source's gaps
				t.condition(c.Type).extend(Span{start, min(t.Watched, t.Window.Latest), c.Status})
				start = t.Watched
			}
			t.add(c, start, to, gaps, ch.Origin.Source)
		}
	}
	slices.SortStableFunc(t.Conditions, func(a, b ConditionTrack) int { return rank(a.Type) - rank(b.Type) })
}

// taints finds the taints that the node had, and when each was added.
func (t *Track) taints(versions []*model.Change) {
	has := map[model.Taint]int{} // those of the version before, by their place in t.Taints
	for i, ch := range versions {
		is := map[model.Taint]int{}
		if ch.Node != nil && ch.Op != model.OpDelete {
			for _, taint := range ch.Node.Taints {
				taint.Value = ""
				place, before := has[taint]
				if !before {
					place = len(t.Taints)
					t.Taints = append(t.Taints, appeared(taint, ch, i == 0))
				}
				is[taint] = place
			}
		}
		for taint, place := range has {
			if _, still := is[taint]; !still {
				t.Taints[place].To = ch.Effective()
			}
		}
		has = is
	}
}

// appeared is a taint that a version is the first to show, or the first known.
func appeared(taint model.Taint, ch *model.Change, first bool) TaintTrack {
	track := TaintTrack{Key: taint.Key, Effect: taint.Effect, From: ch.Effective(), To: model.FarFuture, Added: ch.Time, Writer: ch.Writer, Requester: ch.Requester}
	if first && ch.Op != model.OpAdd {
		track.Added = model.Interval{Earliest: cmp.Or(ch.Node.Created, model.FarPast), Latest: ch.Time.Latest}
		if by := ch.Node.TaintedBy(); by.Known() && !taint.Added.Known() {
			track.Added.Latest = min(track.Added.Latest, by)
		}
		track.Writer, track.Requester = model.WriterUnknown, nil
	}
	return track
}

// rank puts Ready first; the others keep their order.
func rank(condition string) int {
	if condition == "Ready" {
		return 0
	}
	return 1
}

// add appends a span of a condition, without the gaps of its source, and counts flips.
func (t *Track) add(c *model.Condition, from, to model.Instant, gaps []history.Gap, source int32) {
	track := t.condition(c.Type)
	if n := len(track.Spans); c.Type == "Ready" && n > 0 && track.Spans[n-1].Status != c.Status {
		t.Flips++
	}
	for _, g := range gaps {
		if g.Source != int(source) || g.Latest <= from || g.Earliest >= to {
			continue
		}
		track.extend(Span{from, g.Earliest, c.Status})
		from = g.Latest
	}
	track.extend(Span{from, to, c.Status})
}

func (t *Track) condition(name string) *ConditionTrack {
	for i := range t.Conditions {
		if t.Conditions[i].Type == name {
			return &t.Conditions[i]
		}
	}
	t.Conditions = append(t.Conditions, ConditionTrack{Type: name})
	return &t.Conditions[len(t.Conditions)-1]
}

// extend appends a span, or extends the last one if nothing changed.
func (c *ConditionTrack) extend(s Span) {
	if s.From >= s.To {
		return
	}
	if n := len(c.Spans); n > 0 && c.Spans[n-1].To == s.From && c.Spans[n-1].Status == s.Status {
		c.Spans[n-1].To = s.To
		return
	}
	c.Spans = append(c.Spans, s)
}

// Clip is the part of a Track in a window, which must be within its own.
func (t *Track) Clip(window model.Interval) *Track {
	out := &Track{Window: window, Watched: t.Watched, Taints: t.Taints}
	for _, c := range t.Conditions {
		part := ConditionTrack{Type: c.Type}
		for _, s := range c.Spans {
			s.From, s.To = max(s.From, window.Earliest), min(s.To, window.Latest)
			if s.From >= s.To {
				continue
			}
			if n := len(part.Spans); c.Type == "Ready" && n > 0 && part.Spans[n-1].Status != s.Status {
				out.Flips++
			}
			part.Spans = append(part.Spans, s)
		}
		if len(part.Spans) > 0 {
			out.Conditions = append(out.Conditions, part)
		}
	}
	from, _ := slices.BinarySearch(t.Renewals, window.Earliest)
	to, _ := slices.BinarySearch(t.Renewals, window.Latest+1)
	out.Renewals = t.Renewals[from:max(from, to)]
	for _, post := range t.Posts {
		if window.Contains(post.Seen) {
			out.Posts = append(out.Posts, post)
		}
	}
	return out
}
