// Package command is Kardia's commands: their arguments, output and exit codes. The outside (streams, the environment,
// a cluster) is a World, so that tests run the commands without a process or a client.
package command

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/capture/stream"
	"kardia/sources/open"
)

// World is all that commands use outside of this program's memory.
type World struct {
	// Args[0] is the name the program was called by.
	Args []string
	In   io.Reader
	// Out takes data and nothing else, Err takes messages.
	Out, Err io.Writer
	// Terminal: Out is a terminal that can be drawn on.
	Terminal bool
	// ErrTerminal: Err is a terminal, on which a line may be overwritten.
	ErrTerminal bool
	// Width and Height are the terminal's cells; 0 if there is none.
	Width, Height int
	// Environ is the environment, in the form of os.Environ.
	Environ []string
	// LogPath is the file for the messages of libraries; "" for none.
	LogPath string
	// StateDir is the directory of a person's progress in lessons; "" for none.
	StateDir string
	// ConfigDir is the directory of the person's configuration, and of their themes, in themes/; "" for none.
	ConfigDir string
	Kube      Kube
	// Opens opens inputs, and Judges runs the models over one. They are nil, or let tests share the work of several
	// commands about one input.
	Opens  func(context.Context, []string, open.Options) (*open.Opened, error)
	Judges func(*open.Opened, infer.Options) (*hypotheses.Found, error)
}

func (w *World) environ(name string) string {
	for _, v := range w.Environ {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// Kube is the way to a live cluster; see package kube.
type Kube interface {
	// AddFlags adds the kubeconfig flags, whose values all commands share.
	AddFlags(*pflag.FlagSet)
	// Reach asks the API server for its version, for a few seconds at most.
	Reach(ctx context.Context) (serverVersion string, err error)
	// Watch prepares a watch of some kinds, or of all, without connecting. Messages of libraries go to logTo.
	Watch(logTo io.Writer, version string, kinds ...model.Kind) (stream.Stream, error)
	// Pods is how many pods there are in all, or on one node if one is named.
	Pods(ctx context.Context, version, node string) (int, error)
	Contexts() []string
	// Context is the name of the kubeconfig context in use; "" if there is none.
	Context() string
	// Role is the least that must be allowed, as YAML.
	Role() string
}
