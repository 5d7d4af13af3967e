package command

import (
	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/ui/report"
)

func (r *run) getStatements() *cobra.Command {
	node, from, to := "", "", ""
	output := forms()
	cmd := &cobra.Command{
		Use:     "statements PATH…",
		Aliases: []string{"statement"},
		Short:   "Print statements from component logs and samples",
		Long: `Prints what the logs of kube-controller-manager and of kubelets state about nodes
and decisions, by the clock of the machine that wrote the log. A repeated statement
is printed once, with its count and last time. Prometheus samples are printed at
the first sample that shows a change.
'verify' compares the statements with the models; 'decisions' lists those that no
model explains.`,
		Example: "  kardia get statements kube-controller-manager.log\n  journalctl -u kubelet | kardia get statements - --year 2026",
		Args:    wants(1, -1, "a log, or a recording that holds one"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			opened, err := r.open(cmd.Context(), paths)
			if err != nil {
				return err
			}
			h, within := opened.History, model.Always
			if from != "" {
				if within.Earliest, err = instantOf("--from", from, h, within.Earliest); err != nil {
					return err
				}
			}
			if to != "" {
				if within.Latest, err = instantOf("--to", to, h, within.Latest); err != nil {
					return err
				}
			}
			if len(h.Statements()) == 0 {
				return &Fault{Code: Partial, What: "nothing in " + opened.Name + " is the log of a controller or a kubelet, or an answer of Prometheus", Means: "Statements are read from klog, kube-controller-manager's and kubelets' own logs, and from samples."}
			}
			return r.print(report.StatementsOf(h, node, within), output.value, nil)
		}),
	}
	cmd.Flags().StringVar(&node, "node", "", "only statements about this node")
	cmd.Flags().StringVar(&from, "from", "", "only statements from this time on: "+times)
	cmd.Flags().StringVar(&to, "to", "", "only statements up to this time")
	cmd.Flags().VarP(output, "output", "o", "how to print")
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}
