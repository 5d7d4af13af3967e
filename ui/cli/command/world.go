// Package command is Kardia's commands: their arguments, output and return values. The outside (streams, the
// environment, the connection to a cluster) comes in as a World. So tests run the commands as a person does, without a
// process or a client.
package command

import (
	"context"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// World is all that commands touch outside of this program's memory.
type World struct {
	// Args are the words of the command line; Args[0] is the name the program was called by.
	Args []string
	In   io.Reader
	// Out takes data and nothing else, Err takes messages.
	Out, Err io.Writer
	// Terminal reports that Out is a terminal that can be drawn on.
	Terminal bool
	// ErrTerminal reports that Err is a terminal, on which a line may be written over.
	ErrTerminal bool
	// Width and Height are the terminal's cells; 0 if there is none.
	Width, Height int
	// Environ is the environment, as os.Environ gives it.
	Environ []string
	// LogPath is the file for the messages of libraries; "" if there is no place for one.
	LogPath string
	// StateDir is the directory of a person's progress in lessons; "" if there is no place for it.
	StateDir string
	// ConfigDir is the directory of the person's configuration, and of their own themes, in themes/; "" if there is no
	// place for them.
	ConfigDir string
	Kube      Kube
}

// environ is the value of a variable of the environment; "" if it is not set.
func (w *World) environ(name string) string {
	for _, v := range w.Environ {
		if value, ok := strings.CutPrefix(v, name+"="); ok {
			return value
		}
	}
	return ""
}

// Kube is the way to a live cluster. The one real implementation is in package kube.
type Kube interface {
	// AddFlags adds the kubeconfig flags. Several commands have them; they share the values.
	AddFlags(*pflag.FlagSet)
	// Reach asks the API server for its version, for a few seconds at most.
	Reach(ctx context.Context) (serverVersion string, err error)
	// Watch prepares a watch of some kinds, or of all if none is named, without connecting. Messages of libraries go to
	// logTo.
	Watch(logTo io.Writer, version string, kinds ...model.Kind) (stream.Stream, error)
	// Pods is how many pods there are in all, or on one node if one is named.
	Pods(ctx context.Context, version, node string) (int, error)
	// Contexts are the names of all contexts of the kubeconfig.
	Contexts() []string
	// Context is the name of the kubeconfig context in use; "" if there is none.
	Context() string
	// Role is the least that must be allowed, as YAML.
	Role() string
}
