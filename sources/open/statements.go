package open

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/input"
	"kardia/sources/read/klog"
)

// withLogs adds the Statements of logs to recordings that are opened as they are.
func (b *builder) withLogs(o *Opened, err error) (*Opened, error) {
	if err != nil || len(b.logs)+b.sampled.Used+b.sampled.Other == 0 {
		return o, err
	}
	from := len(o.History.Sources()) - len(b.sources) // the others are of the recordings
	said := b.said(o.History.Coverage())
	for i := range said {
		said[i].Origin.Source += int32(from)
	}
	o.History = beside{o.History, said, slices.Concat(o.History.Sources()[:from], b.sources)}
	o.Partial = o.Partial || b.partial
	return o, nil
}

// beside is a History with the Statements of logs.
type beside struct {
	history.History
	said    []history.Statement
	sources []history.Source
}

// Statements implements history.History.
func (b beside) Statements() []history.Statement {
	return saidOnce(slices.Concat(b.History.Statements(), b.said))
}

// saidOnce are Statements in order, each once: pieces of a log, and recordings of it, have the same ones.
func saidOnce(all []history.Statement) []history.Statement {
	slices.SortStableFunc(all, func(x, y history.Statement) int { return cmp.Compare(x.At, y.At) })
	type saying struct {
		at       model.Instant
		by, node string
		what     history.Saying
		sampled  bool
		pod      model.Key
		zone     model.Maybe[model.ZoneKey]
		text     string // of samples, and flags: others are distinguished by their time, and wrappers change the text
	}
	once, seen := all[:0], map[saying]int{}
	for _, s := range all {
		key := saying{at: s.At, by: s.By, node: s.Node, what: s.What, sampled: s.Sampled, pod: s.Pod, zone: s.Zone}
		if s.Sampled || s.What == history.SaidFlag || s.What == history.SaidFailed {
			key.text = s.Text
		}
		i, said := seen[key]
		if said && once[i].Origin.Source != s.Origin.Source {
			once[i].Until, once[i].Times, once[i].Silence = max(once[i].Until, s.Until), max(once[i].Times, s.Times), max(once[i].Silence, s.Silence)
			continue
		}
		seen[key] = len(once)
		once = append(once, s)
	}
	return once
}

// Sources implements history.History.
func (b beside) Sources() []history.Source { return b.sources }

// Fork implements history.History.
func (b beside) Fork() history.History { return beside{b.History.Fork(), b.said, b.sources} }

func (b *builder) klog(f input.File, r *input.Reader, _ []byte) error {
	log := &logged{f, b.source(f.Path, "klog"), nil}
	log.reader = klog.NewReader(log.source)
	b.lines(log.source, klog.NewLines(r), log.reader.Line)
	b.logs = append(b.logs, log)
	return nil
}

// said is the Statements of the logs, in order. near is the other input's time. Unnamed logs without nodes are skipped.
func (b *builder) said(near model.Interval) (all []history.Statement) {
	all = append(all, b.statements...)
	for _, source := range slices.Sorted(maps.Keys(b.holeFinder.logs)) {
		all = append(all, b.holeFinder.logs[source].Said()...)
	}
	all = append(all, b.sampled.Statements...)
	beside := near.Spanning(b.sampled.Coverage)
	near = beside
	// Logs with their own year are read first: they show the year of the others.
	slices.SortStableFunc(b.logs, func(x, y *logged) int { return cmp.Compare(y.reader.Dated(), x.reader.Dated()) })
	for _, log := range b.logs {
		read, err := log.reader.End(klog.Calendar{Year: b.options.Year, Zone: b.options.LogZone, Near: near})
		switch {
		case read.Used == 0 && !log.file.Named:
			b.skipped = append(b.skipped, log.file.Path)
			continue
		case read.Used == 0:
			b.problem(log.source, 0, 0, unused(read))
			continue
		case err != nil:
			b.problem(log.source, 0, 0, err.Error())
			continue
		}
		if odd := cmp.Or(oddZone(read, b.sightings), oddTime(read, beside, near)); odd != "" {
			b.note(log.source, odd)
		}
		if log.reader.Dated() > 0 {
			near = near.Spanning(read.Coverage)
		}
		if read.Unread > 0 {
			b.note(log.source, fmt.Sprintf("%d lines of these controllers say what Kardia does not know, the first at line %d: %.120s", read.Unread, read.FirstUnread.Number, read.FirstUnread.Data))
		}
		if read.Dropped > 0 {
			b.problem(log.source, 0, 0, fmt.Sprintf("it says more than %d things of nodes; %d later ones were left out", klog.MaxStatements, read.Dropped))
		}
		b.sources[log.source].Spoken, b.sources[log.source].Statements = read.Coverage, len(read.Statements)
		all = append(all, read.Statements...)
	}
	return saidOnce(all)
}

// spoken is the coverage of a History: of its objects, or else of Statements.
func (b *builder) spoken(objects model.Interval) model.Interval {
	if objects.Known() {
		return objects
	}
	all := b.sampled.Coverage
	for _, log := range b.logs {
		all = all.Spanning(b.sources[log.source].Spoken)
	}
	return all
}
