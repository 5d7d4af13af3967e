package recording

import (
	"bufio"
	"io"
	"math"

	"github.com/foxglove/mcap/go/mcap"
	"github.com/klauspost/compress/zstd"
)

// sink writes the container through the official library. Messages are kept until their chunk is
// written, which is when the caller says: the library ends a chunk with the first message that
// makes it larger than ChunkSize, and reads that option anew each time.
type sink struct {
	out     *bufio.Writer
	written counter
	mcap    *mcap.Writer
	options *mcap.WriterOptions
	pending []message
	size    int // of the pending messages as records
}

// counter counts what reaches the file.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// profileName tells our files from other MCAP files.
const profileName = "kardia"

func newSink(w io.Writer, library string, level zstd.EncoderLevel, channels []channelInfo) (*sink, error) {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(4<<20))
	if err != nil {
		return nil, err
	}
	s := &sink{written: counter{w: w}}
	s.out = bufio.NewWriterSize(&s.written, 64<<10)
	s.options = &mcap.WriterOptions{IncludeCRC: true, Chunked: true, ChunkSize: math.MaxInt64, OverrideLibrary: true,
		Compressor: mcap.NewCustomCompressor(mcap.CompressionZSTD, z)}
	if s.mcap, err = mcap.NewWriter(s.out, s.options); err != nil {
		return nil, err
	}
	if err := s.mcap.WriteHeader(&mcap.Header{Profile: profileName, Library: library}); err != nil {
		return nil, err
	}
	for _, c := range channels {
		if err := s.mcap.WriteSchema(&mcap.Schema{ID: c.id, Name: c.schema, Encoding: c.schemaEncoding(), Data: []byte(c.description)}); err != nil {
			return nil, err
		}
		if err := s.mcap.WriteChannel(&mcap.Channel{ID: c.id, SchemaID: c.id, Topic: c.topic, MessageEncoding: c.encoding}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// add keeps a message for the next chunk, and returns where in the chunk its record will lie.
func (s *sink) add(m message) (offset int) {
	offset = s.size
	s.size += recordHead + messageHead + len(m.data)
	s.pending = append(s.pending, m)
	return offset
}

// chunks is how many chunks were written.
func (s *sink) chunks() int { return len(s.mcap.ChunkIndexes) }

// flush writes the messages as a chunk.
func (s *sink) flush() error {
	for i, m := range s.pending {
		if i == len(s.pending)-1 {
			s.options.ChunkSize = -1
		}
		at := uint64(max(m.at, 0))
		if err := s.mcap.WriteMessage(&mcap.Message{ChannelID: m.channel, Sequence: m.sequence, LogTime: at, PublishTime: at, Data: m.data}); err != nil {
			return err
		}
	}
	s.options.ChunkSize = math.MaxInt64
	clear(s.pending)
	s.pending, s.size = s.pending[:0], 0
	return s.out.Flush()
}

// metadata writes a record outside of the chunks.
func (s *sink) metadata(name string, fields map[string]string) error {
	return s.mcap.WriteMetadata(&mcap.Metadata{Name: name, Metadata: fields})
}

// close writes the summary.
func (s *sink) close() error {
	if err := s.mcap.Close(); err != nil {
		return err
	}
	return s.out.Flush()
}
