package screen

import (
	"time"

	"kardia/model"
)

// lateEffect is the longest that an effect is waited for. A later one was held up, and the instant of the decision is
// more informative.
const lateEffect = 30 * time.Second

// Stands is the time at which objects show a decision's effect, so that text and objects agree. If the effect was not
// seen it is the time of the decision.
func Stands(d *model.Decision) model.Instant {
	if o := d.Observed; o != nil && o.Time.Latest.Bounded() && o.Time.Latest > d.Time && o.Time.Latest.Sub(d.Time) <= lateEffect {
		return o.Time.Latest
	}
	return d.Time
}
