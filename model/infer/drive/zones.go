package drive

import (
	"slices"
	"time"

	"kardia/model"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
	"kardia/model/infer/passes"
)

// delayZones sets when a pass with writes judges the zones: after its writes.
func (d *Driver) delayZones(p passes.Pass, declares bool) {
	trial := d.Nodes.Clone()
	out := trial.JudgeZones(p.At, d.Cache, d.walking())
	master := slices.ContainsFunc(out, func(x model.Decision) bool { return x.Kind == model.EnterMasterDisruption })
	if declares && (master || slices.ContainsFunc(out, func(x model.Decision) bool { return x.Kind == model.SetRate })) {
		d.zones = d.zonesAfter(p, trial, master)
	}
	if d.zones == 0 && !master {
		d.zonesLate(p, out)
	}
}

// zonesAfter is after which write the pass judges the zones; 0: at once. If it stops taints (master or partial
// disruption), the observed taints before the stop were ticked in between (Z15).
func (d *Driver) zonesAfter(p passes.Pass, trial *nodelifecycle.Controller, master bool) (folded int) {
	stops := func(node string) bool {
		n := d.Cache.Node(node)
		if n == nil {
			return false
		}
		_, _, was := d.Nodes.Zone(n.Zone)
		_, _, rate := trial.Zone(n.Zone)
		return was > 0 && rate == 0
	}
	// The first removal shows the time; later taints were already under way.
	first := true
	until := max(p.Latest.Add(evidence.LagBound), clientFree(p))
	for i := d.next; i < len(d.plan.Evidence.Writes) && d.plan.Evidence.Writes[i].Soonest <= until; i++ {
		w := &d.plan.Evidence.Writes[i]
		if w.Time.Earliest > until || w.Time.Latest < p.Earliest {
			continue
		}
		switch {
		case w.Kind == model.UntaintNoExecute && master && first:
			first = false
			if w.Exact {
				d.zonesIn = model.Interval{Earliest: w.Time.Earliest.Add(-evidence.Reaction), Latest: w.Time.Earliest}
			}
		case w.Kind == model.TaintNoExecute && (master || stops(w.Node)):
			folded = i + 1
			if !master {
				d.zonesIn = model.Interval{Earliest: max(p.Earliest, w.Time.Earliest.Add(-evidence.Reaction)), Latest: until}
			}
		}
	}
	return folded
}

// zonesLate delays the judging of zones in a pass that writes for long. Ticks give tokens at the old rates until then.
// The next pass bounds the delay, and the first token at a new rate shows it.
func (d *Driver) zonesLate(p passes.Pass, judged []model.Decision) {
	end, ok := d.endOf(p)
	if !ok {
		return
	}
	d.zonesIn = end
	every, longest := map[model.ZoneKey]time.Duration{}, time.Duration(0)
	for _, x := range judged {
		if x.Kind == model.SetRate && x.Rate.From > 0 && x.Rate.To > 0 {
			apart := PerToken(x.Rate.To)
			every[x.Zone.Value], longest = apart, max(longest, apart)
		}
	}
	if !writesLong(p) && (len(every) == 0 || end.Latest.Sub(p.At) <= settleTime) {
		return
	}
	d.late, d.zonesAt = true, max(end.Earliest, p.At)
	for i := d.next; i < len(d.plan.Evidence.Writes) && d.plan.Evidence.Writes[i].Soonest <= end.Latest.Add(longest+evidence.LagBound); i++ {
		w := &d.plan.Evidence.Writes[i]
		n := d.Cache.Node(w.Node)
		if w.Kind != model.TaintNoExecute || n == nil || every[n.Zone] == 0 {
			continue
		}
		every, request := every[n.Zone], w.Request()
		swapped := model.Interval{Earliest: request.Earliest.Add(-every - nodelifecycle.TickPeriod - evidence.Reaction), Latest: request.Latest.Add(-every)}
		if both, ok := swapped.Intersect(end); ok {
			d.zonesIn, d.zonesAt = both, min(max(request.Earliest.Add(-every), both.Earliest), both.Latest)
			return
		}
	}
}

// writesLong reports whether a pass wrote for so long that it may have judged nodes long after it began.
func writesLong(p passes.Pass) bool {
	return p.Wrote.Known() && p.Wrote.Latest > p.Latest.Add(evidence.LagBound)
}

// clientFree is the latest time of a tick's write during a pass: it waits for the client as the pass's own writes do.
func clientFree(p passes.Pass) model.Instant {
	if writesLong(p) {
		return p.Wrote.Latest.Add(evidence.LagBound)
	}
	return p.Earliest.Add(evidence.LagBound)
}

// judgeLate judges a node that a long pass is seen to declare: its grace period was not over when the pass began.
func (d *Driver) judgeLate(w *evidence.Seen) {
	if w.Kind != model.MarkUnknown || !d.judging {
		return
	}
	p := d.plan.passAt(d.pass - 1)
	if _, decided := d.open.find(w.Effect); decided || !writesLong(p) || w.Time.Earliest > p.Wrote.Latest {
		return
	}
	by := w.Time.Latest.Add(p.Width()) // the time of the pass that counted its last heartbeat is known no better
	h := d.hidden(p)
	if _, stalled := d.plan.Evidence.StallAt(p.At); stalled { // a renewal after the API server answers again comes too late
		h.Silent, h.MayBeat = map[string]bool{w.Node: true}, nil
	}
	out := d.Nodes.JudgeNode(by, w.Node, d.Cache, h)
	d.recordOfPass(out, model.Interval{Earliest: max(p.Earliest, w.Time.Earliest.Add(-evidence.LagBound)), Latest: w.Time.Latest})
}

// endOf is when a pass ended: after its last write, and a period before the next pass. ok: a write was seen.
func (d *Driver) endOf(p passes.Pass) (end model.Interval, ok bool) {
	next := d.plan.passAt(d.pass)
	if !p.Wrote.Known() || next.Begins() {
		return end, false
	}
	end.Latest = max(p.Latest, next.Latest.Add(-d.flags().NodeMonitorPeriod.Value))
	end.Earliest = min(max(p.Earliest, p.Wrote.Earliest.Add(-evidence.Reaction)), end.Latest)
	return end, true
}

// JudgeZonesBy lets the current pass judge the zones, if it has reached them by t.
func (d *Driver) JudgeZonesBy(t model.Instant) {
	if d.judging && d.Unjudged == 0 && max(d.zonesAt, d.zonesIn.Earliest) < t {
		d.judgeZones()
	}
}

func (d *Driver) judgeZones() {
	d.judging = false
	out := d.Nodes.JudgeZones(d.zonesAt, d.Cache, d.walking())
	d.unsureZones()
	d.recordOfPass(out, d.zonesIn)
	d.countZones()
	clear(d.became)
}

// Share is a pass's counts of a zone, and the window in which it judged the zone.
type Share struct {
	Zone            model.ZoneKey
	At              model.Interval
	Ready, NotReady int
}

func (d *Driver) countZones() {
	if d.Seeking {
		return
	}
	if d.counted == nil {
		d.counted = map[model.ZoneKey]Share{}
	}
	d.Nodes.EachZone(func(zone model.ZoneKey, ready, notReady int) {
		if was, ok := d.counted[zone]; ok && was.Ready == ready && was.NotReady == notReady || d.unsure[zone] == d.pass {
			return
		}
		s := Share{zone, d.zonesIn, ready, notReady}
		d.counted[zone] = s
		d.Shares = append(d.Shares, s)
	})
}

// walking is the order in which a pass meets the zones (Z8). A zone without counted nodes is forgotten if it comes
// first. The next pass creates it again, with a token: an observed taint soon after shows it.
func (d *Driver) walking() nodelifecycle.Hidden {
	return nodelifecycle.Hidden{Walk: func(zones []model.ZoneKey) {
		next := d.plan.passAt(d.pass).At
		turn := func(zone model.ZoneKey) int {
			switch ready, bad, _ := d.Nodes.Zone(zone); {
			case ready+bad > 0:
				return 1
			case d.inhabited(zone) && !d.taintsSoon(zone, next):
				return 2
			}
			return 0
		}
		slices.SortStableFunc(zones, func(a, b model.ZoneKey) int { return turn(a) - turn(b) })
	}}
}

// inhabited reports whether a zone has nodes, counted or not.
func (d *Driver) inhabited(zone model.ZoneKey) bool {
	for row := range d.Cache.Nodes() {
		if row.Node.Zone == zone {
			return true
		}
	}
	return false
}

// soonAfter is how long after a pass a tick at most spends a token that the pass created.
const soonAfter = 300 * time.Millisecond

// taintsSoon reports whether a node of a zone was seen to be tainted just after a time.
func (d *Driver) taintsSoon(zone model.ZoneKey, after model.Instant) bool {
	within := model.Interval{Earliest: after.Add(-evidence.Reaction), Latest: after.Add(soonAfter)}
	for i := d.next; i < len(d.plan.Evidence.Writes) && d.plan.Evidence.Writes[i].Soonest <= within.Latest; i++ {
		if w := &d.plan.Evidence.Writes[i]; w.Kind == model.TaintNoExecute && w.Time.Overlaps(within) {
			if n := d.Cache.Node(w.Node); n != nil && n.Zone == zone {
				return true
			}
		}
	}
	return false
}
