package learn

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
	"kardia/ui/learn/sitting"
)

type draft struct {
	question *lesson.Question
	option   int // -1: none
	order    []string
	// typed is the typed text of a time or number; set reports whether there is one.
	typed string
	value play.Value
	set   bool
	// longest is the length of the scenario, which limits a time.
	longest time.Duration
}

// newDraft starts an answer to the current question. A time starts at the left of the lanes.
func newDraft(s *sitting.Sitting) draft {
	b, _ := s.Beat()
	return draft{question: b.Question, option: -1, longest: s.Stage.Lesson.Branches[b.Branch].Scenario.Length}
}

// isValue reports whether the question is about a time or a number.
func (d *draft) isValue() bool {
	return d.question != nil && (d.question.Kind == lesson.Time || d.question.Kind == lesson.Number)
}

// begun reports whether there is input to take back.
func (d *draft) begun() bool { return len(d.order) > 0 || d.typed != "" || d.set }

// letter is the index of a letter's option; -1 for none.
func (d *draft) letter(key string) int {
	if d.question == nil || d.isValue() || len(key) != 1 || key[0] < 'a' || int(key[0]-'a') >= len(d.question.Options) {
		return -1
	}
	return int(key[0] - 'a')
}

func (d *draft) choose(i int) {
	if d.question.Kind != lesson.Order {
		d.option = i
		return
	}
	if id := d.question.Options[i].ID; !slices.Contains(d.order, id) {
		d.order = append(d.order, id)
	}
}

// move moves a choice, a time by seconds, or a number.
func (d *draft) move(by int) {
	switch d.question.Kind {
	case lesson.Choice, lesson.Node:
		n := len(d.question.Options)
		d.option = ((d.option+by)%n + n) % n
	case lesson.Time:
		at := min(max(d.value.Time+time.Duration(by)*time.Second, 0), d.longest)
		d.value, d.set, d.typed = play.Value{Kind: play.Length, Time: at}, true, ""
	case lesson.Number:
		d.value, d.set, d.typed = play.Value{Kind: play.Number, Number: max(d.value.Number+float64(by), 0)}, true, ""
	}
}

// maxTyped is the greatest length of a time or number.
const maxTyped = 8

// key types a digit of a time (343, 5:43, 5m43s) or number; mine is false for any other key. If it is not accepted,
// refused is the word for the reason.
func (d *draft) key(key string) (mine bool, refused string) {
	if !d.isValue() || len(key) != 1 {
		return false, ""
	}
	digit := key[0] >= '0' && key[0] <= '9'
	if !digit && (d.question.Kind != lesson.Time || !strings.Contains(":ms", key)) {
		return false, ""
	}
	if len(d.typed) >= maxTyped {
		return true, d.question.Kind.String()
	}
	return true, d.read(d.typed + key)
}

// takeBack takes back the last input, typed, put or moved; false if there is none.
func (d *draft) takeBack() bool {
	switch {
	case len(d.order) > 0:
		d.order = d.order[:len(d.order)-1]
	case d.typed != "":
		d.read(d.typed[:len(d.typed)-1])
	case d.set:
		d.set, d.value = false, play.Value{}
	default:
		return false
	}
	return true
}

// read takes the typed text as a value. It refuses a text that means nothing or is longer than the whole run, and
// returns the word for the reason.
func (d *draft) read(typed string) (refused string) {
	if d.question.Kind == lesson.Number {
		n, _ := strconv.Atoi(typed)
		d.typed, d.value, d.set = typed, play.Value{Kind: play.Number, Number: float64(n)}, typed != ""
		return ""
	}
	minutes, seconds, two := strings.Cut(strings.Replace(typed, "m", ":", 1), ":")
	if !two {
		minutes, seconds = "", typed
	}
	m, wrong := strconv.Atoi("0" + minutes)
	s, wrongToo := strconv.Atoi("0" + strings.TrimSuffix(seconds, "s"))
	if wrong != nil || wrongToo != nil {
		return "time"
	}
	value := time.Duration(m)*time.Minute + time.Duration(s)*time.Second
	if value > d.longest {
		return "toolong"
	}
	d.typed, d.value, d.set = typed, play.Value{Kind: play.Length, Time: value}, typed != ""
	return ""
}

// answer is the draft as an answer; ok is false without one.
func (d *draft) answer() (a sitting.Answer, ok bool) {
	switch d.question.Kind {
	case lesson.Order:
		return sitting.Answer{Order: d.order}, len(d.order) == len(d.question.Options)
	case lesson.Time, lesson.Number:
		return sitting.Answer{Value: d.value}, d.set
	}
	if d.option < 0 {
		return a, false
	}
	return sitting.Answer{Option: d.question.Options[d.option].ID}, true
}
