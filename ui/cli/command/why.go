package command

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/removal"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/contract"
	"kardia/ui/topics"
)

type whyFlags struct{ pod, node, zone string }

func (r *run) why() *cobra.Command {
	f := &whyFlags{}
	return r.command(command{
		use:   "why [PATH…]",
		short: "Explain the state of a pod, a node or a zone",
		long: `Follows the causes of the last decision about a pod, a node or a zone back to the
last heartbeat that counted, with the evidence of every step; and prints what holds
the next step back.`,
		example: "  kardia why demo:zone-outage --node b-003 --at +200s\n  kardia why audit.log --pod shop/cart-0",
		args:    pathsOrLive,
		shares:  atTime | watching | controllers | captures,
		forms:   forms(),
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&f.pod, "pod", "", "the pod: namespace/name, or name if it is the only one")
			flags.StringVar(&f.node, "node", "", "the node")
			flags.StringVar(&f.zone, "zone", "", "the zone: region/zone, zone, or none")
		},
		run: func(k *call) error {
			if err := f.check(); err != nil {
				return err
			}
			j, at, err := k.judgedAt()
			if err != nil {
				return err
			}
			r.sayMissing(j.result)
			v, err := j.known(at)
			if err != nil {
				return err
			}
			v.Node = f.node
			out, err := j.why(f, v)
			if err != nil {
				return err
			}
			claims := caveat.Timed
			if len(out.Chain) == 0 { // an empty chain needs evidence
				claims |= caveat.Decided
			}
			out.Caveats = r.sayCaveats(caveat.Of(v).Forbids(claims))
			return k.printAt(heading(j.Name, at, out.Subject), out, nil)
		},
	})
}

func (f *whyFlags) check() error {
	if len(slices.DeleteFunc([]string{f.pod, f.node, f.zone}, func(s string) bool { return s == "" })) != 1 {
		return required("one of --pod, --node and --zone")
	}
	return nil
}

// why answers for the subject at a time, with the decisions by then.
func (j *judged) why(f *whyFlags, v caveat.View) (contract.Why, error) {
	cluster, at, s := v.State, v.At, v.Controllers
	var subject why.Subject
	var what, name string
	var held []why.Held
	exists := true
	switch {
	case f.pod != "":
		key, err := podNamed(f.pod, cluster, j.result.Decisions)
		if err != nil {
			return contract.Why{}, err
		}
		what, name = "pod", key.String()
		subject.Pod = key
		exists = cluster.Pod(subject.Pod) != nil
		held, _ = why.Pod(s, subject.Pod)
	case f.node != "":
		what, name = "node", f.node
		subject.Node = f.node
		exists = cluster.Node(f.node) != nil
		held = why.Node(s, f.node)
	default:
		zone, ok := zoneOf(cluster, at, f.zone)
		if !ok {
			return contract.Why{}, absent(caveat.Of(v), "zone", f.zone, j.Name+" at "+at.String(), namesIn(cluster)["zone"])
		}
		what, name = "zone", zone.String()
		subject.Zone = model.Some(zone)
		held = zoneHeld(s, zone)
	}
	removed, err := removal.Of(j.History, cluster, model.FarPast+1, at)
	if err != nil {
		return contract.Why{}, err
	}
	removed = slices.DeleteFunc(removed, func(r removal.Removal) bool { return r.Node != f.node })
	chain := why.Of(j.result, j.History).About(subject, at)
	if len(chain) == 0 && !exists && len(removed) == 0 {
		return contract.Why{}, absent(caveat.Of(v), what, name, j.Name+" at "+at.String(), namesIn(cluster)[what])
	}
	if len(j.result.Unsupported) > 0 && !j.result.Foresees || j.onlyCaptured(at, f.node, s) {
		held = nil // it is not known how long a node was silent
	}
	held = why.Undecided(held, j.result.Decisions, at)
	out := contract.WhyOf(at, what+" "+name, chain, held, topics.Notes(j.result.Assumptions))
	out.Removed = contract.RemovedOf(removed)
	out.NotReady(cluster.Node(subject.Node))
	out.Actors = contract.ActorsOn(cluster, at, subject.Node)
	if p := cluster.Pod(subject.Pod); p != nil && len(j.result.Unsupported) == 0 && j.result.Instants == nil {
		out.Spared = j.spared(cluster, p, at)
	}
	return out, nil
}

// spared is why a pod that still exists was not deleted in each past failure of its node.
func (j *judged) spared(c *model.Cluster, p *model.Pod, at model.Instant) []contract.Spared {
	list := []contract.Spared{}
	survival := why.SurvivalOf(j.result)
	losses := survival.Losses(p.Node, at)
	for i, lost := range losses {
		row := c.Node(p.Node)
		over := i+1 < len(losses) || row != nil && row.Health() == model.HealthReady && !row.Node.HasNoExecute()
		if !over || p.Created > lost.Time {
			continue
		}
		s := survival.Of(p, lost, at)
		if asked := p.Asked(); asked.Known() && !s.Over(asked) {
			continue // it is Terminating since then, or longer
		}
		list = append(list, contract.SparedOf(&s, p.Owner))
	}
	return list
}

// onlyCaptured reports whether the time is between captures, or in one that does not show the node silent.
func (j *judged) onlyCaptured(at model.Instant, node string, s *infer.State) bool {
	if _, alone := history.Alone(j.History, at); !alone && !s.Leaseless {
		return false
	}
	return !s.Clock.Pass.Bounded() || node == "" || !forecast.Silent(s, node)
}

// zoneHeld is why a zone has its state and rate, and why its queued nodes wait.
func zoneHeld(s *infer.State, zone model.ZoneKey) []why.Held {
	z, ok := why.Zone(s, zone)
	if !ok {
		return nil
	}
	held := []why.Held{z.Held(s.At)}
	for _, name := range z.View.Waiting {
		held = append(held, why.Node(s, name)...)
	}
	return held
}

// zoneOf finds the zone that a person names.
func zoneOf(c *model.Cluster, at model.Instant, text string) (model.ZoneKey, bool) {
	for _, z := range c.Zones(at) {
		if z.Zone.Known && z.Zone.Value.Matches(text) {
			return z.Zone.Value, true
		}
	}
	return model.ZoneKey{}, false
}
