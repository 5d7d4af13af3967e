package report

import (
	"fmt"
	"io"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording"
	"kardia/ui/paint"
)

// Recording is one of Kardia's own files.
type Recording struct {
	Path   string  `json:"path"`
	Format int     `json:"format"`
	Tool   *string `json:"tool"`
	Bytes  int64   `json:"bytes"`
	// Closed: its recorder ended it; else it is read up to the last whole chunk.
	Closed    bool    `json:"closed"`
	Changes   int     `json:"changes"`
	Keyframes int     `json:"keyframes"`
	Clock     *string `json:"clock"`
	Redaction *string `json:"redaction"`
	Segment   int     `json:"segment"`
	Continues *string `json:"continues"`
	Marks     []Mark  `json:"bookmarks"`
	// ClockReadings are looks at the clock it was recorded by.
	ClockReadings []ClockReading `json:"clockReadings"`
	// Leftovers are files of a packing that was interrupted, or is under way.
	Leftovers []string `json:"leftovers,omitempty"`
}

// Mark is a person's bookmark at an instant.
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
	// During is nil if the reading shows no step, and Text is the meaning of the step.
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
	out := []ClockReading{}
	some := func(d time.Duration) Seconds { return Seconds(model.Some(d)) }
	for i := range readings {
		c := &readings[i]
		r := ClockReading{At: Stamp(c.At), Wall: Stamp(c.Wall), SinceSeconds: some(c.Since), SetSeconds: some(c.Set.Round(time.Millisecond)), SleptSeconds: Seconds(c.Slept), During: window(c.During)}
		if c.Stepped() {
			r.Text = text(c.String())
		}
		if c.Server.Known {
			bounds := c.Server.Value.Whole(time.Millisecond)
			r.Server = &Offset{some(bounds.Least), some(bounds.Most)}
		}
		out = append(out, r)
	}
	return out
}

// clockLines are the steps of the clock, and its offset from the API server's at the end.
func clockLines(readings []ClockReading) (lines []string) {
	var server *ClockReading
	for i := range readings {
		r := &readings[i]
		if r.During != nil {
			lines = append(lines, fmt.Sprintf("Clock      %s to %s: %s", stampWord(r.During.Earliest), stampWord(r.During.Latest), *r.Text))
		}
		if r.Server != nil {
			server = r
		}
	}
	if server != nil {
		o := history.Offset{Least: server.Server.LeastSeconds.Value, Most: server.Server.MostSeconds.Value}
		lines = append(lines, fmt.Sprintf("Clock      %s: the API server's clock is %v of the arrivals, by its answers", stampWord(server.At), o))
	}
	return lines
}

// RecordingOf describes a recording.
func RecordingOf(f *recording.File) Recording {
	m := f.Meta()
	_, changes := f.Span()
	out := Recording{Path: f.Name(), Format: recording.Format, Tool: text(m.Tool), Bytes: f.Size(), Closed: f.Closed(), Changes: changes,
		Keyframes: f.Keyframes(), Clock: text(m.Clock), Redaction: text(m.Redaction), Segment: m.Segment, Continues: text(m.Continues), Marks: []Mark{}, Leftovers: recording.Leftovers(f.Name())}
	out.ClockReadings = clockReadings(f.Clocks())
	for _, mark := range f.Marks() {
		out.Marks = append(out.Marks, Mark{Stamp(mark.At), mark.Note})
	}
	return out
}

// writeRecordings prints a line for each recording, its clock's steps, and its marks.
func writeRecordings(w io.Writer, recordings []Recording) error {
	for i := range recordings {
		r := &recordings[i]
		state := "closed"
		if !r.Closed {
			state = "not closed: read up to its last whole chunk"
		}
		line := fmt.Sprintf("Recording  %s: %d bytes, %d changes, %d keyframes, format %d, by %s; arrivals by the clock of: %s; objects: %s; %s",
			r.Path, r.Bytes, r.Changes, r.Keyframes, r.Format, orNotSaid(r.Tool), orNotSaid(r.Clock), orNotSaid(r.Redaction), state)
		if r.Continues != nil {
			line += fmt.Sprintf("; segment %d, continues %s", r.Segment, *r.Continues)
		}
		if _, err := fmt.Fprintln(w, paint.Clean(line)); err != nil {
			return err
		}
		for _, left := range r.Leftovers {
			if _, err := fmt.Fprintln(w, paint.Clean("Left over  "+LeftoverText(left))); err != nil {
				return err
			}
		}
		for _, line := range clockLines(r.ClockReadings) {
			if _, err := fmt.Fprintln(w, paint.Clean(line)); err != nil {
				return err
			}
		}
		for _, m := range r.Marks {
			if _, err := fmt.Fprintln(w, paint.Clean("Mark       "+stampWord(m.At)+" "+m.Note)); err != nil {
				return err
			}
		}
	}
	if len(recordings) == 0 {
		return nil
	}
	_, err := fmt.Fprintln(w)
	return err
}

// LeftoverText describes a file that an interrupted packing left, and what to do with it.
func LeftoverText(path string) string {
	return path + ": a packing was interrupted, unless one is under way; the recording is whole without it, and it can be deleted"
}

// orNotSaid is a file's value of itself, or that it has none.
func orNotSaid(s *string) string { return or(s, "not said") }
