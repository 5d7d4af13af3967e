package node

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/widget"
	"kardia/ui/words"
)

func (c *rendering) since(t model.Instant) string {
	if !t.Bounded() || !c.s.At.Bounded() {
		return "?"
	}
	return paint.Duration(c.s.From().Sub(t))
}

// leaseLine is the lease in one line: its contents, the last renewal seen, and how far the clocks are apart.
func (c *rendering) leaseLine() paint.Row {
	l := c.p.Line(c.w).Skip(1)
	lease := &c.row.Lease
	if !lease.Seen || lease.Gone {
		why := words.Of("node.lease.none")
		switch {
		case lease.Gone:
			why = words.Of("node.lease.deleted")
		case !c.s.Has(model.KindNodeLease):
			why = words.Of("node.lease.unread")
		}
		return l.Put(themes.Dim, words.Join(": ", why, words.Of("node.lease.status")).In(c.p)).Row()
	}
	first := true
	part := func(word, value string) {
		if l.Rest() < paint.Width(words.Label(word))+paint.Width(value)+4 {
			return
		}
		if !first {
			l.Skip(3)
		}
		first = false
		l.Put(themes.Faint, words.Label(word)+" ").Put(themes.Dim, value)
	}
	part("lease renewTime", c.p.ClockTenths(lease.Renewed))
	if lease.Heard.Known() {
		part("last seen", c.p.ClockTenths(lease.Heard))
	}
	if c.ages.Skew.Known {
		part("skew", paint.Offset(c.ages.Skew.Value))
	}
	if lease.Refused > 0 {
		part("refused", strconv.Itoa(int(lease.Refused)))
	}
	if every, ok := c.rhythm(); ok {
		part("renewed every", every)
	}
	if due, ok := c.nextBeat(); ok {
		part("next renewal", due)
	}
	if lease.Seconds > 0 {
		part("duration", strconv.Itoa(int(lease.Seconds))+"s")
	}
	part("holder", cmp.Or(c.p.Text(lease.Holder), "?"))
	if pauses, _ := c.pauses(); len(pauses) > 2 {
		part("longest pause", fmt.Sprintf("%.1fs", pauses[len(pauses)-1].Seconds()))
	}
	return l.Row()
}

// nextBeat is the time of the next renewal, or how long it is overdue.
func (c *rendering) nextBeat() (string, bool) {
	lease := &c.row.Lease
	if c.ages.Ahead.Known || !c.outlook.Judged || !lease.Heard.Known() && !lease.Renewed.Known() || !c.s.At.Bounded() {
		return "", false
	}
	config := kubelet.Defaults(c.s.Params.Version)
	if lease.Seconds > 0 {
		config.LeaseDuration = time.Duration(lease.Seconds) * time.Second
	}
	due := config.NextRenewal(cmp.Or(lease.Heard, lease.Renewed))
	if late := c.s.From().Sub(due.Latest); late > 0 {
		return words.Of("facts.overdue", "late", late).In(c.p), true
	}
	return c.p.Glyphs.Predicted + " " + words.Of("node.due", "in", c.p.In(c.s.From(), due)).In(c.p), true
}

func (c *rendering) rhythm() (string, bool) {
	pauses, _ := c.pauses()
	if len(pauses) < 2 {
		return "", false
	}
	usual, _ := model.Median(pauses)
	return fmt.Sprintf("%.1fs", usual.Seconds()), true
}

// pauses are the times between the node's renewals in the lanes' window, the shortest first, and when the longest
// ended. A time without a watch is none.
func (c *rendering) pauses() (list []time.Duration, ended model.Instant) {
	renewals := c.lanes(c.w).track.Renewals
	longest := time.Duration(0)
	for i := 1; i < len(renewals); i++ {
		pause := model.Interval{Earliest: renewals[i-1], Latest: renewals[i]}
		if c.unheard(pause) {
			continue
		}
		list = append(list, pause.Width())
		if pause.Width() > longest {
			longest, ended = pause.Width(), pause.Latest
		}
	}
	slices.Sort(list)
	return list, ended
}

// unheard reports whether renewals could not be seen for a part of a time.
func (c *rendering) unheard(v model.Interval) bool {
	return slices.ContainsFunc(c.s.Unwatched.Leases(), func(gap model.Interval) bool { return gap.Earliest < v.Latest && gap.Latest > v.Earliest })
}

// pausesInWords is the usual pause, the 99th percentile, and the longest.
func (c *rendering) pausesInWords() words.Say {
	pauses, ended := c.pauses()
	if len(pauses) < 3 {
		return words.Say{}
	}
	tenths := func(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }
	usual, _ := model.Median(pauses)
	p99 := words.Say{}
	if len(pauses) >= 100 {
		p99 = words.Of("facts.pauses-p99", "p99", tenths(pauses[len(pauses)*99/100]))
	}
	return words.Of("facts.pauses", "usual", tenths(usual), "p99", p99, "longest", tenths(pauses[len(pauses)-1]), "ago", c.ago(ended), "n", len(pauses),
		"last", c.since(max(c.lanes(c.w).track.Window.Earliest, c.lanes(c.w).track.Watched)))
}

func (c *rendering) quiet(w int, text words.Say) widget.List {
	return widget.List{N: 1, Draw: func(int) paint.Row { return c.p.Line(w).Skip(2).Put(themes.Faint, text.In(c.p)).Row() }}
}

func (c *rendering) events(w int) part {
	events := c.row.Events()
	l := part{pane: paneEvents, title: words.Label("Events") + " " + strconv.Itoa(len(events))}
	if len(events) == 0 {
		text := words.Of("node.no-events")
		if !c.s.Has(model.KindEvent) {
			text, l.title = words.Of("node.events-unread"), words.Label("Events")+" ?"
		}
		l.List = c.quiet(w, text)
		return l
	}
	l.N, l.Draw = len(events), func(i int) paint.Row {
		e := events[len(events)-1-i]
		line := c.p.Line(w).Skip(2)
		line.Left(themes.Dim, c.since(max(e.Last, e.First)), paint.DurationWidth+2)
		token := themes.Text.If(e.Warning, themes.Dim)
		line.Left(token, c.p.Text(e.Reason), min(24, w/2)).Skip(1)
		if w >= 90 {
			line.Left(themes.Faint, c.p.Text(e.Component), 16).Skip(1)
		}
		if e.Count > 1 {
			line.Put(themes.Faint, "x"+strconv.Itoa(int(e.Count))+" ")
		}
		// The screen already shows whose Event it is.
		return line.Put(themes.Dim, c.p.Text(strings.TrimPrefix(e.Message, "Node "+e.Regarding.Key.Name+" "))).Row()
	}
	return l
}

func (c *rendering) ago(t model.Instant) string {
	if !t.Bounded() {
		return ""
	}
	return words.Of("facts.ago", "for", c.since(t), "at", c.p.DateTime(t)).In(c.p)
}

func times(n int) string {
	switch n {
	case 0:
		return words.Label("never")
	case 1:
		return words.Label("once")
	}
	return words.Of("count.times", "n", n).String()
}
