package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

// TestScripts reads lines and prints the Changes they become:
//
//	real LABEL…   lines of testdata/real.tsv.zst, by label
//	json          lines written here, each over several lines; an empty line parts them
//	raw           lines as quoted Go strings
//	reader        a new Reader, which knows nothing yet
//	log           what the Reader knows of the log as a whole
//
// go test ./sources/audit -run Scripts -rewrite writes the expected outputs anew.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata/script", func(t *testing.T, path string) {
		s := script{t: t, reader: NewReader(&object.Decoder{}, 0), real: map[string][]byte{}}
		for _, l := range loadReal(t) {
			s.real[l.label] = l.line
		}
		datadriven.RunTest(t, path, s.run)
	})
}

type script struct {
	t      *testing.T
	reader *Reader
	real   map[string][]byte
	number int
}

func (s *script) run(t *testing.T, d *datadriven.TestData) string {
	var out strings.Builder
	switch d.Cmd {
	case "reader":
		s.reader, s.number = NewReader(&object.Decoder{}, 0), 0
		return "ok\n"
	case "log":
		c := s.reader.Coverage()
		return fmt.Sprintf("from %s to %s, server %q\n", c.Earliest, c.Latest, s.reader.ServerVersion())
	case "real":
		for _, arg := range d.CmdArgs {
			line, ok := s.real[arg.Key]
			if !ok {
				d.Fatalf(t, "no real line is labelled %s", arg.Key)
			}
			s.line(&out, line)
		}
	case "json":
		for _, text := range strings.Split(d.Input, "\n\n") {
			var one bytes.Buffer
			if err := json.Compact(&one, []byte(text)); err != nil {
				d.Fatalf(t, "%v in %s", err, text)
			}
			s.line(&out, one.Bytes())
		}
	case "raw":
		for _, text := range strings.Split(d.Input, "\n") {
			line, err := strconv.Unquote(text)
			if err != nil {
				d.Fatalf(t, "%v in %s", err, text)
			}
			s.line(&out, []byte(line))
		}
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	return out.String()
}

func (s *script) line(out *strings.Builder, data []byte) {
	s.number++
	ch, err := s.reader.Line(input.Line{Data: bytes.Clone(data), Number: s.number})
	if ch == nil && err == nil {
		out.WriteString("nothing\n")
	}
	if ch != nil {
		show(out, ch)
	}
	if err != nil {
		fmt.Fprintf(out, "! %v\n", err)
	}
}

// show prints a Change so that it can be read beside its line.
func show(out *strings.Builder, ch *model.Change) {
	fmt.Fprintf(out, "%s %s: %s by %s, code %d", ch.Kind, ch.Key, ch.Op, ch.Writer, ch.Code)
	if ch.Previous != 0 || ch.Version != 0 {
		fmt.Fprintf(out, ", version %d → %d", ch.Previous, ch.Version)
	}
	if ch.UID.Known() {
		fmt.Fprintf(out, ", uid %.8s", ch.UID)
	}
	fmt.Fprintf(out, "\n  heard %s, written by %s\n", clock(ch.Arrival), clock(ch.Time.Latest))
	if ch.Lease != (model.Lease{}) {
		fmt.Fprintf(out, "  lease renewed %s, holder %s, %d s\n", clock(ch.Lease.Renewed), ch.Lease.Holder, ch.Lease.Seconds)
	}
	if n := ch.Node; n != nil {
		fmt.Fprintf(out, "  node in %s, unschedulable %t", n.Zone, n.Unschedulable)
		for _, c := range n.Conditions {
			if c.Type == "Ready" || c.Type == "MemoryPressure" {
				fmt.Fprintf(out, ", %s=%s (%s) since %s, posted %s", c.Type, c.Status, c.Reason, clock(c.Transition), clock(c.Heartbeat))
			}
		}
		out.WriteString("\n")
		for _, t := range n.Taints {
			fmt.Fprintf(out, "  taint %s:%s added %s\n", t.Key, t.Effect, clock(t.Added))
		}
	}
	if p := ch.Pod; p != nil {
		fmt.Fprintf(out, "  pod on %q, %s, ready %s since %s, %d tolerations", p.Node, p.Phase, p.Ready, clock(p.ReadySince), len(p.Tolerations.List()))
		if p.Disrupted.Known() {
			fmt.Fprintf(out, ", disrupted %s (%s)", clock(p.Disrupted), p.DisruptionReason)
		}
		if p.Deletion.Known() {
			fmt.Fprintf(out, ", deletion %s with %d s", clock(p.Deletion), p.GraceSeconds)
		}
		out.WriteString("\n")
	}
	if e := ch.Event; e != nil {
		fmt.Fprintf(out, "  event %s about %s %s: %q, %d×, by %s\n", e.Reason, e.Regarding.Kind, e.Regarding.Key, e.Message, e.Count, e.Component)
	}
	if ch.Patch != nil {
		fmt.Fprintf(out, "  patch %s\n", ch.Patch)
	}
	if ch.Note != "" {
		fmt.Fprintf(out, "  note: %s\n", ch.Note)
	}
}

// clock is the time of day.
func clock(t model.Instant) string {
	if !t.Bounded() {
		return t.String()
	}
	return t.Time().Format("15:04:05.999999")
}
