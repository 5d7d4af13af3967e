package why

import (
	"testing"
	"time"

	"kardia/model"
)

// The controllers began anew: which countdowns ran then and run again, and by how much later they end. Those of the new
// process, which it begins at its start and again after its first pass took the taints off, are not those that ran before;
// and one that was to end while nobody acted, and did not, began again as well.
func TestLastRestart(t *testing.T) {
	at := func(s int) model.Instant { return model.At(time.Date(2026, 3, 14, 12, 0, s, 0, time.UTC)) }
	pod := func(name string) model.Key { return model.Key{Namespace: "shop", Name: name} }
	countdown := func(name string, from, seconds int) model.Decision {
		return model.Decision{Kind: model.ScheduleEviction, Pod: pod(name), Time: at(from),
			Checks: []model.Check{{Left: model.Operand{Kind: model.OperandDuration, Int: int64(seconds) * int64(time.Second)}}}}
	}
	decisions := []model.Decision{
		{Kind: model.ControllerStart, Time: at(-3600)},
		countdown("ended", 0, 50), countdown("web", 10, 300), countdown("db", 40, 300), countdown("same", 50, 300), countdown("idle", 20, 60),
		{Kind: model.EvictPod, Pod: pod("ended"), Time: at(50)},
		countdown("again", 20, 300), countdown("again", 100, 300),
		countdown("back", 20, 300), {Kind: model.CancelEviction, Pod: pod("back"), Time: at(30)},
		countdown("untainted", 30, 300), countdown("deleted", 40, 80),
		{Kind: model.ControllerStart, Time: at(100)},
		countdown("web", 100, 300), countdown("db", 100, 300), countdown("ended", 100, 300), countdown("idle", 100, 60), countdown("fresh", 101, 300),
		countdown("again", 120, 300), {Kind: model.CancelEviction, Pod: pod("untainted"), Time: at(105)}, countdown("deleted", 100, 80), {Kind: model.EvictPod, Pod: pod("deleted"), Time: at(180)},
		{Kind: model.ControllerStart, Time: at(900)},
	}
	due := map[model.Key]model.Instant{pod("web"): at(400), pod("db"): at(400), pod("ended"): at(400), pod("fresh"): at(401), pod("same"): at(351),
		pod("idle"): at(160), pod("again"): at(420), pod("back"): at(500)}
	r := LastRestart(decisions, at(-400), at(200), due)
	if r == nil || r.Time != at(100) || r.Countdowns != 4 || r.Ran != 5 || r.Least != 60*time.Second || r.Most != 100*time.Second {
		t.Errorf("%+v, want that of second 100, four of five countdowns, 60 to 100 s later", r)
	}
	for name, want := range map[string]model.Instant{"web": at(310), "idle": at(80), "again": at(320), "ended": 0, "fresh": 0, "same": 0, "back": 0} {
		if anew, was, ok := Restarted(decisions, pod(name), at(200), due[pod(name)]); ok != want.Known() || ok && (anew != at(100) || was != want) {
			t.Errorf("%s: it would have ended at %v, and began again at %v: %v", name, was, anew, ok)
		}
	}
	if r := LastRestart(decisions, at(150), at(200), due); r != nil {
		t.Errorf("%+v began long ago", r)
	}
	if r := LastRestart(decisions, at(-400), at(90), due); r != nil {
		t.Errorf("%+v lies ahead", r)
	}
	if r := LastRestart(decisions, at(-400), at(200), nil); r == nil || r.Countdowns != 0 {
		t.Errorf("%+v, want one without countdowns", r)
	}
}
