package snapshots

import (
	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// leaseTable is a row of the table of leases in a keyframe. entry is its index in the dictionary + 1, or 0 for none.
type leaseTable struct {
	model.LeaseRow
	entry, flags int64
}

const (
	leaseSeen = 1 << iota
	leaseGone
	leaseInline
)

// leaseTableOf are the leases of rows.
func leaseTableOf(rows []*model.NodeRow, d *columns.Dictionary) []leaseTable {
	table := make([]leaseTable, len(rows))
	for k, r := range rows {
		l := &table[k]
		l.LeaseRow = r.Lease
		l.entry = int64(d.LeaseEntry(model.Key{Namespace: model.NodeLeaseNamespace, Name: r.Name}, l.Lease)) + 1
		if l.entry == 0 && columns.WithoutRenewal(l.Lease) != (model.Lease{}) {
			l.flags |= leaseInline
		}
		if l.Seen {
			l.flags |= leaseSeen
		}
		if l.Gone {
			l.flags |= leaseGone
		}
	}
	return table
}

// codeLeases writes or reads a table. entries are of the file that is read.
func codeLeases(c *wire.Codec, table []leaseTable, now model.Instant, entries []columns.Entry) {
	n, beats := len(table), make([]columns.Beat, len(table))
	for k := range table {
		l := &table[k]
		beats[k] = columns.Beat{Stamp: l.Renewed, Heard: l.Heard, Written: l.Written, Version: l.Version}
	}
	columns.Against(c, n, func(k int) *int64 { return &table[k].entry })
	columns.Column(c, n, func(k int) *int64 { return &table[k].flags })
	columns.Beats(c, beats, now)
	columns.Against(c, n, func(k int) *uint32 { return &table[k].Renewals })
	columns.Against(c, n, func(k int) *uint32 { return &table[k].Refused })
	for k := range table {
		l, b := &table[k], &beats[k]
		switch {
		case l.flags&leaseInline != 0:
			c.Lease(&l.Lease)
		case c.Reading() && l.entry > 0 && l.entry <= int64(len(entries)):
			l.Lease = entries[l.entry-1].Lease
		case l.entry != 0:
			c.Fail(ErrKeyframe)
		}
		l.Seen, l.Gone = l.flags&leaseSeen != 0, l.flags&leaseGone != 0
		l.Renewed, l.Heard, l.Written, l.Version = b.Stamp, b.Heard, b.Written, b.Version
	}
}
