package command

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/control/informer"
	"kardia/model/explain/incident"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/model/simulate/forecast"
	"kardia/ui/contract"
	"kardia/ui/topics"
)

type decisionFilter struct {
	node, zone, pod string
	kinds           []model.DecisionKind
	spanFlags
	all bool

	span model.Interval
	key  model.Key
}

func (r *run) decisions() *cobra.Command {
	f := &decisionFilter{}
	return r.command(command{
		use:   "decisions [PATH…]",
		short: "Print the controllers' decisions with rule and evidence",
		long: `Prints the decisions of the node-lifecycle controller, the taint-eviction
controller and the pod garbage collector, as the models find them in recordings.
A decision whose effect was seen is observed; one that leaves no object behind
is inferred.

With --all, it also prints registrations of nodes and, for every monitor pass,
what was left undone and the comparison that held it back: for the node, zone or
pod given, else for nodes that are silent or not Ready. docs/json.md describes
the JSON.`,
		example: "  kardia decisions demo:zone-outage --zone us-east-1b\n  kardia decisions demo:node-loss --kind TaintNoExecute,EvictPod -o jsonl\n  kardia decisions demo:zone-outage --all --node b-003 --from 23:53:00 --to 23:53:30",
		args:    pathsOrLive,
		shares:  watching | controllers | captures,
		forms:   &word{"table", []string{"table", "wide", "json", "jsonl"}},
		flags:   f.add,
		run: func(k *call) error {
			if err := f.readPod(); err != nil {
				return err
			}
			j, err := k.judged()
			if err != nil {
				return err
			}
			if err := f.check(j); err != nil {
				return err
			}
			r.sayMissing(j.result)
			out, err := f.report(j)
			if err != nil {
				return err
			}
			if f.all && len(j.result.Unsupported) == 0 && j.result.Instants == nil {
				if err := f.addDeclined(r, j, &out); err != nil {
					return err
				}
			}
			if len(out.Decisions) == 0 || j.result.Instants == nil { // that there is no other must have been seen
				if out.Caveats, err = r.saySeen(j, f.node, caveat.Decided); err != nil {
					return err
				}
			}
			if k.form.value == "jsonl" {
				return out.WriteLines(r.Out)
			}
			return k.print(out, nil)
		},
	})
}

func (f *decisionFilter) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.node, "node", "", "only decisions about this node and its pods")
	flags.StringVar(&f.zone, "zone", "", "only decisions about this zone and its nodes: region/zone, zone, or none")
	flags.StringVar(&f.pod, "pod", "", "only decisions about this pod: namespace/name")
	flags.Var(&value[[]model.DecisionKind]{is: &f.kinds, kind: "kinds", read: f.readKinds}, "kind", "only decisions of these kinds, separated by commas, as in TaintNoExecute,EvictPod")
	f.spanFlags.add(flags, "decisions")
	flags.BoolVar(&f.all, "all", false, "also print registrations of nodes and declined decisions")
}

func (f *decisionFilter) readPod() (err error) {
	if f.pod != "" {
		f.key, err = podKey(f.pod)
	}
	return err
}

// report is the kept decisions. Without --from and --to those before the coverage are kept: their effects may be in it.
func (f *decisionFilter) report(j *judged) (contract.Decisions, error) {
	result := j.result
	after, err := incident.AftermathOf(j.History, result)
	if err != nil {
		return contract.Decisions{}, err
	}
	out := contract.Decisions{From: contract.Stamp(f.span.Earliest), To: contract.Stamp(f.span.Latest), Mode: result.Mode.String(),
		Assumptions: topics.Notes(result.Assumptions), Decisions: []contract.Decision{}, Began: j.History.Coverage().Earliest}
	for i := range result.Decisions {
		if d := &result.Decisions[i]; f.keeps(d) {
			out.Decisions = append(out.Decisions, contract.AfterDecision(d, after))
		}
	}
	return out, nil
}

func (f *decisionFilter) keeps(d *model.Decision) bool {
	switch {
	case f.from != "" && d.Time < f.span.Earliest, f.to != "" && d.Time > f.span.Latest:
		return false
	case f.node != "" && d.Node != f.node:
		return false
	case f.zone != "" && !(d.Zone.Known && d.Zone.Value.Matches(f.zone)):
		return false
	case f.key != model.Key{} && d.Pod != f.key:
		return false
	case len(f.kinds) > 0:
		return slices.Contains(f.kinds, d.Kind)
	}
	quiet := d.Outcome == model.Declined || d.Kind == model.RegisterNode || d.Kind == model.ForgetNode
	return f.all || !quiet
}

// maxPasses and maxDeclined bound the output of --all.
const (
	maxPasses   = 1000
	maxDeclined = 20000
)

// addDeclined adds the controllers' declined decisions of each pass in the span.
func (f *decisionFilter) addDeclined(r *run, j *judged, out *contract.Decisions) error {
	list := out.Decisions
	// After a pass, its own decisions look declined until their write is seen.
	type step struct {
		at   model.Instant
		kind model.DecisionKind
		node string
		pod  model.Key
	}
	done := map[step]bool{}
	for i := range j.result.Decisions {
		if d := &j.result.Decisions[i]; d.Outcome == model.Did {
			done[step{d.Time, d.Kind, d.Node, d.Pod}] = true
		}
	}
	at, passes := f.span.Earliest, 0
	for {
		s, err := j.result.At(at)
		if err != nil {
			return err
		}
		if at > f.span.Earliest { // nothing is declined before the first pass
			for _, d := range why.Declined(s, func(row *informer.Row) bool { return f.asks(s, row) }) {
				if f.keeps(&d) && !done[step{d.Time, d.Kind, d.Node, d.Pod}] {
					list = append(list, contract.DecisionOf(&d))
				}
			}
			passes++
		}
		next := max(s.Clock.Pass, at+1)
		if !next.Bounded() || next > f.span.Latest {
			break
		}
		if at = next; passes >= maxPasses || len(list)-len(out.Decisions) >= maxDeclined {
			r.say("declined decisions from %s on are left out; narrow the output with --from, --to, --node, --zone or --pod", at)
			r.note(Partial)
			break
		}
	}
	slices.SortStableFunc(list, func(a, b contract.Decision) int { return cmp.Compare(a.Time, b.Time) })
	out.Decisions = list
	return nil
}

// asks reports whether --all includes a node's declined decisions: a selected node, or else a silent or not Ready one.
func (f *decisionFilter) asks(s *infer.State, row *informer.Row) bool {
	switch {
	case f.node != "":
		return row.Name == f.node
	case f.key != model.Key{}:
		return row.Pod(f.key) != nil
	case f.zone != "":
		return row.Node.Zone.Matches(f.zone)
	}
	ready := row.Node.Ready()
	return ready == nil || ready.Status != model.StatusTrue || forecast.Silent(s, row.Name)
}

// kindNames are the names of the kinds of decisions.
func kindNames() (names []string) {
	for _, kind := range model.DecisionKinds {
		names = append(names, kind.String())
	}
	return names
}

// readKinds reads kinds, separated by commas, behind those before.
func (f *decisionFilter) readKinds(text string) ([]model.DecisionKind, error) {
	list := f.kinds
	for name := range strings.SplitSeq(text, ",") {
		kind, ok := model.ParseDecisionKind(strings.TrimSpace(name))
		if !ok {
			return nil, errors.New("must be of " + strings.Join(kindNames(), ", "))
		}
		list = append(list, kind)
	}
	return list, nil
}
