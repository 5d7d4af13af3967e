package columns

import (
	"kardia/model"
	"kardia/sources/recording/wire"
)

// DictionaryReader is the entries of a file, as a reader finds them.
type DictionaryReader struct {
	Entries []Entry
	Size    int
}

// Read takes a message in. Entries it has already are left as they are; a message that leaves out
// some, because the one before it was lost, leaves them empty.
func (l *DictionaryReader) Read(data []byte, names *wire.Names) error {
	i := wire.Read(data)
	c := wire.From(i, names)
	c.Version(1)
	from := i.AtMost(maxEntries)
	n := i.Count(maxEntries - from)
	for k := from; k < from+n && i.Err == nil; k++ {
		var e Entry
		if e.code(c); i.Err != nil {
			break
		}
		for len(l.Entries) <= k {
			l.Entries = append(l.Entries, Entry{})
		}
		if l.Entries[k].Kind != model.KindNone {
			continue
		}
		if l.Size += e.weight(); l.Size > maxDictionary+wire.MaxMessage {
			return errDictionary
		}
		l.Entries[k] = e
	}
	return i.Err
}
