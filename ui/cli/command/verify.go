package command

import (
	"github.com/spf13/cobra"

	"kardia/model/shadow"
	"kardia/model/verify"
	"kardia/ui/report"
)

func (r *run) verify() *cobra.Command {
	params := &paramFlags{}
	output := &word{"table", []string{"table", "json"}}
	mode := &word{"calibrated", []string{"calibrated", "causal"}}
	cmd := &cobra.Command{
		Use:   "verify PATH…",
		Short: "Say what the models explain of what the controllers were seen to do",
		Long: `Looks for a decision behind every write of the node-lifecycle and taint-eviction
controllers that recordings show, and for the write behind every decision. Flags that are
not given and that the recordings determine are inferred.

Exits 0 where all is explained, 3 where something is not, and 4 where the recordings
cannot support a judgement.`,
		Example: "  kardia verify demo:zone-outage\n  kardia verify audit.log -o json --node-monitor-grace-period 40s",
		Args:    wants(1, -1, "at least one PATH: a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			m := shadow.Calibrated
			if mode.value == "causal" {
				m = shadow.Causal
			}
			j, err := r.judge(cmd, paths, params, m)
			if err != nil {
				return err
			}
			judgement := verify.Verify(j.result)
			for _, why := range judgement.Why {
				r.say("%s", why)
			}
			r.note(Code(judgement.Exit))
			return r.print(report.VerificationOf(&judgement), output.value, nil)
		}),
	}
	cmd.Flags().VarP(output, "output", "o", "how to print")
	cmd.Flags().VarP(mode, "mode", "", "estimate what is hidden from the whole input, or from what was known by then")
	inGroup(cmd.Flags(), controllerFlags, params.add)
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}
