package past

import "kardia/model"

// maxJumps is how many instants a jump list remembers; the oldest is forgotten first.
const maxJumps = 100

// Jumps is where a person has been: each jump away from an instant is noted, and can be taken
// back and forward again. The zero value remembers nothing.
type Jumps struct{ back, forward []model.Instant }

// Leave notes an instant that is about to be left by a jump. What lay forward is forgotten.
func (j *Jumps) Leave(at model.Instant) {
	j.forward = nil
	if n := len(j.back); !at.Known() || n > 0 && j.back[n-1] == at {
		return
	}
	j.back = push(j.back, at)
}

// Back is where the last jump came from; at is where it is taken back from.
func (j *Jumps) Back(at model.Instant) (to model.Instant, ok bool) {
	return hop(&j.back, &j.forward, at)
}

// Forward takes the last Back back.
func (j *Jumps) Forward(at model.Instant) (to model.Instant, ok bool) {
	return hop(&j.forward, &j.back, at)
}

// hop takes the last instant other than at off one list, and puts at on the other.
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
