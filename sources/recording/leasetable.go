package recording

import "kardia/model"

// A lease table is the leases of all rows of a keyframe in columns.
//
//	column   entry: index in the dictionary + 1, or 0 for none, against the row before
//	column   flags: 1 seen, 2 gone, 4 with an object that no entry holds
//	column   forms: of Renewed, Heard, and Written's ends, a byte each, lowest first
//	stamps   Renewed in full, against Now
//	stamps   Heard in full, against Renewed
//	stamps   Written.Earliest in full, against Heard
//	stamps   Written.Latest in full, against Written.Earliest
//	column   Version in the order of Heard, against the one before
//	columns  Renewals and Refused, each against the row before
//	leases   those of the rows with flag 4

const (
	leaseSeen = 1 << iota
	leaseGone
	leaseInline
)

func (o *out) leaseTable(rows []*model.NodeRow, now model.Instant, d *dictionary) {
	n := len(rows)
	entries, flags, forms := make([]int64, n), make([]int64, n), make([]int64, n)
	versions, renewals, refused := make([]int64, n), make([]int64, n), make([]int64, n)
	var renewed, heard, earliest, latest fullStamps
	heards := make([]model.Instant, n)
	var before model.LeaseRow
	lastEntry := int64(0)
	for k, r := range rows {
		l := &r.Lease
		heards[k] = l.Heard
		e := int64(d.entryOf(r)) + 1
		entries[k] = e - lastEntry
		lastEntry = e
		if e == 0 && identity(l.Lease) != (model.Lease{}) {
			flags[k] |= leaseInline
		}
		if l.Seen {
			flags[k] |= leaseSeen
		}
		if l.Gone {
			flags[k] |= leaseGone
		}
		f := [4]form{formOf(l.Renewed, model.FarPast, model.FarFuture), formOf(l.Heard, l.Renewed, model.FarPast),
			formOf(l.Written.Earliest, l.Heard, model.FarPast), formOf(l.Written.Latest, l.Heard, l.Written.Earliest)}
		forms[k] = int64(f[0]) | int64(f[1])<<8 | int64(f[2])<<16 | int64(f[3])<<24
		if f[0] == formFull {
			renewed.add(l.Renewed, now)
		}
		if f[1] == formFull {
			heard.add(l.Heard, near(l.Renewed, now))
		}
		if f[2] == formFull {
			earliest.add(l.Written.Earliest, near(l.Heard, now))
		}
		if f[3] == formFull {
			latest.add(l.Written.Latest, near(l.Written.Earliest, now))
		}
		renewals[k], refused[k] = int64(l.Renewals)-int64(before.Renewals), int64(l.Refused)-int64(before.Refused)
		before = *l
	}
	for _, c := range [...][]int64{entries, flags, forms} {
		o.column(c)
	}
	for _, f := range [...]*fullStamps{&renewed, &heard, &earliest, &latest} {
		o.stamps(f.stamps, f.expected)
	}
	last := uint64(0)
	for place, k := range stableOrder(heards) {
		versions[place] = int64(rows[k].Lease.Version - last)
		last = rows[k].Lease.Version
	}
	for _, c := range [...][]int64{versions, renewals, refused} {
		o.column(c)
	}
	for k, r := range rows {
		if flags[k]&leaseInline != 0 {
			o.lease(&r.Lease.Lease)
		}
	}
}

// identity is a lease without its renewTime.
func identity(l model.Lease) model.Lease {
	l.Renewed = 0
	return l
}

// entryOf is the entry whose lease a row has, or -1.
func (d *dictionary) entryOf(r *model.NodeRow) int32 {
	if e, ok := d.leases[model.Key{Namespace: leaseNamespace, Name: r.Name}]; ok && int(e) < d.written && d.entries[e].lease == identity(r.Lease.Lease) {
		return e
	}
	return -1
}

func (i *in) leaseTable(n int, now model.Instant, entries []entry, names *names) []model.LeaseRow {
	var columns [6][]int64
	var stamps [4]stampColumn
	for c := range 3 {
		columns[c] = i.column(n, nil)
	}
	var full [4]int
	for _, f := range columns[2] {
		for x := range full {
			if form(f>>(8*x)&0xff) == formFull {
				full[x]++
			}
		}
	}
	for x := range stamps {
		i.stamps(full[x], &stamps[x])
	}
	for c := range columns[3:] {
		columns[3+c] = i.column(n, nil)
	}
	if i.err != nil {
		return nil
	}
	table := make([]model.LeaseRow, n)
	heards := make([]model.Instant, n)
	var before model.LeaseRow
	e := int64(0)
	for k := range table {
		l := &table[k]
		e += columns[0][k]
		if e > int64(len(entries)) || e < 0 {
			i.fail(errKeyframe)
			return nil
		} else if e > 0 {
			l.Lease = entries[e-1].lease
		}
		if columns[1][k]&leaseInline != 0 {
			l.Lease = i.lease(names) // the leases stand behind the columns, in the order of the rows
		}
		l.Seen, l.Gone = columns[1][k]&leaseSeen != 0, columns[1][k]&leaseGone != 0
		forms := columns[2][k]
		pick := func(x int, arrival, before, expected model.Instant) model.Instant {
			t, full := form(forms>>(8*x)&0xff).instant(arrival, before)
			if full {
				t = stamps[x].next(expected)
			}
			return t
		}
		l.Renewed = pick(0, model.FarPast, model.FarFuture, now)
		l.Heard = pick(1, l.Renewed, model.FarPast, near(l.Renewed, now))
		l.Written.Earliest = pick(2, l.Heard, model.FarPast, near(l.Heard, now))
		l.Written.Latest = pick(3, l.Heard, l.Written.Earliest, near(l.Written.Earliest, now))
		heards[k] = l.Heard
		l.Renewals, l.Refused = uint32(int64(before.Renewals)+columns[4][k]), uint32(int64(before.Refused)+columns[5][k])
		before = *l
	}
	version := uint64(0)
	for place, k := range stableOrder(heards) {
		version += uint64(columns[3][place])
		table[k].Version = version
	}
	return table
}
