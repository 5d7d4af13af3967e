package open

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/sources/read/audit"
	"kardia/sources/read/chronology"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
	"kardia/sources/read/watchstream"
)

// maxUnusable is how many objects of a file, or lines of an audit log in a row, may be unusable before it is no input.
const maxUnusable = 1_000_000

var errUnusable = fmt.Errorf("more than %d lines cannot be used, as in no log or dump", maxUnusable)

// file reads one file. The only errors are a cancelled context and exceeded memory; faults of a file are noted with it.
func (b *builder) file(f input.File) error {
	if err := b.ctx.Err(); err != nil {
		return err
	}
	r, err := b.progress.open(b.ctx, f)
	if err != nil {
		b.problem(b.source(f.Path, "unreadable"), 0, 0, err.Error())
		return nil
	}
	defer func() { _ = r.Close() }()
	is, head, err := sniff(r)
	if err != nil && b.ctx.Err() == nil {
		b.problem(b.source(f.Path, "unreadable"), 0, r.Padding, "cannot be read: "+err.Error())
		return nil
	}
	source := len(b.sources)
	if is.read != nil {
		if err := is.read(b, f, r, head); err != nil {
			return err
		}
	}
	b.padded(source, r)
	return b.ctx.Err()
}

// refused reports a file that Kardia cannot read, with the reason.
func refused(why string) func(*builder, input.File, *input.Reader, []byte) error {
	return func(b *builder, f input.File, _ *input.Reader, _ []byte) error {
		b.unknown(f, why+expected)
		return nil
	}
}

func (b *builder) objects(f input.File, r *input.Reader, head []byte) error {
	if why := instead(head); why != "" {
		b.unknown(f, why)
		b.instead = cmp.Or(b.instead, f.Path+": "+why)
		return nil
	}
	return b.stream(f, r, head, watchstream.Read)
}

func (b *builder) padded(source int, r *input.Reader) {
	if r.Padding > 0 && source < len(b.sources) {
		b.note(int32(source), fmt.Sprintf("%d NUL bytes before its first line were skipped: the log was truncated while it was written (copytruncate), and its earlier lines are not in it", r.Padding))
	}
}

const expected = "; expected what kubectl prints with -o json or yaml, a watch, an audit log, the log of a controller, or what Prometheus answers to a query"

func (b *builder) unknown(f input.File, why string) {
	if !f.Named {
		b.skipped = append(b.skipped, f.Path)
		return
	}
	b.problem(b.source(f.Path, "unknown"), 0, 0, why)
}

type streamReader func(r *input.Reader, decoder *object.Decoder, source int32, report func(line int, offset int64, what string)) (watchstream.Stream, error)

// stream reads kubectl's output. The error is that it is more than Kardia can hold.
func (b *builder) stream(f input.File, r *input.Reader, head []byte, read streamReader) error {
	kubernetes, structured := shows(head)
	source, partial, problems := b.source(f.Path, ""), b.partial, 0
	out, err := read(r, b.decoder, source, func(line int, offset int64, what string) {
		b.problem(source, line, offset, what)
		if problems++; problems == cmp.Or(b.options.unusable, maxUnusable) {
			r.Stop(errUnusable)
		}
	})
	switch {
	case errors.Is(err, watchstream.ErrTooMany):
		return fmt.Errorf("%w: %s: %w", ErrUnreadable, f.Path, err)
	case err != nil:
		problems++
		b.problem(source, 0, 0, "reading stopped: "+err.Error()+"; the part before it was used")
	}
	b.sources[source].Format = out.Format()
	for _, text := range out.Notes {
		b.note(source, text)
	}
	if out.ServerVersion != "" {
		b.version = out.ServerVersion
	}
	for _, c := range out.Clusters {
		b.system = c.UID
		b.who.System(source, c.UID, c.Line)
	}
	b.sources[source].Empty = out.Empty
	nothing := len(out.Empty) == 0 && len(out.Sightings)+len(out.Events) == 0 && len(out.Notices) == 0 && out.ServerVersion == "" && len(out.Clusters) == 0
	// A file that should hold objects is noted with its reasons. For other files the faults inside do not help.
	reasons := problems > 0 && (kubernetes || f.Named && (structured || err != nil))
	if nothing && !reasons && (!f.Named || out.Documents == 0) {
		b.sources, b.partial = b.sources[:source], partial
		b.unknown(f, "nothing in it is a Kubernetes object or a watch event"+expected)
		return nil
	}
	if nothing && out.Nothing && problems == 0 {
		b.problem(source, 0, 0, "the list is empty: it shows that kubectl found nothing, and not of what")
	}
	b.notices = append(b.notices, out.Notices...)
	if slices.ContainsFunc(out.Notices, func(n chronology.Notice) bool { return n.What == chronology.Lost }) {
		b.who.Broke(source)
	}
	if out.Watch || out.Retold {
		b.sightings = append(b.sightings, out.Sightings...)
		return nil
	}
	b.recordedEvents(f, out.Events)
	begins := 0
	for n, end := range append(out.Rounds, len(out.Sightings)) {
		if n > 0 {
			source = b.source(fmt.Sprintf("%s, list %d", f.Path, n+1), out.Format())
		}
		b.capture(f, source, out.Sightings[begins:end], out.Taken[n], out.After[n])
		begins = end
	}
	return nil
}

// recordedEvents takes events of a watch that were recorded one by one. A group is one source, in however many files.
func (b *builder) recordedEvents(f input.File, events []chronology.Sighting) {
	if len(events) == 0 {
		return
	}
	group, _ := b.groupOf(f.Path)
	group = group[:strings.LastIndexByte(group, '@')]
	source, ok := b.watchOf[group]
	if !ok {
		source = b.source(group+", watch", "watch")
		b.watchOf[group] = source
	}
	for i := range events {
		events[i].Origin.Source = source
	}
	b.sightings = append(b.sightings, events...)
}

func (b *builder) lines(source int32, all entries.Lines, take func(input.Line)) {
	if end, err := entries.Each(all, take); err != nil {
		b.problem(source, end.Number, end.Offset, "reading stopped: "+err.Error()+"; the part before it was used")
	}
}

func (b *builder) audit(f input.File, r *input.Reader, _ []byte) error {
	s := &stream{file: f, source: b.source(f.Path, "audit")}
	for s.begin(b, r); !s.done; {
		ch, err := b.next(s)
		if err != nil {
			return err // cancelled
		}
		if ch != nil {
			b.sightings = append(b.sightings, chronology.Sighting{Change: *ch})
		}
	}
	for _, t := range []model.Instant{s.log.Coverage().Earliest, s.log.Coverage().Latest} {
		b.notices = append(b.notices, chronology.Notice{What: chronology.Spoke, Arrival: t, Source: s.source})
	}
	b.version = cmp.Or(b.version, s.log.ServerVersion())
	return nil
}

// resolvePatches turns patches without their objects into whole objects, if an earlier Change of another source shows
// the object before. The audit reader has resolved those whose base its own log shows.
func resolvePatches(decoder *object.Decoder, changes []model.Change) {
	if !slices.ContainsFunc(changes, func(ch model.Change) bool { return ch.Op == model.OpPatch }) {
		return
	}
	nodes, pods := map[model.Key]*model.Node{}, map[model.Key]*model.Pod{}
	for i := range changes {
		ch := &changes[i]
		if ch.Op == model.OpPatch {
			if node := nodes[ch.Key]; ch.Kind == model.KindNode && node != nil {
				if patched, err := audit.ApplyPatch(decoder, node, ch.Patch); err == nil {
					ch.Node, ch.Op, ch.Patch = patched, model.OpModify, nil
				}
			}
			if pod := pods[ch.Key]; ch.Kind == model.KindPod && pod != nil {
				if patched, err := audit.ApplyPodPatch(decoder, pod, ch.Patch); err == nil {
					ch.Pod, ch.Op, ch.Patch = patched, model.OpModify, nil
				}
			}
		}
		switch {
		case ch.Op == model.OpDelete:
			delete(nodes, ch.Key)
			delete(pods, ch.Key)
		case ch.Node != nil:
			nodes[ch.Key] = ch.Node
		case ch.Pod != nil:
			pods[ch.Key] = ch.Pod
		}
	}
}
