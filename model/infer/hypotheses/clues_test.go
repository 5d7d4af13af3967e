package hypotheses

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
)

// TestAWriteOfNoTimeNamesNoPass: of a write that watch files show only when it was undone, one end of its
// time is open. There is no end of passes before it, and none is tried.
func TestAWriteOfNoTimeNamesNoPass(t *testing.T) {
	at := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	r := &infer.Result{Params: model.Defaults(model.Version{Major: 1, Minor: 36}), Coverage: model.Interval{Earliest: at, Latest: at.Add(time.Hour)},
		Writes: []infer.Write{{Kind: model.MarkUnknown, Time: model.Interval{Earliest: at, Latest: model.FarFuture}}}}
	if list := passesBefore(r, 0); len(list) > 0 {
		t.Errorf("%d passes are tried", len(list))
	}
	r.Writes[0].Time = model.Exactly(at.Add(10 * time.Minute))
	if list := passesBefore(r, 0); len(list) == 0 || len(list) > 200 {
		t.Errorf("of a write at a known time %d passes are tried", len(list))
	}
}
