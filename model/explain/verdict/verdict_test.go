package verdict

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
)

// now is the instant that the scripts speak of.
var now = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestVerdict runs the scripts in testdata: what is known of nodes and leaders at an instant, and whose
// fault that is. All times are ages.
//
//	judge [capture] [watched] [glanced] [blind=CODE] [unled=DURATION] [do]
//	nodes PREFIX×COUNT [zone=] [silent=DURATION] [apart=DURATION] [says=Ready|NotReady|Unknown] [declared=DURATION]
//	      [posted=DURATION] [kubelet=VERSION] [rack=NAME] [unseen=yes] [beats=DURATION] [stepped=DURATION] [behind=DURATION] [refused=N] [why=WORDS]
//	      [leases=no] [denied=CODE] [words=WORDS] [answered=DURATION] [event=REASON] [taint=KEY] [provider=ID] [ip=ADDRESS] [made=DURATION] [posted=never] [by=person]
//	leader NAME age=DURATION [unseen=DURATION] [confirmed=yes] [released=yes]
//	overdue NODE since=DURATION
//
// Nodes of one line fell silent apart from one another, all in all; beats says since when they have
// beaten without a pause. In WORDS an underscore is a blank.
func TestVerdict(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			e := &Evidence{At: now, View: View{Watched: d.HasArg("watched"), Glanced: d.HasArg("glanced")}, history: !d.HasArg("capture"), stepped: map[string]time.Duration{}}
			d.MaybeScanArgs(t, "blind", (*string)(&e.Blind.Code))
			var unled string
			if d.MaybeScanArgs(t, "unled", &unled); unled != "" {
				since, err := time.ParseDuration(unled)
				if err != nil {
					t.Fatal(err)
				}
				e.unled = now.Add(-since)
			}
			for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				read(t, e, line)
			}
			var b strings.Builder
			for _, v := range Of(e) {
				fmt.Fprintf(&b, "%s [%d]", v.Rule.Number(), len(v.Nodes))
				for _, r := range v.Or {
					fmt.Fprintf(&b, " (or %s)", r)
				}
				b.WriteString("\n")
				do := v.Do
				if !d.HasArg("do") {
					do = nil
				}
				for _, part := range []struct {
					sign string
					list []Fact
				}{{"!", v.Says}, {"+", v.For}, {"-", v.Against}, {"?", v.Missing}, {"$", do}} {
					for _, f := range part.list {
						fmt.Fprintf(&b, "  %s %s\n", part.sign, written(f))
					}
				}
				for _, c := range v.Causes {
					fmt.Fprintf(&b, "  ~ %s: %s\n", c.Part, c.State)
					for _, f := range c.Because {
						fmt.Fprintf(&b, "    %s\n", written(f))
					}
				}
				for _, s := range v.Shared {
					fmt.Fprintf(&b, "  = %s %s: %d of %d, %d of %d others\n", s.Trait, s.Value, s.Bad, s.BadOf, s.Others, s.OthersOf)
				}
			}
			if b.Len() == 0 {
				return "nothing is wrong\n"
			}
			return b.String()
		})
	})
}

// written is a fact's code and values. The tests of ui/topics read it.
func written(f Fact) string {
	text := string(f.Code)
	for _, v := range []struct {
		name  string
		value any
		is    bool
	}{
		{"node", f.Node, f.Node != ""}, {"nodes", f.Nodes, f.Nodes != 0}, {"n", f.N, f.N != 0}, {"of", f.Of, f.Of != 0}, {"others", f.Others, f.Others != 0},
		{"others-of", f.OthersOf, f.OthersOf != 0}, {"at", f.At.Clock(), f.At.Known()}, {"to", f.To.Clock(), f.To.Known()}, {"for", f.For, f.For != 0},
		{"by", f.Said.By, f.Said != model.Said{}}, {"by", f.By, f.By != 0}, {"name", f.Name, f.Name != ""}, {"text", f.Text, f.Text != ""},
	} {
		if v.is {
			text += fmt.Sprintf(" %s=%v", v.name, v.value)
		}
	}
	return strings.TrimSpace(text)
}

// read adds what a line says.
func read(t *testing.T, e *Evidence, line string) {
	t.Helper()
	words, args := strings.Fields(line), map[string]string{}
	for _, w := range words[2:] {
		key, value, _ := strings.Cut(w, "=")
		args[key] = strings.ReplaceAll(value, "_", " ")
	}
	age := func(arg string, none time.Duration) time.Duration {
		text, ok := args[arg]
		if !ok {
			return none
		}
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if words[0] == "leader" {
		e.leaders = append(e.leaders, leader{name: words[1], age: age("age", 0), unseen: age("unseen", age("age", 0)), glimpsed: e.Glanced, confirmed: args["confirmed"] == "yes", released: args["released"] == "yes"})
		return
	}
	if words[0] == "overdue" {
		since := now.Add(-age("since", 0))
		e.Overdue.Since = since
		e.Overdue.Decisions = append(e.Overdue.Decisions, model.Decision{Kind: model.MarkUnknown, Node: words[1], Time: since})
		return
	}
	prefix, of, _ := strings.Cut(words[1], "×")
	count, err := strconv.Atoi(of)
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	for i := range count {
		n := &node{name: fmt.Sprintf("%s%d", prefix, i), why: args["why"]}
		n.object = &model.Node{KubeletVersion: args["kubelet"]}
		if args["unseen"] != "" {
			n.object, n.health = nil, model.HealthUnseen
			e.nodes = append(e.nodes, n)
			n.age, n.last = model.Ages{Age: model.Some(age("silent", 3*time.Second)), From: model.AgeHeard}, now.Add(-age("silent", 3*time.Second))
			n.leased = n.last
			continue
		}
		if zone, ok := args["zone"]; ok {
			n.object.Zone = model.ZoneKey{Zone: zone}
			n.zone = model.Some(n.object.Zone)
		}
		if rack, ok := args["rack"]; ok {
			n.object.Details = model.PackNode(model.Detail{Name: "label example.com/rack", Value: rack})
		}
		silent := age("silent", 3*time.Second)
		if count > 1 {
			silent -= age("apart", 0) * time.Duration(i) / time.Duration(count-1)
		}
		n.age = model.Ages{Age: model.Some(silent), From: model.AgeHeard}
		if e.Glanced {
			n.age.From = model.AgeRenewTime
		}
		if by := age("behind", 0); by != 0 {
			n.age.Skew = model.Some(-by)
		}
		n.last = now.Add(-silent)
		if args["leases"] == "no" {
			n.age.From, n.last = model.AgeStatus, 0
		} else {
			n.age.Lease, n.leased = n.age.Age, n.last
		}
		n.said = model.Said{By: model.WriterKubelet}
		if args["by"] == "person" {
			n.said = model.Said{By: model.WriterPerson}
		}
		n.health = map[string]model.Health{"": model.HealthReady, "Ready": model.HealthReady, "NotReady": model.HealthNotReady, "Unknown": model.HealthUnknown}[args["says"]]
		n.declaredAt = now.Add(-age("declared", 0))
		if args["posted"] != "never" {
			n.posted = now.Add(-age("posted", silent))
		}
		refused, _ := strconv.Atoi(args["refused"])
		n.refused = uint32(refused)
		if code, _ := strconv.Atoi(args["denied"]); code != 0 {
			attempt := model.Change{Op: model.OpAttempt, Code: int16(code), Note: args["words"]}
			last, _ := attempt.Refused()
			n.answers = answers{Refusal: last, at: now.Add(-age("answered", 5*time.Second)), times: max(refused, 1)}
		}
		if args["started"] != "" {
			n.started = now.Add(-age("started", 0))
		}
		if reason := args["event"]; reason != "" {
			n.events = append(n.events, &model.Event{Reason: reason, Last: n.last.Add(20 * time.Second), Message: "as it was said", Component: "kubelet"})
		}
		if key := args["taint"]; key != "" {
			n.object.Taints = append(n.object.Taints, model.Taint{Key: key, Effect: model.NoSchedule})
		}
		if made := age("made", 0); made > 0 {
			n.object.Created = now.Add(-made)
		}
		if args["posted"] == "never" {
			n.age, n.last, n.posted = model.Ages{}, 0, 0
			n.object.Conditions = []model.Condition{{Type: model.ConditionReady, Status: model.StatusUnknown, Reason: model.ReasonNeverUpdated, Heartbeat: n.object.Created}}
		}
		n.object.ProviderID = args["provider"]
		if ip := args["ip"]; ip != "" {
			n.object.Details.Own += model.Details("address InternalIP=" + ip)
		}
		for at := now.Add(-age("beats", 0)); at <= n.last; at = at.Add(10 * time.Second) {
			n.beats = append(n.beats, at)
		}
		if by := age("stepped", 0); by > 0 {
			e.stepped[n.name] = by
		}
		e.nodes = append(e.nodes, n)
	}
}

// Others that run on nodes tell that they start, too: that says nothing of the kubelet.
func TestWhoStarted(t *testing.T) {
	for component, want := range map[string]bool{"kubelet": true, "kube-proxy": false, "": false} {
		if got := tellsOfMachine(&model.Event{Reason: "Starting", Component: component}); got != want {
			t.Errorf("Starting by %q: %v", component, got)
		}
	}
	if !tellsOfMachine(&model.Event{Reason: "DeletingNode", Component: "cloud-node-lifecycle-controller"}) {
		t.Error("what the cloud's controller says is not told")
	}
}

// TestLeadersThatNobodyWatches: how old their leases are is not known where that watch alone is broken, but of those that
// were heard since.
func TestLeadersThatNobodyWatches(t *testing.T) {
	of := func(broke model.Instant) (names []string) {
		e := &Evidence{At: now, View: View{LeadersUnwatched: broke}, leaders: []leader{{name: model.ControllerManager, age: 95 * time.Second}, {name: model.Scheduler, age: time.Second}}}
		e.withoutLeaders()
		for _, l := range e.leaders {
			names = append(names, l.name)
		}
		return names
	}
	all := []string{model.ControllerManager, model.Scheduler}
	for broke, want := range map[model.Instant][]string{0: all, now.Add(-90 * time.Second): {model.Scheduler}, now: nil, now.Add(time.Second): all} {
		if got := of(broke); !slices.Equal(got, want) {
			t.Errorf("broken since %v: %v, want %v", broke, got, want)
		}
	}
}
