package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// shop is a sandbox's default cluster.
const shop = `# A shop in three zones, to be broken.
scenario 1
version 1.36
length  15m

nodes a-1..a-5 zone=a
nodes b-1..b-5 zone=b
nodes c-1..c-5 zone=c

deployment shop/web replicas=24 tolerate=60s
deployment shop/cart replicas=6
statefulset shop/db replicas=3
daemonset kube-system/agent
`

// ahead is how far a sandbox is played beyond the last action.
const ahead = 15 * time.Minute

// Sandbox is a scenario that is written while it plays. An action at a time adds a statement and removes later ones.
// The time before stays the same, to the byte.
type Sandbox struct {
	name, text string
	acts       []act
	// kept is the actions at the last Keep.
	kept []act
}

// act is one added statement, without its time.
type act struct {
	at   time.Duration
	what string
}

// NewSandbox starts with the text of a scenario, or with its own small cluster.
func NewSandbox(name, text string) (*Sandbox, error) {
	if text == "" {
		name, text = "sandbox", shop
	}
	b := &Sandbox{name: name, text: text}
	_, err := b.Scenario()
	return b, err
}

// Do adds a fault at a time after the start: "kill b-2", "failover for=20s". A wrong statement is only an error.
func (b *Sandbox) Do(at time.Duration, what string) error {
	before := b.acts
	if strings.ContainsAny(what, "\n\r") {
		return errors.New("one thing at a time")
	}
	kept := slices.DeleteFunc(slices.Clone(before), func(a act) bool { return a.at > at })
	b.acts = append(kept, act{at.Round(time.Millisecond), what})
	if _, err := b.Scenario(); err != nil {
		b.acts = before
		text := err.Error()
		if _, said, ok := strings.Cut(text, ": at: "); ok {
			text = said
		}
		return errors.New(text)
	}
	return nil
}

// Undo removes the last action; ok is false if there is none.
func (b *Sandbox) Undo() (what string, at time.Duration, ok bool) {
	n := len(b.acts)
	if n == 0 {
		return "", 0, false
	}
	last := b.acts[n-1]
	b.acts = b.acts[:n-1]
	return last.what, last.at, true
}

// Keep saves the actions for Revert.
func (b *Sandbox) Keep() { b.kept = b.acts }

// Revert undoes all changes since the last Keep.
func (b *Sandbox) Revert() { b.acts = b.kept }

// Text is the scenario as a file, with the actions.
func (b *Sandbox) Text() string {
	return strings.TrimRight(b.text, "\n") + "\n\n" + b.more()
}

func (b *Sandbox) more() string {
	var out strings.Builder
	if n := len(b.acts); n > 0 {
		fmt.Fprintf(&out, "length %s\n", b.acts[n-1].at+ahead)
	}
	for _, a := range b.acts {
		fmt.Fprintf(&out, "at %s %s\n", a.at, a.what)
	}
	return out.String()
}

func (b *Sandbox) Scenario() (*Scenario, error) {
	s, err := Parse(b.name, b.text)
	if err != nil {
		return nil, err
	}
	most := s.Length
	if s, err = s.With(b.name, b.more()); err != nil {
		return nil, err
	}
	s.Length = max(s.Length, most)
	return s, nil
}

// History plays the scenario to its end, and keeps all that a recorder would receive. The last argument, if set, gets
// the share played, and ends it by returning false: then the History is nil.
func (s *Scenario) History(name string, told func(share float64) bool) history.History {
	var changes []model.Change
	kinds := map[model.Kind]int{}
	w := newWorld(s, func(ch *model.Change) bool {
		changes = append(changes, *ch)
		kinds[ch.Kind]++
		return true
	})
	ended := false
	w.told = func(since time.Duration) bool {
		ended = told != nil && !told(float64(since)/float64(s.Length+warmUp))
		return !ended
	}
	if w.run(); ended {
		return nil
	}
	covered := model.Interval{Earliest: s.Start, Latest: s.End()}
	return history.NewMemory(changes, covered, nil, []history.Source{{Path: name, Format: Mark, Changes: len(changes), Kinds: kinds, Coverage: covered, Quality: model.ByArrival}})
}
