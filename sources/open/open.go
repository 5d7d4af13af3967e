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
	"kardia/model/past"
	"kardia/sources/bookmarks"
	"kardia/sources/demo"
	"kardia/sources/read/audit"
	"kardia/sources/read/identity"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
	"kardia/sources/recording"
)

// ErrUnreadable: none of the named files could be used.
var ErrUnreadable = errors.New("no readable recording")

type Options struct {
	// Progress, if set, gets the bytes read, the total (0 if unknown), and the file.
	Progress func(done, total int64, what string)
	// Waits, if set, is called once for a pipe that gives nothing for a second.
	Waits func(what string)
	// Played, if set, gets the time of a scenario played so far, and its length.
	Played func(played, length time.Duration, what string)
	// StreamFrom is the size in bytes from which audit logs are read as a stream and recorded in a temporary file; 0
	// means 64 MiB. A compressed log counts ten times.
	StreamFrom int64
	// CapturedAt is when the capture among the files was taken, if given. PATH@TIME gives it for one path.
	CapturedAt model.Instant
	// Year is the year of logs without one, such as klog's; 0 if not given.
	Year int
	// LogZone is the time zone of logs without one, such as klog's; nil if not given.
	LogZone *time.Location
	// Says words findings about the input; nil: by their codes.
	Says func(past.Finding) string
	// LookBack is the look-back of the Prometheus of the samples; 0 if not given.
	LookBack time.Duration

	unusable int           // how many lines of a file may be unusable; 0 means maxUnusable
	patience time.Duration // before Waits is called; 0 means a second

	named []named // where files come from; set by Open
	batch int     // how many Changes of a stream are dated at once; 0 means batchSize
}

func (o Options) says(f past.Finding) string {
	if o.Says == nil {
		return f.String()
	}
	return o.Says(f)
}

func (o Options) streamFrom() int64 { return cmp.Or(o.StreamFrom, streamFrom) }

type Opened struct {
	History history.History
	// Skipped are files in a directory that no reader recognised.
	Skipped []string
	// Passed counts members of archives that are no input.
	Passed int
	// controller are the flags of kube-controller-manager by its Pods; nil without any.
	controller *model.Params
	// ServerVersion is the cluster's own version; "" if unknown.
	ServerVersion string
	// ClusterUID is the UID of the namespace kube-system; "" if unknown.
	ClusterUID string
	Name       string
	// Start is where a session starts: 20 s before the first node is declared Unknown in a demo, else at the coverage.
	Start model.Instant
	// Partial: something named, or part of a file, could not be used.
	Partial bool
	// Watched: it is a cluster that was watched until now.
	Watched bool
	// LeadersUnwatched is since when its leader leases are not watched, though all else is.
	LeadersUnwatched model.Instant
	// Recordings are Kardia's own files behind the History, in order of time; none if other files were read.
	Recordings []*recording.File

	merged []*recording.File // that were to be merged with others, or hold the Changes of a stream
	joined []*recording.File // those of them that were merged
}

// Close frees what the History has on disk. It may be called more than once.
func (o *Opened) Close() {
	for _, r := range slices.Concat(o.Recordings, o.merged) {
		_ = r.Close()
	}
}

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
