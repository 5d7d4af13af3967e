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
	return &cobra.Command{
		Use:   "capture-script",
		Short: "Print a shell script that captures an incident by kubectl",
		Long: `Prints a POSIX shell script for machines that have kubectl and no Kardia. It
captures nodes, leases, pods, Events, leader leases and, if kube-controller-manager
runs as a pod, its log; then it follows them until ctrl+c. Kardia opens the folder
that it writes. It only reads the cluster. The files hold whole pods with their
environment, so only their owner can read them.`,
		Example: "  kardia capture-script > capture.sh\n  sh capture.sh incident      # there; then here:\n  kardia replay incident",
		Args:    wants(0, 0, "no arguments"),
		RunE: does(func(*cobra.Command, []string) error {
			_, err := io.WriteString(r.Out, captureText)
			return err
		}),
	}
}
