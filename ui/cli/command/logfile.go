package command

import (
	"os"
	"path/filepath"
)

// maxLog is the size at which the log becomes the one old log.
const maxLog = 2 << 20

// logFile has the messages of libraries, which would overwrite the screen. It is bounded, and writing never fails.
type logFile struct {
	path  string
	limit int64
	file  *os.File
	size  int64
}

// openLog opens the log to append. Only this user may read it: it has URLs of clusters.
func openLog(path string, limit int64) (*logFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	l := &logFile{path: path, limit: limit, file: f}
	if info, err := f.Stat(); err == nil {
		l.size = info.Size()
	}
	return l, nil
}

// Write implements io.Writer. A full disk loses log lines and nothing else.
func (l *logFile) Write(p []byte) (int, error) {
	if l.size > 0 && l.size+int64(len(p)) > l.limit {
		l.rotate()
	}
	if l.file != nil {
		n, _ := l.file.Write(p[:min(int64(len(p)), l.limit)])
		l.size += int64(n)
	}
	return len(p), nil
}

func (l *logFile) rotate() {
	l.Close()
	_ = os.Rename(l.path, l.path+".old")
	l.file, _ = os.OpenFile(l.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	l.size = 0
}

// Close implements io.Closer.
func (l *logFile) Close() error {
	if l.file == nil {
		return nil
	}
	return l.file.Close()
}
