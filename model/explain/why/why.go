// Package why answers two questions about the controllers: why something was decided, as a
// chain of causes back to the last heartbeat that counted; and why something has not
// happened yet, as the checks that hold it back and what would change each.
//
// It returns data; the words for people are those of the Decisions.
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

// LinkKind says what a link of a chain is.
type LinkKind uint8

const (
	// LinkDecision: a decision.
	LinkDecision LinkKind = iota
	// LinkWrite: an observed write that no decision explains.
	LinkWrite
	// LinkFact: a fact that is nobody's decision here: a heartbeat, a kubelet's word.
	LinkFact
	// LinkBreak: the chain ends here because the data does.
	LinkBreak
	// LinkAgain: a decision that stands earlier in the chain already, with its causes.
	LinkAgain
	// LinkMore: the chain goes on, and is not followed any further: it has MaxLinks.
	LinkMore
)

// MaxLinks bounds a chain: a zone's state may rest on thousands of nodes.
const MaxLinks = 200

// String is the word in JSON.
func (k LinkKind) String() string {
	return [...]string{"decision", "write", "fact", "break", "again", "more"}[min(k, LinkMore)]
}

// Link is one step of a chain. Of the fields after Depth, each kind uses its own.
type Link struct {
	Kind LinkKind
	// Depth is 0 for what was asked about, and one more for each step back.
	Depth int
	// Decision is set for LinkDecision and LinkAgain. Its Inputs and Observed are the
	// evidence.
	Decision *model.Decision
	Write    *infer.Write
	Fact     *model.Input
	// Gap is, for a break, the time of which the data knows nothing, and Why the reason of that; zero if the decision that
	// caused it was made before the data starts.
	Why string
	Gap model.Interval
}

// Chain is what was asked about, then its causes, each before its own: depth first. A
// LinkMore ends one that has MaxLinks.
type Chain []Link

// Broken says whether data is missing on the way.
func (c Chain) Broken() bool {
	return slices.ContainsFunc(c, func(l Link) bool { return l.Kind == LinkBreak })
}

// Index finds decisions and their causes. It must not outlive the lists it was made of.
type Index struct {
	decisions []model.Decision
	byID      map[model.DecisionID]int
	writes    []infer.Write
	gaps      []history.Gap
	sources   []history.Source
}

// New indexes decisions. Gaps and sources are the History's; both may be nil.
func New(decisions []model.Decision, gaps []history.Gap, sources []history.Source) *Index {
	x := &Index{decisions: decisions, byID: make(map[model.DecisionID]int, len(decisions)), gaps: gaps, sources: sources}
	for i := range decisions {
		x.byID[decisions[i].ID] = i
	}
	return x
}

// Of indexes what a shadow run found in a History.
func Of(r *infer.Result, h history.History) *Index {
	x := New(r.Decisions, h.Gaps(), h.Sources())
	x.writes = r.Writes
	return x
}

// Decision finds a decision by its id; nil if there is none, and in a nil Index.
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

// About is the chain of the last decision about a subject by an instant. A write since then
// that no decision explains stands before it. It is empty if nothing happened.
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

// WhyWrite is the chain of an observed write: of the decision that explains it, or the
// write alone and why nothing does.
func (x *Index) WhyWrite(w *infer.Write) Chain {
	if c, ok := x.Why(w.Decision); ok {
		return c
	}
	return Chain{{Kind: LinkWrite, Write: w}}
}

// Subject is what a question is about: a pod, or else a node, or else a zone. What is decided
// over the whole cluster is decided over each of its zones.
type Subject struct {
	Pod  model.Key
	Node string
	Zone model.Maybe[model.ZoneKey]
	// Kinds are the kinds asked for; empty for those that leave a trace, and zone states.
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

// wrote says whether a write is to the subject.
func (s *Subject) wrote(w *infer.Write) bool {
	if len(s.Kinds) > 0 && !slices.Contains(s.Kinds, w.Kind) {
		return false
	}
	if s.Pod != (model.Key{}) {
		return w.Pod == s.Pod
	}
	return s.Node != "" && w.Node == s.Node && w.Pod == (model.Key{})
}

// Last is the last decision about a subject not after an instant: what there is to explain. One that
// should show, does not, and may as well come after it, is none. ok is false if there is none.
func (x *Index) Last(s Subject, at model.Instant) (id model.DecisionID, ok bool) {
	for i := sort.Search(len(x.decisions), func(i int) bool { return x.decisions[i].Time > at }) - 1; i >= 0; i-- {
		if d := &x.decisions[i]; s.matches(d) && !x.mayCome(d, at) {
			return d.ID, true
		}
	}
	return 0, false
}

// mayCome says that a decision that should show, or one that it rests on, does not, and may as well be
// made after an instant.
func (x *Index) mayCome(d *model.Decision, at model.Instant) bool {
	if d.Window.Latest <= at || d.Observed != nil {
		return false
	}
	return d.LeavesTrace || slices.ContainsFunc(d.Causes, func(id model.DecisionID) bool {
		cause := x.Decision(id)
		return cause != nil && x.mayCome(cause, at)
	})
}

// walk adds a decision and what led to it.
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
		i, ok := x.byID[id]
		if !ok {
			continue
		}
		cause := &x.decisions[i]
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

// anewWithin is how long a process that began anew takes for the first pass in which a node waits for its taint again.
const anewWithin = 30 * time.Second

// takenOff is why a node waits for a NoExecute taint that it had: a new process took it off; nil where none did. What the
// node waits for does not rest on that, but for whoever asks why it waits again it is the reason.
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

// unexplained says that what led to a decision about a node lies before the data: none of its
// causes that are there is about the node. The state of a zone and its rate are causes too, and
// where they were set before the data begins, they are what the decision says they are.
func (x *Index) unexplained(d *model.Decision) bool {
	return d.Node != "" && !slices.ContainsFunc(d.Causes, func(id model.DecisionID) bool {
		i, ok := x.byID[id]
		return ok && (x.decisions[i].Node == d.Node || x.decisions[i].Kind == model.ControllerStart) // which is the first that a process does
	})
}

// fact adds an input that says of itself when it was: a heartbeat, or a kubelet's word. The
// object versions a decision looked at are in its Inputs, and no link of their own.
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

// gap says whether every source that tells of a kind knows nothing for a while between two
// instants, and answers with such a while.
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

// tells says whether a source has Changes of a kind. One that is not described may have.
func (x *Index) tells(source int, kind model.Kind) bool {
	return source < 0 || source >= len(x.sources) || x.sources[source].Kinds == nil || x.sources[source].Kinds[kind] > 0
}

func (x *Index) timeOf(id model.DecisionID) model.Instant {
	if i, ok := x.byID[id]; ok {
		return x.decisions[i].Time
	}
	return model.FarPast
}
