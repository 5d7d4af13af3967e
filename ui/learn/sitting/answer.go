package sitting

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
)

// Verdict is what becomes of an answer.
type Verdict uint8

const (
	Wrong Verdict = iota
	// Near is just outside the runs' results, or a result that the rules allow and no run gave.
	Near
	// Right is a result of at least one run.
	Right
)

// Answer is the answer to a question, and its result.
type Answer struct {
	// Option is the chosen option; Value the time or number; Order the options in the chosen order.
	Option string
	Value  play.Value
	Order  []string

	Verdict Verdict
	// Off is the distance of a time or a number from the nearest result; 0 inside.
	Off play.Value
	// Trap is the option with the answer's misconception; "" for none.
	Trap string
}

// Commit answers the current question, after which time passes. It is nil without a question or before Weigh.
func (t *Sitting) Commit(a Answer) *Answer {
	b, _ := t.Beat()
	if b.Question == nil || t.answers[t.beat] != nil || !t.Weighed() {
		return t.answers[t.beat]
	}
	t.answers[t.beat] = judge(b.Question, t.Key(), a)
	return t.answers[t.beat]
}

// Answers are the answers so far, by beat, in words that Resume understands.
func (t *Sitting) Answers() map[string]string {
	list := map[string]string{}
	for i, a := range t.answers {
		b := &t.Stage.Lesson.Beats[i]
		switch b.Question.Kind {
		case lesson.Choice, lesson.Node:
			list[b.ID] = a.Option
		case lesson.Order:
			list[b.ID] = strings.Join(a.Order, " ")
		case lesson.Number:
			list[b.ID] = strconv.FormatFloat(a.Value.Number, 'g', -1, 64)
		case lesson.Time:
			list[b.ID] = a.Value.Time.String()
		}
	}
	return list
}

// Resume continues at a step of an earlier session with its answers, which are judged once it is Weighed. An answer to
// a missing or changed question is dropped.
func (t *Sitting) Resume(beat int, answers map[string]string) {
	t.before = answers
	t.beat = max(min(beat, len(t.stops)-1), 0)
	t.reached = max(t.reached, t.beat)
}

// Resuming reports that the earlier answers are not judged yet, and Judging that the present beat is one of them.
func (t *Sitting) Resuming() bool { return len(t.before) > 0 }

func (t *Sitting) Judging() bool {
	b, _ := t.Beat()
	_, ok := t.before[b.ID]
	return ok && b.Question != nil
}

func understood(q *lesson.Question, text string) (a Answer, ok bool) {
	has := func(id string) bool {
		return slices.ContainsFunc(q.Options, func(o lesson.Option) bool { return o.ID == id })
	}
	var err error
	switch q.Kind {
	case lesson.Order:
		a.Order = strings.Fields(text)
		ids := slices.Compact(slices.Sorted(slices.Values(a.Order)))
		return a, len(ids) == len(q.Options) && len(a.Order) == len(ids) && !slices.ContainsFunc(ids, func(id string) bool { return !has(id) })
	case lesson.Number:
		a.Value.Kind = play.Number
		a.Value.Number, err = strconv.ParseFloat(text, 64)
		return a, err == nil
	case lesson.Time:
		a.Value.Kind = play.Length
		a.Value.Time, err = time.ParseDuration(text)
		return a, err == nil
	}
	return Answer{Option: text}, has(text)
}

func judge(q *lesson.Question, k *lesson.Key, a Answer) *Answer {
	switch q.Kind {
	case lesson.Choice, lesson.Node:
		if slices.Contains(k.Accepted, a.Option) {
			a.Verdict = Right
		} else {
			a.Trap = a.Option
		}
	case lesson.Order:
		if k.InOrder(q, a.Order) {
			a.Verdict = Right
		}
	default:
		a.Off = off(told(k.Range), a.Value)
		switch {
		case a.Off.Time == 0 && a.Off.Number == 0:
			a.Verdict = Right
		case a.Off.Time != 0 && (a.Off.Time <= near(k.Range) || q.RightRange.Holds(a.Value)):
			a.Verdict = Near
		default:
			for _, o := range q.Options {
				if o.Is.Low.Kind == a.Value.Kind && o.Is.Holds(a.Value) {
					a.Trap = o.ID
				}
			}
		}
	}
	return &a
}

// told is a window as precise as the screen prints it, and so as an answer can be.
func told(r play.Range) play.Range {
	r.Low.Time, r.High.Time = lesson.Told(r.Low.Time), lesson.Told(r.High.Time)
	return r
}

// near is the distance outside a window that still counts as near: a tenth of it, and a second.
func near(r play.Range) time.Duration { return (r.High.Time-r.Low.Time)/10 + time.Second }

func off(r play.Range, v play.Value) play.Value {
	out := play.Value{Kind: v.Kind}
	switch {
	case v.Compare(r.Low) < 0:
		out.Time, out.Number = r.Low.Time-v.Time, r.Low.Number-v.Number
	case v.Compare(r.High) > 0:
		out.Time, out.Number = v.Time-r.High.Time, v.Number-r.High.Number
	}
	return out
}
