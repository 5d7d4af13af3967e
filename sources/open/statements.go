package open

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/read/entries"
	"kardia/sources/read/input"
	"kardia/sources/read/klog"
)

// said is a log that was read, whose year may be told by what lies beside it.
type said struct {
	file   input.File
	source int32
	reader *klog.Reader
}

// klog reads a log of the controller manager or of a kubelet.
func (b *builder) klog(f input.File, r *input.Reader) {
	log := &said{f, b.source(f.Path, "klog"), nil}
	log.reader = klog.NewReader(log.source)
	lines, _ := entries.New(r, klog.MayHold)
	for b.ctx.Err() == nil {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.problem(log.source, line.Number, line.Offset, "reading stopped: "+err.Error()+"; what came before was used")
			break
		}
		log.reader.Line(line)
		if line.Number%progressEvery == 0 {
			b.progress(f, r)
		}
	}
	b.logs = append(b.logs, log)
}

// statements are what the logs say, in order. near is when what else was read happened. Logs that say nothing
// of nodes are passed over, like other files that are no input, unless they were named.
func (b *builder) statements(near model.Interval) (all []history.Statement) {
	for _, log := range b.logs {
		read, err := log.reader.End(b.options.Year, near)
		switch {
		case read.Used == 0 && !log.file.Named:
			b.skipped = append(b.skipped, log.file.Path)
			continue
		case read.Used == 0:
			b.problem(log.source, 0, 0, "no line of it is of the node-lifecycle controller, taint eviction or a kubelet's lease: it says nothing of nodes' health")
			continue
		case err != nil:
			b.problem(log.source, 0, 0, err.Error())
			continue
		}
		if read.Assumed != "" {
			b.note(log.source, "assumed "+read.Assumed)
		}
		if read.Unread > 0 {
			b.note(log.source, fmt.Sprintf("%d lines of these controllers say what Kardia does not know, the first at line %d: %.120s", read.Unread, read.FirstUnread.Number, read.FirstUnread.Data))
		}
		if read.Dropped > 0 {
			b.problem(log.source, 0, 0, fmt.Sprintf("it says more than %d things of nodes; %d later ones were left out", klog.MaxStatements, read.Dropped))
		}
		b.sources[log.source].Coverage, b.sources[log.source].Statements = read.Coverage, len(read.Statements)
		all = append(all, read.Statements...)
	}
	slices.SortStableFunc(all, func(x, y history.Statement) int { return cmp.Compare(x.At, y.At) })
	return all
}

// spoken is the coverage of a History: of its objects, and where there are none, of what logs say.
func (b *builder) spoken(objects model.Interval) model.Interval {
	if objects.Known() {
		return objects
	}
	all := model.Interval{}
	for _, log := range b.logs {
		v := b.sources[log.source].Coverage
		switch {
		case !v.Known():
		case !all.Known():
			all = v
		default:
			all = model.Interval{Earliest: min(all.Earliest, v.Earliest), Latest: max(all.Latest, v.Latest)}
		}
	}
	return all
}
