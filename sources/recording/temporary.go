package recording

import (
	"fmt"
	"os"
)

// Temporary is a file that exists while it is open. It has no name, if possible, and is removed with the process.
type Temporary struct{ *os.File }

// NewTemporary makes one in the system's temporary directory. The argument is its purpose, for errors.
func NewTemporary(what string) (Temporary, error) {
	f, err := os.CreateTemp("", "kardia-*.mcap")
	if err != nil {
		return Temporary{}, fmt.Errorf("%s needs room for a temporary file: %w (set TMPDIR to a directory with room)", what, err)
	}
	_ = os.Remove(f.Name())
	return Temporary{f}, nil
}

// Close gives the room on disk back.
func (t Temporary) Close() error {
	err := t.File.Close()
	_ = os.Remove(t.Name()) // if it could not be done while it was open
	return err
}
