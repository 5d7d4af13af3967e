package app

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/command"
	"kardia/ui/paint"
	"kardia/ui/screen"

	tea "charm.land/bubbletea/v2"
	"github.com/atotto/clipboard"
)

// copy puts text into the clipboard, by the terminal (OSC 52, over ssh too) and the system. Neither reports success.
func (a *App) copy(text string) tea.Cmd {
	text = paint.Clean(text) // it may be pasted into a shell
	native := func() tea.Msg {
		_ = clipboard.WriteAll(text) // no clipboard program: the terminal may still have it
		return nil
	}
	return tea.Batch(tea.SetClipboard(text), native, a.say("copied: "+text))
}

func (a *App) copyName() tea.Cmd {
	name := a.view().Selected(a.snapshot()).Name()
	if name == "" {
		return a.say("nothing is selected")
	}
	return a.copy(name)
}

// copyCommand offers commands about the subject, and copies one. It is never run.
func (a *App) copyCommand() tea.Cmd {
	var list []entry
	if v, ok := a.view().(screen.Commander); ok {
		list = a.copies(v.Commands(a.snapshot()))
	}
	for _, c := range a.commands(a.view().Selected(a.snapshot())) {
		if i := slices.IndexFunc(list, func(e entry) bool { return e.name == c.line }); i >= 0 {
			list[i].help = c.does // the screen names it first, and here is its effect
			continue
		}
		list = append(list, entry{name: c.line, help: c.does, run: func() tea.Cmd { return a.copy(c.line) }})
	}
	if list == nil {
		return a.say("no command for the selected item")
	}
	return a.askOne("copy (nothing is run): ", list)
}

func (a *App) copies(lines []string) (list []entry) {
	for _, line := range lines {
		line = a.inContext(line)
		list = append(list, entry{name: line, run: func() tea.Cmd { return a.copy(line) }})
	}
	return list
}

type offered struct{ line, does string }

// node is a Node of the state shown; nil if there is none.
func (a *App) node(name string) *model.Node {
	if c := a.snapshot().Cluster; c != nil {
		if row := c.Node(name); row != nil {
			return row.Node
		}
	}
	return nil
}

// pod is a pod of the state shown; nil if there is none.
func (a *App) pod(key model.Key) *model.Pod {
	if c := a.snapshot().Cluster; c != nil {
		return c.Pod(key)
	}
	return nil
}

// commands are those about a subject, the ones that only look first.
func (a *App) commands(s screen.Subject) (list []offered) {
	offer := func(does, line string) {
		if line != "" {
			list = append(list, offered{a.inContext(line), does})
		}
	}
	kubectl := func(does string, words ...string) {
		offer(does, command.Line(append([]string{"kubectl"}, words...)...))
	}
	spareZone := func(zone model.ZoneKey, least int) { // where pods of so many nodes are to go
		is := a.snapshot()
		if is.Cluster == nil {
			return
		}
		if names := is.Controllers().Threatened(zone, is.Cluster); len(names) >= least {
			where := " of " + zone.Zone
			if zone.Zone == "" {
				where = " without a zone"
			}
			offer("the pods of "+model.Counted(len(names), "node", "nodes")+where+", all from which pods are to go, stay; needs jq", command.Spare(names...))
		}
	}
	switch {
	case s.Kind == screen.NodeSubject:
		node := command.Object("node", s.Node)
		kubectl("the whole object", "get", node, "-o", "yaml")
		kubectl("read the node, its lease and Events", "describe", node)
		kubectl("the lease that its kubelet renews", "-n", model.NodeLeaseNamespace, "get", command.Object("lease", s.Node), "-o", "yaml")
		kubectl("a shell on it, if its kubelet answers", "debug", node, "-it", "--image=busybox")
		if n := a.node(s.Node); n != nil && n.Unschedulable {
			kubectl("new pods may be placed again", "uncordon", node)
		} else {
			kubectl("no new pods; stops no deletion", "cordon", node)
		}
		kubectl("asks budgets; on a silent node the pods stay Terminating", "drain", node, "--ignore-daemonsets", "--delete-emptydir-data")
		kubectl("only if it is certainly off: pods are deleted by force, volumes detached", "taint", "nodes", node, model.TaintOutOfService+"=nodeshutdown:NoExecute")
		offer("its pods stay: countdowns that run are cancelled; needs jq", command.Spare(s.Node))
		if n := a.node(s.Node); n != nil {
			spareZone(n.Zone, 2)
		}
	case s.Kind == screen.PodSubject:
		pod := command.Object("pod", s.Pod.Name)
		kubectl("the whole object", "-n", s.Pod.Namespace, "get", pod, "-o", "yaml")
		kubectl("read the pod and its Events", "-n", s.Pod.Namespace, "describe", pod)
		kubectl("its log, if its kubelet answers", "-n", s.Pod.Namespace, "logs", pod, "--all-containers")
		kubectl("only if it certainly no longer runs: a StatefulSet could have two", "-n", s.Pod.Namespace, "delete", pod, "--grace-period=0", "--force")
		if p := a.pod(s.Pod); p != nil {
			offer("it stays: a running countdown is cancelled", command.SparePod(p))
		}
	case s.Kind == screen.ZoneSubject && s.Zone.Known && s.Zone.Value.Zone != "":
		zone := model.LabelZone + "=" + s.Zone.Value.Zone
		kubectl("its nodes", "get", "nodes", "-l", zone)
		kubectl("their pods, node by node", "describe", "nodes", "-l", zone)
		spareZone(s.Zone.Value, 1)
	}
	return list
}
