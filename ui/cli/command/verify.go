package command

import (
	"time"

	"github.com/spf13/cobra"

	"kardia/model/caveat"
	"kardia/model/explain/verify"
	"kardia/model/infer"
	"kardia/ui/report"
	"kardia/ui/topics"
)

func (r *run) verify() *cobra.Command {
	params, watched := &paramFlags{}, &watchFlags{}
	output := forms()
	mode := &word{"calibrated", []string{"calibrated", "causal"}}
	cmd := &cobra.Command{
		Use:   "verify [PATH…]",
		Short: "Check the models against the observed writes",
		Long: `Looks for a decision behind every write of the node-lifecycle and taint-eviction
controllers in recordings, and for the write behind every decision. Flags that are
not given are inferred if the recordings determine them.

Writes without an explanation may have a cause without direct evidence, such as a
restart of the controller. Such a hypothesis is printed with the evidence for and
against it. It counts if it settles two writes or more, which are explained only
if it holds.

Exits with 0 if all writes are explained, with 3 if not, or only by a hypothesis,
and with 4 if the recordings cannot support a judgement, or not for all writes:
their causes may lie in a gap, or before the recording starts.`,
		Example: "  kardia verify demo:zone-outage\n  kardia verify audit.log -o json --node-monitor-grace-period 40s",
		Args:    wants(0, -1, "a file, a directory, demo:NAME, or no PATH for the live cluster"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			if len(paths) == 0 && watched.lasts == 0 {
				return misuse("--for DURATION is required without a PATH: a single look has nothing to verify")
			}
			m := infer.Calibrated
			if mode.value == "causal" {
				m = infer.Causal
			}
			j, err := r.runModelsWatched(cmd, paths, params, watched, m)
			if err != nil && (j == nil || output.value != "json") {
				return err // for contradicted flags the table would only repeat the error
			}
			judgement := verify.Evaluate(j.found)
			if err := judgement.Bound(j.found); err != nil {
				return err
			}
			for _, why := range topics.Notes(judgement.Why) {
				r.say("%s", why)
			}
			r.noteJudgement(&judgement, &j.result.Overdue)
			if o := &j.result.Overdue; o.Known() {
				r.say("%s, as it must have by %s", topics.Overdue(o, o.For(j.History.Coverage().Latest).Round(time.Second)), o.Since.Truncate(time.Second))
			}
			out := report.VerificationOf(&judgement)
			if out.Observed == 0 { // without writes nothing is verified
				if out.Caveats, err = r.saySeen(j, "", caveat.Decided); err != nil {
					return err
				}
			}
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

// noteJudgement notes the exit code of 'verify', which is that of 'report' too.
func (r *run) noteJudgement(v *verify.Report, o *infer.Overdue) {
	r.note(Code(v.Exit))
	if o.Known() {
		r.note(Found)
	}
}
