package command

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/margin"
	"kardia/ui/contract"
)

func (r *run) margin() *cobra.Command {
	f := &spanFlags{}
	return r.command(command{
		use:   "margin PATH…",
		short: "Print near misses, and the effect of other grace periods",
		long: `Examines the pauses between the heartbeats of each node and prints:

  - their distribution, and the longest silences
  - stalls, in which nothing was written (the API server, or the way to it)
  - nodes that stopped being Ready and came back more than once
  - how many silences other grace periods would have declared: certainly, or
    possibly, depending on when the monitor passes ran

A pause across a gap is not counted.`,
		example: "  kardia margin demo:all-dark\n  kardia margin yesterday.mcap --from 14:00:00 --to 15:00:00 -o json",
		args:    arguments{1, -1, "a file, a directory, or demo:NAME"},
		shares:  controllers | captures,
		forms:   forms(),
		flags:   func(flags *pflag.FlagSet) { f.add(flags, "pauses that end") },
		run: func(k *call) error {
			j, err := k.judged()
			if err != nil {
				return err
			}
			over, err := f.in(j.History, j.History.Coverage())
			if err != nil {
				return err
			}
			return k.print(r.marginOver(k.cmd.Context(), j, over))
		},
	})
}

func (r *run) marginOver(ctx context.Context, j *judged, over model.Interval) (out contract.Margin, err error) {
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
	out = contract.MarginOf(found, inForce, j.result.Unled())
	if out.Caveats, err = r.saySeen(j, "", caveat.Beating|caveat.Ready); err != nil {
		return out, err
	}
	if out.BoundGrace(j.result) {
		r.note(Partial)
	}
	out.Began = j.History.Coverage().Earliest
	return out, nil
}
