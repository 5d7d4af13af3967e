package command

import (
	"time"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/infer"
	"kardia/ui/report"
)

func (r *run) verify() *cobra.Command {
	params, watched := &paramFlags{}, &watchFlags{}
	output := &word{"table", []string{"table", "json"}}
	mode := &word{"calibrated", []string{"calibrated", "causal"}}
	cmd := &cobra.Command{
		Use:   "verify [PATH…]",
		Short: "Say what the models explain of what the controllers were seen to do",
		Long: `Looks for a decision behind every write of the node-lifecycle and taint-eviction
controllers that recordings show, and for the write behind every decision. Flags that are
not given and that the recordings determine are inferred.

What nothing explains, something that nobody tells of may: that the controller started anew,
for instance. Such a hypothesis is printed with what speaks for and against it. It counts when
it settles two writes or more; what it settles is explained only if it holds.

Exits 0 where all is explained, 3 where something is not, or only if a hypothesis holds, and 4
where the recordings cannot support a judgement, or not of all writes: what led to these may
have happened in a hole, or before the recording begins.`,
		Example: "  kardia verify demo:zone-outage\n  kardia verify audit.log -o json --node-monitor-grace-period 40s",
		Args:    wants(0, -1, "a file, a directory, demo:NAME, or no PATH for the live cluster"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			if len(paths) == 0 && watched.lasts == 0 {
				return misuse("'verify' of a live cluster wants --for DURATION: one look has nothing to verify")
			}
			m := infer.Calibrated
			if mode.value == "causal" {
				m = infer.Causal
			}
			j, err := r.runModelsWatched(cmd, paths, params, watched, m)
			if err != nil && (j == nil || output.value != "json") {
				return err // of flags that are contradicted the table could only repeat what is said
			}
			found, failed := j.search()
			if failed != nil {
				return failed
			}
			judgement := verify.Evaluate(found)
			for _, why := range judgement.Why {
				r.say("%s", why)
			}
			r.note(Code(judgement.Exit))
			if o := &j.result.Overdue; o.Known() {
				r.say("overdue %s: %s, as it must have by %s", model.Length(o.For(j.History.Coverage().Latest).Round(time.Second)), o.Says(), o.Since.Truncate(time.Second))
				r.note(Found)
			}
			out := report.VerificationOf(&judgement)
			out.Began = j.History.Coverage().Earliest
			if printed := r.print(out, output.value, nil); printed != nil {
				return printed
			}
			return err
		}),
	}
	cmd.Flags().VarP(output, "output", "o", "how to print")
	cmd.Flags().VarP(mode, "mode", "", "estimate what is hidden from the whole input, or from what was known by then")
	watched.add(r, cmd.Flags())
	inGroup(cmd.Flags(), controllerFlags, params.add)
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}
