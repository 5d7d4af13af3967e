package command

import (
	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/shadow"
	"kardia/model/timeline"
	"kardia/ui/report"
)

// whyFlags name one subject and an instant.
type whyFlags struct{ pod, node, zone, at string }

func (r *run) why() *cobra.Command {
	f := &whyFlags{}
	params := &paramFlags{}
	output := &word{"table", []string{"table", "json"}}
	cmd := &cobra.Command{
		Use:   "why PATH…",
		Short: "Say why a pod, a node or a zone is as it is, and why nothing more has happened",
		Long: `Goes from the last decision about a pod, a node or a zone back along its causes to the
last heartbeat that counted, with the evidence of every step; and says what holds the next
step back.`,
		Example: "  kardia why demo:zone-outage --node b-003 --at +200s\n  kardia why audit.log --pod shop/cart-0",
		Args:    wants(1, -1, "at least one PATH: a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			if err := f.check(); err != nil {
				return err
			}
			j, err := r.judge(cmd, paths, params, shadow.Calibrated)
			if err != nil {
				return err
			}
			at, err := instant(f.at, j.History, j.History.Coverage().Latest)
			if err != nil {
				return err
			}
			r.sayGap(j.History, at)
			r.sayUnsupported(j.result.Unsupported)
			out, err := j.why(f, at)
			if err != nil {
				return err
			}
			if output.value == "table" {
				r.say("%s at %s: %s", j.Name, at, out.Subject)
			}
			return r.print(out, output.value, nil)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.pod, "pod", "", "the pod: namespace/name")
	flags.StringVar(&f.node, "node", "", "the node")
	flags.StringVar(&f.zone, "zone", "", "the zone: region/zone, zone, or none")
	flags.StringVar(&f.at, "at", "", "the instant; the recording's end if not given: "+times)
	flags.VarP(output, "output", "o", "how to print")
	inGroup(flags, controllerFlags, params.add)
	completeWords(cmd)
	return cmd
}

func (f *whyFlags) check() error {
	given := 0
	for _, s := range []string{f.pod, f.node, f.zone} {
		if s != "" {
			given++
		}
	}
	if given != 1 {
		return misuse("'why' wants one of --pod, --node and --zone")
	}
	if f.pod != "" {
		_, err := podKey(f.pod)
		return err
	}
	return nil
}

// why answers for the subject at an instant. What was decided is what was decided by then.
func (j *judged) why(f *whyFlags, at model.Instant) (report.Why, error) {
	out := report.Why{At: report.Stamp(at), Chain: []report.Link{}, WhyNot: []report.Decision{},
		Assumptions: append([]string{}, j.result.Assumptions...)}
	cursor := timeline.NewCursor(j.History)
	if err := cursor.Seek(at); err != nil {
		return out, err
	}
	s, err := j.result.At(at)
	if err != nil {
		return out, err
	}
	var about func(*model.Decision) bool
	var declined []model.Decision
	exists := true
	switch cluster := cursor.State(); {
	case f.pod != "":
		key, _ := podKey(f.pod)
		out.Subject = "pod " + key.String()
		about = func(d *model.Decision) bool { return d.Pod == key }
		p := cluster.Pod(key)
		if exists = p != nil; exists && p.Node != "" {
			if !p.Deletion.Known() {
				declined = append(declined, s.Taints.WhyNot(at, p))
			}
			declined = append(declined, s.Nodes.WhyNot(at, p.Node, s.Cache)...)
		}
	case f.node != "":
		out.Subject = "node " + f.node
		about = func(d *model.Decision) bool { return d.Node == f.node && d.Pod == model.Key{} }
		exists = cluster.Node(f.node) != nil
		declined = s.Nodes.WhyNot(at, f.node, s.Cache)
	default:
		var place model.Place
		if place, exists = placeOf(cluster, at, f.zone); !exists {
			return out, nobody("zone", f.zone, j.Name+" at "+at.String())
		}
		out.Subject = "zone " + place.String()
		about = func(d *model.Decision) bool { return d.Node == "" && (!d.Place.Known || d.Place.Value == place) }
		declined = whyZone(s, place, at)
	}
	last := lastAbout(j.result.Decisions, at, about)
	if last == nil && !exists {
		what, name := "pod", f.pod
		if f.node != "" {
			what, name = "node", f.node
		}
		return out, nobody(what, name, j.Name+" at "+at.String())
	}
	if last != nil {
		out.Chain = report.ChainOf(last, j.find(), j.History.Gaps())
	}
	if len(j.result.Unsupported) > 0 {
		declined = nil // how long a node was silent would be invented
	}
	for i := range declined {
		out.WhyNot = append(out.WhyNot, report.DecisionOf(&declined[i]))
	}
	return out, nil
}

// lastAbout is the last decision about a subject that was taken by then; nil for none.
func lastAbout(decisions []model.Decision, at model.Instant, about func(*model.Decision) bool) *model.Decision {
	for i := len(decisions) - 1; i >= 0; i-- {
		if d := &decisions[i]; d.Time <= at && d.Outcome != model.Declined && about(d) {
			return d
		}
	}
	return nil
}

// find finds decisions by their ids.
func (j *judged) find() func(model.DecisionID) *model.Decision {
	byID := make(map[model.DecisionID]*model.Decision, len(j.result.Decisions))
	for i := range j.result.Decisions {
		byID[j.result.Decisions[i].ID] = &j.result.Decisions[i]
	}
	return func(id model.DecisionID) *model.Decision { return byID[id] }
}

// placeOf finds the zone that a person names.
func placeOf(c *model.Cluster, at model.Instant, text string) (model.Place, bool) {
	for _, z := range c.Zones(at) {
		if z.Place.Known && z.Place.Value.Matches(text) {
			return z.Place.Value, true
		}
	}
	return model.Place{}, false
}

// whyZone is how a zone's state and rate follow from its nodes, and why those that wait in it wait.
func whyZone(s *shadow.State, place model.Place, at model.Instant) []model.Decision {
	checks, state, rate, ok := s.Nodes.WhyZone(place)
	if !ok {
		return nil
	}
	why := state.String() + ": its nodes are tainted at " + model.Number(rate).String() + " a second"
	if rate == 0 {
		why = state.String() + ": none of its nodes is tainted"
	}
	if in, _ := s.Nodes.MasterDisruption(); in {
		why += ", since master disruption halts every zone"
	}
	d := model.Decision{Controller: model.NodeLifecycle, Kind: model.ZoneState, Outcome: model.Declined, Rule: "7.1",
		Place: model.Some(place), Why: why, Checks: checks, Time: at, Window: model.Exactly(at), Basis: model.Inferred}
	d.ID = d.Identify()
	out := []model.Decision{d}
	for _, z := range s.Nodes.Zones(at, s.Cache) {
		if z.Place != place {
			continue
		}
		for _, name := range z.Waiting {
			out = append(out, s.Nodes.WhyNot(at, name, s.Cache)...)
		}
	}
	return out
}
