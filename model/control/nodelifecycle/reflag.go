package nodelifecycle

import "kardia/model"

// Reflag changes the flags, as if the controller had always had them. Its memory stays, every node is evaluated again,
// and the zones get the rates of their states. The real controller reads flags only at its start, and forgets all else.
func (c *Controller) Reflag(at model.Instant, params model.Params) {
	c.params, c.does = params, behaviourOf(params.Version)
	for i := range c.due {
		c.due[i] = model.FarPast
	}
	if c.master {
		return // no node is tainted, at whatever rate
	}
	for i := range c.zones {
		if z := &c.zones[i]; z.state != model.ZoneNone {
			rate, _ := c.rateOf(z, z.state)
			z.queue.limiter.swap(at, rate)
		}
	}
}
