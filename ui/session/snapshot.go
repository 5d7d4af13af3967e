package session

import (
	"cmp"
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// Snapshot is what is to be drawn now.
func (s *Session) Snapshot() *screen.Snapshot {
	before := s.shown
	sn := &screen.Snapshot{
		Revision: s.revision, At: s.drawn, Params: s.params, Mode: s.mode(), Name: s.name, Speed: s.speed,
		Kinds: maps.Clone(s.kinds), PodsListed: s.podsListed, Said: s.said, Track: s.Track, Margin: s.Margin, Hypotheses: s.Hypotheses, Alternatives: s.try, Coverage: s.Coverage(), Loading: 1,
		Judged: s.judgement(), Stepped: s.Stepped(), Timeline: s.shownTimeline(), Underway: s.underway(),
		ZoneLabel: s.zoneLabel, Thresholds: s.thresholds, Branch: s.branches.shown, Beside: s.beside,
	}
	sn.Remembered = s.remembered()
	if s.backward {
		sn.Speed = -s.speed
	}
	if sn.Judged != nil && sn.Judged.Result != nil {
		sn.Params = sn.Judged.Result.Params // some may have been inferred
	} else if withdrawn := sn.Judged.Withdrawn(); withdrawn != nil {
		sn.Params = withdrawn.Params
	}
	sn.JudgedAsOf = s.judgedAsOf()
	if s.opening != nil {
		sn.Opening = s.opening.progress(s.now())
		sn.Loading = sn.Opening.Share()
	}
	s.readState(sn, before)
	sn.Memory = s.memory()
	if s.curtain {
		s.drawCurtain(sn)
	}
	sn.Follow(before)
	s.shown = sn
	return sn
}

// memory is the data kept to reach other times; unknown during a job.
func (s *Session) memory() (is screen.Memory) {
	for _, v := range []*viewpoint{s.viewpoint, s.seeker.spare} {
		if v != nil {
			is.Seek = is.Seek.And(v.cursor.Kept())
		}
	}
	if s.history != nil {
		is.Source = s.history.Kept()
	}
	if m := s.runner.models; m != nil {
		is.Models = m.memory
	}
	return is
}

// readState is the observations by the time shown. The state is copied if it may differ from the last Snapshot's; mere
// signs of life wait for the next frame (see calm).
func (s *Session) readState(sn, before *screen.Snapshot) {
	if s.cursor == nil {
		sn.Cluster = model.NewCluster()
		return
	}
	if state := s.cursor.State(); before != nil && before.Revision == sn.Revision && (before.At == sn.At || s.following()) && s.copied == state {
		sn.Cluster = before.Cluster
	} else {
		sn.Cluster, s.copied = state.Held(), state
	}
	sn.Gaps, sn.Unwatched = s.history.Gaps(), s.notWatched()
	if g, ok := unwatched(sn); ok {
		sn.Gaps = append([]history.Gap{g}, sn.Gaps...)
	}
	if read := history.AsOf(s.history, s.drawn); read != model.Watched(s.drawn) {
		sn.Read = read
	}
	sn.Blind, sn.AsOf = blind(notEnded(sn.Gaps, s.drawn), s.drawn), heardUntil(s.history, sn.Gaps, s.drawn)
	if s.live != nil {
		sn.Contact = s.live.contact
		sn.Status, sn.Standstills = s.live.status, s.live.news.stood
		s.sayLost(sn)
	}
	if before != nil && before.Revision == sn.Revision && before.At == sn.At && before.Cluster == sn.Cluster && before.Judged == sn.Judged {
		sn.Caveats = before.Caveats
	} else {
		sn.Caveats = s.caveats(sn)
	}
}

func (s *Session) caveats(sn *screen.Snapshot) caveat.List {
	v := caveat.View{History: s.history, State: sn.Cluster, At: sn.At, Unwatched: sn.Unwatched, PodsListed: s.podsListed}
	if sn.Judged != nil {
		v.Controllers = sn.Judged.State
	}
	if s.live != nil {
		v.Watched, v.Lacks, v.Away, v.Lost = true, stream.Unread(sn.Status), sn.AsOf, sn.Lost
	}
	return caveat.Of(v)
}

// notEnded are the gaps that do not end at a time: their end was received then.
func notEnded(gaps []history.Gap, at model.Instant) []history.Gap {
	return slices.DeleteFunc(slices.Clone(gaps), func(g history.Gap) bool { return g.Latest == at })
}

// notWatched is when the History did not watch. That of a recording does not change.
func (s *Session) notWatched() history.Unwatched {
	switch {
	case s.live == nil && s.missed != nil:
	case s.live != nil && len(s.history.Gaps()) == 0:
		s.missed = nil
	default:
		s.missed = history.UnwatchedIn(s.history)
	}
	return s.missed
}

// sayLost shows that nothing arrives at present, as the gap it will be.
func (s *Session) sayLost(sn *screen.Snapshot) {
	last, lost := s.live.asOf()
	if !lost {
		return
	}
	if s.live.contact.Lost {
		sn.Lost = cmp.Or(s.live.contact.Why, "it does not answer")
		if last.Known() {
			v := model.Interval{Earliest: last, Latest: max(s.Coverage().Latest, last)}
			sn.Gaps = append(slices.Clip(sn.Gaps), history.Gap{Interval: v, Source: stream.SourceOf(model.KindNodeLease), Why: words.Of("session.no-sign", "why", sn.Lost).String()})
		}
	}
	if s.drawn > last {
		sn.Blind, sn.Silent = true, true
		sn.AsOf = cmp.Or(last, sn.AsOf)
	}
}
