package session

import (
	"slices"

	"kardia/model"
	"kardia/model/forecast"
	"kardia/model/shadow"
	"kardia/model/timeline"
	"kardia/ui/controllers"
	"kardia/ui/screen"
)

// Curtain hides what lies after the instant shown, or shows it again.
func (s *Session) Curtain() bool {
	s.curtain = !s.curtain
	s.touch()
	return s.curtain
}

// veiled is a Result of which only what was known by an instant is left: it is kept, so that screens
// need not read it anew while they stand at that instant.
type veiled struct {
	of    *shadow.Result
	at    model.Instant
	shown *shadow.Result
}

// veil leaves of a Snapshot only what was known by its instant.
func (s *Session) veil(sn *screen.Snapshot) {
	sn.Curtain = true
	later := func(g timeline.Gap) bool { return g.Earliest > sn.At }
	sn.Gaps = slices.DeleteFunc(slices.Clone(sn.Gaps), later)
	if sn.Judged != nil && sn.Judged.Result != nil {
		sn.Judged = s.veilJudgement(sn.Judged, sn.At)
	}
	if sn.Past != nil {
		past := *sn.Past
		past.Marks = slices.DeleteFunc(slices.Clone(past.Marks), func(m timeline.Mark) bool { return m.At > sn.At })
		past.Hits, past.MoreHits = slices.DeleteFunc(slices.Clone(past.Hits), func(h timeline.Hit) bool { return h.At > sn.At }), 0
		past.Anomalies.List, past.Anomalies.More = slices.Clone(past.Anomalies.List), 0
		for i := range past.Anomalies.List {
			if past.Anomalies.List[i].At > sn.At {
				past.Anomalies.List = past.Anomalies.List[:i]
				break
			}
		}
		past.States = slices.Clone(past.States)
		for i := range past.States {
			spans := past.States[i].Spans
			n := 0
			for n < len(spans) && spans[n].From <= sn.At {
				n++
			}
			past.States[i].Spans = spans[:n:n]
		}
		sn.Past = &past
	}
}

// veilJudgement leaves of what the models say the decisions that were known by an instant, and the
// writes that were seen by then.
func (s *Session) veilJudgement(j *controllers.Judgement, at model.Instant) *controllers.Judgement {
	if v := &s.veiled; v.shown == nil || v.of != j.Result || v.at != at {
		cut := *j.Result
		cut.Decisions = slices.DeleteFunc(slices.Clone(cut.Decisions), func(d model.Decision) bool { return forecast.TenseOf(&d, at) == forecast.Later })
		cut.Writes = slices.DeleteFunc(slices.Clone(cut.Writes), func(w shadow.Write) bool { return w.Time.Earliest > at })
		*v = veiled{j.Result, at, &cut}
	}
	hidden := *j
	hidden.Result, hidden.Until = s.veiled.shown, min(hidden.Until, at)
	return &hidden
}
