package container

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
	"kardia/sources/recording/wire"
)

// The official library trusts the lengths in a file. These functions check each against the bytes and a limit.

// The opcodes of MCAP in use.
const (
	OpHeader          = 0x01
	OpFooter          = 0x02
	OpMessage         = 0x05
	OpChunk           = 0x06
	OpAttachment      = 0x09
	OpAttachmentIndex = 0x0a
	OpMetadata        = 0x0c
	OpDataEnd         = 0x0f
)

var Magic = []byte("\x89MCAP0\r\n")

const (
	RecordHead  = 1 + 8         // opcode and length
	FooterSize  = 8 + 8 + 4     // summary start, summary offset start, CRC
	chunkHead   = 8 + 8 + 8 + 4 // start, end, uncompressed size, CRC; then compression and records
	MessageHead = 2 + 4 + 8 + 8
	// recordsAt is the offset of the records in a chunk compressed with zstd.
	recordsAt = RecordHead + chunkHead + 4 + len(ZstdName) + 8
	ZstdName  = "zstd"
)

var (
	ErrTruncated = errors.New("the file ends in the middle of it")
	ErrFrame     = errors.New("it is not laid out as MCAP")
	errCRC       = errors.New("its checksum does not agree: bits have changed")
)

// Sniff reports whether a file that begins with these bytes is an MCAP file.
func Sniff(head []byte) bool { return bytes.HasPrefix(head, Magic) }

// File is the file as MCAP has it.
type File struct {
	r    io.ReaderAt
	Size int64
	in   []byte // compressed
}

// NewFile is a file of size bytes.
func NewFile(r io.ReaderAt, size int64) *File { return &File{r: r, Size: size} }

// Fork is the same file, with memory of its own: each belongs to one goroutine.
func (c *File) Fork() *File { return NewFile(c.r, c.Size) }

// unpacker decompresses chunks, of all files. Only DecodeAll is used, which any goroutine may call.
var unpacker, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(2), zstd.WithDecoderMaxMemory(wire.MaxChunk), zstd.WithDecoderMaxWindow(wire.MaxChunk))

// Record is the place of one record.
type Record struct {
	Op     byte
	At     int64 // of its opcode
	Length int64 // of its body
}

func (r Record) End() int64 { return r.At + RecordHead + r.Length }

// Record reads the head of the record at an offset.
func (c *File) Record(at int64) (Record, error) {
	var head [RecordHead]byte
	if at < 0 || at > c.Size-RecordHead {
		return Record{}, ErrTruncated
	}
	if _, err := c.r.ReadAt(head[:], at); err != nil {
		return Record{}, err
	}
	length := binary.LittleEndian.Uint64(head[1:])
	if length > uint64(c.Size-RecordHead-at) {
		return Record{}, ErrTruncated
	}
	return Record{head[0], at, int64(length)}, nil
}

// Body reads the body of a record of at most limit bytes. It is good until the next is read.
func (c *File) Body(r Record, limit int64) ([]byte, error) {
	if r.Length > limit {
		return nil, wire.ErrTooLarge
	}
	if int64(cap(c.in)) < r.Length {
		c.in = make([]byte, r.Length)
	}
	b := c.in[:r.Length]
	_, err := c.r.ReadAt(b, r.At+RecordHead)
	return b, err
}

// Chunk reads and checks the records of a chunk, into room if that is large enough.
func (c *File) Chunk(r Record, room []byte) ([]byte, error) {
	body, err := c.Body(r, wire.MaxChunk+1<<10)
	if err != nil {
		return nil, err
	}
	if len(body) < chunkHead+4 {
		return nil, ErrFrame
	}
	size, sum := binary.LittleEndian.Uint64(body[16:]), binary.LittleEndian.Uint32(body[24:])
	if size > wire.MaxChunk {
		return nil, wire.ErrTooLarge
	}
	name, rest, ok := Prefixed(body[chunkHead:])
	if !ok || len(rest) < 8 || binary.LittleEndian.Uint64(rest) != uint64(len(rest)-8) {
		return nil, ErrFrame
	}
	records := rest[8:]
	var plain []byte
	switch string(name) {
	case ZstdName:
		if plain, err = c.Unpack(records, int(size), room); err != nil {
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

// Unpack decompresses bytes that announce a size, into room if that is large enough.
func (c *File) Unpack(packed []byte, size int, room []byte) ([]byte, error) {
	var head zstd.Header
	if err := head.Decode(packed); err != nil {
		return nil, fmt.Errorf("it cannot be decompressed: %w", err)
	}
	if head.HasFCS && head.FrameContentSize > uint64(size) {
		return nil, wire.ErrTooLarge
	}
	// Memory grows with the output if the announced size is unlikely.
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

// Prefixed splits off a string with its length before it.
func Prefixed(b []byte) (s, rest []byte, ok bool) {
	if len(b) < 4 {
		return nil, nil, false
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-4) {
		return nil, nil, false
	}
	return b[4 : 4+n], b[4+n:], true
}

// NextMessage is the first message of a chunk's records, and the rest. Other records (schemas, channels) are skipped.
// At the end there is a message of channel 0 without data.
func NextMessage(records []byte) (m Message, rest []byte, err error) {
	for len(records) > 0 {
		if len(records) < RecordHead {
			return m, nil, ErrFrame
		}
		op, length := records[0], binary.LittleEndian.Uint64(records[1:])
		if length > uint64(len(records)-RecordHead) {
			return m, nil, ErrFrame
		}
		body := records[RecordHead : RecordHead+length]
		records = records[RecordHead+length:]
		if op != OpMessage {
			continue
		}
		if len(body) < MessageHead {
			return m, nil, ErrFrame
		}
		m.Channel, m.Sequence = binary.LittleEndian.Uint16(body), binary.LittleEndian.Uint32(body[2:])
		m.At = model.Instant(binary.LittleEndian.Uint64(body[6:]))
		m.Data = body[MessageHead:]
		return m, records, nil
	}
	return m, nil, nil
}

// chunkMark is in every chunk in front of its compressed records.
const chunkMark = "\x04\x00\x00\x00" + ZstdName

// WasChunk reports whether a record of another kind is a chunk whose first byte has changed.
func (c *File) WasChunk(r Record) bool {
	if r.Length < chunkHead+int64(len(chunkMark)) {
		return false
	}
	var mark [len(chunkMark)]byte
	_, err := c.r.ReadAt(mark[:], r.At+RecordHead+chunkHead)
	return err == nil && string(mark[:]) == chunkMark
}

// HoldsChunk reports whether a chunk begins within a record of another kind, whose length has changed then.
func (c *File) HoldsChunk(r Record) bool { return c.Resync(r.At+1, r.End()) < r.End() }

// Resync finds the next chunk at or after an offset in broken records, by the name of the compression in every chunk.
// It returns the limit if none starts before.
func (c *File) Resync(at, limit int64) int64 {
	pattern := []byte(chunkMark)
	const before = RecordHead + chunkHead
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
			if r, err := c.Record(at + int64(from-before)); err == nil && r.Op == OpChunk && from+16 <= n &&
				binary.LittleEndian.Uint64(piece[from+8:]) == uint64(r.Length)-uint64(recordsAt-RecordHead) {
				return min(r.At, limit)
			}
			from++
		}
		if n < len(window) {
			break
		}
	}
	return limit
}

// Announced is the last time in the head of an incomplete chunk.
func (c *File) Announced(at int64) model.Instant {
	var head [RecordHead + 16]byte
	if n, _ := c.r.ReadAt(head[:], at); n < len(head) || head[0] != OpChunk {
		return 0
	}
	return model.Instant(binary.LittleEndian.Uint64(head[RecordHead+8:]))
}

// Message is one MCAP message.
type Message struct {
	Channel  uint16
	Sequence uint32
	At       model.Instant // its log_time; 0 for times before 1970
	Data     []byte
}

// LogTime is the log_time of a message of this time.
func LogTime(i model.Instant) model.Instant { return max(i, 0) }
