// Package lesson reads lessons: Markdown with a scenario, in beats, each of which shows a text, asks, or lets time pass
// (docs/lessons.md). Every number in a lesson is asked of the scenario's plays, and Check finds out whether all of them
// are right.
package lesson

import (
	"time"

	"kardia/model"
	"kardia/sources/lesson/play"
	"kardia/sources/scenario"
)

// Lesson is a lesson in all its languages.
type Lesson struct {
	Name string
	// Number is its place in the course; 0 for a lesson outside it.
	Number int
	// Minutes is how long it takes alone, about.
	Minutes int
	// Zero is the origin of the lesson's times, counted from the scenario's start.
	Zero time.Duration
	// Lane is how much of time its lanes show, from Zero.
	Lane [2]time.Duration
	// Plot is the scenario, and Branches its branches by name; "" is the scenario itself.
	Branches map[string]*Branch
	Beats    []Beat
	// Texts are its texts, by language; Original is the language that it was written in.
	Texts    map[string]*Text
	Original string
}

// Branch is a scenario that a lesson plays, and what its queries may name.
type Branch struct {
	Scenario *scenario.Scenario
	Names    play.Names
}

// Kind is what a beat does.
type Kind uint8

const (
	// Tell shows a text; TakeHome sums up the lesson.
	Tell Kind = iota
	TakeHome
	// Predict asks about the future, and lets time pass when the answer was given. Ask asks about the past.
	Predict
	Ask
	// RunUntil lets time pass.
	RunUntil
	// StartBranch continues in a branch of the scenario.
	StartBranch
)

var kindWords = map[string]Kind{"tell": Tell, "take-home": TakeHome, "predict": Predict, "ask": Ask, "run-until": RunUntil, "branch": StartBranch}

func (k Kind) String() string {
	return [...]string{"tell", "take-home", "predict", "ask", "run-until", "branch"}[k]
}

// Beat is one step of a lesson.
type Beat struct {
	Kind Kind
	ID   string
	Line int
	// Branch is in which branch it plays.
	Branch string
	// Until is when time stops again: for RunUntil, and for Predict after the answer was given. For StartBranch it is
	// where the branch begins.
	Until *play.Query
	// Lane is how much of time the lanes show, from the lesson's Zero.
	Lane [2]time.Duration
	// Question is set for Predict and Ask.
	Question *Question
}

// QuestionKind is what an answer is.
type QuestionKind uint8

const (
	Choice QuestionKind = iota
	Number
	Node
	Order
	Time
)

var questionWords = map[string]QuestionKind{"choice": Choice, "number": Number, "node": Node, "order": Order, "time": Time}

func (k QuestionKind) String() string {
	return [...]string{"choice", "number", "node", "order", "time"}[k]
}

// Question is what a beat asks.
type Question struct {
	Kind QuestionKind
	// Answer is what the plays are asked; nil if each option has a condition, or a moment, of its own.
	Answer *play.Query
	// From is the moment that a Time is counted from.
	From *play.Query
	// Options are the answers to choose or to put in order; for a Number or a Time, wrong answers that have an
	// explanation.
	Options []Option
	// Right is the author's answer: an option, or several if a race decides; the range of a Number or Time. The plays
	// decide, and Check compares.
	Right      []string
	RightRange play.Range
	// Rule is the event whose decision explains the answer; nil is the one that Answer finds. Named is a rule that
	// explains the answer without having decided anything.
	Rule  *play.Query
	Named model.Rule
	// Real is the same decision in a recording of a real control plane.
	Real Real
	Line int
}

// CountsPods reports that a person can answer it by counting the pods on the screen.
func (q *Question) CountsPods() bool {
	counts := func(q *play.Query) bool { return q != nil && q.CountsPods() }
	if counts(q.Answer) {
		return true
	}
	for _, o := range q.Options {
		if o.Holds != nil && (counts(o.Holds.Left) || counts(o.Holds.Right)) {
			return true
		}
	}
	return false
}

// Option is one answer that may be given.
type Option struct {
	ID string
	// Is is the answer that it stands for; Holds, where set, a condition instead; At, of an Order, when it
	// happens.
	Is    play.Range
	Holds *Condition
	At    *play.Query
	Line  int
}

// Condition compares two queries.
type Condition struct {
	Left, Right *play.Query
	Compare     string // = != < <= > >=
}

// Real is a decision in an embedded recording: the first of its kind about a node, or about any. Rule and State,
// where set, must be its as well: that by which it was decided, and that which a zone came into.
type Real struct {
	Demo, Decision, Node string
	Rule                 model.Rule
	State                model.DisruptionState
}

// Text is the text of a lesson in one language.
type Text struct {
	File, Language, Title, Summary string
	Beats                          []BeatText
}

// BeatText is the text of one beat; Markdown with queries in braces.
type BeatText struct {
	Title string
	Body  Passage
	// Options and Traps are by option: its text, and the explanation for a person who chose it.
	Options, Traps map[string]Passage
	Hints          []Passage
	// Why is shown after a question was answered; Notes are the presenter's.
	Why, Notes Passage
}

// Passage is some text and the line that it begins at.
type Passage struct {
	Text string
	Line int
}

// Play is the branch that a beat plays in.
func (l *Lesson) Play(b *Beat) *Branch { return l.Branches[b.Branch] }
