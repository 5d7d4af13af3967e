package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/impact"
	"kardia/model/history"
	"kardia/model/simulate/forecast"
	"kardia/ui/contract"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

type getFlags struct {
	at, zone, node string
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
	scope   contract.Scope
	name    string
	// control is the controller's judgement of zones; nil if it was not requested.
	control controls
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
			func(s state) contract.Printed { return contract.NodesAt(s.cluster, s.scope) }),
		r.getOne("zones", "Print every zone: how many nodes are in which state", []string{"zone"},
			func(s state) contract.Printed { return contract.ZonesAt(s.cluster, s.scope, s.control.of()) }),
		r.getOne("pods", "Print every pod: its node, its tolerations, its deletion", []string{"pod", "po"},
			func(s state) contract.Printed { return contract.PodsAt(s.cluster, s.scope) }),
		r.getEvictions(), r.getImpact(), r.getStatements())
	return get
}

func (r *run) getOne(what, short string, aliases []string, make func(state) contract.Printed) *cobra.Command {
	f := &getFlags{decides: what == "zones", kinds: []model.Kind{model.KindNode, model.KindNodeLease}, claims: caveat.Ready | caveat.NodeCount}
	pods := &word{podsAuto, []string{podsAuto, podsAll, podsBad, podsOff}}
	c := command{
		use:     what + " [PATH…]",
		aliases: aliases,
		short:   short,
		example: fmt.Sprintf("  kardia get %s demo:zone-outage --at +200s -o json\n  kardia get %s --context prod", what, what),
		args:    pathsOrLive,
		shares:  cluster | captures,
		forms:   forms("wide", "name"),
	}
	c.flags = func(flags *pflag.FlagSet) {
		flags.StringVar(&f.at, "at", "", "the time, in a recording; its end if not given: "+times)
		flags.StringVar(&f.zone, "zone", "", "only this zone: region/zone, zone, or none for nodes without zone labels")
		if what != "zones" {
			flags.StringVar(&f.node, "node", "", "only this node")
		}
		switch what {
		case "nodes":
			flags.Var(pods, "pods", fmt.Sprintf("of a live cluster, count the pods of all nodes, of the bad ones, or of none; auto: of all up to %d pods", manyPods))
		case "pods":
			f.kinds, f.claims = append(f.kinds, model.KindPod), caveat.PodCount
		case "zones":
			inGroup(flags, controllerFlags, f.params.add)
		}
	}
	c.run = func(k *call) error {
		if what == "nodes" {
			f.pods = pods.value
		}
		s, err := r.stateFor(k.cmd, k.args, f)
		if err != nil {
			return err
		}
		return k.printAt(heading(s.name, s.scope.At, ""), make(*s), nil)
	}
	return r.command(c)
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
	nodes, zones, pods := namesOf(s.cluster)
	return s, demand(s.known, s.name+" at "+s.scope.At.String(), [...]string{f.node, f.zone, ""}, nodes, zones, pods)
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
	s := &state{cluster: v.State, name: opened.Name, known: known, scope: contract.Scope{At: at, Read: history.AsOf(h, at), Unwatched: v.Unwatched,
		NoPods: len(known.Forbids(caveat.PodCount)) > 0 && (at < v.PodsListed || v.State.PodCount() == 0)}}
	if f.decides {
		s.control, err = r.controlAt(cmd.Context(), opened, &f.params, at)
	}
	return s, err
}

func (r *run) getEvictions() *cobra.Command {
	return r.foreseen(command{
		use:     "evictions [PATH…]",
		aliases: []string{"eviction"},
		short:   "Print threatened pods: when they are deleted, why not yet",
		example: "  kardia get evictions\n  kardia get evictions demo:zone-outage --at +200s\n  kardia get evictions audit.log --at 14:05 -o json",
	}, func(j *judged, f *forecast.Forecast, at model.Instant, known contract.Caveats) (contract.Printed, error) {
		out := contract.EvictionsAt(at, f.Evictions, append(contract.Assumed(f), topics.Notes(j.result.Assumptions)...))
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
	return r.foreseen(command{
		use:     "impact [PATH…]",
		short:   "Print affected workloads: replicas ready now and predicted",
		example: "  kardia get impact\n  kardia get impact demo:shop --at +250s\n  kardia get impact incident/ --at 14:05 -o json",
	}, func(j *judged, f *forecast.Forecast, at model.Instant, known contract.Caveats) (contract.Printed, error) {
		c, err := history.StateAt(j.History, at)
		if err != nil {
			return nil, err
		}
		list := impact.Of(c, f)
		if j.withheld() != "" { // "unaffected" needs evidence
			list = nil
		}
		impact.CountMarked(list, impact.Marked(c, j.result.Decisions, at))
		out := contract.ImpactAt(at, list, append(contract.Assumed(f), topics.Notes(j.result.Assumptions)...))
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
func (j *judged) attached(at model.Instant, nodes []string) (contract.Attached, error) {
	c, err := history.StateAt(j.History, at)
	if err != nil {
		return contract.Attached{}, err
	}
	if why := j.without(c, model.KindVolumeAttachment); why != "" {
		return contract.VolumesUnread(why), nil
	}
	return contract.VolumesOf(c, at, nodes), nil
}

// foreseen is a command about predicted events of pods.
func (r *run) foreseen(c command, make func(j *judged, f *forecast.Forecast, at model.Instant, known contract.Caveats) (contract.Printed, error)) *cobra.Command {
	c.args, c.shares, c.forms, c.asks = pathsOrLive, atTime|watching|controllers|captures, forms("wide", "name"), screen.Served
	c.run = func(k *call) error {
		j, at, err := k.judgedAt()
		if err != nil {
			return err
		}
		r.sayUnsupported(j.result.Unsupported)
		r.sayCaptured(j.History, at)
		v, err := j.known(at)
		if err != nil {
			return err
		}
		f := forecast.Run(v.Controllers, forecast.Options{})
		r.sayResumed(f)
		if j.withheld() != "" { // no evidence about pods
			f.Evictions = nil
			f.Index()
		}
		known := r.sayCaveats(caveat.Of(v).Forbids(caveat.NoEviction | caveat.PodCount | caveat.Timed))
		if why := j.withheld(); why != "" {
			known.NotKnown = append(known.NotKnown, contract.NotJudged(why))
		}
		out, err := make(j, f, at, known)
		return k.printAt(heading(j.Name, at, ""), out, err)
	}
	return r.command(c)
}

// sayResumed prints from when pods may be deleted if the last leader was only paused.
func (r *run) sayResumed(f *forecast.Forecast) {
	for _, a := range f.Assumptions {
		if a.Code == forecast.LeaderExited {
			r.say("%s", topics.Assumption(a))
		}
	}
}

func (r *run) getStatements() *cobra.Command {
	node, f := "", &spanFlags{}
	return r.command(command{
		use:     "statements PATH…",
		aliases: []string{"statement"},
		short:   "Print statements from component logs and samples",
		long: `Prints what the logs of kube-controller-manager and of kubelets state about nodes
and decisions, by the clock of the machine that wrote the log. A repeated statement
is printed once, with its count and last time. Prometheus samples are printed at
the first sample that shows a change.
'verify' compares the statements with the models; 'decisions' lists those that no
model explains.`,
		example: "  kardia get statements kube-controller-manager.log\n  journalctl -u kubelet | kardia get statements - --year 2026",
		args:    arguments{1, -1, "a log, or a recording that holds one"},
		shares:  captures,
		forms:   forms(),
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&node, "node", "", "only statements about this node")
			f.add(flags, "statements")
		},
		run: func(k *call) error {
			opened, err := r.open(k.cmd.Context(), k.args)
			if err != nil {
				return err
			}
			h := opened.History
			within, err := f.in(h, model.Always)
			if err != nil {
				return err
			}
			if len(h.Statements()) == 0 {
				return &Fault{Code: Partial, What: "nothing in " + opened.Name + " is the log of a controller or a kubelet, or an answer of Prometheus", Means: "Statements are read from klog, kube-controller-manager's and kubelets' own logs, and from samples."}
			}
			return k.print(contract.StatementsOf(h, node, within), nil)
		},
	})
}
