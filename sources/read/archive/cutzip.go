package archive

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A zip file's list of members is at its end, so a cut file has none. But each member has its description before its
// bytes, so the members can be read one by one.
// Source: PKWARE's APPNOTE.TXT 6.3.10, 4.3.7 to 4.3.9.

const (
	localHeader = 30 // bytes, before the name
	stored      = 0
	deflated    = 8

	encrypted  = 1 << 0
	sizeBehind = 1 << 3 // sizes follow the member in a descriptor

	large = 0xFFFFFFFF // a size that does not fit, and is elsewhere
)

var (
	signLocal      = []byte("PK\x03\x04")
	signDescriptor = []byte("PK\x07\x08")
)

// cutZip reads the members of a zip file without its list. It always returns an error: the file is broken.
func (o *opening) cutZip(name string, file io.Reader, depth int) error {
	r := bufio.NewReaderSize(&watched{Reader: file, o: o}, 64<<10)
	for {
		head, err := r.Peek(localHeader)
		if err != nil || !bytes.HasPrefix(head, signLocal) {
			return fmt.Errorf("%s ends before its list of members; those that are there were used", name)
		}
		field := func(at int) uint16 { return binary.LittleEndian.Uint16(head[at:]) }
		flags, method := field(6), field(8)
		size := int64(binary.LittleEndian.Uint32(head[18:]))
		names, extra := int(field(26)), int(field(28))
		_, _ = r.Discard(localHeader)
		member := make([]byte, names)
		if _, err := io.ReadFull(r, member); err != nil {
			return broken(name, io.ErrUnexpectedEOF)
		}
		if _, err := r.Discard(extra); err != nil {
			return broken(name, io.ErrUnexpectedEOF)
		}
		path := memberPath(name, string(member))
		content, ends := contentOf(r, method, flags, size)
		switch {
		case !ends:
			return broken(path, errors.New("it does not say where it ends"))
		case flags&encrypted != 0, method != stored && method != deflated, bytes.HasSuffix(member, []byte("/")):
			if !bytes.HasSuffix(member, []byte("/")) {
				o.Left++
			}
		default:
			if err := o.member(path, &watched{Reader: content, o: o}, -1, depth); err != nil {
				return err
			}
		}
		if _, err := io.Copy(io.Discard, content); err != nil {
			return broken(path, err)
		}
		if flags&sizeBehind != 0 {
			skipDescriptor(r)
		}
	}
}

func contentOf(r *bufio.Reader, method, flags uint16, size int64) (content io.Reader, ends bool) {
	if method == deflated && flags&encrypted == 0 {
		return flate.NewReader(r), true // which reads no byte beyond its end
	}
	return io.LimitReader(r, size), flags&sizeBehind == 0 && size != large
}

// skipDescriptor skips the checksum and the sizes behind a member: four bytes each, or eight for large ones.
func skipDescriptor(r *bufio.Reader) {
	if sign, _ := r.Peek(len(signDescriptor)); bytes.Equal(sign, signDescriptor) {
		_, _ = r.Discard(len(signDescriptor))
	}
	for _, n := range [...]int{12, 20} {
		if next, _ := r.Peek(n + 2); len(next) == n+2 && string(next[n:]) == "PK" {
			_, _ = r.Discard(n)
			return
		}
	}
}
