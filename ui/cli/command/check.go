package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/impact"
	"kardia/model/explain/verdict"
	"kardia/model/history"
	"kardia/model/simulate/forecast"
	"kardia/ui/contract"
	"kardia/ui/topics"
)

// longestForecast bounds eviction-within: each pass of the controllers is played until then.
const longestForecast = 24 * time.Hour

// evictionWithin is the one condition with a value.
const evictionWithin = "eviction-within"

// condition is a word of --fail-on: what "OK" claims with it, and how many there are of what fails.
type condition struct {
	name   string
	claims caveat.Claim
	failed func(*contract.Checkup) int
}

var conditions = []condition{
	{"late", caveat.Beating, func(c *contract.Checkup) int { return c.Late }},
	{"not-ready", caveat.Ready, func(c *contract.Checkup) int { return c.NotReady }},
	{"unknown", caveat.Ready, func(c *contract.Checkup) int { return c.Unknown }},
	{"degraded", caveat.Ready, func(c *contract.Checkup) int { return c.Unwell }},
	{"being-removed", caveat.Ready, func(c *contract.Checkup) int { return c.Leaving }},
	{"not-acting", 0, func(c *contract.Checkup) int { return len(c.NotActing) }},
	{"pods-not-ready", caveat.PodCount, func(c *contract.Checkup) int { return *cmp.Or(c.PodsNotReady, new(int)) }},
	{evictionWithin, caveat.NoEviction, func(c *contract.Checkup) int {
		if c.Evictions == nil {
			return 0
		}
		return c.Evictions.Most
	}},
}

// conditionNames are the words of --fail-on, as a person types them.
func conditionNames() string {
	var names []string
	for _, c := range conditions {
		names = append(names, c.name)
	}
	return strings.Join(names, ", ") + "=DURATION"
}

// failures are the chosen conditions. within is 0 if evictions are not asked for.
type failures struct {
	on     map[string]bool
	within time.Duration
	text   string
}

func readFailures(text string) (is failures, err error) {
	is = failures{on: map[string]bool{}, text: text}
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		if !slices.ContainsFunc(conditions, func(c condition) bool { return c.name == name }) {
			return is, fmt.Errorf("%q is none of %s", name, conditionNames())
		}
		if is.on[name] = true; name != evictionWithin {
			continue
		}
		if is.within, err = time.ParseDuration(value); err != nil || is.within <= 0 || is.within > longestForecast {
			return is, fmt.Errorf("eviction-within must be a duration up to 24h, as in eviction-within=5m")
		}
	}
	return is, nil
}

// claims are what "OK" states: also that the controllers would declare, taint and delete.
func (f *failures) claims() caveat.Claim {
	claims := caveat.NodeCount | caveat.Acting
	for _, c := range conditions {
		if f.on[c.name] {
			claims |= c.claims
		}
	}
	return claims
}

// of are the names of those that hold.
func (f *failures) of(out *contract.Checkup) []string {
	failed := []string{}
	for _, c := range conditions {
		if f.on[c.name] && c.failed(out) > 0 {
			failed = append(failed, c.name)
		}
	}
	return failed
}

func (r *run) check() *cobra.Command {
	const usual = "late,not-ready,not-acting"
	on, _ := readFailures(usual)
	return r.command(command{
		use:   "check [PATH…]",
		short: "Check once, for scripts and cron; exit code 3 on failure",
		long: `Looks once, prints the state of the nodes and the verdict in one line, and
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
		example: "  kardia check --fail-on unknown,eviction-within=5m\n  kardia check demo:zone-outage --at +75s -o json",
		args:    pathsOrLive,
		shares:  atTime | watching | controllers | captures,
		forms:   forms(),
		flags: func(flags *pflag.FlagSet) {
			flags.Var(&value[failures]{is: &on, kind: "list", shown: usual, read: readFailures}, "fail-on", "what fails, separated by commas: "+conditionNames())
		},
		run: func(k *call) error {
			j, when, err := k.judgedAt()
			if err != nil {
				return err
			}
			out, err := r.checked(j, when, &on, k.look())
			if len(out.Failed) > 0 {
				r.note(Found)
			}
			return k.print(out, err)
		},
	})
}

func (r *run) checked(j *judged, at model.Instant, on *failures, is look) (out contract.Checkup, err error) {
	v, err := j.known(at)
	if err != nil {
		return out, err
	}
	if len(j.result.Unsupported) > 0 && !j.result.Foresees {
		v.Controllers = nil
	}
	out = contract.Checkup{At: contract.Stamp(at), FailOn: strings.Split(on.text, ",")}
	out.Count(v.State, contract.Scope{At: at, Read: is.asOf(j.History, at), Unwatched: v.Unwatched, Glanced: is.glanced})
	if on.on["late"] && out.LateByItsClock > 0 {
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
func (r *run) checkControllers(j *judged, v caveat.View, known caveat.List, on *failures, is look, out *contract.Checkup) error {
	evidence, err := verdict.Look(history.NewCursor(j.History), v.At, verdict.View{Overdue: j.result.Overdue, Watched: is.watched, Glanced: is.glanced, LeadersUnwatched: j.LeadersUnwatched})
	if err != nil {
		return err
	}
	unknown := known.Forbids(on.claims())
	if on.on["not-acting"] { // a finding needs no caveat
		out.NotActing = contract.CaveatsOf(known.Refutes(caveat.Acting)).NotKnown
		unknown = slices.DeleteFunc(unknown, func(c caveat.Caveat) bool { return len(caveat.List{c}.Refutes(caveat.Acting)) > 0 })
	}
	out.Caveats = r.caveats(unknown)
	if list := verdict.Of(evidence); len(list) > 0 {
		out.Verdict = &contract.CheckVerdict{Rule: list[0].Rule.Number(), Scope: list[0].Rule.String(), Says: topics.Verdict(&list[0]).String()}
		if list[0].Undecided() || evidence.Blind.Code != "" {
			r.note(Partial)
		}
	}
	overdue := j.result.Overdue
	if v.Controllers != nil {
		overdue = v.Controllers.Overdue
	}
	if late := overdue.For(v.At); late > 0 {
		out.Overdue = contract.Seconds(model.Some(late))
	}
	return nil
}

// checkPods adds the marked pods and those that will be deleted, if all pods are known.
func (r *run) checkPods(j *judged, v caveat.View, known bool, on *failures, is look, out *contract.Checkup) {
	if why := j.marksUnknown(is); why != "" && on.on["pods-not-ready"] {
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
