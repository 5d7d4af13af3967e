package command

import (
	"os/exec"
	"strings"
	"testing"

	"kardia/model"
)

// foreign are names as files can hold them, and Kubernetes cannot.
var foreign = []string{"-o", "--all", "-f/etc/passwd", "--kubeconfig=/x", "-", "--", "$(id)", "`id`", "a;id", "a|id", "a && id", "a\nid", "it's", `"a"`, "a b", "*", "~root", "#a", "!!", "a,b", `a\`,
	"'", "''", "' | kubectl '", " | kubectl delete nodes --all", "'; kubectl get x '", `\' | kubectl `, "ä", "a=b", "{}", "$IFS", "\t", "\r", "a&", ">a", "(a)", "[a]"}

// about are all commands of this package about a name, in their order; "" for one that is refused.
func about(name string) (lines []string) {
	tolerated := model.Tolerations{{Key: model.TaintUnreachable, Operator: "Exists", Effect: model.NoExecute, Seconds: model.Some[int64](300)}}
	lines = append(lines, Line("kubectl", "delete", Object("node", name)), Spare(name), Spare(name, "b-1"),
		SparePod(&model.Pod{Key: model.Key{Namespace: name, Name: name}, Tolerations: &tolerated}))
	for _, id := range []string{"aws:///%/i-%", "gce://%/%/%", "azure:///%/%", "azure:///%/virtualMachineScaleSets/%", "openstack:///%", "hcloud://%", "%://%"} {
		line := MachineOf(&model.Node{ProviderID: strings.ReplaceAll(id, "%", name), Zone: model.ZoneKey{Region: name}}).Line
		if !Is(line) {
			line = ""
		}
		lines = append(lines, line)
	}
	for i := range lines {
		lines[i] = InContext(lines[i], "a's "+name)
	}
	return lines
}

// wordsOf are the words that a shell makes of lines, each in the order of its programs; no program is run. An empty line
// has none.
func wordsOf(t *testing.T, lines []string) (words [][]string) {
	t.Helper()
	script := "say() { cat; printf '%s\\0' \"$@\"; }\n"
	for _, program := range []string{"kubectl", "jq", "aws", "gcloud", "az", "openstack", "hcloud"} {
		script += program + "() { say " + program + " \"$@\"; }\n"
	}
	script += strings.Join(lines, "\nprintf '\\1'\n")
	out, err := exec.Command("sh", "-c", script).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", lines, err, out)
	}
	for _, said := range strings.Split(string(out), "\x01") {
		if said == "" {
			words = append(words, nil)
			continue
		}
		words = append(words, strings.Split(strings.TrimSuffix(said, "\x00"), "\x00"))
	}
	if len(words) != len(lines) {
		t.Fatalf("%d lines are %d: %q", len(lines), len(words), out)
	}
	return words
}

// A shell reads a command about any name as it reads one about a plain name: the name is never a flag, a program, or
// more than one word.
func TestForeignNames(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	const plain = "zz0"
	valued := map[string]bool{"-n": true, "--context": true}
	want := wordsOf(t, about(plain))
	for _, name := range foreign {
		lines := about(name)
		for i, got := range wordsOf(t, lines) {
			line := lines[i]
			if line == "" {
				continue
			}
			if want[i] == nil || len(got) != len(want[i]) {
				t.Errorf("%q: %s has %d words: %q", name, line, len(got), got)
				continue
			}
			for w, word := range got {
				wanted := strings.ReplaceAll(want[i][w], plain, name)
				escaped := strings.ContainsAny(wanted, "{[") || strings.HasPrefix(wanted, "spec.nodeName=") || strings.HasPrefix(wanted, "/")
				if word != wanted && !escaped {
					t.Errorf("%q: %s has the word %q, want %q", name, line, word, wanted)
				}
				if strings.HasPrefix(word, "-") && !strings.HasPrefix(want[i][w], "-") && !valued[got[w-1]] {
					t.Errorf("%q: %s has the flag %q", name, line, word)
				}
			}
		}
	}
}
