package command

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// captureText is the script that captures without Kardia.
//
//go:embed capture.sh
var captureText string

func (r *run) captureScript() *cobra.Command {
	return r.command(command{
		use:   "capture-script",
		short: "Print a shell script that captures an incident by kubectl",
		long: `Prints a POSIX shell script for machines that have kubectl and no Kardia. It
captures nodes, leases, pods, Events, leader leases and, if kube-controller-manager
runs as a pod, its log; then it follows them until ctrl+c. Kardia opens the folder
that it writes. It only reads the cluster. The files hold whole pods with their
environment, so only their owner can read them.`,
		example: "  kardia capture-script > capture.sh\n  sh capture.sh incident      # there; then here:\n  kardia replay incident",
		run: func(*call) error {
			_, err := io.WriteString(r.Out, captureText)
			return err
		},
	})
}
