package postmortem

import (
	"cmp"
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/explain/recovery"
	"kardia/model/history"
	"kardia/ui/decision"
	"kardia/ui/nodes"
	"kardia/ui/report"
)

// Standing is what is not as it should be where the report ends.
type Standing struct {
	At    report.Stamp   `json:"at"`
	Nodes []StandingNode `json:"nodes"`
	// Stuck are pods that were deleted, whose grace is over, and that are still there; Exits are the ways by which
	// those go whose node is not heard.
	Stuck []StuckPod `json:"stuck"`
	Exits []string   `json:"exits"`
}

// StandingNode is a node that is not Ready, that takes no pods, that somebody takes away, or that is not well.
type StandingNode struct {
	Node string   `json:"node"`
	Zone *string  `json:"zone"`
	Is   []string `json:"is"`
	// LastKnownSince is since when nothing is known of the node; null where it is.
	LastKnownSince report.Stamp `json:"lastKnownSince"`
}

// StuckPod is one of them, since its grace was over. Heard says that its node is heard: its kubelet has not ended it.
type StuckPod struct {
	Pod   string       `json:"pod"`
	Node  string       `json:"node"`
	Since report.Stamp `json:"since"`
	Heard bool         `json:"heard"`
}

// standing looks at the state where the report ends.
func (r *Report) standing(in *Input, scope Scope) (*Standing, error) {
	if !scope.To.Bounded() {
		return nil, nil
	}
	cursor := history.NewCursor(in.History)
	if err := cursor.Seek(scope.To); err != nil {
		return nil, err
	}
	asOf, params := history.AsOf(in.History, scope.To), in.Found.Result.Params
	list := nodes.Read(cursor.State(), nodes.AsOf{Now: asOf, Confirmed: asOf, Grace: params.NodeMonitorGracePeriod.Value}, history.UnwatchedIn(in.History), nil)
	out := &Standing{At: report.Stamp(scope.To), Nodes: []StandingNode{}, Stuck: []StuckPod{}, Exits: []string{}}
	for i := range list.Entries {
		e := &list.Entries[i]
		if e.Row.Node == nil || !scope.about(e.Row.Name, e.Row.Zone()) {
			continue
		}
		if is := r.isNot(e); len(is) > 0 {
			out.Nodes = append(out.Nodes, StandingNode{e.Row.Name, known(true, e.Row.Node.Zone.String()), is, report.Stamp(e.LastKnown)})
		}
		found := recovery.Of(e.Row, asOf, scope.To, params, recovery.Attached{})
		for _, s := range found.Stuck {
			out.Stuck = append(out.Stuck, StuckPod{s.Pod.Key.String(), e.Row.Name, report.Stamp(s.Since), len(found.Exits) == 0})
		}
		if len(out.Exits) == 0 {
			for _, x := range found.Exits {
				out.Exits = append(out.Exits, strings.TrimSuffix(x.Says+": gone "+x.Gone+"; "+x.Risk, "; "))
			}
		}
	}
	return out, nil
}

// isNot is what of a node is not as it should be, in words.
func (r *Report) isNot(e *nodes.Entry) (is []string) {
	since := func(text string, at model.Instant) string {
		if at.Bounded() {
			text += " since " + stamp(at)
		}
		return text
	}
	n := e.Row.Node
	if ready := n.Ready(); ready == nil {
		is = append(is, "has posted no status yet")
	} else if ready.Status != model.StatusTrue {
		is = append(is, since("Ready "+ready.Status.String()+" ("+ready.Reason+")", ready.Transition))
	}
	for i := range n.Taints {
		if t := &n.Taints[i]; t.Effect == model.NoExecute {
			is = append(is, since("tainted "+t.Key+":"+t.Effect.String(), t.Added))
		}
	}
	if n.Unschedulable {
		is = append(is, r.cordoned(n, e.Row.Name))
	}
	if x := e.Leaving; x != nil {
		is = append(is, x.Who+" "+x.Does)
	}
	for i := range e.Problems {
		text := e.Problems[i].Says
		if at := e.Problems[i].Since; at.Bounded() {
			text += " (since " + stamp(at) + ")"
		}
		is = append(is, text)
	}
	return is
}

// cordoned says since when a node takes no pods, and by whom.
func (r *Report) cordoned(n *model.Node, name string) string {
	text := "cordoned"
	track := r.scan.nodes[name]
	if track != nil && track.cordonedAt.Bounded() {
		text += " since " + stamp(track.cordonedAt)
		if who := decision.Who(track.cordonedBy.writer, track.cordonedBy.by); who != "" {
			return text + " by " + who
		}
		return text + ", by whom the input does not tell"
	}
	for i := range n.Taints {
		if t := &n.Taints[i]; t.Key == model.TaintUnschedulable && t.Added.Bounded() {
			text += " since " + stamp(t.Added)
		}
	}
	return text + ", before the input shows it"
}

func (r *Report) tellStanding() chapter {
	c := chapter{title: "How it stood at the end"}
	is := r.Standing
	if is == nil {
		c.say("Not known: the input does not tell when it ends.")
		return c
	}
	if len(is.Nodes)+len(is.Stuck) == 0 {
		c.say(fmt.Sprintf("At %s all nodes in the input were Ready, took pods and were well, as far as it shows them, and no pod that was deleted was still there after its grace.", stamp(model.Instant(is.At))))
		return c
	}
	c.say(fmt.Sprintf("At %s %s not Ready, took no pods, were about to go or were not well, and %s still there after their grace.",
		stamp(model.Instant(is.At)), were(len(is.Nodes), "node"), were(len(is.Stuck), "deleted pod")))
	t := &table{head: []string{"Node", "Zone", "Is", "Known"}}
	for i := range is.Nodes[:min(len(is.Nodes), most)] {
		n := &is.Nodes[i]
		seen := "then"
		if at := model.Instant(n.LastKnownSince); at.Known() {
			seen = "last, at " + stamp(at)
		}
		t.add(n.Node, or(n.Zone, "not known"), strings.Join(n.Is, "; "), seen)
	}
	c.put(t)
	pods := &table{head: []string{"Deleted, and still there", "Node", "Grace over", "Waits for"}}
	for i := range is.Stuck[:min(len(is.Stuck), most)] {
		s := &is.Stuck[i]
		pods.add(s.Pod, s.Node, cmp.Or(stamp(model.Instant(s.Since)), "not known"), map[bool]string{true: "its kubelet, which is heard", false: "its node, which is not heard"}[s.Heard])
	}
	c.put(pods)
	if more := max(len(is.Nodes), len(is.Stuck)) - most; more > 0 {
		c.say("More are in the JSON.")
	}
	if len(is.Exits) > 0 {
		c.say("Pods on nodes that are not heard go by one of these ways:")
		c.items(is.Exits)
	}
	return c
}
