package sitting

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
)

// Votes is a class's answers: how many, and no names.
type Votes struct {
	// Options are the votes for each option; Values those for each time or number.
	Options map[string]int
	Values  []play.Value
	// Closed reports that it was counted. Before is the first vote, if this is the second.
	Closed bool
	Before *Votes
}

// Vote adds a vote for an option, or takes one back (by is -1).
func (v *Votes) Vote(option string, by int) {
	if v.Closed {
		return
	}
	if v.Options == nil {
		v.Options = map[string]int{}
	}
	v.Options[option] = max(v.Options[option]+by, 0)
}

// Say adds a vote for a value; Unsay takes the last one back.
func (v *Votes) Say(value play.Value) {
	if !v.Closed {
		v.Values = append(v.Values, value)
	}
}

func (v *Votes) Unsay() {
	if n := len(v.Values); n > 0 && !v.Closed {
		v.Values = v.Values[:n-1]
	}
}

// Count is how many votes there are.
func (v *Votes) Count() int {
	n := len(v.Values)
	for _, c := range v.Options {
		n += c
	}
	return n
}

// Right is how many of the votes are right.
func (v *Votes) Right(q *lesson.Question, k *lesson.Key) (n int) {
	for option, count := range v.Options {
		if judge(q, k, Answer{Option: option}).Verdict != Wrong {
			n += count
		}
	}
	for _, value := range v.Values {
		if judge(q, k, Answer{Value: value}).Verdict != Wrong {
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

// Again is the second vote.
func (v *Votes) Again() *Votes { return &Votes{Before: v} }

// Answer is what the class answered: the option with the most votes, or the median of the values.
func (v *Votes) Answer(q *lesson.Question) (a Answer, ok bool) {
	if middle, ok := model.Median(slices.SortedFunc(slices.Values(v.Values), play.Value.Compare)); ok {
		return Answer{Value: middle}, true
	}
	most := 0
	for _, o := range slices.Sorted(maps.Keys(v.Options)) {
		if v.Options[o] > most {
			most, a.Option, ok = v.Options[o], o, true
		}
	}
	return a, ok
}
