package app

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/open"
	"kardia/ui/session"

	tea "charm.land/bubbletea/v2"
)

// What people were asked to find out with a stopwatch, each as the keys that answer it, from the first screen,
// in a small window.

// opened is a replay of any path, held at a second of it.
func opened(t *testing.T, path string, second int, env ...string) *stage {
	t.Helper()
	is, err := open.Open(context.Background(), []string{path}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := newClock()
	start := is.History.Coverage().Earliest.Add(time.Duration(second) * time.Second)
	return s.open(t, Options{Environ: append([]string{"LANG=C.UTF-8"}, env...),
		Session: session.Replay(is.History, session.Options{Name: "recording", Now: s.time, Start: start, Judging: session.AtOnce})}, 80, 24)
}

// Node, zone or control plane? The first frame says it, with no key, and as well without any colour.
func TestWhoseFaultItIsIsSaidAtOnce(t *testing.T) {
	for _, of := range []struct {
		path   string
		second int
		want   string
	}{{"demo:node-loss", 80, "fault domain node"}, {"demo:zone-outage", 75, "fault domain zone"}, {"demo:all-dark", 150, "fault domain all nodes"}} {
		for _, env := range []string{"LANG=C.UTF-8", "NO_COLOR=1"} {
			opened(t, of.path, of.second, env).shows(of.want)
		}
	}
}

// The next three pods to go, and the second they go: one key; and so it came, as the recording tells later.
func TestTheNextPodsToGo(t *testing.T) {
	s := opened(t, "demo:zone-outage", 200)
	s.keys("6").shows("▌ 0:07         2 pods: app-b-009-0", "0:07, 23:55:23.8Z", "░ recorded  deleted 23:55:23.8Z", "0:17         2 pods: app-b-006-0")
}

// Why six nodes are not evicted: the headline says that it is halted, one key shows the comparison that
// halts it, and what would change that.
func TestWhyNodesAreNotEvicted(t *testing.T) {
	s := opened(t, "scenario:small-zone-partial", 200)
	s.shows("taints stopped (rate 0): 5 nodes queued for a NoExecute taint")
	s.keys("3").shows("Why are the taints of a stopped?", "share not ready ≥ 0.55 ?  0.6  ✓", "1 node Ready again → Normal, 1/10s")
}

// What 40 bad nodes have in common: one key, though it is no zone.
func TestWhatTheBadNodesShare(t *testing.T) {
	var changes []model.Change
	bad := func(i int) bool { return i%3 == 0 }
	for i := range 120 {
		ch := nodeIn(0, fmt.Sprint("n-", i), fmt.Sprint("z", i%4), "True")
		image := "Bottlerocket 1.20"
		if bad(i) {
			image = "Bottlerocket 1.21"
		}
		ch.Node.Details = model.PackNode([]model.Detail{{Name: model.DetailOSImage, Value: image}, {Name: model.DetailLabel + "pool", Value: fmt.Sprint(i % 5)}}...)
		changes = append(changes, ch)
	}
	for s := 10.0; s <= 70; s += 10 {
		for i := range 120 {
			if s <= 20 || !bad(i) {
				changes = append(changes, lease(s, fmt.Sprint("n-", i)))
			}
		}
	}
	h := history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(70)}, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 120, model.KindNodeLease: 600}}})
	s := newClock()
	s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: session.Replay(h, session.Options{Now: s.time, Start: sec(65), Judging: session.AtOnce})}, 80, 24)
	s.shows("fault domain group").keys("v").shows("OS image Bottlerocket 1.21: 40 of 40, and 0 of 80 others")
}

// A clock that steps back makes a node look silent; that it is the clock is said at once.
func TestAFalseDeathByAClock(t *testing.T) {
	var changes []model.Change
	for i := range 6 {
		changes = append(changes, nodeIn(0, fmt.Sprint("n-", i), "z", "True"))
	}
	for s := 10.0; s <= 120; s += 10 {
		for i := range 6 {
			ch := lease(s, fmt.Sprint("n-", i))
			if i == 0 && s > 60 {
				ch.Lease.Renewed = ch.Lease.Renewed.Add(-5 * time.Minute)
			}
			changes = append(changes, ch)
		}
	}
	h := history.NewMemory(changes, model.Interval{Earliest: sec(0), Latest: sec(125)}, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 6, model.KindNodeLease: 72}}})
	s := newClock()
	s.open(t, Options{Environ: []string{"LANG=C.UTF-8"}, Session: session.Replay(h, session.Options{Now: s.time, Start: sec(122), Judging: session.AtOnce})}, 80, 24)
	s.row("n-0").has("Ready", "clock is 5m00s behind")
	s.keys("w").shows("DEGRADED", "its clock is 5m00s behind")
}

// Who may read neither pods nor Events is told whose fault it is, who says NotReady, when a silent node is
// declared; and what is missing.
func TestWithoutPodsAndEvents(t *testing.T) {
	s := replay(t, 65, 80, 24)
	s.app.session.Snapshot()
	s.shows("b: 3 of 3 nodes are late", "fault domain zone", "next: the first grace period ends in 0:15")
	s.keys("!").shows("caveat  no Event is recorded")
	if text := s.keys("6").screen(); strings.Contains(text, "0 pods") {
		t.Errorf("evictions invents a number of pods:\n%s", text)
	}
}

// The controller began anew while a countdown ran: that it began again, when, and when it would have ended, is one key.
func TestWhyTheCountdownBeganAgain(t *testing.T) {
	s := opened(t, "scenario:failover", 400)
	s.keys("6").shows("restarted   the controller restarted 12:05:19Z", "this one would have ended 12:06:42Z", "▌ 3:40")
}

// What comes in the next minutes stands on the first screen where there is room: who is tainted and whose pods go, those of
// which the same is said as one.
func TestWhatComesIsOnTheFirstScreen(t *testing.T) {
	s := opened(t, "demo:node-loss", 200)
	s.shows("Forecast  in m:ss, until 00:00:58Z, if silent nodes stay silent", "◌ 3:09         2 pods of ip-10-0-2-003    taint eviction")
	opened(t, "demo:zone-outage", 120).shows("Forecast", "1 of 6 nodes               taint unreachable:NoExecute")
	opened(t, "demo:node-loss", 20).hides("Forecast")
}

// That the controller began anew, and what began again with it, is said without a key; who leads now in the why.
func TestTheControllerBeganAnew(t *testing.T) {
	s := opened(t, "scenario:failover", 360)
	s.shows("controller restarted 12:05:19Z: 3 countdowns restart, end 3m37s later")
	s.keys("w").shows("kube-controller-manager restarted 12:05:19.9Z", "control-plane-2 leads since 12:05:20Z, transition 8")
	opened(t, "scenario:failover", 290).hides("anew") // not yet
}

// Every zone is dark, and all the same pods of two nodes go: why, by the taint that the controller left, and not by the
// queue in which it put the node since; and nobody says that nothing is deleted.
func TestWhatIsDeletedThoughAllIsDark(t *testing.T) {
	s := opened(t, "demo:all-dark", 150)
	s.shows("›4 nodes       zone-2  Unknown    1m34s  0:05 q-000; 6 blocked")
	s.keys("w").shows("q-000  taint unreachable:NoExecute")
	s.keys("esc", "v").shows("only nodes whose taint stays lose pods").hides("nothing is deleted")
}

// A node that beats now and came and went before is no calm: the first frame says it.
func TestANodeThatComesAndGoes(t *testing.T) {
	s := opened(t, "scenario:flapping", 380)
	s.shows("all 5 nodes renew, 1 degraded")
	s.row("a-3").has("Ready", "flaps 2x")
	s.keys("9").shows("stopped being Ready 3 times")
}

// A zone that falls silent in two waves is the zone's fault all the same; since when is that of its first nodes. Of a
// row that stands for several nodes the most serious is told, and what comes first comes first, though its node has no
// taint yet.
func TestAZoneThatFallsSilentInWaves(t *testing.T) {
	s := opened(t, "testdata/waves.scenario", 150)
	s.shows("b: 6 of 8 nodes silent since", "fault domain zone")
	s.shows("›6 nodes", "4:12–4:13 b-01; 1 blocked")
	s = opened(t, "testdata/waves.scenario", 262)
	s.shows("b: all 8 nodes silent, the first since", "fault domain zone", "next: 1 pod of b-06 deleted in 1:04–2:07, once tainted")
	s.keys("v").shows("6 of its 8 nodes fell silent together, and 2 more")
}

// A deletion that a race decides is not told as if it were certain.
func TestWhatMayComeIsToldAsThat(t *testing.T) {
	s := opened(t, "testdata/waves.scenario", 110)
	s.shows("next: possibly 1 pod of b-06 deleted in 1:01–1:03, once tainted")
	s.row("b-06").has("1:01–1:03 ?")
}

// What comes in the next quarter of an hour is one key, also where the table leaves no room for it: who is declared and
// tainted, whose pods go.
func TestWhatComesIsOneKey(t *testing.T) {
	s := opened(t, "demo:zone-outage", 130)
	s.shows("W shows all").keys("W").shows("Forecast from 23:54:07Z", "in m:ss, until 00:09:07Z, if silent nodes stay silent",
		"0:06–0:07    1 of 5 nodes", "0:17         2 pods of b-008", "1:06–1:48    10 pods of 5 nodes")
	s = opened(t, "demo:all-dark", 115)
	s.shows("W next").keys("W").shows("0:40         4 pods of 2 nodes")
	opened(t, "demo:node-loss", 20).keys("W").shows("the controllers are predicted to do nothing until")
}

// A page that is open gives way to what the line of keys and the tabs offer: another page, or a screen.
func TestAPageGivesWay(t *testing.T) {
	s := opened(t, "demo:node-loss", 100)
	s.keys("v").shows("Verdict at").keys("w").shows("Why node").hides("Verdict at")
	s.keys("W").shows("Forecast from").hides("Why node")
	s.keys("3").shows("[3 Zones]").hides("Forecast from")
	s.keys("w").shows("Why zone")
	s.keys("w").hides("Why zone")
}

// Who types words into a page of words without / is not led away by their letters; the line of keys offers what works.
func TestLettersStayOnAPageOfWords(t *testing.T) {
	s := opened(t, "demo:node-loss", 100)
	s.keys(":").types("messages").keys("enter").shows("Messages", "q close").types("wvWbCIRA").shows("Messages", ": command").hides("w why", "space play", "what if")
	s.keys("/").types("zebra").shows("/zebra_", "no notices").keys("esc", "q").hides("Messages")
	s.shows("w why", "q quit").keys("?").types("budget").shows("Help").hides("what if")
	s.keys("3").shows("[3 Zones]").hides("Help")
}

// The palette opens over every page, and what is chosen in it is seen: pages give way, unless it is about the program, or
// moves the time that the page tells of.
func TestThePaletteOpensOverPages(t *testing.T) {
	s := opened(t, "demo:node-loss", 100)
	for key, title := range map[string]string{"w": "Why node", "v": "Verdict at", "W": "Forecast", "?": "Help"} {
		s.keys(key).shows(title, ": command").keys(":").types("zon").shows(":zon", "zones", title).keys("esc").shows(title).hides(":zon")
		s.keys(":").types("zones").keys("enter").shows("[3 Zones]").hides(title)
		s.keys("1")
	}
	s.keys("w", ":").types("+90s").keys("enter").shows("Why node", "+1:30 ×1")
	s.keys("?", ":").types("messages").keys("enter").shows("Messages").keys("q").shows("Help")
	s.keys(":").types("back or quit").keys("enter").shows("Why node").hides("Help")
	s.keys("?", ":").types("+80s").keys("enter").hides("Help", "Why node")
	s.shows("+1:20 ×1")
	if s.quit {
		t.Error("it leaves the program")
	}
}

// Every page that offers to be searched is.
func TestEveryPageIsSearched(t *testing.T) {
	s := opened(t, "demo:node-loss", 100)
	for page, words := range map[string][2]string{"w": {"Why node", "node"}, "v": {"Verdict at", "machine"}, "W": {"Forecast", "alerts"}} {
		s.keys(page).shows(words[0], "/ searches").keys("/").types(words[1]).shows(words[1])
		for _, line := range s.pageLines() {
			if !strings.Contains(strings.ToLower(line), words[1]) {
				t.Errorf("%s, searched for %s, shows %q", words[0], words[1], line)
			}
		}
		s.types(" zebra").shows("no match").keys("esc", "esc")
	}
}

// pageLines are the lines of the page that is open, without its frame.
func (s *stage) pageLines() (lines []string) {
	for _, line := range strings.Split(s.screen(), "\n") {
		if inside, ok := strings.CutPrefix(line, "│"); ok {
			if inside = strings.Trim(inside, " │"); inside != "" {
				lines = append(lines, inside)
			}
		}
	}
	return lines
}

// A click on the line of keys presses the key that stands there, also while a page is open: q closes it.
func TestAClickOnQClosesThePage(t *testing.T) {
	s := opened(t, "demo:node-loss", 100)
	s.keys("w").shows("Why node", "q close")
	lines := strings.Split(s.screen(), "\n")
	for y, line := range lines {
		if before, _, ok := strings.Cut(line, "q close"); ok {
			s.send(tea.MouseClickMsg{X: len([]rune(before)), Y: y, Button: tea.MouseLeft})
		}
	}
	s.hides("Why node")
	if s.quit {
		t.Error("it leaves the program")
	}
}

// Which nodes flap, in what rhythm, together with whom, and whether their pods ever went: one key.
func TestWhoFlapsTogether(t *testing.T) {
	s := opened(t, "testdata/pair.scenario", 1100)
	s.keys("9").shows("stopped being Ready 3 times", "with a-2 (3 of 3, within 5s)", "not Ready for 1m20s, Ready for 3m40s in between", "tainted NoExecute 3 times", "no pod that")
}

// Did the controller manager change its leader? Trust says who leads, since when, and what began anew.
func TestWhoLeads(t *testing.T) {
	s := opened(t, "scenario:failover", 360)
	s.send(tea.WindowSizeMsg{Width: 120, Height: 60})
	s.keys("!").shows("WHO LEADS", "leads since 2026-03-14 12:05:20Z, transition", "restarted", "3 countdowns restart")
}

// That nobody leads the controllers is said of a recording too, where what it shows by then proves it: of a lease that ran
// out, and that nobody has taken or may still take in time. What comes later is not asked.
func TestThatNobodyLeadsIsSaidOfARecording(t *testing.T) {
	opened(t, "testdata/unled.scenario", 140).shows("if there is a leader (lease ").hides("has no leader")
	s := opened(t, "testdata/unled.scenario", 160)
	s.shows("fault domain controller, 1 more", "kube-controller-manager has no leader")
	s.keys("v").shows("CONTROLLER", "kube-controller-manager has no leader, so no node is declared", "has no holder since", "12:02:13Z: until 12:02:40Z no process", "NODE", "only node a-2 is silent")
	opened(t, "testdata/unled.scenario", 220).hides("no leader")
}

// A node that is gone: since when, what comes of its pods, and one key to the write and who made it.
func TestWhereANodeWent(t *testing.T) {
	s := opened(t, "testdata/deleted.scenario", 170)
	s.keys("2").shows("a-2")
	s.keys("shift+right", "shift+right").shows("no node a-2 exists at 12:03:10Z: its Node was deleted 9s ago, at 12:03:00Z", "the pod garbage collector", "40 to 80 s after")
	s.keys("u").shows("12:03:00Z", "Ready of node a-2: Unknown")
}

// When a silent node is declared is one window, wherever it is told: by what was known by then. Its pods do not go before.
func TestWhenANodeIsDeclaredIsOneWindow(t *testing.T) {
	s := opened(t, "demo:node-loss", 60)
	s.shows("◌ 0:25–0:31    ip-10-0-2-003              declared Unknown")
	s.keys("w").shows("comes 23:44:04–10Z if nothing changes")
	s.keys("w", "2").shows("Unknown in 0:25–0:31 unless a heartbeat comes")
}

// Why nothing can be scheduled on a node, and who did it: one key.
func TestWhoCordonedANode(t *testing.T) {
	s := opened(t, "demo:node-loss", 100)
	s.row("ip-10-0-1-001").has("cordoned")
	s.keys("j", "j", "w").shows("CORDONED", "cordoned by kubectl (managedFields, last write 30s ago)")
}

// Who comes late knows it by managedFields: the key that goes to the last write says so too.
func TestWhoCordonedANodeIsToldByOneDump(t *testing.T) {
	s := opened(t, "testdata/cordoned.json", 0)
	s.send(tea.WindowSizeMsg{Width: 200, Height: 60})
	s.keys("2", "tab", "tab", "tab", "tab", "u").shows("no known write of cordon of node n-2 before 11:58:10Z; it is by kubectl-cordon (managedFields), last write 2026-11-20 11:50:00Z")
	written := func(w past.Written) string {
		w.At, w.Manager, w.Wrote = model.At(noon), "kubectl-cordon", model.At(noon.Add(-time.Minute))
		return s.app.written(past.Field{Kind: past.CordonField, Node: "n-2"}, w.At, w, nil).In(s.app.painter)
	}
	const by = " by kubectl-cordon (managedFields), last write 2026-08-21 11:59:00Z"
	if got := written(past.Written{After: "true", Initial: true}); got != "cordon of node n-2 had this value in the first known version: true"+by {
		t.Error(got)
	}
	if got := written(past.Written{Before: "false", After: "true", Writer: model.WriterPerson}); got != "cordon of node n-2: false → true"+by {
		t.Error(got)
	}
}

// Who says that a node is not ready, and since when: one key. Unknown is the control plane's word, False the kubelet's own.
func TestWhoSaysNotReady(t *testing.T) {
	s := opened(t, "testdata/whosays.scenario", 200)
	s.keys("w").shows("UNKNOWN", "set by kube-controller-manager at 12:01:5", ": no heartbeat", "from the kubelet since the lease renewal of 12:00:5")
	s = opened(t, "testdata/whosays.scenario", 200)
	s.keys("j", "w").shows("NOT READY", "since 2026-03-14 12:02:0", "set by its own kubelet (assumed: the write was", "is not healthy: pleg", "2 of its pods are still Ready, and get traffic")
}

// Who comes late sees it too: the managedFields of one dump tell who wrote the status.
func TestWhoSaysNotReadyIsToldByOneDump(t *testing.T) {
	s := opened(t, "testdata/edited.json", 0)
	s.shows("not ready, by its writer")
	s.keys("w").shows("NOT READY", "set by kubectl-edit (managedFields), not its own", "2026-11-20 11:58:20Z)")
	s.keys("w", "j", "w").shows("set by its own kubelet, since").hides("assumed: the write")
}

// That nobody leads the controllers, and that what comes waits for somebody, is on the first screen, and in the keys that ask
// what comes and why not yet: first as what may be so, from when the leader has ended that does not renew its lease.
func TestThatNobodyLeads(t *testing.T) {
	at := func(second int) *stage { return opened(t, "testdata/leaderless.scenario", second) }
	at(158).shows("◌ next: 2 pods of a-3 deleted in 1:").hides("no leader")
	at(168).shows("! 2 pods of a-3 deleted in 0:", ", if there is a leader (lease 1", "leader's lease is 1", "if the leader exited, every countdown restarts", "with a leader, if silent nodes stay silent")
	at(168).keys("w").shows("POSSIBLY NO LEADER", "the leader of kube-controller-manager has not renewed its lease for 1")
	at(200).shows("! kube-controller-manager has no leader; nothing happens until it has one", "no leader since 12:02:4", "countdowns and grace periods restart with the next")
	for _, key := range []string{"w", "W"} {
		at(200).keys(key).shows("NO LEADER", "kube-controller-manager has no leader since 12:02:4", "nothing happens until it has one")
	}
	at(270).shows("◌ next: ").hides("no leader")
}

// Who else acts in the next quarter of an hour stands with what comes: the alert that pages fifteen minutes after a node
// was declared, long after its pods went, and why nothing is said of volumes.
func TestWhoElseActsStandsWithWhatComes(t *testing.T) {
	s := opened(t, "demo:node-loss", 420)
	s.send(tea.WindowSizeMsg{Width: 120, Height: 60})
	s.keys("W").shows("WHO ELSE ACTS", "ip-10-0-2-003", "an alert", "pages the person on call (KubeNodeNotReady/Unreachable)", "attached volumes unknown: VolumeAttachments are not recorded", "kubernetes-mixin's alerts are installed")
}

// Of a zone that is halted, and dark as soon as its last nodes are declared, w says when a node is tainted as it is foreseen, and
// not "never" beside what comes.
func TestWhyAHaltedNodeIsTaintedAllTheSame(t *testing.T) {
	for second := 130; second < 165; second++ {
		s := opened(t, "testdata/darkening.scenario", second)
		s.send(tea.WindowSizeMsg{Width: 120, Height: 90})
		waits := ""
		for i := range s.app.snapshot().Outlook().Zones {
			if z := &s.app.snapshot().Outlook().Zones[i]; z.Rate == 0 && len(z.Waiting) > 0 {
				waits = z.Waiting[0]
			}
		}
		if waits == "" {
			continue
		}
		s.keys("/").types(waits).keys("enter", "enter", "w").shows("not while as many nodes of the zones are Ready and silent as now", "predicted, if silent nodes stay silent: its taint within 12:0").hides("never, if nothing changes")
		return
	}
	t.Error("the zone is never halted")
}
