package app

import (
	"slices"

	"kardia/model"
	"kardia/model/explain/command"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"

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
	return tea.Batch(tea.SetClipboard(text), native, a.say(words.Of("copy.copied", "text", text)))
}

func (a *App) copyName() tea.Cmd {
	name := a.view().Selected(a.snapshot()).Name()
	if name == "" {
		return a.say(words.Of("cannot.nothing-selected"))
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
		if i := slices.IndexFunc(list, func(e entry) bool { return e.name == c.name }); i >= 0 {
			list[i].help = c.help // the screen names it first, and here is its effect
			continue
		}
		list = append(list, c)
	}
	if list == nil {
		return a.say(words.Of("copy.none"))
	}
	return a.askOne(askingCopy, list)
}

func (a *App) copies(lines []string) (list []entry) {
	for _, line := range lines {
		list = append(list, a.copyEntry(line, words.Say{}))
	}
	return list
}

// copyEntry copies a line for a shell that does something.
func (a *App) copyEntry(line string, does words.Say) entry {
	line = a.inContext(line)
	return entry{name: line, help: does.In(a.painter), run: func() tea.Cmd { return a.copy(line) }}
}

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
func (a *App) commands(s screen.Subject) (list []entry) {
	offer := func(does words.Say, line string) {
		if line != "" {
			list = append(list, a.copyEntry(line, does))
		}
	}
	kubectl := func(code string, args ...string) {
		offer(words.Of("copy.does."+code), command.Line(append([]string{"kubectl"}, args...)...))
	}
	spareZone := func(zone model.ZoneKey, least int) { // where pods of so many nodes are to go
		is := a.snapshot()
		if is.Cluster == nil {
			return
		}
		if names := is.Outlook().Threatened(zone, is.Cluster); len(names) >= least {
			offer(words.Of("copy.spare-zone", "n", len(names), "zone", model.ZoneKey{Zone: zone.Zone}), command.Spare(names...))
		}
	}
	switch {
	case s.Kind == screen.NodeSubject:
		node := command.Object("node", s.Node)
		kubectl("object", "get", node, "-o", "yaml")
		kubectl("describe-node", "describe", node)
		kubectl("lease", "-n", model.NodeLeaseNamespace, "get", command.Object("lease", s.Node), "-o", "yaml")
		kubectl("debug", "debug", node, "-it", "--image=busybox")
		n := a.node(s.Node)
		cordon := pick(n != nil && n.Unschedulable, "uncordon", "cordon")
		kubectl(cordon, cordon, node)
		kubectl("drain", "drain", node, "--ignore-daemonsets", "--delete-emptydir-data")
		kubectl("out-of-service", "taint", "nodes", node, model.TaintOutOfService+"=nodeshutdown:NoExecute")
		offer(words.Of("copy.spare-node"), command.Spare(s.Node))
		if n != nil {
			spareZone(n.Zone, 2)
		}
	case s.Kind == screen.PodSubject:
		pod := command.Object("pod", s.Pod.Name)
		kubectl("object", "-n", s.Pod.Namespace, "get", pod, "-o", "yaml")
		kubectl("describe-pod", "-n", s.Pod.Namespace, "describe", pod)
		kubectl("logs", "-n", s.Pod.Namespace, "logs", pod, "--all-containers")
		kubectl("delete", "-n", s.Pod.Namespace, "delete", pod, "--grace-period=0", "--force")
		if p := a.pod(s.Pod); p != nil {
			offer(words.Of("copy.spare-pod"), command.SparePod(p))
		}
	case s.Kind == screen.ZoneSubject && s.Zone.Known && s.Zone.Value.Zone != "":
		zone := model.LabelZone + "=" + s.Zone.Value.Zone
		kubectl("nodes", "get", "nodes", "-l", zone)
		kubectl("pods", "describe", "nodes", "-l", zone)
		spareZone(s.Zone.Value, 1)
	}
	return list
}
