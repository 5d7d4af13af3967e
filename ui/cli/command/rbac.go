package command

import (
	"io"

	"github.com/spf13/cobra"
)

func (r *run) rbac() *cobra.Command {
	return &cobra.Command{
		Use:     "rbac",
		Short:   "Print the least role that Kardia needs",
		Long:    "Prints, as YAML for kubectl apply, the least that must be allowed to watch a cluster. Kardia only reads.",
		Example: "  kardia rbac | kubectl apply -f -",
		Args:    wants(0, 0, "no arguments"),
		RunE: does(func(*cobra.Command, []string) error {
			_, err := io.WriteString(r.Out, r.Kube.Role())
			return err
		}),
	}
}
