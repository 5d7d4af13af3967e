package container

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"

	"kardia/model"

	"kardia/sources/recording/wire"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// ChunkRecords are the places of the written chunks.
func (s *Writer) ChunkRecords() []Record {
	var chunks []Record
	for _, c := range s.mcap.ChunkIndexes {
		chunks = append(chunks, Record{OpChunk, int64(c.ChunkStartOffset), int64(c.ChunkLength) - RecordHead})
	}
	return chunks
}

// packer compresses attachments. Only EncodeAll is used, which any goroutine may call.
var packer, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))

// Attach writes an attachment, compressed with zstd.
func (s *Writer) Attach(name, media string, at model.Instant, data []byte) error {
	packed := packer.EncodeAll(data, nil)
	return s.mcap.WriteAttachment(&mcap.Attachment{Name: name, MediaType: media, LogTime: uint64(at),
		DataSize: uint64(len(packed)), Data: bytes.NewReader(packed)})
}

var errSummary = errors.New("its summary contradicts the file")

// Attachment finds an attachment by its name in the summary of a closed file; found is false if there is none.
func (c *File) Attachment(name string) (data []byte, found bool, err error) {
	tail := make([]byte, RecordHead+FooterSize+len(Magic))
	at := c.Size - int64(len(tail))
	if at < int64(len(Magic)) {
		return nil, false, nil
	}
	if _, err := c.r.ReadAt(tail, at); err != nil || tail[0] != OpFooter || !bytes.HasSuffix(tail, Magic) {
		return nil, false, err
	}
	start := binary.LittleEndian.Uint64(tail[RecordHead:])
	if start == 0 || start >= uint64(at) {
		return nil, true, errSummary
	}
	for next := int64(start); next < at; {
		r, err := c.Record(next)
		if err != nil {
			return nil, true, err
		}
		next = r.End()
		if r.Op != OpAttachmentIndex {
			continue
		}
		body, err := c.Body(r, 1<<12)
		if err != nil || len(body) < 5*8+4 {
			continue // of an attachment that is not ours
		}
		offset := int64(binary.LittleEndian.Uint64(body))
		if have, _, ok := Prefixed(body[5*8:]); ok && string(have) == name {
			data, err := c.attachmentAt(offset)
			return data, true, err
		}
	}
	return nil, false, nil
}

func (c *File) attachmentAt(at int64) ([]byte, error) {
	r, err := c.Record(at)
	if err != nil {
		return nil, err
	}
	if r.Op != OpAttachment {
		return nil, ErrFrame
	}
	body, err := c.Body(r, wire.MaxChunk)
	if err != nil {
		return nil, err
	}
	if len(body) < 16+4 || crc32.ChecksumIEEE(body[:len(body)-4]) != binary.LittleEndian.Uint32(body[len(body)-4:]) {
		return nil, errCRC
	}
	_, rest, ok := Prefixed(body[16 : len(body)-4])
	if ok {
		_, rest, ok = Prefixed(rest)
	}
	if !ok || len(rest) < 8 || binary.LittleEndian.Uint64(rest) != uint64(len(rest)-8) {
		return nil, ErrFrame
	}
	return rest[8:], nil
}
