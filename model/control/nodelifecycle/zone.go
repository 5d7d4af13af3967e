package nodelifecycle

import "kardia/model"

const noZone = -1

// zone is what the controller keeps of one zone key. It is never deleted: only its state is forgotten.
type zone struct {
	zone  model.ZoneKey
	state model.DisruptionState
	queue queue
	// ready and notReady count the nodes evaluated in the last pass that are not excluded.
	ready, notReady int32
	// members counts the Node objects with this zone key.
	members int32
	// stateID and rateID are the decisions that set state and rate; turned is the last declaration of one of its nodes.
	stateID, rateID, turned model.DecisionID
}

func (z *zone) counted() int32 { return z.ready + z.notReady }

// zoneOf finds or makes the zone of a key.
func (c *Controller) zoneOf(p model.ZoneKey) int32 {
	if i, ok := c.byZone[p]; ok {
		return i
	}
	i := int32(len(c.zones))
	c.zones = append(c.zones, zone{zone: p})
	c.byZone[p] = i
	return i
}

// createZone gives a zone without state the state Initial, and a new queue with a full bucket (5.4).
func (c *Controller) createZone(i int32) {
	z := &c.zones[i]
	if z.state != model.ZoneNone {
		return
	}
	z.state = model.ZoneInitial
	for _, e := range z.queue.entries {
		c.due[e.row] = model.FarPast // it is in no queue now
	}
	z.queue = newQueue(c.params.NodeEvictionRate.Value)
	z.stateID, z.rateID = 0, 0
}

// disruptionState is the state of a zone's counts, with the comparisons made.
// Source: kubernetes: ComputeZoneState. Both numbers are float32 (Z1).
func (c *Controller) disruptionState(z *zone) (model.DisruptionState, []model.Check) {
	threshold := c.params.UnhealthyZoneThreshold.Value
	full := z.ready == 0 && z.notReady > 0
	checks := []model.Check{{What: model.ComparedReadyNodes, Left: model.Count(z.ready), Op: model.Equals, Right: model.Count(0), Holds: full}}
	if full {
		return model.ZoneFull, checks
	}
	many := z.notReady > 2
	checks = append(checks, model.Check{What: model.ComparedNotReady, Left: model.Count(z.notReady), Op: model.Greater, Right: model.Count(2), Holds: many})
	if !many {
		return model.ZoneNormal, checks
	}
	share := float32(z.notReady) / float32(z.counted())
	partial := share >= threshold
	checks = append(checks, model.Check{What: model.ComparedShare, Left: model.Number(share), Op: model.AtLeast, Right: model.Number(threshold), Holds: partial})
	if partial {
		return model.ZonePartial, checks
	}
	return model.ZoneNormal, checks
}

// stateOf is disruptionState without the comparisons.
func (c *Controller) stateOf(z *zone) model.DisruptionState {
	switch {
	case z.ready == 0 && z.notReady > 0:
		return model.ZoneFull
	case z.notReady > 2 && float32(z.notReady)/float32(z.counted()) >= c.params.UnhealthyZoneThreshold.Value:
		return model.ZonePartial
	}
	return model.ZoneNormal
}

// rateOf is the rate of a zone in a state. The size is the zone's, despite the flag's name (Z5).
func (c *Controller) rateOf(z *zone, s model.DisruptionState) (rate float32, checks []model.Check) {
	if s != model.ZonePartial {
		return c.params.NodeEvictionRate.Value, nil
	}
	limit := c.params.LargeClusterSizeThreshold.Value
	large := z.counted() > limit
	checks = []model.Check{{What: model.ComparedZoneSize, Left: model.Count(z.counted()), Op: model.Greater, Right: model.Count(limit), Holds: large}}
	if large {
		rate = c.params.SecondaryNodeEvictionRate.Value
	}
	return rate, checks
}
