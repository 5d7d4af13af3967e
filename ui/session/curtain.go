package session

import (
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/past"
	"kardia/model/simulate/forecast"
	"kardia/ui/screen"
)

// Curtain hides events after the time shown, or shows them again.
func (s *Session) Curtain() bool {
	s.curtain = !s.curtain
	s.touch()
	return s.curtain
}

// drawCurtain leaves only the facts known by a Snapshot's time in it.
func (s *Session) drawCurtain(sn *screen.Snapshot) {
	sn.Curtain = true
	later := func(g history.Gap) bool { return g.Earliest > sn.At }
	sn.Gaps = slices.DeleteFunc(slices.Clone(sn.Gaps), later)
	sn.Said = sn.Said[:sort.Search(len(sn.Said), func(i int) bool { return sn.Said[i].At > sn.At })]
	if sn.Judged != nil && sn.Judged.Result != nil {
		sn.Judged = s.curtainJudgement(sn.Judged, sn.At)
	}
	if sn.Timeline != nil {
		then := *sn.Timeline
		then.Marks = slices.DeleteFunc(slices.Clone(then.Marks), func(m past.Bookmark) bool { return m.At > sn.At })
		then.Hits, then.MoreHits = slices.DeleteFunc(slices.Clone(then.Hits), func(h past.Hit) bool { return h.At > sn.At }), 0
		then.Anomalies.List, then.Anomalies.More = slices.Clone(then.Anomalies.List), 0
		for i := range then.Anomalies.List {
			if then.Anomalies.List[i].At > sn.At {
				then.Anomalies.List = then.Anomalies.List[:i]
				break
			}
		}
		then.States = slices.Clone(then.States)
		for i := range then.States {
			spans := then.States[i].Spans
			n := 0
			for n < len(spans) && spans[n].From <= sn.At {
				n++
			}
			then.States[i].Spans = spans[:n:n]
		}
		sn.Timeline = &then
	}
}

// curtainJudgement leaves only the decisions known, and the writes seen, by a time in the models' result.
func (s *Session) curtainJudgement(j *outlook.Judgement, at model.Instant) *outlook.Judgement {
	if v := &s.curtained; v.shown == nil || v.of != j.Result || v.at != at {
		cut := *j.Result
		cut.Decisions = slices.DeleteFunc(slices.Clone(cut.Decisions), func(d model.Decision) bool { return forecast.IsLater(&d, at) })
		cut.Writes = slices.DeleteFunc(slices.Clone(cut.Writes), func(w infer.Write) bool { return w.Time.Earliest > at })
		*v = curtained{j.Result, at, &cut}
	}
	hidden := *j
	hidden.Result, hidden.Until = s.curtained.shown, min(hidden.Until, at)
	return &hidden
}
