package past

import (
	"slices"
	"sort"
	"time"

	"kardia/model"
)

const (
	// maxZones is how many zones are kept; the last one is for all others.
	maxZones = 64
	// maxZoneSteps is how many steps a zone may have; when there would be more, near ones are joined.
	maxZoneSteps = 4096
)

// ZoneHistory is how many nodes of a zone were in which state, by their Node objects; unknown before the first step.
type ZoneHistory struct {
	Zone model.ZoneKey
	// Rest: this is all zones beyond the first ones, whatever Zone is.
	Rest  bool
	Steps []ZoneStep

	grain time.Duration // steps closer than this are one; 0 while all are kept
}

// ZoneStep holds from a time on. In a joined step the counts are the last ones, MostUnknown and MostNotReady maxima.
type ZoneStep struct {
	From                      model.Instant
	Nodes                     int32
	Unknown, NotReady         int32
	MostUnknown, MostNotReady int32
}

// count adds or removes a node of a status.
func (z *ZoneHistory) count(at model.Instant, ready model.Status, by int32) {
	n := len(z.Steps)
	if n == 0 || z.Steps[n-1].From < at && (z.grain == 0 || at.Truncate(z.grain) != z.Steps[n-1].From.Truncate(z.grain)) {
		var s ZoneStep
		if n > 0 {
			s = z.Steps[n-1]
		}
		s.From, s.MostUnknown, s.MostNotReady = at, s.Unknown, s.NotReady
		z.Steps = append(z.Steps, s)
		n++
	}
	s := &z.Steps[n-1]
	s.Nodes += by
	switch ready {
	case model.StatusUnknown:
		s.Unknown += by
	case model.StatusFalse:
		s.NotReady += by
	}
	if z.grain == 0 && s.From == at { // one time has one state: the last
		s.MostUnknown, s.MostNotReady = s.Unknown, s.NotReady
	} else {
		s.MostUnknown, s.MostNotReady = max(s.MostUnknown, s.Unknown), max(s.MostNotReady, s.NotReady)
	}
	if n > maxZoneSteps {
		z.coarsen()
	}
}

// coarsen joins near steps, until half of them are free.
func (z *ZoneHistory) coarsen() {
	for len(z.Steps) > maxZoneSteps/2 {
		z.grain = max(2*z.grain, time.Second)
		kept := z.Steps[:1]
		for _, s := range z.Steps[1:] {
			last := &kept[len(kept)-1]
			if s.From.Truncate(z.grain) != last.From.Truncate(z.grain) {
				kept = append(kept, s)
				continue
			}
			from := last.From
			s.MostUnknown, s.MostNotReady = max(s.MostUnknown, last.MostUnknown), max(s.MostNotReady, last.MostNotReady)
			*last = s
			last.From = from
		}
		z.Steps = kept
	}
}

// Over is the counts at the end of a window, with the most Unknown and NotReady nodes in it. ok is false if unknown.
func (z *ZoneHistory) Over(window model.Interval) (s ZoneStep, ok bool) {
	last := sort.Search(len(z.Steps), func(i int) bool { return z.Steps[i].From > window.Latest }) - 1
	if last < 0 {
		return ZoneStep{}, false
	}
	s = z.Steps[last]
	for i := last; i >= 0; i-- {
		s.MostUnknown, s.MostNotReady = max(s.MostUnknown, z.Steps[i].MostUnknown), max(s.MostNotReady, z.Steps[i].MostNotReady)
		if z.Steps[i].From <= window.Earliest {
			break
		}
	}
	return s, true
}

// Zones are the zones in the order of screens.
func (o *Overview) Zones() []*ZoneHistory {
	list := make([]*ZoneHistory, len(o.fold.zones))
	for i := range o.fold.zones {
		list[i] = &o.fold.zones[i]
	}
	sorted := list
	if n := len(list); n == maxZones {
		sorted = list[:n-1] // the rest stays last
	}
	slices.SortFunc(sorted, func(a, b *ZoneHistory) int { return a.Zone.Compare(b.Zone) })
	return list
}
