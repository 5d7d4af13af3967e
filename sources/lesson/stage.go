package lesson

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/sources/lesson/play"
)

// Plays is the usual number of runs of a scenario. If a race or an invisible phase decides, any run's result is right.
const Plays = 64

// Stage is a lesson with the runs of its scenario. The first run of a branch is shown, and is there from the start. The
// others are played beside it; a caller that needs all of them plays what is missing.
type Stage struct {
	Lesson *Lesson
	// Plays is the number of runs of each branch.
	Plays int
	// plays are the runs of each branch, played when first asked for; inTurn are all, of every branch in turn.
	plays  map[string][]func() *play.Play
	inTurn []func() *play.Play
	done   atomic.Int64
	closed atomic.Bool
}

// NewStage plays a lesson's scenario and its branches, so many times each.
func NewStage(l *Lesson, plays int) *Stage {
	s := &Stage{Lesson: l, Plays: plays, plays: map[string][]func() *play.Play{}}
	for n := range plays {
		for name, branch := range l.Branches {
			played := sync.OnceValue(func() *play.Play {
				defer s.done.Add(1)
				return play.Nth(branch.Scenario, n)
			})
			s.plays[name], s.inTurn = append(s.plays[name], played), append(s.inTurn, played)
		}
	}
	s.Wait(len(l.Branches))
	var begun atomic.Int64
	for range runtime.GOMAXPROCS(0) {
		go crash.Guarded(func() {
			for i := begun.Add(1); int(i) <= len(s.inTurn) && !s.closed.Load(); i = begun.Add(1) {
				s.inTurn[i-1]()
			}
		})()
	}
	return s
}

// Close ends unfinished runs.
func (s *Stage) Close() { s.closed.Store(true) }

// Wait waits until done runs are there, or the Stage is closed, and returns how many of all there are.
func (s *Stage) Wait(done int) (have, all int) {
	all = len(s.inTurn)
	for i := 0; i < min(done, all) && !s.closed.Load(); i++ {
		s.inTurn[i]()
	}
	return int(s.done.Load()), all
}

// all are the runs of a branch.
func (s *Stage) all(branch string) (list []*play.Play) {
	for _, played := range s.plays[branch] {
		list = append(list, played())
	}
	return list
}

// Shown is the run that a step shows.
func (s *Stage) Shown(b *Beat) *play.Play { return s.plays[b.Branch][0]() }

// Settle is how long after an event time stops: its writes have arrived by then.
const Settle = 50 * time.Millisecond

// Stop is the time after a step from the time before. If its moment never comes, time stays there, with an error.
func (s *Stage) Stop(b *Beat, before time.Duration) (time.Duration, error) {
	if b.Until == nil {
		return before, nil
	}
	v, err := s.Shown(b).Answer(b.Until)
	switch {
	case err != nil:
		return before, err
	case v.Kind != play.Moment:
		return before, fmt.Errorf("%q is %v: time cannot go on to it", b.Until, v)
	case v.Time+Settle < before && b.Kind != StartBranch:
		return before, fmt.Errorf("%q is at %v, which has passed", b.Until, v.Time.Round(time.Millisecond))
	}
	if b.Kind == StartBranch {
		return v.Time, nil
	}
	return max(before, v.Time+Settle), nil
}

// Key is the runs' answer to a question.
type Key struct {
	// Accepted are the right options of at least one run, of a Choice or a Node. Shown is that of the shown run.
	Accepted []string
	Shown    string
	// Count is in how many runs each option is right.
	Count map[string]int
	// Range is the runs' results for a Number or a Time, Value that of the shown run; a Time is a Length from its From.
	Range play.Range
	Value play.Value
	// Orders are the moments of each run's options, the shown run first.
	Orders [][]time.Duration
}

// Key asks the runs.
func (s *Stage) Key(b *Beat) (*Key, error) {
	q, all := b.Question, s.all(b.Branch)
	k := &Key{Count: map[string]int{}}
	switch q.Kind {
	case Order:
		for _, p := range all {
			var moments []time.Duration
			for _, o := range q.Options {
				v, err := p.Answer(o.At)
				if err != nil || v.Kind != play.Moment {
					return nil, fmt.Errorf("%s: %q is %v, and no moment: %w", o.ID, o.At, v, cmp.Or(err, errNotSo))
				}
				moments = append(moments, v.Time)
			}
			k.Orders = append(k.Orders, moments)
		}
		return k, nil
	case Number, Time:
		return k, s.measure(q, all, k)
	}
	for i, p := range all {
		right, err := rightIn(p, q)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			k.Shown = right
		}
		if k.Count[right]++; k.Count[right] == 1 {
			k.Accepted = append(k.Accepted, right)
		}
	}
	slices.Sort(k.Accepted)
	return k, nil
}

var errNotSo = errors.New("it does not come in every play")

func (s *Stage) measure(q *Question, all []*play.Play, k *Key) error {
	var values []play.Value
	for _, p := range all {
		v, err := p.Answer(q.Answer)
		if err != nil {
			return err
		}
		if q.Kind == Time && v.Kind == play.Moment {
			from, err := p.Answer(q.From)
			if err != nil || from.Kind != play.Moment {
				return fmt.Errorf("%q is %v, and no moment: %w", q.From, from, cmp.Or(err, errNotSo))
			}
			v = play.Value{Kind: play.Length, Time: v.Time - from.Time}
		}
		if want := measures[q.Kind]; v.Kind != want {
			return fmt.Errorf("%q is %v, and not %v, in a play", q.Answer, v.Kind, want)
		}
		values = append(values, v)
	}
	k.Value, k.Range = values[0], play.Hull(values)
	return nil
}

// rightIn is the one option that is right in a run.
func rightIn(p *play.Play, q *Question) (string, error) {
	var answer play.Value
	var err error
	if q.Answer != nil {
		if answer, err = p.Answer(q.Answer); err != nil {
			return "", err
		}
	}
	var right []string
	for _, o := range q.Options {
		holds := o.Is.Holds(answer) && o.Is.Low.Kind == answer.Kind
		if answer.Kind == play.Moment && o.Is.Low.Kind == play.Length {
			return "", fmt.Errorf("%q is a moment: ask for the time between two, as in  %s - zero", q.Answer, q.Answer)
		}
		if o.Holds != nil {
			if holds, err = holdsIn(p, o.Holds); err != nil {
				return "", err
			}
		}
		if holds {
			right = append(right, o.ID)
		}
	}
	if len(right) != 1 {
		if q.Answer == nil {
			return "", fmt.Errorf("%d options are right in a play: %v", len(right), right)
		}
		return "", fmt.Errorf("%q is %v in a run, and %d options have it: %v", q.Answer, answer, len(right), right)
	}
	return right[0], nil
}

func holdsIn(p *play.Play, c *Condition) (bool, error) {
	left, err := p.Answer(c.Left)
	if err != nil {
		return false, err
	}
	right, err := p.Answer(c.Right)
	return slices.Contains(c.Orders, left.Compare(right)), err
}

// Keys are the Keys of all steps after all runs, nil without a question. The error names an unanswered step.
func (s *Stage) Keys() (keys []*Key, err error) {
	keys = make([]*Key, len(s.Lesson.Beats))
	for i := range s.Lesson.Beats {
		b := &s.Lesson.Beats[i]
		if b.Question == nil {
			continue
		}
		if keys[i], err = s.Key(b); err != nil {
			return nil, fmt.Errorf("%s %s: %w", b.Kind, b.ID, err)
		}
	}
	return keys, nil
}

// Sequence is a run's order of an Order question, by the options' ids.
func (k *Key) Sequence(q *Question, play int) []string {
	ids := q.ids()
	slices.SortStableFunc(ids, q.before(k.Orders[play]))
	return ids
}

func (q *Question) ids() (list []string) {
	for _, o := range q.Options {
		list = append(list, o.ID)
	}
	return list
}

// before compares options by the moments of all.
func (q *Question) before(moments []time.Duration) func(a, b string) int {
	ids := q.ids()
	return func(a, b string) int { return int(moments[slices.Index(ids, a)] - moments[slices.Index(ids, b)]) }
}

// InOrder reports whether at least one run has an order.
func (k *Key) InOrder(q *Question, ids []string) bool {
	return slices.ContainsFunc(k.Orders, func(moments []time.Duration) bool { return slices.IsSortedFunc(ids, q.before(moments)) })
}

// Real is the same decision of a real control plane.
func (s *Stage) Real(b *Beat) Real {
	real := b.Question.Real
	if d := s.Decision(b); d != nil {
		real.Rule = d.Rule
		if d.Kind == model.ZoneState {
			real.State = d.State.To
		}
	}
	return real
}

// Decision explains the answer, in the shown run; nil if none is named.
func (s *Stage) Decision(b *Beat) *model.Decision {
	if b.Question.Named != model.RuleNone {
		return &model.Decision{Rule: b.Question.Named}
	}
	for _, q := range []*play.Query{b.Question.Rule, b.Question.Answer} {
		if q == nil {
			continue
		}
		if e := s.Shown(b).Found(q); e != nil {
			return e.Decision
		}
	}
	return nil
}
