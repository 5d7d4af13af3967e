// Package open opens the inputs that the user names: any mix of files and directories in any supported format, or an
// embedded demo. It merges them into one History. For example: an audit log and a dump of nodes are two Sources.
package open

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/bookmarks"
	"kardia/sources/demo"
	"kardia/sources/read/audit"
	"kardia/sources/read/chronology"
	"kardia/sources/read/identity"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
	"kardia/sources/recording"
)

// demoPrefix names an embedded incident instead of a path.
const demoPrefix = "demo:"

// Open reads everything named. File types are detected by content. It returns an error wrapping ErrUnreadable if
// nothing could be used, an *identity.Mixed if the files cannot be of one cluster, and context errors.
func Open(ctx context.Context, paths []string, o Options) (*Opened, error) {
	files, all, err := expand(paths)
	if err != nil {
		return nil, err
	}
	o.named = all
	opened, err := openFiles(ctx, files, o)
	if err != nil {
		return nil, err
	}
	opened.Name = nameOf(all)
	opened.Start = opened.History.Coverage().Earliest
	if len(opened.Recordings) > 0 {
		opened.Start = cmp.Or(opened.Recordings[0].Meta().Start, opened.Start)
	}
	if strings.HasPrefix(paths[0], demoPrefix) {
		opened.Start = beforeFirstUnknown(opened.History)
	}
	return opened, nil
}

func openFiles(ctx context.Context, files []input.File, o Options) (*Opened, error) {
	input.ByPath(files) // so that the order of the command line does not matter
	b := &builder{ctx: ctx, options: o, decoder: &object.Decoder{}, seen: audit.NewIDs(), who: identity.New(), packed: map[string]bool{}, watchOf: map[string]int32{}}
	b.progress = progress{told: o.Progress, waits: o.Waits, patience: cmp.Or(o.patience, time.Second), read: map[string]int64{}}
	for _, f := range files {
		b.progress.expect(f)
	}
	files, members, err := b.unpack(b.listed(files))
	if err != nil {
		return nil, err
	}
	defer members()
	files, recorded, err := b.part(files)
	if err != nil {
		return nil, err
	}
	if len(recorded) > 0 && len(files) == 0 {
		opened, err := b.openRecordings(recorded)
		if !errors.Is(err, errOverlap) {
			return b.withLogs(opened, err)
		}
	}
	opened, err := b.readAll(files, recorded)
	if err != nil {
		for _, r := range b.merged {
			_ = r.Close()
		}
	}
	return opened, err
}

func (b *builder) readAll(files, recorded []input.File) (*Opened, error) {
	if err := b.mergeRecordings(recorded); err != nil {
		return nil, err
	}
	if b.unpackedSize(files) >= b.options.streamFrom() && len(recorded) == 0 && len(files) > 0 {
		if opened, ok, err := b.streamLogs(files); ok {
			return opened, err
		}
	}
	for _, f := range files {
		if err := b.file(f); err != nil {
			return nil, err
		}
	}
	return b.finish()
}

// finish dates everything read and makes the History.
func (b *builder) finish() (*Opened, error) {
	for i := range b.sightings {
		b.eras.Count(&b.sightings[i].Change, &b.sightings[i].Stamps)
	}
	b.setAside(b.sightings)
	b.sayAside()
	for i := range b.sightings {
		b.identify(&b.sightings[i])
	}
	if err := b.who.Check(); err != nil {
		return nil, err
	}
	b.unlisted()
	captures, err := b.captures()
	if err != nil {
		return nil, err
	}
	dated := chronology.Date(b.sightings, b.notices, captures...)
	statements := b.said(dated.Coverage)
	if len(dated.Changes) == 0 && len(statements) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrUnreadable, b.whyNothing())
	}
	for source := range b.sources {
		if n := dated.Distrusted[int32(source)]; n > 0 {
			b.note(int32(source), fmt.Sprintf("%d versions carry a timestamp that contradicts the versions around them (a clock far off?); they were dated by those instead", n))
		}
	}
	for _, c := range b.oneClock(dated.Clocks) {
		b.note(c.Source, fmt.Sprintf("its clock was %s of the API server's, by %d writes that are also in %s; no time was changed for it", c.Ahead, c.Writes, b.sources[c.Against].Path))
	}
	if len(b.wholes) > 0 {
		dated.Changes = chronology.WithoutGone(dated.Changes, b.wholes)
	}
	resolvePatches(b.decoder, dated.Changes)
	for i := range b.sources {
		if v, ok := dated.SourceCoverage[int32(i)]; ok {
			b.sources[i].Coverage = v
		}
		b.sources[i].Captured = dated.Captured[int32(i)]
	}
	b.holeFinder.apart = dated.Apart
	for i := range dated.Changes {
		ch := &dated.Changes[i]
		b.hear(ch)
		b.count(ch.Origin, ch)
		if ch.Also != (model.Origin{}) {
			b.count(ch.Also, ch)
		}
	}
	h := history.NewMemory(dated.Changes, b.spoken(dated.Coverage), b.holes(dated.Gaps), b.sources)
	h.Readings = b.clocks
	h.Said = statements
	return &Opened{History: h, Skipped: b.skipped, Passed: b.passed, merged: b.merged, joined: b.joined, ServerVersion: cmp.Or(b.version, b.decoder.Controller.Version),
		ClusterUID: b.system, Partial: b.partial, controller: b.decoder.Controller.Params()}, nil
}

// unpackedSize is about how many bytes files have: logs are packed to a tenth, and often to less.
func (b *builder) unpackedSize(files []input.File) (size int64) {
	for _, f := range files {
		if size += max(f.Size, 0); b.packed[f.Path] {
			size += 9 * max(f.Size, 0)
		}
	}
	return size
}

// listed removes the directories that could not be listed, with a note.
func (b *builder) listed(files []input.File) []input.File {
	return slices.DeleteFunc(files, func(f input.File) bool {
		switch {
		case errors.Is(f.Unlisted, input.ErrOutside):
			b.note(b.source(f.Path, "link"), f.Unlisted.Error())
		case f.Unlisted != nil:
			b.problem(b.source(f.Path, "unreadable"), 0, 0, f.Unlisted.Error())
		}
		return f.Unlisted != nil
	})
}

func expand(paths []string) (files []input.File, all []named, err error) {
	if len(paths) == 0 {
		return nil, nil, errors.New("no recording named: give files, directories, or demo:NAME")
	}
	var onDisk []string
	for _, p := range paths {
		n := readNamed(p)
		all = append(all, n)
		if which, ok := strings.CutPrefix(n.path, demoPrefix); ok {
			embedded, err := demo.Files(which)
			if err != nil {
				return nil, nil, err
			}
			files = append(files, embedded...)
			continue
		}
		if which, ok := strings.CutPrefix(n.path, scenarioPrefix); ok {
			embedded, err := embeddedScenario(which)
			if err != nil {
				return nil, nil, err
			}
			files = append(files, embedded)
			continue
		}
		onDisk = append(onDisk, n.path)
	}
	found, err := input.Expand(onDisk)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrUnreadable, err)
	}
	found = slices.DeleteFunc(found, func(f input.File) bool {
		return !f.Named && (strings.HasSuffix(f.Path, bookmarks.Suffix) || recording.IsLeftover(f.Path) || recording.IsLock(f.Path))
	})
	return append(files, found...), all, nil
}

func nameOf(all []named) string {
	name := strings.TrimPrefix(all[0].path, demoPrefix)
	if name == all[0].path {
		if abs, err := filepath.Abs(name); err == nil {
			name = filepath.Base(abs)
		}
	}
	if len(all) > 1 {
		name += fmt.Sprintf(" +%d", len(all)-1)
	}
	return name
}

// leadIn is how long before the first declaration a demo starts.
const leadIn = 20 * 1e9

func beforeFirstUnknown(h history.History) model.Instant {
	start := h.Coverage().Earliest
	if first, ok := FirstUnknown(h); ok {
		return max(start, first.Add(-leadIn))
	}
	return start
}

// FirstUnknown is when an object or a controller's log first shows a node declared Unknown; false if none does.
func FirstUnknown(h history.History) (first model.Instant, ok bool) {
	coverage := h.Coverage()
	_ = history.Walk(h, coverage.Earliest, coverage.Latest, &history.Condensed{WithoutRenewals: true}, func(_ int, ch *model.Change) bool {
		if ch.Op == model.OpModify && ch.Node != nil && ch.Node.Ready() != nil && ch.Node.Ready().Status == model.StatusUnknown {
			first, ok = ch.Effective(), true
		}
		return !ok
	})
	for _, s := range h.Statements() {
		if s.Decision() == model.MarkUnknown && !s.Sampled && (!ok || s.At < first) {
			return s.At, true
		}
	}
	return first, ok
}
