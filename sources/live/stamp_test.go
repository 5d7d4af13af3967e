package live

import (
	"testing"
	"time"

	"kardia/model"
)

// A renewTime of the year 9999, by a clock that is far off, is unknown: the arrival shows when the node was heard.
func TestAnAbsurdTimeBoundsNothing(t *testing.T) {
	now := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	ch := model.Change{Kind: model.KindNodeLease, Lease: model.Lease{Renewed: model.FarFuture, Acquired: now}}
	stamp(&ch, now)
	if ch.Lease.Renewed.Known() || ch.Lease.Acquired != now || ch.Arrival != now {
		t.Errorf("%+v", ch)
	}
}
