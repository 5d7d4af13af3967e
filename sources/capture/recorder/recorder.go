// Package recorder keeps the Changes of a Stream in one file, or in a ring of files whose oldest are deleted. For
// example: Record(ctx, stream, open, Options{For: time.Hour}) records an hour.
package recorder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/capture/stream"
	"kardia/sources/recording"
)

// Output is the target of a recording: a *recording.Writer, or a *Ring.
type Output interface {
	Add(*model.Change) error
	AddGap(history.Gap) error
	AddMark(past.Bookmark) error
	AddClock(history.ClockReading) error
	Cover(model.Instant)
	// BeginAt sets the start of the coverage.
	BeginAt(model.Instant)
	// SetMeta replaces the recording's description.
	SetMeta(recording.Meta) error
	Flush() error
	Size() int64
	Close() error
}

type Options struct {
	// Meta is given to the Output when it is opened, with the API server's version, and at the end, with the coverage.
	Meta recording.Meta
	// For ends the recording after a time, MaxSize at that many bytes; 0 means no limit.
	For     time.Duration
	MaxSize int64
	// Free is how many bytes the disk has left; nil if unknown. The recording ends while there is room to close it.
	Free func() (int64, error)
	// SaysClock words a step of the clock, for its gap.
	SaysClock func(*history.ClockReading) string
	Progress  func(Progress)

	// look reads the clocks; ticks ticks once a second. nil means the real ones.
	look  func() Look
	ticks <-chan time.Time
}

const (
	// flushEvery is how much a crash may cost, a tick less than 5 s.
	flushEvery = 4 * time.Second
	// keepFree is how much of a disk stays free for closing the file, and for other programs.
	keepFree = 64 << 20
)

// Progress is how far a recording has come. Changes is 0 until the first list comes.
type Progress struct {
	Elapsed time.Duration
	Changes int
	Size    int64
	Status  []stream.Status
}

type Reason uint8

const (
	Asked Reason = iota
	Enough
	Full
	NoRoom
	// Broken: the stream or the file failed; the error has the reason.
	Broken
)

// Summary is the result of a recording.
type Summary struct {
	Progress
	Reason   Reason
	Gaps     int
	Coverage model.Interval
}

// Record records a Stream until the context ends or a limit is reached, and closes the output, which open opens at the
// first Change. The error is for what could not be recorded or closed; everything flushed before can still be read.
func Record(ctx context.Context, f stream.Stream, open func(recording.Meta) (Output, error), o Options) (Summary, error) {
	r := &recorder{options: o, open: open, stream: f, clock: NewClocks(o.look)}
	if o.look == nil {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		r.options.ticks = t.C
	}
	err := r.run(ctx)
	if r.out == nil {
		return r.sum, err
	}
	if bad := r.out.Close(); bad != nil {
		if err == nil {
			err = bad
		} else if !strings.Contains(bad.Error(), err.Error()) {
			err = fmt.Errorf("%w; closing the file failed as well: %w", err, bad)
		}
	}
	r.sum.Size = r.out.Size()
	return r.sum, err
}

type recorder struct {
	options Options
	open    func(recording.Meta) (Output, error)
	out     Output // nil until the first Change
	stream  stream.Stream
	sum     Summary
	version string
	lists   history.Lists
	covered [len(model.Kinds) + 1]model.Interval

	flushed time.Duration // since the beginning
	clock   *Clocks
	// stands is the state of the clocks before the output was opened.
	stands history.ClockReading

	stop func()
	err  error
}

func (r *recorder) run(ctx context.Context) error {
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	batches, ended := make(chan stream.Batch), make(chan error, 1)
	go func() {
		var err error
		defer func() { ended <- err }()
		defer crash.Into(&err)
		err = r.stream.Run(ctx, func(b stream.Batch) { batches <- b })
	}()
	r.noteClock()
	for {
		select {
		case b := <-batches:
			r.add(b)
		case <-r.options.ticks:
			r.tick()
		case err := <-ended:
			if err != nil && r.err == nil {
				r.end(Broken, err)
			}
			r.finish()
			return r.err
		}
	}
}

// end ends the recording; the first reason counts. The rest of the stream is taken, unless writing is impossible.
func (r *recorder) end(why Reason, err error) {
	if r.sum.Reason == Asked {
		r.sum.Reason, r.err = why, err
	}
	r.stop()
}

func (r *recorder) add(b stream.Batch) {
	if r.sum.Reason == Broken {
		return
	}
	r.sum.Status = b.Status
	r.noteClock() // before the Changes since
	if r.out == nil {
		if len(b.Changes) == 0 {
			return
		}
		if err := r.begin(); err != nil {
			r.end(Broken, err)
			return
		}
	}
	for i := range b.Changes {
		ch := &b.Changes[i]
		source := stream.SourceOf(ch.Kind)
		ch.Origin.Source = int32(source)
		err := r.out.Add(ch)
		if err == nil && ch.Op == model.OpGap {
			r.sum.Gaps++
			err = r.out.AddGap(history.Gap{Interval: ch.Time, Source: source, Why: ch.Note})
		}
		if err != nil {
			r.end(Broken, err)
			return
		}
		r.sum.Changes++
		r.cover(source, ch.Effective())
		if r.lists.Take(ch) {
			r.sum.Coverage.Earliest = max(r.sum.Coverage.Earliest, ch.Effective())
			r.out.BeginAt(r.sum.Coverage.Earliest)
		}
	}
	for _, s := range b.Status {
		r.cover(stream.SourceOf(s.Kind), s.Last)
	}
	r.flushIfDue()
}

func (r *recorder) begin() (err error) {
	r.version = r.stream.ServerVersion()
	r.options.Meta.ServerVersion = r.version
	if r.out, err = r.open(r.options.Meta); err != nil {
		r.out = nil // else it is an Output that holds nothing
		return err
	}
	return r.out.AddClock(r.stands)
}

func (r *recorder) cover(source int, t model.Instant) {
	if !t.Bounded() || r.sum.Changes == 0 {
		return
	}
	extend(&r.covered[source], t)
	if extend(&r.sum.Coverage, t) {
		r.out.Cover(t)
	}
}

// extend extends an interval to t, and reports whether it started there.
func extend(v *model.Interval, t model.Instant) bool {
	switch {
	case !v.Known():
		*v = model.Exactly(t)
	case t > v.Latest:
		v.Latest = t
	default:
		return false
	}
	return true
}

func (r *recorder) tick() {
	now := r.noteClock()
	r.sum.Elapsed = now.Since
	if r.out != nil {
		r.sum.Size = r.out.Size()
		r.noteVersion(now.Wall)
		r.flushIfDue()
	}
	switch {
	case r.options.For > 0 && r.sum.Elapsed >= r.options.For:
		r.end(Enough, nil)
	case r.out == nil:
	case r.options.MaxSize > 0 && r.sum.Size >= r.options.MaxSize:
		r.end(Full, nil)
	case r.options.Free != nil:
		if free, err := r.options.Free(); err == nil && free < keepFree {
			r.end(NoRoom, nil)
		}
	}
	if r.options.Progress != nil {
		r.options.Progress(r.sum.Progress)
	}
}

func (r *recorder) flushIfDue() {
	if r.clock.last.Since-r.flushed >= flushEvery {
		r.flush()
	}
}

func (r *recorder) flush() {
	r.flushed = r.clock.last.Since
	if err := r.out.Flush(); err != nil {
		r.end(Broken, err)
	}
}

// finish writes the coverage of each source, and flushes.
func (r *recorder) finish() {
	if r.out == nil {
		return
	}
	if since := stream.LeadersUnwatched(r.sum.Status); since.Known() && since < r.sum.Coverage.Latest && r.sum.Reason != Broken {
		r.blindOfLeaders(model.Interval{Earliest: since, Latest: r.sum.Coverage.Latest})
	}
	if r.sum.Reason != Broken {
		m := r.options.Meta
		m.Sources = slices.Clone(m.Sources)
		for i := range min(len(m.Sources), len(r.covered)) {
			m.Sources[i].Coverage = r.covered[i]
		}
		if err := r.out.SetMeta(m); err != nil {
			r.end(Broken, err)
		}
	}
	r.flush()
}

// blindOfLeaders records a broken watch of leader leases at the end, which would look like a leader's silence.
func (r *recorder) blindOfLeaders(v model.Interval) {
	source := stream.SourceOf(model.KindLeaderLease)
	if !r.covered[source].Known() {
		return // it never was watched
	}
	r.sum.Gaps++
	if err := r.out.AddGap(history.Gap{Interval: v, Source: source, Why: "the watch of leaders' leases was broken when the recording ended"}); err != nil {
		r.end(Broken, err)
	}
}

// noteClock reads the clocks, and records a reading worth keeping. If the line of the arrivals leapt, or the machine
// slept, every source has a gap.
func (r *recorder) noteClock() Look {
	reading, say, blind := r.clock.Sample(r.stream)
	if r.out == nil && say {
		r.stands = standing(reading)
	}
	if r.out == nil || !say {
		return r.clock.last
	}
	err := r.out.AddClock(reading)
	if blind.Known() {
		r.sum.Gaps++
		for source := range model.Kinds {
			err = errors.Join(err, r.out.AddGap(history.Gap{Interval: blind, Source: source, Why: r.options.SaysClock(&reading)}))
		}
	}
	if err != nil {
		r.end(Broken, err)
	}
	return r.clock.last
}

// noteVersion records the version of the API server, and an upgrade.
func (r *recorder) noteVersion(wall model.Instant) {
	v := r.stream.ServerVersion()
	if v == "" || v == r.version {
		return
	}
	var err error
	if r.version == "" {
		r.options.Meta.ServerVersion = v
		err = r.out.SetMeta(r.options.Meta)
	} else {
		err = r.out.AddMark(past.Bookmark{At: wall, Note: "the API server is " + v + ", and was " + r.version})
	}
	if err != nil {
		r.end(Broken, err)
	}
	r.version = v
}
