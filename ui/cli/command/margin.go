package command

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/margin"
	"kardia/model/infer"
	"kardia/ui/report"
)

func (r *run) margin() *cobra.Command {
	from, to := "", ""
	params := &paramFlags{}
	output := forms()
	cmd := &cobra.Command{
		Use:   "margin PATH…",
		Short: "Print near misses, and the effect of other grace periods",
		Long: `Examines the pauses between the heartbeats of each node and prints:

  - their distribution, and the longest silences
  - stalls, in which nothing was written (the API server, or the way to it)
  - nodes that stopped being Ready and came back more than once
  - how many silences other grace periods would have declared: certainly, or
    possibly, depending on when the monitor passes ran

A pause across a gap is not counted.`,
		Example: "  kardia margin demo:all-dark\n  kardia margin yesterday.mcap --from 14:00:00 --to 15:00:00 -o json",
		Args:    wants(1, -1, "a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			j, err := r.runModels(cmd, paths, params, infer.Calibrated)
			if err != nil {
				return err
			}
			r.sayAssumed(j)
			over, h := model.Interval{}, j.History
			if over.Earliest, err = instantOf("--from", from, h, h.Coverage().Earliest); err != nil {
				return err
			}
			if over.Latest, err = instantOf("--to", to, h, h.Coverage().Latest); err != nil {
				return err
			}
			if over.Earliest > over.Latest {
				return misuse("--from %s is after --to %s", over.Earliest, over.Latest)
			}
			out, err := r.marginOver(cmd.Context(), j, over)
			if err != nil {
				return err
			}
			return r.print(out, output.value, nil)
		}),
	}
	cmd.Flags().StringVar(&from, "from", "", "only pauses that end from this time on: "+times)
	cmd.Flags().StringVar(&to, "to", "", "only pauses that end up to this time")
	cmd.Flags().VarP(output, "output", "o", "how to print")
	inGroup(cmd.Flags(), controllerFlags, params.add)
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}

func (r *run) marginOver(ctx context.Context, j *judged, over model.Interval) (out report.Margin, err error) {
	inForce := j.result.Params.NodeMonitorGracePeriod.Value
	ends := j.work.begins("looking at each pause between heartbeats")
	found, err := margin.Of(j.History, margin.Options{Over: over, Graces: margin.Graces(inForce), InForce: inForce, Period: j.result.Params.NodeMonitorPeriod.Value,
		Progress: j.work.share})
	ends()
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return out, err
	}
	if found.Beats == 0 {
		r.say("no pause between heartbeats is known: the input shows no lease that was renewed")
		r.note(Partial)
	}
	out = report.MarginOf(found, inForce, j.result.Unled())
	if out.Caveats, err = r.saySeen(j, "", caveat.Beating|caveat.Ready); err != nil {
		return out, err
	}
	if out.BoundGrace(j.result) {
		r.note(Partial)
	}
	out.Began = j.History.Coverage().Earliest
	return out, nil
}
