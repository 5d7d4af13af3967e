package conformance

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"pgregory.net/rapid"
)

// Scenarios generates scenarios; Scenarios().Example(n) is the n-th.
func Scenarios() *rapid.Generator[Scenario] { return rapid.Custom(generate) }

// Numbered is the n-th scenario. Every fourth also has an outage.
func Numbered(n int) Scenario {
	s := Scenarios().Example(n)
	if n%4 == 3 {
		s = rapid.Custom(func(t *rapid.T) Scenario { return withOutage(t, s) }).Example(n)
	}
	return s
}

type generator struct {
	t        *rapid.T
	s        Scenario
	length   time.Duration
	flags    Flags
	zones    []string
	nodes    []string
	zoneOf   map[string]string
	pods     int
	collects bool
	// hot are times at which something happens already: coincidences are drawn from them.
	hot []time.Duration
}

func pick[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

// chance is true about n times in ten; rapid prefers small numbers a little.
func (g *generator) chance(label string, n int) bool {
	return rapid.IntRange(0, 9).Draw(g.t, label) >= 10-n
}

func (g *generator) add(at time.Duration, words string, args ...any) {
	text := fmt.Sprintf(words, args...)
	if at != setup {
		if at >= g.length {
			return
		}
		text = fmt.Sprintf("at %s %s", strconv.FormatFloat(max(at, 0).Seconds(), 'f', -1, 64), text)
		g.hot = append(g.hot, at)
	}
	s, err := ParseScenario(text)
	if err != nil {
		panic(err)
	}
	g.s = append(g.s, s...)
}

func generate(t *rapid.T) Scenario {
	g := &generator{t: t, zoneOf: map[string]string{}}
	g.setFlags()
	g.makeNodes()
	for range rapid.IntRange(1, 4).Draw(t, "disasters") {
		g.disaster()
	}
	for range rapid.IntRange(0, 8).Draw(t, "incidents") {
		g.incident(pick(t, "node", g.nodes...))
	}
	for range rapid.IntRange(0, 5).Draw(t, "acts") {
		g.act(pick(t, "node", g.nodes...))
	}
	g.makePods()
	if g.collects {
		for range rapid.IntRange(1, 4).Draw(t, "for the collector") {
			g.litter(pick(t, "node", g.nodes...))
		}
	}
	if g.chance("accidents", 4) {
		for range rapid.IntRange(1, 6).Draw(t, "accident count") {
			g.accident()
		}
	} else if g.chance("restarts", 2) {
		for range rapid.IntRange(1, 2).Draw(t, "restart count") {
			g.add(g.time(), "restart %s for=%s", pick(t, "process", "both", "lifecycle", "eviction"), pick(t, "for", "10ms", "1s", "17s"))
		}
	}
	slices.SortStableFunc(g.s, func(a, b Command) int { return cmp.Compare(a.At, b.At) })
	return g.s
}

// setFlags draws flags that are often the defaults and often anything. Shorter times make a scenario cheaper.
func (g *generator) setFlags() {
	t := g.t
	g.length = pick(t, "length", 4*time.Minute, 6*time.Minute, 8*time.Minute, 3*time.Minute, 11*time.Minute)
	g.add(setup, "length %s", g.length)
	drift := pick(t, "drift", "0s", "10ms", "0s 10ms 30ms", "10ms 0s 0s 120ms", "40ms 50ms 60ms 10ms 20ms 70ms 30ms", "2s 0s 0s")
	g.add(setup, "drift %s", drift)
	if lag := pick(t, "lag", "", "", "", "", "90ms", "150ms", "2s"); lag != "" {
		g.add(setup, "lag %s", lag)
	}
	if NewCollector != nil {
		g.collects = true
		g.add(setup, "podgc threshold=%s", pick(t, "terminated", "12500", "1", "2", "0"))
	}
	f := Command{Verb: "flags", At: setup}
	set := func(key string, values ...string) {
		if v := pick(t, key, values...); v != "" {
			f.Options = append(f.Options, Option{key, v})
		}
	}
	set("grace", "", "20s", "30s", "40s", "12s", "10s", "23s")
	set("startup", "", "10s", "30s", "20s")
	set("period", "", "", "", "", "2s", "10s")
	set("rate", "", "", "", "1", "0.5", "0.25", "0", "0.03")
	set("secondary", "", "", "0.1", "0.05", "1", "0")
	set("large", "", "2", "3", "5", "4", "10", "0")
	set("threshold", "", "", "", "0.3", "0.5", "0.75", "1", "0")
	g.s = append(g.s, f)
	g.flags = g.s.Flags()
}

// time draws a time: anywhere, or at, or a flag's length after, something that happens already.
func (g *generator) time() time.Duration {
	anywhere := time.Duration(rapid.IntRange(0, int(g.length/time.Second)-1).Draw(g.t, "second")) * time.Second
	if len(g.hot) == 0 || g.chance("anywhere", 7) {
		return anywhere + pick(g.t, "fraction", 0, 500*time.Millisecond, 130*time.Millisecond)
	}
	near := pick(g.t, "near", g.hot...)
	return near + pick(g.t, "after", 0, g.flags.Period, g.flags.Grace, g.flags.Grace+g.flags.Period, 10*time.Second, time.Second, 100*time.Millisecond)
}

// zoneNames are the zones of a scenario; "" is that of nodes without labels.
var zoneNames = [][]string{{""}, {"r/a"}, {"a", "b"}, {"r/a", "r/b", "r/c"}, {"", "r/a"}, {"r/a", "s/a"}, {"r/", "/a", "a", "b"}}

func (g *generator) makeNodes() {
	t := g.t
	g.zones = pick(t, "zones", zoneNames...)
	count := rapid.IntRange(1, 12).Draw(t, "nodes")
	if g.chance("many", 1) {
		count = rapid.IntRange(13, 60).Draw(t, "many nodes")
	}
	renew := pick(t, "renew", "10s", "9s", "4s", "7.5s")
	for i := range count {
		name := fmt.Sprintf("n%d", i)
		zone := g.zones[i%len(g.zones)]
		if g.chance("elsewhere", 3) {
			zone = pick(t, "zone", g.zones...)
		}
		g.nodes, g.zoneOf[name] = append(g.nodes, name), zone
		g.add(setup, "%s", g.nodeLine(name, zone, renew, count))
	}
}

func (g *generator) nodeLine(name, zone, renew string, count int) string {
	line := "node " + name
	if zone != "" {
		line += " zone=" + zone
	}
	line += " renew=" + renew
	first := rapid.IntRange(0, 99).Draw(g.t, "first")
	line += fmt.Sprintf(" first=%dms", first*100)
	line += pick(g.t, "sync", "", "", " sync=1.7s", " sync=4s")
	if count > 12 && !g.chance("peculiar", 1) || count <= 12 && !g.chance("peculiar", 3) {
		return line
	}
	return line + pick(g.t, "peculiarity",
		" ready=none kubelet=dead renew=0s", " ready=Unknown kubelet=dead", " ready=False says=False",
		" ready=none mute=yes", " ready=none", " renew=0s", " skew=-1h", " skew=1h", " exclude=yes",
		" ready=Unknown kubelet=dead taints=U:NoExecute", " ready=False says=False taints=N:NoExecute",
		" taints=U:NoExecute", " taints=N:NoExecute+U:NoExecute", " ready=Unknown kubelet=dead taints=N:NoExecute+U:NoExecute", " pressures=none", " ready=none kubelet=dead renew=0s age=0s",
		" lease=no", " ready=False says=False taints=U:NoExecute", " exclude=yes ready=Unknown kubelet=dead",
		" ready=Unknown kubelet=dead taints=N:NoExecute", " ready=none taints=U:NoExecute mute=yes")
}

// disaster changes many nodes at once.
func (g *generator) disaster() {
	t := g.t
	at := g.time() / 2
	kind := pick(t, "disaster", "zone", "share", "all", "share", "zone not ready", "share not ready", "all but one")
	var hit []string
	victims := pick(t, "zone", g.zones...)
	for i, n := range g.nodes {
		switch kind {
		case "zone", "zone not ready":
			if g.zoneOf[n] == victims {
				hit = append(hit, n)
			}
		case "all":
			hit = append(hit, n)
		case "all but one":
			if i > 0 {
				hit = append(hit, n)
			}
		default:
			hit = append(hit, n)
		}
	}
	if kind == "share" || kind == "share not ready" {
		hit = hit[:rapid.IntRange(0, len(hit)).Draw(t, "share")]
	}
	apart := pick(t, "apart", 0, 0, time.Second, 5*time.Second)
	back := at + g.flags.Grace + time.Duration(rapid.IntRange(0, 200).Draw(t, "back"))*time.Second
	for i, n := range hit {
		start := at + time.Duration(i)*apart
		switch kind {
		case "zone not ready", "share not ready":
			g.add(start, "says %s False", n)
			g.add(back, "says %s True", n)
		default:
			g.add(start, "silence %s", n)
			g.add(back+time.Duration(i)*apart, "wake %s", n)
		}
	}
}

// incident changes one node's heartbeats.
func (g *generator) incident(n string) {
	t, at := g.t, g.time()
	for2 := time.Duration(rapid.IntRange(1, 120).Draw(t, "for")) * time.Second
	switch pick(t, "incident", "die", "flap", "not ready", "not ready, then silent", "silent, back not ready", "post", "clock", "freeze", "unlease", "mute", "forget", "recreate", "pressure", "refuse", "recreate fresh", "silent heartbeat") {
	case "die":
		g.add(at, "silence %s", n)
	case "flap":
		g.add(at, "silence %s", n)
		g.add(at+for2, "wake %s", n)
		g.add(at+2*for2, "silence %s", n)
	case "not ready":
		g.add(at, "says %s False", n)
		g.add(at+for2, "says %s True", n)
	case "not ready, then silent":
		g.add(at, "says %s False", n)
		g.add(at+for2/4, "silence %s", n)
	case "silent, back not ready":
		g.add(at, "silence %s", n)
		g.add(at+g.flags.Grace+for2, "wake %s", n)
		g.add(at+g.flags.Grace+for2, "says %s False", n)
	case "post":
		g.add(at, "post %s", n)
	case "clock":
		g.add(at, "skew %s %s", n, pick(t, "step", "-1h", "1h", "-30s", "-40s", "0s"))
	case "freeze":
		g.add(at, "freeze %s", n)
		g.add(at+2*for2, "freeze %s no", n)
	case "unlease":
		g.add(at, "unlease %s", n)
	case "mute":
		g.add(at, "mute %s", n)
		g.add(at+for2, "mute %s no", n)
	case "forget":
		g.add(at, "mute %s", n)
		g.add(at, "forget %s", n)
		g.add(at+for2, "mute %s no", n)
	case "recreate", "recreate fresh":
		g.add(at, "delete %s", n)
		line := "node " + n + " age=0s"
		if zone := g.zoneOf[n]; zone != "" {
			line += " zone=" + zone
		}
		g.add(at+for2, "%s", line+pick(t, "as", " ready=none", "", " ready=False"))
	case "pressure":
		kind := pick(t, "kind", "memory", "disk", "pid", "network")
		g.add(at, "pressure %s %s True", n, kind)
		g.add(at+for2, "pressure %s %s False", n, kind)
	case "refuse":
		g.add(at, "refuse %s", n)
		g.add(at+for2, "refuse %s no", n)
	case "silent heartbeat":
		g.add(at, "silence %s", n)
		g.add(at+g.flags.Grace, "wake %s", n)
	}
}

// accident is a conflict, or an answer so slow that ticks fall into the pass that waits for it.
func (g *generator) accident() {
	t, at := g.t, g.time()
	pod := fmt.Sprintf("p%d", rapid.IntRange(0, 9).Draw(t, "pod"))
	switch pick(t, "accident", "conflict", "slow", "conflicting pod") {
	case "conflict":
		g.add(at, "conflict %s", pick(t, "node", g.nodes...))
	case "conflicting pod":
		g.add(at, "conflictpod %s", pod)
	case "slow":
		slowness := pick(t, "slowness", "30ms", "150ms", "350ms", "1s")
		for i := range 10 {
			// A pass has eight workers: if more pods wait, other nodes are evaluated later.
			if len(g.nodes) <= 8 || i == 0 {
				pod := fmt.Sprintf("p%d", i)
				g.add(at/4, "slowpod %s %s", pod, slowness)
				g.add(g.length-5*time.Second, "slowpod %s 0s", pod) // nothing is pending at the end
			}
		}
	}
}

// litter is what the pod garbage collector finds.
func (g *generator) litter(n string) {
	t, at := g.t, g.time()
	switch pick(t, "litter", "orphans", "out of service", "ended") {
	case "orphans":
		g.add(at, "delete %s", n)
		if g.chance("late pod", 5) {
			g.add(at+pick(t, "late by", 10*time.Second, 45*time.Second, 70*time.Second), "pod late%s node=%s tolerate=none", n, n)
		}
		if g.chance("returns", 3) {
			g.add(at+pick(t, "returns after", 15*time.Second, 39*time.Second, time.Minute), "node %s age=0s", n)
		}
	case "out of service":
		g.add(at, "silence %s", n)
		g.add(at+time.Second, "taint %s OOS=x:%s", n, pick(t, "effect", "NoExecute", "NoSchedule"))
		for i := range 5 {
			g.add(at+2*time.Second, "unpodsoon p%d", i)
		}
	case "ended":
		for i := range 5 {
			g.add(at, "phase p%d %s", i, pick(t, "phase", "Succeeded", "Failed"))
		}
	}
}

// act is what a person does to a node.
func (g *generator) act(n string) {
	t, at := g.t, g.time()
	switch pick(t, "act", "cordon", "taint", "untaint", "foreign", "out of service", "delete", "new node", "new zone", "rezone", "exclude", "swap by hand", "uncordon") {
	case "cordon":
		g.add(at, "cordon %s", n)
		g.add(at+30*time.Second, "uncordon %s", n)
	case "uncordon":
		g.add(at, "uncordon %s", n)
	case "taint":
		g.add(at, "taint %s %s:%s", n, pick(t, "key", "U", "N"), pick(t, "effect", "NoExecute", "NoSchedule"))
	case "untaint":
		g.add(at, "untaint %s %s:NoExecute", n, pick(t, "key", "U", "N"))
	case "foreign":
		g.add(at, "taint %s k=v:NoExecute", n)
		g.add(at+40*time.Second, "untaint %s k=v:NoExecute", n)
	case "out of service":
		g.add(at, "taint %s OOS=x:%s", n, pick(t, "effect", "NoExecute", "NoSchedule"))
	case "delete":
		g.add(at, "delete %s", n)
	case "new node", "new zone":
		zone := pick(t, "zone", g.zones...)
		if g.chance("new zone", 4) {
			zone = "r/new"
		}
		name := fmt.Sprintf("m%d", len(g.nodes))
		g.nodes, g.zoneOf[name] = append(g.nodes, name), zone
		g.add(at, "%s", g.nodeLine(name, zone, "10s", 1))
	case "rezone":
		g.add(at, "rezone %s %s", n, pick(t, "zone", "r/new", g.zones[0]))
	case "exclude":
		g.add(at, "exclude %s", n)
	case "swap by hand":
		g.add(at, "taint %s U:NoExecute", n)
		g.add(at, "untaint %s N:NoExecute", n)
	}
}

var tolerations = []string{
	"U/Exists//NoExecute/60+N/Exists//NoExecute/60",
	"U/Exists//NoExecute/30+N/Exists//NoExecute/60",
	"none",
	"U/Exists//NoExecute/0+N/Exists//NoExecute/20",
	"U/Exists//NoExecute/-5+N/Exists//NoExecute/",
	"U/Exists//NoExecute/+N/Exists//NoExecute/",
	"/Exists///",
	"U/Exists//NoSchedule/",
	"U/Equal/x/NoExecute/30+N/Exists//NoExecute/30",
	"U/Exists//NoExecute/45+/Exists///",
	"/Exists///+U/Exists//NoExecute/45",
	"U/Exists//NoExecute/90+N/Exists//NoExecute/90+k/Exists//NoExecute/15",
	"U/Exists//NoExecute/40+N/Exists//NoExecute/+k/Equal/v/NoExecute/",
	"U/Exists//NoExecute/+N/Exists//NoExecute/25+k/Equal/v/NoExecute/70",
	"U//x/NoExecute/10+N///NoExecute/10",
	"U/Exists//NoExecute/300+N/Exists//NoExecute/300",
	"/Exists//NoExecute/35",
	"U/Exists///20+N/Equal///20",
	"U/Exists//NoExecute/7+N/Exists//NoExecute/9223372036854775807",
}

func (g *generator) makePods() {
	t := g.t
	for range rapid.IntRange(0, 14).Draw(t, "pods") {
		name := fmt.Sprintf("p%d", g.pods)
		g.pods++
		at := setup
		if g.chance("later", 3) {
			at = g.time()
		}
		line := fmt.Sprintf("pod %s node=%s tolerate=%s", name, pick(t, "on", g.nodes...), pick(t, "tolerations", tolerations...))
		line += pick(t, "pod ready", "", "", "", " ready=none", " ready=False", " phase=Succeeded")
		if g.collects && g.chance("unbound", 1) {
			line = fmt.Sprintf("pod %s tolerate=none phase=Pending", name)
		}
		g.add(at, "%s", line)
		if g.chance("edited", 2) {
			g.podIncident(name, max(at, 0)+time.Duration(rapid.IntRange(1, 200).Draw(t, "edit"))*time.Second)
		}
	}
}

func (g *generator) podIncident(name string, at time.Duration) {
	switch pick(g.t, "pod incident", "tolerate", "remove", "phase", "ready", "replace", "refuse", "deleted") {
	case "tolerate":
		g.add(at, "tolerate %s %s", name, pick(g.t, "tolerations", tolerations...))
	case "remove":
		g.add(at, "unpod %s", name)
	case "phase":
		g.add(at, "phase %s Failed", name)
	case "deleted":
		g.add(at, "unpodsoon %s", name)
	case "refuse":
		g.add(at/4, "refusepod %s", name)
		g.add(at, "refusepod %s no", name)
	case "ready":
		g.add(at, "podready %s", name)
	case "replace":
		g.add(at, "unpod %s", name)
		g.add(at, "pod %s node=%s tolerate=%s", name, pick(g.t, "on", g.nodes...), pick(g.t, "tolerations", tolerations...))
	}
}
