package trust

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/flags"
	"kardia/model/infer/hypotheses"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func said(s *screen.Snapshot) string {
	return screentest.Plain(New().Render(s, screentest.Painters()["dark"], screen.Arrange(160, 120).Area()))
}

func has(t *testing.T, text string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(text, want) {
			t.Errorf("nothing says %q:\n%s", want, text)
		}
	}
}

func TestFrames(t *testing.T) {
	screentest.Goldens(t, "trust", screentest.Recorded(t, "demo:zone-outage", 150*time.Second), func() screen.View { return New() })
}

// A recording: its contents, the models' explanations of it, the sources of the flags.
func TestARecording(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	has(t, said(s), "a recording is read: no cluster receives a request", "node-monitor-grace-period", "the default of the version", "writes of the controllers seen by now", "no gap is known in the time covered")
	has(t, said(s), "proven by 18 of 28 nodes within 20s, last by", "kube-controller-manager to API server: ", "the input has no request that took it", "10 nodes are silent on the first way")
	kept := *s
	kept.Memory = screen.Memory{Seek: history.Kept{Bytes: 2_500_000, Most: 256 << 20}, Models: history.Kept{Most: 96 << 20}}
	has(t, said(&kept), "to seek  about 2.5 MB of at most 268 MB", "models   about 0 B of at most 101 MB")
	if strings.Contains(said(&kept), "that the recording holds") {
		t.Error("a store that there is not is told")
	}
	blind := *s
	blind.Kinds = map[model.Kind]bool{model.KindNode: true}
	has(t, said(&blind), "not in the recording: deleted pods", "silence cannot be judged")
}

// The leader comes first: the earlier ones, the times without one, and what restarted. Facts known only later are not
// shown.
func TestWhoLeads(t *testing.T) {
	s := screentest.Recorded(t, "scenario:failover", 400*time.Second)
	text := said(s)
	has(t, text, "control-plane-2 leads since 2026-03-14 12:05:20Z", "no leader", "from 2026-03-14 12:04:59Z, when it was last known to act, to 12:05:20Z, for 20s", "restarted", "3 countdowns restart")
	if strings.Index(text, "WHO LEADS") > strings.Index(text, "VIEW") {
		t.Errorf("who leads does not stand first:\n%s", text)
	}
	if text, _, _ := strings.Cut(said(screentest.Recorded(t, "scenario:failover", 310*time.Second)), "VIEW"); strings.Contains(text, "nobody le") {
		t.Errorf("by then nobody could know:\n%s", text)
	}
}

// One observation is one.
func TestAFlagThatIsSeenOnce(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	j := *s.Judged
	r := *j.Result
	r.Fits = map[string]flags.Fit{"node-monitor-grace-period": {Min: 44, Max: 50, Unit: "s", Evidence: 1}}
	j.Result, s.Judged = &r, &j
	has(t, said(&s), "(1 observation)")
}

// A cluster: the missing permissions, and their cost; Kardia's requests to it.
func TestACluster(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Mode = screen.Live
	for _, kind := range model.Kinds {
		s.Status = append(s.Status, stream.Status{Kind: kind, State: stream.Live, Last: s.At.Add(-2 * time.Second), Requests: 2, Bytes: 1_500_000})
	}
	s.Status[2] = stream.Status{Kind: model.KindPod, State: stream.Forbidden, Why: "pods is forbidden: User \"\x1b[31mbob\" cannot list"}
	has(t, said(&s), "Kardia to API server: showing the state of 23:54:27Z")
	s.Contact = stream.Contact{Requests: 3, Bytes: 400}
	text := said(&s)
	has(t, text, "2 requests, 1.5 MB", "11 requests, 6.0 MB of answers once unpacked", "kB a second on average")
	has(t, text, "live, last arrival 2s ago", "forbidden: pods is forbidden", "without it deleted pods", "one list and one watch each", "never")
	if strings.Contains(text, "\x1b") {
		t.Error("an escape sequence reaches the screen")
	}
}

// The API servers by their leases: which renew them, which no longer do, and their holders; without them the cost. A
// live view reads them now and then, also if nothing changed.
func TestAPIServers(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	has(t, said(&s), "API SERVERS", "vm      renewed its lease 0s before it was read", "held by", "apiserver-wlv32tlttr4jl3gtroqexyxapa_283f1091")
	put := func(name, host string, renewed, read model.Instant) {
		s.Cluster.Fold(&model.Change{Kind: model.KindServerLease, Op: model.OpModify, Key: model.Key{Namespace: model.SystemNamespace, Name: name}, Time: model.Exactly(read),
			Related: &model.Related{Created: s.At.Add(-time.Hour), Details: model.Details(model.PackLong([]model.Detail{{Name: model.DetailHost, Value: host},
				{Name: model.DetailHolder, Value: name + "_1\x1b[31m"}, {Name: model.DetailRenewed, Value: model.DetailTime(renewed)}}, nil))}})
	}
	s.Cluster, s.Kinds = model.NewCluster(), nil
	has(t, said(&s), "how many there are: their leases are not recorded")
	read := s.At.Add(-12 * time.Second)
	put("apiserver-a", "cp-1", read.Add(-4*time.Second), read)
	put("apiserver-b", "", read.Add(-8*time.Second), read)
	text := said(&s)
	has(t, text, "cp-1         renewed its lease 4s before it was read", "; apiserver-a, held by apiserver-a_1", "apiserver-b  renewed its lease 8s", "2, of which 2 renewed the lease, read last at 23:54:15Z")
	if strings.Contains(text, "\x1b") || strings.Contains(text, "API servers renew their lease") {
		t.Errorf("an escape sequence, or a doubt:\n%s", text)
	}
	put("apiserver-c", "cp-3", read.Add(-200*time.Second), read.Add(-190*time.Second))
	has(t, said(&s), "has not renewed its lease for 3m20s, since 23:50:55Z: it has ended, or cannot write; its lease is deleted an hour after that", "2 of 3 API servers renew their lease", "3, of which 2 renewed")
	live := s
	live.Mode = screen.Live
	live.Status = []stream.Status{{Kind: model.KindServerLease, State: stream.Live, Last: s.At}}
	has(t, said(&live), "read last at 23:54:27Z", "renewed its lease 16s before it was read")
	none := live
	none.Cluster, none.Kinds = model.NewCluster(), map[model.Kind]bool{model.KindServerLease: true}
	has(t, said(&none), "none does before 1.26")
	none.Kinds = nil
	none.Status = []stream.Status{{Kind: model.KindServerLease, State: stream.Forbidden, Why: "no right to list them"}}
	text = said(&none)
	has(t, text, "their leases are forbidden: no right to list them")
	if strings.Contains(text, "APIServerLease: forbidden") {
		t.Errorf("that it may not be read is a doubt of what is shown:\n%s", text)
	}
}

// The connection from API servers to kubelets is shown by the requests that took it by the instant shown: the newest
// that got through and the newest that did not, with their targets. A node that renews its lease meanwhile is not the
// broken part.
func TestTheWayToKubelets(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	const unread = "the input has no request that took it"
	has(t, said(&s), unread)
	pod := s.Cluster.Node("a-001").Pods()[0]
	says := func(what history.Saying, ago time.Duration, pod model.Key, node, text string) history.Statement {
		return history.Statement{At: s.At.Add(-ago), Until: s.At.Add(-ago), Times: 1, By: "kube-apiserver", What: what, Pod: pod, Node: node, Text: text}
	}
	s.Said = []history.Statement{says(history.SaidReached, time.Minute, model.Key{}, "b-001", "proxy of b-001: 200"),
		says(history.SaidUnreached, 40*time.Second, model.Key{Namespace: "x", Name: "gone"}, "", ""),
		says(history.SaidUnreached, 30*time.Second, pod.Key, "", "log of web: 500, dial tcp \x1b[31m: i/o timeout"), says(history.SaidReached, -time.Minute, model.Key{}, "b-002", "of later")}
	text := strings.Join(strings.Fields(strings.ReplaceAll(said(&s), "│", "")), " ")
	has(t, text, "got through last 1m00s ago, at 23:53:27Z: proxy of b-001: 200 (1 request of 1 pod or node by then)", "did not get through last 30s ago, at 23:53:57Z: log of web: 500, dial tcp",
		", on a-001 (2 requests of 2 pods and nodes by then). a-001 renews its lease: this way is broken, not the node")
	for _, never := range []string{"\x1b", unread, "of later", "LOGS"} {
		if strings.Contains(text, never) {
			t.Errorf("it says %q:\n%s", never, text)
		}
	}
	s.Said = append(s.Said[:3:3], says(history.SaidReached, 10*time.Second, pod.Key, "", "log of web: 200"))
	if text := said(&s); strings.Contains(text, "this way is broken") {
		t.Errorf("it works again:\n%s", text)
	}
	s.Said = []history.Statement{says(history.SaidUnreached, 30*time.Second, model.Key{}, "b-001", "proxy of b-001: 504")}
	if text := said(&s); strings.Contains(text, "this way is broken") || !strings.Contains(text, "proxy of b-001: 504") {
		t.Errorf("of a silent node:\n%s", text)
	}
}

func TestScrolls(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	area := screen.Arrange(80, 24).Area()
	top := screentest.Plain(v.Render(s, screentest.Painters()["dark"], area))
	if !v.Do(screen.Last, s) {
		t.Fatal("it does not scroll")
	}
	if end := screentest.Plain(v.Render(s, screentest.Painters()["dark"], area)); end == top || !strings.Contains(end, "KARDIA'S REQUESTS") {
		t.Errorf("the end:\n%s", end)
	}
}

func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(*rapid.T, *screen.Snapshot) *View { return New() }, func(*rapid.T, *View, screentest.Frame) {})
}

// Unexplained writes: the hypotheses for them, with the evidence for and against. Whether anything was to be trusted at
// all comes first.
func TestHypotheses(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Hypotheses = func() screen.Hypotheses { return screen.Hypotheses{} }
	has(t, said(&s), "nothing contradicts the models", "IN SHORT", "no LeaderLease is recorded")
	s.Hypotheses = func() screen.Hypotheses { return screen.Hypotheses{Searching: true} }
	has(t, said(&s), "searching  for causes without direct evidence")
	s.Hypotheses = func() screen.Hypotheses {
		h := hypotheses.Hypothesis{ID: "H1", What: infer.Note{Code: "restarted"}, Counts: true, Time: s.At, Window: model.Exactly(s.At),
			For: []infer.Note{{Code: "explains", Name: "2 × \x1b[31mEvictPod"}}, Against: []infer.Note{{Code: "same-leader"}}, Or: []string{"H2"}}
		return screen.Hypotheses{Found: &verify.Report{Hypotheses: []verify.Hypothesis{{Hypothesis: h, Settles: []verify.Unexplained{{Write: &infer.Write{Kind: model.EvictPod, Pod: model.Key{Namespace: "shop", Name: "cart"}}}}}},
			Unexplained: []verify.Unexplained{{Write: &infer.Write{Time: model.Exactly(s.At), Kind: model.MarkUnknown, Node: "a-1", Reason: "NodeStatusUnknown"}}}}}
	}
	text := said(&s)
	has(t, text, "H1", "explained only if this holds, or H2: kube-controller-manager restarted", "would explain 1 write, the first EvictPod of shop/cart", "for", "it alone explains 2 ×", "against", "leader leases were recorded, without another leader", "MarkUnknown of a-1: Ready becomes Unknown (NodeStatusUnknown)")
	if strings.Contains(text, "\x1b") {
		t.Error("an escape sequence reaches the screen")
	}
	s.Curtain = true
	has(t, said(&s), "c shows them")
}
