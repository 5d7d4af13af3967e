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
		Short: "Print a shell script that captures an incident with kubectl alone",
		Long: `Prints a POSIX shell script, for machines on which there is kubectl and no Kardia. It captures what there
is now of nodes, leases, pods, Events and leader leases and the log of kube-controller-manager where that runs
as a pod, and follows them until ctrl+c, into a folder that Kardia opens. It only reads. The files hold pods whole, with their environment: only
their owner can read them.`,
		Example: "  kardia capture-script > capture.sh\n  sh capture.sh incident      # there; then here:\n  kardia replay incident",
		Args:    wants(0, 0, "no arguments"),
		RunE: does(func(*cobra.Command, []string) error {
			_, err := io.WriteString(r.Out, captureText)
			return err
		}),
	}
}
