// Package open opens what the user names: any mix of files and directories in any
// supported format, or an embedded demo, and merges it into one History.
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
	"kardia/model/past"
	"kardia/sources/bookmarks"
	"kardia/sources/demo"
	"kardia/sources/read/audit"
	"kardia/sources/read/identity"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
	"kardia/sources/recording"
)

// ErrUnreadable reports that none of the named files could be used.
var ErrUnreadable = errors.New("no readable recording")

// Options guide opening.
type Options struct {
	// Progress, if set, is called now and then with the bytes read, the total, and the file. total is 0 if it is not
	// known.
	Progress func(done, total int64, what string)
	// Waits, if set, is called once for a pipe of which nothing can be read for a second.
	Waits func(what string)
	// Played, if set, is called now and then with the time of a scenario played so far, and its length.
	Played func(played, length time.Duration, what string)
	// StreamFrom is the size in bytes from which audit logs are read as a stream and recorded in a temporary file; 0
	// means 64 MiB. The size of a compressed log counts ten times.
	StreamFrom int64
	// CapturedAt is when the capture among the named files was taken; unknown if not given. PATH@TIME gives it for one
	// path.
	CapturedAt model.Instant
	// Year is the year of logs that contain none, such as klog's; 0 if not given.
	Year int
	// LogZone is the time zone of logs that name none, as klog does not; nil if not given.
	LogZone *time.Location
	// Says words what was found out about the input; nil: by its code.
	Says func(past.Finding) string
	// LookBack is the look-back of the Prometheus whose answers are among the named files; 0 if not given.
	LookBack time.Duration

	unusable int           // how many lines of a file may be unusable; 0 means maxUnusable
	patience time.Duration // before Waits is called; 0 means a second

	named []named // where files come from; set by Open
	batch int     // how many Changes of a stream are dated at once; 0 means batchSize
}

// says words a finding.
func (o Options) says(f past.Finding) string {
	if o.Says == nil {
		return f.String()
	}
	return o.Says(f)
}

func (o Options) streamFrom() int64 { return cmp.Or(o.StreamFrom, streamFrom) }

// Opened is the opened input.
type Opened struct {
	History history.History
	// Skipped are files found in a directory that no reader recognised.
	Skipped []string
	// Passed is how many members of archives were passed over, for they are no input of ours.
	Passed int
	// controller are the flags that the Pods of kube-controller-manager show; nil if they show none.
	controller *model.Params
	// ServerVersion is the cluster's own version; "" if no input contains it.
	ServerVersion string
	// ClusterUID is the UID of the namespace kube-system; "" if no input contains it.
	ClusterUID string
	// Name is for the title: the demo, the folder, or the file.
	Name string
	// Start is the instant at which a session begins: 20 s before the first node is declared Unknown in a demo, else
	// the start of coverage.
	Start model.Instant
	// Partial reports that something named, or part of a file, could not be used.
	Partial bool
	// Watched reports that it is no recording, but a cluster that was watched until now.
	Watched bool
	// LeadersUnwatched is since when its leaders' leases are not watched, though all else is; unknown if they are.
	LeadersUnwatched model.Instant
	// Recordings are Kardia's own files behind the History, in the order of their time; none if other files were read.
	Recordings []*recording.File

	temporary *recording.File   // of the streamed Changes; nil without a stream
	merged    []*recording.File // that were to be merged with others
	joined    []*recording.File // those of them that were
}

// Close gives back what the History holds on disk. It may be called more than once.
func (o *Opened) Close() {
	for _, r := range slices.Concat(o.Recordings, o.merged) {
		_ = r.Close()
	}
	if o.temporary != nil {
		_ = o.temporary.Close()
	}
}

// demoPrefix names an embedded incident wherever a path is taken.
const demoPrefix = "demo:"

// Open reads everything named. File types are detected by content, not by name. It returns an error wrapping
// ErrUnreadable if nothing could be used, an *identity.Mixed if the named files cannot be of one cluster, and context
// errors as they are.
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

// readAll reads files, and recordings together with them.
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

// unpackedSize is about how many bytes files hold: logs are packed to a tenth, and often to less.
func (b *builder) unpackedSize(files []input.File) (size int64) {
	for _, f := range files {
		if size += max(f.Size, 0); b.packed[f.Path] {
			size += 9 * max(f.Size, 0)
		}
	}
	return size
}

// listed is the files without the directories that could not be listed, which are noted.
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

// expand lists the files behind the paths, and the paths as named.
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

// nameOf is a name for all that was named.
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

// leadIn is how long before the first declaration a demo begins.
const leadIn = 20 * 1e9

// beforeFirstUnknown is a little before the first node is declared Unknown.
func beforeFirstUnknown(h history.History) model.Instant {
	start := h.Coverage().Earliest
	if first, ok := FirstUnknown(h); ok {
		return max(start, first.Add(-leadIn))
	}
	return start
}

// FirstUnknown is when the first node is seen, or said by a controller's log, to be declared Unknown; false if none is.
func FirstUnknown(h history.History) (first model.Instant, ok bool) {
	coverage := h.Coverage()
	_ = history.WalkOthers(h, coverage.Earliest, coverage.Latest, func(_ int, ch *model.Change) bool {
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
