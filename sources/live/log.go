package live

import (
	"context"
	"io"
	"log"
	"log/slog"
	"sync"

	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
)

// logs keeps the output of client-go, net/http and apimachinery off the terminal. Their loggers are global.
var logs = &lockedWriter{w: io.Discard}

var takeLogs = sync.OnceFunc(func() {
	logger := slog.New(slog.NewTextHandler(logs, nil))
	klog.SetSlogLogger(logger)
	log.SetOutput(logs)
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
		func(_ context.Context, err error, msg string, keysAndValues ...any) {
			logger.Error(msg, append(keysAndValues, "err", err)...)
		},
	}
})

// lockedWriter lets several loggers share a writer, and hides secrets.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) to(w io.Writer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.w = w
}

// Write implements io.Writer.
func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := io.WriteString(l.w, sent.hide(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
