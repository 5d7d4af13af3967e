package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/zstd"

	"kardia/model"
)

// The container, read with care: the official library believes the lengths it finds. Each of
// these checks every length against what is there and against a limit.

// MCAP's opcodes that matter here.
const (
	opHeader          = 0x01
	opFooter          = 0x02
	opMessage         = 0x05
	opChunk           = 0x06
	opAttachment      = 0x09
	opAttachmentIndex = 0x0a
	opMetadata        = 0x0c
	opDataEnd         = 0x0f
)

var magic = []byte("\x89MCAP0\r\n")

const (
	recordHead  = 1 + 8         // opcode and length
	footerSize  = 8 + 8 + 4     // summary start, summary offset start, CRC
	chunkHead   = 8 + 8 + 8 + 4 // start, end, uncompressed size, CRC; then compression and records
	messageHead = 2 + 4 + 8 + 8
	// recordsAt is where the records of a chunk compressed with zstd begin.
	recordsAt = recordHead + chunkHead + 4 + len(zstdName) + 8
	zstdName  = "zstd"
)

var (
	errTruncated = errors.New("the file ends in the middle of it")
	errFrame     = errors.New("it is not laid out as MCAP")
	errCRC       = errors.New("its checksum does not agree: bits have changed")
)

// Sniff says whether a file that begins with these bytes is an MCAP file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, magic) }

// container is the file as MCAP has it.
type container struct {
	r    io.ReaderAt
	size int64
	in   []byte // compressed
}

// unpacker decompresses chunks, of all files. Only DecodeAll is used, which any goroutine may call.
var unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(maxChunk), zstd.WithDecoderMaxWindow(maxChunk))

// record is the place of one record.
type record struct {
	op     byte
	at     int64 // of its opcode
	length int64 // of its body
}

func (r record) end() int64 { return r.at + recordHead + r.length }

// record reads the head of the record at an offset.
func (c *container) record(at int64) (record, error) {
	var head [recordHead]byte
	if at < 0 || at > c.size-recordHead {
		return record{}, errTruncated
	}
	if _, err := c.r.ReadAt(head[:], at); err != nil {
		return record{}, err
	}
	length := binary.LittleEndian.Uint64(head[1:])
	if length > uint64(c.size-recordHead-at) {
		return record{}, errTruncated
	}
	return record{head[0], at, int64(length)}, nil
}

// body reads the body of a record of at most limit bytes. It is good until the next is read.
func (c *container) body(r record, limit int64) ([]byte, error) {
	if r.length > limit {
		return nil, errTooLarge
	}
	if int64(cap(c.in)) < r.length {
		c.in = make([]byte, r.length)
	}
	b := c.in[:r.length]
	_, err := c.r.ReadAt(b, r.at+recordHead)
	return b, err
}

// chunk reads and checks the records of a chunk, into room if that is large enough.
func (c *container) chunk(r record, room []byte) ([]byte, error) {
	body, err := c.body(r, maxChunk+1<<10)
	if err != nil {
		return nil, err
	}
	if len(body) < chunkHead+4 {
		return nil, errFrame
	}
	size, sum := binary.LittleEndian.Uint64(body[16:]), binary.LittleEndian.Uint32(body[24:])
	if size > maxChunk {
		return nil, errTooLarge
	}
	name, rest, ok := prefixed(body[chunkHead:])
	if !ok || len(rest) < 8 || binary.LittleEndian.Uint64(rest) != uint64(len(rest)-8) {
		return nil, errFrame
	}
	records := rest[8:]
	var plain []byte
	switch string(name) {
	case zstdName:
		if plain, err = c.unpack(records, int(size), room); err != nil {
			return nil, err
		}
	case "":
		plain = append(room[:0], records...)
	default:
		return nil, fmt.Errorf("it is compressed with %q, which Kardia does not read", name)
	}
	if uint64(len(plain)) != size || (sum != 0 && crc32.ChecksumIEEE(plain) != sum) {
		return nil, errCRC
	}
	return plain, nil
}

// unpack decompresses what is announced to have size bytes, into room if that is large enough.
func (c *container) unpack(packed []byte, size int, room []byte) ([]byte, error) {
	var head zstd.Header
	if err := head.Decode(packed); err != nil {
		return nil, fmt.Errorf("it cannot be decompressed: %w", err)
	}
	if head.HasFCS && head.FrameContentSize > uint64(size) {
		return nil, errTooLarge
	}
	// Memory grows with what comes out where more is announced than is likely.
	likely := min(size, 64*len(packed)+1<<10)
	if head.HasFCS {
		likely = min(likely, int(head.FrameContentSize))
	}
	plain, err := unpacker.DecodeAll(packed, slices.Grow(room[:0], likely))
	if err != nil {
		return nil, fmt.Errorf("it cannot be decompressed: %w", err)
	}
	return plain, nil
}

// prefixed splits off a string with its length before it.
func prefixed(b []byte) (s, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, false
	}
	return b[4 : 4+n], b[4+n:], true
}

// nextMessage is the first message of the records of a chunk, and what follows it. Records that
// are no messages (schemas, channels) are passed over. At the end there is a message of
// channel 0 without data.
func nextMessage(records []byte) (m message, rest []byte, err error) {
	for len(records) > 0 {
		if len(records) < recordHead {
			return m, nil, errFrame
		}
		op, length := records[0], binary.LittleEndian.Uint64(records[1:])
		if length > uint64(len(records)-recordHead) {
			return m, nil, errFrame
		}
		body := records[recordHead : recordHead+length]
		records = records[recordHead+length:]
		if op != opMessage {
			continue
		}
		if len(body) < messageHead {
			return m, nil, errFrame
		}
		m.channel, m.sequence = binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint32(body[2:])
		m.at = model.Instant(binary.LittleEndian.Uint64(body[6:]))
		m.data = body[messageHead:]
		return m, records, nil
	}
	return m, nil, nil
}

// chunkMark is what stands in every chunk in front of its compressed records.
const chunkMark = "\x04\x00\x00\x00" + zstdName

// wasChunk says whether a record of another kind is a chunk whose first byte has changed.
func (c *container) wasChunk(r record) bool {
	if r.length < chunkHead+int64(len(chunkMark)) {
		return false
	}
	var mark [len(chunkMark)]byte
	_, err := c.r.ReadAt(mark[:], r.at+recordHead+chunkHead)
	return err == nil && string(mark[:]) == chunkMark
}

// holdsChunk says whether a chunk begins within a record of another kind, whose length has changed then.
func (c *container) holdsChunk(r record) bool { return c.resync(r.at+1, r.end()) < r.end() }

// resync finds the next chunk at or after an offset where the records have lost their thread, by the
// name of the compression that every chunk bears. It returns the limit where none begins before.
func (c *container) resync(at, limit int64) int64 {
	pattern := []byte(chunkMark)
	const before = recordHead + chunkHead
	window := make([]byte, min(64<<10, limit-at+int64(recordsAt)))
	for ; at < limit; at += int64(len(window) - recordsAt) {
		n, _ := c.r.ReadAt(window, at)
		piece := window[:n]
		for from := before; from < n; {
			k := bytes.Index(piece[min(from, n):], pattern)
			if k < 0 {
				break
			}
			from += k
			if r, err := c.record(at + int64(from-before)); err == nil && r.op == opChunk && from+16 <= n &&
				binary.LittleEndian.Uint64(piece[from+8:]) == uint64(r.length)-uint64(recordsAt-recordHead) {
				return min(r.at, limit)
			}
			from++
		}
		if n < len(window) {
			break
		}
	}
	return limit
}

// announced is the last instant in the head of a chunk that is not whole.
func (c *container) announced(at int64) model.Instant {
	var head [recordHead + 16]byte
	if n, _ := c.r.ReadAt(head[:], at); n < len(head) || head[0] != opChunk {
		return 0
	}
	return model.Instant(binary.LittleEndian.Uint64(head[recordHead+8:]))
}

// message is one MCAP message.
type message struct {
	channel  uint16
	sequence uint32
	at       model.Instant // its log_time; 0 for what lies before 1970
	data     []byte
}

// logTime is what a message of this instant is stamped with.
func logTime(i model.Instant) model.Instant { return max(i, 0) }
