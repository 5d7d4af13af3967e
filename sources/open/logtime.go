package open

import (
	"fmt"
	"strings"
	"time"

	"kardia/model"
	"kardia/sources/read/klog"
)

// unused says why a log gave no Statement.
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

// oddTime says what was assumed of a log's clock, and whether its time fits the evidence beside it; "" if nothing was
// assumed and it does. near is beside, with the logs that tell their own time.
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

// oneIncident is how far a log may lie from other evidence of the same incident: what was captured is of one moment.
const oneIncident = time.Minute

// overlap says whether a log overlaps other evidence if its clock is so far ahead.
func overlap(log, other model.Interval, ahead time.Duration) bool {
	return other.Overlaps(model.Interval{Earliest: log.Earliest.Add(-ahead - oneIncident), Latest: log.Latest.Add(-ahead + oneIncident)})
}

// quarters are the offsets of time zones that are not of whole hours, in minutes.
var quarters = [...]int{-570, -210, 210, 270, 330, 345, 390, 525, 570, 630, 765}

// fitting are the offsets of time zones by which a log would overlap other evidence: those of whole hours, or else the
// others. More than three are told by their first and last.
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
