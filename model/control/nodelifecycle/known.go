package nodelifecycle

import "kardia/model"

// Doubts are the nodes that may differ from the last pass's counts, if their state was not seen. The zero value has
// none.
type Doubts struct {
	// Unplaced is how many Ready nodes have no known zone.
	Unplaced int
	Zones    map[model.ZoneKey]Doubt
}

// Doubt is how many counted Ready nodes of a zone may not be Ready, or be gone, and how many of the others may be
// Ready.
type Doubt struct{ Ready, NotReady int }

func (d *Doubts) none() bool { return d.Unplaced == 0 && len(d.Zones) == 0 }

// ZoneIsKnown reports whether a zone's state and rate do not depend on the doubts; true for an unknown zone.
func (c *Controller) ZoneIsKnown(of model.ZoneKey, d Doubts) bool {
	i, ok := c.byZone[of]
	if !ok || d.none() {
		return true
	}
	z := &c.zones[i]
	least, most := z.doubted(d)
	state := c.stateOf(z)
	rate, _ := c.rateOf(z, state)
	for _, x := range [...]*zone{&least, &most} {
		if other, _ := c.rateOf(x, state); c.stateOf(x) != state || other != rate {
			return false
		}
	}
	return state != model.ZoneFull || c.MasterIsKnown(d)
}

// MasterIsKnown reports whether master disruption does not depend on the doubts.
func (c *Controller) MasterIsKnown(d Doubts) bool {
	if d.none() {
		return true
	}
	dark := true // every zone, with all its doubts Ready
	for i := range c.zones {
		z := &c.zones[i]
		if z.counted() == 0 {
			continue
		}
		least, most := z.doubted(d)
		if c.stateOf(&least) != model.ZoneFull {
			return true
		}
		dark = dark && c.stateOf(&most) == model.ZoneFull
	}
	return dark
}

// doubted is the zone with the fewest Ready nodes that it can have, and with the most.
func (z *zone) doubted(d Doubts) (least, most zone) {
	least, most = *z, *z
	doubt := d.Zones[z.zone]
	lost, back := min(int32(doubt.Ready), z.ready), min(int32(doubt.NotReady), z.notReady)
	least.ready, least.notReady = z.ready-lost, z.notReady+lost
	most.ready, most.notReady = z.ready+back+int32(d.Unplaced), z.notReady-back
	return least, most
}
