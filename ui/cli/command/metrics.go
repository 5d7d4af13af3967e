package command

import (
	"context"
	"net"
	"net/http"
	"time"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/sources/capture/recorder"
	"kardia/sources/capture/stream"
	"kardia/ui/metrics"
	"kardia/ui/session"
)

const (
	// metricsEvery is how often the served metrics are computed.
	metricsEvery = time.Second
	// metricsMemory is how much a recorder's own session remembers: the models read the newest.
	metricsMemory = 24 << 20
)

// serveMetrics serves a stream's metrics until stop; stated may be zero. first is the stream for its other reader.
func (r *run) serveMetrics(ctx context.Context, address string, stated model.Params, source stream.Stream) (e *metrics.Exporter, first stream.Stream, stop func(), err error) {
	listener, err := net.Listen("tcp", onLoopback(address))
	if err != nil {
		return nil, nil, nil, misuse("--metrics %s: %v", address, err)
	}
	first, second := stream.Split(source)
	e = metrics.New(thisBuild().Version)
	server := &http.Server{Handler: e.Handler(), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14}
	ctx, cancel := context.WithCancel(ctx)
	watched := make(chan struct{})
	go crash.Guarded(func() {
		defer close(watched)
		show(ctx, second, stated, e)
	})()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(listener) // it ends with stop; a scraper notices any other end
	}()
	r.say("metrics at http://%s/metrics", listener.Addr())
	return e, first, func() {
		cancel()
		_ = server.Close()
		<-watched
		<-served
	}, nil
}

// show keeps an exporter up to date with a stream until the context ends.
func show(ctx context.Context, f stream.Stream, stated model.Params, e *metrics.Exporter) {
	s := session.Live(f, session.Options{Memory: metricsMemory, Judging: session.InBackground, Params: stated})
	s.Start(ctx)
	defer s.Close()
	tick := time.NewTicker(metricsEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.Advance()
			e.Show(s.Snapshot())
		}
	}
}

// onLoopback is an address on this machine if no host is given.
func onLoopback(address string) string {
	if host, port, err := net.SplitHostPort(address); err == nil && host == "" {
		return net.JoinHostPort("127.0.0.1", port)
	}
	return address
}

// tellAlso also reports a recording's progress to an exporter.
func tellAlso(e *metrics.Exporter, next func(recorder.Progress)) func(recorder.Progress) {
	return func(p recorder.Progress) {
		e.Recorded(p.Size, p.Changes)
		next(p)
	}
}
