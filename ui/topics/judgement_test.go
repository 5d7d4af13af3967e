package topics_test

import (
	"os"
	"regexp"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/ui/topics"
)

// What a judgement rests on, in a sentence with all its values.
func TestNote(t *testing.T) {
	noon := model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))
	for want, n := range map[string]infer.Note{
		"the phase of the monitor pass is fitted to 1 pass that left a trace":                                                                                                                          {Code: infer.PhaseFitted, N: 1},
		"the controller restarted 3 times: 1 shown by RegisteredNode for nodes it had known, 0 by the election of another leader, 2 by its own log":                                                    {Code: infer.RestartsSeen, N: 3, Counts: [3]int{1, 0, 2}},
		"kcm.log contains 40 times of passes and 1 start of the controller, by a clock that is 200ms to 300ms ahead of the API server's, by 3 writes":                                                  {Code: infer.LogUsed, Name: "kcm.log", Clock: history.Offset{Least: 200 * time.Millisecond, Most: 300 * time.Millisecond}, Counts: [3]int{40, 1, 3}},
		"no Lease was seen between 2026-03-14T12:00:00Z and 2026-03-14T12:00:30Z: acts in that time are known from later changes, and silence in it is not judged":                                     {Code: infer.NotSeen, Name: "Lease", Since: noon, Until: noon.Add(30 * time.Second)},
		"not recorded, but 4 writes are explained only if it holds (H1, or H2): kube-controller-manager restarted, after nothing had been done since 2026-03-14T12:00:00Z, about 2026-03-14T12:00:09Z": {Code: infer.Supposed, N: 4, Name: "H1", At: noon.Add(9 * time.Second), Or: []string{"H2"}, Of: &infer.Note{Code: "restarted-idle", Since: noon}},
		"2 deletions fell due on 1 node, from 2026-03-14T12:00:00Z on, and no taint eviction was seen at all":                                                                                          {Code: "fell-due", N: 2, Counts: [3]int{1}, Since: noon},
	} {
		if got := topics.Note(&n).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Each code has a sentence.
func TestEveryNote(t *testing.T) {
	code := regexp.MustCompile(`Code += "([^"]*)"`)
	for _, path := range []string{"../../model/infer/note.go", "../../model/infer/hypotheses/notes.go"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all := code.FindAllStringSubmatch(string(text), -1)
		if len(all) < 20 {
			t.Errorf("%s: %d codes", path, len(all))
		}
		for _, m := range all {
			is := infer.Note{Code: infer.Code(m[1]), Name: "a"}
			if m[1] == "-idle" {
				is.Code = "restarted-idle"
			}
			if got := topics.Note(&is).String(); got == "judgement."+m[1] {
				t.Errorf("%s: %s has no sentence", path, m[1])
			}
		}
	}
}
