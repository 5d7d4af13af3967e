package topics_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"kardia/model"
	"kardia/model/explain/verdict"
	"kardia/ui/topics"
)

// TestVerdictFacts prints facts, which are written as the tests of model/explain/verdict write them: a code, then its
// values, name and text last.
func TestVerdictFacts(t *testing.T) {
	datadriven.RunTest(t, "testdata/verdict", func(t *testing.T, d *datadriven.TestData) string {
		var b strings.Builder
		for line := range strings.Lines(d.Input) {
			b.WriteString(topics.Fact(factIn(t, strings.TrimSpace(line))).String() + "\n")
		}
		return b.String()
	})
}

func factIn(t *testing.T, line string) *verdict.Fact {
	f := &verdict.Fact{}
	line, f.Text, _ = strings.Cut(line, "text=")
	line, f.Name, _ = strings.Cut(line, "name=")
	f.Name = strings.TrimSpace(f.Name)
	at := func(text string) model.Instant {
		if text == "future" {
			return model.FarFuture
		}
		clock, err := time.Parse("15:04:05Z", text)
		if err != nil {
			t.Fatal(err)
		}
		return model.At(time.Date(2026, 11, 20, clock.Hour(), clock.Minute(), clock.Second(), 0, time.UTC))
	}
	for i, word := range strings.Fields(line) {
		name, value, is := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "node":
			f.Node = value
		case "nodes":
			f.Nodes = n
		case "by":
			f.Said.By = map[string]model.Writer{"kubelet": model.WriterKubelet, "person": model.WriterPerson}[value]
			for f.Said.By == model.WriterUnknown && f.By.String() != value {
				f.By++
			}
		case "n":
			f.N = n
		case "of":
			f.Of = n
		case "others":
			f.Others = n
		case "others-of":
			f.OthersOf = n
		case "at":
			f.At = at(value)
		case "to":
			f.To = at(value)
		case "for":
			f.For, _ = time.ParseDuration(value)
		default:
			if is || i > 0 {
				t.Fatalf("%s in %q", word, line)
			}
			f.Code = verdict.Code(word)
		}
	}
	return f
}

// Parts with one state and the same reasons are one line; which of several open parts failed is not known.
func TestVerdictCauses(t *testing.T) {
	because := []verdict.Fact{{Code: "status-after-lease", Node: "a-1"}}
	v := verdict.Verdict{Causes: []verdict.Cause{{Part: verdict.Machine, State: verdict.Excluded, Because: because}, {Part: verdict.Network, State: verdict.Excluded, Because: because}, {Part: verdict.Process}, {Part: verdict.Credentials}}}
	var lines []string
	for _, say := range append(topics.Causes(v.Causes), topics.NotAsked(&v)...) {
		lines = append(lines, say.String())
	}
	want := "machine, network: excluded; a-1: its status was posted at ?, after its lease was last renewed\nkubelet, credentials: open\nkubelet or credentials: no object in the API server distinguishes them"
	if got := strings.Join(lines, "\n"); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
