package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/session"
)

// incident is a real incident with the real views, held at a second of its coverage.
func incident(t testing.TB, name string, second, w, h int) *stage {
	t.Helper()
	opened, err := open.Open(context.Background(), []string{"demo:" + name}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newClock()
	start := opened.History.Coverage().Earliest.Add(time.Duration(second) * time.Second)
	return s.open(t, Options{Environ: []string{"LANG=C.UTF-8"},
		Session: session.Replay(opened.History, session.Options{Name: name, Now: s.time, Start: start, Judging: session.AtOnce})}, w, h)
}

// The why of a node that is Unknown and waits, of a pod that was deleted, and of a zone in
// which nobody is tainted any more.
func TestWhyFrames(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}, {44, 12}} {
		name := fmt.Sprintf("%dx%d", size[0], size[1])
		s := incident(t, "zone-outage", 150, size[0], size[1])
		s.keys("j", "w").golden("why-node-" + name)
		s.keys("esc", "/").types("b-008").keys("enter", "enter")
		for range 6 {
			if s.app.view().Selected(s.app.snapshot()).Kind != screen.PodSubject {
				s.keys("tab") // on to the pods
			}
		}
		s.keys("w").shows("Why pod").golden("why-pod-" + name)
		z := incident(t, "all-dark", 150, size[0], size[1])
		z.keys("3", "w").golden("why-zone-" + name)
		z.keys("G").golden("why-zone-end-" + name)
	}
}

// Before the pods are listed nobody can say that there is none of a name.
func TestWhyOfPodNotListedYet(t *testing.T) {
	s := incident(t, "zone-outage", 150, 80, 24)
	subject := &screen.Subject{Kind: screen.PodSubject, Pod: model.Key{Namespace: "shop", Name: "none"}}
	sn := *s.app.snapshot()
	for listed, want := range map[model.Instant]string{0: "there is no such pod", sn.At.Add(time.Second): "whether there is such a pod is not known: pods are not listed yet"} {
		sn.PodsListed = listed
		w := &whyPage{p: s.app.painter, s: &sn, subject: subject, width: 78}
		w.heldPod()
		if got := w.rows[0].Text; !strings.Contains(got, want) {
			t.Errorf("listed at %v: %q, want %q", listed, got, want)
		}
	}
}

// The first question of the person at 03:00: what happens to this node, and why not yet.
func TestWhyNotYetStory(t *testing.T) {
	s := incident(t, "zone-outage", 150, 80, 24)
	s.keys("/").types("b-007").keys("enter", "w").shows("Why node b-007", "declared Unknown", "counted silence > 50s ?", "last lease renewal that counted")
	s.keys("G").shows("one of 3 nodes", "taint eviction").keys("g").shows("WHY")
	s.keys("esc").hides("Why node")
	s.keys("w", "q").hides("Why node") // q closes what is open before it leaves
	if s.quit {
		t.Error("q in a why leaves the program")
	}
}

// Stepping leads from decision to decision, the screen says which, and the why follows.
func TestStepStory(t *testing.T) {
	s := incident(t, "zone-outage", 60, 120, 36)
	s.keys(".").shows("declared Unknown", "decision 1 of 112", "23:53:23Z")
	s.keys(".", ".", ",").shows("decision 2 of 112")
	s.keys(">").shows("zone Normal → FullDisruption", "zone change 1 of 2")
	s.keys(">").shows("zone FullDisruption → Normal", "zone change 2 of 2", "23:56:58Z")
	s.keys(">").shows("no later zone change")
	s.keys("<").shows("zone change 1 of 2")
	s.keys("}").shows("monitor pass 23:53:28").keys("{", "{").shows("monitor pass 23:53:18", "fitted to the writes")
	s.keys("home", ",").shows("no earlier decision").keys("{")

	s.keys("end", "3", ",").shows("about us-east-1/us-east-1b")
	s.keys("1", "home", "/").types("b-003").keys("enter", "a", "enter", ".").shows("about b-003", "declared Unknown")
	s.keys("w").shows("Why node b-003", "declared Unknown").hides("on its way to be written") // it is written where "." stops
	s.keys(".", ".", ".").shows("Why node b-003")                                             // time goes on below
	s.keys("esc").shows("decision 4 of")
	s.keys("l").hides("decision 4 of")
}

// At 80×24 there is no context line: the message line says which decision it is.
func TestStepAtSmallSize(t *testing.T) {
	s := incident(t, "zone-outage", 60, 80, 24)
	s.keys(".").shows("declared Unknown", "1/112")
	s.keys("?").types("decision").shows("next, previous decision")
	s.keys("esc", "esc", ":").types("zone ch").shows("next zone change").keys("enter").shows("1/2")
}

// What cannot be judged says why, in the why and where a key would step.
func TestNothingJudged(t *testing.T) {
	s := newClock()
	s.open(t, Options{Session: session.Replay(outage(), session.Options{Now: s.time, Judging: session.Never})}, 80, 24)
	s.keys(".").shows("the models of the controllers do not run here")
	s.keys("a", "w").shows("the models of the controllers do not run here").keys("esc")

	b := newClock()
	b.open(t, Options{Session: idle(session.Replay(outage(), session.Options{Now: b.time}))}, 80, 24)
	b.keys(".").shows("the models are still reading the recording")
	b.keys("a", "w").shows("the models are still reading the recording")
}

// In a live session a step to what is past holds it there.
func TestStepHoldsLive(t *testing.T) {
	s, say := watching(t, 120, 36)
	beats := func(from, to float64) {
		for x := from; x <= to; x += 10 {
			s.now = noon.Add(time.Duration(x * float64(time.Second)))
			say(stream.Batch{Changes: arrived(lease(x, "node-b0")), Status: status(stream.Live)})
		}
	}
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True"), nodeIn(0, "node-b0", "b", "True"), lease(0, "node-a0"), lease(0, "node-b0")), Status: status(stream.Live)})
	beats(1, 61)
	say(stream.Batch{Changes: arrived(nodeIn(61.5, "node-a0", "a", "Unknown")), Status: status(stream.Live)})
	beats(71, 131)
	s.shows("● LIVE")
	s.keys(",").shows("LIVE PAUSED", "decision ")
	s.keys(">").keys(">").keys(">").shows("no later zone change as of 12:02:11Z")
	s.keys("w").shows("Why node node-a0").keys("esc", "f").shows("● LIVE")
}

// Whatever the size and wherever it is, the why fits and can be closed.
func TestAnyWhy(t *testing.T) {
	s := incident(t, "all-dark", 0, 80, 24)
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 200).Draw(t, "w"), rapid.IntRange(1, 70).Draw(t, "h")
		s.app.width, s.app.height = w, h
		for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{"1", "2", "3", "j", "k", "w", "w", "w", ".", ",", ">", "<", "}", "{", "G", "g", "ctrl+d", "tab", "end", "home", "esc"}), 1, 12).Draw(t, "keys") {
			s.app.update(press(key))
		}
		screentest.CheckFrame(t, s.app.frame(), s.app.painter, w, h)
		s.app.update(press("esc"))
	})
}

// What would come of what may still be done: one key from the fleet or any list, and its commands another.
func TestWhatIfStory(t *testing.T) {
	s := incident(t, "node-loss", 350, 120, 36)
	s.keys("I").shows("Options, ip-10-0-2-003", "it returns now", "it is cordoned")
	s.keys("esc", "6", "b").types("compare").keys("enter").shows("Options, ip-10-0-2-003", "it returns now", "it is cordoned")
	if text := s.keys("Y").screen(); strings.Count(text, "kubectl cordon node/ip-10-0-2-003") != 1 {
		t.Errorf("a command stands once, with what it would do:\n%s", text)
	}
	s.shows("kubectl cordon node/ip-10-0-2-003", "its pods stay").keys("enter").shows("copied: kubectl get pods")
	s.keys("esc").shows("[6 Evictions]")
	s.keys("R").shows("STUCK TERMINATING", "past grace").keys("Y").shows("kubectl taint nodes node/ip-10-0-2-003").keys("esc")
	s.keys("A").shows("show no other actor")
	s.keys("esc").hides("Other actors")
	s.keys("q", "q").shows("[1 Fleet]")
	s.keys("R").shows("STUCK TERMINATING").keys("q").shows("[1 Fleet]")
}

// What spares the pods of a whole zone is among the commands of the zone, and of each of its nodes: those too whose taint is
// still to come.
func TestSparingAZone(t *testing.T) {
	s := incident(t, "zone-outage", 100, 160, 36)
	for _, screen := range []string{"3", "6", "2"} {
		s.keys(screen, "Y").types("map(select").shows("zone us-east-1b: the pods of 10 nodes", "kubectl get pods -A -o json | jq").keys("esc")
	}
	s = incident(t, "node-loss", 100, 160, 36)
	s.keys("6", "Y").types("map(select").hides("the pods of")
}

// Whose fault it is: one key from the fleet.
func TestVerdictStory(t *testing.T) {
	s := incident(t, "zone-outage", 75, 80, 24)
	s.keys("v").shows("Verdict at 23:53:12Z", "ZONE", "10 of its 10 nodes fell silent together", "other zones: 18 of 18 nodes renew")
	s.keys("q").hides("Verdict at")
	incident(t, "node-loss", 100, 80, 24).keys("v").shows("NODE", "only node").keys("Y").shows("nc -vz").
		keys("enter").shows("copied: kubectl get --raw /api/v1/nodes/ip-10-0-2-003/proxy/healthz")
	incident(t, "zone-outage", 20, 80, 24).keys("v").shows("no fault found")
}
