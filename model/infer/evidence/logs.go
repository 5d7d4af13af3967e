package evidence

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// The controller manager's log shows starts of processes and monitor passes, by the clock of its machine. The writes
// that follow its lines show how far that clock is ahead of the API server's. If none does, the log is not used.

// Log is the clock of one log of the controller manager, or of samples, and how much the log shows.
type Log struct {
	// Source is an index into the sources of the History.
	Source int32
	// Sampled says that these are samples, which show no processes and passes.
	Sampled bool
	// Ahead is how far its clock is ahead of the API server's, by so many Writes; unknown if they do not show it.
	Ahead  model.Maybe[history.Offset]
	Writes int
	// Starts and Passes count the starts of processes and the passes in the time read.
	Starts, Passes int
}

const (
	// oneAct is the longest delay from a line to its write, with retries.
	oneAct = 10 * time.Second
	// clocksAgree is the largest difference between clocks that count as one. One write alone cannot prove more.
	clocksAgree = 2 * time.Second
)

// hearLogs takes in the controller manager's logs of the time read.
func (s *survey) hearLogs(said []history.Statement, covers model.Interval) {
	logs := map[int32][]history.Statement{}
	for x := range model.Each(said) {
		if x.By == model.ControllerManager && !x.Sampled {
			logs[x.Origin.Source] = append(logs[x.Origin.Source], *x)
		}
	}
	for _, of := range slices.Sorted(maps.Keys(logs)) {
		log, said := Log{Source: of}, logs[of]
		log.clock(said, s.out)
		if log.Ahead.Known {
			told := log.passes(said, covers)
			log.Passes = len(told)
			s.Told = append(s.Told, told...)
			log.Starts = s.started(&log, said, told, covers)
		}
		s.Logs = append(s.Logs, log)
	}
	s.hearSamples(said)
	slices.SortFunc(s.Told, func(a, b model.Interval) int {
		return cmp.Or(cmp.Compare(a.Latest, b.Latest), cmp.Compare(a.Earliest, b.Earliest))
	})
}

// clock finds how far the log's clock is ahead. The lines of declarations and deletions precede their requests, and the
// shortest delay is that of a request. An Event about a declaration follows its write, so it does not count. A write
// that waited in a stall does not count either: its timestamp is by the log's own clock.
func (l *Log) clock(said []history.Statement, writes []Seen) {
	type act struct {
		kind    model.DecisionKind
		subject string
	}
	tells := func(kind model.DecisionKind) bool { return kind == model.MarkUnknown || kind == model.EvictPod }
	requests, announced := map[act][]model.Interval{}, map[act][]model.Instant{}
	for w := range model.Each(writes) {
		if tells(w.Kind) && !w.Across && (w.Exact || !w.Decided.Known()) && w.Time.Bounded() && w.Time.Width() <= dated {
			of := act{w.Kind, w.Subject()}
			requests[of] = append(requests[of], w.Request())
		}
	}
	for i := range said {
		if of := (act{said[i].Decision(), said[i].Subject()}); tells(of.kind) && said[i].What != history.SaidDeclared {
			announced[of] = append(announced[of], said[i].At)
		}
	}
	var soonest, latest history.Offset // the shortest and the longest delay to a request
	for of, at := range announced {
		if len(at) != len(requests[of]) {
			continue // the pairs are unknown
		}
		for i, request := range requests[of] {
			ahead := history.Offset{Least: at[i].Sub(request.Latest), Most: at[i].Sub(request.Earliest) + Reaction}
			if l.Writes++; l.Writes == 1 {
				soonest, latest = ahead, ahead
			}
			if ahead.Least > soonest.Least || ahead.Least == soonest.Least && ahead.Most < soonest.Most {
				soonest = ahead
			}
			if ahead.Most < latest.Most {
				latest = ahead
			}
		}
	}
	agree := soonest.Least <= clocksAgree && soonest.Most >= -clocksAgree
	if l.Writes > 1 && soonest.Least-latest.Most <= oneAct || l.Writes == 1 && agree {
		l.Ahead = model.Some(soonest)
	}
}

// at converts a time of the log's clock to the API server's.
func (l *Log) at(shown model.Instant) model.Interval {
	return model.Interval{Earliest: shown.Add(-l.Ahead.Value.Most), Latest: shown.Add(-l.Ahead.Value.Least)}
}

// passes are the times of passes: of lines about nodes, and of a silent node's last counted heartbeat.
func (l *Log) passes(said []history.Statement, covers model.Interval) (list []model.Interval) {
	add := func(shown model.Instant) {
		if at := l.at(shown); at.Earliest >= covers.Earliest && at.Latest <= covers.Latest {
			list = append(list, at)
		}
	}
	for x := range model.Each(said) {
		switch {
		case x.What == history.SaidPass:
			add(x.At)
		case x.Silence > 0 && (x.What == history.SaidLost || x.What == history.SaidSilent):
			add(x.Until.Add(-x.Silence))
		}
	}
	slices.SortFunc(list, func(a, b model.Interval) int { return cmp.Compare(a.Latest, b.Latest) })
	return slices.Compact(list)
}

// started takes in a log's starts of processes. The first pass follows soon, and by the first pass in the log.
func (s *survey) started(l *Log, said []history.Statement, told []model.Interval, covers model.Interval) (n int) {
	for i := range said {
		if said[i].What != history.SaidStart {
			continue
		}
		began := l.at(said[i].At)
		if began.Earliest <= covers.Earliest || began.Latest > covers.Latest {
			continue
		}
		first := model.Interval{Earliest: began.Earliest, Latest: began.Latest.Add(ElectedWithin)}
		for _, pass := range told {
			if pass.Latest >= began.Latest {
				first.Latest = min(first.Latest, pass.Latest)
				break
			}
		}
		n++
		s.restarted(first)
	}
	return n
}

// restarted takes in a restart that another source may already show.
func (s *survey) restarted(first model.Interval) {
	for i, known := range s.Restarts {
		if both, ok := known.Intersect(first); ok {
			s.Restarts[i] = both
			return
		}
		if first.Earliest.Sub(known.Latest) < OneBurst && known.Earliest.Sub(first.Latest) < OneBurst {
			return
		}
	}
	s.Restarts = append(s.Restarts, first)
	slices.SortFunc(s.Restarts, func(a, b model.Interval) int { return cmp.Compare(a.Earliest, b.Earliest) })
}
