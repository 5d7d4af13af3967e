package infer

import (
	"testing"

	"kardia/model"
)

// TestExplains: a Result explains what another leaves open, by the numbers of the writes, though it lists fewer.
func TestExplains(t *testing.T) {
	write := func(number int, by model.DecisionID) Write { return Write{Number: number, Decision: by} }
	than := &Result{Writes: []Write{write(0, 0), write(1, 7), write(2, 0), write(3, 0)}}
	by := &Result{Writes: []Write{write(1, 7), write(2, 8), write(3, 0)}}
	if list := by.Explains(than); len(list) != 1 || list[0].Number != 2 {
		t.Errorf("%d writes are explained", len(list))
	}
	if list := by.Explains(than.LeftOpen()); len(list) != 1 {
		t.Errorf("%d of those left open are explained", len(list))
	}
	if list := than.Explains(by); len(list) != 0 {
		t.Errorf("%d writes are explained in reverse", len(list))
	}
}

// TestWithoutARecord: a Result without one answers for models that saw nothing.
func TestWithoutARecord(t *testing.T) {
	r := &Result{}
	_, _, stepped := r.StepPass(noon, true)
	_, stood := r.UntoldStandstill()
	if stepped || stood || r.Tells(model.MarkUnknown) || len(r.PassesAfter(noon)) > 0 || len(r.Unled()) > 0 || len(r.Stalls()) > 0 || r.Undeleted().Known() || r.Memory().Bytes > 0 {
		t.Error("it answers for more")
	}
	r.Forget()
	r.KeepInput()()
	r.Conclude(nil)
}
