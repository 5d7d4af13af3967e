package identity

import (
	"cmp"
	"fmt"
	"slices"

	"kardia/model"
)

const (
	// restored is how often one etcd's counter may be set back, by restoring a backup.
	restored = 2
	// shuffled is how often the versions of a watch may fall back: several namespaces in one file are late by turns.
	shuffled = 8
)

// order is when versions were written. The resourceVersions of one kind are counted by one etcd, so they rise with
// time; those of two clusters jump back and forth.
type order struct {
	kept    int
	numbers sample
	lists   map[ruler][]timed
	rulers  []ruler // in the order in which they were seen
}

// ruler is a scale of comparable times: a kind, and the source that dated arrivals; -1 is the API servers' clock. Of
// what is untimed only the order is known.
type ruler struct {
	kind    model.Kind
	clock   int32
	untimed bool
}

type timed struct {
	at      model.Instant
	version uint64
	where
}

// note takes a version that was shown when it was written. A request that changes nothing is answered with an old
// version, and a deletion with the last one.
func (o *order) note(s *Sighting) {
	if s.Version == 0 || s.Kind == model.KindEvent || s.Note != "" || s.Op != model.OpModify && s.Op != model.OpAdd || !o.numbers.takes(spread(s.Version)) {
		return
	}
	at, served := s.at()
	by := ruler{s.Kind, s.Source, !at.Known()}
	if served {
		by.clock = -1
	}
	if by.untimed && s.Op != model.OpModify || !by.untimed && (!s.Written.Known() || s.Written < at.Add(-skew) || s.Written > at.Add(skew)) {
		return
	}
	if o.lists == nil {
		o.lists = map[ruler][]timed{}
	}
	if o.lists[by] == nil {
		o.rulers = append(o.rulers, by)
	}
	o.lists[by] = append(o.lists[by], timed{at, s.Version, s.where()})
	if o.kept++; o.kept > maxCompared {
		o.halve()
	}
}

func (o *order) halve() {
	o.kept = 0
	o.numbers.halve()
	for by, list := range o.lists {
		o.lists[by] = slices.DeleteFunc(list, func(t timed) bool { return !o.numbers.takes(spread(t.version)) })
		o.kept += len(o.lists[by])
	}
}

func (in *Inputs) checkOrder() {
	for _, untimed := range [...]bool{false, true} {
		for _, by := range in.order.rulers {
			if by.untimed != untimed {
				continue
			}
			find := backAndForth
			if untimed {
				find = interleaved
			}
			high, low, ok := find(in.order.lists[by])
			if !ok {
				continue
			}
			how := fmt.Sprintf("%d comes before %d", high.version, low.version)
			if !untimed {
				how = fmt.Sprintf("%d is written at %s and %d at %s", high.version, high.at, low.version, low.at)
			}
			in.contradicts(high.where, low.where, fmt.Sprintf("the resourceVersions of %ss jump back and forth: %s", by.kind, how))
			return
		}
	}
}

// backAndForth finds a version written long after a higher one, with higher ones after it, more often than by restores.
func backAndForth(all []timed) (high, low timed, ok bool) {
	slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(a.at, b.at) })
	var newest, settled timed // the highest of all, and of those written for longer than clocks are apart
	first, fallen, times, counted, k := timed{}, false, 0, model.FarPast, 0
	for _, v := range all {
		for ; all[k].at < v.at.Add(-skew); k++ {
			if all[k].version > settled.version {
				settled = all[k]
			}
		}
		switch {
		case v.version < settled.version:
			if !fallen && times == 0 {
				high, first = settled, v
			}
			fallen = true
		case v.version > newest.version && fallen:
			fallen = false
			if v.at >= counted.Add(skew) {
				times, counted = times+1, v.at
			}
		}
		if v.version > newest.version {
			newest = v
		}
	}
	return high, first, times > restored
}

// interleaved finds the widest step between the versions of one watch, and whether they jump over it back and forth,
// always onwards on either side.
func interleaved(all []timed) (high, low timed, ok bool) {
	sorted := slices.SortedFunc(slices.Values(all), func(a, b timed) int { return cmp.Compare(a.version, b.version) })
	widest, above := uint64(0), uint64(0)
	for i := 1; i < len(sorted); i++ {
		if step := sorted[i].version - sorted[i-1].version; step > widest {
			widest, above = step, sorted[i].version
		}
	}
	times, newest := 0, map[bool]uint64{}
	for i, v := range all {
		side := v.version >= above
		if v.version < newest[side] {
			continue // a repetition
		}
		newest[side] = v.version
		if i > 0 && !side && all[i-1].version >= above {
			if times++; times == 1 {
				high, low = all[i-1], v
			}
		}
	}
	return high, low, times > shuffled
}
