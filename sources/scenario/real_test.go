package scenario

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
)

// plays is how many seeds of a scenario a recording is compared with, slack how late a request of the recorded cluster
// may be: it ran on two busy cores.
const (
	plays = 40
	slack = 1500 * time.Millisecond
)

// TestRecordingsOfARealCluster compares the recordings in testdata/real with plays of the same scenario. A recording is
// one line an event: seconds since the fault, the event, and after "<" the earlier event that causes it (none: the
// fault). The plays must have as many of each event, and the time from the cause to the event must be one of theirs.
// So the tolerance is that of the simulation: none where a rule is exact, and the period where a phase is random. With
// "~" before the cause the time is no evidence, because no part of Kubernetes decides it, and only the order counts.
func TestRecordingsOfARealCluster(t *testing.T) {
	datadriven.Walk(t, "testdata/real", func(t *testing.T, path string) {
		var played [][]event
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "scenario" {
				s, err := Parse("file", d.Input)
				if err != nil {
					t.Fatal(err)
				}
				var fault string
				d.ScanArgs(t, "at", &fault)
				at, err := time.ParseDuration(fault)
				if err != nil {
					t.Fatal(err)
				}
				played = playEvents(s, s.Start.Add(at))
				return ""
			}
			recorded, err := readEvents(d.Input)
			if err != nil {
				t.Fatal(err)
			}
			differs := compare(t, recorded, played)
			if len(differs) > 0 && !d.HasArg("differs") {
				t.Errorf("%s: the simulation differs from a real cluster", d.Pos)
			}
			return fmt.Sprintf("%d of %d events agree\n%s", len(recorded)-len(differs), len(recorded), strings.Join(differs, ""))
		})
	})
}

// event is something that happened, so named that its k-th occurrence is the same in every play.
type event struct {
	at          time.Duration
	what, cause string
	// loose: only the order of cause and event counts.
	loose bool
}

func readEvents(text string) (list []event, err error) {
	for lines := bufio.NewScanner(strings.NewReader(text)); lines.Scan(); {
		at, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		seconds, err := strconv.ParseFloat(at, 64)
		if err != nil {
			return nil, err
		}
		what, cause, _ := strings.Cut(strings.TrimSpace(rest), " < ")
		e := event{at: time.Duration(seconds * float64(time.Second)), what: strings.TrimSpace(what)}
		e.cause, e.loose = strings.CutPrefix(strings.TrimSpace(cause), "~ ")
		list = append(list, e)
	}
	return list, nil
}

// playEvents plays a scenario with several seeds.
func playEvents(s *Scenario, fault model.Instant) (list [][]event) {
	for seed := range uint64(plays) {
		r := &reader{pods: map[model.Key]*model.Pod{}, nodes: map[string]*model.Node{}, volumes: map[string]string{}, fault: fault}
		for i := range s.Workloads {
			r.workloads = append(r.workloads, s.Workloads[i].Key.Name)
		}
		s.Play(Play{Seed: seed + 1, Hear: func(ch *model.Change) bool {
			r.hear(ch)
			return true
		}})
		list = append(list, r.events)
	}
	return list
}

// compare returns a line for each recorded event that the plays do not have, or have at other times.
func compare(t *testing.T, recorded []event, played [][]event) (differs []string) {
	count := map[string]int{}
	for i, e := range recorded {
		count[e.what]++
		from, to := time.Duration(math.MaxInt64), time.Duration(math.MinInt64)
		for _, list := range played {
			if k := occurrence(list, e.what, count[e.what]); k >= 0 {
				gap := list[k].at - causedAt(list, k, e.cause)
				from, to = min(from, gap), max(to, gap)
			}
		}
		gap := e.at - causedAt(recorded, i, e.cause)
		line := fmt.Sprintf("%7.1fs %s < %s: ", gap.Seconds(), e.what, cmp.Or(e.cause, "the fault"))
		switch {
		case to < from:
			line += "never in the plays\n"
			differs = append(differs, line)
		default:
			line += fmt.Sprintf("%.1fs..%.1fs in the plays\n", from.Seconds(), to.Seconds())
			if !e.loose && (gap < from-slack || gap > to+slack) {
				differs = append(differs, line)
			}
		}
		t.Log(strings.TrimSpace(line))
	}
	return append(differs, miscounted(count, played)...)
}

// miscounted returns a line for each event that occurs more, or less often in every play than in the recording.
func miscounted(recorded map[string]int, played [][]event) (differs []string) {
	least, most := map[string]int{}, map[string]int{}
	for i, list := range played {
		count := map[string]int{}
		for _, e := range list {
			count[e.what]++
			most[e.what] = max(most[e.what], count[e.what])
		}
		for what := range most {
			if least[what] = min(least[what], count[what]); i == 0 {
				least[what] = count[what]
			}
		}
	}
	for what := range most {
		if n := recorded[what]; n < least[what] || n > 0 && n > most[what] {
			differs = append(differs, fmt.Sprintf("%d × %s: %d to %d in the plays\n", n, what, least[what], most[what]))
		}
	}
	slices.Sort(differs)
	return differs
}

func occurrence(list []event, what string, k int) int {
	for i, e := range list {
		if e.what == what {
			if k--; k == 0 {
				return i
			}
		}
	}
	return -1
}

// causedAt is when the last event of that name before the i-th happened; 0, the fault, if there is none.
func causedAt(list []event, i int, cause string) time.Duration {
	for i--; i >= 0 && cause != ""; i-- {
		if list[i].what == cause {
			return list[i].at
		}
	}
	return 0
}

// reader turns Changes into events. It names a pod by its workload, because the rest of its name is random.
type reader struct {
	fault     model.Instant
	workloads []string
	pods      map[model.Key]*model.Pod
	nodes     map[string]*model.Node
	volumes   map[string]string // the workload of each PersistentVolume
	events    []event
}

func (r *reader) add(ch *model.Change, format string, args ...any) {
	if at := ch.Arrival.Sub(r.fault); at >= 0 && ch.Op != model.OpBaseline {
		r.events = append(r.events, event{at: at, what: fmt.Sprintf(format, args...)})
	}
}

func (r *reader) workload(name string) string {
	for _, w := range r.workloads {
		if name == w || strings.HasPrefix(name, w+"-") {
			return w
		}
	}
	return name
}

func (r *reader) hear(ch *model.Change) {
	switch ch.Kind {
	case model.KindNode:
		r.node(ch, r.nodes[ch.Key.Name])
	case model.KindNodeLease:
		if ch.Op == model.OpAdd || ch.Op == model.OpDelete {
			r.add(ch, "lease %s %s", ch.Key.Name, done(ch.Op))
		}
	case model.KindPod:
		r.pod(ch, r.pods[ch.Key])
	case model.KindPersistentVolume:
		r.volumes[ch.Key.Name] = r.workload(ch.Related.Details.Value(model.DetailClaimOf)[len("default/data-"):])
	case model.KindVolumeAttachment:
		r.attachment(ch)
	case model.KindPodDisruptionBudget:
		d := ch.Related.Details
		r.add(ch, "budget %s healthy=%s expected=%s allowed=%s", ch.Key.Name, d.Value(model.DetailHealthy), d.Value(model.DetailExpected), d.Value(model.DetailAllowed))
	case model.KindEvent:
		if e := ch.Event; e.Reason == "FailedAttachVolume" {
			message, _, _ := strings.Cut(e.Message[strings.Index(e.Message, "Volume is"):], "pod(s) ")
			r.add(ch, "pod %s FailedAttachVolume: %s", r.workload(e.Regarding.Name), strings.TrimSpace(message))
		}
	}
}

func done(op model.Op) string {
	if op == model.OpAdd {
		return "created"
	}
	return "deleted"
}

func (r *reader) node(ch *model.Change, old *model.Node) {
	name, n := ch.Key.Name, ch.Node
	if ch.Op == model.OpDelete {
		delete(r.nodes, name)
		r.add(ch, "node %s deleted", name)
		return
	}
	r.nodes[name] = n
	if old == nil {
		r.add(ch, "node %s created", name)
		old = &model.Node{}
	}
	if n.Unschedulable != old.Unschedulable {
		r.add(ch, "node %s cordoned=%t", name, n.Unschedulable)
	}
	if ready := n.ReadyStatus(); ready != old.ReadyStatus() {
		r.add(ch, "node %s Ready=%s", name, ready)
	}
	r.taints(ch, "+", n.Taints, old.Taints)
	r.taints(ch, "-", old.Taints, n.Taints)
}

func (r *reader) taints(ch *model.Change, sign string, list, old []model.Taint) {
	for _, t := range list {
		if !slices.ContainsFunc(old, func(o model.Taint) bool { return o.Key == t.Key && o.Effect == t.Effect }) {
			r.add(ch, "node %s taint %s%s:%s", ch.Key.Name, sign, t.Key[strings.LastIndexByte(t.Key, '/')+1:], t.Effect)
		}
	}
}

func (r *reader) pod(ch *model.Change, old *model.Pod) {
	name, p := r.workload(ch.Key.Name), ch.Pod
	switch ch.Op {
	case model.OpAttempt:
		_, words, _ := strings.Cut(ch.Note, "TooManyRequests: ")
		r.add(ch, "pod %s refused %d: %s", name, ch.Code, words)
		return
	case model.OpDelete:
		delete(r.pods, ch.Key)
		r.add(ch, "pod %s gone", name)
		return
	}
	r.pods[ch.Key] = p
	if old == nil {
		r.add(ch, "pod %s created", name)
		old = &model.Pod{}
	}
	switch {
	case p.DisruptionReason != old.DisruptionReason && p.DisruptionReason == model.DisruptedByEviction:
		r.add(ch, "pod %s evicted", name) // the same request deletes it
	case p.DisruptionReason != old.DisruptionReason:
		r.add(ch, "pod %s %s", name, p.DisruptionReason)
	case p.Deletion.Known() && !old.Deletion.Known() && p.DisruptionReason != model.DisruptedByEviction:
		r.add(ch, "pod %s terminating", name)
	}
	if p.Node != old.Node {
		r.add(ch, "pod %s bound", name)
	}
	if p.Phase != old.Phase && p.Phase == model.PhaseFailed {
		r.add(ch, "pod %s Failed", name)
	}
	if p.Ready != old.Ready && (p.Ready == model.StatusTrue || old.Ready == model.StatusTrue) {
		r.add(ch, "pod %s Ready=%s", name, p.Ready)
	}
}

func (r *reader) attachment(ch *model.Change) {
	name, attached := r.volumes[ch.Related.Details.Value(model.DetailVolume)], ch.Related.Details.Value(model.DetailAttached) == "true"
	switch {
	case ch.Op == model.OpAdd:
		r.add(ch, "volume %s attaching", name)
	case ch.Op == model.OpDelete:
		r.add(ch, "volume %s detached", name)
	case ch.Related.Deleted.Known():
		r.add(ch, "volume %s detaching", name)
	case attached:
		r.add(ch, "volume %s attached", name)
	}
}
