package command

import (
	"strings"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/impact"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/report"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

func (r *run) getEvictions() *cobra.Command {
	return r.foreseen(&cobra.Command{
		Use:     "evictions [PATH…]",
		Aliases: []string{"eviction"},
		Short:   "Print threatened pods: when they are deleted, why not yet",
		Example: "  kardia get evictions\n  kardia get evictions demo:zone-outage --at +200s\n  kardia get evictions audit.log --at 14:05 -o json",
	}, func(j *judged, f *forecast.Forecast, at model.Instant, known report.Caveats) (report.Printed, error) {
		out := report.EvictionsAt(at, f.Evictions, append(report.Assumed(f), topics.Notes(j.result.Assumptions)...))
		out.Caveats = known
		var nodes []string
		for i := range out.Evictions {
			nodes = append(nodes, out.Evictions[i].Node)
		}
		var err error
		if out.Attached, err = j.attached(at, nodes); err != nil {
			return nil, err
		}
		out.Later(forecast.Compare(f, j.result.Decisions, j.History.Coverage().Latest))
		return out, nil
	})
}

func (r *run) getImpact() *cobra.Command {
	return r.foreseen(&cobra.Command{
		Use:     "impact [PATH…]",
		Short:   "Print affected workloads: replicas ready now and predicted",
		Example: "  kardia get impact\n  kardia get impact demo:zone-outage --at +150s\n  kardia get impact incident/ --at 14:05 -o json",
	}, func(j *judged, f *forecast.Forecast, at model.Instant, known report.Caveats) (report.Printed, error) {
		c, err := history.StateAt(j.History, at)
		if err != nil {
			return nil, err
		}
		list := impact.Of(c, f)
		if j.withheld() != "" { // "unaffected" needs evidence
			list = nil
		}
		impact.CountMarked(list, impact.Marked(c, j.result.Decisions, at))
		out := report.ImpactAt(at, list, append(report.Assumed(f), topics.Notes(j.result.Assumptions)...))
		out.Caveats = known
		var nodes []string
		for i := range out.Workloads {
			nodes = append(nodes, out.Workloads[i].Nodes...)
		}
		out.Beside(c, f, func(kind model.Kind) string { return j.without(c, kind) })
		out.Attached, err = j.attached(at, nodes)
		return out, err
	})
}

// withheld is why nothing can be stated about which pods will be deleted; "" if it can.
func (j *judged) withheld() string {
	if j.result.Foresees {
		return ""
	}
	return strings.Join(topics.Notes(j.result.Unsupported), "; ")
}

// without is why nothing is known of a related kind; "" if something is.
func (j *judged) without(c *model.Cluster, kind model.Kind) string {
	for range c.RelatedOf(kind) {
		return ""
	}
	return j.lacks[kind]
}

// attached are the volumes of nodes at a time, or why nothing is known of them.
func (j *judged) attached(at model.Instant, nodes []string) (report.Attached, error) {
	c, err := history.StateAt(j.History, at)
	if err != nil {
		return report.Attached{}, err
	}
	if why := j.without(c, model.KindVolumeAttachment); why != "" {
		return report.VolumesUnread(why), nil
	}
	return report.VolumesOf(c, at, nodes), nil
}

// foreseen is a command about predicted events of pods.
func (r *run) foreseen(cmd *cobra.Command, make func(j *judged, f *forecast.Forecast, at model.Instant, known report.Caveats) (report.Printed, error)) *cobra.Command {
	params, watched := &paramFlags{}, &watchFlags{asks: screen.Served}
	output := forms("wide", "name")
	var atText string
	cmd.Args = wants(0, -1, "a file, a directory, demo:NAME, or no PATH for the live cluster")
	cmd.RunE = does(func(cmd *cobra.Command, paths []string) error {
		j, err := r.runModelsWatched(cmd, paths, params, watched, infer.Calibrated)
		if err != nil {
			return err
		}
		at, err := instant(atText, j.History, j.History.Coverage().Latest)
		if err != nil {
			return err
		}
		r.sayUnsupported(j.result.Unsupported)
		r.sayAssumed(j)
		r.sayCaptured(j.History, at)
		s, err := j.result.Known(at)
		if err != nil {
			return err
		}
		f := forecast.Run(s, forecast.Options{})
		r.sayResumed(f)
		if j.withheld() != "" { // no evidence about pods
			f.Evictions = nil
			f.Index()
		}
		v, err := j.view(at)
		if err != nil {
			return err
		}
		v.Controllers = s
		known := r.sayCaveats(caveat.Of(v).Forbids(caveat.NoEviction | caveat.PodCount | caveat.Timed))
		if why := j.withheld(); why != "" {
			known.NotKnown = append(known.NotKnown, report.NotJudged(why))
		}
		out, err := make(j, f, at, known)
		if err != nil {
			return err
		}
		return r.print(out, output.value, &state{name: j.Name, scope: report.Scope{At: at}})
	})
	cmd.Flags().VarP(output, "output", "o", "how to print")
	cmd.Flags().StringVar(&atText, "at", "", "the time; the recording's end if not given: "+times)
	watched.add(r, cmd.Flags())
	inGroup(cmd.Flags(), controllerFlags, params.add)
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}

// sayResumed prints from when pods may be deleted if the last leader was only paused.
func (r *run) sayResumed(f *forecast.Forecast) {
	for _, a := range f.Assumptions {
		if a.Code == forecast.LeaderExited {
			r.say("%s", topics.Assumption(a))
		}
	}
}
