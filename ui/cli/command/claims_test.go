package command

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
	"kardia/model"
)

// unearned are the claims that are known to be made without being earned, with the reason why they still are.
var unearned = []struct{ line, says, why string }{
	{"replay --once", "nothing due", "the headline of the screens does not ask whether pods were listed"},
}

// TestEveryClaimIsEarned runs the commands on a random part of a random scenario. Truth is known from the whole scenario, and
// what was seen from how the part was taken: package caveat is not asked. No output may claim more than the part can show.
func TestEveryClaimIsEarned(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); checks.Value.String() == checks.DefValue {
		if err := checks.Value.Set("8"); err != nil { // each runs sixteen commands
			t.Fatal(err)
		}
		defer func() { _ = checks.Value.Set(checks.DefValue) }()
	}
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp(folder, "")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		d := drawScenario(t)
		c := &claims{t: t, truth: d, part: drawPart(t, d, dir)}
		c.nodes(c.run("get nodes -o json"))
		c.zones(c.run("get zones -o json"))
		c.check(c.run("check"))
		c.pods("get pods", model.KindPod)
		evicted := []model.Kind{model.KindPod, model.KindNode}
		if strings.HasPrefix(c.part.what, "audit") { // every node that is not well is written to
			evicted = evicted[:1]
		}
		c.pods("get evictions", evicted...)
		c.pods("get impact", evicted...)
		for _, line := range []string{"verdict", "report", "verify", "margin", "why --node a-1", "get nodes", "replay --once"} {
			c.words(line, c.run(line))
		}
	})
}

// claims holds what the commands print against the truth and against what was seen.
type claims struct {
	t     *rapid.T
	truth *drawn
	part  *seen
	at    model.Instant
}

func (c *claims) run(line string) result {
	got := kardiaIn(context.Background(), nil, "kardia", append(strings.Fields(line), c.part.paths...)...)
	if got.code != OK && got.code != Found && got.code != Partial && !(got.code == Misused && strings.Contains(got.err, "a-1")) {
		c.wrong(line, got, "exit code %d", got.code)
	}
	return got
}

func (c *claims) wrong(line string, got result, format string, args ...any) {
	c.t.Helper()
	c.t.Fatalf("%s of %s: %s\n%s\nkardia %s %s\n%s%s", line, c.part.what, fmt.Sprintf(format, args...), c.truth.text, line, strings.Join(c.part.paths, " "), got.err, got.out)
}

// partial wants exit code 4 if all of some kinds was not seen.
func (c *claims) partial(line string, got result, kinds ...model.Kind) {
	c.t.Helper()
	if !c.part.lately(c.at, kinds...) && got.code != Partial {
		c.wrong(line, got, "exit code %d, and not all of %v was seen at %s", got.code, kinds, c.at)
	}
}

// near says whether something was true at the time shown, or within the two seconds to which stamps in files bound it.
func (c *claims) near(holds func(at model.Instant) bool) bool {
	return holds(c.at) || holds(c.at.Add(-2*time.Second)) || holds(c.at.Add(time.Second))
}

// beat is when a node was heard last, truly.
func (c *claims) beat(by model.Instant, name string) (at model.Instant) {
	for i := range c.truth.changes {
		ch := &c.truth.changes[i]
		if ch.Arrival <= by && ch.Key.Name == name && ch.Op != model.OpAttempt && (ch.Kind == model.KindNodeLease || ch.Kind == model.KindNode) && ch.Writer == model.WriterKubelet {
			if ch.Op == model.OpBaseline {
				at = max(at, ch.Lease.Renewed)
			} else if ch.Op != model.OpDelete {
				at = ch.Arrival
			}
		}
	}
	return at
}

// trouble says that a node is silent, not Ready or Unknown, truly.
func (c *claims) trouble(state *model.Cluster) string {
	for row := range state.Nodes {
		switch {
		case row.Node == nil:
		case row.Node.Ready() == nil || row.Node.Ready().Status != model.StatusTrue:
			return row.Name + " is not Ready"
		case c.at.Sub(c.beat(c.at, row.Name)) > 45*time.Second:
			return row.Name + " is silent"
		}
	}
	return ""
}

func alive(state *model.Cluster) (n int) {
	for row := range state.Nodes {
		if row.Node != nil {
			n++
		}
	}
	return n
}

// ready is the Ready condition of a node.
func ready(state *model.Cluster, name string) string {
	if row := state.Node(name); row != nil && row.Node != nil && row.Node.Ready() != nil {
		return row.Node.Ready().Status.String()
	}
	return ""
}

func (c *claims) nodes(got result) {
	var out struct {
		At    time.Time
		Nodes []struct {
			Name, Ready, AgeFrom  string
			AgeSeconds            *float64
			AgeAtLeast, AgeAtMost bool
		}
	}
	c.decode("get nodes -o json", got, &out)
	c.at = model.At(out.At).Add(time.Millisecond) // files have microseconds at best
	c.partial("get nodes -o json", got, model.KindNode)
	whole := got.code == OK && c.part.watchedTo(c.at, model.KindNode)
	if whole && !c.near(func(at model.Instant) bool { return alive(c.truth.at(at)) == len(out.Nodes) }) {
		c.wrong("get nodes -o json", got, "%d nodes, and there are %d", len(out.Nodes), alive(c.truth.at(c.at)))
	}
	for _, n := range out.Nodes {
		if whole && !c.near(func(at model.Instant) bool { return ready(c.truth.at(at), n.Name) == n.Ready }) {
			c.wrong("get nodes -o json", got, "%s is %q, not %q", n.Name, ready(c.truth.at(c.at), n.Name), n.Ready)
		}
		_, posts := c.part.upTo[model.KindNode] // else nothing shows statuses that are posted without renewals
		if n.AgeSeconds == nil || !c.beat(c.at, n.Name).Known() || !posts && !strings.HasPrefix(c.part.what, "audit") {
			continue
		}
		if c.part.what == "watch files that end" && !c.part.watchedTo(c.at, model.KindNode) {
			continue // a kubelet that may not renew posts its status, and the file does not show that its watch ended
		}
		if !c.near(func(at model.Instant) bool {
			off := 3.
			if c.part.what == "watch files that end" { // an end is seen only by the next renewal that is missing
				off += 15
			}
			age, is := c.at.Sub(c.beat(at, n.Name)).Seconds(), *n.AgeSeconds
			switch {
			case n.AgeAtMost:
				return age <= is+off
			case n.AgeAtLeast:
				return n.AgeFrom == "status" || age >= is-off
			}
			return math.Abs(age-is) <= off
		}) {
			c.wrong("get nodes -o json", got, "%s was heard at %s, not %.1f s before %s (at most %v, at least %v)", n.Name, c.beat(c.at, n.Name), *n.AgeSeconds, c.at, n.AgeAtMost, n.AgeAtLeast)
		}
	}
}

func (c *claims) zones(got result) {
	var out struct {
		Zones []struct {
			Zone, State string
			Nodes       int
		}
	}
	c.decode("get zones -o json", got, &out)
	c.partial("get zones -o json", got, model.KindNode)
	in := func(at model.Instant, zone string) (all, ready int) {
		for row := range c.truth.at(at).Nodes {
			if row.Node != nil && row.Node.Zone.Zone == zone {
				all++
				if r := row.Node.Ready(); r != nil && r.Status == model.StatusTrue {
					ready++
				}
			}
		}
		return all, ready
	}
	for _, z := range out.Zones {
		if got.code == OK && c.part.watchedTo(c.at, model.KindNode) && !c.near(func(at model.Instant) bool { all, _ := in(at, z.Zone); return all == z.Nodes }) {
			c.wrong("get zones -o json", got, "zone %s does not have %d nodes", z.Zone, z.Nodes)
		}
		if _, ready := in(c.at, z.Zone); z.State == "FullDisruption" && ready > 0 && !c.part.lately(c.at, model.KindNode) {
			c.wrong("get zones -o json", got, "%d nodes of zone %s are Ready", ready, z.Zone)
		}
	}
}

var okNodes = regexp.MustCompile(`(?m)^OK +(\d+) nodes?`)

func (c *claims) check(got result) {
	c.partial("check", got, model.KindNode, model.KindNodeLease)
	m := okNodes.FindStringSubmatch(got.out)
	if m == nil {
		return
	}
	if !c.part.lately(c.at, model.KindNode, model.KindNodeLease) {
		c.wrong("check", got, "not all nodes were seen lately")
	}
	if !c.part.watchedTo(c.at, model.KindNode) {
		return
	}
	if !c.near(func(at model.Instant) bool { return m[1] == fmt.Sprint(alive(c.truth.at(at))) }) {
		c.wrong("check", got, "there are %d nodes", alive(c.truth.at(c.at)))
	}
	if !c.near(func(at model.Instant) bool { return c.trouble(c.truth.at(at)) == "" }) {
		c.wrong("check", got, "%s", c.trouble(c.truth.at(c.at)))
	}
}

func (c *claims) pods(line string, kinds ...model.Kind) {
	text, data := c.run(line), c.run(line+" -o json")
	c.partial(line, text, kinds...)
	c.partial(line+" -o json", data, kinds...)
}

// summaries are sentences that speak of all there is, by the kinds of which all must have been seen.
var summaries = []struct {
	says  *regexp.Regexp
	kinds []model.Kind
}{
	{regexp.MustCompile(`no fault found|no node is silent`), []model.Kind{model.KindNode, model.KindNodeLease}},
	{regexp.MustCompile(`all nodes were Ready`), []model.Kind{model.KindNode, model.KindNodeLease}},
	{regexp.MustCompile(`nothing due|no eviction pending|no pods pending`), []model.Kind{model.KindNode, model.KindPod}},
}

// words looks for sentences that were not earned.
func (c *claims) words(line string, got result) {
	for _, s := range summaries {
		if said := s.says.FindString(got.out); said != "" && !c.known(line, said) {
			if !c.part.lately(c.at, s.kinds...) {
				c.wrong(line, got, "%q, and not all of %v was seen", said, s.kinds)
			}
			if s.kinds[1] == model.KindNodeLease && c.part.watchedTo(c.at, model.KindNode) && !c.near(func(at model.Instant) bool { return c.trouble(c.truth.at(at)) == "" }) {
				c.wrong(line, got, "%q, and %s", said, c.trouble(c.truth.at(c.at)))
			}
		}
	}
}

// known says that a claim is one of unearned.
func (c *claims) known(line, said string) bool {
	for _, u := range unearned {
		if u.line == line && u.says == said {
			c.t.Logf("%s: %q is not earned: %s", line, said, u.why)
			return true
		}
	}
	return false
}

func (c *claims) decode(line string, got result, to any) {
	if err := json.Unmarshal([]byte(got.out), to); err != nil {
		c.wrong(line, got, "%v", err)
	}
}
