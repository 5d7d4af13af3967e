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
	"kardia/model/past"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/volume"
	"kardia/ui/widget"
)

type duration = time.Duration

func itoa(n int) string { return strconv.Itoa(n) }

// since is an age in words, or "?" where the instant is not known.
func (c *rendering) since(t model.Instant) string {
	if !t.Bounded() || !c.s.At.Bounded() {
		return "?"
	}
	return paint.Duration(c.s.At.Sub(t))
}

// lookBack is how far back the lanes reach at least: nearly ten minutes, or as far as anything is
// known, but two minutes.
func (c *rendering) lookBack() duration {
	const most = 9 * time.Minute
	if reach := c.s.Reach(); reach.Bounded() {
		return min(max(c.s.At.Sub(reach.Earliest), 2*time.Minute), most)
	}
	return most
}

// lanes is how the conditions pane shares its width.
type lanes struct {
	name, status, since, reason int
	scale                       widget.Scale
	track                       *past.Track
}

func (c *rendering) lanes(w int) lanes {
	n := lanes{name: 19, status: 8, since: paint.DurationWidth + 1}
	if w >= 100 {
		n.reason = min(w/6, 30)
	}
	cells := max(w-n.name-n.status-n.since-n.reason-6, 8)
	n.scale = widget.ScaleTo(c.s.At, c.lookBack(), min(cells, 120))
	n.track = c.trackOver(n.scale.Window())
	return n
}

// trackOver is the node's past over a window, asked for once per Render; empty where there is
// none to be had.
func (c *rendering) trackOver(window model.Interval) *past.Track {
	if c.track != nil && c.window == window {
		return c.track
	}
	c.track, c.window = nil, window
	if c.s.Track != nil && window.Bounded() {
		c.track = c.s.Track(c.name, window)
	}
	if c.track == nil {
		c.track = &past.Track{}
	}
	return c.track
}

// conditions are the conditions now and over time, and the lease's renewals under them.
func (c *rendering) conditions(w int) part {
	n := c.lanes(w)
	now := conditionsOf(c.row)
	length := paint.Duration(n.scale.Step * time.Duration(n.scale.Cells))
	axis := c.p.Line(w).Skip(1)
	if c.bare {
		axis.Put(themes.Dim, length)
	}
	axis.To(n.name + 2)
	n.scale.Axis(axis, c.p)
	axis.To(n.name+2+n.scale.Cells+1).Left(themes.Faint, "NOW", n.status+1).Left(themes.Faint, "FOR", n.since+1)
	if n.reason > 0 {
		axis.Put(themes.Faint, "REASON")
	}
	said := c.reasonLines(now, n)
	return part{pane: paneConditions, title: "Conditions", note: length, List: widget.List{
		Head: []paint.Row{axis.Row()}, N: len(now) + 2 + len(said),
		Draw: func(i int) paint.Row {
			switch {
			case i < len(now):
				return c.lane(now[i], n, w, c.picked(paneConditions, i))
			case i == len(now):
				return c.renewals(n, w, c.picked(paneConditions, i))
			case i == len(now)+1:
				return c.laneLegend(n, w)
			}
			return said[i-len(now)-2](w)
		},
	}}
}

// reasonLines are lines with what the conditions that are not good give as their reason, where
// the lanes have no column for it.
func (c *rendering) reasonLines(now []model.Condition, n lanes) (lines []func(w int) paint.Row) {
	if n.reason > 0 {
		return nil
	}
	for _, cond := range now {
		if cond.Status != model.StatusUnknown && !widget.Bad(cond.Type, cond.Status) {
			continue
		}
		if len(lines) == 0 {
			lines = append(lines, func(int) paint.Row { return paint.Row{} })
		}
		text := strings.Trim(cond.Reason+": "+cond.Message, ": ")
		lines = append(lines, func(w int) paint.Row {
			return c.p.Line(w).Skip(2).Left(themes.Faint, c.p.Text(cond.Type), n.name-1).Skip(1).Put(themes.Dim, c.p.Text(text)).Row()
		})
	}
	return lines
}

// order puts Ready first and leaves the rest as the kubelet lists them.
func order(condition string) int {
	if condition == "Ready" {
		return 0
	}
	return 1
}

func (c *rendering) lane(now model.Condition, n lanes, w int, picked bool) paint.Row {
	l := widget.Begin(c.p, w, picked, true).To(widget.Gutter).Left(themes.Text, c.p.Text(now.Type), n.name-1).To(n.name + 2)
	track := past.ConditionTrack{Type: now.Type}
	for _, t := range n.track.Conditions {
		if t.Type == now.Type {
			track = t
		}
	}
	widget.Lane(l, c.p, n.scale, track, n.track.Watched, c.s.Gaps)
	token := themes.Dim
	switch {
	case now.Status == model.StatusUnknown:
		token = themes.Unknown
	case widget.Bad(now.Type, now.Status):
		token = themes.NotReady
	}
	l.Skip(1).Left(token, now.Status.String(), n.status+1).Left(themes.Dim, c.since(began(now, track)), n.since+1)
	if n.reason > 0 {
		text := c.p.Text(now.Reason)
		if behind := c.row.Node.StaleBy(&now); behind > 0 {
			text = "stale, posted " + paint.Duration(behind) + " before the others; " + text
		}
		if widget.Bad(now.Type, now.Status) && now.Message != "" {
			text = c.p.Text(now.Message)
		}
		l.Put(themes.Dim, text)
	}
	return l.Row()
}

// began is since when a condition has its status: as it declares, and not before it was seen to
// have another one.
func began(now model.Condition, track past.ConditionTrack) model.Instant {
	if k := len(track.Spans) - 1; k > 0 && track.Spans[k].Status == now.Status && track.Spans[k].From.Sub(now.Transition) > time.Second {
		return track.Spans[k].From // the declared time is cut to a second, and may be that much behind
	}
	return now.Transition
}

func (c *rendering) renewals(n lanes, w int, picked bool) paint.Row {
	l := widget.Begin(c.p, w, picked, true).To(widget.Gutter).Left(themes.Text, "lease renewals", n.name-1).To(n.name + 2)
	widget.Ticks(l, c.p, n.scale, n.track.Renewals, c.s.Gaps)
	word, token := "renewing", themes.Dim
	switch {
	case !c.s.Has(model.KindNodeLease):
		word = "?"
	case !c.row.Lease.Seen:
		word = "no lease"
	case c.row.Lease.Gone:
		word = "deleted"
	case c.then.Age.Known && c.then.Age.Value >= c.grace:
		word, token = "silent", themes.Age4
	case c.then.Age.Known && c.then.Age.Value >= widget.LateAfter:
		word, token = "late", themes.Warn
	case c.ages.AtMost:
		word, token = "not seen", themes.Gap
	}
	l.Skip(1).Left(token, word, n.status+1)
	if c.ages.From != model.AgeStatus {
		l.Left(themes.Dim, c.p.AgeOf(c.ages, n.since+1), n.since+1)
	}
	return l.Row()
}

func (c *rendering) laneLegend(n lanes, w int) paint.Row {
	g := &c.p.Glyphs
	l := c.p.Line(w).To(n.name + 2)
	if n.track.Reading {
		return l.Glyph(themes.Predicted, g.Predicted).Put(themes.Dim, " reading what was before").Row()
	}
	for _, e := range [...]struct {
		glyph string
		token themes.Token
		word  string
	}{
		{g.Good, themes.Dim, "good"}, {g.Bad, themes.NotReady, "bad"}, {g.Silent, themes.Unknown, "Unknown"},
		{g.Reconstructed, themes.Predicted, "by stamps"}, {g.Renewal, themes.Dim, "renewed"}, {g.Gap, themes.Gap, "not covered"},
	} {
		if e.glyph == g.Reconstructed && n.track.Watched <= n.scale.From {
			continue // all of it was watched
		}
		if l.Rest() < 3+len(e.word)+3 {
			break
		}
		l.Glyph(e.token, e.glyph).Skip(1).Put(themes.Faint, e.word).Skip(3)
	}
	return l.Row()
}

// leaseLine is the lease in one line: what it says, when it was heard, and how far the
// clocks are apart.
func (c *rendering) leaseLine() paint.Row {
	l := c.p.Line(c.w).Skip(1)
	lease := &c.row.Lease
	if !lease.Seen || lease.Gone {
		word := "no lease seen"
		switch {
		case lease.Gone:
			word = "lease deleted"
		case !c.s.Has(model.KindNodeLease):
			word = "no leases to be had"
		}
		return l.Put(themes.Dim, word+": the heartbeat is the node's status, up to 5 min coarse").Row()
	}
	first := true
	part := func(word, value string) {
		if l.Rest() < paint.Width(word)+paint.Width(value)+4 {
			return
		}
		if !first {
			l.Skip(3)
		}
		first = false
		l.Put(themes.Faint, word+" ").Put(themes.Dim, value)
	}
	part("lease renewTime", c.p.ClockTenths(lease.Renewed))
	if lease.Heard.Known() {
		part("heard", c.p.ClockTenths(lease.Heard))
	}
	if c.ages.Skew.Known {
		part("skew", paint.Offset(c.ages.Skew.Value))
	}
	if every, ok := c.rhythm(); ok {
		part("renewed every", every)
	}
	if due, ok := c.nextBeat(); ok {
		part("next beat", due)
	}
	if lease.Seconds > 0 {
		part("duration", itoa(int(lease.Seconds))+"s")
	}
	if lease.Refused > 0 {
		part("refused", itoa(int(lease.Refused)))
	}
	part("holder", cmp.Or(c.p.Text(lease.Holder), "?"))
	return l.Row()
}

// nextBeat is when the kubelet renews its lease next, or how long that is overdue.
func (c *rendering) nextBeat() (string, bool) {
	lease := &c.row.Lease
	if !c.controllers.Judged || !lease.Heard.Known() && !lease.Renewed.Known() || !c.s.At.Bounded() {
		return "", false
	}
	config := kubelet.Defaults(c.s.Params.Version)
	if lease.Seconds > 0 {
		config.LeaseDuration = duration(lease.Seconds) * second
	}
	last := lease.Heard
	if !last.Known() {
		last = lease.Renewed
	}
	due := config.NextRenewal(last)
	if late := c.s.At.Sub(due.Latest); late > 0 {
		return "overdue " + paint.Duration(late), true
	}
	return c.p.Glyphs.Predicted + " due in " + c.p.Ahead(c.s.From(), due), true
}

// rhythm is the usual time between renewals in the lanes' window.
func (c *rendering) rhythm() (string, bool) {
	renewals := c.lanes(c.w).track.Renewals
	if len(renewals) < 3 {
		return "", false
	}
	gaps := make([]duration, 0, len(renewals)-1)
	for i := 1; i < len(renewals); i++ {
		gaps = append(gaps, renewals[i].Sub(renewals[i-1]))
	}
	slices.Sort(gaps)
	return fmt.Sprintf("%.1fs", gaps[len(gaps)/2].Seconds()), true
}

// quiet is a list with nothing in it but a word that says so.
func (c *rendering) quiet(w int, text string) widget.List {
	return widget.List{N: 1, Draw: func(int) paint.Row { return c.p.Line(w).Skip(2).Put(themes.Faint, text).Row() }}
}

// events are the newest first.
func (c *rendering) events(w int) part {
	events := c.row.Events()
	l := part{pane: paneEvents, title: "Events " + itoa(len(events))}
	if len(events) == 0 {
		text := "no Kubernetes Events about this node"
		if !c.s.Has(model.KindEvent) {
			text = "no Kubernetes Events to be had"
		}
		l.List = c.quiet(w, text)
		return l
	}
	l.N, l.Draw = len(events), func(i int) paint.Row {
		e := events[len(events)-1-i]
		line := c.p.Line(w).Skip(2)
		line.Left(themes.Dim, c.since(max(e.Last, e.First)), paint.DurationWidth+2)
		token := themes.Dim
		if e.Warning {
			token = themes.Text
		}
		line.Left(token, c.p.Text(e.Reason), min(24, w/2)).Skip(1)
		if w >= 70 {
			line.Left(themes.Faint, c.p.Text(e.Component), 16).Skip(1)
		}
		if e.Count > 1 {
			line.Put(themes.Faint, "x"+itoa(int(e.Count))+" ")
		}
		// Whose Event it is, the screen says.
		return line.Put(themes.Dim, c.p.Text(strings.TrimPrefix(e.Message, "Node "+e.Regarding.Key.Name+" "))).Row()
	}
	return l
}

// system adds what the machine runs, where it is reached, and how large it is.
func (c *rendering) system(n *model.Node, add func(word, value string)) {
	of := func(names ...string) string {
		var values []string
		for _, name := range names {
			if v, ok := n.Details.Get(name); ok && v != "" {
				values = append(values, v)
			}
		}
		return strings.Join(values, "   ")
	}
	add("runs", of(model.DetailOSImage, model.DetailKernel, model.DetailRuntime))
	add("address", of(model.DetailAddress+"InternalIP", model.DetailAddress+"ExternalIP", model.DetailPodCIDR))
	if cpu, memory := of(model.DetailAllocatable+"cpu"), of(model.DetailAllocatable+"memory"); cpu != "" && memory != "" {
		add("allocatable", cpu+" of "+of(model.DetailCapacity+"cpu")+" CPU   "+memory+" of "+of(model.DetailCapacity+"memory")+" memory")
	}
	var others []string
	for name, value := range n.Details.All {
		what, ok := strings.CutPrefix(name, model.DetailAllocatable)
		if !ok || what == "cpu" || what == "memory" || value == "0" {
			continue
		}
		if all := of(model.DetailCapacity + what); all != "" && all != value {
			value += " of " + all
		}
		others = append(others, what+" "+value)
	}
	add("resources", strings.Join(others, "   "))
	add("boot", of(model.DetailBootID))
	add("machine", of(model.DetailMachineID, model.DetailSystemUUID))
	add("features", of(model.DetailFeatures))
	add("written by", c.writers(n))
	add("owner", of(model.DetailOwner))
}

// writers are those who wrote the Node, not its status, the newest first: whoever registered it is among them.
func (c *rendering) writers(n *model.Node) string {
	type writer struct {
		name string
		at   model.Instant
	}
	var list []writer
	for name, value := range n.Details.All {
		who, ok := strings.CutPrefix(name, model.DetailWriter)
		t, err := time.Parse(time.RFC3339, value)
		if ok && err == nil {
			list = append(list, writer{who, model.At(t)})
		}
	}
	slices.SortStableFunc(list, func(a, b writer) int { return cmp.Compare(b.at, a.at) })
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = w.name + " " + c.since(w.at) + " ago"
	}
	return strings.Join(words, "   ")
}

// registered is when node-lifecycle took the node up last, as its Event tells: a process that begins anew
// takes up all.
func (c *rendering) registered() string {
	var last model.Instant
	for _, e := range c.row.Events() {
		if e.Reason == "RegisteredNode" {
			last = max(last, e.First, e.Last)
		}
	}
	if !last.Known() {
		return ""
	}
	return "with node-lifecycle " + c.ago(last)
}

// volumes are those that hang on the node, each with its clock.
func (c *rendering) volumes(add func(word, value string)) {
	attached := c.s.Attached(c.name)
	if attached.Unread != "" {
		if c.s.Mode.Watches() || c.s.Kinds[model.KindPersistentVolume] {
			add("volumes", "VolumeAttachments are "+attached.Unread)
		}
		return
	}
	if len(attached.List) == 0 {
		add("volumes", "none is attached")
	}
	for i := range attached.List {
		_, text := volume.Row(c.p, c.s.From(), &attached.List[i])
		add("volume", text)
	}
}

// fact is a line of the facts pane.
type fact struct{ word, value string }

func (c *rendering) facts(w int) part {
	var facts []fact
	add := func(word, value string) {
		if value != "" {
			facts = append(facts, fact{word, c.p.Text(value)})
		}
	}
	n := c.row.Node
	if n != nil {
		runs := []string{n.KubeletVersion, strings.Trim(n.OS+"/"+n.Arch, "/"), n.InstanceType}
		add("kubelet", strings.Join(slices.DeleteFunc(runs, func(s string) bool { return s == "" }), "   "))
		add("zone", n.Zone.String())
		add("created", c.ago(n.Created))
		add("registered", c.registered())
		if n.Deleted.Known() {
			add("deleting since", c.ago(n.Deleted))
		}
		if n.ExcludeDisruption {
			add("excluded", "from its zone's disruption statistics")
		}
	}
	if track := c.lanes(c.w).track; track.Window.Known() && !track.Reading {
		from := max(track.Window.Earliest, c.s.Coverage.Earliest)
		changed := times(track.Flips)
		if track.Flips == 0 && c.row.ReadySince() > from { // before the node was seen first
			changed = "at least once"
		}
		add("Ready changed", changed+" in the last "+c.since(from))
	}
	c.volumes(add)
	add("renewals seen", itoa(int(c.row.Lease.Renewals)))
	if n != nil {
		c.system(n, add)
		add("provider", n.ProviderID)
		add("uid", n.UID.String())
	}
	return part{pane: paneFacts, title: "Facts", List: widget.List{N: len(facts), Draw: func(i int) paint.Row {
		return c.p.Line(w).Skip(2).Left(themes.Faint, facts[i].word, 15).Put(themes.Dim, facts[i].value).Row()
	}}}
}

func (c *rendering) ago(t model.Instant) string {
	if !t.Bounded() {
		return ""
	}
	return c.since(t) + " ago, " + c.p.DateTime(t)
}

func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return itoa(n) + " times"
}
