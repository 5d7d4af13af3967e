package loop_test

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/loop"
)

// TestVectors runs the scenario scripts in testdata: a cluster is described with what
// befalls it, and the decisions of the control plane are printed.
//
//	why until=152 node=n0 | pod=p on=n0 | zone=A
//	chain until=460 of=EvictPod   (the last decision of a kind, and what caused it, back to the heartbeat)
//	run until=460 [from=1] [clock=zero] [takes=0.1] [version=v1.33] [show=zones,taints,pods,KIND,…] [node-eviction-rate=1] [controllers=taint-eviction]
//
// Times are seconds from the start of the controllers. The clock is the realistic one: pass
// n starts n milliseconds late; with clock=zero it does not. A pass takes no time, unless takes says how
// long after its start it judges the zones. Decisions before `from` are not
// shown (why prints, instead of the decisions, what holds back the next ones at the end; the start registers every node). With controllers=taint-eviction no pass, no tick and no
// garbage collection runs. Lines of the input:
//
//	nodes n0..n9 [zone=A] [ready=Unknown] [taint=KEY] [excluded]   nodes that existed long before
//	dead n0..n2 103                last renewal at 103, others 10 s apart before it (all others renew at 3, 13, 23, …)
//	renew n0 154.9                 a renewal, and from there on one every 10 s
//	renew n0 93 skew=3600 until=93 the same, with a kubelet clock ahead by 3600 s, up to an instant
//	stuck n0 103                   from here on the lease is written without a newer renewTime
//	nolease n0                     the node has no lease
//	post n0 107 Ready=False        a status post; other conditions may follow
//	unready n0 107                 the Ready condition is removed
//	create n0 102 [Ready=False] [zone=C] [renew]   a node is created; with renew it renews from then on every 10 s
//	delete n0 158
//	taint n0 171 KEY[=VALUE]:EFFECT[,…]      restamp n0 171 KEY:EFFECT      untaint n0 171 KEY:EFFECT
//	cordon n0 50 / uncordon n0 80 / move n0 50 zone=B
//	pod p n0 [at=50] [tolerate=LIST] [phase=Succeeded]   default tolerations, or a LIST (see tolerations)
//	tolerate p n0 400 LIST          the pod's tolerations change
//	kill p n0 300                    the pod object goes away
//	replace p n0 300 on=n1         deleted, and made again with the same name, so fast that it is one event
//	restart 300 / restart-eviction 300
//	pick n0 n1 n2                  who gets a token where it is open
//	lag n0 155.1                   the tick at that instant sees the node as it was before its last change
//	refuse 200 300 [pods]          node-lifecycle's writes, or those to pods, fail in between
//	stall 100 [until=200]          the lease informer shows nothing new
//	hold 150 200                   the API server takes no write of the controllers in between
func TestVectors(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s := newStage(t, d)
			switch d.Cmd {
			case "run":
				return s.play(d)
			case "why":
				s.play(d)
				return s.why(d)
			case "chain":
				s.play(d)
				return s.chain(d)
			}
			t.Fatalf("unknown command %q", d.Cmd)
			return ""
		})
	})
}

// epoch is second 0 of every scenario.
var epoch = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// second is an instant of the scenario.
func second(s float64) model.Instant {
	return epoch.Add(time.Duration(s * float64(time.Second)).Round(time.Millisecond))
}

// stage is one scenario being set up.
type stage struct {
	t     *testing.T
	loop  *loop.Loop
	until float64
	// renewals says until when each node renews, and how; what changes it comes later.
	dead    map[string]float64
	nolease map[string]bool
	pick    []string
	unseen  map[string]model.Instant // renewals while the lease informer is stalled, else nil
	names   []string

	decisions []model.Decision
}

func newStage(t *testing.T, d *datadriven.TestData) *stage {
	s := &stage{t: t, dead: map[string]float64{}, nolease: map[string]bool{}}
	params := model.Defaults(model.Version{Major: 1, Minor: 36})
	drift := time.Millisecond
	number := func(v string) float64 {
		f, err := strconv.ParseFloat(v, 32)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	for _, a := range d.CmdArgs {
		if a.Key == "version" {
			v, ok := model.ParseVersion(a.Vals[0])
			if !ok {
				t.Fatalf("bad version %v", a.Vals)
			}
			params = model.Defaults(v)
		}
	}
	only, takes := false, time.Duration(0)
	for _, a := range d.CmdArgs {
		switch a.Key {
		case "until":
			s.until = number(a.Vals[0])
		case "clock":
			drift = 0
		case "node-eviction-rate":
			params.NodeEvictionRate.Value = float32(number(a.Vals[0]))
		case "takes":
			takes = second(number(a.Vals[0])).Sub(epoch)
		case "controllers":
			only = true
		case "from", "show", "version", "node", "pod", "on", "zone", "of":
		default:
			t.Fatalf("unknown argument %q", a.Key)
		}
	}
	clock := loop.StartingAt(epoch, params.NodeMonitorPeriod.Value, drift)
	clock.Takes = takes
	if only {
		clock.Pass, clock.Tick, clock.Collect = model.FarFuture, model.FarFuture, model.FarFuture
	}
	s.loop = loop.New(params, clock)
	return s
}

// play sets the scenario up, lets it run, and prints what was decided.
func (s *stage) play(d *datadriven.TestData) string {
	for _, line := range strings.Split(d.Input, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 0 {
			s.line(words)
		}
	}
	for _, name := range s.names {
		first, last := -7.0, s.until
		if dead, ok := s.dead[name]; ok {
			first, last = math.Mod(dead, 10)-10, dead
		}
		if !s.nolease[name] {
			s.renewals(name, first, last, 0)
		}
	}
	s.loop.Hidden.Pick = func(_ model.ZoneKey, waiting []string) string {
		for _, name := range s.pick {
			if slices.Contains(waiting, name) {
				return name
			}
		}
		return waiting[0]
	}
	decisions := s.loop.Run(second(s.until))
	s.decisions = decisions
	ids := map[model.DecisionID]int{}
	for i := range decisions {
		if decisions[i].Rule.Spec() == "" {
			s.t.Errorf("%s follows the rule %q, which nobody explains", decisions[i].Kind, decisions[i].Rule)
		}
		if k, twice := ids[decisions[i].ID]; twice {
			s.t.Errorf("two decisions share an id:\n%+v\n%+v", decisions[k], decisions[i])
		}
		ids[decisions[i].ID] = i
	}
	from, show := 0.5, "all"
	if d.HasArg("from") {
		var text string
		d.ScanArgs(s.t, "from", &text)
		from, _ = strconv.ParseFloat(text, 64)
	}
	if d.HasArg("show") {
		d.ScanArgs(s.t, "show", &show)
	}
	return print(decisions, second(from), show)
}

// renewals plans renewals every 10 s.
func (s *stage) renewals(name string, from, until, skew float64) {
	for at := from; at <= until; at += 10 {
		renewed := second(at + skew)
		s.loop.At(max(second(at), epoch), func(l *loop.Loop) {
			if s.unseen != nil {
				s.unseen[name] = renewed
			} else {
				l.Renew(name, renewed)
			}
		})
	}
}

// stall stops the lease informer: only a live read shows that a lease has a newer version.
func (s *stage) stall(l *loop.Loop) {
	s.unseen = map[string]model.Instant{}
	l.Hidden.LiveLease = func(node string) (version uint64, found bool) {
		lease := l.Cache.Find(node).Lease
		if _, ok := s.unseen[node]; ok {
			return lease.Version + 1, true
		}
		return lease.Version, lease.Exists
	}
}

func (s *stage) catchUp(l *loop.Loop) {
	for _, name := range slices.Sorted(maps.Keys(s.unseen)) {
		l.Renew(name, s.unseen[name])
	}
	s.unseen, l.Hidden.LiveLease = nil, nil
}

func (s *stage) line(words []string) {
	options := map[string]string{}
	var rest []string
	for _, w := range words[1:] {
		if k, v, ok := strings.Cut(w, "="); ok && !strings.Contains(k, ":") && strings.ToLower(k) == k {
			options[k] = v
		} else {
			rest = append(rest, w)
		}
	}
	at := func(i int) model.Instant { return second(s.number(rest[i])) }
	switch words[0] {
	case "nodes":
		s.nodes(names(rest[0]), options, slices.Contains(rest, "excluded"))
	case "dead":
		for _, name := range names(rest[0]) {
			s.dead[name] = s.number(rest[1])
		}
	case "nolease":
		for _, name := range names(rest[0]) {
			s.nolease[name] = true
		}
	case "renew":
		until, skew := s.until, 0.0
		if v, ok := options["until"]; ok {
			until = s.number(v)
		}
		if v, ok := options["skew"]; ok {
			skew = s.number(v)
		}
		for _, name := range names(rest[0]) {
			s.renewals(name, s.number(rest[1]), until, skew)
		}
	case "stuck":
		from := s.number(rest[1])
		for t := from + 10; t <= s.until; t += 10 {
			s.loop.At(second(t), func(l *loop.Loop) { l.Renew(rest[0], second(from)) })
		}
	case "post":
		for _, name := range names(rest[0]) {
			s.edit(name, at(1), func(n *model.Node) { post(n, at(1), rest[2:]) })
		}
	case "unready":
		s.edit(rest[0], at(1), func(n *model.Node) {
			n.Conditions = slices.DeleteFunc(n.Conditions, func(c model.Condition) bool { return c.Type == "Ready" })
		})
	case "create":
		for _, name := range names(rest[0]) {
			s.create(name, at(1), rest[2:], options)
		}
	case "delete":
		s.loop.At(at(1), func(l *loop.Loop) { l.DeleteNode(rest[0]) })
	case "taint", "untaint", "restamp":
		s.taint(words[0], rest[0], at(1), words[len(words)-1])
	case "move":
		s.edit(rest[0], at(1), func(n *model.Node) { n.Zone = zone(options) })
	case "cordon", "uncordon":
		s.edit(rest[0], at(1), func(n *model.Node) { n.Unschedulable = words[0] == "cordon" })
	case "pod":
		s.pod(rest[0], rest[1], options)
	case "tolerate":
		s.loop.At(at(2), func(l *loop.Loop) {
			p := *l.Pod(rest[1], key(rest[0]))
			p.Tolerations = s.tolerations(rest[3])
			l.SetPod(&p)
		})
	case "replace":
		s.loop.At(at(2), func(l *loop.Loop) {
			p := *l.Pod(rest[1], key(rest[0]))
			p.Node = options["on"]
			l.Cache.DeletePod(l.Pod(rest[1], key(rest[0]))) // unnoticed
			l.SetPod(&p)
		})
	case "kill":
		s.loop.At(at(2), func(l *loop.Loop) { l.RemovePod(rest[1], key(rest[0])) })
	case "restart":
		s.loop.At(at(0), (*loop.Loop).Restart)
	case "restart-eviction":
		s.loop.At(at(0), (*loop.Loop).RestartTaintEviction)
	case "pick":
		s.pick = rest
	case "lag":
		s.loop.TickView = func(now model.Instant, cache *informer.Cache) *informer.Cache {
			if now != at(1) {
				return cache
			}
			old := cache.Clone()
			n := *cache.Node(rest[0])
			n.Conditions = []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: epoch}}
			old.SetNode(rest[0], &n, 1, 0, 0)
			return old
		}
	case "refuse":
		from, until := at(0), at(1)
		pods := slices.Contains(rest, "pods")
		s.loop.Hidden.Refuses = func(w *model.Write) bool {
			return from <= w.At && w.At < until && (!pods || w.Kind == model.WritePodNotReady)
		}
	case "hold":
		until := at(1)
		s.loop.At(at(0), func(l *loop.Loop) { l.Hold(until) })
	case "stall":
		s.loop.At(at(0), s.stall)
		if v, ok := options["until"]; ok {
			s.loop.At(second(s.number(v)), s.catchUp)
		}
	default:
		s.t.Fatalf("unknown line %q", words)
	}
}

func (s *stage) number(text string) float64 {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return f
}

// names spells out n0..n9, and a,b,c.
func names(text string) (list []string) {
	for _, part := range strings.Split(text, ",") {
		first, last, ok := strings.Cut(part, "..")
		if !ok {
			list = append(list, part)
			continue
		}
		stem := strings.TrimRight(first, "0123456789")
		from, _ := strconv.Atoi(first[len(stem):])
		to, _ := strconv.Atoi(last[len(stem):])
		for i := from; i <= to; i++ {
			list = append(list, stem+strconv.Itoa(i))
		}
	}
	return list
}

func key(name string) model.Key { return model.Key{Namespace: "default", Name: name} }

func zone(options map[string]string) model.ZoneKey { return model.ZoneKey{Zone: options["zone"]} }
