package open

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/chronology"
	"kardia/sources/read/klog"
)

func unused(log *klog.Log) string {
	var parts []string
	if n := log.Needless; n > 0 {
		parts = append(parts, model.Counted(n, "line was", "lines were")+" understood and none shows the health of a node")
	}
	if n := log.Unread + log.Other; n > 0 {
		what := model.Counted(n, "line was", "lines were") + " not understood"
		if log.FirstUnread.Number > 0 {
			what += fmt.Sprintf(", the first at line %d: %.120s", log.FirstUnread.Number, log.FirstUnread.Data)
		}
		parts = append(parts, what)
	}
	return "no statement about nodes, leases or the leader was found: " + strings.Join(parts, "; ")
}

// oddTime is what was assumed about a log's clock, and whether its time fits the evidence beside it; "" if all is well.
// near is beside, with the logs that have their full time.
func oddTime(log *klog.Log, beside, near model.Interval) string {
	what, against := "", beside
	if log.Assumed != "" {
		what = "assumed " + log.Assumed
	}
	if !against.Known() {
		against = near
	}
	if !against.Bounded() || overlap(log.Coverage, against, 0) {
		return what
	}
	offsets := ""
	if log.ZoneAssumed {
		offsets = fitting(log.Coverage, against)
	}
	if offsets == "" && !beside.Known() {
		return what // pieces of logs may lie apart
	}
	apart := fmt.Sprintf("it overlaps nothing of the other input: it is of %s to %s, the other of %s to %s", log.Coverage.Earliest, log.Coverage.Latest, against.Earliest, against.Latest)
	if what != "" {
		apart = what + ", but " + apart
	}
	if offsets != "" {
		apart += "; if its clock shows local time, give --log-time-zone " + offsets
	}
	return apart
}

// oneIncident is how far a log may be from other evidence of an incident: a capture is of one moment.
const oneIncident = time.Minute

func overlap(log, other model.Interval, ahead time.Duration) bool {
	return other.Overlaps(model.Interval{Earliest: log.Earliest.Add(-ahead - oneIncident), Latest: log.Latest.Add(-ahead + oneIncident)})
}

// quarters are the time zones that are not of whole hours, in minutes.
var quarters = [...]int{-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765}

// fitting are the time zones by which a log would overlap other evidence, first those of whole hours. It lists the
// first and the last of more than three.
func fitting(log, other model.Interval) string {
	var list []string
	try := func(minutes int) {
		if ahead := time.Duration(minutes) * time.Minute; overlap(log, other, ahead) {
			list = append(list, time.Time{}.In(time.FixedZone("", minutes*60)).Format("-07:00"))
		}
	}
	for h := -12; h <= 14; h++ {
		try(60 * h)
	}
	if len(list) == 0 {
		for _, q := range quarters {
			try(q)
		}
	}
	switch n := len(list); {
	case n == 0:
		return ""
	case n > 3:
		return list[0] + " to " + list[n-1]
	}
	return strings.Join(list, " or ")
}

// oddZone reports that a log's clock has another time zone than assumed, by its lines or the objects; or "".
func oddZone(log *klog.Log, sightings []chronology.Sighting) string {
	if !log.ZoneAssumed {
		return ""
	}
	what := "assumed " + log.Assumed + ", but "
	ahead, agrees := zoneByObjects(log, sightings)
	if ahead != 0 {
		return what + "what it reports of nodes and pods is " + hours(ahead) + map[bool]string{true: " later", false: " earlier"}[ahead > 0] +
			" than the objects of the other input show it; if its clock shows local time, give --log-time-zone " + offset(ahead)
	}
	if log.Apart != 0 && !agrees {
		return what + "each line shows two times, and the first is " + hours(log.Apart) + map[bool]string{true: " earlier", false: " later"}[log.Apart > 0] +
			"; if the first is UTC, give --log-time-zone " + offset(log.Apart)
	}
	return ""
}

func hours(d time.Duration) string {
	d = d.Abs()
	if minutes := d % time.Hour / time.Minute; minutes > 0 {
		return fmt.Sprintf("%dh%dm", d/time.Hour, minutes)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}

// offset is an offset as --log-time-zone takes it.
func offset(ahead time.Duration) string {
	return time.Time{}.In(time.FixedZone("", int(ahead/time.Second))).Format("-07:00")
}

// zoneByObjects is how far a log is ahead of the objects beside it, by common acts; agrees: one has the same time.
func zoneByObjects(log *klog.Log, sightings []chronology.Sighting) (ahead time.Duration, agrees bool) {
	acts := map[model.Key][]model.Instant{}
	act := func(key model.Key, t model.Instant) {
		if t.Bounded() && !slices.Contains(acts[key], t) {
			acts[key] = append(acts[key], t)
		}
	}
	for i := range sightings {
		switch s := &sightings[i]; {
		case s.Node != nil:
			if r := s.Node.Ready(); r != nil && r.Status == model.StatusUnknown {
				act(s.Key, r.Transition)
			}
		case s.Pod != nil:
			act(s.Key, s.Pod.Disrupted)
			act(s.Key, s.Pod.Asked())
		case s.Event != nil && s.Event.DeclaresUnknown():
			act(model.Key{Name: s.Event.Regarding.Name}, s.Event.Last)
		}
	}
	votes := map[time.Duration]int{}
	for i := range log.Statements {
		s := &log.Statements[i]
		key := s.Pod
		switch s.What {
		case history.SaidLost, history.SaidDeclared:
			key = model.Key{Name: s.Node}
		case history.SaidDeletingPod:
		default:
			continue
		}
		for _, t := range acts[key] {
			ahead := s.At.Sub(t)
			if off := ahead.Round(quarter); off.Abs() <= 15*time.Hour && (ahead-off).Abs() <= sameAct {
				votes[off]++
			}
		}
	}
	if votes[0] > 0 {
		return 0, true
	}
	for _, off := range slices.Sorted(maps.Keys(votes)) {
		if votes[off] > votes[ahead] {
			ahead = off
		}
	}
	return ahead, false
}

const (
	quarter = 15 * time.Minute
	// sameAct is how far apart a log and an object may show the same act: a timestamp is cut to the second.
	sameAct = 3 * time.Second
)
