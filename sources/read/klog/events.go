package klog

import (
	"regexp"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// eventLine is an Event in logs before structured logging.
// Source: client-go v0.17: tools/record, StartLogging.
var eventLine = regexp.MustCompile(`^Event\(v1\.ObjectReference\{Kind:"(?P<kind>[^"]*)", Namespace:"(?P<ns>[^"]*)", Name:"(?P<name>[^"]*)".*?\}\): type: '\w*' reason: '(?P<reason>\w+)' (?P<message>.*)`)

// cloudNodes deletes nodes without a machine, in kube-controller-manager or beside it.
const cloudNodes = "cloud-node-lifecycle-controller"

// events are the Events about nodes, by kind of object, reason, and words of the message.
// Source: kubernetes v1.17 to v1.36: pkg/controller/nodelifecycle, monitorNodeHealth (NodeNotReady is recorded when the
// controller's own write was done); pkg/controller/util/node, MarkPodsNotReady; pkg/controller/tainteviction;
// client-go: tools/leaderelection; cloud-provider: controllers/nodelifecycle.
var events = []struct {
	kind, reason, message string
	what                  history.Saying
	by                    string
}{
	{"Node", "NodeNotReady", " status is now: NodeNotReady", history.SaidDeclared, controllerManager},
	{"Node", "RemovingNode", " from Controller", history.SaidNodeRemoved, controllerManager},
	{"Node", "DeletingNode", "", history.SaidDeletingNode, cloudNodes},
	{"Pod", "NodeNotReady", "Node is not ready", history.SaidPodNotReady, controllerManager},
	{"Pod", "TaintManagerEviction", "Marking for deletion Pod ", history.SaidDeletingPod, controllerManager},
	{"Pod", "TaintManagerEviction", "Cancelling deletion of Pod ", history.SaidDeletionCancelled, controllerManager},
	{"", "LeaderElection", " became leader", history.SaidLeads, controllerManager},
	{"", "LeaderElection", " stopped leading", history.SaidLeadsNoMore, controllerManager},
}

func (l *line) event() (s history.Statement, known bool) {
	kind, reason, message, object := l.attr("kind"), l.attr("reason"), l.attr("message"), strings.TrimPrefix(l.attr("object"), "/")
	if l.message != "Event occurred" {
		found := eventLine.FindStringSubmatch(l.message)
		if found == nil {
			return s, false
		}
		kind, reason, message, object = found[1], found[4], found[5], strings.TrimPrefix(found[2]+"/"+found[3], "/")
	}
	for _, e := range events {
		if e.reason != reason || e.kind != "" && e.kind != kind || !strings.Contains(message, e.message) {
			continue
		}
		s = history.Statement{What: e.what, Times: 1, By: e.by, Process: l.process, Text: cut("Event " + reason + ": " + message)}
		switch {
		case kind == "Node" && object != "" && !strings.Contains(object, "/"):
			s.Node = object
		case kind == "Pod" && podKey(object).Namespace != "":
			s.Pod = podKey(object)
		case e.kind == "" && strings.HasSuffix(object, "/"+controllerManager):
		default:
			return history.Statement{}, false
		}
		return s, true
	}
	return s, kind == "Node" && reason == model.ReasonRegisteredNode
}

// Such a report about one subject is a line, an Event, or both.
type told struct {
	act           history.Saying
	node, podName string // old lines leave out the namespace of a pod
}

// sameAct is how long after a line its Event comes at most: a line in between is a retry.
const sameAct = 10 * time.Second

// repeatsLine reports whether an Event repeats an earlier line of the same log.
func (r *Reader) repeatsLine(l *line, s *history.Statement) bool {
	t := told{s.What, s.Node, s.Pod.Name}
	if s.What == history.SaidLost {
		t.act = history.SaidDeclared
	}
	if l.file == eventFile {
		at, ok := r.told[t]
		return ok && s.At.Sub(at).Abs() <= sameAct
	}
	if s.At.Sub(r.lastTold).Abs() > sameAct {
		clear(r.told)
	}
	r.told[t], r.lastTold = s.At, s.At
	return false
}

func (l *line) ofKubelet() bool {
	return l.unit == kubelet || strings.HasPrefix(l.file, kubelet) || l.file == "setters.go"
}

// sayWhoSpeaks gives kubelets the Events about their own nodes, which have the controller's words.
func (r *Reader) sayWhoSpeaks() {
	for i := range r.log.Statements {
		if s := &r.log.Statements[i]; s.What == history.SaidDeclared && r.kubelets[s.Process] {
			s.What, s.By = history.SaidNotReady, kubelet
		}
	}
}
