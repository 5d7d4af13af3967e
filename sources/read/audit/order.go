package audit

import (
	"bytes"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

// NewLines finds the entries of an audit log, of whatever form; of exports only what may hold an audit event
// is one.
func NewLines(r *input.Reader) entries.Lines {
	return entries.InOrder(entries.New(r, mayBeEvent), since)
}

// mayBeEvent reports whether an entry has an audit event in it, or Google Cloud Logging's or Log Analytics' form of
// one.
func mayBeEvent(entry []byte) bool {
	return bytes.Contains(entry, []byte("auditID")) || bytes.Contains(entry, []byte(cloudMark)) || bytes.Contains(entry, []byte(`"`+analyticsID+`"`))
}

// since is when the request of an entry was received; unknown if the entry has no such time.
func since(line input.Line) model.Instant {
	log := NewReader(&object.Decoder{}, 0)
	_, _ = log.Line(line)
	return log.Coverage().Earliest
}
