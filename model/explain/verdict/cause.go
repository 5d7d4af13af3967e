package verdict

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/command"
)

// Part is one of the things that must work for a heartbeat to arrive.
type Part uint8

const (
	// Machine: it is off, hangs, restarted, or is being taken away.
	Machine Part = iota
	// Network: the path from the node to the API server.
	Network
	// Process: the kubelet itself, or its dependencies on the machine.
	Process
	// Credentials: its certificate, or what that allows.
	Credentials
	// Server: the API server, or a component it asks before a write. It is listed only if Shown.
	Server
	partCount
)

// String is the word for people.
func (p Part) String() string {
	return [...]string{"machine", "network", "kubelet", "credentials", "API server"}[min(p, partCount-1)]
}

// PartState is how the last signs of a node leave a Part. The zero value is Open.
type PartState uint8

const (
	// Open: no sign decides.
	Open PartState = iota
	// Shown: a sign shows that it failed.
	Shown
	// Excluded: a sign shows that it worked after the heartbeat had stopped.
	Excluded
)

// String is the word for people, and in JSON.
func (s PartState) String() string { return [...]string{"open", "shown", "excluded"}[min(s, Excluded)] }

// Cause is the state of one Part, and the signs that decide it.
type Cause struct {
	Part    Part
	State   PartState
	Because []Fact
}

// sign is an observation of a silent node: the Parts that it shows to have failed, and those that it excludes.
type sign struct {
	Fact
	shows    []Part
	excludes []Part
	// hints are Parts that it suggests, without proof.
	hints []Part
}

const (
	// statusDue is the longest interval between unchanged status posts: five minutes, and jitter.
	// Source: kubernetes: nodeStatusReportFrequency.
	statusDue = 5*time.Minute + 15*time.Second
	// replies is how soon a kubelet that reaches the API server posts its status after its node is declared Unknown: it
	// compares every ten seconds.
	// Source: kubernetes: nodeStatusUpdateFrequency.
	replies = 20 * time.Second
)

// causes sums up the signs of silent nodes by Part: one node's sign makes a Part Shown, all nodes' make it Excluded.
func (e *Evidence) causes(nodes []*node) []Cause {
	list, excluded, said := make([]Cause, partCount), [partCount]int{}, map[Fact][]string{}
	for i := range list {
		list[i].Part = Part(i)
	}
	for _, n := range nodes {
		without := [partCount]bool{}
		for _, s := range e.signsOf(n) {
			said[s.Fact] = append(said[s.Fact], n.name)
			for p := range partCount {
				shows, excludes := slices.Contains(s.shows, p), slices.Contains(s.excludes, p)
				if shows {
					list[p].State = Shown
				}
				without[p] = without[p] || excludes
				if (shows || excludes || slices.Contains(s.hints, p)) && !slices.Contains(list[p].Because, s.Fact) {
					list[p].Because = append(list[p].Because, s.Fact)
				}
			}
		}
		for p, is := range without {
			if is {
				excluded[p]++
			}
		}
	}
	for p := range list {
		if list[p].State == Open && excluded[p] == len(nodes) {
			list[p].State = Excluded
		}
		list[p].Because = ofWhom(list[p].Because, said)
	}
	if list[Server].State != Shown {
		list = list[:Server]
	}
	if list[Credentials].State == Open && e.cohort(nodes) {
		list[Credentials].Because = append(list[Credentials].Because, Fact{Code: "made-together"})
	}
	return list
}

const mostSigns = 4

// ofWhom adds to each sign its node, or the number of its nodes. It keeps the mostSigns signs with the most nodes.
func ofWhom(signs []Fact, said map[Fact][]string) []Fact {
	rest := 0
	if len(signs) > mostSigns {
		slices.SortStableFunc(signs, func(a, b Fact) int { return cmp.Compare(len(said[b]), len(said[a])) })
		for _, s := range signs[mostSigns:] {
			rest += len(said[s])
		}
		signs = signs[:mostSigns]
	}
	for i, s := range signs {
		if n := len(said[s]); n > 1 {
			signs[i].Nodes = n
		} else {
			signs[i].Node = said[s][0]
		}
	}
	if rest > 0 {
		signs = append(signs, Fact{Code: "more-signs", N: rest})
	}
	return signs
}

// signsOf lists the signs of a silent node: refused writes, status, Events, object.
func (e *Evidence) signsOf(n *node) (list []sign) {
	switch {
	case n.answers.times > 0:
		list = append(list, n.answers.sign(e.At))
	case n.goesOn(e.At):
		list = append(list, sign{Fact: Fact{Code: "status-after-lease", At: n.posted}, excludes: []Part{Machine, Network, Process}, hints: []Part{Credentials}})
	case n.mute(e.At):
		list = append(list, sign{Fact: Fact{Code: "no-reply"}, hints: []Part{Credentials}})
	}
	list = append(list, n.eventSigns()...)
	return append(list, n.objectSigns()...)
}

func (n *node) mute(at model.Instant) bool {
	return n.declared() && n.declaredAt.Bounded() && at.Sub(n.declaredAt) > replies && n.posted < n.declaredAt
}

// leaseOnly reports whether a node's status is posted, but its lease is no longer renewed.
func (n *node) leaseOnly(at model.Instant) bool {
	return n.age.Lease.Known && n.age.Lease.Value >= model.LateAfter && n.goesOn(at)
}

// goesOn reports whether a node posts its status without renewing its lease. One that just returned may still renew.
func (n *node) goesOn(at model.Instant) bool {
	returns := n.wentOnFrom.Known() && at.Sub(n.wentOnFrom) < missedOne
	return n.unrenewedAt(n.posted) && !n.mute(at) && !returns && at.Sub(n.posted) < statusDue
}

// machineEvents are the reasons of Events that describe the machine of a node or its kubelet, with the facts they show.
var machineEvents = map[string]sign{
	"Rebooted":     {Fact: Fact{Code: "event-restarted"}, shows: []Part{Machine}},
	"Shutdown":     {Fact: Fact{Code: "event-shut-down"}, shows: []Part{Machine}},
	"NodeShutdown": {Fact: Fact{Code: "event-shut-down"}, shows: []Part{Machine}},
	"DeletingNode": {Fact: Fact{Code: "event-deleted"}, shows: []Part{Machine}},
	"SystemOOM":    {Fact: Fact{Code: "event-killed"}, hints: []Part{Machine, Process}},
	"KernelOops":   {Fact: Fact{Code: "event-killed"}, hints: []Part{Machine, Process}},
	"Starting":     {Fact: Fact{Code: "event-kubelet-restarted"}, shows: []Part{Process}},
}

// eventSigns are Events about the machine and the kubelet since shortly before the silence.
func (n *node) eventSigns() (list []sign) {
	for _, ev := range n.events {
		s := machineEvents[ev.Reason]
		s.Name, s.At = ev.Reason, ev.Last
		list = append(list, s)
	}
	return list
}

// leaving are taints of a machine that is being removed, or that its provider reports as off.
// Source: cloud-provider, cluster-autoscaler, Karpenter, aws-node-termination-handler and GKE, each its own.
var leaving = map[string]Code{
	"node.cloudprovider.kubernetes.io/shutdown":          "taint-off",
	"ToBeDeletedByClusterAutoscaler":                     "taint-autoscaler",
	"karpenter.sh/disrupted":                             "taint-karpenter",
	"aws-node-termination-handler/spot-itn":              "taint-taken-back",
	"aws-node-termination-handler/asg-lifecycle":         "taint-group",
	"cloud.google.com/impending-node-termination":        "taint-taken-back",
	"aws-node-termination-handler/scheduled-maintenance": "taint-maintenance",
}

func (n *node) objectSigns() (list []sign) {
	if n.object == nil {
		return nil
	}
	for i := range n.object.Taints {
		if t := &n.object.Taints[i]; leaving[t.Key] != "" {
			list = append(list, sign{Fact: Fact{Code: leaving[t.Key], Name: t.Key}, shows: []Part{Machine}})
		}
	}
	if n.object.Deleted.Known() {
		list = append(list, sign{Fact: Fact{Code: "node-deleted", At: n.object.Deleted}, hints: []Part{Machine}})
	}
	if r := n.object.Ready(); r != nil && strings.Contains(r.Message, "node is shutting down") {
		list = append(list, sign{Fact: Fact{Code: "kubelet-shuts-down"}, shows: []Part{Machine}})
	}
	return list
}

// cohort reports whether nodes that fell silent together were created together: their certificates expire together.
func (e *Evidence) cohort(nodes []*node) bool {
	if len(nodes) < 2 {
		return false
	}
	first, last, known := spread(nodes)
	if !known || last.Sub(first) > AtOnce {
		return false
	}
	var oldest, newest model.Instant
	for _, n := range nodes {
		if n.object == nil || !n.object.Created.Bounded() {
			return false
		}
		oldest, newest = oldest.Earlier(n.object.Created), max(newest, n.object.Created)
	}
	return newest.Sub(oldest) <= time.Hour
}

// decide lists commands whose answers would show which of the Parts that are not excluded failed.
func (n *node) decide(causes []Cause) (list []Fact) {
	if ip := n.address(); !command.Fit(n.name) || ip != "" && !command.Fit(ip) {
		return []Fact{{Code: "no-command"}}
	}
	for i := range causes {
		c := &causes[i]
		if c.State == Excluded {
			continue
		}
		switch c.Part {
		case Machine:
			m := command.MachineOf(n.object)
			ask := run(m.Line)
			if m.Line == "" { // its provider has no command
				ask = Fact{Code: "ask-machine", Text: m.Provider}
			}
			list = append(list, ask)
		case Network:
			list = append(list, Fact{Code: "ask-proxy", Text: command.Line("kubectl", "get", "--raw", "/api/v1/nodes/"+url.PathEscape(n.name)+"/proxy/healthz")})
			if ip := n.address(); ip != "" {
				list = append(list, Fact{Code: "ask-port", Text: command.Line("nc", "-vz", "-w", "3", ip, "10250")})
			}
		case Process:
			list = append(list, n.ssh("systemctl status kubelet; journalctl -u kubelet -n 50 --no-pager"))
		case Credentials:
			list = append(list, n.ssh("openssl x509 -noout -enddate -in /var/lib/kubelet/pki/kubelet-client-current.pem"),
				run(command.Line("kubectl", "auth", "can-i", "update", "leases/"+n.name, "-n", model.NodeLeaseNamespace, "--as", "system:node:"+n.name, "--as-group", "system:nodes")))
		}
	}
	return list
}

func (n *node) ssh(what string) Fact {
	return run(command.Line("ssh", cmp.Or(n.address(), n.name), what))
}

func (n *node) address() string { return command.Address(n.object) }
