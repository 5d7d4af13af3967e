package container

import (
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// compressor compresses one chunk after another, and holds nothing between two: a watch writes a chunk now and then.
// The memory for compressing (4 MB) is shared by all compressors, or collected.
type compressor struct {
	level zstd.EncoderLevel
	to    io.Writer
	zstd  *zstd.Encoder // nil between chunks
}

var idle [zstd.SpeedBestCompression + 1]sync.Pool

// Reset begins another chunk.
func (c *compressor) Reset(to io.Writer) { c.to = to }

func (c *compressor) Write(p []byte) (int, error) {
	if err := c.take(); err != nil {
		return 0, err
	}
	return c.zstd.Write(p)
}

// Close ends the chunk.
func (c *compressor) Close() error {
	if err := c.take(); err != nil {
		return err
	}
	err := c.zstd.Close()
	c.zstd.Reset(nil)
	idle[c.level].Put(c.zstd)
	c.zstd = nil
	return err
}

// take takes an idle encoder, or makes one.
func (c *compressor) take() (err error) {
	if c.zstd != nil {
		return nil
	}
	z, ok := idle[c.level].Get().(*zstd.Encoder)
	if !ok {
		if z, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(c.level), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20)); err != nil {
			return err
		}
	}
	z.Reset(c.to)
	c.zstd = z
	return nil
}
