package whatif_test

import (
	"testing"
	"time"

	"kardia/model"
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

// Whether a pass forgets a zone without nodes that count is decided by the order of a map: that its nodes are tainted
// anew, because it was forgotten, is possible and no more.
func TestForgottenZonesArePossible(t *testing.T) {
	c := small(3, 1)
	c.nodes[3].excluded = true
	c.dies("b", 100, 10_000)
	_, rec := c.play()
	b, err := rec.base(t, whatif.Options{})
	if err != nil {
		t.Skip(err) // what was recorded is one of the ways; where it is not fitted there is no answer
	}
	certain, possible := 0, 0
	a := b.Branch(b.Unchanged())
	for i := range a.Branch {
		if d := &a.Branch[i]; d.Kind == model.TaintNoExecute && d.Node == "b0" {
			if possible++; d.Certain {
				certain++
			}
		}
	}
	if certain > 1 || possible < 2 {
		t.Errorf("b0 is tainted %d times for certain, of %d", certain, possible)
	}
}
