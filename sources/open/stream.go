package open

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/audit"
	"kardia/sources/read/dating"
	"kardia/sources/read/input"
	"kardia/sources/read/spool"
)

// Audit logs are large: they are read as a stream, dated a batch at a time, and spooled to
// disk, so that a log of any length opens in bounded memory. Only logs that are read with
// nothing else can be: watch files need all evidence at once.
const (
	// streamFrom is the size on disk from which logs are streamed.
	streamFrom = 64 << 20
	// batchSize is how many Changes are dated at once.
	batchSize = 40_000
	// settled is how far behind the newest request a Change is taken to be in order: the log's
	// lines are in the order in which requests ended, and none of ours takes longer.
	settled = 30 * time.Second
)

// stream is one audit log being read.
type stream struct {
	file   input.File
	source int32
	first  model.Instant // of its first line, by which logs take their turns

	reader *input.Reader
	lines  audit.Lines
	log    *audit.Reader
	newest model.Instant
	done   bool
}

// streamLogs opens audit logs alone. It gives up on logs, returning false, where one of the
// files is something else.
func (b *builder) streamLogs(files []input.File) (opened *Opened, ok bool, err error) {
	streams := make([]*stream, 0, len(files))
	for _, f := range files {
		first, is := firstRequest(b.ctx, f)
		if !is {
			return nil, false, nil
		}
		streams = append(streams, &stream{file: f, first: first})
	}
	slices.SortStableFunc(streams, func(a, c *stream) int { return cmp.Compare(a.first, c.first) })
	for _, s := range streams {
		s.source = b.source(s.file.Path, "audit")
	}
	out, err := spool.New()
	if err != nil {
		return nil, true, err
	}
	opened, err = b.spoolLogs(streams, out)
	if err != nil {
		_ = out.Close()
	}
	return opened, true, err
}

// firstRequest is the time of the first line of a file, if it is an audit log that can be
// opened twice.
func firstRequest(ctx context.Context, f input.File) (model.Instant, bool) {
	if f.Size < 0 {
		return 0, false
	}
	r, err := f.Open(ctx)
	if err != nil {
		return 0, false
	}
	defer func() { _ = r.Close() }()
	head, _ := r.Peek(4096)
	if !looksLikeText(head) || !audit.Sniff(head) {
		return 0, false
	}
	log := audit.NewReader(nil, 0)
	line, err := audit.NewLines(r).Next()
	if err != nil {
		return 0, false
	}
	log.Glance(line)
	return log.Coverage().Earliest, true
}

// spoolLogs reads the logs side by side, the one that is furthest behind first.
func (b *builder) spoolLogs(streams []*stream, out *spool.Spool) (*Opened, error) {
	var pending []dating.Sighting
	var coverage model.Interval
	limit := cmp.Or(b.options.batch, batchSize)
	for next := limit; ; {
		s := furthestBehind(streams)
		if s == nil {
			break
		}
		ch, err := b.next(s)
		if err != nil {
			return nil, err
		}
		if ch != nil {
			pending = append(pending, dating.Sighting{Change: *ch})
			b.identify(&pending[len(pending)-1])
		}
		if len(pending) >= next {
			if pending, err = b.settle(pending, out, s.newest.Add(-settled)); err != nil {
				return nil, err
			}
			next = max(limit, 2*len(pending)) // a busy half minute is not settled again for every line
		}
	}
	if _, err := b.settle(pending, out, model.FarFuture); err != nil {
		return nil, err
	}
	for _, s := range streams {
		spoke := s.log.Coverage()
		b.sources[s.source].Coverage = spoke
		if !coverage.Known() {
			coverage = spoke
		}
		coverage = model.Interval{Earliest: min(coverage.Earliest, spoke.Earliest), Latest: max(coverage.Latest, spoke.Latest)}
		b.version = cmp.Or(b.version, s.log.ServerVersion())
	}
	if err := b.who.Check(); err != nil {
		return nil, err
	}
	if err := out.Finish(coverage, b.holes(nil), b.sources); err != nil {
		return nil, err
	}
	if _, end := out.Span(); end == 0 {
		return nil, fmt.Errorf("%w: %s", ErrUnreadable, b.whyNothing())
	}
	return &Opened{History: out, ServerVersion: b.version, Partial: b.partial}, nil
}

// furthestBehind is the log whose turn it is: the one whose newest request is the oldest.
func furthestBehind(streams []*stream) *stream {
	var best *stream
	for _, s := range streams {
		if !s.done && (best == nil || max(s.first, s.newest) < max(best.first, best.newest)) {
			best = s
		}
	}
	return best
}

// next reads one line of a log.
func (b *builder) next(s *stream) (*model.Change, error) {
	if err := b.ctx.Err(); err != nil {
		return nil, err
	}
	if s.reader == nil {
		r, err := s.file.Open(b.ctx)
		if err != nil {
			return nil, err
		}
		s.reader, s.lines, s.log = r, audit.NewLines(r), audit.NewReader(b.decoder, s.source)
		s.log.Seen = b.seen
		b.ears.log(s.source, s.log)
	}
	line, err := s.lines.Next()
	if err != nil {
		if !errors.Is(err, io.EOF) {
			b.problem(s.source, line.Number, line.Offset, "reading stopped: "+err.Error()+"; what came before was used")
		}
		s.done = true
		b.done += s.file.Size
		return nil, s.reader.Close()
	}
	if line.Number%progressEvery == 0 {
		b.progress(s.file, s.reader)
	}
	ch, err := s.log.Line(line)
	if err != nil {
		b.problem(s.source, line.Number, line.Offset, err.Error())
	}
	s.newest = max(s.newest, s.log.Coverage().Latest)
	return ch, nil
}

// settle dates what is old enough to be complete, spools it, and returns the rest.
func (b *builder) settle(pending []dating.Sighting, out *spool.Spool, until model.Instant) ([]dating.Sighting, error) {
	var ready, rest []dating.Sighting
	for _, s := range pending {
		if s.Time.Earliest <= until {
			ready = append(ready, s)
		} else {
			rest = append(rest, s)
		}
	}
	dated := dating.Date(ready, nil)
	b.ears.apart = dated.Apart
	for _, ch := range dated.Changes {
		b.hear(&ch)
		b.count(ch.Origin, &ch)
		if err := out.Append(ch); err != nil {
			return nil, err
		}
	}
	return rest, nil
}

var _ history.History = (*spool.Spool)(nil)
