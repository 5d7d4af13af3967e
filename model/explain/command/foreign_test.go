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

// wordsOf are the words that a shell makes of a line, in the order of its programs; no program is run.
func wordsOf(t *testing.T, line string) []string {
	t.Helper()
	stubs := "say() { cat; printf '%s\\0' \"$@\"; }\n"
	for _, program := range []string{"kubectl", "jq", "aws", "gcloud", "az", "openstack", "hcloud"} {
		stubs += program + "() { say " + program + " \"$@\"; }\n"
	}
	out, err := exec.Command("sh", "-c", stubs+line).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// A shell reads a command about any name as it reads one about a plain name: the name is never a flag, a program, or
// more than one word.
func TestForeignNames(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no sh")
	}
	const plain = "zz0"
	valued := map[string]bool{"-n": true, "--context": true}
	var want [][]string
	for _, line := range about(plain) {
		want = append(want, nil)
		if line != "" {
			want[len(want)-1] = wordsOf(t, line)
		}
	}
	for _, name := range foreign {
		for i, line := range about(name) {
			if line == "" {
				continue
			}
			got := wordsOf(t, line)
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
