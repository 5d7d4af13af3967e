package learn

import (
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/sources/lesson"
	"kardia/themes"
	"kardia/ui/learn/sitting"
	"kardia/ui/paint"

	"github.com/charmbracelet/x/ansi"
)

var sizes = [][2]int{{80, 24}, {120, 36}}

// TestAlone: one person takes L2, with the keys that a person presses.
func TestAlone(t *testing.T) {
	for _, size := range sizes {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			keep := keeping(t, map[string]Progress{})
			p := sit(t, Options{Language: "en", Progress: keep}, size[0], size[1])
			p.sees("Lessons", "L2", "The kubelet stops").golden("list")
			for p.m.o.Lessons[p.m.list.Cursor].Name != "kubelet-stops" {
				p.keys("j")
			}
			p.keys("enter").sees("the story", "loses power", "step 1 of 8", "SOLO", "T+0:00").golden("tell")
			p.keys("enter").sees("when is it Unknown?", "is hidden until you answer")
			p.keys("space").sees("choose an answer first")
			p.keys("H").sees("From when is it counted?").keys("H", "H").sees("no more hints")
			p.keys("1:2", "backspace").misses("1:2_").keys("backspace", "backspace").sees("▌ _").keys("backspace").sees("nothing to undo", "step 2 of 8").keys("1m30s").sees("1m30s_  = 1 min 30 s")
			p.keys("x", "m").sees("1m30s_").keys("backspace", "backspace", "backspace", "backspace", "backspace", "right", "backspace").sees("▌ _", "step 2 of 8").keys("shift+right", "shift+right", "right", "left").sees("you 20 s").golden("time-asked")
			p.keys("4", "8").sees("48_").keys("enter").sees("time passes").wait()
			p.sees("right", "you 48 s", "control plane", "64 runs", "RULE", "✕ Unknown").golden("time-answered")
			p.keys("pgdown").sees("node-lifecycle: tryUpdateNodeHealth, v1.36", "o opens this decision").keys("pgup")
			p.keys(",", ",", ",", ",").sees("MarkUnknown n-2").keys(".", ".", ".", ".").misses("MarkUnknown n-2")
			p.goesOn().sees("at the same moment").keys("down", "down", "a", "b").golden("choice-asked")
			p.keys("enter").wait().sees("in all 64 runs", "MarkPodsNotReady")
			p.goesOn().keys("c", "enter").sees("not in order yet: 2 missing").keys("a", "backspace", "b", "a").sees("c → b → a").keys("enter").wait()
			p.sees("WHY").golden("order-answered")
			p.goesOn().keys("300", "enter", "space").sees("not right", "outside the window", "5 min after the fault").golden("time-wrong")
			p.goesOn().misses("1 pod").keys("a", "enter").wait().sees("a dead node is emptied", "✗", "1 pod").golden("choice-wrong")
			p.goesOn().misses("2 Terminating").keys("right", "right", "enter").wait().sees("right", "you 2", "2 Terminating")
			p.goesOn().sees("TAKE HOME", "step 8 of 8").golden("take-home")
			p.misses("space").sees("esc lessons").keys("space").sees("The lesson ends here")
			if got := keep.Lessons["kubelet-stops"]; !got.Done || got.Questions != 6 || got.Right >= 6 || got.Right < 3 {
				t.Errorf("kept: %+v", got)
			}
			p.keys("backspace").sees("P goes a step back").keys("P").sees("step 7 of 8", "you 2").keys("esc").sees("Lessons", fmt.Sprintf("%d of 6 right", keep.Lessons["kubelet-stops"].Right)).keys("q")
			if !p.quit {
				t.Error("q does not leave")
			}
		})
	}
}

// TestTheFutureIsBehindTheCurtain: nothing later is on the screen before the answer.
func TestTheFutureIsBehindTheCurtain(t *testing.T) {
	p := sit(t, Options{Language: "en", Open: "kubelet-stops"}, 120, 36)
	p.keys("space").misses("✕ Unknown", "control plane 4", "RULE")
	before := p.screen()
	p.keys(".", ",").misses("MarkUnknown")
	if !strings.Contains(before, "░░░") {
		t.Error("there is no curtain")
	}
}

// TestNobodyWaitsForTheOtherPlays: a lesson begins with the play that is shown. What is answered before all are there
// waits for them, and is taken back by any other key.
func TestNobodyWaitsForTheOtherPlays(t *testing.T) {
	for _, class := range []bool{false, true} {
		p := sitBefore(t, Options{Language: "en", Open: "kubelet-stops", Class: class}, 80, 24, true)
		p.sees("the story", "of 64").keys("space", "48", "enter")
		if class {
			p.keys("enter")
		}
		p.sees("judged when all runs are ready").misses("RULE").keys("H").misses("when all runs").keys("enter").wait().sees("right", "control plane 4").keys("pgdown").sees("RULE")
	}
}

// TestResumed: who comes back goes on where they left.
func TestResumed(t *testing.T) {
	keep := keeping(t, map[string]Progress{"kubelet-stops": {Beat: 3}})
	sit(t, Options{Language: "en", Open: "kubelet-stops", Progress: keep}, 80, 24).sees("step 4 of 8", "You were here before").
		keys("R").sees("step 1 of 8").keys("esc").sees("Lessons")
	if keep.Lessons["kubelet-stops"].Beat != 0 {
		t.Errorf("kept: %+v", keep.Lessons)
	}
}

// TestAnswersAreKept: a person who leaves and comes back is asked nothing again, and wrong answers stay wrong.
func TestAnswersAreKept(t *testing.T) {
	keep := keeping(t, map[string]Progress{})
	p := sit(t, Options{Language: "en", Open: "kubelet-stops", Progress: keep}, 80, 24)
	p.keys("space", "9", "enter").wait().sees("not right").goesOn().keys("b", "enter").wait().goesOn().keys("c", "b", "a", "enter").wait()
	p.keys("esc").sees("step 4 of 8").keys("enter").sees("You were here before", "✓✗✓ ► PREDICT  in which order?", "1  ", "WHY")
	p.keys("P", "P").sees("you 9 s", "not right").goesOn().sees("in all 64 runs").goesOn().goesOn().keys("5m43s", "enter").wait().goesOn().keys("b", "enter").wait().goesOn()
	p.keys("esc", "enter").keys("2", "enter").wait().goesOn()
	if got := keep.Lessons["kubelet-stops"]; got.Right != 5 || !got.Done || got.Answers != nil {
		t.Errorf("%+v", got)
	}
	keep.Lessons["kubelet-stops"] = Progress{Beat: 5, Answers: map[string]string{"unknown": "soon", "traffic": "z", "order": "copy copy traffic", "deletion": "5m43s", "gone": "two", "else": "1"}}
	sit(t, Options{Language: "en", Open: "kubelet-stops", Progress: keep}, 80, 24).sees("✓○○○✓ ► PREDICT")
}

// TestWhoComesBackDoesNotWait: a lesson is there at once at the place where it was left, with the play that is shown.
// Earlier answers are judged once all plays are there, are not lost by leaving before, and are not asked again.
func TestWhoComesBackDoesNotWait(t *testing.T) {
	left := Progress{Beat: 1, Right: 1, Answers: map[string]string{"unknown": "50s"}}
	keep := keeping(t, map[string]Progress{"kubelet-stops": left})
	p := sitBefore(t, Options{Language: "en", Open: "kubelet-stops", Progress: keep}, 80, 24, true)
	p.sees("step 2 of 8", "of 64").misses("you 50 s").keys("esc")
	if got := keep.Lessons["kubelet-stops"]; !reflect.DeepEqual(got, left) {
		t.Errorf("kept: %+v", got)
	}
	p = sitBefore(t, Options{Language: "en", Open: "kubelet-stops", Progress: keep}, 80, 24, true)
	p.keys("9", "enter").sees("step 2 of 8").wait().sees("step 3 of 8").keys("P").sees("you 50 s", "✓ right")
	if got := keep.Lessons["kubelet-stops"]; got.Right != 1 || got.Answers["unknown"] != "50s" {
		t.Errorf("kept: %+v", got)
	}
}

// TestTheTour is offered by the list, and who comes back from it finds the list.
func TestTheTour(t *testing.T) {
	p := sit(t, Options{Language: "en", Open: "kubelet-stops", Tour: true}, 80, 24)
	p.keys("esc").sees("T tour").keys("T")
	left := &p.m.Outcome
	if !p.quit || !left.Tour {
		t.Fatalf("%+v", left)
	}
	sit(t, Options{Resume: left, Open: "kubelet-stops", Tour: true}, 80, 24).sees("Lessons", "T tour")
}

// TestAnAnswerIsAsExactAsItIsRead: 10 s is right where the plays give 10.02 to 10.3 s.
func TestAnAnswerIsAsExactAsItIsRead(t *testing.T) {
	sit(t, Options{Language: "en", Open: "heartbeat"}, 80, 24).keys("space").wait().keys("space", "10", "enter").wait().sees("✓ right", "you 10 s").misses("nearly right")
}

// TestNothingIsOfferedThatIsNotThere: notes, steps.
func TestNothingIsOfferedThatIsNotThere(t *testing.T) {
	p := sit(t, Options{Language: "en", Open: "heartbeat"}, 120, 36)
	p.sees("N notes").misses(", . decisions", "P back").keys(",").sees("no decisions yet").keys("space").wait().misses("N notes").keys("N").sees("no notes")
	p = sit(t, Options{Language: "en", Open: "heartbeat"}, 80, 24)
	p.keys("space", "?").sees("Words on this screen", "a renewal arrived", "in 64 runs").misses("Partial", "1/10s", "Never", "  Full")
	p = sit(t, Options{Language: "en", Open: "one-zone"}, 120, 36)
	p.keys("?").sees("Normal", "1/10s", "share of a zone that is silent").misses("tainted NoExecute", "Partial")
}

// TestARealCase: o leaves for the recording, and who comes back finds the answer still there.
func TestARealCase(t *testing.T) {
	p := sit(t, Options{Language: "ko", Open: "kubelet-stops"}, 80, 24)
	p.keys("space", "o").wait().keys("50", "enter").wait().keys("o")
	left := &p.m.Outcome
	if !p.quit || left.Real != (lesson.Real{Demo: "node-loss", Decision: "MarkUnknown", Rule: model.RuleSilentPastGrace}) {
		t.Fatalf("left for %+v", left.Real)
	}
	sit(t, Options{Resume: left}, 80, 24).sees("나 50초", "혼자").goesOn().sees("파드는?")
}

// TestInKorean: the whole lesson, and double-width text never breaks a frame (every frame is measured).
func TestInKorean(t *testing.T) {
	for _, size := range sizes {
		p := sit(t, Options{Language: "en", Open: "kubelet-stops"}, size[0], size[1])
		p.keys("L").sees("이야기", "혼자").golden("tell-ko")
		p.keys("space", "4", "8", "enter").wait().sees("맞아요", "컨트롤 플레인").golden("time-answered-ko")
		p.keys("?").sees("이 화면의 용어", "유예 기간").golden("words-ko").keys("esc")
		p.keys("L", "?").sees("no heartbeat arrives").keys("esc", "L")
		p.keys("N").sees("메모").goesOn().keys("a", "enter").wait().sees("아니에요")
	}
}

// TestWordsInKorean: ? finds a word of the screen in Korean, and shows it in both languages. The name of a step is no word.
func TestWordsInKorean(t *testing.T) {
	p := sit(t, Options{Language: "ko", Open: "kubelet-stops"}, 80, 60)
	p.keys("?").sees("침묵 (silent)").misses("유예 기간 (grace)").keys("esc", "space", "?").misses("예측 (predicted)").keys("esc")
	p.keys("H").sees("유예 기간은").keys("?").sees("유예 기간 (grace)")
	sit(t, Options{Language: "ko", Open: "large-zone"}, 80, 60).keys("space", "c", "enter").wait().keys("?").sees("멈춤 (stopped)")
}

// TestTheNextLesson: a lesson ends with a score, and a key opens the next one.
func TestTheNextLesson(t *testing.T) {
	p := sit(t, Options{Language: "en", Open: "heartbeat"}, 80, 24).misses("opens the next lesson")
	for range 40 { // any answers
		p.keys("a", "enter", "5", "enter").wait().keys("space", "space", "space")
		if strings.Contains(p.screen(), "You had ") {
			break
		}
	}
	p.sees(" right.", "opens the next lesson: L2").keys("n").wait().sees("L2", "step 1 of")
}

// TestClass: a class votes, is half right, talks, votes again.
func TestClass(t *testing.T) {
	for _, size := range sizes {
		p := sit(t, Options{Language: "en", Open: "kubelet-stops", Class: true}, size[0], size[1])
		p.sees("CLASS").keys("N").sees("Ask: which component", "NOTES").golden("class-notes").keys("N", "space")
		p.keys("enter").sees("no votes yet")
		p.keys("40", "enter", "48", "enter", "300", "enter", "10", "enter", "-").sees("votes: 3").misses("40 s", "5 min").golden("class-values") // the first vote is secret
		p.keys("enter").sees("Talk to your neighbour").misses("RULE", "control plane 4").golden("class-discuss")
		p.keys("40").sees("votes: 3", "the vote is counted")
		p.keys("v").sees("second vote", "votes: 0").keys("48", "enter", "50", "enter", "enter").wait().sees("class 48 s", "WHY")
		p.goesOn().keys("a", "a", "a", "b", "b", "A", "B", "b").sees("votes: 4").misses("2 █").golden("class-votes")
		p.keys("enter").sees("vote again").keys("v", "b", "b", "b", "a").sees("second vote").misses("(2)").keys("enter").wait().sees("in all", "(2)").golden("class-answered")
		p.goesOn().keys("c", "b", "a", "enter").wait().sees("WHY", "right") // an order is answered together
	}
}

// TestDiscuss: from 35 to 70 in a hundred, and once only.
func TestDiscuss(t *testing.T) {
	q := &lesson.Question{Kind: lesson.Choice}
	k := &lesson.Key{Accepted: []string{"b"}}
	for _, c := range []struct {
		right, wrong int
		want         bool
	}{{34, 66, false}, {35, 65, true}, {70, 30, true}, {71, 29, false}, {0, 0, false}, {1, 0, false}, {1, 1, true}} {
		v := &sitting.Votes{Answers: slices.Concat(slices.Repeat([]sitting.Answer{{Option: "b"}}, c.right), slices.Repeat([]sitting.Answer{{Option: "a"}}, c.wrong))}
		if got := v.Discuss(q, k); got != c.want {
			t.Errorf("%d right, %d wrong: %t", c.right, c.wrong, got)
		}
		v.Again()
		v.Answers = v.Before.Answers
		if v.Discuss(q, k) {
			t.Error("a second vote is not voted about again")
		}
	}
}

// TestEverySize: from a window in which nothing has room to a large one, no frame breaks.
func TestEverySize(t *testing.T) {
	for _, language := range lesson.Languages {
		for _, class := range []bool{false, true} {
			for _, size := range [][2]int{{1, 1}, {19, 7}, {20, 8}, {40, 12}, {60, 15}, {80, 24}, {200, 60}} {
				p := sit(t, Options{Language: language, Open: "kubelet-stops", Class: class}, size[0], size[1])
				p.keys("space", "48", "enter", "enter", "enter").wait().keys("?", "pgdown", "esc", "pgdown", "N", "space", "b", "enter").wait()
			}
		}
	}
}

// TestProgressIsKept in a file, which may hold anything.
func TestProgressIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kardia", "lessons.json")
	f, err := OpenFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Keep("a", Progress{Beat: 3, Right: 4, Questions: 5, Done: true}); err != nil {
		t.Fatal(err)
	}
	if err := f.Keep("a", Progress{Beat: 1, Right: 1, Questions: 5}); err != nil {
		t.Fatal(err)
	}
	again, err := OpenFile(path)
	if want := (Progress{Beat: 1, Right: 4, Questions: 5, Done: true}); err != nil || !reflect.DeepEqual(again.Of("a"), want) || again.Of("b").Questions != 0 {
		t.Errorf("%+v %v", again, err)
	}
}

// TestTheFirstLessons: L9 and L10 start to end, in both languages, alone and as a class; every frame fits.
func TestTheFirstLessons(t *testing.T) {
	for _, name := range []string{"one-zone", "all-dark"} {
		inEach(t, name, func(t *testing.T, language string) {
			for _, class := range []bool{false, true} {
				for _, size := range sizes {
					t.Run(fmt.Sprint(class, size), func(t *testing.T) {
						t.Parallel()
						p := sit(t, Options{Language: language, Open: name, Class: class}, size[0], size[1])
						p.takes(name + "-" + language)
					})
				}
			}
		})
	}
}

// inEach runs a test in one language after the other: only one is spoken at a time.
func inEach(t *testing.T, name string, test func(t *testing.T, language string)) {
	for _, language := range lesson.Languages {
		t.Run(name+"-"+language, func(t *testing.T) { test(t, language) })
	}
}

// TestTheOtherLessons: each of the others, chosen from the list and taken to its end, in both languages, alone and as a
// class. A few plays are enough: the check of the lessons finds the right answers in all of them.
func TestTheOtherLessons(t *testing.T) {
	for at, l := range lesson.Embedded() {
		if l.Name == "one-zone" || l.Name == "all-dark" {
			continue
		}
		stage := lesson.NewStage(l, 3)
		stage.Wait(math.MaxInt)
		inEach(t, l.Name, func(t *testing.T, language string) {
			for i, size := range sizes {
				t.Run(fmt.Sprint(size), func(t *testing.T) {
					t.Parallel()
					p := sit(t, Options{Language: language, Class: i == 0 == (language == "ko")}, size[0], size[1])
					p.m.play = func(*lesson.Lesson, int) *lesson.Stage { return stage }
					for range at {
						p.keys("j")
					}
					p.keys("enter").takes(l.Name + "-" + language)
				})
			}
		})
	}
}

// goldenBeat is which beat's screen of a lesson is kept: the one that it is there for.
var goldenBeat = map[string]int{"one-zone": 7, "all-dark": 5, "drain": 4}

// takes takes the present lesson to its end, answering as the play that is shown does.
func (p *person) takes(name string) {
	p.t.Helper()
	for {
		b, i := p.m.sitting.Beat()
		if b.Question != nil {
			p.answers(b)
			p.misses("{{", "Terminati…", "Terminatin…", "Terminating…", "Fail…", "Faile…", "Failed…", "0…", "1…", "2…", "3…", "4…", "5…", "6…", "7…", "8…", "9…", "min…", "분…") // how many pods are ending has room, and so has each time
		}
		p.showsWhereTimeStands()
		if kept, ok := goldenBeat[p.m.sitting.Stage.Lesson.Name]; ok && i == kept && !p.m.sitting.Class {
			p.golden(fmt.Sprintf("%s-%02d", name, i+1))
		}
		if p.m.sitting.Done() {
			break
		}
		p.goesOn()
	}
	if _, right, all := p.m.sitting.Score(); right != all {
		p.t.Errorf("%d of %d right", right, all)
	}
}

// showsWhereTimeStands checks that the lanes show the instant on the screen, at each of the decisions so far.
func (p *person) showsWhereTimeStands() {
	p.t.Helper()
	b, i := p.m.sitting.Beat()
	for p.m.step = len(p.m.decisions()); ; p.m.step-- {
		if v := p.m.lanes(b); v.now <= v.from || v.now > v.to+lesson.Settle {
			p.t.Errorf("beat %d, %d decisions back: %v is not within %v to %v", i+1, p.m.step, v.now, v.from, v.to)
		}
		if p.m.step == 0 {
			return
		}
	}
}

// answersUpTo takes the present lesson up to a beat, and answers that as well.
func (p *person) answersUpTo(id string) *person {
	p.t.Helper()
	for {
		b, _ := p.m.sitting.Beat()
		if p.m.sitting.Asking() {
			p.answers(b)
		}
		if b.ID == id || p.m.sitting.Done() {
			return p
		}
		p.goesOn()
	}
}

// goesOn reads to the end of the present beat, and goes on to the next.
func (p *person) goesOn() *person {
	p.t.Helper()
	_, at := p.m.sitting.Beat()
	for range 9 {
		if p.keys("space").wait(); p.m.sitting == nil {
			p.t.Fatal("the lesson was left")
		}
		if _, next := p.m.sitting.Beat(); next == at+1 {
			return p
		}
	}
	p.t.Fatalf("beat %d does not lead on:\n%s", at+1, p.screen())
	return p
}

// answers gives the right answer with the keys that a person presses.
func (p *person) answers(b *lesson.Beat) {
	q, key := b.Question, p.m.sitting.Key()
	letter := func(id string) string {
		for i, o := range q.Options {
			if o.ID == id {
				return string(rune('a' + i))
			}
		}
		return ""
	}
	switch q.Kind {
	case lesson.Choice, lesson.Node:
		p.keys(letter(key.Shown))
	case lesson.Order:
		for _, id := range key.Sequence(q, 0) {
			p.keys(letter(id))
		}
	case lesson.Time:
		p.keys(fmt.Sprint(int(key.Value.Time.Seconds()+0.5)), "enter")
	case lesson.Number:
		p.keys(fmt.Sprint(key.Value.Number), "enter")
	}
	if p.m.sitting.Asking() {
		p.keys("enter")
	}
	p.wait().sees("✓")
}

// TestATimeThatCannotBe is not taken in, with the reason: it is longer than the whole play, or no time at all.
func TestATimeThatCannotBe(t *testing.T) {
	p := sit(t, Options{Language: "en", Open: "kubelet-stops"}, 80, 24)
	p.keys("space", ":99").sees(":99_  = 1 min 39 s").keys("9").sees(":99_", "too long: the scenario ends after 12 min")
	for _, key := range []string{"x", "X", "m"} {
		if p.keys("1").keys(key).sees(":99_"); !strings.HasPrefix(p.m.status, "type a time") {
			t.Errorf("of %s it is said: %q", key, p.m.status)
		}
	}
	for range 99 {
		p.keys("shift+right")
	}
	p.sees("12 min").keys("backspace", "48", "enter").wait().keys("x")
	if p.m.status != "" {
		t.Errorf("nothing is asked any more, and it is said: %q", p.m.status)
	}
	if p.answersUpTo("daemon").goesOn().keys("2", "m"); p.m.status != "type a number" {
		t.Errorf("of a letter in a number it is said: %q", p.m.status)
	}
}

// TestNoneIsNotSome: if no play has an event, the text must not be that not every play has it.
func TestNoneIsNotSome(t *testing.T) {
	p := sit(t, Options{Language: "en", Open: "kubelet-stops"}, 120, 36).answersUpTo("unknown").goesOn()
	p.keys("a", "enter").wait().sees("✗ not right  in none of 64 runs").misses("in all 64")
}

// TestAnEarlierComparison shows when it was made: the text beside it is about now.
func TestAnEarlierComparison(t *testing.T) {
	p := sit(t, Options{Language: "en", Open: "one-zone"}, 120, 36).answersUpTo("six").keys("pgdown").misses("at T+")
	p.answersUpTo("nine").keys("pgdown").sees("COMPARED   at T+4:5")
}

// TestTakenOnceMore: the best result of a finished lesson is kept, also if it is left while it is taken again; both are
// shown.
func TestTakenOnceMore(t *testing.T) {
	keep, err := OpenFile(filepath.Join(t.TempDir(), "lessons.json"))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Language: "en", Open: "kubelet-stops", Progress: keep}
	sit(t, o, 80, 24).answersUpTo("").keys("esc").sees("6 of 6 right").misses("Your best")
	p := sit(t, o, 80, 24).sees("step 1 of 8").keys("space", "9", "enter").wait().sees("not right").goesOn()
	p.keys("esc").sees("✓ 6 of 6 right", "Your best result stays: 6 of 6 right. Next time you continue at step 3.")
	sit(t, o, 80, 24).sees("step 3 of 8", "You were here before").answersUpTo("").keys("esc").sees("✓ 6 of 6 right").misses("Your best")
	sit(t, o, 80, 24).sees("step 1 of 8")
}

// TestKeysHaveRoom: in the smallest window that is usual the last line names every key that one needs.
func TestKeysHaveRoom(t *testing.T) {
	for _, language := range lesson.Languages {
		p := sit(t, Options{Language: language, Open: "kubelet-stops", Tour: true}, 80, 24)
		footer := func() string { return p.screen()[strings.LastIndexByte(p.screen(), '\n')+1:] }
		needs := func(keys ...string) {
			t.Helper()
			for _, key := range keys {
				if !strings.Contains(footer(), " "+key+" ") {
					t.Errorf("%s: %q is not in %q", language, key, footer())
				}
			}
		}
		p.keys("space")
		needs("0-9 ← →", "enter", "H", "esc", "P", "?")
		p.keys("48")
		needs("0-9 ← →", "enter", "bksp", "H", "esc", "P", "?")
		p.keys("enter").wait()
		needs("space", "o", "esc", "P", ", .", "?")
		p.goesOn()
		needs("a-b", "enter", "H", "esc", "P", ", .", "?")
		p.answersUpTo("traffic").goesOn().keys("a", "b")
		needs("a-c", "enter", "bksp", "H", "esc", "P", "?")
		p.keys("esc")
		needs("enter", "j k", "q", "T", "?", "L", "C")
	}
}

// A line of the author's file is no line on the screen, and no line is cut: also that of a list, whose marks take room.
func TestParagraphsAreFilled(t *testing.T) {
	m := newMarkdown(paint.New(themes.For(themes.With(nil), true), themes.Unicode(), time.UTC))
	text := "Another one started\nwhen the **API server** answered,\n1 min after that.\n\n- **A short silence** leaves no trace. **A clock set back**: one blip, among renewals.\n- second\n  line\n"
	for width := 20; width < 90; width++ {
		var lines []string
		for _, r := range m.rows(text, width) {
			if lines = append(lines, ansi.Strip(r.Text)); r.Width > width {
				t.Errorf("%d cells wide: %q", width, lines)
			}
		}
		if all := strings.Join(lines, " "); strings.Contains(all, "…") || !strings.Contains(all, "· second line") {
			t.Errorf("%d wide: %q", width, lines)
		}
		if width >= 70 && !strings.Contains(lines[0], "Another one started when the API server answered") {
			t.Errorf("%d wide: %q", width, lines)
		}
	}
}
