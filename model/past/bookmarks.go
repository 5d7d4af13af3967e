package past

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sort"
	"time"
	"unicode/utf8"

	"kardia/model"
)

const (
	// MaxMarks limits the bookmarks of a recording.
	MaxMarks = 1000
	// MaxNote is how many bytes of a note are kept.
	MaxNote = 500
)

// Bookmark is a time that a person wants to return to, and why. A time has at most one.
type Bookmark struct {
	At   model.Instant
	Note string
	// Number counts the bookmarks in the order of their creation, from 1, so that a name never changes. Set gives it.
	Number int
}

// Name is A to Z in the order in which they were made, then A1 and on.
func (m Bookmark) Name() string {
	i := max(m.Number-1, 0)
	letter := string(rune('A' + i%26))
	if i < 26 {
		return letter
	}
	return fmt.Sprintf("%s%d", letter, i/26)
}

// Bookmarks are those of one recording, in order of time. The zero value has none.
type Bookmarks struct {
	list []Bookmark
	made int // how many were made in all
}

// ErrTooMany: there are MaxMarks already.
var ErrTooMany = fmt.Errorf("there are %d marks already; take some away first", MaxMarks)

// Set adds a bookmark. One that is already at its time is replaced, and keeps its name.
func (m *Bookmarks) Set(mark Bookmark) error {
	mark.Note = cut(mark.Note, MaxNote)
	i, there := m.find(mark.At)
	if there {
		m.list = slices.Clone(m.list)
		mark.Number = m.list[i].Number
		m.list[i] = mark
		return nil
	}
	if len(m.list) >= MaxMarks {
		return ErrTooMany
	}
	m.made++
	mark.Number = m.made
	m.list = slices.Insert(slices.Clone(m.list), i, mark)
	return nil
}

// Clear removes the bookmark at a time; false if there is none.
func (m *Bookmarks) Clear(at model.Instant) bool {
	i, there := m.find(at)
	if there {
		m.list = slices.Delete(slices.Clone(m.list), i, i+1)
	}
	return there
}

// List is all bookmarks, in order. Later calls do not modify it; nor may the caller.
func (m *Bookmarks) List() []Bookmark { return m.list }

// Nearest is the first bookmark after a time, or the last before it.
func (m *Bookmarks) Nearest(from model.Instant, forwards bool) (*Bookmark, bool) {
	return Nearest(m.list, func(b *Bookmark) model.Instant { return b.At }, from, forwards)
}

// Around is the stretch between two neighbouring bookmarks around a time, for a loop. Before the first it is the first
// two, after the last the last two; ok is false for fewer than two.
func (m *Bookmarks) Around(at model.Instant) (between model.Interval, ok bool) {
	if len(m.list) < 2 {
		return model.Interval{}, false
	}
	i, there := m.find(at)
	if there {
		i++
	}
	i = min(max(i, 1), len(m.list)-1)
	return model.Interval{Earliest: m.list[i-1].At, Latest: m.list[i].At}, true
}

func (m *Bookmarks) find(at model.Instant) (i int, there bool) {
	i = sort.Search(len(m.list), func(i int) bool { return m.list[i].At >= at })
	return i, i < len(m.list) && m.list[i].At == at
}

// cut shortens text to at most n bytes, at the boundary of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// markLine is a bookmark in its file, one JSON object a line. A later line for the same time replaces an earlier one.
type markLine struct {
	At      string `json:"at"`
	Note    string `json:"note,omitempty"`
	Removed bool   `json:"removed,omitempty"`
}

// AppendMark appends a bookmark's line to a text; removed writes that it was removed.
func AppendMark(text []byte, m Bookmark, removed bool) []byte {
	line, err := json.Marshal(markLine{At: m.At.Time().Format(time.RFC3339Nano), Note: m.Note, Removed: removed})
	if err != nil {
		return text // a string and a bool always have JSON
	}
	return append(append(text, line...), '\n')
}

// Read applies one line.
func (m *Bookmarks) Read(line []byte) error {
	var l markLine
	if err := json.Unmarshal(line, &l); err != nil {
		return fmt.Errorf("is not a mark: %w", err)
	}
	at, err := time.Parse(time.RFC3339Nano, l.At)
	if err != nil {
		return errors.New(`has no "at" in RFC 3339, such as 2026-11-20T23:53:23.379Z`)
	}
	mark := Bookmark{At: model.At(at), Note: l.Note}
	if !mark.At.Bounded() {
		return errors.New(`has an "at" outside the years 1678 to 2261`)
	}
	if l.Removed {
		m.Clear(mark.At)
		return nil
	}
	return m.Set(mark)
}

// maxJumps is how many times a jump list keeps; the oldest is dropped first.
const maxJumps = 100

// Jumps is where a person was: jumps can be undone and redone. The zero value has none.
type Jumps struct{ back, forward []model.Instant }

// Leave notes the time that a jump leaves, and forgets what could be redone.
func (j *Jumps) Leave(at model.Instant) {
	j.forward = nil
	if n := len(j.back); !at.Known() || n > 0 && j.back[n-1] == at {
		return
	}
	j.back = push(j.back, at)
}

// Back is where the last jump left from; at is the present time.
func (j *Jumps) Back(at model.Instant) (to model.Instant, ok bool) {
	return hop(&j.back, &j.forward, at)
}

// Forward undoes the last Back.
func (j *Jumps) Forward(at model.Instant) (to model.Instant, ok bool) {
	return hop(&j.forward, &j.back, at)
}

// hop moves to the last time other than at in one list, and puts at on the other.
func hop(from, to *[]model.Instant, at model.Instant) (model.Instant, bool) {
	for n := len(*from); n > 0; n = len(*from) {
		last := (*from)[n-1]
		*from = (*from)[:n-1]
		if last == at {
			continue
		}
		*to = push(*to, at)
		return last, true
	}
	return 0, false
}

func push(list []model.Instant, at model.Instant) []model.Instant {
	if len(list) >= maxJumps {
		list = append(list[:0], list[1:]...)
	}
	return append(list, at)
}

// Nearest is the first of a list that is after a time, or the last that is before it.
func Nearest[T any](list []T, when func(*T) model.Instant, from model.Instant, forwards bool) (*T, bool) {
	for i := range list {
		if !forwards {
			i = len(list) - 1 - i
		}
		if at := when(&list[i]); at != from && (at > from) == forwards {
			return &list[i], true
		}
	}
	return nil, false
}
