// Package recovery says which pods of a node were deleted and cannot go, by which ways they may, and what
// must be so before the node is declared out of service. It tells commands, and runs none.
package recovery

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/tainteviction"
	"kardia/model/explain/command"
	"kardia/model/explain/volumes"
)

// Stuck is a pod that was deleted, whose grace is over, and that is still there.
type Stuck struct {
	Pod *model.Pod
	// Since is when its grace was over.
	Since model.Instant
}

// Exit is a way by which stuck pods go.
type Exit struct {
	// Says is the way, Gone how soon their objects are gone then. Risk is what may go wrong besides Twice, which holds
	// wherever there are Commands.
	Says, Gone, Risk string
	// Commands do it, all of them together; there are none where nothing is to be done.
	Commands []string
}

// Twice is what goes wrong where pods are taken away from a machine that is not off.
const Twice = "if the machine still runs, there are two copies of a pod, and both write"

// Risks are all that may go wrong; "" where nothing is known to.
func (e *Exit) Risks() string {
	switch {
	case e.Says == returns:
		return ""
	case e.Risk == "":
		return Twice
	}
	return Twice + "; " + e.Risk
}

// Answer is how a Check came out.
type Answer uint8

const (
	// Unasked: it is not for Kardia to know.
	Unasked Answer = iota
	Yes
	No
)

// Check is something that must be so before a node is declared out of service.
type Check struct {
	Answer Answer
	Says   string
	// Command finds out, where Kardia cannot.
	Command string
	// About is Says with %s in place of how long something lasts, which is For; empty where it tells of none.
	About string
	For   time.Duration
}

// lasts is a Check that tells how long something lasts, to a second.
func lasts(a Answer, about string, d time.Duration) Check {
	d = d.Truncate(time.Second)
	return Check{Answer: a, Says: fmt.Sprintf(about, model.Length(d)), About: about, For: d}
}

// Assessment is what can be said of a node.
type Assessment struct {
	Node  string
	Stuck []Stuck
	Exits []Exit
	// Checks are what must be so before it is declared out of service.
	Checks []Check
	// Effects is what the taint does, with either effect; Taint and Untaint are the commands.
	Effects        []string
	Taint, Untaint string
	// Volumes are the volumes that hang on it, and Unread why they are not known; "" where they are.
	Volumes []volumes.Volume
	Unread  string
}

// Attached is what is known of a node's volumes.
type Attached struct {
	List []volumes.Volume
	// Unread is why they are not known; "" where they are.
	Unread string
}

// Safe says whether the node may be marked out of service: not if a check fails, and not yet while one is open.
func (o *Assessment) Safe() string {
	count := map[Answer]int{}
	for i := range o.Checks {
		count[o.Checks[i].Answer]++
	}
	switch open := model.Counted(count[Unasked], "check open", "checks open"); {
	case count[No] > 0 && count[Unasked] > 0:
		return "no: " + model.Counted(count[No], "check fails, ", "checks fail, ") + open
	case count[No] > 0:
		return "no: " + model.Counted(count[No], "check fails", "checks fail")
	case count[Unasked] > 0:
		return "not yet: " + open
	}
	return "yes: all checks hold"
}

// Of looks at a node at an instant. asOf is up to when heartbeats were read, and params tells the version.
func Of(row *model.NodeRow, asOf model.AsOf, at model.Instant, params model.Params, attached Attached) Assessment {
	o := Assessment{Node: row.Name, Volumes: attached.List, Unread: attached.Unread}
	running, tolerating := 0, 0
	for _, p := range row.Pods() {
		switch {
		case PastGrace(p, at):
			o.Stuck = append(o.Stuck, Stuck{p, p.Deletion})
		case p.Deletion.Known() || p.Ended():
		case tolerates(p, params):
			tolerating++
		default:
			running++
		}
	}
	slices.SortFunc(o.Stuck, func(a, b Stuck) int { return strings.Compare(a.Pod.Key.String(), b.Pod.Key.String()) })
	o.Taint = command.Line("kubectl", "taint", "nodes", command.Object("node", row.Name), model.TaintOutOfService+"=nodeshutdown:NoExecute")
	o.Untaint = command.Line("kubectl", "taint", "nodes", command.Object("node", row.Name), model.TaintOutOfService+"-")
	if ages := row.AgesAsOf(asOf); !ages.Age.Known || ages.Late() || ages.Unposted() {
		o.exits(row)
	}
	o.check(row, asOf, at, params)
	o.Effects = []string{
		fmt.Sprintf("the taint: %s at once, %s, %d stuck gone within 20 s", model.Counted(running, "pod deleted", "pods deleted"), model.Counted(tolerating, "tolerates it", "tolerate it"), len(o.Stuck)),
		"you must remove the taint yourself: if the node returns with it, pods are deleted again",
		"with effect NoSchedule, only pods already Terminating are removed",
	}
	return o
}

// Clock is what holds of every volume.
// Source: kubernetes: pkg/controller/volume/attachdetach, reconciler.reconcile.
const Clock = "a volume stays while the object of a pod that uses it exists and its containers are not known to have ended; six minutes later the attach-detach controller detaches it by force from a node that is not Ready, with out-of-service at once"

// checkVolumes says what the taint detaches: a process that still writes there writes to a volume that is elsewhere.
func (o *Assessment) checkVolumes() Check {
	const find = "kubectl get volumeattachments"
	switch n := len(o.Volumes); {
	case o.Unread != "":
		return Check{Answer: Unasked, Says: "nothing writes to its volumes: attached volumes unknown (" + o.Unread + ")", Command: find}
	case n == 0:
		return Check{Answer: Yes, Says: "nothing writes to its volumes: none is attached"}
	case o.off():
		return Check{Answer: Yes, Says: fmt.Sprintf("nothing writes to its volumes: %s, and the machine is off", model.Counted(n, "volume is attached", "volumes are attached"))}
	default:
		return Check{Answer: Unasked, Says: fmt.Sprintf("nothing writes to its volumes: %s, and the taint detaches them at once, mounted or not", model.Counted(n, "volume is attached", "volumes are attached")), Command: find}
	}
}

// off says that one of the checks tells that the machine is off.
func (o *Assessment) off() bool {
	return slices.ContainsFunc(o.Checks, func(c Check) bool { return c.Answer == Yes && strings.HasPrefix(c.Says, machineOff) })
}

const machineOff = "the machine is off"

// tolerates says whether a pod tolerates that its node is out of service.
func tolerates(p *model.Pod, params model.Params) bool {
	fate, _, _ := tainteviction.FateUnder(p, []model.Taint{{Key: model.TaintOutOfService, Value: "nodeshutdown", Effect: model.NoExecute}}, params.ComparisonOperators.Value)
	return fate == tainteviction.FateNever
}

// exits are the ways out, the least dangerous first.
// Source: kubernetes: pkg/controller/podgc; pkg/kubelet, its pod workers.
func (o *Assessment) exits(row *model.NodeRow) {
	if len(o.Stuck) == 0 {
		return
	}
	force := "delete the pods by force"
	if len(o.Stuck) == 1 {
		force = "delete the pod by force"
	}
	o.Exits = []Exit{
		{Says: returns, Gone: "within seconds"},
		{Says: "mark it out of service", Gone: "within 20 s, volumes detached at once", Commands: []string{o.Taint}},
		{Says: "delete the Node object", Gone: "in 40 to 80 s", Risk: "a running kubelet recreates it",
			Commands: []string{command.Line("kubectl", "delete", command.Object("node", row.Name))}},
		{Says: force, Gone: "at once", Risk: "volumes stay for six minutes", Commands: o.byForce()},
	}
}

// byForce deletes the stuck pods by force, those of a namespace by one command.
func (o *Assessment) byForce() (list []string) {
	for left := o.Stuck; len(left) > 0; { // they are in order by namespace
		namespace, n := left[0].Pod.Namespace, 0
		words := []string{"kubectl", "delete", "-n", namespace}
		for ; n < len(left) && left[n].Pod.Namespace == namespace; n++ {
			words = append(words, command.Object("pod", left[n].Pod.Name))
		}
		left = left[n:]
		list = append(list, command.Line(append(words, "--grace-period=0", "--force")...))
	}
	return list
}

// returns is the way out that needs nothing done.
const returns = "the node returns, and its kubelet ends them"

// check fills the checklist.
// Source: kubernetes: pkg/controller/podgc, gcTerminating; the documentation of non-graceful node shutdown.
func (o *Assessment) check(row *model.NodeRow, asOf model.AsOf, at model.Instant, params model.Params) {
	add := func(a Answer, command, text string, args ...any) {
		o.Checks = append(o.Checks, Check{Answer: a, Says: fmt.Sprintf(text, args...), Command: command})
	}
	answer := func(yes bool) Answer {
		if yes {
			return Yes
		}
		return No
	}
	switch ready := readyOf(row); {
	case row.Node == nil:
		add(Unasked, "", "the Node is not Ready: its object was not seen")
	case ready == nil:
		add(Yes, "", "the Node is not Ready: it never posted a status")
	case ready.Status == model.StatusTrue:
		add(No, "", "the Node is not Ready: it is Ready, and the pod garbage collector removes nothing")
	case ready.Transition.Bounded():
		o.Checks = append(o.Checks, lasts(Yes, "the Node is not Ready, for %s", at.Sub(ready.Transition)))
	default:
		add(Yes, "", "the Node is not Ready")
	}
	switch ages := row.AgesAsOf(asOf); {
	case !ages.Age.Known || ages.From == model.AgeStatus:
		add(Unasked, command.Line("kubectl", "get", "-n", model.NodeLeaseNamespace, command.Object("lease", row.Name), "-o", "yaml"), "its kubelet is silent: its lease was not read")
	default:
		o.Checks = append(o.Checks, lasts(answer(ages.Late()), "its kubelet is silent: last seen %s ago", ages.Age.Value))
	}
	if row.Node != nil && row.Node.HasTaint(taintShutdown) {
		add(Yes, "", machineOff+": the cloud's controller set the taint %s", taintShutdown)
	} else {
		add(Unasked, command.MachineState(row.Node), machineOff+", and not restarting: silence does not show that")
	}
	o.Checks = append(o.Checks, o.checkVolumes())
	if v := params.Version; v != (model.Version{}) {
		add(answer(v.AtLeast(1, 26)), "", "control plane supports the taint: needs 1.26, runs %s", v)
	} else {
		add(Unasked, "kubectl version", "control plane supports the taint: needs 1.26, version unknown")
	}
	if row.Node != nil && row.Node.HasTaint(model.TaintOutOfService) {
		add(No, "", "it is not marked out of service yet: it is")
	}
}

// taintShutdown is how the cloud's node-lifecycle controller says that a machine is off.
const taintShutdown = "node.cloudprovider.kubernetes.io/shutdown"

func readyOf(row *model.NodeRow) *model.Condition {
	if row.Node == nil {
		return nil
	}
	return row.Node.Ready()
}

// PastGrace says that a pod was deleted, and is still there though its grace is over.
func PastGrace(p *model.Pod, at model.Instant) bool { return p.Deletion.Known() && p.Deletion <= at }
