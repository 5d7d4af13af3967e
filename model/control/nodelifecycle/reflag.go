package nodelifecycle

import "kardia/model"

// Reflag goes on under other flags, as if the controller had always had them: its memory stays,
// every node is looked at again, and the zones get the rates that their states now ask for. The
// real controller reads its flags when it starts, and forgets all else then.
func (c *Controller) Reflag(at model.Instant, params model.Params) {
	c.params, c.does = params, behaviourOf(params.Version)
	for i := range c.due {
		c.due[i] = model.FarPast
	}
	if c.master {
		return // nobody is tainted, at whatever rate
	}
	for i := range c.zones {
		if z := &c.zones[i]; z.state != model.ZoneNone {
			rate, _ := c.rateOf(z, z.state)
			z.queue.limiter.swap(at, rate)
		}
	}
}
