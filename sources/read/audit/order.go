package audit

import (
	"bytes"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

// NewLines finds the entries of an audit log in any form; of exports only those that may be audit events.
func NewLines(r *input.Reader) entries.Lines {
	return entries.InOrder(entries.New(r, mayBeEvent), Since)
}

// mayBeEvent reports whether an entry has an audit event, or Google Cloud Logging's or Log Analytics' form of one.
func mayBeEvent(entry []byte) bool {
	return bytes.Contains(entry, []byte("auditID")) || bytes.Contains(entry, []byte(cloudMark)) || bytes.Contains(entry, []byte(`"`+analyticsID+`"`))
}

// Since is when the request of an entry was received; unknown without such a time.
func Since(line input.Line) model.Instant {
	log := NewReader(&object.Decoder{}, 0)
	_, _ = log.Line(line)
	return log.Coverage().Earliest
}
