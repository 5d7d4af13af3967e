package past

import (
	"math"
	"slices"
	"time"

	"kardia/model"
)

const (
	// losing is from which share of missing renewals on a record counts as losing lines; losingUnproven
	// the same where no resourceVersion tells whether there is room for them, and losingProven where most
	// renewals that follow say that they replace one which is not there.
	losing, losingUnproven, losingProven = .05, .1, .02
	// leastLeases is of how many leases renewals must be missing, and leastBeats how many must be due of each.
	leastLeases, leastBeats = 3, 6
	// briefly is how many renewals in a row are missing at most where few lines are lost at random: beyond
	// it somebody may have been silent. Where most are lost it is scarcely more than thrice that.
	briefly, atLength = 4, 12
	// Where seldom a line is lost, pauses do not fall together: maxHoles is how many holes may explain nearly
	// all of them, holeMisses the least share of the renewals due in a hole that is missing, for some leases
	// have ended before, and maxCompared how many pauses are compared.
	seldom      = .3
	maxHoles    = 3
	holeMisses  = .3
	maxCompared = 2000
)

// Losses says whether a record, the sources of which own says so, loses lines at random: of most leases single
// renewals are missing, here and there and not together, and the resourceVersions leave room for them. Such
// a record proves no silence. versions may be nil.
func (l *SilenceFinder) Losses(own func(source int32) bool, versions *Versioning) (why Finding, ok bool) {
	for _, longest := range [...]int{briefly, atLength} {
		if t := l.missing(own, longest); t.byChance(versions) {
			return Finding{Kind: Losing, N: t.heard + t.missed, Missing: t.missed, Leases: t.leases}, true
		}
	}
	return why, false
}

// losses count renewals that are not there. hit are the leases of which any is missing, pauses how often
// one or more in a row are, and proven how many of those by what came next.
type losses struct {
	leases, hit, heard, missed, pauses, proven int
	hourly                                     int             // how many renewals an hour there should be of all
	due                                        []model.Instant // the first that is missing of each pause, in order
}

// missing counts the renewals that are missing from a record, of those in a row at most so many. What is
// known not to have been written is not missing.
func (l *SilenceFinder) missing(own func(source int32) bool, longest int) (all losses) {
	of := map[string]*losses{}
	for who, v := range l.last {
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

// together says that nearly all pauses fall into a few times in which most of what was due is missing: then
// that is when the record has holes, or nobody could write.
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

// byChance says that renewals are missing as where each line is lost by chance: of most leases, no fewer
// than there is room for, and the pauses as many as the missing renewals that follow one that is there. An
// outage, or a hole, is one long pause.
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
