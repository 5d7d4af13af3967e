package shadow

import (
	"time"

	"kardia/model"
)

// goingOn is how long before the first write that is seen of it a process goes on at most.
const goingOn = time.Second

// wentOn is within which the controllers went on that had stood still.
func wentOn(stood model.Interval) model.Interval {
	return model.Interval{Earliest: max(stood.Earliest, stood.Latest.Add(-goingOn)), Latest: stood.Latest}
}

// goOn is controllers that had stood still: they remember all, have the changes before them that came
// meanwhile, and do at once what was due.
func (d *driver) goOn(at model.Instant, within model.Interval) {
	d.wentOn = within
	for i := range int32(d.cache.Rows()) {
		if row := d.cache.Row(i); row.Node != nil {
			d.record(d.taints.NodeChanged(at, row.Name, d.cache), within)
		}
	}
	d.beginListening(at, within)
}
