// Package sitting is one session of a lesson: its current step, the answers, the visible time. It draws nothing, and
// uses neither terminal nor clock. Example: Commit answers a question, and time may then pass.
package sitting

import (
	"fmt"
	"time"

	"kardia/sources/lesson"
)

// Sitting is one person, or one class, taking a lesson.
type Sitting struct {
	Stage *lesson.Stage
	// Class reports whether a class votes instead of one person answering.
	Class bool

	stops   []time.Duration // the time after each step
	keys    []*lesson.Key   // of each step, nil without a question; empty until Weigh
	beat    int
	reached int // the furthest step
	answers map[int]*Answer
	hints   map[int]int
	votes   map[int]*Votes
	// before is the answers of an earlier session, by step, until the right ones are known.
	before map[string]string
}

// New starts a lesson; it can be answered once Weigh has given it the right answers. The error is why a lesson whose
// Check finds mistakes cannot be simulated.
func New(s *lesson.Stage) (*Sitting, error) {
	t := &Sitting{Stage: s, answers: map[int]*Answer{}, hints: map[int]int{}, votes: map[int]*Votes{}}
	at := s.Lesson.Zero
	for i := range s.Lesson.Beats {
		b := &s.Lesson.Beats[i]
		var err error
		if at, err = s.Stop(b, at); err != nil {
			return nil, fmt.Errorf("%s %s: %w", b.Kind, b.ID, err)
		}
		t.stops = append(t.stops, at)
	}
	return t, nil
}

// Weigh takes the right answers, as lesson.Stage.Keys finds them in all plays, and judges the earlier answers.
func (t *Sitting) Weigh(keys []*lesson.Key) {
	t.keys = keys
	for i := range t.stops {
		b := &t.Stage.Lesson.Beats[i]
		if text, ok := t.before[b.ID]; ok && b.Question != nil {
			if a, ok := understood(b.Question, text); ok {
				t.answers[i] = judge(b.Question, t.keys[i], a)
			}
		}
	}
	t.before = nil
}

// Weighed reports that the right answers are known: before, nothing can be answered.
func (t *Sitting) Weighed() bool { return t.keys != nil }

// Beat is the present one, and its number from 0.
func (t *Sitting) Beat() (*lesson.Beat, int) { return &t.Stage.Lesson.Beats[t.beat], t.beat }

// Text is the text of the present beat.
func (t *Sitting) Text(language string) *lesson.BeatText {
	return &t.Stage.Lesson.In(language).Beats[t.beat]
}

// Key is the plays' answer to the present question; nil if nothing is asked, or not Weighed.
func (t *Sitting) Key() *lesson.Key {
	if !t.Weighed() {
		return nil
	}
	return t.keys[t.beat]
}

// Answer is the one given to the present question; nil before.
func (t *Sitting) Answer() *Answer { return t.answers[t.beat] }

// Answered is the answer given to a beat; nil if there is none.
func (t *Sitting) Answered(beat int) *Answer { return t.answers[beat] }

// Asking reports that the present beat waits for an answer.
func (t *Sitting) Asking() bool {
	b, _ := t.Beat()
	return b.Question != nil && t.answers[t.beat] == nil
}

// At is up to when time may be seen: behind it is the curtain.
func (t *Sitting) At() time.Duration {
	b, _ := t.Beat()
	if b.Kind == lesson.Predict && t.Asking() {
		return t.Began()
	}
	return t.stops[t.beat]
}

// Began is the time at which the present beat began.
func (t *Sitting) Began() time.Duration {
	if t.beat == 0 {
		return t.Stage.Lesson.Zero
	}
	if b, _ := t.Beat(); b.Branch != t.Stage.Lesson.Beats[t.beat-1].Branch {
		return t.stops[t.beat] // a branch begins somewhere else
	}
	return t.stops[t.beat-1]
}

// Next goes to the next beat; false at the end, or while an answer is waited for.
func (t *Sitting) Next() bool {
	if t.Asking() || t.beat+1 == len(t.stops) {
		return false
	}
	t.beat++
	t.reached = max(t.reached, t.beat)
	return true
}

// Back goes to the beat before; its answer stays. False at the first.
func (t *Sitting) Back() bool {
	if t.beat == 0 {
		return false
	}
	t.beat--
	return true
}

// Reset starts again.
func (t *Sitting) Reset() {
	t.beat, t.reached = 0, 0
	clear(t.answers)
	clear(t.hints)
	clear(t.votes)
	t.before = nil
}

// Done reports that the end was reached.
func (t *Sitting) Done() bool { return t.reached == len(t.stops)-1 }

// Left is about how long the rest takes, in minutes, at least one before the end.
func (t *Sitting) Left() int {
	n := len(t.stops)
	return (t.Stage.Lesson.Minutes*(n-1-t.beat) + n - 2) / max(n-1, 1)
}

// Hint gives a hint more; false if there is none.
func (t *Sitting) Hint() bool {
	b, _ := t.Beat()
	if b.Question == nil || t.hints[t.beat] >= len(t.Text(t.Stage.Lesson.Original).Hints) {
		return false
	}
	t.hints[t.beat]++
	return true
}

// Hints is how many hints of the present beat were given.
func (t *Sitting) Hints() int { return t.hints[t.beat] }

// Score is how many questions were answered, how many of them right, and how many there are.
func (t *Sitting) Score() (answered, right, all int) {
	for i := range t.stops {
		if t.Stage.Lesson.Beats[i].Question == nil {
			continue
		}
		all++
		if a := t.answers[i]; a != nil {
			answered++
			if a.Verdict != Wrong {
				right++
			}
		}
	}
	return answered, right, all
}
