package postmortem

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/infer/hypotheses"
	"kardia/ui/report"
	"kardia/ui/topics"
)

func (r *Report) tellFlags() chapter {
	c := chapter{title: "The controller manager: starts and flags"}
	c.say(r.starts())
	c.say("The flags that the models ran with, and the values that agree with the observation. A default is used if no source states the flag: the cluster may have had another.")
	t := &table{head: []string{"Flag", "Value", "From", "Values that agree", "Observations"}}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		p := r.params[name]
		from, fits := p.From.String(), "anything: nothing determines it"
		if p.Untried {
			fits = "not known: other values were not tried"
		}
		if p.From == model.FromFile {
			from = "input"
		}
		evidence := "0"
		if p.Fits.Known {
			fits, evidence = report.FitWords(p.Fits.Value), strconv.Itoa(p.Fits.Value.Evidence)
			if or := topics.FlagOr(&p.Fits.Value.Or); !or.Missing() {
				fits += "; or " + or.String()
			}
		}
		t.add("--"+name, p.Value, from, fits, evidence)
	}
	c.put(t)
	c.say(r.explained())
	return c
}

// beganWithin says that the node-lifecycle controller began anew between two instants.
func (r *Report) beganWithin(from, to model.Instant) bool {
	return from.Bounded() && slices.ContainsFunc(r.decided, func(d *model.Decision) bool {
		return d.Kind == model.ControllerStart && d.Controller == model.NodeLifecycle && from < d.Time && d.Time < to
	})
}

// starts is when the controller manager began anew, or its leader changed, as far as the input tells.
func (r *Report) starts() string {
	if r.undecided != "" {
		return "Whether the controller manager restarted is not known: " + r.undecided + "."
	}
	var began, changed []string
	led := ""
	for _, d := range r.decided {
		switch {
		case d.Kind != model.ControllerStart:
		case r.longAgo(d):
			led = " Before the report starts they had started last at " + stamp(d.Time) + "."
		default:
			began = append(began, coarse(d.Time)+" ("+strings.ReplaceAll(d.Controller.String(), "-", " ")+")")
		}
	}
	for i := range r.Timeline {
		if row := &r.Timeline[i]; row.Kind == "leader" {
			changed = append(changed, coarse(row.at)+" ("+names(row.Subjects, 2)+")")
		}
	}
	var parts []string
	if len(began) > 0 {
		parts = append(parts, "Controllers restarted at "+names(began, 6)+r.onlyWritesShow()+": from then on silences and countdowns are counted again.")
	} else {
		parts = append(parts, "Nothing that was written shows that the controllers restarted.")
	}
	switch {
	case len(changed) > 0:
		parts = append(parts, "A leader changed at "+names(changed, 6)+".")
	case r.leaders:
		parts = append(parts, "No leader changed.")
	default:
		parts = append(parts, "Whether a leader changed is not known: the input has no leader leases.")
	}
	return strings.Join(parts, " ") + led
}

// explained is how much of what was seen the models explain, as verify has it.
func (r *Report) explained() string {
	v := &r.Verification
	if v.Observed == 0 {
		return "The input shows no write of the controllers, so nothing checks the models against it."
	}
	explained := fmt.Sprintf("%d of the %s", v.Explained, counted(v.Observed, "write"))
	if v.Explained == v.Observed && v.Observed > 1 {
		explained = fmt.Sprintf("all %d writes", v.Observed)
	}
	text := "The models explain " + explained + " of the controllers that the whole input shows; "
	if n := len(v.Unobserved); v.Partial {
		text += "their unseen effects are not judged."
	} else if n > 0 {
		text += counted(n, "effect") + " that they decide on " + map[bool]string{true: "was", false: "were"}[n == 1] + " not seen."
	} else {
		text += "all that they decide on, and that the input would show, was seen."
	}
	if v.ExplainedIf > 0 {
		text += fmt.Sprintf(" %d more are explained only by a hypothesis without evidence of its own.", v.ExplainedIf)
	}
	return text + r.testified()
}

// testified is what the controllers' own logs say of the decisions; empty where none was read.
func (r *Report) testified() string {
	l := r.Verification.Logs
	if l == nil || l.Statements == 0 {
		return ""
	}
	return fmt.Sprintf(" %s: %s.", capital(l.Of()), l.Says())
}

// onlyWritesShow says that nothing tells of a restart of the controllers but what it explains; empty where something does.
func (r *Report) onlyWritesShow() string {
	writes, restarts := 0, 0
	for _, h := range r.supposed {
		if h.Kind == hypotheses.Restart {
			writes, restarts = writes+len(h.Writes), restarts+1
		}
	}
	if restarts == 0 {
		return ""
	}
	which := "supposed: no source shows it"
	if all := len(r.restarts()); all > restarts {
		which = fmt.Sprintf("%d of them supposed: no source shows it", restarts)
	}
	return fmt.Sprintf(" (%s, and %d writes are explained only so)", which, writes)
}

// disagrees says that the controllers' own logs and the models do not say the same; empty where they do.
func (r *Report) disagrees() string {
	l := r.Verification.Logs
	if l == nil || len(l.Contradicted) == 0 {
		return ""
	}
	first := &l.Contradicted[0]
	text := fmt.Sprintf("%s and the models disagree in %s: %s of %s at %s (%s)", capital(l.Of()), counted(len(l.Contradicted), "statement"),
		first.Kind, first.Subject, coarse(model.Instant(first.Time)), first.Detail)
	if n := len(l.Contradicted) - 1; n > 0 {
		text += fmt.Sprintf(", and %d more, which 'verify' lists", n)
	}
	return text + "."
}
