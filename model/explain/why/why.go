// Package why answers two questions about the controllers. Why was a decision made? A Chain of causes leads back to the
// last heartbeat that counted. Why has a step not happened yet? A list of Held steps has the checks that hold them
// back, and the changes that would release them.
//
// For example: the chain of a pod's deletion has its countdown, the taint and the declaration of its node, and the
// node's last heartbeat.
package why

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

// LinkKind is the kind of a Link.
type LinkKind uint8

const (
	LinkDecision LinkKind = iota
	// LinkWrite: an observed write that no decision explains.
	LinkWrite
	// LinkFact: a fact that no decision made: a heartbeat, or a kubelet's status.
	LinkFact
	// LinkBreak: the chain ends here because the data does.
	LinkBreak
	// LinkAgain: a decision that is already in the chain, with its causes.
	LinkAgain
	// LinkMore: the chain has MaxLinks links, and continues.
	LinkMore
)

// MaxLinks bounds a chain: a zone's state may rest on thousands of nodes.
const MaxLinks = 200

// String is the word in JSON.
func (k LinkKind) String() string {
	return [...]string{"decision", "write", "fact", "break", "again", "more"}[min(k, LinkMore)]
}

// Link is one step of a chain. Each kind uses its own fields after Depth.
type Link struct {
	Kind LinkKind
	// Depth is 0 for the subject of the question, and one more for each step back.
	Depth int
	// Decision is set for LinkDecision and LinkAgain. Its Inputs and Observed are the evidence.
	Decision *model.Decision
	Write    *infer.Write
	Fact     *model.Input
	// Gap is the time without data at a break, Why its reason; zero if the cause was decided before the data starts.
	Why string
	Gap model.Interval
}

// Chain is the subject of the question and its causes, depth first.
type Chain []Link

// Index finds decisions and their causes. It must not outlive their lists.
type Index struct {
	decisions []model.Decision
	byID      map[model.DecisionID]int
	writes    []infer.Write
	gaps      []history.Gap
	sources   []history.Source
}

// New indexes decisions. Gaps and sources are the History's, or nil.
func New(decisions []model.Decision, gaps []history.Gap, sources []history.Source) *Index {
	x := &Index{decisions: decisions, byID: make(map[model.DecisionID]int, len(decisions)), gaps: gaps, sources: sources}
	for i := range decisions {
		x.byID[decisions[i].ID] = i
	}
	return x
}

// Of indexes the decisions of a shadow run over a History.
func Of(r *infer.Result, h history.History) *Index {
	x := New(r.Decisions, h.Gaps(), h.Sources())
	x.writes = r.Writes
	return x
}

// Decision finds a decision; nil if there is none, and in a nil Index.
func (x *Index) Decision(id model.DecisionID) *model.Decision {
	if x == nil {
		return nil
	}
	i, ok := x.byID[id]
	if !ok {
		return nil
	}
	return &x.decisions[i]
}

// Why is the chain of a decision; ok is false if there is none of that id.
func (x *Index) Why(id model.DecisionID) (c Chain, ok bool) {
	i, ok := x.byID[id]
	if !ok {
		return nil, false
	}
	x.walk(&c, &x.decisions[i], 0, map[model.DecisionID]bool{})
	if len(c) > MaxLinks {
		c[MaxLinks] = Link{Kind: LinkMore, Depth: c[MaxLinks].Depth}
		c = c[:MaxLinks+1]
	}
	return c, true
}

// About is the chain of the last decision about a subject by a time. A later unexplained write comes first.
func (x *Index) About(s Subject, at model.Instant) Chain {
	id, ok := x.Last(s, at)
	latest := model.FarPast
	if ok {
		latest = x.timeOf(id)
	}
	var foreign *infer.Write
	for i := range x.writes {
		if w := &x.writes[i]; w.Decision == 0 && w.Time.Earliest > latest && w.Time.Latest <= at && s.wrote(w) {
			foreign, latest = w, w.Time.Earliest
		}
	}
	var c Chain
	if foreign != nil {
		c = x.WhyWrite(foreign)
	}
	known, _ := x.Why(id)
	return append(c, known...)
}

// WhyWrite is the chain of an observed write: that of its decision, or the write alone if no decision explains it.
func (x *Index) WhyWrite(w *infer.Write) Chain {
	if c, ok := x.Why(w.Decision); ok {
		return c
	}
	return Chain{{Kind: LinkWrite, Write: w}}
}

// Subject is the subject of a question: a pod, else a node, else a zone. Decisions on the cluster count for each zone.
type Subject struct {
	Pod  model.Key
	Node string
	Zone model.Maybe[model.ZoneKey]
	// Kinds are the kinds asked for; if empty, all that were not declined.
	Kinds []model.DecisionKind
}

func (s *Subject) matches(d *model.Decision) bool {
	switch {
	case len(s.Kinds) > 0:
		if !slices.Contains(s.Kinds, d.Kind) {
			return false
		}
	case d.Outcome == model.Declined:
		return false
	}
	switch {
	case s.Pod != (model.Key{}):
		return d.Pod == s.Pod
	case s.Node != "":
		return d.Node == s.Node && d.Pod == (model.Key{})
	}
	return s.Zone.Known && d.Node == "" && d.Pod == (model.Key{}) && (d.Zone == s.Zone || !d.Zone.Known)
}

func (s *Subject) wrote(w *infer.Write) bool {
	if len(s.Kinds) > 0 && !slices.Contains(s.Kinds, w.Kind) {
		return false
	}
	if s.Pod != (model.Key{}) {
		return w.Pod == s.Pod
	}
	return s.Node != "" && w.Node == s.Node && w.Pod == (model.Key{})
}

// Last is the last decision about a subject by a time. Those that should be visible and may come later do not count.
func (x *Index) Last(s Subject, at model.Instant) (id model.DecisionID, ok bool) {
	for i := sort.Search(len(x.decisions), func(i int) bool { return x.decisions[i].Time > at }) - 1; i >= 0; i-- {
		if d := &x.decisions[i]; s.matches(d) && !x.mayCome(d, at) {
			return d.ID, true
		}
	}
	return 0, false
}

// mayCome reports whether a decision, or one of its causes, should be visible, is not, and may come after a time.
func (x *Index) mayCome(d *model.Decision, at model.Instant) bool {
	if d.Window.Latest <= at || d.Observed != nil {
		return false
	}
	return d.LeavesTrace || slices.ContainsFunc(d.Causes, func(id model.DecisionID) bool {
		cause := x.Decision(id)
		return cause != nil && x.mayCome(cause, at)
	})
}

func (x *Index) walk(c *Chain, d *model.Decision, depth int, seen map[model.DecisionID]bool) {
	if seen[d.ID] {
		*c = append(*c, Link{Kind: LinkAgain, Depth: depth, Decision: d})
		return
	}
	seen[d.ID] = true
	*c = append(*c, Link{Kind: LinkDecision, Depth: depth, Decision: d})
	for k := range d.Inputs {
		x.fact(c, d, &d.Inputs[k], depth+1)
	}
	causes := slices.Clone(d.Causes)
	if off := x.takenOff(d); off != nil {
		causes = append(causes, off.ID)
	}
	slices.SortStableFunc(causes, func(a, b model.DecisionID) int { // the latest first: it is nearest
		return -cmp.Compare(x.timeOf(a), x.timeOf(b))
	})
	for _, id := range causes {
		if len(*c) > MaxLinks {
			return
		}
		cause := x.Decision(id)
		if cause == nil {
			continue
		}
		kind := model.KindNode
		if cause.Controller != model.NodeLifecycle {
			kind = model.KindPod
		}
		if gap, broken := x.gap(kind, cause.Time, d.Time); broken {
			*c = append(*c, x.broken(depth+1, gap))
			continue
		}
		x.walk(c, cause, depth+1, seen)
	}
	if len(causes) > 0 && x.unexplained(d) {
		*c = append(*c, Link{Kind: LinkBreak, Depth: depth + 1})
	}
}

// anewWithin is the time from a restart to the first pass that queues a node again for its taint.
const anewWithin = 30 * time.Second

// takenOff is a new process's removal of the taint that a node is queued for again; nil if there is none. It does not
// cause the decision to queue, but a second taint.
func (x *Index) takenOff(d *model.Decision) *model.Decision {
	i, ok := x.byID[d.ID]
	if d.Kind != model.QueueForTaint || !ok {
		return nil
	}
	for i--; i >= 0 && x.decisions[i].Time.Add(anewWithin) > d.Time; i-- {
		is := &x.decisions[i]
		if is.Node != d.Node || is.Controller != d.Controller {
			continue
		}
		switch {
		case is.Kind == model.TaintNoExecute, is.Kind == model.SwapNoExecute:
			return nil
		case is.Kind == model.UntaintNoExecute && is.Rule == model.RuleNewToProcess && is.Outcome == model.Did:
			return is
		}
	}
	return nil
}

// unexplained reports whether the cause of a decision about a node lies before the data: no known cause is about the
// node. The state and rate of its zone may have been set long before.
func (x *Index) unexplained(d *model.Decision) bool {
	return d.Node != "" && !slices.ContainsFunc(d.Causes, func(id model.DecisionID) bool {
		cause := x.Decision(id)
		return cause != nil && (cause.Node == d.Node || cause.Kind == model.ControllerStart) // the first decision of a process
	})
}

// fact adds an input with its own time: a heartbeat, or a kubelet's status. Object versions stay in Inputs.
func (x *Index) fact(c *Chain, d *model.Decision, in *model.Input, depth int) {
	if !in.At.Known() {
		return
	}
	if gap, broken := x.gap(in.Kind, in.At, d.Time); broken {
		*c = append(*c, x.broken(depth, gap))
		return
	}
	*c = append(*c, Link{Kind: LinkFact, Depth: depth, Fact: in})
}

func (x *Index) broken(depth int, gap history.Gap) Link {
	return Link{Kind: LinkBreak, Depth: depth, Why: gap.Why, Gap: gap.Interval}
}

// gap finds a span between two times in which all sources of a kind lack data.
func (x *Index) gap(kind model.Kind, from, to model.Instant) (hole history.Gap, broken bool) {
	span := model.Interval{Earliest: min(from, to), Latest: max(from, to)}
	missing := map[int]bool{}
	for _, g := range x.gaps {
		if g.Overlaps(span) && x.tells(g.Source, kind) {
			missing[g.Source] = true
			hole = g
		}
	}
	if len(missing) == 0 {
		return hole, false
	}
	for i := range x.sources {
		if x.tells(i, kind) && !missing[i] && (!x.sources[i].Coverage.Known() || x.sources[i].Coverage.Overlaps(span)) {
			return history.Gap{}, false
		}
	}
	return hole, true
}

// tells reports whether a source has Changes of a kind. One without a description may have them.
func (x *Index) tells(source int, kind model.Kind) bool {
	return source < 0 || source >= len(x.sources) || x.sources[source].Kinds == nil || x.sources[source].Kinds[kind] > 0
}

func (x *Index) timeOf(id model.DecisionID) model.Instant {
	if d := x.Decision(id); d != nil {
		return d.Time
	}
	return model.FarPast
}
