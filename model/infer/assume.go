package infer

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/processes"
)

// Assumed is what kind of thing an Assumption takes for granted.
type Assumed uint8

const (
	// Restarted: the process ended and began anew, or another became the leader: its memory is lost.
	Restarted Assumed = iota
	// SetAside: a write is not what it seems: no pass is placed by it.
	SetAside
	// Stalled: the process, or the API server that it asks, stood still and then went on, with all that
	// it remembered: what was due meanwhile came then, all together.
	Stalled
	// Burnt: a tick read a node in a cache that was behind, and the token was burnt.
	Burnt
	// OthersWrote: what tells of somebody else was written by them, a person or another controller.
	OthersWrote
	// Differs: a flag is other than stated or than its default: fewer observations than else give it up.
	Differs
)

// Assumption is something that nobody tells of, and that a drive takes for granted.
type Assumption struct {
	Kind Assumed
	// Who restarted or stalled: what stalls is always the ControllerManager.
	Who processes.Set
	// At is within which its work began again, for node-lifecycle with a pass; or within which a token
	// was burnt.
	At model.Interval
	// Stopped is from when on it did nothing; unknown: until then it worked.
	Stopped model.Instant
	// Write is the Number of the one that is SetAside.
	Write int
	// Node is the one whose token was Burnt.
	Node string
	// By is who wrote, as Write.By says, where it was OthersWrote.
	By string
	// Flag is the name of one that was stated and Differs; "" for all that were not.
	Flag string
}

// Assuming is the same input driven again, with assumptions added to what is told. Several states of
// it may be asked for like those of any Result.
func (r *Result) Assuming(list []Assumption) (*Result, error) { return r.assuming(list, false) }

// Trying is Assuming with less effort: of the passes, only those instants are driven that are most
// likely. It leaves as much open as Assuming does, or more.
func (r *Result) Trying(list []Assumption) (*Result, error) { return r.assuming(list, true) }

// KeepInput lets what Assuming and Trying read stay in memory, of a short record all of it, until release: who tries dozens
// of assumptions has it decoded once.
func (r *Result) KeepInput() (release func()) {
	if r.run == nil {
		return func() {}
	}
	return r.run.input.Keep()
}

// LeftOpen is what a Result leaves open, without what led there: of the many trials that are worse it is all that is asked for,
// and each of them may take megabytes.
func (r *Result) LeftOpen() *Result {
	open := &Result{Params: r.Params, Unobserved: slices.Clone(r.Unobserved)}
	for i := range r.Writes {
		if r.Writes[i].Decision == 0 {
			open.Writes = append(open.Writes, r.Writes[i])
		}
	}
	return open
}

func (r *Result) assuming(list []Assumption, quick bool) (*Result, error) {
	fresh := !r.run.tries.found() && !r.Undone() || slices.ContainsFunc(list, func(a Assumption) bool { return a.Kind == Differs })
	c, err := r.run.supposing(list, fresh, quick)
	if err != nil {
		return nil, err
	}
	res := c.result()
	res.logs = r.logs
	if res.past, res.recorded = r.past, r.recorded; !quick && res.past != nil {
		res.complete()
	}
	return res, nil
}

// differ gives up flags that are assumed to be others.
func (r *run) differ() {
	standard := model.Defaults(r.o.Params.Version)
	for _, a := range r.assumed {
		if a.Kind != Differs {
			continue
		}
		r.enough = 1
		if f := model.FlagNamed(a.Flag); f != nil {
			f.Copy(&r.o.Params, &standard)
		}
	}
}

// stall lets the controllers stand still where that is assumed, as if it had been seen.
func (r *run) stall() {
	for _, a := range r.assumed {
		if a.Kind == Stalled {
			r.o.Standstills = append(slices.Clone(r.o.Standstills), model.Interval{Earliest: a.Stopped, Latest: a.At.Latest})
			slices.SortFunc(r.o.Standstills, func(a, b model.Interval) int { return cmp.Compare(a.Earliest, b.Earliest) })
		}
	}
}

// setAside marks the writes that no pass is placed by.
func (r *run) setAside() {
	for _, a := range r.assumed {
		for i := range r.evidence.Writes {
			if a.Kind == SetAside && r.evidence.Writes[i].Write == &r.writes[a.Write] || a.Kind == OthersWrote && r.evidence.Writes[i].By == a.By {
				r.evidence.Writes[i].Aside = true
			}
		}
	}
}

// Findings counts the writes that nothing explains and the effects that were not seen.
func (r *Result) Findings() int { return r.findings() }

// Cost is what a drive costs: how many Changes it reads, or how many nodes it looks at closely, whichever is more.
func (r *Result) Cost() int { return r.run.cost }

// Memory is what the states take from which At and Known drive on.
func (r *Result) Memory() history.Kept {
	if r.run == nil {
		return history.Kept{}
	}
	return r.run.checkpoints.Memory()
}

// Began is within which what was assumed happened, as the passes that left a trace narrow it; false
// where they do not.
func (r *Result) Began(a *Assumption) (within model.Interval, ok bool) {
	if a.Kind != Restarted && a.Kind != Stalled || a.Who&processes.NodeLifecycle == 0 {
		return a.At, false
	}
	for i := range r.run.passes {
		if p := &r.run.passes[i]; p.Begins() && a.At.Overlaps(p.Interval) {
			both, _ := a.At.Intersect(p.Interval)
			return both, true
		}
	}
	return a.At, false
}

// Count is how many Changes of a kind there are.
func (r *Result) Count(kind model.Kind) int { return r.run.evidence.Counts[kind] }
