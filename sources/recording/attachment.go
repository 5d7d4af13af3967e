package recording

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"kardia/model"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// places are where the chunks lie that were written.
func (s *sink) places() []record {
	var chunks []record
	for _, c := range s.mcap.ChunkIndexes {
		chunks = append(chunks, record{opChunk, int64(c.ChunkStartOffset), int64(c.ChunkLength) - recordHead})
	}
	return chunks
}

// packer compresses attachments. Only EncodeAll is used, which any goroutine may call.
var packer, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))

// attach writes an attachment, compressed with zstd.
func (s *sink) attach(name, media string, at model.Instant, data []byte) error {
	packed := packer.EncodeAll(data, nil)
	return s.mcap.WriteAttachment(&mcap.Attachment{Name: name, MediaType: media, LogTime: uint64(at),
		DataSize: uint64(len(packed)), Data: bytes.NewReader(packed)})
}

var errSummary = errors.New("its summary contradicts the file")

// attachment finds the attachment of a name by the summary at the end of a file that was closed; found
// is false where there is none.
func (c *container) attachment(name string) (data []byte, found bool, err error) {
	tail := make([]byte, recordHead+footerSize+len(magic))
	at := c.size - int64(len(tail))
	if at < int64(len(magic)) {
		return nil, false, nil
	}
	if _, err := c.r.ReadAt(tail, at); err != nil || tail[0] != opFooter || !bytes.HasSuffix(tail, magic) {
		return nil, false, err
	}
	start := binary.LittleEndian.Uint64(tail[recordHead:])
	if start == 0 || start >= uint64(at) {
		return nil, true, errSummary
	}
	for next := int64(start); next < at; {
		r, err := c.record(next)
		if err != nil {
			return nil, true, err
		}
		next = r.end()
		if r.op != opAttachmentIndex {
			continue
		}
		body, err := c.body(r, 1<<12)
		if err != nil || len(body) < 5*8+4 {
			continue // of an attachment that is not ours
		}
		offset := int64(binary.LittleEndian.Uint64(body))
		if have, _, ok := prefixed(body[5*8:]); ok && string(have) == name {
			data, err := c.attachmentAt(offset)
			return data, true, err
		}
	}
	return nil, false, nil
}

// attachmentAt reads what the attachment at an offset holds.
func (c *container) attachmentAt(at int64) ([]byte, error) {
	r, err := c.record(at)
	if err != nil {
		return nil, err
	}
	if r.op != opAttachment {
		return nil, errFrame
	}
	body, err := c.body(r, maxChunk)
	if err != nil {
		return nil, err
	}
	if len(body) < 16+4 || crc32.ChecksumIEEE(body[:len(body)-4]) != binary.LittleEndian.Uint32(body[len(body)-4:]) {
		return nil, errCRC
	}
	_, rest, ok := prefixed(body[16 : len(body)-4])
	if ok {
		_, rest, ok = prefixed(rest)
	}
	if !ok || len(rest) < 8 || binary.LittleEndian.Uint64(rest) != uint64(len(rest)-8) {
		return nil, errFrame
	}
	return rest[8:], nil
}
