package session

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// receive moves a batch of the stream into the memory.
func (s *Session) receive(batch *stream.Batch) {
	changes, status, contact := batch.Changes, batch.Status, batch.Contact
	if was := s.live.contact; was.Lost != contact.Lost || was.Why != contact.Why {
		s.touch()
	}
	s.noteReturn(s.live.contact, contact)
	s.live.contact = contact
	s.noteContact()
	for i := range changes {
		if k := changes[i].Kind; changes[i].Op != model.OpGap && (k == model.KindNode || k == model.KindNodeLease) {
			s.live.heard = max(s.live.heard, changes[i].Arrival)
		}
		s.live.calm.hear(s.cursor.State(), &changes[i])
		s.remember(&changes[i])
	}
	if status != nil && !slices.Equal(status, s.live.status) {
		// Last moves with every bookmark; that alone changes no word on the screen.
		if !slices.EqualFunc(status, s.live.status, sameStatus) {
			s.touch()
		}
		s.live.status = status
		for _, st := range status {
			s.kinds[st.Kind] = s.kinds[st.Kind] || st.State == stream.Live || st.Loaded > 0
		}
	}
	if v, ok := model.ParseVersion(s.live.stream.ServerVersion()); ok && !s.given && v != s.params.Version {
		s.params = model.Defaults(v)
		s.touch()
	}
}

// noteReturn records the API server's silence as a gap of nodes and leases, once it is back. The watches report it only
// when they are open again, after the first states.
func (s *Session) noteReturn(was, is stream.Contact) {
	if !was.Lost || is.Lost || !was.Last.Known() || !s.live.memory.Coverage().Known() {
		return
	}
	for _, kind := range [...]model.Kind{model.KindNode, model.KindNodeLease} {
		s.live.memory.AddGap(history.Gap{Interval: model.Interval{Earliest: was.Last, Latest: is.Last}, Source: stream.SourceOf(kind), Why: words.Of("session.no-sign", "why", was.Why).String()})
	}
	s.touch()
}

// Ask sets the related kinds that are shown, for a live session to list; false without a cluster.
func (s *Session) Ask(kinds ...model.Kind) bool {
	if s.live == nil {
		return false
	}
	f, ok := s.live.stream.(stream.Asker)
	if ok {
		f.Ask(kinds...)
	}
	return ok
}

// ServerVersion is the API server's own version in a live session; "" while it is not known, and for a recording.
func (s *Session) ServerVersion() string {
	if s.live == nil {
		return ""
	}
	return s.live.stream.ServerVersion()
}

// noteClock records the clocks since the last look: while they leapt, or the machine slept, there was no watch.
func (s *Session) noteClock() {
	l := s.live
	if l.clocks == nil {
		return
	}
	reading, say, blind := l.clocks.Sample(l.stream)
	if !say {
		return
	}
	l.memory.AddClock(reading)
	if blind.Known() && l.memory.Coverage().Known() {
		for source := range model.Kinds {
			l.memory.AddGap(history.Gap{Interval: blind, Source: source, Why: topics.RecorderClock(&reading).String()})
		}
	}
	s.touch()
}

// sameStatus reports whether nothing must be drawn at once. The progress of a list is drawn with its objects.
func sameStatus(a, b stream.Status) bool {
	a.Last, b.Last, a.Loaded, b.Loaded = 0, 0, 0, 0
	a.Requests, a.Bytes, b.Requests, b.Bytes = 0, 0, 0, 0
	return a == b
}

// remember appends one Change. Each kind is its own source, so that a gap in one leaves the others complete.
func (s *Session) remember(ch *model.Change) {
	source := stream.SourceOf(ch.Kind)
	ch.Origin.Source = int32(source)
	kept := s.live.memory.Append(*ch)
	if s.live.listing {
		s.live.listing = s.live.pods.Take(kept)
		s.podsListed = s.live.pods.Ended()
	}
	about := &s.live.memory.Sources()[source]
	if ch.Op != model.OpGap {
		about.Changes++
		about.Kinds[ch.Kind]++
		s.kinds[ch.Kind] = true
	} else {
		s.live.memory.AddGap(history.Gap{Interval: ch.Time, Source: source, Why: ch.Note})
	}
	s.live.memory.Cover(kept.Effective())
}

// asOf is the time up to which all data on nodes' health has arrived. ok is false while it arrives: the API server
// answers, and all these watches are open.
func (l *live) asOf() (last model.Instant, ok bool) {
	if l.contact.Lost {
		return max(l.contact.Last, l.heard), true
	}
	last = model.FarFuture
	for i := range l.status {
		st := &l.status[i]
		if (st.Kind == model.KindNode || st.Kind == model.KindNodeLease) &&
			(st.State == stream.Disconnected || st.State == stream.Expired) {
			last, ok = min(last, max(st.Since, st.Last)), true
		}
	}
	return last, ok
}
