package input

import (
	"bytes"
	"context"
	"io"
)

// FromBytes is a file of bytes in memory.
func FromBytes(path string, data []byte) File {
	return File{Path: path, Size: int64(len(data)), Named: true,
		open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}
