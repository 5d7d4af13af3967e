package postmortem

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/ui/report"
)

// Unknown is something that the report cannot tell, why, and what would have told.
type Unknown struct {
	What  string `json:"what"`
	Why   string `json:"why"`
	Tells string `json:"capture"`
}

// What would have told, as a person types it.
const (
	follow    = "--watch --output-watch-events -o json | ts '%.s'"
	auditLog  = "the API server's audit log, at the level Metadata or more"
	recordAll = "kardia record, or for all kinds at once: kubectl get … " + follow
)

func (r *Report) unknowns(in *Input) []Unknown {
	list := []Unknown{}
	add := func(what, why, tells string) { list = append(list, Unknown{what, why, tells}) }
	result, sources := in.Found.Result, in.History.Sources()
	for _, why := range result.Unsupported {
		add("what the controllers decided", why, recordAll)
	}
	if r.captured {
		add("zones' states, rates and queues, and which decisions left no trace", result.Instants, recordAll)
	}
	for _, k := range []struct {
		kind        model.Kind
		what, tells string
	}{
		{model.KindNode, "the nodes' conditions, taints and zones", "kubectl get nodes " + follow},
		{model.KindNodeLease, "the heartbeats, but for the status that kubelets post every five minutes", "kubectl get leases -n kube-node-lease " + follow},
		{model.KindPod, "what became of pods", "kubectl get pods -A " + follow},
		{model.KindEvent, "facts from Events: restarts of the controller, reboots, cancelled countdowns", "kubectl get events -A " + follow},
		{model.KindLeaderLease, "whether the controller manager was alive while it wrote nothing, and when its leader changed", "kubectl get leases -n kube-system " + follow},
	} {
		if !caveat.Reads(sources, k.kind) {
			add(k.what, "no "+k.kind.String()+" objects are in the input", k.tells)
		}
	}
	list = append(list, r.holes(in)...)
	list = append(list, r.doubts()...)
	if !r.told() {
		add("who wrote what", "no row of the timeline has an author from the input", auditLog)
	} else if slices.ContainsFunc(r.Timeline, func(row Row) bool { return !row.ActorTold && or(row.Basis, "") == model.Observed.String() }) {
		add("which controller wrote what has a question mark behind its actor", report.WriterUntold, auditLog)
	}
	if !slices.ContainsFunc(r.Timeline, func(row Row) bool { return row.by != nil }) {
		add("which user or program made a write", "no row of the timeline has a request in the input", auditLog)
	}
	if slices.ContainsFunc(r.Zones, func(z ZoneRow) bool { return z.Waiting > 1 }) {
		add("in which order waiting nodes were to be tainted, before they were", "it is a race inside the controller", "nothing: no object and no log has it")
	}
	if r.pods {
		add("whether pods on silent nodes went on serving", "the API has what was written, not what ran", "metrics of the service itself")
	}
	if len(r.Silences) > 0 {
		add("why nodes fell silent: kubelet, machine or network", "no object in the API server distinguishes them", "the machines' console, journalctl -u kubelet, the network's own monitoring")
	}
	return list
}

// told says that the input names the author of anything.
func (r *Report) told() bool {
	return slices.ContainsFunc(r.Timeline, func(row Row) bool { return row.ActorTold && row.Kind != "mark" })
}

// holes are times of which nothing is known.
func (r *Report) holes(in *Input) (list []Unknown) {
	const mostHoles = 20
	for i, g := range in.History.Gaps() {
		if i == mostHoles {
			return append(list, Unknown{fmt.Sprintf("%s more", counted(len(in.History.Gaps())-i, "gap")), "see info", ""})
		}
		what := "what happened from " + stamp(g.Earliest) + " to " + stamp(g.Latest)
		if g.Possible {
			what = "whether anything happened from " + stamp(g.Earliest) + " to " + stamp(g.Latest)
		}
		list = append(list, Unknown{what, g.Why, "a second, independent recording"})
	}
	if w := r.widest(); w != "" {
		list = append(list, Unknown{"exact times", w, auditLog + ", or kardia record"})
	}
	return list
}

// widest says how badly the times of decisions are known, where that is worse than a second.
func (r *Report) widest() string {
	n, most := 0, model.Interval{}
	for _, d := range r.decided {
		if w := d.Window.Width(); w >= foldWithin {
			n++
			if w > most.Width() || !most.Known() {
				most = d.Window
			}
		}
	}
	switch {
	case n == 0:
		return ""
	case !most.Bounded():
		return fmt.Sprintf("the times of %s known to a second at best, some on one side only", were(n, "decision"))
	}
	return fmt.Sprintf("the times of %s known to a second at best, at worst to %s", were(n, "decision"), model.Length(most.Width()))
}

// doubts are what the models leave open.
func (r *Report) doubts() (list []Unknown) {
	v := &r.Verification
	if n := len(v.Unexplained); n > 0 && r.undecided == "" {
		list = append(list, Unknown{fmt.Sprintf("why %s", were(n, "write")+" made"), "no decision of the models explains " + map[bool]string{true: "it", false: "them"}[n == 1] + ": see verify", "the kube-controller-manager's log and flags"})
	}
	if n := len(v.Unobserved); n > 0 {
		list = append(list, Unknown{"whether " + counted(n, "effect") + " came that the models decide on", "the input would show them, and does not", "the kube-controller-manager's log"})
	}
	for _, h := range v.Hypotheses {
		list = append(list, Unknown{"whether " + h.What, fmt.Sprintf("it would explain %s; for it: %s; against it: %s", counted(len(h.Writes), "write"), either(h.For), either(h.Against)),
			"the kube-controller-manager's log, or its leader lease"})
	}
	if v.Bounded != nil {
		list = append(list, Unknown{"whether another hypothesis explains more", *v.Bounded, ""})
	}
	var open []string
	for name, p := range r.params {
		if !p.Fits.Known && p.From == model.FromDefault {
			open = append(open, "--"+name)
		}
	}
	if slices.Sort(open); len(open) > 0 {
		list = append(list, Unknown{"the values of " + strings.Join(open, ", "), "nothing in the input determines them; the defaults are assumed", "kubectl get pod -n kube-system -l component=kube-controller-manager -o yaml"})
	}
	return list
}

func either(list []string) string {
	if len(list) == 0 {
		return "nothing"
	}
	return strings.Join(list, "; ")
}

func (r *Report) tellUnknown() chapter {
	c := chapter{title: "Not known, and what would have shown it"}
	t := &table{head: []string{"Not known", "Because", "What would have shown it"}}
	for _, u := range r.Unknown {
		t.add(u.What, u.Why, u.Tells)
	}
	c.put(t)
	return c
}
