package audit

import (
	"bytes"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

// NewLines finds the entries of an audit log, of whatever form; of exports only what may hold an audit event
// is one.
func NewLines(r *input.Reader) entries.Lines {
	all, list := entries.New(r, mayBeEvent)
	if list {
		return inOrder(all)
	}
	return all
}

// mayBeEvent says whether an entry has an audit event in it, or Google Cloud Logging's form of one.
func mayBeEvent(entry []byte) bool {
	return bytes.Contains(entry, []byte("auditID")) || bytes.Contains(entry, []byte(cloudMark))
}

// maxReversed is how many bytes of entries are turned round.
const maxReversed = 256 << 20

var errBackwards = fmt.Errorf("its entries run backwards in time, and are more than %d MiB; export them in the order of time (gcloud logging read --order=asc)", maxReversed>>20)

// inOrder turns entries round that run backwards in time, as gcloud prints them.
func inOrder(all entries.Lines) entries.Lines {
	var held kept
	for len(held.lines) < 2 {
		line, err := all.Next()
		if held.end = err; err != nil {
			if len(line.Data) > 0 {
				held.keep(line)
			}
			return &held
		}
		held.keep(line)
	}
	if since(held.lines[1]) >= since(held.lines[0]) {
		held.rest = all
		return &held
	}
	for size := 0; ; {
		line, err := all.Next()
		if err != nil {
			if held.end = err; len(line.Data) == 0 {
				break
			}
		}
		if size += len(line.Data); size > maxReversed {
			return &kept{end: errBackwards}
		}
		held.keep(line)
		if err != nil {
			break
		}
	}
	slices.Reverse(held.lines)
	return &held
}

// since is when the request of an entry was received; unknown if it does not say.
func since(line input.Line) model.Instant {
	log := NewReader(&object.Decoder{}, 0)
	_, _ = log.Line(line)
	return log.Coverage().Earliest
}

// kept are entries that were read ahead, and then the rest.
type kept struct {
	lines []input.Line
	end   error
	rest  entries.Lines
}

func (k *kept) keep(line input.Line) {
	line.Data = bytes.Clone(line.Data)
	k.lines = append(k.lines, line)
}

func (k *kept) Next() (input.Line, error) {
	if len(k.lines) > 0 {
		line := k.lines[0]
		k.lines = k.lines[1:]
		return line, nil
	}
	if k.rest != nil {
		return k.rest.Next()
	}
	return input.Line{}, k.end
}
