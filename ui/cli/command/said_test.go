package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneAnswerOfAKubeletThatSpokeLast: a person wrote that b-000 is not ready, and its kubelet fell silent with that. Who said
// it, since when it is silent, when its grace period ends and what would come if it returned is one answer, wherever it is asked.
func TestOneAnswerOfAKubeletThatSpokeLast(t *testing.T) {
	t.Parallel()
	const from = "../../../sources/open/testdata/incidents/notready"
	watched := t.TempDir()
	for _, name := range []string{"events", "leases", "nodes", "pods"} {
		data, err := os.ReadFile(filepath.Join(from, name+".watch.jsonl.zst"))
		ok(t, err)
		put(t, filepath.Join(watched, name+".watch.jsonl.zst"), data)
	}
	const at = " --at 2026-11-21T05:14:40Z"
	for command, wants := range map[string][]string{
		"report " + watched: {"A person, not its kubelet, set b-000 not ready, at 05:14:02Z.", "last seen at 2026-11-21 05:13:56Z",
			"after 2m31s of silence", "| Taint delay | node tainted NoExecute − declared Unknown | 1 | 0.0 s | – | – | 0.0 s | 0 |"},
		"margin " + watched:                                             {"2m31s    b-000   2026-11-21T05:13:56.197Z to "},
		"verdict " + watched + at:                                       {"only node b-000 is silent", "renewed last at 05:13:56Z", "not ready, set by kubectl-patch (managedFields), not its own kubelet, since 05:14:02Z: PLEG is not healthy"},
		"why " + watched + " --node b-000" + at:                         {"observed not ready, set by kubectl-patch (managedFields), not its own kubelet (last write 2026-11-21T05:14:02Z), since 2026-11-21T05:14:02Z: KubeletNotReady: PLEG", "the grace period ends in 11s to 22.2s", "after a status the lease counts once more"},
		"get nodes -o wide " + watched + at:                             {"NotReady   38s    43s         renewTime"},
		"replay " + watched + " --once --size 120x36" + at:              {"is not ready, set by a person, not its kubelet: KubeletNotReady; silent for 43s", "oldest 43s, its grace of 50s ends in 0:11–0:23", "0:11–0:23    b-000"},
		"replay " + watched + " --once --size 120x36 --node b-000" + at: {"SILENT FOR 43s", "grace 50s ends in 0:11–0:23", "not ready, set by kubectl-patch (managedFields)"},
	} {
		holdsWords(t, reportOf(t, command).out, wants...)
	}
	returns := kardiaIn(t.Context(), nil, "kardia", "whatif", watched, "--edit", "return b-000 2026-11-21T05:14:40Z", "--from", "2026-11-21T05:14:40Z").out
	holdsWords(t, returns, "in the branch 0", "posts Ready, whatever it posted last")
}

// holdsWords checks that words are in a text, however far they stand apart in it.
func holdsWords(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, want := range words {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}
