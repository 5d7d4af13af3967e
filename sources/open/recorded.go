package open

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/read/identity"
	"kardia/sources/read/input"
	"kardia/sources/recording"
	"kardia/sources/scenario"
)

// part separates Kardia's own files, recordings and scenarios, from others. Logs and samples are read at once.
func (b *builder) part(files []input.File) (others, recorded []input.File, err error) {
	for _, f := range files {
		switch is := b.looksLike(f); {
		case is.own:
			recorded = append(recorded, f)
		case f.Size >= 0 && is.said:
			err = b.file(f)
		default:
			others = append(others, f)
		}
		if err = cmp.Or(err, b.ctx.Err()); err != nil {
			return nil, nil, err
		}
	}
	return others, recorded, nil
}

func (b *builder) openRecordings(files []input.File) (*Opened, error) {
	opened, why := b.openAll(files)
	if len(opened) == 0 {
		return nil, fmt.Errorf("%w: %w", ErrUnreadable, why)
	}
	if err := b.oneCluster(opened); err != nil {
		for _, r := range opened {
			_ = r.Close()
		}
		return nil, err
	}
	if mergeable(opened) {
		b.merged = opened
		return nil, errOverlap
	}
	var chain []*recording.File
	last := model.FarPast
	for _, r := range opened {
		begins, ends := reach(r)
		if begins < last {
			b.problem(b.source(r.Name(), "recording"), 0, 0, fmt.Sprintf("it overlaps another recording (it starts %s, before %s) and was left out; open it by itself", begins, last))
			_ = r.Close()
			continue
		}
		chain, last = append(chain, r), max(last, ends)
	}
	meta := chain[0].Meta()
	b.compareFlags(chain)
	out := &Opened{History: chain[0], ServerVersion: meta.ServerVersion, ClusterUID: meta.ClusterUID, Partial: b.partial, Recordings: chain}
	for _, r := range chain {
		out.Partial = out.Partial || r.Meta().Partial || len(r.Problems()) > 0
	}
	if len(chain) > 1 || len(b.sources) > 0 {
		out.History = chained(chain, b.sources)
	}
	if _, end := out.History.Span(); end == 0 && len(out.History.Statements()) == 0 {
		return nil, fmt.Errorf("%w: %s holds no change", ErrUnreadable, chain[0].Name())
	}
	return out, nil
}

// openAll opens recordings, in order of time, and notes those that cannot be opened; why is the last fault.
func (b *builder) openAll(files []input.File) (opened []*recording.File, why error) {
	for _, f := range files {
		r, err := b.openRecording(f)
		if err != nil {
			why = err
			b.problem(b.source(f.Path, "recording"), 0, 0, err.Error())
			continue
		}
		opened = append(opened, r)
	}
	slices.SortStableFunc(opened, func(x, y *recording.File) int { return cmp.Compare(x.Coverage().Earliest, y.Coverage().Earliest) })
	return opened, why
}

// oneCluster checks by their final states whether recordings can be of one cluster.
func (b *builder) oneCluster(opened []*recording.File) error {
	if len(opened) < 2 {
		return nil
	}
	who, names := identity.New(), map[string]bool{}
	for _, r := range opened {
		names[filepath.Base(r.Name())] = true
	}
	for i, r := range opened {
		if err := b.ctx.Err(); err != nil {
			return err
		}
		source, meta := int32(i), r.Meta()
		who.Of(source, r.Name())
		if meta.ClusterUID != "" {
			who.System(source, meta.ClusterUID, 0)
		}
		if meta.Continues != "" && names[filepath.Base(meta.Continues)] {
			continue
		}
		cursor := history.NewCursor(r)
		if first, end := r.Span(); first == end || cursor.Seek(r.Coverage().Latest) != nil {
			continue // reported where it is read
		}
		identifyState(who, source, cursor.State())
	}
	return who.Check()
}

func identifyState(who *identity.Inputs, source int32, c *model.Cluster) {
	see := func(ch *model.Change, created, stamped model.Instant) {
		who.Add(identity.Sighting{Change: ch, Source: source, Created: created, Stamped: stamped})
	}
	c.Nodes(func(row *model.NodeRow) bool {
		if n := row.Node; n != nil {
			see(&model.Change{Kind: model.KindNode, Key: model.Key{Name: row.Name}, UID: n.UID, Version: row.Version, Node: n}, n.Created, row.Posted)
		}
		if l := &row.Lease; l.Seen && !l.Gone {
			see(&model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: row.Name}, UID: l.UID, Version: l.Version, Lease: l.Lease},
				l.Created, max(l.Renewed, l.Heard))
		}
		return true
	})
	for _, p := range c.Pods() {
		see(&model.Change{Kind: model.KindPod, Key: p.Key, UID: p.UID, Pod: p}, p.Created, 0)
	}
}

func reach(r *recording.File) (begins, ends model.Instant) {
	first, end := r.Span()
	if first == end {
		return model.FarPast, model.FarPast
	}
	return r.PageAt(first).First, r.PageAt(end - 1).Last
}

// openRecording opens a file in place, or a temporary copy if it is compressed, embedded, piped or a scenario.
func (b *builder) openRecording(f input.File) (*recording.File, error) {
	r, err := b.progress.open(b.ctx, f)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	if head, _ := r.Peek(512); scenario.Sniff(head) {
		return b.playScenario(f.Path, r)
	}
	if f.OnDisk() && r.Compression == "" {
		return recording.Open(f.Path)
	}
	copied, err := recording.NewTemporary("a compressed recording")
	if err != nil {
		return nil, err
	}
	size, err := io.Copy(copied, io.LimitReader(r, maxTemporary))
	if err != nil {
		_ = copied.Close()
		return nil, fmt.Errorf("%s cannot be unpacked: %w", f.Path, err)
	}
	file, err := recording.OpenAt(copied, size, f.Path)
	if err != nil {
		_ = copied.Close()
	}
	return file, err
}

// About is the description and the bookmarks for a recording of the input: its own if it was a recording, else by the
// files. tool is the program that writes it.
func (o *Opened) About(tool string) (m recording.Meta, marks []past.Bookmark) {
	marks = o.Marks()
	if len(o.Recordings) > 0 {
		m = o.Recordings[0].Meta()
	} else {
		m.Name, m.Redaction, m.Clock = o.Name, "slim", clockOf(o.History.Sources())
	}
	m.Tool, m.Start, m.ServerVersion, m.Partial = tool, o.Start, o.ServerVersion, o.Partial
	m.ClusterUID = o.ClusterUID
	m.Sources = o.History.Sources()
	return m, marks
}

func clockOf(sources []history.Source) string {
	clock := "none"
	for _, s := range sources {
		switch {
		case s.Changes == 0:
		case s.Quality == model.ByArrival:
			return "recorder"
		case s.Quality == model.ByServer:
			clock = "API server"
		}
	}
	return clock
}
