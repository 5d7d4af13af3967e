package command

import (
	"slices"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/removal"
	"kardia/model/explain/verdict"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/sources/open"
	"kardia/ui/contract"
)

func (r *run) verdict() *cobra.Command {
	return r.command(command{
		use:   "verdict [PATH…]",
		short: "Find the fault: node, zone, control plane, or observer",
		long: `Finds the fault behind nodes that are silent, declared Unknown or not ready, by
the first rule that holds (docs/verdict.md). It prints the evidence for and
against it, what could not be read, what those nodes have in common, and what to
do next. Nodes outside a verdict are judged again. Exits with 4 if it is undecided.`,
		example: "  kardia verdict\n  kardia verdict demo:zone-outage --at +200s\n  kardia verdict incident/ --at 2026-11-20T23:55:00Z -o json",
		args:    pathsOrLive,
		shares:  atTime | watching | controllers | captures,
		forms:   forms(),
		run: func(k *call) error {
			opened, overdue, err := k.toJudge()
			if err != nil {
				return err
			}
			when, err := k.time(opened.History)
			if err != nil {
				return err
			}
			r.sayCaptured(opened.History, when)
			is := k.look()
			by := verdict.View{Watched: is.watched, Glanced: is.glanced, LeadersUnwatched: opened.LeadersUnwatched}
			if overdue.For(when) > 0 {
				by.Overdue = overdue
			}
			out, err := r.verdicts(opened.History, when, by)
			if err != nil {
				return err
			}
			if len(out.Verdicts) == 0 {
				v, err := viewOf(opened.History, is.watched, k.watched.unread, when)
				if err != nil {
					return err
				}
				out.Caveats = r.caveats(caveat.Of(v).Forbids(caveat.Healthy))
			}
			return k.print(out, nil)
		},
	})
}

// verdicts are those at a time, with removed nodes and other actors. It notes the exit code of an undecided one.
func (r *run) verdicts(h history.History, at model.Instant, by verdict.View) (out contract.Verdicts, err error) {
	cursor, sources := history.NewCursor(h), h.Sources()
	evidence, err := verdict.Look(cursor, at, by)
	if err != nil {
		return out, err
	}
	list := verdict.Of(evidence)
	out = contract.VerdictsOf(at, list)
	out.Actors = contract.ActorsOf(cursor.State(), at)
	if out.Removed, err = removedBy(h, cursor.State(), at); err != nil {
		return out, err
	}
	unread := len(out.Removed) == 0 && !by.Watched && !caveat.Reads(sources, model.KindNode) && !caveat.Reads(sources, model.KindNodeLease)
	if unread || history.ByName(sources, model.KindNode) || slices.ContainsFunc(list, func(v verdict.Verdict) bool { return v.Undecided() || v.Rule == verdict.OwnView }) {
		r.note(Partial)
	}
	return out, nil
}

// removedBy are the nodes that were removed shortly before the time of the cluster.
func removedBy(h history.History, at *model.Cluster, until model.Instant) ([]contract.Removed, error) {
	list, err := removal.Of(h, at, until.Add(-removal.Recent), until)
	return contract.RemovedOf(list), err
}

// toJudge opens the named recordings, whose later writes show overdue actions, or the live cluster with these.
func (k *call) toJudge() (opened *open.Opened, overdue infer.Overdue, err error) {
	var j *judged
	if len(k.args) == 0 || k.params.any() {
		j, err = k.runModels(k.cmd, k.args, &k.params, &k.watched, infer.Calibrated)
	} else if opened, err = k.watched.opened(k.cmd.Context(), k.run, k.args); err == nil {
		if _, alone := history.Alone(opened.History, opened.History.Coverage().Latest); !alone {
			return opened, overdue, nil
		}
		j, err = k.judge(k.cmd.Context(), opened, &k.params, infer.Calibrated)
	}
	if err != nil {
		return nil, overdue, err
	}
	return j.Opened, j.result.Overdue, nil
}
