package session

import (
	"errors"
	"slices"
	"time"

	"kardia/model"
	"kardia/sources/capture/recorder"
	"kardia/sources/recording"
)

// Saving prepares to write the newest part of a live session's memory, all of it for last 0, as a recording. write
// writes a new file; it may run beside the session, on any one goroutine.
func (s *Session) Saving(last time.Duration) (part model.Interval, write func(path string) error, err error) {
	if s.live == nil {
		return part, nil, errors.New("this is a recording: 'kardia cut' writes a part of it")
	}
	part = s.Coverage()
	if !part.Bounded() {
		return part, nil, errors.New("nothing was received yet")
	}
	if last > 0 {
		part.Earliest = max(part.Earliest, part.Latest.Add(-last))
	}
	meta := recording.Meta{Tool: "kardia", Name: s.name, ServerVersion: s.live.stream.ServerVersion(), Clock: "recorder", Redaction: "slim"}
	if s.given { // otherwise they are guessed, and so again by a reader of the file
		params := s.params
		meta.Params = &params
	}
	marks := slices.Clone(s.marks.List())
	h := s.live.memory.Fork()
	return part, func(path string) error { return recorder.Save(h, meta, marks, part, path) }, nil
}
