package klog

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// stated are the statements of a log without its passes, as TIME WHAT SUBJECT TIMES.
func stated(t *testing.T, document string, known Calendar) (list []string, log *Log) {
	t.Helper()
	log, err := readBy(t, []byte(document), known)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range log.Statements {
		if s.What != history.SaidPass {
			list = append(list, fmt.Sprint(s.At.Time().Format("2006-01-02T15:04:05"), " ", s.What, " ", s.Subject(), " ", s.Times))
		}
	}
	return list, log
}

// TestCases: what logs as people paste them state.
func TestCases(t *testing.T) {
	for name, want := range map[string][]string{
		"year-in-text":        {"2021-03-11T09:20:10 EnterMasterDisruption cluster 1", "2021-03-11T09:20:15 Queued alpha-1 1"},
		"zone-in-text":        {"2021-03-11T09:20:10 EnterMasterDisruption cluster 1", "2021-03-11T09:20:15 Queued alpha-1 1"},
		"only-queued":         {"2021-03-11T09:20:10 Waiting alpha-1 2"},
		"events":              {"2020-03-11T09:20:10 Declared alpha-1 1", "2020-03-11T09:20:10 PodNotReady shop/cart-0 1", "2020-03-11T09:25:15 DeletingPod shop/cart-0 1"},
		"leader-cannot-renew": {"2020-03-11T09:20:10 LeaderLeaseFailed cluster 2"},
	} {
		document, err := os.ReadFile("testdata/" + name + ".log")
		if err != nil {
			t.Fatal(err)
		}
		got, _ := stated(t, string(document), Calendar{Year: 2020}) // the year of the log itself wins
		if !slices.Equal(got, want) {
			t.Errorf("%s:\n got %q\nwant %q", name, got, want)
		}
	}
}

// TestTheClockInText: each form of a timestamp of now, in lines that name no year themselves.
func TestTheClockInText(t *testing.T) {
	want := time.Date(2021, 12, 31, 23, 20, 15, 0, time.UTC)
	for zone, location := range map[string]*time.Location{
		"+0000 UTC": time.UTC, "+0800 CST": time.FixedZone("", 8*3600), "-0500 EST": time.FixedZone("", -5*3600), "+0545 +0545": time.FixedZone("", 5*3600+45*60), "-0330 NDT": time.FixedZone("", -3*3600-1800),
	} {
		at := want.In(location)
		head := "I" + at.Format("0102 15:04:05") + ".100000       1 "
		now, then := at.Format("2006-01-02 15:04:05.099987654")+" "+zone+" m=+512.1", at.Add(-43*time.Second).Format("2006-01-02 15:04:05")+" "+zone
		for what, line := range map[string]string{
			"unresponsive": head + "node_lifecycle_controller.go:885] Node [ip-10-0-0-1.example] is unresponsive as of " + now + ". Adding it to the Taint queue.",
			"not ready":    head + "node_lifecycle_controller.go:860] Node b.example is NotReady as of " + now + ". Adding it to the Taint queue.",
			"structured":   head + `node_lifecycle_controller.go:787] "Node is NotReady. Adding it to the Taint queue" node="a" timeStamp="` + now + `"`,
			"no taints":    head + "node_lifecycle_controller.go:800] Node is NotReady. Adding Pods on Node a to eviction queue: " + now + " is later than " + then + " + 5m0s",
			"taint":        head + "controller_utils.go:200] Added [&Taint{Key:node.kubernetes.io/unreachable,Value:,Effect:NoSchedule,TimeAdded:" + now + ",}] Taint to Node a",
			"heartbeat":    head + "node_lifecycle_controller.go:1092] node a hasn't been updated for 43.2s. Last Ready is: &NodeCondition{Type:Ready,Status:True,LastHeartbeatTime:" + then + ",LastTransitionTime:2020-01-01 00:00:00 " + zone + ",}",
			"condition":    head + `node_lifecycle_controller.go:1092] "Node hasn't been updated" node="a" duration="43.2s" nodeConditionType="Ready" currentCondition="&NodeCondition{Type:Ready,Status:True,LastHeartbeatTime:` + then + `,}"`,
			"kubelet":      head + "setters.go:73] Node became not ready: {Type:Ready Status:False LastHeartbeatTime:" + now + " LastTransitionTime:" + now + " Reason:KubeletNotReady Message:x}",
			"kubelet JSON": head + `setters.go:580] "Node became not ready" node="a" condition={"type":"Ready","status":"False","lastHeartbeatTime":"` + want.Format(time.RFC3339) + `","reason":"KubeletNotReady"}`,
		} {
			log, err := readBy(t, []byte(line+"\n"+head+"node_lifecycle_controller.go:898] Node z is healthy again, removing all taints\n"), Calendar{})
			if err != nil {
				t.Errorf("%s, %s: %v", what, zone, err)
				continue
			}
			if at := log.Statements[0].At; at != model.At(want.Add(100*time.Millisecond)) || log.Assumed != "" || log.ZoneAssumed {
				t.Errorf("%s, %s: %s, assumed %q, want %s", what, zone, at, log.Assumed, want)
			}
		}
	}
	for _, line := range []string{ // of other times than now, or of none
		"I0311 09:20:15.100000       1 node_lifecycle_controller.go:885] Node a is unresponsive as of 2021-03-10 11:07:00 +0000 UTC. Adding it to the Taint queue.",
		"I0311 09:20:15.100000       1 certificate_manager.go:356] Certificate rotation deadline is 2021-12-01 01:00:00 +0000 UTC",
		"I0311 09:20:15.100000       1 node_lifecycle_controller.go:1092] node a hasn't been updated for 43.2s. Last Ready is: &NodeCondition{Type:Ready,Status:True,LastHeartbeatTime:0001-01-01 00:00:00 +0000 UTC,}",
	} {
		if _, err := readBy(t, []byte(line+"\n"+"I0311 09:20:16.100000       1 node_lifecycle_controller.go:898] Node z is healthy again, removing all taints\n"), Calendar{}); !errors.Is(err, ErrYear) {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestTheZoneAsGiven: the time zone that a person gives is used if no line shows it, with its summer time; a log's own
// lines win, which is reported.
func TestTheZoneAsGiven(t *testing.T) {
	const summer, winter = "I0711 09:20:16.000000       1 node_lifecycle_controller.go:898] Node z is healthy again, removing all taints\n",
		"I1211 09:20:16.000000       1 node_lifecycle_controller.go:898] Node z is healthy again, removing all taints\n"
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	got, log := stated(t, summer+winter, Calendar{Year: 2023, Zone: berlin})
	if want := []string{"2023-07-11T07:20:16 Untainted z 1", "2023-12-11T08:20:16 Untainted z 1"}; !slices.Equal(got, want) || log.Assumed != "" {
		t.Errorf("%q, assumed %q", got, log.Assumed)
	}
	_, log = stated(t, "2023-07-11T09:20:16.000000Z stderr F "+summer, Calendar{Zone: berlin})
	if !strings.Contains(log.Assumed, "+00:00") {
		t.Errorf("the log shows UTC, and Berlin was given: %q", log.Assumed)
	}
}

// TestEvents: Events in the log of the controller manager, in the words of releases from 1.17 on; once, where its lines
// say the same; and none of a kubelet's or of others.
func TestEvents(t *testing.T) {
	const (
		head = "I0311 09:20:10.200000       1 event.go:307] "
		line = "I0311 09:20:10.100000       1 "
	)
	event := func(object, kind, reason, message string) string {
		return head + fmt.Sprintf("\"Event occurred\" object=%q fieldPath=\"\" kind=%q apiVersion=\"v1\" type=\"Normal\" reason=%q message=%q\n", object, kind, reason, message)
	}
	older := func(ns, name, kind, reason, message string) string {
		return head + fmt.Sprintf("Event(v1.ObjectReference{Kind:%q, Namespace:%q, Name:%q, UID:\"0f1c\", APIVersion:\"v1\", ResourceVersion:\"77\", FieldPath:\"\"}): type: 'Warning' reason: '%s' %s\n", kind, ns, name, reason, message)
	}
	declared := event("ip-10-0-0-7.example", "Node", "NodeNotReady", "Node ip-10-0-0-7.example status is now: NodeNotReady")
	for what, c := range map[string]struct {
		text string
		want []string
	}{
		"declared":               {declared, []string{"Declared ip-10-0-0-7.example"}},
		"declared, older":        {older("", "b", "Node", "NodeNotReady", "Node b status is now: NodeNotReady"), []string{"Declared b"}},
		"with a logger":          {strings.Replace(declared, " object=", ` logger="node-lifecycle-controller" object=`, 1), []string{"Declared ip-10-0-0-7.example"}},
		"in JSON":                {`{"ts":1615454410100.2,"caller":"record/event.go:389","msg":"Event occurred","v":0,"object":{"name":"b"},"fieldPath":"","kind":"Node","apiVersion":"v1","type":"Normal","reason":"NodeNotReady","message":"Node b status is now: NodeNotReady"}` + "\n", []string{"Declared b"}},
		"a pod":                  {event("shop/cart-0", "Pod", "NodeNotReady", "Node is not ready"), []string{"PodNotReady shop/cart-0"}},
		"a pod is deleted":       {older("shop", "cart-0", "Pod", "TaintManagerEviction", "Marking for deletion Pod shop/cart-0"), []string{"DeletingPod shop/cart-0"}},
		"a pod is not":           {event("shop/cart-0", "Pod", "TaintManagerEviction", "Cancelling deletion of Pod shop/cart-0"), []string{"DeletionCancelled shop/cart-0"}},
		"no machine":             {event("b", "Node", "DeletingNode", "Deleting node b because it does not exist in the cloud provider"), []string{"DeletingNode b"}},
		"removed":                {event("b", "Node", "RemovingNode", "Node b event: Removing Node b from Controller"), []string{"NodeRemoved b"}},
		"removed, in a line":     {line + "node_lifecycle_controller.go:601] Controller observed a Node deletion: b\n" + event("b", "Node", "RemovingNode", "Node b event: Removing Node b from Controller"), []string{"NodeRemoved b"}},
		"a leader":               {event("kube-system/kube-controller-manager", "Lease", "LeaderElection", "a_1f became leader"), []string{"Leads cluster"}},
		"another's leader":       {event("kube-system/kube-scheduler", "Lease", "LeaderElection", "a_1f became leader"), nil},
		"registered":             {event("b", "Node", "RegisteredNode", "Node b event: Registered Node b in Controller"), nil},
		"of a workload":          {event("shop/cart", "StatefulSet", "SuccessfulCreate", "create Pod cart-0 in StatefulSet cart successful"), nil},
		"the line says it":       {line + "node_lifecycle_controller.go:1092] node b hasn't been updated for 50.03s. Last Ready is: &NodeCondition{Type:Ready,Status:True,}\n" + event("b", "Node", "NodeNotReady", "Node b status is now: NodeNotReady"), []string{"Lost b"}},
		"the deletion's line":    {line + "taint_manager.go:105] NoExecuteTaintManager is deleting Pod: shop/cart-0\n" + event("shop/cart-0", "Pod", "TaintManagerEviction", "Marking for deletion Pod shop/cart-0"), []string{"DeletingPod shop/cart-0"}},
		"a kubelet's":            {strings.ReplaceAll(line, " 1 ", " 901 ") + `kubelet_node_status.go:563] "Recording event message for node" node="b" event="NodeNotReady"` + "\n" + strings.Replace(event("b", "Node", "NodeNotReady", "Node b status is now: NodeNotReady"), " 1 ", " 901 ", 1), []string{"NotReady b"}},
		"caches, older":          {line + "controller_utils.go:1034] Caches are synced for taint controller\n" + line + "controller_utils.go:1027] Waiting for caches to sync for taint controller\n", nil},
		"taints, older":          {line + "controller_utils.go:212] Made sure that Node b has no [] Taint\n" + line + "controller_utils.go:200] Added [&Taint{Key:node.kubernetes.io/unreachable,Value:,Effect:NoSchedule,TimeAdded:2021-03-11 09:20:10.706724641 +0000 UTC m=+1255.02,}] Taint to Node b\n", nil},
		"was in the queue":       {line + "node_lifecycle_controller.go:697] Node b was in a taint queue, but it's ready now. Ignoring taint request.\n", nil},
		"a kubelet's, by itself": {"Mar 11 09:20:10 b kubelet[901]: " + event("b", "Node", "NodeNotReady", "Node b status is now: NodeNotReady"), []string{"NotReady b"}},
	} {
		list, log := stated(t, c.text, Calendar{Year: 2021})
		var got []string
		for _, s := range list {
			_, s, _ = strings.Cut(s, " ")
			got = append(got, strings.TrimSuffix(s, " 1"))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
		if log.Unread > 0 {
			t.Errorf("%s: not understood: %s", what, log.FirstUnread.Data)
		}
	}
}

// TestTheLeadersLease: that the leader could not renew its lease is a statement about a leading instance of the
// controller manager, in the words of each release.
func TestTheLeadersLease(t *testing.T) {
	const (
		at         = "E0311 09:20:10.100000       1 leaderelection.go:367] "
		acquired   = "I0311 09:20:00.100000       1 leaderelection.go:258] successfully acquired lease kube-system/kube-controller-manager\n"
		lost       = "I0311 09:20:15.100000       1 leaderelection.go:283] failed to renew lease kube-system/kube-controller-manager: timed out waiting for the condition\n"
		waiting    = "I0311 09:20:05.100000       1 leaderelection.go:248] attempting to acquire leader lease kube-system/kube-controller-manager...\n"
		unnamed    = at + "Failed to update lock: etcdserver: request timed out\n"
		retrieving = at + "error retrieving resource lock kube-system/kube-controller-manager: Get \"https://192.0.2.1:6443/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager?timeout=5s\": context deadline exceeded\n"
		optimistic = at + `"Failed to update lease optimistically, falling back to slow path" err="etcdserver: request timed out" lock="kube-system/kube-controller-manager"` + "\n"
		structured = at + `"Failed to update lock" err="the server was unable to return a response in the time allotted, but may still be processing the request (put leases.coordination.k8s.io kube-controller-manager)" lock="kube-system/kube-controller-manager"` + "\n"
		ends       = `E0311 09:20:15.200000       1 controllermanager.go:340] "leaderelection lost"` + "\n"
	)
	scheduler := func(line string) string {
		return strings.ReplaceAll(line, "kube-controller-manager", "kube-scheduler")
	}
	for what, c := range map[string]struct {
		text string
		want []string
	}{
		"it leads":                   {acquired + unnamed, []string{"Leads 1", "LeaderLeaseFailed 1"}},
		"it loses the lead":          {unnamed + lost + ends, []string{"LeaderLeaseFailed 2", "LeadsNoMore 1"}},
		"it ends":                    {retrieving + ends, []string{"LeaderLeaseFailed 1", "LeadsNoMore 1"}},
		"a renewal":                  {optimistic, []string{"LeaderLeaseFailed 1"}},
		"structured, it leads":       {acquired + structured, []string{"Leads 1", "LeaderLeaseFailed 1"}},
		"lost, structured":           {at + `"Failed to renew lease" lock="kube-system/kube-controller-manager" err="context deadline exceeded"` + "\n", []string{"LeaderLeaseFailed 1"}},
		"it waits":                   {waiting + retrieving, []string{"LockFailed 1"}},
		"it waits, and then leads":   {waiting + retrieving + strings.Replace(acquired, ":20:00", ":20:20", 1), []string{"LockFailed 1", "Leads 1"}},
		"nothing shows who leads":    {retrieving, []string{"LockFailed 1"}},
		"nothing shows whose it is":  {unnamed, nil},
		"the scheduler's":            {scheduler(acquired) + unnamed + scheduler(lost), nil},
		"the scheduler's, by itself": {scheduler(retrieving) + scheduler(structured) + scheduler(lost), nil},
		"another's of like name":     {strings.ReplaceAll(retrieving, "kube-system/kube-controller-manager", "openshift-kube-controller-manager/cluster-policy-controller-lock"), []string{"LockFailed 1"}},
		"both in one":                {scheduler(acquired) + acquired + unnamed + lost, []string{"Leads 1", "LeaderLeaseFailed 1"}},
		"its controllers show it":    {unnamed + "I0311 09:20:15.100000       1 node_lifecycle_controller.go:898] Node z is healthy again, removing all taints\n", []string{"LeaderLeaseFailed 1", "Untainted 1"}},
	} {
		list, log := stated(t, c.text, Calendar{Year: 2021})
		var got []string
		for _, s := range list {
			f := strings.Fields(s)
			got = append(got, f[1]+" "+f[3])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", what, got, c.want)
		}
		if n := strings.Count(c.text, "\n"); log.Used+log.Needless+log.Unread+log.Other != n {
			t.Errorf("%s: %d lines used, %d needless, %d unread, %d of others, of %d", what, log.Used, log.Needless, log.Unread, log.Other, n)
		}
	}
}

// TestAnswersOfLogStores: what Loki and OTLP's JSON hold is read like the log itself, Loki's also with the newest first.
func TestAnswersOfLogStores(t *testing.T) {
	document := incident(t, "zone-outage")
	want, lines := plain(said(t, document)), linesOf(t, document)
	quoted := func(text any) string {
		out, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	var values, records []string
	for _, l := range lines {
		at := strconv.FormatInt(l.At.UnixNano(), 10)
		values = append(values, quoted([]any{at, l.Text}))
		records = append(records, `{"timeUnixNano":"`+at+`","severityText":"INFO","body":{"stringValue":`+quoted(l.Text)+`}}`)
	}
	loki := func() string {
		return `{"status":"success","data":{"resultType":"streams","result":[{"stream":{"pod":"kcm"},"values":[` + strings.Join(values, ",") + `]}],"stats":{}}}`
	}
	answers := map[string]string{"Loki": loki(),
		"OTLP": `{"resourceLogs":[{"resource":{"attributes":[{"key":"k","value":{"stringValue":"v"}}]},"scopeLogs":[{"scope":{},"logRecords":[` + strings.Join(records, ",") + `]}]}]}`}
	slices.Reverse(values)
	answers["Loki, newest first"] = loki()
	for name, text := range answers {
		if !Sniff([]byte(text[:4096])) {
			t.Errorf("%s is not recognised", name)
		}
		if got := plain(said(t, []byte(text))); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %d statements, want %d", name, len(got), len(want))
		}
	}
}
