package chronology

import (
	"cmp"
	"slices"

	"kardia/model"
)

// request identifies a request that left no version.
type request struct {
	of   model.ObjectID
	op   model.Op
	code int16
	time model.Interval
}

func requestOf(s *Sighting) request { return request{s.object(), s.Op, s.Code, s.Time} }

type identity struct {
	of      model.ObjectID
	version uint64
}

func (s *Sighting) object() model.ObjectID { return model.ObjectID{Kind: s.Kind, Key: s.Key} }

// unite joins all sightings of each object version, and sorts the versions by resourceVersion. Requests without their
// own version (refused, repeated, or a heartbeat with only the request logged) are loose.
func unite(sightings []Sighting) (versions, loose []*version, clocks pairs) {
	clocks = pairs{}
	known, requests := make(map[identity]*version, len(sightings)), map[request]int{}
	for i := range sightings {
		s := &sightings[i]
		if s.Version == 0 || s.Op == model.OpAttempt || s.Op == model.OpRepeat || s.Op == model.OpGap {
			if n, ok := requests[requestOf(s)]; ok && (s.Dated || loose[n].Dated) {
				loose[n].Also = s.Origin
				continue // one request, from a recording and from its own input
			}
			requests[requestOf(s)] = len(loose)
			loose = append(loose, newVersion(s))
			continue
		}
		id := identity{s.object(), s.Version}
		v := known[id]
		if v == nil {
			v = newVersion(s)
			known[id] = v
			versions = append(versions, v)
			continue
		}
		capture := s.capture
		v.alreadyDated(s)
		clocks.compare(&v.Sighting, s)
		if !v.join(s) {
			loose = append(loose, newVersion(s))
			continue
		}
		v.shownBy(capture)
	}
	slices.SortStableFunc(versions, func(a, b *version) int {
		if d := cmp.Compare(a.Version, b.Version); d != 0 {
			return d
		}
		return cmp.Compare(a.Key.String(), b.Key.String())
	})
	last := map[model.ObjectID]*version{}
	for _, v := range versions {
		v.previous = last[v.object()]
		last[v.object()] = v
	}
	return versions, match(versions, loose), clocks
}

func newVersion(s *Sighting) *version {
	v := &version{Sighting: *s}
	v.shownBy(s.capture)
	v.alreadyDated(s)
	return v
}

func (v *version) alreadyDated(s *Sighting) {
	if !s.Dated || !s.Time.Known() {
		return
	}
	if !v.dated.Known() {
		v.dated = s.Time
	} else if both, ok := v.dated.Intersect(s.Time); ok {
		v.dated = both
	}
}

// shownBy notes that a capture shows the version, or for 0 a source with history.
func (v *version) shownBy(capture int32) {
	switch {
	case capture == 0:
		v.watched = true
	case !slices.Contains(v.captures, capture):
		v.captures = append(v.captures, capture)
	}
}

// fromAudit reports that a sighting is a request dated by the server's clock.
func fromAudit(c *model.Change) bool { return c.Quality == model.ByServer && c.Time.Known() }

// join adds another sighting of the same version. It refuses a second audit line: every request counts once.
func (v *version) join(s *Sighting) bool {
	if fromAudit(&s.Change) {
		if fromAudit(&v.Change) {
			if s.Dated || v.Dated {
				if v.Also == (model.Origin{}) {
					v.Also = s.Origin
				}
				v.Requester = cmp.Or(v.Requester, s.Requester)
				return true
			}
			return false
		}
		v.witness(s)
		return true
	}
	if fromAudit(&v.Change) {
		// The request came first; the watched object shows more than its response.
		request := v.Sighting
		v.Sighting = *s
		v.witness(&request)
		return true
	}
	if better(s, &v.Sighting) {
		v.Sighting, *s = *s, v.Sighting
		if s.Dated {
			v.Dated, v.Quality = true, s.Quality
		}
	}
	if v.Op == model.OpBaseline {
		v.Op = s.Op // an observed write stays one, even if a list shows the object in more detail
	}
	if v.Also == (model.Origin{}) {
		v.Also = s.Origin
	}
	if !v.Arrival.Known() || s.Arrival.Known() && s.Arrival < v.Arrival {
		v.Arrival = s.Arrival
	}
	return true
}

// vanished reports that the version is an unseen deletion: a new list lacked the object.
func (v *version) vanished() bool { return v.Op == model.OpDelete && v.Note != "" }

// better reports which of two watched sightings shows more. That is one with timestamps over one without, then a change
// over a baseline, then the earlier source's.
func better(a, b *Sighting) bool {
	if (a.Stamps.Managers > 0) != (b.Stamps.Managers > 0) {
		return a.Stamps.Managers > 0
	}
	if (a.Op == model.OpBaseline) != (b.Op == model.OpBaseline) {
		return b.Op == model.OpBaseline
	}
	return a.Origin.Source < b.Origin.Source
}

// witness adds the audit log's data on the request.
func (v *version) witness(request *Sighting) {
	v.Time, v.Quality = request.Time, model.ByServer
	if !v.Arrival.Known() {
		v.Arrival = request.Arrival
	}
	v.Writer, v.Code, v.Requester = request.Writer, request.Code, request.Requester
	v.Previous = cmp.Or(request.Previous, v.Previous)
	v.Also = request.Origin
	if v.Op == model.OpBaseline || request.Op == model.OpAdd {
		v.Op = request.Op
	}
}

// deletion identifies the end of an object, which comes once.
type deletion struct {
	of  model.ObjectID
	uid model.UID
}

// match gives requests without a version the version they wrote, if a watch saw it. That is the one after the replaced
// version, or the end of the deleted object.
func match(versions, loose []*version) (rest []*version) {
	next, gone := map[identity]*version{}, map[deletion]*version{}
	for _, v := range versions {
		if v.Op == model.OpDelete && v.UID.Known() && !fromAudit(&v.Change) && !v.vanished() {
			gone[deletion{v.object(), v.UID}] = v
		}
		if v.previous != nil && !fromAudit(&v.Change) {
			next[identity{v.object(), v.previous.Version}] = v
		}
	}
	for _, l := range loose {
		if v := gone[deletion{l.object(), l.UID}]; v != nil && l.Op == model.OpDelete && fromAudit(&l.Change) && !fromAudit(&v.Change) {
			v.witness(&l.Sighting)
			continue
		}
		writes := l.Op == model.OpAdd || l.Op == model.OpModify || l.Op == model.OpPatch
		if v := next[identity{l.object(), l.Previous}]; v != nil && writes && l.Previous != 0 && fromAudit(&l.Change) && !fromAudit(&v.Change) {
			v.witness(&l.Sighting)
			continue
		}
		rest = append(rest, l)
	}
	return rest
}
