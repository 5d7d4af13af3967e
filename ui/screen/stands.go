package screen

import (
	"time"

	"kardia/model"
)

// lateEffect is the longest that an effect is waited for. A later one was held up, and the instant of the decision is
// more informative.
const lateEffect = 30 * time.Second

// Stands is the instant at which the objects show a decision's effect, so that text and objects agree; if the effect
// was not seen, that of the decision.
func Stands(d *model.Decision) model.Instant {
	if o := d.Observed; o != nil && o.Time.Latest.Bounded() && o.Time.Latest > d.Time && o.Time.Latest.Sub(d.Time) <= lateEffect {
		return o.Time.Latest
	}
	return d.Time
}
