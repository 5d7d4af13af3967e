// Package cli is the command line: it puts the commands, the terminal and the way to
// a cluster together.
package cli

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/adrg/xdg"
	"github.com/charmbracelet/x/term"

	"kardia/ui/cli/command"
	"kardia/ui/cli/kube"
)

// Main runs the program and returns its exit code.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	spareMemory(ctx, os.Getenv)
	return int(command.Run(ctx, world()))
}

// world is the real one.
func world() command.World {
	w := command.World{Args: os.Args, In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Kube: kube.New()}
	if term.IsTerminal(os.Stdout.Fd()) && os.Getenv("TERM") != "dumb" {
		w.Terminal = true
		w.Width, w.Height, _ = term.GetSize(os.Stdout.Fd())
	}
	w.ErrTerminal = term.IsTerminal(os.Stderr.Fd())
	w.LogPath = logPath()
	if filepath.IsAbs(xdg.StateHome) {
		w.StateDir = filepath.Join(xdg.StateHome, "kardia")
	}
	if filepath.IsAbs(xdg.ConfigHome) {
		w.ConfigDir = filepath.Join(xdg.ConfigHome, "kardia")
	}
	return w
}

// logPath is the log in the system's directory for state; "" where there is no home.
func logPath() string {
	if !filepath.IsAbs(xdg.StateHome) {
		return ""
	}
	return filepath.Join(xdg.StateHome, "kardia", "kardia.log")
}
