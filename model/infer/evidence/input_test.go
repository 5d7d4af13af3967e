package evidence

import (
	"testing"

	"kardia/model"
	"kardia/model/history"
)

// counted is a History that counts how often a page is read.
type counted struct {
	history.History
	reads int
}

func (c *counted) Read(p history.Page, into *history.Condensed) error {
	c.reads++
	return c.History.Read(p, into)
}

// versions are n versions of one node, one a second.
func versions(n int) *counted {
	list := make([]model.Change, n)
	for i := range list {
		list[i] = nodeChange(model.OpModify, after(float64(i)), model.WriterKubelet, uint64(i+1), aNode(model.StatusTrue, after(0)))
	}
	return &counted{History: history.NewMemory(list, model.Interval{Earliest: list[0].At, Latest: list[n-1].At}, nil, nil)}
}

// read reads all, and counts the Changes.
func readAll(t *testing.T, in *Input) (changes int) {
	t.Helper()
	err := in.Pages(0, func(page *history.Condensed, from, to int) (bool, error) {
		changes += to - from
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return changes
}

func TestPagesThatAreKeptAreReadOnce(t *testing.T) {
	h := versions(2000) // four pages of a Memory
	in := NewInput(h, nil)
	before := in.Again()
	release := in.Keep()
	for range 3 {
		if n := readAll(t, in) + readAll(t, in.Again()); n != 4000 {
			t.Fatalf("%d changes were read, want 4000", n)
		}
	}
	if h.reads != 4 {
		t.Fatalf("%d pages were read, want each of the four once", h.reads)
	}
	late := in.Again()
	release()
	if n := readAll(t, in) + readAll(t, late) + readAll(t, before); n != 6000 || h.reads != 4+3*4 {
		t.Fatalf("once they are released, %d changes of %d pages were read", n, h.reads-4)
	}
}

func TestNoMorePagesAreKeptThanTheirLimit(t *testing.T) {
	const fit = maxKeptPages / changeSize
	h := versions(fit + 1024)
	in := NewInput(h, nil)
	defer in.Keep()()
	readAll(t, in)
	first := h.reads
	if n := readAll(t, in); n != fit+1024 || h.reads-first != 2 {
		t.Fatalf("%d changes; %d pages were read again, want the two that were beyond the limit", n, h.reads-first)
	}
}
