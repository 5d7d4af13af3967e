package whatif_test

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/model/simulate/whatif"
)

// That the beats of calm kubelets are not played one by one changes nothing of what is said.
func TestCalmKubeletsChangeNothing(t *testing.T) {
	calm := 0
	for number := range uint64(6) {
		c, other := randomCluster(number)
		_, rec := c.play()
		var said [2]string
		for i := range said {
			b, err := rec.base(t, whatif.Options{})
			if err != nil {
				continue
			}
			if i == 1 {
				calm += b.EveryBeat()
			}
			branch := b.Unchanged()
			under(&branch.Params, &other)
			branch.Edits = []whatif.Edit{{Kind: whatif.Kill, Node: c.nodes[0].name, At: b.From.Add(1 << 35)}}
			said[i] = decisionsOf(b.Branch(branch))
		}
		if said[0] != said[1] {
			t.Errorf("%d: said without the beats of calm kubelets:\n%s\nand with them:\n%s", number, said[0], said[1])
		}
	}
	if calm < 20 {
		t.Errorf("%d kubelets are calm: too few to tell", calm)
	}
}

// decisionsOf are a branch's decisions as text, and what becomes of pods.
func decisionsOf(a *whatif.Answer) (text string) {
	for i := range a.Branch {
		d := &a.Branch[i]
		text += fmt.Sprintln(d.Kind, d.Subject(), d.Time.Sub(epoch), d.Window.Earliest.Sub(epoch), d.Window.Latest.Sub(epoch), d.Certain, d.Outcome == model.Did)
	}
	return text + fmt.Sprintf("%+v", a.Pods)
}
