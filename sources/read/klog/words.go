package klog

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// sayings are the messages of the controllers and kubelets, with the places of names. Each has the start of the message
// in structured logging (since 1.23 or later), and in the text logging before.
// Source: kubernetes v1.36.3: pkg/controller/nodelifecycle, pkg/controller/tainteviction, pkg/controller/util/node,
// pkg/kubelet, component-helpers/apimachinery/lease; v1.18 for the older ones.
var sayings = []struct {
	files   string // that log it, separated by spaces
	message string
	older   *regexp.Regexp
	what    history.Saying
}{
	{nodeLifecycle, "Node hasn't been updated", older(`(?i)^node (?P<node>\S+) hasn't been updated for (?P<duration>[^ ]+)\. Last (?P<nodeConditionType>\S+) (?:condition )?is: `), history.SaidLost},
	{nodeLifecycle, "Condition of node was never updated by kubelet", older(`^Condition (?P<nodeConditionType>\S+) of node (?P<node>\S+) was never updated by kubelet`), history.SaidLost},
	{nodeLifecycle, "Node is unresponsive. Adding it to the Taint queue", older(`^Node (?P<node>\S+) is unresponsive as of .+\. Adding it to the Taint queue`), history.SaidQueued},
	{nodeLifecycle, "Node is NotReady. Adding it to the Taint queue", older(`^Node (?P<node>\S+) is NotReady as of .+\. Adding it to the Taint queue`), history.SaidQueued},
	{nodeLifecycle, "Node is healthy again, removed all taints", older(`^Node (?P<node>\S+) is healthy again, remov(?:ing|ed) all taints`), history.SaidUntainted},
	{nodeLifecycle, "Node no longer present in nodeLister", older(`^Node (?P<node>\S+) no longer present in nodeLister`), history.SaidNodeGone},
	{nodeLifecycle, "Controller detected that zone is now in new state", older(`^Controller detected that zone (?P<zone>.*) is now in state (?P<newState>\S+?)\.?$`), history.SaidZoneState},
	{nodeLifecycle, "Controller detected that all Nodes are not-Ready. Entering master disruption mode", nil, history.SaidEnterMasterDisruption},
	{nodeLifecycle, "Controller detected that some Nodes are Ready. Exiting master disruption mode", nil, history.SaidExitMasterDisruption},
	{nodeLifecycle, "Starting node controller", nil, history.SaidStart},
	{nodeLifecycle, "Missing timestamp for Node. Assuming now as a timestamp", older(`^Missing timestamp for Node (?P<node>\S+)\. Assuming now as a timestamp`), history.SaidPass},
	{utils, "Update ready status of pods on node", older(`^Update ready status of pods on node \[?(?P<node>[^\s\]]+)`), history.SaidPodsNotReady},
	{utils, "Updating ready status of pod to false", older(`^Updating ready status of pod (?P<pod>\S+) to false`), history.SaidPodNotReady},
	{taintEviction, "Deleting pod", older(`^NoExecuteTaintManager is deleting Pod: (?P<pod>\S+)`), history.SaidDeletingPod},
	{taintEviction, "NoExecuteTaintManager is deleting pod", nil, history.SaidDeletingPod},
	{"flags.go", "FLAG: --", nil, history.SaidFlag},
	{nodeLifecycle, "Controller observed a Node deletion", older(`^(?:Node)?Controller observed a Node deletion: (?P<node>\S+)`), history.SaidNodeRemoved},
	{nodeLifecycle, "deleting node since it is no longer present in cloud provider", older(`^deleting node since it is no longer present in cloud provider: (?P<node>\S+)`), history.SaidDeletingNode},
	{electionFile, "Successfully acquired lease", older(`^(?i)successfully acquired lease `), history.SaidLeads},
	{electionFile, "Failed to renew lease", older(`^failed to renew lease `), history.SaidLeaderLeaseFailed},
	{electionFile, "Failed to update lease optimistically", older(`^Failed to update lock optimi\w+: `), history.SaidLeaderLeaseFailed},
	{electionFile, "Failed to update lock", nil, history.SaidLockFailed},
	{electionFile, "Failed to update lease", nil, history.SaidLockFailed},
	{electionFile, "Error retrieving lease lock", older(`^error retrieving resource lock `), history.SaidLockFailed},
	{"controllermanager.go", "leaderelection lost", nil, history.SaidLeadsNoMore},
	{"controller.go", "Failed to update lease", older(`^failed to update (?:node )?lease, error: (?P<err>.*)`), history.SaidLeaseFailed},
	{"controller.go", "failed to update lease using latest lease, fallback to ensure lease", older(`^failed to update lease using latest lease, fallback to ensure lease, err: (?P<err>.*)`), history.SaidLeaseFailed},
	{"controller.go", "Failed to ensure lease exists, will retry", older(`^failed to ensure (?:node )?lease exists, will retry in .*, error: (?P<err>.*)`), history.SaidLeaseFailed},
	{"controller.go", "Will retry updating lease", nil, history.SaidLeaseFailed},
	{"kubelet_node_status.go", "Error updating node status, will retry", older(`^Error updating node status, will retry: (?P<err>.*)`), history.SaidStatusFailed},
	{"kubelet_node_status.go", "Unable to update node status", older(`^Unable to update node status: (?P<err>.*)`), history.SaidStatusFailed},
	{"kubelet.go", "Skipping pod synchronization", older(`^skipping pod synchronization - (?P<err>.*)`), history.SaidNotReady},
	{"setters.go", "Node became not ready", older(`^Node became not ready: (?P<condition>.*)`), history.SaidNotReady},
	{"server.go", "Kubelet version", older(`^Kubelet version: `), history.SaidKubeletStart},
	{"nodeshutdown_manager_linux.go", "Shutdown manager detected new shutdown event", nil, history.SaidShutdown},
}

// The files of the two controllers, and of both.
const (
	nodeLifecycle = "node_lifecycle_controller.go"
	taintEviction = "taint_eviction.go taint_manager.go taint_controller.go"
	utils         = "controller_utils.go"
	controllers   = nodeLifecycle + " " + taintEviction + " " + utils
	electionFile  = "leaderelection.go"
	eventFile     = "event.go"
)

// needless are the two controllers' other messages: they repeat another line, or are about internals.
var needless = []string{
	"Recording status change event message for node", "Recording status change ",
	"Recording event message for node", "Recording ",
	"Initializing eviction metric for zone",
	"Sending events to api server", "Sending events to API server",
	"Controller will reconcile labels", "Controller is using taint based evictions",
	"Running TaintEvictionController as part of NodeLifecyleController",
	"Starting", "Shutting down", "Starting deletion of pod",
	"Controller observed a new Node",
	"Creating timestamp entry for newly observed Node",
	"ReadyCondition for Node transitioned", "Node ReadyCondition updated. Updating timestamp",
	"Node was in a taint queue, but it's ready now", "Setting initial state for unseen zone",
	"Not all taints are tolerated", "Current tolerations for pod tolerate forever", "All taints were removed from the node",
	"Noticed ", "Updating known taints on node", "Added taint to node", "Made sure that node has no taint", "Updated labels to node",
}

// needlessOlder is the same before structured logging, with names in the middle.
var needlessOlder = older(`^(?i)(?:node \S+ (?:was in a taint queue, but it's ready now|readycondition updated)|readycondition for node \S+ transitioned|add(?:ed|ing) .* taint to node|made sure that node \S+ has no |updated labels .* to node|(?:waiting for )?caches (?:are synced|to sync) for )`)

func older(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// says reads the Statement of a line. ours: it is from these components. known: its message is recognised.
func (l *line) says() (s history.Statement, ours, known bool) {
	if l.file == eventFile {
		s, known = l.event()
		return s, false, known
	}
	ours = contains(controllers, l.file)
	for i := range sayings {
		w := &sayings[i]
		if !contains(w.files, l.file) {
			continue
		}
		get, found := l.attr, strings.HasPrefix(l.message, w.message)
		if w.older != nil && l.attrs == "" {
			if words := w.older.FindStringSubmatch(l.message); words != nil {
				found, get = true, func(key string) string {
					if at := w.older.SubexpIndex(key); at >= 0 {
						return words[at]
					}
					return ""
				}
			}
		}
		if !found {
			continue
		}
		if s, known = l.statement(w.what, get); !known {
			return history.Statement{}, ours, ours // of another component, or a line that repeats another
		}
		return s, true, true
	}
	if !ours {
		return s, false, false
	}
	for _, m := range needless {
		if len(l.message) >= len(m) && strings.EqualFold(l.message[:len(m)], m) {
			return s, true, true
		}
	}
	if needlessOlder.MatchString(l.message) {
		return s, true, true
	}
	if l.severity == 'E' || l.severity == 'W' || l.severity == 'F' || strings.HasPrefix(l.message, "Failed") || strings.HasPrefix(l.message, "Unable") {
		s, _ = l.statement(history.SaidFailed, l.attr)
		return s, true, true
	}
	return s, true, false
}

func contains(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// The components that write Statements.
const (
	controllerManager = "kube-controller-manager"
	kubelet           = "kubelet"
)

// statement reads the subject of a saying. ok is false for a line without its own news: about conditions other than
// Ready, since one line is enough, or about another component's lease.
func (l *line) statement(what history.Saying, get func(key string) string) (s history.Statement, ok bool) {
	s = history.Statement{What: what, Times: 1, By: controllerManager, Process: l.process, Node: strings.Trim(get("node"), `[]"'`), Text: l.text()}
	switch what {
	case history.SaidLost:
		if get("nodeConditionType") != "Ready" && !strings.EqualFold(get("nodeConditionType"), "ready") {
			return s, false
		}
		s.Silence, _ = time.ParseDuration(get("duration"))
		if status := conditionStatus(get("currentCondition") + l.message); status == model.StatusUnknown {
			s.What = history.SaidSilent
		}
	case history.SaidZoneState:
		if s.State = zoneState(get("newState")); s.State == model.ZoneNone {
			return s, false
		}
		s.Zone = model.Some(zoneOf(get("zone")))
	case history.SaidFlag: // every component lists its own
		name, value, _ := strings.Cut(strings.TrimPrefix(l.message, "FLAG: --"), "=")
		if model.FlagNamed(name) == nil {
			return s, false
		}
		s.Text = "--" + name + "=" + strings.Trim(value, `"`)
	case history.SaidDeletingPod, history.SaidPodNotReady:
		s.Pod = podKey(get("pod"))
	case history.SaidFailed:
		s.Pod = podKey(get("pod"))
	case history.SaidLeads:
		if ours, _ := l.lock(); !ours {
			return s, false
		}
	case history.SaidLeaderLeaseFailed, history.SaidLockFailed:
		if _, others := l.lock(); others {
			return s, false
		}
	case history.SaidDeletingNode:
		s.By = cloudNodes
	case history.SaidLeaseFailed:
		s.By = kubelet
		if s.Node = cmp.Or(s.Node, leaseOf(get("err"))); s.Node == "" && l.unit != kubelet {
			return s, false // every API server renews a lease too
		}
	case history.SaidStatusFailed, history.SaidNotReady, history.SaidKubeletStart, history.SaidShutdown:
		s.By = kubelet
		s.Node = cmp.Or(s.Node, nodeOf(get("err")))
	}
	if s.By == kubelet && s.Node == "" {
		s.Node = l.host
	}
	return s, true
}

const maxText = 400

func (l *line) text() string {
	text := l.message
	if l.attrs != "" {
		text += " " + l.attrs
	}
	return cut(text)
}

func cut(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "") + "…"
	}
	return text
}

// conditionStatus is the status in a condition as Go prints it: {Type:Ready,Status:True,….
func conditionStatus(printed string) model.Status {
	_, rest, _ := strings.Cut(printed, "Status:")
	word, _, _ := strings.Cut(rest, ",")
	switch word {
	case "True":
		return model.StatusTrue
	case "False":
		return model.StatusFalse
	case "Unknown":
		return model.StatusUnknown
	}
	return model.StatusAbsent
}

func zoneState(word string) model.DisruptionState {
	for _, s := range [...]model.DisruptionState{model.ZoneInitial, model.ZoneNormal, model.ZonePartial, model.ZoneFull} {
		if s.String() == word {
			return s
		}
	}
	return model.ZoneNone
}

// zoneOf reads the controller's own key of a zone. Older logs print its NUL as it is, or not at all.
func zoneOf(key string) model.ZoneKey {
	for _, between := range [...]string{":\x00:", `:\x00:`, "::"} {
		if region, zone, ok := strings.Cut(key, between); ok {
			return model.ZoneKey{Region: region, Zone: zone}
		}
	}
	return model.ZoneKey{Zone: key}
}

// podKey reads namespace/name, as klog.KObj, types.NamespacedName and their JSON write it.
func podKey(text string) model.Key {
	ns, name, ok := strings.Cut(text, "/")
	if !ok {
		return model.Key{Name: text}
	}
	return model.Key{Namespace: ns, Name: name}
}

var (
	inLease = regexp.MustCompile(`/namespaces/kube-node-lease/leases/([a-z0-9.-]+)|leases(?:\.coordination\.k8s\.io)? "([a-z0-9.-]+)"`)
	inNode  = regexp.MustCompile(`/api/v1/nodes/([a-z0-9.-]+)|nodes? "([a-z0-9.-]+)"`)
)

// leaseOf and nodeOf are the node in the words of an error.
func leaseOf(err string) string { return firstMatch(inLease, err) }
func nodeOf(err string) string  { return firstMatch(inNode, err) }

func firstMatch(of *regexp.Regexp, text string) string {
	found := of.FindStringSubmatch(text)
	for _, name := range found[min(1, len(found)):] {
		if name != "" {
			return name
		}
	}
	return ""
}
