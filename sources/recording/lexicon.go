package recording

import "kardia/model"

// lexicon is the entries of a file, as a reader finds them.
type lexicon struct {
	entries []entry
	size    int
}

// read takes a message in. Entries it has already are left as they are; a message that leaves out
// some, because the one before it was lost, leaves them empty.
func (l *lexicon) read(data []byte, names *names) error {
	i := in{b: data}
	if v := i.byte(); v != 1 && i.err == nil {
		return errVersion
	}
	from := i.small(maxEntries)
	n := i.count(maxEntries - from)
	for k := from; k < from+n && i.err == nil; k++ {
		e := i.entry(names)
		if i.err != nil {
			break
		}
		for len(l.entries) <= k {
			l.entries = append(l.entries, entry{})
		}
		if l.entries[k].kind != model.KindNone {
			continue
		}
		if l.size += e.weight(); l.size > maxDictionary+maxMessage {
			return errDictionary
		}
		l.entries[k] = e
	}
	return i.err
}
