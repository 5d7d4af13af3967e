package live

import (
	"net/http"
	"sync"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// serverClock bounds how far the API server's clock is ahead of ours, by the Date header of its answers: whole seconds,
// written between request and answer. Intervals are intersected while they agree. If they do not, the server's clock
// was set, or another server answered, and the newest counts.
type serverClock struct {
	clock *clock

	mu     sync.Mutex
	bounds model.Maybe[history.Offset]
	at     clockReading // of the newest answer
}

// drift is how fast two clocks drift apart at most: NTP slews each by 0.05 % at most.
const drift = 0.001

func (s *serverClock) reading() clockReading {
	if s == nil {
		return clockReading{}
	}
	return s.clock.reading()
}

func (s *serverClock) answered(asked clockReading, resp *http.Response) {
	if s == nil || resp.StatusCode != http.StatusOK || resp.Header.Get("Age") != "" {
		return // a proxy's word, or a stored answer
	}
	date, err := http.ParseTime(resp.Header.Get("Date"))
	now := s.clock.reading()
	if err != nil || now.leaps != asked.leaps {
		return
	}
	least := model.At(date).Sub(now.line)
	s.take(now, history.Offset{Least: least, Most: least + time.Second + now.running - asked.running})
}

func (s *serverClock) take(now clockReading, told history.Offset) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.until(now); before.Known {
		both := history.Offset{Least: max(before.Value.Least, told.Least), Most: min(before.Value.Most, told.Most)}
		if both.Least <= both.Most {
			told = both
		}
	}
	s.bounds, s.at = model.Some(told), now
}

// until is the bounds, widened by drift. The lock is held.
func (s *serverClock) until(now clockReading) model.Maybe[history.Offset] {
	if !s.bounds.Known || now.leaps != s.at.leaps {
		return model.Maybe[history.Offset]{}
	}
	apart := time.Duration(float64(now.running-s.at.running) * drift)
	return model.Some(history.Offset{Least: s.bounds.Value.Least - apart, Most: s.bounds.Value.Most + apart})
}

// now is how far the API server's clock is ahead of ours at present.
func (s *serverClock) now() model.Maybe[history.Offset] {
	now := s.clock.reading()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.until(now)
}
