package whatif_test

import (
	"testing"
	"time"

	"kardia/model/infer"
	"kardia/model/simulate/whatif"
)

// Of a cluster that is watched nobody has seen when the passes come: a branch that begins now tries all ways, as one
// from the end of a recording does. What is read while it is watched is read causally.
func TestFromNowOn(t *testing.T) {
	for i := range 8 {
		c := small(5, 3)
		c.begins, c.ends = 70, 100+float64(i)*0.63
		c.dies("a", 75, 10_000)
		_, rec := c.play()
		recorded, watched := nowOn(t, rec, infer.Calibrated), nowOn(t, rec, infer.Causal)
		if recorded != watched {
			t.Errorf("until %gs: from the end of a recording:\n%s\nand from now on:\n%s", c.ends, recorded, watched)
		}
	}
}

// nowOn is what comes after the end of what was recorded.
func nowOn(t *testing.T, rec *recording, mode infer.Mode) string {
	t.Helper()
	h := rec.history()
	res, err := infer.Run(h, infer.Options{Params: rec.cluster.flags, Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	b, err := whatif.Prepare(h, res, whatif.Options{From: h.Coverage().Latest, For: 5 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return decisionsOf(b.Branch(b.Unchanged()))
}
