package topics

import (
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/ui/paint"
	"kardia/ui/words"
)

// ZoneRate is the rate at which a zone's nodes are tainted, for a column, and whether none is: without a leader none is at
// any rate.
func ZoneRate(o *outlook.Outlook, rate float32) (word string, halted bool) {
	if o.Leaderless() {
		return words.Of("zone.leaderless").String(), true
	}
	return TaintRate(rate).String(), rate == 0
}

// Held is why a queued node has no taint yet, in full and in short; missing if it is not queued, or its pods' countdowns
// run. zone is the zone's name on the screen; predicted reports that the reason does not hold yet.
func Held(o *outlook.Outlook, n *outlook.Node, zone string, at model.Instant) (long, short words.Say, predicted bool) {
	hold, by := o.Hold(n)
	if hold == "" {
		return long, short, false
	}
	next, soon := within(by, at)
	return words.Of("queue.held."+string(hold), "zone", zone, "when", next), words.Of("queue.held-short."+string(hold), "when", soon),
		hold == outlook.Spared || hold == outlook.NextTaint
}

// Within is the time until something at the latest, rounded up to a second: "at once", "within 6s".
func Within(then, now model.Instant) words.Say {
	long, _ := within(then, now)
	return long
}

func within(then, now model.Instant) (long, short words.Say) {
	d := (max(then.Sub(now), 0) + time.Second - 1).Truncate(time.Second)
	if d == 0 {
		return words.Of("queue.at-once"), words.Of("queue.at-once-short")
	}
	text := strconv.Itoa(int(d/time.Second)) + "s"
	if d >= 5*time.Minute {
		text = paint.AtMost(d)
	}
	return words.Of("queue.within", "for", text), words.Of("queue.within-short", "for", text)
}

// Queue is how many nodes of a zone are queued, and by when the next one and all are tainted, in full and in short. No
// node has a place in a queue, because its order is a race: a node that is queued by then may be the next.
func Queue(z *outlook.Zone, at model.Instant) (long, short words.Say) {
	n := len(z.Waiting)
	if n == 0 {
		return emptyQueue(z, at)
	}
	queued := words.Of("queue.n", "n", n)
	next, soon := within(z.Next.Latest, at)
	all, brief := within(z.Until, at)
	switch {
	case z.Rate == 0 && !z.Next.Known():
		return words.Of("queue.stopped", "queued", queued), words.Of("queue.stopped-short", "queued", queued)
	case !z.Next.Known():
		return words.Of("queue.unknown", "queued", queued), words.Of("queue.unknown-short", "queued", queued)
	case n == 1 && z.Until.Bounded() && !z.Doubted:
		return words.Of("queue.single", "when", all), words.Of("queue.single-short", "queued", queued, "when", brief)
	}
	long, short = queued, queued
	if z.Rate == 0 {
		long = words.Of("queue.stopped", "queued", queued)
	}
	if z.Doubted {
		return words.Of("queue.doubted", "queued", long, "when", next), words.Of("queue.doubted-short", "queued", short, "when", soon)
	}
	long, short = words.Of("queue.next", "queued", long, "when", next), words.Of("queue.next-short", "queued", short, "when", soon)
	if n > 1 && z.Until.Bounded() {
		return words.Of("queue.all", "queued", long, "when", all), words.Of("queue.all", "queued", short, "when", brief)
	}
	return long, short
}

// emptyQueue is when a newly queued node would be tainted.
func emptyQueue(z *outlook.Zone, at model.Instant) (long, short words.Say) {
	next, soon := within(z.NextToken, at)
	switch {
	case z.Rate == 0:
		return words.Of("queue.empty-stopped"), words.Of("queue.empty-now-short")
	case z.NextToken <= at:
		return words.Of("queue.empty", "when", next), words.Of("queue.empty-now-short")
	}
	return words.Of("queue.empty", "when", next), words.Of("queue.empty-short", "when", soon)
}
