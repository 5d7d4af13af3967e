package drive

import (
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
)

// A taint that was seen to be put on was not stamped anew, whatever the model's cache had by then; one that was seen to get a
// new time was.
func TestATaintThatIsPutOn(t *testing.T) {
	at := model.At(time.Date(2026, 3, 14, 12, 9, 20, 0, time.UTC))
	for _, anew := range []bool{false, true} {
		x := model.Decision{ID: 1, Kind: model.TaintNoExecute, Time: at.Add(100 * time.Millisecond), Window: model.Exactly(at), Why: model.Because(model.WhyTokenCame).And(model.WhyStampedAgain),
			Writes: []model.Write{{Kind: model.WriteTaint, Node: "b-1", RefreshesTime: true}}}
		made(&evidence.Seen{Write: &evidence.Write{Kind: model.TaintNoExecute, Node: "b-1", Time: model.Exactly(at), Anew: anew}}, &x, time.Second)
		if x.Writes[0].RefreshesTime != anew || (x.Why == model.Because(model.WhyTokenCame)) == anew {
			t.Errorf("anew %v: %s, stamped anew %v", anew, x.Why.Code, x.Writes[0].RefreshesTime)
		}
	}
}
