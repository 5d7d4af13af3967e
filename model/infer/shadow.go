// Package infer drives the models of the controllers over what was observed: their effects
// are not applied, the real controllers' writes arrive as Changes and are matched with the
// models' Decisions.
//
// What nobody can see from outside (when a pass ran, which waiting node got the token) is
// an input of the models. Here it is estimated from the observations, and every Decision
// carries the window within which it must have been made.
//
// A History is read page by page, at least twice: once to find what the controllers wrote
// and what that tells of their passes, and once to drive the models. What is kept of it is
// what stood there at first, what was written and decided, where each pod was, and a bounded
// number of states to seek from.
package infer

import (
	"errors"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
	"kardia/model/control/nodelifecycle"
	"kardia/model/control/podgc"
	"kardia/model/control/tainteviction"
	"kardia/model/history"
	"kardia/model/infer/phases"
)

// Mode says what an estimate may rest on.
type Mode uint8

const (
	// Calibrated: fitted over the whole input.
	Calibrated Mode = iota
	// Causal: only what was known by then.
	Causal
)

func (m Mode) String() string { return [...]string{"calibrated", "causal"}[min(m, Causal)] }

// Options guide a Run.
type Options struct {
	// Params are the flags with where they came from; those that are FromDefault may be
	// inferred.
	Params model.Params
	Mode   Mode
	// Until ends a Causal run: nothing after it is read. Zero is the end.
	Until model.Instant
	// Stood are the times in which the controllers were seen not to act, and after which they went on: each
	// from the instant at which Overdue held the models to the first write after it. They may not
	// overlap.
	Stood []model.Interval
	// Past is what an earlier Result of the same record has of the time before it; nil: it is read.
	Past *Past
	// Progress, if set, is told now and then which share of the work is done, from 0 to 1;
	// false ends the Run with ErrStopped.
	Progress func(share float64) (goOn bool)
}

// ErrStopped says that Options.Progress ended a Run.
var ErrStopped = errors.New("the run was stopped")

// ErrContradicted says that there is no state under flags that are Contradicted.
var ErrContradicted = errors.New("a flag given by hand contradicts what was seen")

// Result is what a Run found. It must not be modified.
type Result struct {
	// Decisions are in order of time; their Basis is Observed, Inferred or, for what came before
	// anybody watched, Reconstructed.
	Decisions []model.Decision
	// Writes are the controllers' writes that were seen, in order of time.
	Writes []Write
	// NotJudged are writes that nothing explains and that cannot be judged: what led to them may have
	// happened where nobody saw it. Unexplained says where.
	NotJudged []Write
	// Unobserved are decisions whose effect was not seen though the input would show it.
	Unobserved []model.DecisionID
	// Params are the flags as used.
	Params model.Params
	// Fits says which values of a flag agree with what was observed; flags that the input
	// does not determine are absent.
	Fits        map[string]Fit
	Assumptions []string
	Coverage    model.Interval
	Mode        Mode
	// Restarts are within when the controller made its first pass as a new process, in order.
	Restarts []model.Interval
	// Overdue is what must have come by the end of a Causal run, and has not.
	Overdue Overdue
	// Unsupported says why the input cannot support a judgement; empty if it can.
	Unsupported []string
	// Foresees says that what comes can be said all the same: silence can be judged, if no write can.
	Foresees bool
	// Instants says why there are no Decisions but Reconstructed ones, and nothing to verify, where all
	// that is known are captures; empty elsewhere. What comes after them can be forecast all the same.
	Instants string
	// Contradicted are flags given by hand that what was seen contradicts. Where there are any,
	// there are no decisions, nothing is explained, and At has no answer; Params are those that fit.
	Contradicted []Contradiction

	run      *run // nil where nothing was recorded
	captured *captured
	past     *Past
	recorded model.Interval
}

// Write is one semantic effect on one subject by node-lifecycle or taint eviction.
type Write struct {
	// Number is its place among all that the input shows, from 0, those included that are not judged:
	// the same under all assumptions.
	Number int
	Kind   model.DecisionKind
	// Node is the subject, or the node of the Pod where that is set.
	Node string
	Pod  model.Key
	// Taint is the key written or removed, where the effect is a taint's.
	Taint string
	// Time bounds when it was written.
	Time   model.Interval
	Writer model.Writer
	// By says who else than a controller may have written it, where something tells: another user agent
	// under a controller's identity, or an Event of somebody else about the subject; empty where nothing does.
	By       string
	Evidence []model.Input
	// Detail says it in words.
	Detail string
	// Decision is what explains it; 0 while nothing does, and then Unexplained says why.
	Decision    model.DecisionID
	Unexplained string
	// Lag is from decision to write, at least; known for writes that are explained.
	Lag model.Maybe[time.Duration]
}

// Subject names what was written to.
func (w *Write) Subject() string {
	if w.Pod != (model.Key{}) {
		return w.Pod.String()
	}
	return w.Node
}

// Fit is the interval of values of a flag that agree with the observations, both ends
// included, around the value used: of a period, whole parts of it would fit as well.
type Fit struct {
	Min, Max float64
	// Unit is "s" for a duration in seconds, "1/s" for a rate, and "" for a plain number.
	Unit string
	// Evidence is how many observations bound it.
	Evidence int
	// Or says what else would do, where the observations do not decide; empty where they do.
	Or string
}

// State is the controllers at an instant; nothing in it is shared with other States.
type State struct {
	At model.Instant
	// Arrived says that nothing is known but a capture: what the controllers made of zones, their rates
	// and queues were not seen, and only what comes can be said.
	Arrived bool
	Cache   *informer.Cache
	Nodes   *nodelifecycle.Controller
	Taints  *tainteviction.Controller
	Pods    *podgc.Controller
	// Clock is the most likely phase of passes and ticks, from At on.
	Clock  loop.Clock
	Params model.Params
	// Overdue is what the models wait for at At: the controllers stand where they stood before it.
	Overdue Overdue
	// Behind is until when the controllers' caches may lag behind the objects, since the API server was
	// away: they may taint, and begin countdowns, by what they saw before. Unknown where nothing says so.
	Behind model.Instant
	// Unseen is how many nodes are known by their leases only. In the Cache they are Ready, and in a
	// zone of their own.
	Unseen int
	// Doubted are the zones of which taints came, or went, not long ago, and nothing explains that.
	Doubted []model.Place
	// SupposedRestarts is within when the controllers are supposed to have begun anew, by the traces they left:
	// nobody tells of it.
	SupposedRestarts []model.Interval
	// Phases are between which bounds it lies, each with what the passes before have counted;
	// none where Clock is exact, or where no pass is expected.
	Phases []phases.Phase

	passes *phases.Schedule
	// decided is within which bounds an earlier decision was made.
	decided func(model.DecisionID) (model.Interval, bool)
	tokens  map[model.Place]Offset
	// evicting is when a pod was deleted last.
	evicting func(model.Key) (model.Interval, bool)
	// outlived is the gap since which nothing was seen of an object.
	outlived func(model.Kind, model.Key) (model.Interval, bool)
}

// Clone is a State of which nobody else writes or clones anything: for another goroutine.
func (s *State) Clone() *State {
	c := *s
	c.Cache, c.Nodes, c.Taints, c.Pods = s.Cache.Clone(), s.Nodes.Clone(), s.Taints.Clone(), s.Pods.Clone()
	return &c
}

// Run drives the models over a History, which must not change meanwhile; of one that grows
// hand over a Fork. Errors are those of reading, and ErrStopped.
func Run(h history.History, o Options) (*Result, error) {
	res, err := runRecorded(h, o)
	if err != nil || len(res.Contradicted) > 0 {
		return res, err
	}
	if res.past = o.Past; res.past == nil {
		if res.past, err = readPast(h); err != nil {
			return res, err
		}
	}
	res.recorded = history.Recorded(h)
	res.remember()
	return res, nil
}

func runRecorded(h history.History, o Options) (*Result, error) {
	if captures := history.Captures(h.Sources()); len(captures) > 0 {
		return runCaptured(h, captures, o)
	}
	r, err := newRun(h, o)
	if err != nil {
		return nil, err
	}
	return r.result(), nil
}

// At is the controllers' state at an instant: the same as a drive from the start gives,
// from a state kept on the way. Beyond the end of coverage passes and countdowns go on, and
// nothing more is heard.
//
// It reads the History again, and may be called from any goroutine, by one at a time. Errors are
// those of reading, and ErrContradicted.
func (r *Result) At(t model.Instant) (*State, error) {
	if len(r.Contradicted) > 0 {
		return nil, ErrContradicted
	}
	if r.captured != nil && (r.run == nil || !r.captured.recorded.Contains(t)) {
		return r.captured.state(t)
	}
	return r.run.at(t)
}
