package open

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/audit"
	"kardia/sources/read/chronology"
	"kardia/sources/read/input"
	"kardia/sources/recording"
)

// Audit logs are large: they are read as a stream, dated a batch at a time, and recorded in a temporary file. So a log
// of any length opens in bounded memory. That needs audit logs only: watch files need all evidence at once.
const (
	// streamFrom is the size from which logs are streamed.
	streamFrom = 64 << 20
	// batchSize is how many Changes are dated at once.
	batchSize = 16_000
	// settled is how far behind the newest request a Change is in order: no request takes longer to its line.
	settled = 30 * time.Second
	// maxTemporary limits the bytes of a temporary file.
	maxTemporary = 16 << 30
)

var errFull = errors.New("the recording needs more than 16 GiB of temporary files; name fewer files")

// streamLogs opens audit logs alone; ok is false if a file is something else.
func (b *builder) streamLogs(files []input.File) (opened *Opened, ok bool, err error) {
	streams := make([]*stream, 0, len(files))
	for _, f := range files {
		first, is := b.firstRequest(f)
		if !is {
			return nil, false, nil
		}
		streams = append(streams, &stream{file: f, first: first})
	}
	slices.SortStableFunc(streams, func(a, c *stream) int { return cmp.Compare(a.first, c.first) })
	for _, s := range streams {
		s.source = b.source(s.file.Path, "audit")
	}
	opened, err = b.record(streams)
	return opened, true, err
}

// streamed is a recording of a stream, described by its sources.
type streamed struct {
	*history.Info
	pages
}

type pages struct{ *recording.File }

// Fork implements history.History.
func (s streamed) Fork() history.History {
	return streamed{s.Info, pages{s.File.Fork().(*recording.File)}}
}

func (b *builder) record(streams []*stream) (*Opened, error) {
	var coverage model.Interval
	f, err := temporary("a long recording", recording.Meta{}, "", func(w *recording.Writer) (err error) {
		coverage, err = b.streamAll(streams, w)
		return err
	})
	if err != nil {
		return nil, err
	}
	if _, end := f.Span(); end == 0 {
		_ = f.Close()
		return nil, fmt.Errorf("%w: %s", ErrUnreadable, b.whyNothing())
	}
	said := b.said(coverage)
	h := streamed{&history.Info{Covers: coverage, Blind: b.holes(nil), From: b.sources, Said: said}, pages{f}}
	return &Opened{History: h, merged: []*recording.File{f}, ServerVersion: b.version, Partial: b.partial, controller: b.decoder.Controller.Params()}, nil
}

func (b *builder) firstRequest(f input.File) (model.Instant, bool) {
	if f.Size < 0 {
		return 0, false
	}
	r, err := b.progress.open(b.ctx, f)
	if err != nil {
		return 0, false
	}
	defer func() { _ = r.Close() }()
	if is, _, _ := sniff(r); is != isAudit {
		return 0, false
	}
	line, err := audit.NewLines(r).Next()
	if err != nil {
		return 0, false
	}
	return audit.Since(line), true
}

// streamAll reads the logs side by side, the one furthest behind first.
func (b *builder) streamAll(streams []*stream, out *recording.Writer) (coverage model.Interval, err error) {
	var pending []chronology.Sighting
	limit := cmp.Or(b.options.batch, batchSize)
	for next := limit; ; {
		s := furthestBehind(streams)
		if s == nil {
			break
		}
		ch, err := b.next(s)
		if err != nil {
			return coverage, err
		}
		if s.done {
			_ = s.reader.Close()
		}
		if ch != nil {
			pending = append(pending, chronology.Sighting{Change: *ch})
			b.eras.Count(ch, nil)
		}
		if len(pending) >= next {
			if pending, err = b.settle(pending, out, s.newest.Add(-settled)); err != nil {
				return coverage, err
			}
			next = max(limit, 2*len(pending)) // a busy half minute is not settled again for every line
		}
	}
	if _, err := b.settle(pending, out, model.FarFuture); err != nil {
		return coverage, err
	}
	for _, s := range streams {
		spoke := s.log.Coverage()
		b.sources[s.source].Coverage = spoke
		coverage = coverage.Spanning(spoke)
		b.version = cmp.Or(b.version, s.log.ServerVersion())
	}
	b.sayAside()
	return coverage, b.who.Check()
}

// furthestBehind is the log whose newest request is the oldest.
func furthestBehind(streams []*stream) *stream {
	var best *stream
	for _, s := range streams {
		if !s.done && (best == nil || max(s.first, s.newest) < max(best.first, best.newest)) {
			best = s
		}
	}
	return best
}

func (s *stream) begin(b *builder, r *input.Reader) {
	s.reader, s.lines, s.log = r, audit.NewLines(r), audit.NewReader(b.decoder, s.source)
	s.log.Seen = b.seen // a request counts once, also where copies of a log are read
	b.holeFinder.log(s.source, s.log)
}

func (b *builder) next(s *stream) (*model.Change, error) {
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	if s.reader == nil {
		r, err := b.progress.open(b.ctx, s.file)
		if err != nil {
			return nil, err
		}
		_ = r.SkipPadding() // its error is that of the first line
		b.padded(int(s.source), r)
		s.begin(b, r)
	}
	line, err := s.lines.Next()
	if err != nil {
		if !errors.Is(err, io.EOF) {
			b.problem(s.source, line.Number, line.Offset, "reading stopped: "+err.Error()+"; the part before it was used")
		}
		s.done = true
		return nil, nil
	}
	ch, err := s.log.Line(line)
	if s.unusable++; err == nil {
		s.unusable = 0
	} else if b.problem(s.source, line.Number, line.Offset, err.Error()); s.unusable == maxUnusable {
		s.reader.Stop(errUnusable)
	}
	s.newest = max(s.newest, s.log.Coverage().Latest)
	return ch, nil
}

// settle dates the Changes that are complete, records them, and returns the rest, in the same memory.
func (b *builder) settle(pending []chronology.Sighting, out *recording.Writer, until model.Instant) (rest []chronology.Sighting, err error) {
	rest = pending[:0]
	b.ready = b.ready[:0]
	for _, s := range pending {
		if s.Time.Earliest <= until {
			b.ready = append(b.ready, s)
		} else {
			rest = append(rest, s)
		}
	}
	clear(pending[len(rest):])
	b.setAside(b.ready)
	for i := range b.ready {
		b.identify(&b.ready[i])
	}
	dated := chronology.Date(b.ready, nil)
	b.holeFinder.apart = dated.Apart
	for _, ch := range dated.Changes {
		b.hear(&ch)
		b.count(ch.Origin, &ch)
		if err := out.Add(&ch); errors.Is(err, recording.ErrTooLarge) {
			b.problem(ch.Origin.Source, int(ch.Origin.Line), ch.Origin.Offset, fmt.Sprintf("%s %s has more than 6 MiB, and was left out", ch.Kind, ch.Key))
		} else if err != nil {
			return nil, err
		}
	}
	if out.Size() > maxTemporary {
		return nil, errFull
	}
	return rest, nil
}

func (o Options) streamFrom() int64 { return cmp.Or(o.StreamFrom, streamFrom) }
