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

// A write may come within the usual lag of its decision's window, or until a later time that is known.
func TestDue(t *testing.T) {
	at := model.At(time.Date(2026, 3, 14, 12, 9, 20, 0, time.UTC))
	is := due{window: model.Exactly(at)}
	for _, c := range []struct {
		by   model.Instant
		want time.Duration
	}{{0, evidence.LagBound}, {at.Add(evidence.LagBound), evidence.LagBound}, {at.Add(5 * time.Second), 5 * time.Second}, {at.Add(3 * time.Second), 3 * time.Second}} {
		if is.writtenBy(c.by); is.lag() != c.want {
			t.Errorf("written by %s: %s", c.by, is.lag())
		}
	}
}

// Of equal effects the first decided, within whose time a write is, made it; one that shows nothing comes last.
func TestMatch(t *testing.T) {
	at := model.At(time.Date(2026, 3, 14, 12, 9, 20, 0, time.UTC))
	decision := func(id model.DecisionID, at model.Instant) model.Decision {
		return model.Decision{ID: id, Kind: model.MarkUnknown, Time: at, Window: model.Exactly(at), Writes: []model.Write{{Kind: model.WriteConditions, Node: "a"}}}
	}
	seen := func(at model.Instant) evidence.Seen {
		return evidence.Seen{Write: &evidence.Write{Kind: model.MarkUnknown, Node: "a", Time: model.Exactly(at)}, Effect: evidence.Effect{What: model.WriteConditions, Node: "a"}}
	}
	early, late := at.Add(time.Millisecond), at.Add(time.Minute)
	d := &Driver{plan: &Plan{Evidence: &evidence.Evidence{Writes: []evidence.Seen{seen(early), seen(early), seen(late)}}}}
	for i, x := range []model.Decision{decision(1, at), decision(2, at), decision(3, at.Add(time.Hour))} {
		d.Decisions, d.dues = append(d.Decisions, x), append(d.dues, due{window: x.Window})
		d.expectations = append(d.expectations, Expectation{Decision: int32(i), Traceless: i == 0})
	}
	d.Match()
	for i, want := range []model.DecisionID{2, 1, 0} {
		if w := d.plan.Evidence.Writes[i]; w.Decision != want {
			t.Errorf("write %d is of decision %d, not %d", i, w.Decision, want)
		}
	}
	if w := d.plan.Evidence.Writes[2]; w.Unexplained.Code != evidence.OtherTime {
		t.Errorf("the last is unexplained by %v", w.Unexplained)
	}
}
