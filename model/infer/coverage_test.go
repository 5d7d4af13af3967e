package infer

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// A time that nobody can have watched costs no memory and no hours: it is said instead.
func TestUnboundedCoverageIsNotJudged(t *testing.T) {
	for _, coverage := range []model.Interval{
		{},
		model.Always,
		{Latest: noon},
		{Earliest: noon.Add(-150 * 365 * 24 * time.Hour), Latest: noon},
	} {
		r, err := Run(history.NewMemory(nil, coverage, nil, nil), Options{Params: standard})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Unsupported) != 3 || len(r.Decisions) != 0 {
			t.Errorf("%v: %v, %d decisions; want that the time is not judged", coverage, r.Unsupported, len(r.Decisions))
		}
		if _, err := r.At(noon); err != nil {
			t.Error(err)
		}
	}
}
