package drive

import (
	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/nodelifecycle"
	"kardia/model/infer/evidence"
)

// Doubts are the nodes whose state is not known: only their leases were seen, or nothing since a gap that may change
// it.
func (d *Driver) Doubts(at model.Instant) nodelifecycle.Doubts {
	e := d.plan.Evidence
	out := nodelifecycle.Doubts{Unplaced: len(e.Unseen)}
	if !e.Gaps.AnyUnlisted(model.KindNode) {
		return out
	}
	for _, row := range d.Cache.All() {
		if row.Node == nil {
			continue
		}
		ready, notReady := d.doubted(row, at)
		if !ready && !notReady {
			continue
		}
		if out.Zones == nil {
			out.Zones = map[model.ZoneKey]nodelifecycle.Doubt{}
		}
		doubt := out.Zones[row.Node.Zone]
		if ready {
			doubt.Ready++
		} else {
			doubt.NotReady++
		}
		out.Zones[row.Node.Zone] = doubt
	}
	return out
}

// doubted reports what a gap must have changed: a Ready node is silent for too long, or one not Ready has renewed.
func (d *Driver) doubted(row *informer.Row, at model.Instant) (ready, notReady bool) {
	gap, ok := d.plan.Evidence.Outlived(model.KindNode, model.Key{Name: row.Name}, at)
	if !ok {
		return false, false
	}
	heard := row.Lease.Exists && row.Lease.Renewed > gap.Earliest
	if was := row.Node.Ready(); was == nil || was.Status != model.StatusTrue {
		return false, heard
	}
	settled := gap.Latest.Add(d.flags().NodeMonitorGracePeriod.Value + d.flags().NodeMonitorPeriod.Value + evidence.LagBound)
	return !heard && at > settled && !d.plan.Evidence.Unleased[row.Name], false
}

func (d *Driver) doubts() nodelifecycle.Doubts {
	if at := d.plan.passAt(max(0, d.pass-1)).At; d.doubtedAt != at {
		d.doubtedNow, d.doubtedAt = d.Doubts(at), at
	}
	return d.doubtedNow
}

// unsureZones notes the zones, and master disruption, that are in doubt at the end of a pass.
func (d *Driver) unsureZones() {
	doubts := d.doubts()
	if d.Seeking || len(doubts.Zones) == 0 {
		return
	}
	if !d.Nodes.MasterIsKnown(doubts) {
		d.unsureMaster = d.pass
	}
	for _, z := range d.Nodes.Zones(d.zonesAt, d.Cache) {
		if !d.Nodes.ZoneIsKnown(z.Zone, doubts) {
			d.unsure[z.Zone] = d.pass
		}
	}
}
