package sitting

import (
	"cmp"
	"slices"

	"kardia/model"
	"kardia/sources/lesson"
)

// Votes are the class's about the present question; nil for one person, and for an order, which a class answers together.
func (t *Sitting) Votes() *Votes {
	b, _ := t.Beat()
	if !t.Class || b.Question == nil || b.Question.Kind == lesson.Order {
		return nil
	}
	if t.votes[t.beat] == nil {
		t.votes[t.beat] = &Votes{}
	}
	return t.votes[t.beat]
}

// Votes is a class's answers: how many, and no names.
type Votes struct {
	// Answers have an option, or a time or number.
	Answers []Answer
	// Closed reports that it was counted. Before is the first vote, if this is the second.
	Closed bool
	Before *Votes
}

// Add adds a vote; Remove takes back the last one for an option, or the last value if that is "".
func (v *Votes) Add(a Answer) {
	if !v.Closed {
		v.Answers = append(v.Answers, a)
	}
}

func (v *Votes) Remove(option string) {
	for i, a := range slices.Backward(v.Answers) {
		if a.Option == option && !v.Closed {
			v.Answers = slices.Delete(v.Answers, i, i+1)
			return
		}
	}
}

// Count is how many votes there are; For is how many for an option.
func (v *Votes) Count() int { return len(v.Answers) }

func (v *Votes) For(option string) (n int) {
	for _, a := range v.Answers {
		if a.Option == option {
			n++
		}
	}
	return n
}

// Right is how many of the votes are right.
func (v *Votes) Right(q *lesson.Question, k *lesson.Key) (n int) {
	for _, a := range v.Answers {
		if judge(q, k, a).Verdict != Wrong {
			n++
		}
	}
	return n
}

// Discuss reports whether the class should discuss and vote again: if 35 to 70 of a hundred are right, neighbours
// convince each other best.
// Source: Crouch and Mazur, Peer Instruction: ten years of experience and results, 2001.
func (v *Votes) Discuss(q *lesson.Question, k *lesson.Key) bool {
	n, right := v.Count(), v.Right(q, k)
	return v.Before == nil && n > 1 && right*100 >= 35*n && right*100 <= 70*n
}

// Again starts the second vote.
func (v *Votes) Again() {
	first := *v
	*v = Votes{Before: &first}
}

// Answer is what the class answered: the option with the most votes, or the median of the values.
func (v *Votes) Answer(q *lesson.Question) (a Answer, ok bool) {
	if len(v.Answers) == 0 || !q.Lists() {
		return model.Median(slices.SortedFunc(slices.Values(v.Answers), func(a, b Answer) int { return a.Value.Compare(b.Value) }))
	}
	most := slices.MaxFunc(v.Answers, func(a, b Answer) int {
		return cmp.Or(cmp.Compare(v.For(a.Option), v.For(b.Option)), cmp.Compare(b.Option, a.Option))
	})
	return Answer{Option: most.Option}, true
}
