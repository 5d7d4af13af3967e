package open

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/model/history/historytest"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// TestScenarios runs the scripts in testdata/scenarios: files are written down, opened in both orders, and the result
// is printed.
//
//	file NAME     the file's content; \x1b, \x00 and the like stand for bytes
//	open          every Change with its time, then coverage, gaps, problems, what was skipped
//	nodes         the nodes at the end of coverage
func TestScenarios(t *testing.T) {
	datadriven.Walk(t, "testdata/scenarios", func(t *testing.T, path string) {
		var files []input.File
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "file":
				f := inputtest.File(d.CmdArgs[0].Key, unescape(d.Input))
				f.Named = !d.HasArg("found")
				files = append(files, f)
				return "ok"
			case "forget":
				files = nil
				return "ok"
			case "open":
				forwards := described(files, false)
				backwards := slices.Clone(files)
				slices.Reverse(backwards)
				if again := described(backwards, true); again != described(files, true) {
					return "the order of the files matters:\n" + forwards + "\nbackwards:\n" + again
				}
				return forwards
			}
			t.Fatalf("unknown command %q", d.Cmd)
			return ""
		})
	})
}

func unescape(text string) []byte {
	return []byte(strings.NewReplacer(`\x1b`, "\x1b", `\x00`, "\x00", `\xff`, "\xff", `\n$`, "").Replace(text))
}

// clock prints the time of day, which is all that differs in these scripts.
func clock(i model.Instant) string {
	if !i.Bounded() {
		return i.String()
	}
	return i.Time().Format("15:04:05.999")
}

func described(files []input.File, changesOnly bool) string {
	o, err := openFiles(context.Background(), files, Options{})
	if err != nil {
		return "error: " + err.Error()
	}
	var b strings.Builder
	first, end := o.History.Span()
	for at := first; at < end; {
		page := o.History.PageAt(at)
		changes, err := historytest.ReadChanges(o.History, page)
		if err != nil {
			return "error: " + err.Error()
		}
		for i := range changes {
			printChange(&b, &changes[i])
		}
		at = page.End
	}
	c := o.History.Coverage()
	fmt.Fprintf(&b, "coverage %s … %s\n", clock(c.Earliest), clock(c.Latest))
	if changesOnly {
		return b.String()
	}
	for _, g := range o.History.Gaps() {
		fmt.Fprintf(&b, "gap %s … %s %s\n", clock(g.Earliest), clock(g.Latest), g.Why)
	}
	for _, s := range o.History.Sources() {
		if s.Changes+len(s.Problems) == 0 {
			continue
		}
		fmt.Fprintf(&b, "source %s: %s, %d changes, %s … %s\n", s.Path, s.Format, s.Changes, clock(s.Coverage.Earliest), clock(s.Coverage.Latest))
		for _, p := range s.Problems {
			fmt.Fprintf(&b, "problem %s\n", p)
		}
	}
	if len(o.Skipped) > 0 {
		fmt.Fprintf(&b, "skipped %s\n", strings.Join(o.Skipped, ", "))
	}
	if o.Partial {
		b.WriteString("partial\n")
	}
	return b.String()
}

func printChange(b *strings.Builder, ch *model.Change) {
	fmt.Fprintf(b, "%s %s %s %q v%d  written %s … %s (%s)", clock(ch.Effective()), ch.Kind, ch.Op, ch.Key.String(), ch.Version,
		clock(ch.Time.Earliest), clock(ch.Time.Latest), ch.Quality)
	if ch.Arrival.Known() {
		fmt.Fprintf(b, "  arrived %s", clock(ch.Arrival))
	}
	if ch.Writer != model.WriterUnknown {
		fmt.Fprintf(b, "  by %s", ch.Writer)
	}
	if ch.Note != "" {
		fmt.Fprintf(b, "  %q", ch.Note)
	}
	b.WriteByte('\n')
}
