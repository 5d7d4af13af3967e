package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/impact"
	"kardia/model/explain/verdict"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// longestForecast bounds eviction-within: each pass of the controllers is played until then.
const longestForecast = 24 * time.Hour

// failures are the conditions of --fail-on.
type failures struct {
	late, notReady, unknown bool
	unwell, leaving, pods   bool
	notActing               bool
	within                  time.Duration // 0: evictions are not asked for
	text                    string
}

// String, Set and Type implement pflag.Value.
func (f *failures) String() string { return f.text }
func (f *failures) Type() string   { return "list" }
func (f *failures) Set(text string) error {
	is := failures{text: text}
	for _, part := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "late":
			is.late = true
		case "not-ready":
			is.notReady = true
		case "unknown":
			is.unknown = true
		case "degraded":
			is.unwell = true
		case "being-removed":
			is.leaving = true
		case "pods-not-ready":
			is.pods = true
		case "not-acting":
			is.notActing = true
		case "eviction-within":
			within, err := time.ParseDuration(value)
			if err != nil || within <= 0 || within > longestForecast {
				return fmt.Errorf("eviction-within must be a duration up to 24h, as in eviction-within=5m")
			}
			is.within = within
		default:
			return fmt.Errorf("%q is none of late, not-ready, unknown, degraded, being-removed, not-acting, pods-not-ready, eviction-within=DURATION", name)
		}
	}
	*f = is
	return nil
}

// claims are what "OK" states: also that the controllers would declare, taint and delete.
func (f *failures) claims() caveat.Claim {
	claims := caveat.NodeCount | caveat.Acting
	if f.late {
		claims |= caveat.Beating
	}
	if f.notReady || f.unknown || f.unwell || f.leaving {
		claims |= caveat.Ready
	}
	if f.within > 0 {
		claims |= caveat.NoEviction
	}
	if f.pods {
		claims |= caveat.PodCount
	}
	return claims
}

// of are the names of those that hold.
func (f *failures) of(c *report.Checkup) []string {
	failed := []string{}
	for _, x := range []struct {
		name  string
		holds bool
	}{{"late", f.late && c.Late > 0}, {"not-ready", f.notReady && c.NotReady > 0}, {"unknown", f.unknown && c.Unknown > 0},
		{"degraded", f.unwell && c.Unwell > 0}, {"being-removed", f.leaving && c.Leaving > 0},
		{"not-acting", f.notActing && len(c.NotActing) > 0},
		{"pods-not-ready", f.pods && c.PodsNotReady != nil && *c.PodsNotReady > 0},
		{"eviction-within", f.within > 0 && c.Evictions != nil && c.Evictions.Most > 0}} {
		if x.holds {
			failed = append(failed, x.name)
		}
	}
	return failed
}

func (r *run) check() *cobra.Command {
	on, at := &failures{}, ""
	if err := on.Set("late,not-ready,not-acting"); err != nil {
		panic(err)
	}
	params, watched, output := &paramFlags{}, &watchFlags{}, forms()
	cmd := &cobra.Command{
		Use:   "check [PATH…]",
		Short: "Check once, for scripts and cron; exit code 3 on failure",
		Long: `Looks once, prints the state of the nodes and the verdict in one line, and
exits with 3 if any keyword of --fail-on holds:

  late            no heartbeat for 20s, including Unknown nodes. Nodes whose
                  age rests only on their own clock are counted separately
                  (exit 4)
  not-ready       the kubelet posts Ready=False
  unknown         declared Unknown by the control plane
  degraded        Ready, with a problem: a pressure, an old status, a clock that
                  is off
  being-removed   about to be removed; the line names the actor
  not-acting      kube-controller-manager has no leader, is overdue or cannot
                  keep up: silent nodes are not declared or tainted
  pods-not-ready  pods that the controller set not Ready still are, though
                  their nodes recovered; always printed
  eviction-within=DURATION
                  pods may be deleted within that time; a forecast, with the
                  least and the most

Exits with 4 if not everything could be read, and with 1 if nothing could.`,
		Example: "  kardia check --fail-on unknown,eviction-within=5m\n  kardia check demo:zone-outage --at +75s -o json",
		Args:    wants(0, -1, "a file, a directory, demo:NAME, or no PATH for the live cluster"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			j, err := r.runModelsWatched(cmd, paths, params, watched, infer.Calibrated)
			if err != nil {
				return err
			}
			when, err := instant(at, j.History, j.History.Coverage().Latest)
			if err != nil {
				return err
			}
			r.sayAssumed(j)
			out, err := r.checked(j, when, on, lookOf(paths, watched))
			if err != nil {
				return err
			}
			if len(out.Failed) > 0 {
				r.note(Found)
			}
			return r.print(out, output.value, nil)
		}),
	}
	flags := cmd.Flags()
	flags.Var(on, "fail-on", "what fails, separated by commas: late, not-ready, unknown, degraded, being-removed, not-acting, pods-not-ready, eviction-within=DURATION")
	flags.StringVar(&at, "at", "", "the time; the recording's end if not given: "+times)
	flags.VarP(output, "output", "o", "how to print")
	watched.add(r, flags)
	inGroup(flags, controllerFlags, params.add)
	r.takesCaptures(flags)
	completeWords(cmd)
	return cmd
}

func (r *run) checked(j *judged, at model.Instant, on *failures, is look) (out report.Checkup, err error) {
	v, err := j.view(at)
	if err != nil {
		return out, err
	}
	if len(j.result.Unsupported) == 0 || j.result.Foresees {
		if v.Controllers, err = j.result.Known(at); err != nil {
			return out, err
		}
	}
	out = report.Checkup{At: report.Stamp(at), FailOn: strings.Split(on.text, ",")}
	out.Count(v.State, report.Scope{At: at, Read: is.asOf(j.History, at), Unwatched: v.Unwatched, Glanced: is.glanced})
	if on.late && out.LateByItsClock > 0 {
		r.note(Partial)
	}
	known := caveat.Of(v)
	if err := r.checkControllers(j, v, known, on, is, &out); err != nil {
		return out, err
	}
	if out.Removed, err = removedBy(j.History, v.State, at); err != nil {
		return out, err
	}
	r.checkPods(j, v, len(known.Forbids(caveat.PodCount)) == 0, on, is, &out)
	out.Failed = on.of(&out)
	return out, nil
}

// checkControllers adds whether the controllers act, the unknowns, and the verdict.
func (r *run) checkControllers(j *judged, v caveat.View, known caveat.List, on *failures, is look, out *report.Checkup) error {
	evidence, err := verdict.Look(history.NewCursor(j.History), v.At, verdict.View{Overdue: j.result.Overdue, Watched: is.watched, Glanced: is.glanced, LeadersUnwatched: j.LeadersUnwatched})
	if err != nil {
		return err
	}
	unknown := known.Forbids(on.claims())
	if on.notActing { // a finding needs no caveat
		out.NotActing = report.CaveatsOf(known.Refutes(caveat.Acting)).NotKnown
		unknown = slices.DeleteFunc(unknown, func(c caveat.Caveat) bool { return len(caveat.List{c}.Refutes(caveat.Acting)) > 0 })
	}
	out.Caveats = r.caveats(unknown)
	if list := verdict.Of(evidence); len(list) > 0 {
		out.Verdict = &report.CheckVerdict{Rule: list[0].Rule.Number(), Scope: list[0].Rule.String(), Says: topics.Verdict(&list[0]).String()}
		if list[0].Undecided() || evidence.Blind.Code != "" {
			r.note(Partial)
		}
	}
	overdue := j.result.Overdue
	if v.Controllers != nil {
		overdue = v.Controllers.Overdue
	}
	if late := overdue.For(v.At); late > 0 {
		out.Overdue = report.Seconds(model.Some(late))
	}
	return nil
}

// checkPods adds the marked pods and those that will be deleted, if all pods are known.
func (r *run) checkPods(j *judged, v caveat.View, known bool, on *failures, is look, out *report.Checkup) {
	if why := j.marksUnknown(is); why != "" && on.pods {
		r.say("whether pods are still marked not Ready is not known: %s", why)
		r.note(Partial)
	} else if why == "" && known {
		n := len(impact.Marked(v.State, j.result.Decisions, v.At))
		out.PodsNotReady = &n
	}
	switch {
	case on.within == 0 || !known:
	case v.Controllers == nil:
		r.sayUnsupported(j.result.Unsupported)
	default:
		f := forecast.Run(v.Controllers, forecast.Options{Horizon: max(on.within, forecast.Horizon)})
		r.sayResumed(f)
		out.Foresee(f, v.At, on.within)
	}
}

// marksUnknown is why it is not known which pods the controller marked not Ready; "" if it is known.
func (j *judged) marksUnknown(is look) string {
	switch {
	case is.glanced, j.result.Instants != nil:
		return "not watched when their nodes fell silent"
	case len(j.result.Unsupported) > 0:
		return strings.Join(topics.Notes(j.result.Unsupported), "; ")
	}
	return ""
}
