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

// redirectLogs sends what client-go, net/http and apimachinery have to say to w: the
// screen is not theirs. These loggers are global to the process.
func redirectLogs(w io.Writer) {
	logger := slog.New(slog.NewTextHandler(w, nil))
	klog.SetSlogLogger(logger)
	log.SetOutput(w)
	utilruntime.ErrorHandlers = []utilruntime.ErrorHandler{
		func(_ context.Context, err error, msg string, keysAndValues ...any) {
			logger.Error(msg, append(keysAndValues, "err", err)...)
		},
	}
}

// lockedWriter lets several loggers share a writer.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
