package reconstruct

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/internal/plain"
	"kardia/model"
)

// start is 12:00:00, from which the scripts count.
var start = model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))

// TestReconstruct runs the scripts in testdata: lists what a cluster held, and says what that tells.
//
//	listed [by=12:00:00]
//	node NAME [created=TIME] [ready=STATUS since=TIME reason=] [taint=KEY:EFFECT added=TIME]
//	lease NODE renewed=TIME
//	pod NAME on=NODE uid= [deletion=TIME grace=30] [disrupted=TIME reason=]
//	event REASON about=KIND/NAME by=COMPONENT first=TIME [last=TIME count=N] [exact=TIME] [message="…"]
//	leader NAME acquired=TIME
func TestReconstruct(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			s := script{t: t, by: model.FarFuture}
			if arg, ok := d.Arg("by"); ok {
				s.by = s.time(arg.Vals[0])
			}
			for _, line := range strings.Split(strings.TrimSpace(d.Input), "\n") {
				s.read(line)
			}
			var b strings.Builder
			for _, x := range From(slices.Values(s.listed)) {
				fmt.Fprintf(&b, "%s..%s %s %s", clock(x.Window.Earliest), clock(x.Window.Latest), x.Kind, x.Subject())
				if x.Pod != (model.Key{}) && x.Node != "" {
					fmt.Fprintf(&b, " on %s", x.Node)
				}
				if x.Outcome == model.Failed {
					b.WriteString(" failed")
				}
				fmt.Fprintf(&b, ": %s", plain.Reason(x.Why))
				if len(x.Causes) > 0 {
					b.WriteString(" (and what led to it)")
				}
				b.WriteByte('\n')
				if x.Basis != model.Reconstructed || x.Time != x.Window.Earliest || len(x.Inputs) == 0 {
					t.Errorf("%s %s: basis %s, time %s, %d inputs", x.Kind, x.Subject(), x.Basis, x.Time, len(x.Inputs))
				}
			}
			return b.String()
		})
	})
}

func clock(i model.Instant) string {
	return strings.TrimSuffix(i.Time().Format("15:04:05.000"), ".000")
}

// script is the lists of one command.
type script struct {
	t      *testing.T
	by     model.Instant
	listed []Listed
}

func (s *script) time(text string) model.Instant {
	at, err := time.Parse("15:04:05.999999999", text)
	if err != nil {
		s.t.Fatal(err)
	}
	return start.Add(time.Duration(at.Hour()-12)*time.Hour + time.Duration(at.Minute())*time.Minute + time.Duration(at.Second())*time.Second + time.Duration(at.Nanosecond()))
}

// words are the arguments of a line; a value with blanks stands between quotes.
func (s *script) words(line string) (kind, name string, args map[string]string) {
	args = map[string]string{}
	fields := []string{""}
	quoted := false
	for _, r := range line {
		switch {
		case r == '"':
			quoted = !quoted
		case r == ' ' && !quoted:
			fields = append(fields, "")
		default:
			fields[len(fields)-1] += string(r)
		}
	}
	for _, f := range fields[2:] {
		key, value, ok := strings.Cut(f, "=")
		if !ok {
			s.t.Fatalf("%q is no argument", f)
		}
		args[key] = value
	}
	return fields[0], fields[1], args
}

func (s *script) read(line string) {
	kind, name, args := s.words(line)
	at := func(arg string) (i model.Instant) {
		if text, ok := args[arg]; ok {
			i = s.time(text)
		}
		return i
	}
	ch := &model.Change{Key: model.Key{Name: name}, Op: model.OpBaseline}
	switch kind {
	case "node":
		ch.Kind, ch.Node = model.KindNode, &model.Node{Created: at("created")}
		if status, ok := args["ready"]; ok {
			ch.Node.Conditions = []model.Condition{{Type: model.ConditionReady, Status: model.ParseStatus(status), Transition: at("since"), Reason: args["reason"]}}
		}
		if taint, ok := args["taint"]; ok {
			key, word, _ := strings.Cut(taint, ":")
			effect, _ := model.ParseEffect(word)
			ch.Node.Taints = []model.Taint{{Key: key, Effect: effect, Added: at("added")}}
		}
	case "lease":
		ch.Kind, ch.Key.Namespace, ch.Lease = model.KindNodeLease, model.NodeLeaseNamespace, model.Lease{Renewed: at("renewed")}
	case "leader":
		ch.Kind, ch.Lease = model.KindLeaderLease, model.Lease{Acquired: at("acquired")}
	case "pod":
		ch.Kind, ch.Key.Namespace = model.KindPod, "default"
		grace, _ := strconv.Atoi(args["grace"])
		ch.Pod = &model.Pod{Key: ch.Key, UID: model.ParseUID(args["uid"], func(text string) *string { return &text }), Node: args["on"], Created: at("created"),
			Deletion: at("deletion"), GraceSeconds: int32(grace), Disrupted: at("disrupted"), DisruptionReason: args["reason"]}
	case "event":
		about, of, _ := strings.Cut(args["about"], "/")
		ch.Kind, ch.Key.Name = model.KindEvent, of
		if exact := at("exact"); exact.Known() {
			ch.Key.Name = fmt.Sprintf("%s.%x", of, int64(exact))
		}
		count, _ := strconv.Atoi(args["count"])
		ch.Event = &model.Event{Reason: name, Component: args["by"], Message: args["message"], Count: int32(count), First: at("first"), Last: at("last"),
			Regarding: model.Reference{Kind: about, Key: model.Key{Name: of}}}
		if about == "Pod" {
			ch.Event.Regarding.Namespace = "default"
		}
	default:
		s.t.Fatalf("%q is nothing that can be listed", kind)
	}
	s.listed = append(s.listed, Listed{Change: ch, Position: len(s.listed), By: s.by})
}
