package command

import "testing"

// A name is one word, whatever is in it.
func TestLine(t *testing.T) {
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"kubectl", "get", "node", "ip-10-0-1-7.eu-west-1.compute.internal"}, "kubectl get node ip-10-0-1-7.eu-west-1.compute.internal"},
		{[]string{"kubectl", "taint", "nodes", "a", "node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"}, "kubectl taint nodes a node.kubernetes.io/out-of-service=nodeshutdown:NoExecute"},
		{[]string{"ssh", "a; rm -rf /"}, "ssh 'a; rm -rf /'"},
		{[]string{"ssh", "it's"}, `ssh 'it'\''s'`},
		{[]string{"ssh", ""}, "ssh ''"},
		{[]string{"ssh", "a\nb", "$(id)", "`id`", "ä"}, "ssh 'a\nb' '$(id)' '`id`' 'ä'"},
	} {
		if got := Line(c.words...); got != c.want {
			t.Errorf("%q is %s, want %s", c.words, got, c.want)
		}
	}
}

func TestIs(t *testing.T) {
	for line, want := range map[string]bool{"kubectl get nodes": true, "ssh a 'x'": true, "look at the console": false, "": false} {
		if Is(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
