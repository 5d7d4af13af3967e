// Package lesson reads lessons: Markdown with a scenario, in steps, each of which shows a text, asks, or lets time pass
// (docs/lessons.md). Every number in a lesson is computed from the scenario's runs, and Check verifies them. For
// example: {{first MarkUnknown - zero}} prints 48 s.
package lesson

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/lesson/play"
)

// Lesson is a lesson in all its languages.
type Lesson struct {
	Name string
	// Number is its place in the course; 0 if it has none.
	Number int
	// Minutes is about how long it takes alone.
	Minutes int
	// Zero is the origin of the lesson's times, from the scenario's start.
	Zero time.Duration
	// Lane is the time that its lanes show, from Zero.
	Lane [2]time.Duration
	// Branches are the scenario and its branches by name, with the names for queries; "" is the scenario itself.
	Branches map[string]*play.Names
	Beats    []Beat
	// Texts are by language; Original is the first one's.
	Texts    map[string]*Text
	Original string
}

// Kind is the kind of a step.
type Kind uint8

const (
	// Tell shows a text; TakeHome sums up the lesson.
	Tell Kind = iota
	TakeHome
	// Predict asks about the future, and lets time pass after the answer. Ask asks about the past.
	Predict
	Ask
	RunUntil
	// StartBranch continues in a branch of the scenario.
	StartBranch
)

var kinds = []string{"tell", "take-home", "predict", "ask", "run-until", "branch"}

func (k Kind) String() string { return kinds[k] }

// Beat is one step of a lesson.
type Beat struct {
	Kind Kind
	ID   string
	Line int
	// Branch is the branch in which it plays.
	Branch string
	// Until is when time stops again: for RunUntil, and for Predict after the answer. StartBranch branches there.
	Until    *play.Query
	Lane     [2]time.Duration
	Question *Question
}

// QuestionKind is the kind of an answer.
type QuestionKind uint8

const (
	Choice QuestionKind = iota
	Number
	Node
	Order
	Time
)

var questions = []string{"choice", "number", "node", "order", "time"}

func (k QuestionKind) String() string { return questions[k] }

// measures are the kinds of the values that answer a question.
var measures = map[QuestionKind]play.Kind{Number: play.Number, Time: play.Length}

// Question is the question of a step.
type Question struct {
	Kind QuestionKind
	// Answer is the query for the runs; nil if each option has its own condition or moment.
	Answer *play.Query
	// From is the moment that a Time is counted from.
	From *play.Query
	// Options are the answers to choose or to put in order; for a Number or a Time, wrong answers with an explanation.
	Options []Option
	// Right is the author's answer: an option, several in a race, or the range of a Number or Time; see Check.
	Right      []string
	RightRange play.Range
	// Rule is the event whose decision explains the answer; nil is the one that Answer finds. Named has no decision.
	Rule  *play.Query
	Named model.Rule
	// Real is the same decision in a recording of a real control plane.
	Real Real
	Line int
}

// Lists reports whether one of its options is chosen.
func (q *Question) Lists() bool { return q.Kind == Choice || q.Kind == Node }

// CountsPods reports whether counting the pods on the screen answers it.
func (q *Question) CountsPods() bool {
	counts := func(q *play.Query) bool { return q != nil && q.CountsPods() }
	return counts(q.Answer) || slices.ContainsFunc(q.Options, func(o Option) bool {
		return o.Holds != nil && (counts(o.Holds.Left) || counts(o.Holds.Right))
	})
}

// Option is one possible answer.
type Option struct {
	ID string
	// Is is the answer's value; Holds, if set, a condition instead; At, for an Order, when it happens.
	Is    play.Range
	Holds *Condition
	At    *play.Query
}

// Condition compares two queries.
type Condition struct {
	Left, Right *play.Query
	// Orders are the accepted results of comparing Left with Right: -1, 0, 1.
	Orders []int
}

// Real is a decision in an embedded recording: the first of its kind about a node, or any. Rule and State, if set, must
// be its: the rule that decided, and a zone's new state.
type Real struct {
	Demo, Decision, Node string
	Rule                 model.Rule
	State                model.DisruptionState
}

type Text struct {
	File, Language, Title, Summary string
	Beats                          []BeatText
}

// BeatText is the text of one step; Markdown with queries in braces.
type BeatText struct {
	Title string
	Body  Passage
	// Options and Traps are by option: its text, and the explanation for a person who chose it.
	Options, Traps map[string]Passage
	Hints          []Passage
	// Why is shown after an answer; Notes are the presenter's.
	Why, Notes Passage
}

// Passage is some text and its first line.
type Passage struct {
	Text string
	Line int
}

// In is the text in a language, or the original.
func (l *Lesson) In(language string) *Text { return cmp.Or(l.Texts[language], l.Texts[l.Original]) }
