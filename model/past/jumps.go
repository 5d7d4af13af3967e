package past

import (
	"kardia/model"
)

// maxJumps is how many times a jump list keeps; the oldest is dropped first.
const maxJumps = 100

// Jumps is where a person was: jumps can be undone and redone. The zero value has none.
type Jumps struct{ back, forward []model.Instant }

// Leave notes the time that a jump leaves, and forgets what could be redone.
func (j *Jumps) Leave(at model.Instant) {
	j.forward = nil
	if n := len(j.back); !at.Known() || n > 0 && j.back[n-1] == at {
		return
	}
	j.back = push(j.back, at)
}

// Back is where the last jump left from; at is the present time.
func (j *Jumps) Back(at model.Instant) (to model.Instant, ok bool) {
	return hop(&j.back, &j.forward, at)
}

// Forward undoes the last Back.
func (j *Jumps) Forward(at model.Instant) (to model.Instant, ok bool) {
	return hop(&j.forward, &j.back, at)
}

// hop moves to the last time other than at in one list, and puts at on the other.
func hop(from, to *[]model.Instant, at model.Instant) (model.Instant, bool) {
	for n := len(*from); n > 0; n = len(*from) {
		last := (*from)[n-1]
		*from = (*from)[:n-1]
		if last == at {
			continue
		}
		*to = push(*to, at)
		return last, true
	}
	return 0, false
}

func push(list []model.Instant, at model.Instant) []model.Instant {
	if len(list) >= maxJumps {
		list = append(list[:0], list[1:]...)
	}
	return append(list, at)
}

// Nearest is the first of a list that is after a time, or the last that is before it.
func Nearest[T any](list []T, when func(*T) model.Instant, from model.Instant, forwards bool) (*T, bool) {
	for i := range list {
		if !forwards {
			i = len(list) - 1 - i
		}
		if at := when(&list[i]); at != from && (at > from) == forwards {
			return &list[i], true
		}
	}
	return nil, false
}
