package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/history"
	"kardia/ui/report"
)

type getFlags struct {
	output, at, zone, node string
	// decides: the controllers' state is part of the answer.
	decides bool
	params  paramFlags
	// kinds are the kinds to ask a live cluster for; nil for all.
	kinds []model.Kind
	// claims are what the table states.
	claims caveat.Claim
	// pods selects the nodes whose pods are counted in a live cluster; "" if they are listed anyway.
	pods string
}

// state is a cluster at a time, and the parts of it to report.
type state struct {
	cluster *model.Cluster
	scope   report.Scope
	name    string
	// control returns the controller's judgement of a zone; nil if it was not requested.
	control func(model.ZoneKey) (report.Control, bool)
	known   caveat.List
}

func (r *run) get() *cobra.Command {
	get := &cobra.Command{
		Use:   "get nodes|zones|pods|evictions|impact|statements [PATH…]",
		Short: "Print nodes, zones, pods, evictions, impact or statements",
		Long: `Prints the state of recordings at a time, or that of the live cluster if no PATH
is given. docs/json.md describes the JSON, field by field.`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return misuse("say what to get: nodes, zones, pods, evictions, impact or statements")
		},
	}
	get.PersistentFlags().BoolVar(&r.noHeaders, "no-headers", false, "print tables without their headers")
	get.PersistentFlags().BoolP("all-namespaces", "A", false, "all namespaces, which is the default")
	get.AddCommand(
		r.getOne("nodes", "Print every node: its Ready condition, its heartbeat's age, its taints", []string{"node", "no"},
			func(s state) report.Printed { return report.NodesAt(s.cluster, s.scope) }),
		r.getOne("zones", "Print every zone: how many nodes are in which state", []string{"zone"},
			func(s state) report.Printed { return report.ZonesAt(s.cluster, s.scope, s.control) }),
		r.getOne("pods", "Print every pod: its node, its tolerations, its deletion", []string{"pod", "po"},
			func(s state) report.Printed { return report.PodsAt(s.cluster, s.scope) }),
		r.getEvictions(), r.getImpact(), r.getStatements())
	return get
}

func (r *run) getOne(what, short string, aliases []string, make func(state) report.Printed) *cobra.Command {
	f := &getFlags{decides: what == "zones", kinds: []model.Kind{model.KindNode, model.KindNodeLease}, claims: caveat.Ready | caveat.NodeCount}
	pods := &word{podsAuto, []string{podsAuto, podsAll, podsBad, podsOff}}
	output := forms("wide", "name")
	cmd := &cobra.Command{
		Use:     what + " [PATH…]",
		Aliases: aliases,
		Short:   short,
		Example: fmt.Sprintf("  kardia get %s demo:zone-outage --at +200s -o json\n  kardia get %s --context prod", what, what),
	}
	flags := cmd.Flags()
	flags.VarP(output, "output", "o", "how to print")
	flags.StringVar(&f.at, "at", "", "the time, in a recording; its end if not given: "+times)
	flags.StringVar(&f.zone, "zone", "", "only this zone: region/zone, zone, or none for nodes without zone labels")
	if what != "zones" {
		flags.StringVar(&f.node, "node", "", "only this node")
	}
	inGroup(flags, clusterFlags, r.Kube.AddFlags)
	switch what {
	case "nodes":
		flags.Var(pods, "pods", fmt.Sprintf("of a live cluster, count the pods of all nodes, of the bad ones, or of none; auto: of all up to %d pods", manyPods))
	case "pods":
		f.kinds, f.claims = append(f.kinds, model.KindPod), caveat.PodCount
	}
	if f.decides {
		inGroup(flags, controllerFlags, f.params.add)
	}
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	cmd.RunE = does(func(cmd *cobra.Command, paths []string) error {
		if f.output = output.value; what == "nodes" {
			f.pods = pods.value
		}
		s, err := r.stateFor(cmd, paths, f)
		if err != nil {
			return err
		}
		return r.print(make(*s), f.output, s)
	})
	return cmd
}

// times are the forms of --at, for help texts.
const times = "RFC 3339, +90s from the start, -30s from the end, 14:05 (UTC)"

func (r *run) stateFor(cmd *cobra.Command, paths []string, f *getFlags) (s *state, err error) {
	if _, err := f.params.resolve(""); err != nil {
		return nil, err
	}
	if len(paths) == 0 {
		if f.at != "" {
			return nil, misuse("--at needs a PATH: a live cluster is shown as it is now")
		}
		s, err = r.stateOfLive(cmd.Context(), f)
	} else {
		s, err = r.stateOfRecording(cmd, paths, f)
	}
	if err != nil {
		return nil, err
	}
	s.scope.Zone, s.scope.Node = f.zone, f.node
	if !s.scope.NoPods {
		f.claims |= caveat.PodCount
	}
	if s.known = s.known.About(f.node); f.node != "" {
		f.claims &^= caveat.NodeCount
	}
	s.scope.Caveats = r.sayCaveats(s.known.Forbids(f.claims))
	return s, s.check()
}

func (r *run) stateOfRecording(cmd *cobra.Command, paths []string, f *getFlags) (*state, error) {
	opened, err := r.open(cmd.Context(), paths)
	if err != nil {
		return nil, err
	}
	h := opened.History
	at, err := instant(f.at, h, h.Coverage().Latest)
	if err != nil {
		return nil, err
	}
	v, err := viewOf(h, false, nil, at)
	if err != nil {
		return nil, err
	}
	r.sayCaptured(h, at)
	known := caveat.Of(v)
	s := &state{cluster: v.State, name: opened.Name, known: known, scope: report.Scope{At: at, Read: history.AsOf(h, at), Unwatched: v.Unwatched,
		NoPods: len(known.Forbids(caveat.PodCount)) > 0 && (at < v.PodsListed || v.State.PodCount() == 0)}}
	if f.decides {
		s.control, err = r.controlAt(cmd.Context(), opened, &f.params, at)
	}
	return s, err
}

// check refuses an unknown node or zone: an empty answer would look healthy.
func (s *state) check() error {
	nodes, zones, _ := namesOf(s.cluster)
	where := s.name + " at " + s.scope.At.String()
	switch {
	case s.scope.Node != "" && s.cluster.Node(s.scope.Node) == nil:
		return absent(s.known, "node", s.scope.Node, where, nodes)
	case s.scope.Zone != "" && !slices.ContainsFunc(zones, func(p model.ZoneKey) bool { return p.Matches(s.scope.Zone) }):
		return absent(s.known, "zone", s.scope.Zone, where, words(zones))
	}
	return nil
}
