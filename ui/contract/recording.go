package contract

import (
	"strconv"
	"time"

	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/recording"
	"kardia/ui/doc"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Recording is one of Kardia's own files.
type Recording struct {
	Path   string  `json:"path"`
	Format int     `json:"format"`
	Tool   *string `json:"tool"`
	Bytes  int64   `json:"bytes"`
	// Closed: its recorder ended it. Otherwise it is read up to the last whole chunk.
	Closed        bool           `json:"closed"`
	Changes       int            `json:"changes"`
	Keyframes     int            `json:"keyframes"`
	Clock         *string        `json:"clock"`
	Redaction     *string        `json:"redaction"`
	Segment       int            `json:"segment"`
	Continues     *string        `json:"continues"`
	Marks         []Mark         `json:"bookmarks"`
	ClockReadings []ClockReading `json:"clockReadings"`
	// Leftovers are files of a packing that was interrupted, or still runs.
	Leftovers []string `json:"leftovers,omitempty"`
}

// Mark is a person's bookmark.
type Mark struct {
	At   Stamp  `json:"at"`
	Note string `json:"note"`
}

// ClockReading is a look at the recorder's clocks: see past.ClockReading.
type ClockReading struct {
	At           Stamp   `json:"at"`
	Wall         Stamp   `json:"wallClock"`
	SinceSeconds Seconds `json:"sinceSeconds"`
	SetSeconds   Seconds `json:"setSeconds"`
	SleptSeconds Seconds `json:"sleptSeconds"`
	// During is when the clock stepped, nil for no step; Text is the meaning of the step.
	During *Window `json:"during"`
	Text   *string `json:"text"`
	Server *Offset `json:"serverAhead"`
}

// Offset bounds how far one clock is ahead of another, rounded outwards.
type Offset struct {
	LeastSeconds Seconds `json:"leastSeconds"`
	MostSeconds  Seconds `json:"mostSeconds"`
}

func clockReadings(readings []history.ClockReading) []ClockReading {
	return each(readings, func(c history.ClockReading) ClockReading {
		r := ClockReading{At: Stamp(c.At), Wall: Stamp(c.Wall), SinceSeconds: seconds(c.Since), SetSeconds: seconds(c.Set.Round(time.Millisecond)), SleptSeconds: Seconds(c.Slept), During: window(c.During)}
		if c.Stepped() {
			r.Text = text(topics.RecorderClock(&c).String())
		}
		if c.Server.Known {
			bounds := c.Server.Value.Whole(time.Millisecond)
			r.Server = &Offset{seconds(bounds.Least), seconds(bounds.Most)}
		}
		return r
	})
}

// putClock adds the clock's steps, and its last offset from the API server's.
func putClock(d *doc.Doc, readings []ClockReading) {
	var server *ClockReading
	for i := range readings {
		r := &readings[i]
		if r.During != nil {
			d.Named("Clock", words.Of("info.clock-step", "from", stampWord(r.During.Earliest), "to", stampWord(r.During.Latest), "text", *r.Text))
		}
		if r.Server != nil {
			server = r
		}
	}
	if server != nil {
		o := history.Offset{Least: server.Server.LeastSeconds.Value, Most: server.Server.MostSeconds.Value}
		d.Named("Clock", words.Of("info.clock-server", "at", stampWord(server.At), "offset", o))
	}
}

// RecordingOf describes a recording.
func RecordingOf(f *recording.File) Recording {
	m := f.Meta()
	_, changes := f.Span()
	return Recording{Path: f.Name(), Format: recording.Format, Tool: text(m.Tool), Bytes: f.Size(), Closed: f.Closed(), Changes: changes,
		Keyframes: f.Keyframes(), Clock: text(m.Clock), Redaction: text(m.Redaction), Segment: m.Segment, Continues: text(m.Continues), Leftovers: recording.Leftovers(f.Name()),
		Marks: each(f.Marks(), func(b past.Bookmark) Mark { return Mark{Stamp(b.At), b.Note} }), ClockReadings: clockReadings(f.Clocks())}
}

func (r *Recording) put(d *doc.Doc) {
	state := words.Of("info.closed")
	if !r.Closed {
		state = words.Of("info.not-closed")
	}
	if r.Continues != nil {
		state = words.Of("info.continues", "state", state, "segment", r.Segment, "path", *r.Continues)
	}
	said := func(s *string) string { return or(s, "not said") }
	d.Named("Recording", words.Of("info.recording", "path", r.Path, "bytes", strconv.FormatInt(r.Bytes, 10), "changes", r.Changes, "keyframes", r.Keyframes, "format", r.Format,
		"tool", said(r.Tool), "clock", said(r.Clock), "redaction", said(r.Redaction), "state", state))
	for _, left := range r.Leftovers {
		d.Named("Left over", Leftover(left))
	}
	putClock(d, r.ClockReadings)
	for _, m := range r.Marks {
		d.Named("Mark", words.Text(stampWord(m.At)+" "+m.Note))
	}
}

// Leftover describes a file that an interrupted packing left, and how to handle it.
func Leftover(path string) words.Say { return words.Of("info.leftover", "path", path) }
