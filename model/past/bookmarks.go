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

// The bounds of marks.
const (
	// MaxMarks is how many marks there can be.
	MaxMarks = 1000
	// MaxNote is how many bytes a note may have; what is longer is cut.
	MaxNote = 500
)

// Bookmark is an instant that a person wants to come back to, and why. There is one mark at an
// instant at most.
type Bookmark struct {
	At   model.Instant
	Note string
	// Number counts the marks of a recording in the order in which they were made, from 1: a mark keeps
	// its name, whatever is marked before it later. Set gives it.
	Number int
}

// Name is what a mark is called: A to Z in the order in which they were made, then A1 and on.
func (m Bookmark) Name() string {
	i := max(m.Number-1, 0)
	letter := string(rune('A' + i%26))
	if i < 26 {
		return letter
	}
	return fmt.Sprintf("%s%d", letter, i/26)
}

// Bookmarks are the marks of one recording, in order of time. The zero value has none.
type Bookmarks struct {
	list []Bookmark
	made int // how many were made in all
}

// ErrTooMany says that there are MaxMarks already.
var ErrTooMany = fmt.Errorf("there are %d marks already; take some away first", MaxMarks)

// Set puts a mark at an instant, in place of the one that is there, whose name it takes.
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

// Clear takes the mark at an instant away; false if there is none.
func (m *Bookmarks) Clear(at model.Instant) bool {
	i, there := m.find(at)
	if there {
		m.list = slices.Delete(slices.Clone(m.list), i, i+1)
	}
	return there
}

// List is all marks, in order. It is not modified by later calls, and must not be modified.
func (m *Bookmarks) List() []Bookmark { return m.list }

// Next is the first mark after an instant, Previous the last one before it.
func (m *Bookmarks) Next(after model.Instant) (Bookmark, bool) {
	i, there := m.find(after)
	if there {
		i++
	}
	if i == len(m.list) {
		return Bookmark{}, false
	}
	return m.list[i], true
}

// Previous is the last mark before an instant.
func (m *Bookmarks) Previous(before model.Instant) (Bookmark, bool) {
	i, _ := m.find(before)
	if i == 0 {
		return Bookmark{}, false
	}
	return m.list[i-1], true
}

// Around is the stretch between two neighbouring marks that holds an instant: what a loop
// goes through. Before the first mark it is the first two, after the last one the last two;
// ok is false where there are fewer than two.
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

// markLine is a mark as it is written: one JSON object a line. A later line for the same
// instant replaces an earlier one, so that the file is only ever appended to.
type markLine struct {
	At      string `json:"at"`
	Note    string `json:"note,omitempty"`
	Removed bool   `json:"removed,omitempty"`
}

// AppendMark appends a mark's line to a text; removed writes that it was taken away.
func AppendMark(text []byte, m Bookmark, removed bool) []byte {
	line, err := json.Marshal(markLine{At: m.At.Time().Format(time.RFC3339Nano), Note: m.Note, Removed: removed})
	if err != nil {
		return text // a string and a bool always have JSON
	}
	return append(append(text, line...), '\n')
}

// Read takes one line in.
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
