package nodelifecycle

import "kardia/model"

// Suppose is the state a zone would be given, and the rate that goes with it, if so many
// of its nodes were Ready and so many not, outside of master disruption.
func Suppose(params model.Params, ready, notReady int) (ZoneState, float32) {
	c := Controller{params: params}
	z := zone{ready: int32(ready), notReady: int32(notReady)}
	state := c.stateOf(&z)
	rate, _ := c.rateOf(&z, state)
	return state, rate
}
