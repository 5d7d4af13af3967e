package verdict

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// recent is the span in which heartbeats are compared; longAgo that for pauses if heartbeats are rare.
const recent, longAgo = 3 * time.Minute, 10 * time.Minute

type beat struct {
	at, renewed model.Instant
	// longest is the longest pause that made the node late before it renewed again.
	longest time.Duration
	// first and last are its first and last recent renewals after such pauses.
	first, last model.Instant
}

// next adds a heartbeat. The part of a pause before watched does not count.
func (b *beat) next(at, renewed, watched, since model.Instant) {
	if pause := at.Sub(max(b.at, watched)); pause >= model.LateAfter {
		b.longest = max(b.longest, pause)
		if at >= since {
			b.first, b.last = cmp.Or(b.first, at), at
		}
	}
	b.at, b.renewed = at, renewed
}

func (e *Evidence) hear(h history.History, byName map[string]*node) error {
	watched := e.At
	if eachHeard(h) {
		watched = watchedSince(h, history.BlindIn(h, model.KindNodeLease), e.At)
	}
	e.since = max(e.At.Add(-recent), watched)
	if err := e.gather(h, byName, e.At.Add(-recent), watched); err != nil || !e.rare() {
		return cmp.Or(err, e.findStall(h, e.At.Add(-recent)))
	}
	if err := e.gather(h, byName, e.At.Add(-longAgo), watched); err != nil { // there are few then
		return err
	}
	return e.findStall(h, e.At.Add(-longAgo))
}

// gather collects recent heartbeats and refusals, and the watched pauses since an earlier time.
func (e *Evidence) gather(h history.History, byName map[string]*node, from, watched model.Instant) error {
	late := e.At.Add(-recent)
	e.heard, e.acts = 0, map[model.Key]answers{}
	for _, n := range e.nodes {
		n.beats, n.beat, n.wentOnFrom, n.answers = nil, beat{at: from}, 0, answers{}
	}
	for i := range e.leaders {
		e.leaders[i].answers = answers{}
	}
	return history.Walk(h, from, e.At, &history.Condensed{}, func(_ int, ch *model.Change) bool {
		if ch.Kind == model.KindLeaderLease {
			e.leaderRenewed(ch)
			return true
		}
		n, at := byName[ch.Key.Name], model.HeardAt(ch.Arrival, ch.Effective())
		if ch.Writer == model.WriterNodeLifecycle || ch.Writer == model.WriterTaintEviction {
			e.acted(ch, at)
		}
		switch {
		case n == nil || ch.Kind != model.KindNodeLease && ch.Kind != model.KindNode:
		case ch.Op == model.OpAttempt:
			if r, ok := ch.Refused(); ok && ch.Writer == model.WriterKubelet && at >= late {
				n.answers.take(r, at)
			}
		case ch.Renews() && ch.Op == model.OpModify:
			if len(n.beats) > 0 && ch.Lease.Renewed.Known() && ch.Lease.Renewed < n.beat.renewed {
				e.stepped[n.name] = n.beat.renewed.Sub(ch.Lease.Renewed)
			}
			n.beat.next(at, ch.Lease.Renewed, watched, e.since)
			if at >= late {
				n.answers, n.beats = answers{}, append(n.beats, at)
			}
			if at >= e.since {
				e.heard++
			}
		case ch.Kind == model.KindNode && ch.Node != nil && n.wentOnFrom == 0:
			if ready := ch.Node.Ready(); ready != nil && n.unrenewedAt(ready.Posted()) {
				n.wentOnFrom = at
			}
		}
		return true
	})
}

// acted records a refused write of a controller, or that one was accepted. A conflict is repeated at once, and an object
// that is gone needs no write.
func (e *Evidence) acted(ch *model.Change, at model.Instant) {
	const notFound = 404
	switch r, refused := ch.Refused(); {
	case !refused:
		delete(e.acts, ch.Key)
	case r.By != model.RefusedConflict && r.Code != notFound && at >= e.At.Add(-recent):
		a := e.acts[ch.Key]
		a.take(r, at)
		e.acts[ch.Key] = a
	}
}

// leaderRenewed records the pause before a renewal of a leader's lease, or a refused renewal.
func (e *Evidence) leaderRenewed(ch *model.Change) {
	for i := range e.leaders {
		l := &e.leaders[i]
		at := model.HeardAt(ch.Arrival, ch.Effective())
		if l.name != ch.Key.Name || ch.Key.Namespace != model.SystemNamespace {
			continue
		}
		if r, refused := ch.Refused(); refused && at >= e.At.Add(-recent) {
			l.answers.take(r, at)
		} else if ch.Op == model.OpModify {
			l.answers = answers{}
			if at >= l.heardTo {
				l.paused, l.heardTo = max(l.paused, at.Sub(l.heardTo)), at
			}
		}
	}
}

// watchedSince is since when a kind is watched without a gap; blind are the gaps of that kind.
func watchedSince(h history.History, blind []history.Blindness, at model.Instant) model.Instant {
	since := h.Coverage().Earliest
	for _, b := range blind {
		if b.Earliest < at {
			since = max(since, min(b.Latest, at))
		}
	}
	return since
}

// eachHeard reports whether a source shows each heartbeat: captures show single ones, and lossy sources miss some.
func eachHeard(h history.History) bool {
	return slices.ContainsFunc(h.Sources(), func(s history.Source) bool {
		return s.Kinds[model.KindNodeLease] > 0 && s.Captured == nil && s.Losing == ""
	})
}
