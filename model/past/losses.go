package past

import (
	"math"
	"slices"
	"time"

	"kardia/model"
)

const (
	// The least share of missing renewals at which a record counts as losing lines. losingUnproven: no resourceVersion
	// shows room for them; losingProven: most next renewals replace a missing one.
	losing, losingUnproven, losingProven = .05, .1, .02
	// leastLeases is how many leases must lack renewals, leastBeats how many renewals of each must be due.
	leastLeases, leastBeats = 3, 6
	// briefly is how many renewals in a row are missing at most if few lines are lost at random. With more, the sender
	// may have been silent. It is atLength if most lines are lost.
	briefly, atLength = 4, 12
	// If fewer than seldom of the lines are lost, pauses do not coincide. maxHoles is how many holes may explain nearly
	// all of them, and maxCompared limits the compared pauses. holeMisses is the least missing share of the renewals
	// due in a hole: some leases have ended before.
	seldom      = .3
	maxHoles    = 3
	holeMisses  = .3
	maxCompared = 2000
)

// Losses reports whether a record (the sources of own) loses lines at random. Then most leases lack single renewals,
// not at the same times, and the resourceVersions have room. Such a record proves no silence. versions may be nil.
func (l *SilenceFinder) Losses(own func(source int32) bool, versions *Versioning) (why Finding, ok bool) {
	for _, longest := range [...]int{briefly, atLength} {
		if t := l.missing(own, longest); t.byChance(versions) {
			return Finding{Kind: Losing, N: t.heard + t.missed, Missing: t.missed, Leases: t.leases}, true
		}
	}
	return why, false
}

// losses count missing renewals: hit leases lack any, pauses are missing ones in a row, proven by the next renewal.
type losses struct {
	leases, hit, heard, missed, pauses, proven int
	hourly                                     int             // due renewals an hour, of all
	due                                        []model.Instant // the first missing one of each pause, in order
}

// missing counts the missing renewals of a record, at most longest in a row, without those known not to be written.
func (l *SilenceFinder) missing(own func(source int32) bool, longest int) (all losses) {
	of := map[string]*losses{}
	for who, v := range l.last.All() {
		if own(v.source) && v.node != "" {
			of[who] = &losses{heard: v.heard, hourly: int(time.Hour / v.every)}
		}
	}
	for _, c := range l.late {
		v := of[c.who]
		if v == nil || c.to == model.FarFuture || c.chain == chainWhole {
			continue
		}
		if n := int(math.Round(float64(c.to.Sub(c.from))/float64(c.told))) - 1; n >= 1 && n <= longest {
			v.missed, v.pauses = v.missed+n, v.pauses+1
			if c.chain == chainBroken {
				v.proven++
			}
			all.due = append(all.due, c.from.Add(c.told))
		}
	}
	for _, v := range of {
		if v.heard+v.missed < leastBeats {
			continue
		}
		all.leases, all.heard, all.missed, all.pauses = all.leases+1, all.heard+v.heard, all.missed+v.missed, all.pauses+v.pauses
		all.proven, all.hourly = all.proven+v.proven, all.hourly+v.hourly
		if v.pauses > 0 {
			all.hit++
		}
	}
	slices.Sort(all.due)
	return all
}

// together reports whether nearly all pauses fall into a few times in which most due renewals are missing. Then the
// record has holes, or the API server took no writes.
func (t *losses) together() bool {
	var hidden []int // how many pauses each hole would explain
	for first := 0; first < len(t.due); {
		end := first + 1
		for next := end; next < len(t.due); next++ {
			width := t.due[next].Sub(t.due[first])
			if width > 2*renewedEvery {
				break // in a hole that is longer each lease pauses within its first seconds
			}
			if float64(next-first+1) >= holeMisses*float64(t.hourly)*width.Hours() {
				end = next + 1
			}
		}
		hidden, first = append(hidden, end-first), end
	}
	slices.Sort(hidden)
	few := 0
	for _, n := range hidden[max(0, len(hidden)-maxHoles):] {
		few += n
	}
	return 8*(len(t.due)-few) < len(t.due)
}

// byChance reports whether renewals are missing as if lines were lost by chance. Most leases lack some, no fewer
// versions are unseen, and pauses are as many as missing renewals after a present one. An outage is one long pause.
func (t *losses) byChance(versions *Versioning) bool {
	proven := t.pauses > 0 && 2*t.proven >= t.pauses
	if t.hit < leastLeases || 2*t.hit < t.leases && !proven {
		return false
	}
	share, enough := float64(t.missed)/float64(t.heard+t.missed), losingUnproven
	if room, known := versions.unseenInAll(); known {
		if float64(room) < .7*float64(t.missed) {
			return false
		}
		enough = losing
	}
	if proven {
		enough = losingProven
	}
	if share < seldom && len(t.due) < maxCompared && t.together() {
		return false
	}
	return share >= enough && float64(t.pauses) >= .6*float64(t.missed)*(1-share)
}

// unseenInAll is how many versions no record shows, from the first that is shown to the last.
func (v *Versioning) unseenInAll() (n int, ok bool) {
	if v == nil || len(v.samples) < 2 || v.samples[len(v.samples)-1].at.Sub(v.samples[0].at) < time.Minute {
		return 0, false
	}
	return v.unseen(0, len(v.samples)-1), true
}
