package past

import (
	"fmt"
	"math"
	"slices"
	"time"

	"kardia/model"
)

const (
	// losing is from which share of missing renewals on a record counts as losing lines; losingUnproven
	// the same where no resourceVersion tells whether there is room for them.
	losing, losingUnproven = .05, .1
	// leastLeases is of how many leases renewals must be missing, and leastBeats how many must be due of each.
	leastLeases, leastBeats = 3, 6
	// briefly is how many renewals in a row are missing at most where few lines are lost at random: beyond
	// it somebody may have been silent. Where most are lost it is scarcely more than thrice that.
	briefly, atLength = 4, 12
	// Where seldom a line is lost, pauses do not fall together; maxHoles is how many holes may explain them,
	// and maxCompared how many pauses are compared.
	seldom      = .3
	maxHoles    = 3
	maxCompared = 2000
)

// Losses says whether a record, the sources of which own says so, loses lines at random: of most leases single
// renewals are missing, here and there and not together, and the resourceVersions leave room for them. Such
// a record proves no silence. versions may be nil.
func (l *SilenceFinder) Losses(own func(source int32) bool, versions *Versioning) (why string, ok bool) {
	for _, longest := range [...]int{briefly, atLength} {
		if t := l.missing(own, longest); t.byChance(versions) {
			return fmt.Sprintf("lines are missing at random: %d of %d renewals of %s are not there, here and there", t.missed, t.heard+t.missed, model.Counted(t.leases, "lease", "leases")), true
		}
	}
	return "", false
}

// losses count renewals that are not there. hit are the leases of which any is missing, pauses how often
// one or more in a row are.
type losses struct {
	leases, hit, heard, missed, pauses int
	when                               []model.Interval // of the pauses
}

// missing counts the renewals that are missing from a record, of those in a row at most so many. What is
// known not to have been written is not missing.
func (l *SilenceFinder) missing(own func(source int32) bool, longest int) (all losses) {
	of := map[string]*losses{}
	for who, v := range l.last {
		if own(v.source) && v.node != "" {
			of[who] = &losses{heard: v.heard}
		}
	}
	for _, c := range l.late {
		v := of[c.who]
		if v == nil || c.to == model.FarFuture || c.chain == chainWhole {
			continue
		}
		if n := int(math.Round(float64(c.to.Sub(c.from))/float64(c.told))) - 1; n >= 1 && n <= longest {
			v.missed, v.pauses = v.missed+n, v.pauses+1
			all.when = append(all.when, model.Interval{Earliest: c.from, Latest: c.to})
		}
	}
	for _, v := range of {
		if v.heard+v.missed < leastBeats {
			continue
		}
		all.leases, all.heard, all.missed, all.pauses = all.leases+1, all.heard+v.heard, all.missed+v.missed, all.pauses+v.pauses
		if v.pauses > 0 {
			all.hit++
		}
	}
	return all
}

// together says that nearly all pauses fall on a few instants: then that is when the record has holes, or
// nobody could write.
func (t losses) together() bool {
	left := slices.Clone(t.when)
	for range maxHoles {
		var most model.Instant
		n := 0
		for _, at := range left {
			shared := 0
			for _, v := range left {
				if v.Contains(at.Latest - 1) {
					shared++
				}
			}
			if shared > n {
				most, n = at.Latest-1, shared
			}
		}
		left = slices.DeleteFunc(left, func(v model.Interval) bool { return v.Contains(most) })
	}
	return 4*len(left) < len(t.when)
}

// byChance says that renewals are missing as where each line is lost by chance: of most leases, no fewer
// than there is room for, and the pauses as many as the missing renewals that follow one that is there. An
// outage, or a hole, is one long pause.
func (t losses) byChance(versions *Versioning) bool {
	if t.hit < leastLeases || 2*t.hit < t.leases {
		return false
	}
	share, enough := float64(t.missed)/float64(t.heard+t.missed), losingUnproven
	if room, known := versions.unseenInAll(); known {
		if float64(room) < .7*float64(t.missed) {
			return false
		}
		enough = losing
	}
	if share < seldom && len(t.when) < maxCompared && t.together() {
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
