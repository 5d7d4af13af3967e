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
	// maxReversed is how many bytes of entries are turned round.
	maxReversed = 256 << 20
	// looksAtEntries is how many entries decide which way a log runs: neighbours overtake each other now and then.
	looksAtEntries = 32
	// NewYear is the least leap backwards of a clock without a year that means a new year.
	NewYear = 180 * 24 * time.Hour
)

// ErrBackwards reports that a log runs backwards in time, and is too long to be turned round.
var ErrBackwards = fmt.Errorf("its entries run backwards in time, and are more than %d MiB; export them in the order of time (gcloud logging read --order=asc, sort @timestamp asc, order by TimeGenerated asc)", maxReversed>>20)

// InOrder reverses the entries of a log that runs backwards in time, as consoles of cloud providers and gcloud export
// them. when is when an entry was written; unknown if it has no time.
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
	// end is that of the rest, and last the place where it came; nil if there is more.
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
