package command

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kardia/ui/paint"
)

// fact is a node as get nodes -o json has it.
type fact struct {
	Name          string
	Zone          *string
	Ready         *string
	ReadySince    time.Time
	ReadyObserved struct{ Earliest time.Time }
	AgeSeconds    *float64
	RenewTime     time.Time
	Unschedulable *bool
	Taints        []struct {
		Key, Effect string
		TimeAdded   time.Time
	}
	Conditions []struct {
		Type, Status, Reason string
		Since                time.Time
	}
	LeaseDurationSeconds *int
	Pods                 int
}

// facts are what JSON says of an instant, to be found again in frames.
type facts struct {
	At    time.Time
	Nodes []fact
	Pods  []struct{ Name, Node string }
}

// word is the node's state as screens spell it.
func (f *fact) word() string {
	if f.Ready == nil {
		return "lease-only"
	}
	return map[string]string{"True": "Ready", "False": "NotReady", "Unknown": "Unknown", "NoStatus": "NoStatus"}[*f.Ready]
}

func (f *fact) zone() string {
	switch {
	case f.Zone == nil:
		return "zone unknown"
	case *f.Zone == "":
		return "none"
	}
	return *f.Zone
}

func seconds(s float64) time.Duration { return time.Duration(s*1000+0.5) * time.Millisecond }

func (f *fact) age() string {
	if f.AgeSeconds == nil {
		return "?"
	}
	return paint.Duration(seconds(*f.AgeSeconds))
}

func (fs *facts) since(t time.Time) string {
	if t.IsZero() {
		return "?"
	}
	return paint.Duration(fs.At.Sub(t))
}

// scene is a recording at an instant.
type scene struct{ path, at string }

func (s scene) facts(t *testing.T) *facts {
	t.Helper()
	var fs facts
	for _, what := range []string{"nodes", "pods"} {
		got := kardiaIn(context.Background(), nil, "kardia", "get", what, s.path, "--at", s.at, "-o", "json")
		if err := json.Unmarshal([]byte(got.out), &fs); err != nil {
			t.Fatalf("%v: %v; %s", s, err, got.err)
		}
	}
	return &fs
}

func (s scene) frame(t *testing.T, args ...string) []string {
	t.Helper()
	got := kardiaIn(context.Background(), nil, "kardia", append([]string{"replay", s.path, "--at", s.at}, args...)...)
	if got.code != OK {
		t.Fatalf("%v %v: exit %d, %s", s, args, got.code, got.err)
	}
	lines := strings.Split(got.out, "\n")
	for i := range lines { // what stands in panes, without their borders
		lines[i] = strings.TrimSuffix(strings.ReplaceAll(strings.TrimPrefix(lines[i], "│ "), "││", "  "), "│")
	}
	return lines
}

// TestFramesSayWhatJSONSays reads every age, count and state back out of the frames, and
// finds those that -o json has for the same instant.
func TestFramesSayWhatJSONSays(t *testing.T) {
	t.Parallel()
	audit := "../../../sources/demo/zone-outage/audit.log.zst"
	for _, s := range []scene{
		{"demo:zone-outage", "+10s"}, {"demo:zone-outage", "+75s"}, {"demo:zone-outage", "+200s"}, {"demo:zone-outage", "-1s"},
		{"demo:node-loss", "+95s"}, {"demo:node-loss", "+180s"}, {audit, "+120s"},
		{"demo:all-dark", "+60s"}, {"demo:all-dark", "+150s"}, {"demo:all-dark", "+345s"},
	} {
		t.Run(strings.TrimPrefix(s.path, "../../../sources/demo/")+s.at, func(t *testing.T) {
			fs := s.facts(t)
			for _, size := range []string{"120x46", "200x60"} {
				frame := s.frame(t, "--size", size)
				fs.checkSummary(t, frame)
				fs.checkFleetZones(t, frame)
				fs.checkFleetRows(t, frame)
			}
			fs.checkZones(t, s.frame(t, "--view", "zones", "--size", "120x36"))
			some := map[string]int{} // three nodes of each state
			for i := range fs.Nodes {
				f := &fs.Nodes[i]
				if some[f.word()]++; some[f.word()] <= 3 || cordoned(f) {
					fs.checkNode(t, f, s.frame(t, "--node", f.Name, "--size", "200x60"))
				}
			}
		})
	}
}

// count is how many nodes say a word.
func count(nodes []fact, keep func(*fact) bool) int {
	n := 0
	for i := range nodes {
		if keep(&nodes[i]) {
			n++
		}
	}
	return n
}

func says(word string) func(*fact) bool { return func(f *fact) bool { return f.word() == word } }

// seen is when something began that is declared to have begun at some time: not before Ready was
// seen to say something else.
func (f *fact) seen(declared time.Time) time.Time {
	if observed := f.ReadyObserved.Earliest; observed.Sub(declared) > time.Second {
		return observed
	}
	return declared
}

func cordoned(f *fact) bool { return f.Unschedulable != nil && *f.Unschedulable }

// numberBefore is the number before a word in a line; -1 if the word is not there.
func numberBefore(line, word string) int {
	m := regexp.MustCompile(`(\d+) ` + word + `(\s|$)`).FindStringSubmatch(line)
	if m == nil {
		return -1
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

func (fs *facts) checkSummary(t *testing.T, frame []string) {
	t.Helper()
	line := ""
	for _, l := range frame {
		if strings.Contains(l, " nodes  ") && strings.Contains(l, "[1 Fleet]") {
			line = l
		}
	}
	for word, want := range map[string]int{
		"nodes": len(fs.Nodes), "ready": count(fs.Nodes, says("Ready")), "unknown": count(fs.Nodes, says("Unknown")),
		"not ready": count(fs.Nodes, says("NotReady")), "cordoned": count(fs.Nodes, cordoned), "pods": len(fs.Pods),
	} {
		if got := max(numberBefore(line, word), 0); got != want { // where there is little room, what is 0 is left out
			t.Errorf("%d %s, want %d, in %q", got, word, want, line)
		}
	}
	if unseen := count(fs.Nodes, says("lease-only")); unseen > 0 && max(numberBefore(line, "without Node object"), numberBefore(line, "without object")) != unseen {
		t.Errorf("%d unseen are not in %q", unseen, line)
	}
}

// zones groups the nodes as screens do.
func (fs *facts) zones() map[string][]fact {
	zones := map[string][]fact{}
	for _, n := range fs.Nodes {
		zones[n.zone()] = append(zones[n.zone()], n)
	}
	return zones
}

// oldestAndMedian are over the ages that are known.
func oldestAndMedian(nodes []fact) (oldest, median string) {
	var ages []float64
	for _, n := range nodes {
		if n.AgeSeconds != nil {
			ages = append(ages, *n.AgeSeconds)
		}
	}
	if len(ages) == 0 {
		return "?", "?"
	}
	slices.Sort(ages)
	return paint.Duration(seconds(ages[len(ages)-1])), paint.Duration(seconds(ages[(len(ages)-1)/2]))
}

var zoneRow = regexp.MustCompile(`^[▌ ](\S+(?: \S+)*)\s{2,}(\d+) \S+(?:\s{2,}.*)?$`)
var zoneDetail = regexp.MustCompile(`ready \S+%?(?:\s+unknown (\d+))?(?:\s+not ready (\d+))?(?:\s+queue \d+)?(?:\s+unseen \d+)?(?:\s+oldest (\S+)(?:\s+median (\S+))?)?`)

// checkFleetZones reads the two lines that each zone has on the fleet screen.
func (fs *facts) checkFleetZones(t *testing.T, frame []string) {
	t.Helper()
	found := 0
	zones := fs.zones()
	for i, line := range frame[:len(frame)-1] {
		head := zoneRow.FindStringSubmatch(strings.TrimRight(line, " "))
		detail := zoneDetail.FindStringSubmatch(frame[i+1])
		if head == nil || detail == nil {
			continue
		}
		nodes := zones[head[1]]
		oldest, median := oldestAndMedian(nodes)
		got := strings.Join(append(head[2:], detail[1:]...), " ")
		counted := func(n int) string {
			if n == 0 {
				return "" // what is not there is not counted
			}
			return strconv.Itoa(n)
		}
		want := strings.Join([]string{strconv.Itoa(len(nodes)), counted(count(nodes, says("Unknown"))), counted(count(nodes, says("NotReady"))), oldest, median}, " ")
		if !strings.HasPrefix(want, strings.TrimRight(got, " ")) { // what has no room is left out whole
			t.Errorf("zone %s: %q, want %q", head[1], got, want)
		}
		found++
	}
	if found != len(zones) {
		t.Errorf("%d zones of %d in\n%s", found, len(zones), strings.Join(frame, "\n"))
	}
}

var fleetRow = regexp.MustCompile(`^[▌ ] (\S+)\s+\S+\s+(Ready|NotReady|Unknown|Never|unseen)( ⊘)?\s+(?:[█▒░►]+\s+)?(-?\d\S*|\?)\s+(\S*)`)

// foldedRow is the row of several nodes that say the same.
var foldedRow = regexp.MustCompile(`^[▌ ]›(?:\S+ … \S+, )?(\d+)(?: nodes)? `)

// checkFleetRows reads the table of nodes on the fleet screen.
func (fs *facts) checkFleetRows(t *testing.T, frame []string) {
	t.Helper()
	byName := map[string]*fact{}
	for i := range fs.Nodes {
		byName[fs.Nodes[i].Name] = &fs.Nodes[i]
	}
	rows := 0
	for _, line := range frame {
		if m := foldedRow.FindStringSubmatch(line); m != nil {
			n, _ := strconv.Atoi(m[1])
			rows += n
			continue
		}
		m := fleetRow.FindStringSubmatch(line)
		if m == nil || byName[m[1]] == nil {
			continue
		}
		rows++
		f := byName[m[1]]
		if m[2] != f.word() || (m[3] != "") != cordoned(f) || m[4] != f.age() {
			t.Errorf("%q; JSON says %s, age %s", line, f.word(), f.age())
		}
		if f.word() == "Unknown" || f.word() == "NotReady" {
			if m[5] != fs.since(f.seen(f.ReadySince)) {
				t.Errorf("%q; JSON says for %s", line, fs.since(f.seen(f.ReadySince)))
			}
		}
	}
	// Nodes that need attention are all there; what is not there is counted.
	rest := 0
	for _, line := range frame {
		rest = max(rest, numberBefore(line, "more need no attention"))
	}
	// If nobody needs attention the screen says so in words.
	if rows > 0 && rows+rest != len(fs.Nodes) {
		t.Errorf("%d rows and %d more are not %d nodes:\n%s", rows, rest, len(fs.Nodes), strings.Join(frame, "\n"))
	}
	if silent := count(fs.Nodes, says("Unknown")); rows < silent {
		t.Errorf("%d rows, though %d nodes are Unknown", rows, silent)
	}
}

// checkZones reads the table of the zones screen by its headings.
func (fs *facts) checkZones(t *testing.T, frame []string) {
	t.Helper()
	columns := regexp.MustCompile(`\s{2,}`)
	var head []string
	zones, found := fs.zones(), 0
	for _, line := range frame {
		cells := columns.Split(strings.TrimSpace(strings.TrimPrefix(line, "▌")), -1)
		if cells[0] == "ZONE" {
			head = cells
			continue
		}
		nodes, ok := zones[cells[0]]
		if head == nil || !ok || len(cells) < len(head)-1 {
			continue
		}
		found++
		oldest, median := oldestAndMedian(nodes)
		want := map[string]string{"NODES": strconv.Itoa(len(nodes)), "READY": strconv.Itoa(count(nodes, says("Ready"))),
			"UNKNOWN": strconv.Itoa(count(nodes, says("Unknown"))), "NOT READY": strconv.Itoa(count(nodes, says("NotReady"))),
			"NOSTATUS": strconv.Itoa(count(nodes, says("NoStatus"))), "CORDONED": strconv.Itoa(count(nodes, cordoned)), "OLDEST": oldest, "MEDIAN": median}
		for i, name := range head {
			if w, ok := want[name]; ok && cells[i] != w {
				t.Errorf("zone %s: %s is %s, want %s", cells[0], name, cells[i], w)
			}
		}
	}
	if found != len(zones) {
		t.Errorf("%d zones of %d in\n%s", found, len(zones), strings.Join(frame, "\n"))
	}
}

// checkNode finds everything that JSON says of a node on its own screen.
func (fs *facts) checkNode(t *testing.T, f *fact, frame []string) {
	t.Helper()
	text := strings.Join(frame, "\n")
	expect := func(pattern string, args ...any) {
		t.Helper()
		for i, a := range args {
			if s, ok := a.(string); ok {
				args[i] = regexp.QuoteMeta(s)
			}
		}
		if want := fmt.Sprintf(pattern, args...); !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("%s: %s is not in\n%s", f.Name, want, text)
		}
	}
	expect(`SILENT FOR %s\s`, f.age())
	if !f.RenewTime.IsZero() {
		expect(`renewTime %s`, f.RenewTime.Truncate(100*time.Millisecond).Format("15:04:05.0"))
	}
	if f.LeaseDurationSeconds != nil {
		expect(`duration %ss`, strconv.Itoa(*f.LeaseDurationSeconds))
	}
	if f.Ready == nil {
		return
	}
	expect(`%s for %s\s`, f.word(), fs.since(f.seen(f.ReadySince)))
	for _, c := range f.Conditions {
		since := c.Since
		if c.Type != "NetworkUnavailable" { // all others change with Ready in these recordings
			since = f.seen(since)
		}
		reason := c.Reason
		if c.Status != "Unknown" { // conditions with one history are one row, which has a reason if they have the same
			reason = ""
		}
		expect(`(?m)^[ ▌] .*%s.* %s\s+%s\s+%s`, strings.TrimSuffix(c.Type, "Pressure"), c.Status, fs.since(since), reason)
	}
	expect(`Taints %s\s`, strconv.Itoa(len(f.Taints)))
	for _, taint := range f.Taints {
		expect(`%s:%s\s+%s\s`, strings.TrimPrefix(taint.Key, "node.kubernetes.io/"), taint.Effect, fs.since(taint.TimeAdded))
	}
	expect(`Pods %s\s`, strconv.Itoa(f.Pods))
	if cordoned(f) {
		expect(`⊘ cordoned`)
	}
	for _, p := range fs.Pods {
		if p.Node == f.Name {
			expect(`%s`, p.Name)
		}
	}
}
