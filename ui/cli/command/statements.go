package command

import (
	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/ui/report"
)

func (r *run) getStatements() *cobra.Command {
	node, from, to := "", "", ""
	output := &word{"table", []string{"table", "json"}}
	cmd := &cobra.Command{
		Use:     "statements PATH…",
		Aliases: []string{"statement"},
		Short:   "Print what controllers and kubelets said in their own logs, and what samples show",
		Long: `Prints what the logs of kube-controller-manager and of kubelets say of nodes and of decisions, each thing
once, with until when and how often it was said again, by the clock of the machine it was said on; and what
Prometheus' samples show, at the first that shows it: it came about after the one before.
'verify' compares it with what the models say, 'decisions' has what no model says.`,
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
				return &Fault{Code: Failed, What: "nothing in " + opened.Name + " is the log of a controller or a kubelet, or an answer of Prometheus", Means: "Statements are read from klog, kube-controller-manager's and kubelets' own logs, and from samples."}
			}
			return r.print(report.StatementsOf(h, node, within), output.value, nil)
		}),
	}
	cmd.Flags().StringVar(&node, "node", "", "only what is said of this node")
	cmd.Flags().StringVar(&from, "from", "", "only what is said from this instant on: "+times)
	cmd.Flags().StringVar(&to, "to", "", "only what is said up to this instant")
	cmd.Flags().VarP(output, "output", "o", "how to print")
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}
