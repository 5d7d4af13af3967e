package sitting

import (
	"slices"
	"time"

	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
)

// Verdict is what becomes of an answer.
type Verdict uint8

const (
	Wrong Verdict = iota
	// Near is just outside of what the plays give, or where the rules allow it and none of them came: they
	// are many, and not all there could be.
	Near
	// Right is what at least one play gives.
	Right
)

// Answer is what was answered to a question, and what came of it.
type Answer struct {
	// Option is what was chosen; Value the time or number; Order the options as they were put.
	Option string
	Value  play.Value
	Order  []string

	Verdict Verdict
	// Off is how far a time or a number is from the nearest that the plays give; 0 inside.
	Off play.Value
	// Trap is the option whose misconception the answer comes from; "" for none.
	Trap string
}

// Commit gives an answer to the present question: from then on time goes on. Nil, and nothing is answered, where
// nothing is asked or it is not Weighed.
func (t *Sitting) Commit(a Answer) *Answer {
	b, _ := t.Beat()
	if b.Question == nil || t.answers[t.beat] != nil || !t.Weighed() {
		return t.answers[t.beat]
	}
	t.answers[t.beat] = judge(b.Question, t.Key(), a)
	return t.answers[t.beat]
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
		a.Off = off(k.Range, a.Value)
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

// near is how far outside of a window of plays is still near: a tenth of it, and a second.
func near(r play.Range) time.Duration { return (r.High.Time-r.Low.Time)/10 + time.Second }

// off is how far a value lies outside of a range.
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
