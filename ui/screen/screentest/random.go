package screentest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/model/simulate/forecast"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
)

// hostile are names and messages that must do no harm.
var hostile = []string{
	"", "node-1", "node-10", "ip-10-0-0-1.eu-west-1.compute.internal", "ip-10-0-0-2.eu-west-1.compute.internal",
	"\x1b[31mred\x1b[2J", "a\x00b", "\u202egnirts", "zero\u200bwidth", "日本語のノード名です", "e\u0301\u0301\u0301\u0301\u0301\u0301",
	"\xff\xfe\xfd", "line\nbreak\ttab\rreturn", "🇩🇪🏳️\u200d🌈👩\u200d👩\u200d👧", "C1\u009b31m", "very-long-" + string(make([]byte, 300)),
	"한글ㄱㄴ\u1100\u1161", "\u0600arabic ar", "%d %s %!v", "\x1b]8;;http://x\x07link\x1b]8;;\x07", "-", ":", "eu-west-1a", "eu-west-1b",
}

// Text draws ordinary and hostile text.
func Text(t *rapid.T, label string) string {
	if rapid.Bool().Draw(t, label+" hostile") {
		return rapid.SampledFrom(hostile).Draw(t, label)
	}
	return rapid.StringMatching(`[a-z][a-z0-9.-]{0,40}`).Draw(t, label)
}

func instant(t *rapid.T, label string) model.Instant {
	switch rapid.IntRange(0, 19).Draw(t, label+" kind") {
	case 0:
		return 0
	case 1:
		return model.FarPast
	case 2:
		return model.FarFuture
	}
	return Now.Add(-time.Duration(rapid.Int64Range(-int64(time.Minute), int64(200*24*time.Hour)).Draw(t, label)))
}

// recent is an instant within the last minutes, where heartbeats usually are.
func recent(t *rapid.T, label string) model.Instant {
	if rapid.IntRange(0, 9).Draw(t, label+" odd") == 0 {
		return instant(t, label)
	}
	return Now.Add(-time.Duration(rapid.Int64Range(0, int64(3*time.Minute)).Draw(t, label)))
}

// Random draws a Snapshot of any content.
func Random(t *rapid.T) *screen.Snapshot {
	c := model.NewCluster()
	n := rapid.IntRange(0, 60).Draw(t, "nodes")
	zones := []model.ZoneKey{{}, {Region: "eu", Zone: "1a"}, {Region: "us", Zone: "1a"}, {Zone: "b"}, {Region: "r"}}
	for i := range rapid.IntRange(0, 30).Draw(t, "zones") {
		zones = append(zones, model.ZoneKey{Region: Text(t, "region"), Zone: fmt.Sprint(Text(t, "zone"), i)})
	}
	for i := range n {
		name := Text(t, "name")
		if rapid.Bool().Draw(t, "numbered") {
			name = fmt.Sprint(name, i)
		}
		if rapid.IntRange(0, 9).Draw(t, "has node") > 0 {
			c.Fold(&model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, Time: model.Exactly(Now), Node: randomNode(t, zones)})
		}
		if rapid.IntRange(0, 9).Draw(t, "has lease") > 0 {
			lease := model.Lease{Renewed: recent(t, "renewed"), Holder: Text(t, "holder"), Seconds: rapid.Int32Range(-1, 60).Draw(t, "seconds")}
			c.Fold(&model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(Now), Arrival: recent(t, "heard"), Lease: lease})
		}
		randomPods(t, c, name)
		randomVolume(t, c, name)
		randomActor(t, c, name)
	}
	if rapid.Bool().Draw(t, "leaders") {
		key := model.Key{Namespace: "kube-system", Name: rapid.SampledFrom([]string{model.ControllerManager, model.Scheduler, Text(t, "leader")}).Draw(t, "whose")}
		c.Fold(&model.Change{Kind: model.KindLeaderLease, Op: model.OpModify, Key: key, Time: model.Exactly(Now), Arrival: recent(t, "leader heard"),
			Lease: model.Lease{Holder: Text(t, "leader holder"), Renewed: recent(t, "leader renewed"), Acquired: instant(t, "acquired"), Seconds: rapid.Int32Range(-1, 60).Draw(t, "leader seconds")}})
	}
	s := &screen.Snapshot{
		Revision: 1, Cluster: c, At: recent(t, "at"), Params: model.Defaults(model.Version{}), Loading: 1,
		Mode: rapid.SampledFrom([]screen.Mode{screen.Live, screen.LivePaused, screen.Playing, screen.Paused, screen.Ended, screen.LiveReplay}).Draw(t, "mode"),
		Name: Text(t, "recording"), Coverage: model.Interval{Earliest: instant(t, "from"), Latest: Now},
	}
	if rapid.Bool().Draw(t, "kinds stated") {
		s.Kinds = map[model.Kind]bool{model.KindNode: rapid.Bool().Draw(t, "node"), model.KindPod: rapid.Bool().Draw(t, "pod")}
	}
	if rapid.Bool().Draw(t, "blind") {
		s.Blind = true
		s.Gaps = []history.Gap{{Interval: model.Interval{Earliest: instant(t, "gap"), Latest: Now}, Why: Text(t, "why")}}
	}
	if rapid.Bool().Draw(t, "watches") {
		for _, k := range model.AllKinds {
			s.Status = append(s.Status, stream.Status{Kind: k, State: stream.State(rapid.IntRange(0, int(stream.Expired)).Draw(t, "state")),
				Since: instant(t, "since"), Last: recent(t, "last"), Retry: instant(t, "retry"), Why: Text(t, "why")})
		}
	}
	randomJudgement(t, s)
	if rapid.Bool().Draw(t, "has track") {
		s.Track = func(name string, w model.Interval) *past.Track { return track(c.Node(name), w) }
	}
	return s
}

// randomJudgement adds the models' results: none, some, or all.
func randomJudgement(t *rapid.T, s *screen.Snapshot) {
	switch rapid.IntRange(0, 5).Draw(t, "judgement") {
	case 0, 1:
	case 2:
		s.Judged = &outlook.Judgement{Missing: outlook.Missing{Reason: outlook.ReadingRecording, Percent: rapid.IntRange(0, 100).Draw(t, "progress")}}
	case 3:
		s.Judged = &outlook.Judgement{Missing: outlook.Missing{Reason: outlook.Unreadable, Cause: Text(t, "cause")}}
	default:
		if !s.At.Bounded() {
			return
		}
		WithModels(s)
		if rapid.IntRange(0, 4).Draw(t, "no forecast") == 0 {
			s.Judged.Forecast = nil
		} else {
			randomEvictions(t, s.Judged.Forecast)
		}
		s.At = s.At.Add(time.Duration(rapid.Int64Range(0, int64(5*time.Second)).Draw(t, "later")))
	}
}

// randomEvictions bends windows and words to any possible forecast.
func randomEvictions(t *rapid.T, f *forecast.Forecast) {
	for i := range f.Evictions {
		if rapid.IntRange(0, 3).Draw(t, "bent") > 0 {
			continue
		}
		e := &f.Evictions[i]
		e.State = forecast.State(rapid.IntRange(0, int(forecast.Unseen)).Draw(t, "state"))
		e.Window = model.Interval{Earliest: instant(t, "from"), Latest: instant(t, "to")}
		e.Why = forecast.Why{Reason: forecast.ByRule, By: model.Reason{Code: model.WhyNotTolerated, Name: Text(t, "eviction")}}
	}
}

// randomDetails are of each kind one, of any text.
func randomDetails(t *rapid.T) model.NodeDetails {
	list := []model.Detail{{Name: model.DetailCordoned, Value: Text(t, "cordoner") + " 2026-11-20T12:00:00Z"}, {Name: model.DetailWriter + Text(t, "writer"), Value: "2026-11-20T12:00:00Z"}}
	for _, name := range []string{model.DetailOSImage, model.DetailKernel, model.DetailBootID, model.DetailFeatures, model.DetailPodCIDR, model.DetailOwner, model.DetailAddress + "InternalIP", model.DetailAddress + "Hostname",
		model.DetailCapacity + "cpu", model.DetailAllocatable + "cpu", model.DetailCapacity + "memory", model.DetailLabel + "rack"} {
		list = append(list, model.Detail{Name: name, Value: Text(t, "detail")})
	}
	return model.PackNode(append(list, model.Detail{Name: model.DetailLabel + Text(t, "label"), Value: Text(t, "value")})...)
}

func randomNode(t *rapid.T, zones []model.ZoneKey) *model.Node {
	n := &model.Node{
		Zone: rapid.SampledFrom(zones).Draw(t, "zone"), Unschedulable: rapid.IntRange(0, 5).Draw(t, "cordoned") == 0,
		Details: randomDetails(t),
		Created: instant(t, "created"), KubeletVersion: Text(t, "kubelet"), OS: Text(t, "os"),
	}
	if rapid.IntRange(0, 9).Draw(t, "deleted") == 0 {
		n.Deleted = instant(t, "deletion")
	}
	for _, kind := range []string{"Ready", "MemoryPressure", Text(t, "condition")} {
		if rapid.IntRange(0, 9).Draw(t, "has condition") > 0 {
			n.Conditions = append(n.Conditions, model.Condition{Type: kind, Status: model.Status(rapid.IntRange(1, 3).Draw(t, "status")),
				Reason: Text(t, "reason"), Message: Text(t, "message"), Transition: instant(t, "transition"), Heartbeat: instant(t, "heartbeat")})
		}
	}
	for range rapid.IntRange(0, 3).Draw(t, "taints") {
		n.Taints = append(n.Taints, model.Taint{Key: Text(t, "taint"), Value: Text(t, "value"),
			Effect: model.Effect(rapid.IntRange(1, 3).Draw(t, "effect")), Added: instant(t, "added")})
	}
	return n
}

func randomPods(t *rapid.T, c *model.Cluster, node string) {
	for i := range rapid.IntRange(0, 3).Draw(t, "pods") {
		key := model.Key{Namespace: Text(t, "namespace"), Name: fmt.Sprint(Text(t, "pod"), i)}
		p := &model.Pod{Key: key, Node: node, Phase: model.Phase(rapid.IntRange(0, 5).Draw(t, "phase")), GraceSeconds: 30, Tolerations: &patient}
		if rapid.Bool().Draw(t, "terminating") {
			p.Deletion = instant(t, "pod deletion")
		}
		if rapid.IntRange(0, 2).Draw(t, "claims") == 0 {
			p.Details = model.Details(model.PackDetails([]model.Detail{{Name: model.DetailClaim + Text(t, "claim"), Value: Text(t, "volume")}, {Name: model.DetailLabel + "app", Value: Text(t, "app")}}, nil))
			randomService(t, c, key)
		}
		if rapid.IntRange(0, 3).Draw(t, "ended") == 0 {
			p.Details = model.Details(model.PackDetails([]model.Detail{{Name: model.DetailEnded, Value: rapid.SampledFrom([]string{"Evicted resource memory", "OutOfcpu", "Terminated"}).Draw(t, "ending")},
				{Name: model.DetailPriority, Value: Text(t, "priority")}}, nil))
		}
		c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, Time: model.Exactly(Now), Pod: p})
		c.Fold(&model.Change{Kind: model.KindEvent, Op: model.OpAdd, Time: model.Exactly(Now), Event: &model.Event{
			Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: node}}, Reason: Text(t, "event"), Message: Text(t, "event message"), Last: instant(t, "event at")}})
	}
}

// putRelated puts a related object into the cluster.
func putRelated(t *rapid.T, c *model.Cluster, kind model.Kind, key model.Key, list ...model.Detail) {
	o := &model.Related{Details: model.Details(model.PackDetails(list, nil))}
	if rapid.IntRange(0, 3).Draw(t, "being deleted") == 0 {
		o.Deleted = instant(t, "deleted")
	}
	c.Fold(&model.Change{Kind: kind, Op: model.OpBaseline, Key: key, Time: model.Exactly(Now), Related: o})
}

// randomService puts a Service before a pod, and a budget over it.
func randomService(t *rapid.T, c *model.Cluster, pod model.Key) {
	if rapid.IntRange(0, 3).Draw(t, "served") > 0 {
		return
	}
	number := func(name string) model.Detail {
		return model.Detail{Name: name, Value: rapid.SampledFrom([]string{"", "0", "1", "2", "-1", "many"}).Draw(t, name)}
	}
	putRelated(t, c, model.KindEndpointSlice, model.Key{Namespace: pod.Namespace, Name: Text(t, "slice")},
		model.Detail{Name: model.DetailService, Value: Text(t, "service")}, model.Detail{Name: model.DetailEndpoint + pod.String(), Value: "true"})
	putRelated(t, c, model.KindPodDisruptionBudget, model.Key{Namespace: pod.Namespace, Name: Text(t, "budget")}, number(model.DetailHealthy), number(model.DetailDesired),
		model.Detail{Name: model.DetailSelector, Value: rapid.SampledFrom([]string{"", model.SelectsAll, "app=" + Text(t, "selected"), "app Exists", Text(t, "selector")}).Draw(t, "selects")})
}

// randomActor has another actor act on a node, or not.
func randomActor(t *rapid.T, c *model.Cluster, node string) {
	condition := model.Detail{Name: model.DetailCondition + Text(t, "condition"), Value: "True " + Text(t, "reason") + " " + Text(t, "since")}
	switch rapid.IntRange(0, 9).Draw(t, "actor") {
	case 0:
		putRelated(t, c, model.KindNodeClaim, model.Key{Name: Text(t, "claim")}, model.Detail{Name: model.DetailNode, Value: node}, condition)
	case 1:
		putRelated(t, c, model.KindNodeHealthCheck, model.Key{Name: Text(t, "check")}, model.Detail{Name: model.DetailUnhealthy + node, Value: Text(t, "began")},
			model.Detail{Name: model.DetailPhase, Value: Text(t, "phase")}, model.Detail{Name: model.DetailReason, Value: Text(t, "reason")}, condition)
	case 2:
		putRelated(t, c, model.KindAutoscalerStatus, model.Key{Namespace: model.SystemNamespace, Name: "cluster-autoscaler-status"},
			model.Detail{Name: model.DetailHealth, Value: Text(t, "health")}, model.Detail{Name: model.DetailRuns, Value: Text(t, "runs")}, model.Detail{Name: model.DetailProbed, Value: Text(t, "probed")})
	case 3:
		putRelated(t, c, model.KindServerLease, model.Key{Namespace: model.SystemNamespace, Name: model.ServerLeasePrefix + Text(t, "server")},
			model.Detail{Name: model.DetailHost, Value: Text(t, "host")}, model.Detail{Name: model.DetailHolder, Value: Text(t, "server holder")},
			model.Detail{Name: model.DetailRenewed, Value: model.DetailTime(instant(t, "server renewed"))})
	}
}

// randomVolume attaches a volume to a node, or not.
func randomVolume(t *rapid.T, c *model.Cluster, node string) {
	if rapid.IntRange(0, 3).Draw(t, "attached") > 0 {
		return
	}
	put := func(kind model.Kind, name string, list ...model.Detail) {
		putRelated(t, c, kind, model.Key{Name: name}, list...)
	}
	volume := Text(t, "volume")
	put(model.KindVolumeAttachment, Text(t, "attachment"), model.Detail{Name: model.DetailNode, Value: node}, model.Detail{Name: model.DetailVolume, Value: volume},
		model.Detail{Name: model.DetailDriver, Value: Text(t, "driver")}, model.Detail{Name: model.DetailError, Value: Text(t, "error")})
	if rapid.Bool().Draw(t, "volume read") {
		put(model.KindPersistentVolume, volume, model.Detail{Name: model.DetailClaimOf, Value: Text(t, "namespace") + "/" + Text(t, "claim")})
	}
}

// Large is a cluster of n nodes in ten zones, one in seven of them Unknown or late.
func Large(n int) *screen.Snapshot {
	b := &builder{c: model.NewCluster()}
	for i := range n {
		x := &node{name: fmt.Sprintf("ip-10-%d-%d-%d", i/4096, i/64%64, i%64), zone: fmt.Sprintf("eu-west-1%c", 'a'+rune(i%10)),
			age: time.Duration(i*7%10000) * time.Millisecond, status: model.StatusTrue, since: time.Hour, pods: 3}
		if i%7 == 3 {
			x.age = time.Duration(20+i%200) * time.Second
		}
		if i%7 == 3 && x.age > time.Minute {
			x.status, x.reason, x.since, x.tainted = model.StatusUnknown, "NodeStatusUnknown", x.age-50*time.Second, x.age-52*time.Second
		}
		b.nodes = append(b.nodes, x)
	}
	b.fold()
	return b.snapshot()
}
