package command

import (
	"cmp"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model/caveat"
	"kardia/model/explain/verify"
	"kardia/model/infer"
	"kardia/ui/contract"
	"kardia/ui/topics"
)

func (r *run) verify() *cobra.Command {
	mode := &word{"calibrated", []string{"calibrated", "causal"}}
	return r.command(command{
		use:   "verify [PATH…]",
		short: "Check the models against the observed writes",
		long: `Looks for a decision behind every write of the node-lifecycle and taint-eviction
controllers in recordings, and for the write behind every decision. Flags that are
not given are inferred if the recordings determine them.

Writes without an explanation may have a cause without direct evidence, such as a
restart of the controller. Such a hypothesis is printed with the evidence for and
against it. It counts if it settles two writes or more, which are explained only
if it holds.

Exits with 0 if all writes are explained, with 3 if not, or only by a hypothesis,
and with 4 if the recordings cannot support a judgement, or not for all writes:
their causes may lie in a gap, or before the recording starts.`,
		example: "  kardia verify demo:zone-outage\n  kardia verify audit.log -o json --node-monitor-grace-period 40s",
		args:    pathsOrLive,
		shares:  watching | controllers | captures,
		forms:   forms(),
		flags: func(flags *pflag.FlagSet) {
			flags.VarP(mode, "mode", "", "estimate what is hidden from the whole input, or from what was known by then")
		},
		run: func(k *call) error {
			if len(k.args) == 0 && k.watched.lasts == 0 {
				return misuse("--for DURATION is required without a PATH: a single look has nothing to verify")
			}
			m := infer.Calibrated
			if mode.value == "causal" {
				m = infer.Causal
			}
			j, err := r.runModels(k.cmd, k.args, &k.params, &k.watched, m)
			if err != nil && (j == nil || k.form.value != "json") {
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
			out := contract.VerificationOf(&judgement)
			if out.Observed == 0 { // without writes nothing is verified
				if out.Caveats, err = r.saySeen(j, "", caveat.Decided); err != nil {
					return err
				}
			}
			out.Began = j.History.Coverage().Earliest
			return cmp.Or(k.print(out, nil), err)
		},
	})
}

// noteJudgement notes the exit code of 'verify', which is that of 'report' too.
func (r *run) noteJudgement(v *verify.Report, o *infer.Overdue) {
	r.note(Code(v.Exit))
	if o.Known() {
		r.note(Found)
	}
}
