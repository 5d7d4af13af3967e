package screen

import (
	"time"

	"kardia/model"
)

// lateEffect is the longest that an effect is waited for. One that comes later than that was held
// up, and the instant of the decision says more.
const lateEffect = 30 * time.Second

// Stands is the instant at which a decision's effect stands in the objects, so that what is told and what is
// shown agree; of one whose effect was not seen, that of the decision.
func Stands(d *model.Decision) model.Instant {
	if o := d.Observed; o != nil && o.Time.Latest.Bounded() && o.Time.Latest > d.Time && o.Time.Latest.Sub(d.Time) <= lateEffect {
		return o.Time.Latest
	}
	return d.Time
}
