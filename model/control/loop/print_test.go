package loop_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/datadriven"

	"kardia/internal/plain"
	"kardia/model"
)

// why prints what holds back the next decisions about a node, pod or zone at the end.
func (s *stage) why(d *datadriven.TestData) string {
	var node, pod, on, zone string
	for arg, into := range map[string]*string{"node": &node, "pod": &pod, "on": &on, "zone": &zone} {
		d.MaybeScanArgs(s.t, arg, into)
	}
	at := second(s.until)
	var b strings.Builder
	for _, z := range s.loop.Nodes.Zones(at, s.loop.Cache) {
		if zone == "" || !z.Zone.Matches(zone) {
			continue
		}
		fmt.Fprintf(&b, "%s: %s, %v/s, next token %s, %d of %d not ready, waiting %v\n", z.Zone, z.State, z.Rate, clockTime(z.NextToken), z.NotReady, z.Ready+z.NotReady, z.Waiting)
		checks, _, _, _ := s.loop.Nodes.WhyZone(z.Zone)
		for _, c := range checks {
			fmt.Fprintf(&b, "  %s\n", plain.Check(&c))
		}
	}
	var list []model.Decision
	if node != "" {
		list = s.loop.Nodes.WhyNot(at, node, s.loop.Cache, model.Interval{})
	}
	if pod != "" {
		list = append(list, s.loop.Taints.WhyNot(at, s.loop.Pod(on, key(pod))))
	}
	for i := range list {
		d := &list[i]
		fmt.Fprintf(&b, "%s %s (%s): %s\n", d.Kind, d.Outcome, d.Rule, plain.Reason(d.Why))
		for _, c := range d.Checks {
			if c.Left.Kind == model.OperandInstant {
				c.Left, c.Right = model.Text(clockTime(model.Instant(c.Left.Int))), model.Text(clockTime(model.Instant(c.Right.Int)))
			}
			fmt.Fprintf(&b, "  %s\n", plain.Check(&c))
		}
		if d.Window.Known() {
			fmt.Fprintf(&b, "  window %s to %s\n", clockTime(d.Window.Earliest), clockTime(d.Window.Latest))
		}
	}
	return b.String()
}

// chain prints the last decision of a kind and its causes, each with its inputs.
func (s *stage) chain(d *datadriven.TestData) string {
	var of string
	d.ScanArgs(s.t, "of", &of)
	byID := map[model.DecisionID]*model.Decision{}
	var last *model.Decision
	for i := range s.decisions {
		byID[s.decisions[i].ID] = &s.decisions[i]
		if s.decisions[i].Kind.String() == of {
			last = &s.decisions[i]
		}
	}
	var b strings.Builder
	var walk func(d *model.Decision, depth int)
	walk = func(d *model.Decision, depth int) {
		indent := strings.Repeat("  ", depth)
		fmt.Fprintf(&b, "%s%s  %s (%s)\n", indent, clockTime(d.Time), strings.Replace(describe(d), "|", " "+subject(d), 1), d.Rule)
		for _, in := range d.Inputs {
			if in.At.Known() {
				fmt.Fprintf(&b, "%s  %s: %s %s says %s\n", indent, in.What, in.Kind, in.Key, clockTime(in.At))
			}
		}
		for _, id := range d.Causes {
			if byID[id] == nil {
				s.t.Errorf("%s names a cause nobody decided", d.Kind)
				continue
			}
			walk(byID[id], depth+1)
		}
	}
	walk(last, 0)
	return b.String()
}

// print lists the decisions from an instant on, those alike at one instant on one line.
func print(all []model.Decision, from model.Instant, show string) string {
	var b strings.Builder
	shown := strings.Split(show, ",")
	for i := 0; i < len(all); i++ {
		d := &all[i]
		if d.Time < from || !shows(shown, d.Kind) {
			continue
		}
		line := describe(d)
		subjects := []string{subject(d)}
		for i+1 < len(all) && all[i+1].Time == d.Time && describe(&all[i+1]) == line {
			i++
			subjects = append(subjects, subject(&all[i]))
		}
		who := strings.Join(subjects, " ")
		if who != "" {
			who = " " + who
		}
		fmt.Fprintf(&b, "%s  %s%s\n", clockTime(d.Time), strings.Replace(line, "|", who, 1), "")
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}

func shows(list []string, k model.DecisionKind) bool {
	for _, what := range list {
		switch {
		case what == "all", strings.EqualFold(what, k.String()):
			return true
		case what == "zones" && (k == model.ZoneState || k == model.SetRate || k == model.EnterMasterDisruption || k == model.ExitMasterDisruption):
			return true
		case what == "taints" && (k == model.TaintNoExecute || k == model.UntaintNoExecute || k == model.SwapNoExecute):
			return true
		case what == "pods" && (k == model.ScheduleEviction || k == model.CancelEviction || k == model.EvictPod || k == model.CollectPod):
			return true
		}
	}
	return false
}

func clockTime(t model.Instant) string {
	if t == model.FarFuture {
		return "never"
	}
	return strconv.FormatFloat(t.Sub(epoch).Seconds(), 'f', -1, 64)
}

// subject is who a decision is about.
func subject(d *model.Decision) string {
	switch {
	case d.Kind == model.MarkPodsNotReady:
		var pods []string
		for _, w := range d.Writes {
			if w.Kind == model.WritePodNotReady {
				pods = append(pods, w.Pod.Name)
			}
		}
		return d.Node + "(" + strings.Join(pods, " ") + ")"
	case d.Pod.Name != "":
		return d.Pod.Name
	case d.Node != "":
		return d.Node
	case d.Zone.Known:
		return d.Zone.Value.String()
	}
	return ""
}

// describe is a decision without its subject, which goes where the bar stands.
func describe(d *model.Decision) string {
	line := d.Kind.String() + "|"
	if d.Outcome == model.Declined {
		line = d.Kind.String() + " declined|"
	}
	var taints, reasons []string
	for _, w := range d.Writes {
		switch w.Kind {
		case model.WriteTaint:
			taints = append(taints, "+"+short(w.Taint.Key))
		case model.WriteUntaint:
			taints = append(taints, "-"+short(w.Taint.Key))
		case model.WriteConditions:
			for _, c := range w.Conditions {
				if !slices.Contains(reasons, c.Reason) {
					reasons = append(reasons, c.Reason)
				}
			}
		case model.WriteEvent:
			if d.Kind == model.MarkUnknown {
				reasons = append(reasons, "event "+w.Reason)
			}
		}
	}
	if len(taints) > 0 {
		line += " " + strings.Join(taints, " ")
	}
	if len(reasons) > 0 {
		line += " " + strings.Join(reasons, ", ")
	}
	switch d.Kind {
	case model.MarkUnknown:
		line += "  " + plain.Check(&d.Checks[0])
	case model.ZoneState:
		line += fmt.Sprintf("  %s → %s", d.State.From, d.State.To)
	case model.SetRate:
		line += "  " + cmp.Or(plain.Reason(d.Why), fmt.Sprintf("%s/s → %s/s", model.Number(d.Rate.From), model.Number(d.Rate.To)))
	case model.CancelEviction, model.DequeueFromTaint, model.CollectPod, model.EvictPod:
		line += "  " + plain.Reason(d.Why)
	case model.TaintNoExecute:
		if d.Outcome == model.Declined {
			line += "  " + plain.Reason(d.Why)
		}
	case model.ScheduleEviction:
		line += "  in " + d.Checks[0].Left.String()
	}
	return line
}
