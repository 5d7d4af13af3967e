// Package cli starts the program: it gives the commands the terminal and the way to a cluster.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"

	"kardia/ui/cli/command"
	"kardia/ui/cli/kube"
	"kardia/ui/paint"
)

// Main runs the program and returns its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A second ctrl+c ends what ignores the first.
	defer context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt) })()
	spareMemory(ctx, os.Getenv)
	return int(command.Run(ctx, world()))
}

// messages writes lines of libraries as the program's own, cleaned.
type messages struct{ to io.Writer }

// Write implements io.Writer.
func (m messages) Write(p []byte) (int, error) {
	for line := range strings.Lines(string(p)) {
		if _, err := fmt.Fprintf(m.to, "kardia: %s\n", paint.Clean(strings.TrimSuffix(line, "\n"))); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

// world is the real World.
func world() command.World {
	w := command.World{Args: os.Args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Kube: kube.New(messages{os.Stderr})}
	if term.IsTerminal(os.Stdout.Fd()) && os.Getenv("TERM") != "dumb" {
		w.Terminal = true
		w.Width, w.Height, _ = term.GetSize(os.Stdout.Fd())
	}
	w.ErrTerminal = term.IsTerminal(os.Stderr.Fd())
	if filepath.IsAbs(xdg.StateHome) {
		w.StateDir = filepath.Join(xdg.StateHome, "kardia")
		w.LogPath = filepath.Join(w.StateDir, "kardia.log")
	}
	if filepath.IsAbs(xdg.ConfigHome) {
		w.ConfigDir = filepath.Join(xdg.ConfigHome, "kardia")
	}
	return w
}
