package open

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/infer/reconstruct"
)

// TestArrivingLate hands over the cluster's contents at many instants of an incident, objects and Events as one LIST of
// each would show them. It compares their evidence of the past with the recording: each window holds an act of that
// kind, and the newest act that the objects still show is found.
func TestArrivingLate(t *testing.T) {
	for _, name := range []string{"node-loss", "zone-outage", "all-dark"} {
		t.Run(name, func(t *testing.T) {
			opened := incident(t, name, everything)
			full, err := infer.Run(opened.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
			if err != nil {
				t.Fatal(err)
			}
			coverage, found := opened.History.Coverage(), 0
			for at := coverage.Earliest.Add(time.Minute); at < coverage.Latest; at = at.Add(40 * time.Second) {
				listed := heldAt(t, opened.History, at)
				past := reconstruct.From(slices.Values(listed))
				for i := range past {
					d := &past[i]
					if happened := actsLike(full, d, at); len(happened) > 0 && !slices.ContainsFunc(happened, func(v model.Interval) bool { return holds(d.Window, v) }) {
						t.Errorf("at %s: %s %s is said to be within %s and %s, and was %v", at, d.Kind, d.Subject(), d.Window.Earliest, d.Window.Latest, happened)
					} else if len(happened) == 0 && tells(d.Kind) {
						t.Errorf("at %s: %s %s never was", at, d.Kind, d.Subject())
					}
				}
				for _, d := range stillTold(listed) {
					happened := actsLike(full, &d, at)
					if len(happened) == 0 {
						continue // before the recording began
					}
					newest := happened[len(happened)-1]
					if !slices.ContainsFunc(past, func(p model.Decision) bool {
						return p.Kind == d.Kind && p.Subject() == d.Subject() && holds(p.Window, newest)
					}) {
						t.Errorf("at %s: %s %s of %v is not found", at, d.Kind, d.Subject(), newest)
					}
					found++
				}
			}
			if found == 0 {
				t.Error("nothing was to be found: this compares nothing")
			}
		})
	}
}

// tells reports that a kind leaves a write in the recordings.
func tells(k model.DecisionKind) bool {
	return k == model.MarkUnknown || k == model.TaintNoExecute || k == model.EvictPod
}

// holds allows the watch that recorded a write its delay.
func holds(window, written model.Interval) bool {
	const delay = 250 * time.Millisecond
	return model.Interval{Earliest: window.Earliest.Add(-delay), Latest: window.Latest.Add(delay)}.Overlaps(written)
}

// actsLike are when what a decision does was written before an instant, in order.
func actsLike(full *infer.Result, d *model.Decision, by model.Instant) (happened []model.Interval) {
	for i := range full.Decisions {
		x := &full.Decisions[i]
		kind := x.Kind
		if kind == model.SwapNoExecute {
			kind = model.TaintNoExecute
		}
		if o := x.Observed; o != nil && o.Time.Latest <= by && kind == d.Kind && x.Subject() == d.Subject() {
			happened = append(happened, o.Time)
		}
	}
	return happened
}

// heldAt is what LISTs of all kinds show at an instant.
func heldAt(t *testing.T, h history.History, at model.Instant) (listed []reconstruct.Listed) {
	cursor := history.NewCursor(h)
	if err := cursor.Seek(at); err != nil {
		t.Fatal(err)
	}
	for ch := range cursor.State().Baseline(at, nil) {
		if ch.Kind != model.KindEvent { // the state keeps those of nodes only, and not their names
			each := *ch
			listed = append(listed, reconstruct.Listed{Change: &each, By: at})
		}
	}
	events := map[model.Key]*model.Change{}
	err := historytest.Walk(h, model.FarPast, at, func(_ int, ch *model.Change) bool {
		if ch.Event != nil {
			each := *ch
			events[ch.Key] = &each
		}
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, ch := range events {
		listed = append(listed, reconstruct.Listed{Change: ch, By: at})
	}
	return listed
}

// stillTold is what the objects say of themselves without a look at any stamp.
func stillTold(listed []reconstruct.Listed) (acts []model.Decision) {
	for _, l := range listed {
		switch {
		case l.Node != nil:
			if r := l.Node.Ready(); r != nil && r.Status == model.StatusUnknown {
				acts = append(acts, model.Decision{Kind: model.MarkUnknown, Node: l.Key.Name})
			}
			if l.Node.HasTaint(model.TaintUnreachable) && l.Node.HasNoExecute() {
				acts = append(acts, model.Decision{Kind: model.TaintNoExecute, Node: l.Key.Name})
			}
		case l.Pod != nil && l.Pod.Deletion.Known():
			acts = append(acts, model.Decision{Kind: model.EvictPod, Pod: l.Key})
		case l.Event != nil && l.Event.Reason == "NodeNotReady" && l.Event.Regarding.Kind == "Node":
			acts = append(acts, model.Decision{Kind: model.MarkUnknown, Node: l.Event.Regarding.Name})
		}
	}
	return acts
}
