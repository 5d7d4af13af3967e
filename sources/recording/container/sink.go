package container

import (
	"bufio"
	"io"
	"math"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// Writer writes the container through the official library. It keeps messages until the caller ends the chunk. The
// library ends a chunk with the first message that makes it larger than ChunkSize, and rereads that option each time.
type Writer struct {
	out     *bufio.Writer
	written counter
	mcap    *mcap.Writer
	options *mcap.WriterOptions
	pending []Message
	size    int // of the pending messages as records
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// ProfileName distinguishes our files from other MCAP files.
const ProfileName = "kardia"

func NewWriter(w io.Writer, library string, level zstd.EncoderLevel, channels []Channel) (*Writer, error) {
	s := &Writer{written: counter{w: w}}
	s.out = bufio.NewWriterSize(&s.written, 64<<10)
	s.options = &mcap.WriterOptions{IncludeCRC: true, Chunked: true, ChunkSize: math.MaxInt64, OverrideLibrary: true,
		Compressor: mcap.NewCustomCompressor(mcap.CompressionZSTD, &compressor{level: level})}
	var err error
	if s.mcap, err = mcap.NewWriter(s.out, s.options); err != nil {
		return nil, err
	}
	if err := s.mcap.WriteHeader(&mcap.Header{Profile: ProfileName, Library: library}); err != nil {
		return nil, err
	}
	for _, c := range channels {
		if err := s.mcap.WriteSchema(&mcap.Schema{ID: c.ID, Name: c.Schema, Encoding: c.schemaEncoding(), Data: []byte(c.Description)}); err != nil {
			return nil, err
		}
		if err := s.mcap.WriteChannel(&mcap.Channel{ID: c.ID, SchemaID: c.ID, Topic: c.Topic, MessageEncoding: c.Encoding}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Add keeps a message for the next chunk, and returns where in the chunk its record will lie.
func (s *Writer) Add(m Message) (offset int) {
	offset = s.size
	s.size += RecordHead + MessageHead + len(m.Data)
	s.pending = append(s.pending, m)
	return offset
}

// Written is how many bytes reached the file.
func (s *Writer) Written() int64 { return s.written.n }

// Size is how many bytes the messages for the next chunk take there.
func (s *Writer) Size() int { return s.size }

// Chunks is how many chunks were written.
func (s *Writer) Chunks() int { return len(s.mcap.ChunkIndexes) }

// Flush writes the messages as a chunk.
func (s *Writer) Flush() error {
	for i, m := range s.pending {
		if i == len(s.pending)-1 {
			s.options.ChunkSize = -1
		}
		at := uint64(max(m.At, 0))
		if err := s.mcap.WriteMessage(&mcap.Message{ChannelID: m.Channel, Sequence: m.Sequence, LogTime: at, PublishTime: at, Data: m.Data}); err != nil {
			return err
		}
	}
	s.options.ChunkSize = math.MaxInt64
	clear(s.pending)
	s.pending, s.size = s.pending[:0], 0
	return s.out.Flush()
}

// Metadata writes a record outside of the chunks.
func (s *Writer) Metadata(name string, fields map[string]string) error {
	return s.mcap.WriteMetadata(&mcap.Metadata{Name: name, Metadata: fields})
}

// Close writes the summary.
func (s *Writer) Close() error {
	if err := s.mcap.Close(); err != nil {
		return err
	}
	return s.out.Flush()
}
