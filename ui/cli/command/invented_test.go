package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// toldNode is what is printed of a node that the whole recording may know better.
type toldNode struct {
	Name           string
	UID            *string
	AgeSeconds     *float64
	AgeAtMost      bool
	AgeAtLeast     bool
	LastKnownSince *time.Time
	Taints         []struct{ Key, Effect string }
}

// checkNodes compares taints and ages with those that the whole recording tells, in the middle of the
// outage and shortly before its end, unless it is said that they are the last that is known. truths are
// what the whole recording tells, by incident and instant.
func checkNodes(t *testing.T, of, args string, truths map[string]map[string]toldNode) {
	t.Helper()
	for _, at := range []string{whileSilent[of].at, whileSilent[of].later} {
		told := func(args string) map[string]toldNode {
			var out struct{ Nodes []toldNode }
			if got := kardia(t, nil, "get nodes -o json --at "+at+" "+args); got.code == OK || got.code == Partial {
				ok(t, json.Unmarshal([]byte(got.out), &out))
			} // else the input does not speak of that instant
			nodes := map[string]toldNode{}
			for _, n := range out.Nodes {
				nodes[n.Name] = n
			}
			return nodes
		}
		if truths[of+at] == nil {
			truths[of+at] = told("demo:" + of)
		}
		truth := truths[of+at]
		for name, n := range told(args) {
			is, there := truth[name]
			if !there {
				t.Errorf("%s: no such node %s", at, name)
				continue
			}
			if n.UID != nil && n.LastKnownSince == nil && fmt.Sprint(n.Taints) != fmt.Sprint(is.Taints) {
				t.Errorf("%s: %s has %v, and had %v", at, name, n.Taints, is.Taints)
			}
			if n.AgeSeconds != nil && is.AgeSeconds != nil && !n.AgeAtMost && *n.AgeSeconds > *is.AgeSeconds+2 {
				t.Errorf("%s: %s was heard %.1f s ago, and %.1f s in truth", at, name, *n.AgeSeconds, *is.AgeSeconds)
			}
		}
	}
}

// whileSilent are instants at which nodes are silent and pods are about to be deleted, soon and later, and
// until when nothing hinders that.
var whileSilent = map[string]struct{ at, later, until string }{
	"zone-outage": {"2026-11-20T23:54:02Z", "2026-11-20T23:56:31Z", "2026-11-20T23:56:50Z"},
	"node-loss":   {"2026-11-20T23:44:53Z", "2026-11-20T23:49:03Z", "2026-11-20T23:50:30Z"},
	"all-dark":    {"2026-11-21T00:08:35Z", "2026-11-21T00:09:30Z", "2026-11-21T00:10:10Z"},
}

// aboutToBeDeclared is a node of each incident, and an instant at which it is soon declared Unknown.
var aboutToBeDeclared = map[string]struct{ node, at string }{
	"zone-outage": {"b-003", "2026-11-20T23:53:20Z"},
	"node-loss":   {"ip-10-0-2-003", "2026-11-20T23:44:05Z"},
	"all-dark":    {"p-000", "2026-11-21T00:07:31Z"},
}

// checkWhyNot compares when a node is said to be declared Unknown, if it is, with when it was.
func checkWhyNot(t *testing.T, of, args string, truth []toldDecision) {
	t.Helper()
	node, at := aboutToBeDeclared[of].node, aboutToBeDeclared[of].at
	var out struct {
		WhyNot []toldDecision
	}
	if got := kardia(t, nil, "why -o json --node "+node+" --at "+at+" "+args); got.out != "" {
		ok(t, json.Unmarshal([]byte(got.out), &out))
	} // else the input does not speak of that instant, or of the node
	for _, d := range out.WhyNot {
		if d.Kind != "MarkUnknown" || d.Window.Earliest == nil {
			continue
		}
		i := slices.IndexFunc(truth, func(is toldDecision) bool { return is.Kind == d.Kind && is.Node != nil && *is.Node == node })
		if is := truth[i].Window; is.Latest.Before(*d.Window.Earliest) || d.Window.Latest != nil && d.Window.Latest.Before(*is.Earliest) {
			t.Errorf("%s: %s is declared Unknown between %v and %v, and was at %v", at, node, d.Window.Earliest, d.Window.Latest, is.Earliest)
		}
	}
}

// checkEvictions compares the deletions that are promised, and the windows of those that came, with those
// that the whole recording tells.
func checkEvictions(t *testing.T, of, asked, args string, truth []toldDecision) {
	t.Helper()
	during := whileSilent[of]
	if asked != "" {
		during.at = asked
	}
	var out struct {
		Evictions []struct {
			Namespace, Pod, State string
			Earliest, Latest      *time.Time
			Certain               bool
		}
	}
	if got := kardia(t, nil, "get evictions -o json --at "+during.at+" "+args); got.out != "" && (got.code == OK || got.code == Partial) {
		ok(t, json.Unmarshal([]byte(got.out), &out))
	} // else the input does not speak of that instant, or of pods
	at, err := time.Parse(time.RFC3339, during.at)
	ok(t, err)
	until, err := time.Parse(time.RFC3339, during.until)
	ok(t, err)
	for _, e := range out.Evictions {
		name := e.Namespace + "/" + e.Pod
		i := slices.IndexFunc(truth, func(d toldDecision) bool { return d.Kind == "EvictPod" && d.Pod != nil && *d.Pod == name })
		switch {
		case e.Earliest == nil:
		case i < 0 || truth[i].Window.Latest.Before(at.Add(-nearby)):
			if e.Certain && e.Latest != nil && e.Latest.Before(until) {
				t.Errorf("%s: %s is promised to be deleted by %v, and is not", during.at, name, e.Latest)
			}
		case truth[i].Window.Latest.Add(nearby).Before(*e.Earliest) || e.Latest != nil && e.Latest.Add(nearby).Before(*truth[i].Window.Earliest):
			t.Errorf("%s: %s is deleted between %v and %v, and was at %v", during.at, name, e.Earliest, e.Latest, truth[i].Window.Latest)
		}
	}
}

// toldDecision is a decision as it is printed.
type toldDecision struct {
	ID                   string
	Kind, Outcome, Basis string
	Node, Pod            *string
	Zone                 *string
	Window               struct{ Earliest, Latest *time.Time }
}

func decisionsIn(t *testing.T, got result) (did []toldDecision) {
	t.Helper()
	var out struct{ Decisions []toldDecision }
	if err := json.Unmarshal([]byte(got.out), &out); err != nil {
		t.Fatalf("%v in %.300s, %s", err, got.out, got.err)
	}
	for _, d := range out.Decisions {
		if d.Outcome == "did" {
			did = append(did, d)
		}
	}
	return did
}

// String is what was decided, when, and about what.
func (d toldDecision) String() string {
	text := d.Kind
	for _, s := range []*string{d.Node, d.Pod, d.Zone} {
		if s != nil {
			text += " " + *s
		}
	}
	return fmt.Sprintf("%s between %v and %v", text, d.Window.Earliest, d.Window.Latest)
}

// nearby is how far apart in time two accounts of one decision may be.
const nearby = 6 * time.Second

// among says whether a list holds the decision, at about the same time.
func (d toldDecision) among(list []toldDecision) bool {
	same := func(a, b *string) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	for _, is := range list {
		unplaced := d.Pod != nil && d.Node == nil // a pod that is gone: an Event does not tell where it ran
		if is.Kind != d.Kind || !unplaced && !same(is.Node, d.Node) || !same(is.Pod, d.Pod) {
			continue
		}
		if d.Window.Earliest == nil || d.Window.Latest == nil || is.Window.Earliest == nil ||
			!d.Window.Latest.Add(nearby).Before(*is.Window.Earliest) && !is.Window.Latest.Add(nearby).Before(*d.Window.Earliest) {
			return true
		}
	}
	return false
}

// checkAges compares the ages of heartbeats with what they were when the capture was taken.
func (c *partial) checkAges(t *testing.T, p *pieces, got result) {
	t.Helper()
	var out struct {
		Nodes []struct {
			Name, AgeFrom string
			AgeSeconds    *float64
			AgeAtLeast    bool
		}
	}
	if err := json.Unmarshal([]byte(got.out), &out); err != nil {
		t.Fatalf("%v in %.300s, %s", err, got.out, got.err)
	}
	if c.taken == "" {
		return
	}
	taken, err := time.Parse(time.RFC3339, c.taken)
	ok(t, err)
	told := strings.Contains(c.what, "it is said when")
	for _, n := range out.Nodes {
		if n.AgeSeconds == nil {
			continue
		}
		if n.AgeAtLeast == told {
			t.Errorf("%s: at least %v", n.Name, n.AgeAtLeast)
		}
		var last time.Time
		for i := range p.events["leases"] {
			if e := &p.events["leases"][i]; strings.HasSuffix(e.key, "/"+n.Name) && e.renewed() <= c.taken {
				last, _ = time.Parse(time.RFC3339Nano, e.renewed())
			}
		}
		if age := taken.Sub(last).Seconds(); n.AgeFrom == "renewTime" && *n.AgeSeconds > age+.01 {
			t.Errorf("%s: %.1f s old, and was %.1f s at most", n.Name, *n.AgeSeconds, age)
		}
	}
}
