package screen

import (
	"time"

	"kardia/model"
)

// lateEffect is the longest delay to an effect. A later one was held up: then the decision's own time counts.
const lateEffect = 30 * time.Second

// Stands is the time at which objects show a decision's effect, so that text and objects agree. Without an observed
// effect it is the decision's time.
func Stands(d *model.Decision) model.Instant {
	if o := d.Observed; o != nil && o.Time.Latest.Bounded() && o.Time.Latest > d.Time && o.Time.Latest.Sub(d.Time) <= lateEffect {
		return o.Time.Latest
	}
	return d.Time
}
