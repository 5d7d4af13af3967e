package snapshots

import (
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// A lease table is the leases of all rows of a keyframe in columns.
//
//	column   entry: index in the dictionary + 1, or 0 for none, against the row before
//	column   flags: 1 seen, 2 gone, 4 with an object that no entry holds
//	beats    said is Renewed
//	columns  Renewals and Refused, each against the row before
//	leases   those of the rows with flag 4

const (
	leaseSeen = 1 << iota
	leaseGone
	leaseInline
)

func writeLeaseTable(o *wire.Writer, rows []*model.NodeRow, now model.Instant, d *columns.Dictionary) {
	n := len(rows)
	entries, flags, renewals, refused := make([]int64, n), make([]int64, n), make([]int64, n), make([]int64, n)
	beats := make([]columns.Beat, n)
	var before model.LeaseRow
	lastEntry := int64(0)
	for k, r := range rows {
		l := &r.Lease
		beats[k] = columns.Beat{Stamp: l.Renewed, Heard: l.Heard, Written: l.Written, Version: l.Version}
		e := int64(d.LeaseEntry(model.Key{Namespace: model.NodeLeaseNamespace, Name: r.Name}, l.Lease)) + 1
		entries[k] = e - lastEntry
		lastEntry = e
		if e == 0 && columns.WithoutRenewal(l.Lease) != (model.Lease{}) {
			flags[k] |= leaseInline
		}
		if l.Seen {
			flags[k] |= leaseSeen
		}
		if l.Gone {
			flags[k] |= leaseGone
		}
		renewals[k], refused[k] = int64(l.Renewals)-int64(before.Renewals), int64(l.Refused)-int64(before.Refused)
		before = *l
	}
	columns.WriteColumn(o, entries)
	columns.WriteColumn(o, flags)
	columns.WriteBeats(o, beats, now)
	columns.WriteColumn(o, renewals)
	columns.WriteColumn(o, refused)
	for k, r := range rows {
		if flags[k]&leaseInline != 0 {
			o.Lease(&r.Lease.Lease)
		}
	}
}

// leaseReader reads lease tables; its memory serves for one after another.
type leaseReader struct {
	entry, flags, renewals, refused []int64
	beats                           columns.BeatReader
	table                           []model.LeaseRow
}

// read reads the leases of n rows, which are good until it is called again; nil after a mistake.
func (r *leaseReader) read(i *wire.Reader, n int, now model.Instant, entries []columns.Entry, names *wire.Names) []model.LeaseRow {
	r.entry, r.flags = columns.ReadColumn(i, n, r.entry), columns.ReadColumn(i, n, r.flags)
	beats := r.beats.Read(i, n, now)
	r.renewals, r.refused = columns.ReadColumn(i, n, r.renewals), columns.ReadColumn(i, n, r.refused)
	if i.Err != nil {
		return nil
	}
	r.table = slices.Grow(r.table[:0], n)[:n]
	renewals, refused := uint32(0), uint32(0)
	e := int64(0)
	for k := range r.table {
		l := &r.table[k]
		*l = model.LeaseRow{}
		e += r.entry[k]
		if e > int64(len(entries)) || e < 0 {
			i.Fail(ErrKeyframe)
			return nil
		} else if e > 0 {
			l.Lease = entries[e-1].Lease
		}
		if r.flags[k]&leaseInline != 0 {
			l.Lease = i.Lease(names) // the leases come behind the columns, in the order of the rows
		}
		l.Seen, l.Gone = r.flags[k]&leaseSeen != 0, r.flags[k]&leaseGone != 0
		b := &beats[k]
		l.Renewed, l.Heard, l.Written, l.Version = b.Stamp, b.Heard, b.Written, b.Version
		renewals, refused = uint32(int64(renewals)+r.renewals[k]), uint32(int64(refused)+r.refused[k])
		l.Renewals, l.Refused = renewals, refused
	}
	return r.table
}
