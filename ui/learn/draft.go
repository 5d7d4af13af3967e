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

// draft is an answer that has not been given yet.
type draft struct {
	question *lesson.Question
	option   int // -1: none
	order    []string
	// typed is what was typed of a time or number; set says that there is one.
	typed string
	value time.Duration
	count float64
	set   bool
}

// newDraft begins an answer to the present question. A time begins at the left of the lanes.
func newDraft(s *sitting.Sitting) draft {
	b, _ := s.Beat()
	return draft{question: b.Question, option: -1}
}

// letter is the option of a letter; -1 for none.
func (d *draft) letter(key string) int {
	if d.question == nil || len(key) != 1 || key[0] < 'a' || int(key[0]-'a') >= len(d.question.Options) {
		return -1
	}
	switch d.question.Kind {
	case lesson.Choice, lesson.Node, lesson.Order:
		return int(key[0] - 'a')
	}
	return -1
}

// choose takes an option, or puts it behind those of an order.
func (d *draft) choose(i int) {
	if d.question.Kind != lesson.Order {
		d.option = i
		return
	}
	if id := d.question.Options[i].ID; !slices.Contains(d.order, id) {
		d.order = append(d.order, id)
	}
}

// move moves a choice, a time by a second or ten, a number by one.
func (d *draft) move(by int, far bool) {
	switch d.question.Kind {
	case lesson.Choice, lesson.Node:
		n := len(d.question.Options)
		d.option = ((d.option+by)%n + n) % n
	case lesson.Time:
		step := time.Second
		if far {
			step = 10 * time.Second
		}
		d.value, d.set, d.typed = max(d.value+time.Duration(by)*step, 0), true, ""
	case lesson.Number:
		if far {
			by *= 10
		}
		d.count, d.set, d.typed = max(d.count+float64(by), 0), true, ""
	}
}

// maxTyped is how long a time or number may be.
const maxTyped = 8

// key types a digit of a time (48, 5:43) or number, or takes one back; false for any other key.
func (d *draft) key(key string) bool {
	if d.question == nil {
		return false
	}
	if d.question.Kind == lesson.Order && key == "backspace" && len(d.order) > 0 {
		d.order = d.order[:len(d.order)-1]
		return true
	}
	if d.question.Kind != lesson.Time && d.question.Kind != lesson.Number {
		return false
	}
	typed := d.typed
	switch {
	case key == "backspace" && typed != "":
		typed = typed[:len(typed)-1]
	case len(key) == 1 && key[0] >= '0' && key[0] <= '9', key == ":" && d.question.Kind == lesson.Time && !strings.Contains(typed, ":"):
		typed += key
	default:
		return false
	}
	if len(typed) > maxTyped {
		return true
	}
	d.typed, d.set = typed, typed != ""
	minutes, seconds, two := strings.Cut(typed, ":")
	if !two {
		minutes, seconds = "", typed
	}
	m, _ := strconv.Atoi(minutes)
	s, _ := strconv.Atoi(seconds)
	d.value, d.count = time.Duration(m)*time.Minute+time.Duration(s)*time.Second, float64(s)
	return true
}

// answer is the draft as an answer; ok is false while there is none.
func (d *draft) answer() (a sitting.Answer, ok bool) {
	switch d.question.Kind {
	case lesson.Order:
		return sitting.Answer{Order: d.order}, len(d.order) == len(d.question.Options)
	case lesson.Time:
		return sitting.Answer{Value: play.Value{Kind: play.Length, Time: d.value}}, d.set
	case lesson.Number:
		return sitting.Answer{Value: play.Value{Kind: play.Number, Number: d.count}}, d.set
	}
	if d.option < 0 {
		return a, false
	}
	return sitting.Answer{Option: d.question.Options[d.option].ID}, true
}
