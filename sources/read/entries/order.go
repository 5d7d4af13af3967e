package entries

import (
	"bytes"
	"fmt"
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/read/input"
)

const (
	// maxReversed limits the bytes of entries that are reversed.
	maxReversed = 256 << 20
	// looksAtEntries is how many entries decide the direction of a log: neighbours may overtake each other.
	looksAtEntries = 32
	// NewYear is the least leap backwards of a clock without a year that means a new year.
	NewYear = 180 * 24 * time.Hour
)

// ErrBackwards: a log runs backwards in time, and is too long to be reversed.
var ErrBackwards = fmt.Errorf("its entries run backwards in time, and are more than %d MiB; export them in the order of time (gcloud logging read --order=asc, sort @timestamp asc, order by TimeGenerated asc)", maxReversed>>20)

// InOrder reverses a log that runs backwards in time, as consoles of cloud providers and gcloud export it. when is when
// an entry was written; may be unknown.
func InOrder(all Lines, when func(input.Line) model.Instant) Lines {
	held, size := &heldLines{rest: all}, 0
	read := func() bool {
		line, err := all.Next()
		if err != nil {
			held.last, held.end = line, err
			return false
		}
		line.Data = bytes.Clone(line.Data)
		held.lines = append(held.lines, line)
		size += len(line.Data)
		return true
	}
	forwards, backwards, last := 0, 0, model.Instant(0)
	for len(held.lines) < looksAtEntries && size < maxReversed && read() {
		at := when(held.lines[len(held.lines)-1])
		switch {
		case !at.Known():
			continue
		case last.Known() && at < last && last.Sub(at) < NewYear:
			backwards++
		case last.Known() && at != last:
			forwards++
		}
		last = at
	}
	if backwards <= forwards {
		return held
	}
	for held.end == nil && size <= maxReversed && read() {
	}
	if size > maxReversed {
		return &heldLines{end: ErrBackwards}
	}
	slices.Reverse(held.lines)
	return held
}

// heldLines are entries that were read ahead, and then the rest.
type heldLines struct {
	lines []input.Line
	rest  Lines
	// end is the rest's, last its place; nil if there is more.
	end  error
	last input.Line
}

func (h *heldLines) Next() (input.Line, error) {
	if len(h.lines) > 0 {
		line := h.lines[0]
		h.lines = h.lines[1:]
		return line, nil
	}
	if h.end != nil {
		return h.last, h.end
	}
	return h.rest.Next()
}
