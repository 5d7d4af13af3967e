package open

import (
	"os"
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/history"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

func describedText(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile("../read/describe/testdata/alpha-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// rowOf opens files, and shows a node as it was at the end.
func rowOf(t *testing.T, name string, files ...input.File) (*Opened, *model.NodeRow) {
	t.Helper()
	o, err := openFiles(t.Context(), files, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.Close)
	cursor := history.NewCursor(o.History)
	if err := cursor.Seek(o.History.Coverage().Latest); err != nil {
		t.Fatal(err)
	}
	return o, cursor.State().Row(name)
}

// TestWhatKubectlDescribes is a capture of one node, of the time that the ages in it show, and no list of nodes.
func TestWhatKubectlDescribes(t *testing.T) {
	o, row := rowOf(t, "alpha-1", inputtest.File("node.txt", []byte("```\n"+describedText(t)+"```\n")))
	sources := o.History.Sources()
	if row == nil || row.Node == nil || len(row.Node.Taints) != 2 || sources[0].Format != "describe" || o.Partial {
		t.Fatalf("%+v of %+v", row, sources)
	}
	at := o.History.Coverage().Latest
	if at.String() != "2026-01-05T10:00:05Z" {
		t.Errorf("captured %s", at)
	}
	if age := row.AgesAsOf(history.AsOf(o.History, at)); age.Age.Value.String() != "5m16s" || !age.AtLeast {
		t.Errorf("%+v", age)
	}
	if caveat.Listed(sources, model.KindNode) || !history.ByName(sources, model.KindNode) {
		t.Error("one node is taken for all")
	}
}

// TestASingleObjectIsNoList: a Node that was asked for by its name is not the cluster; several, a file each, are a bundle.
func TestASingleObjectIsNoList(t *testing.T) {
	one, _ := rowOf(t, "n1", inputtest.File("one.json", []byte(nodeText(1))))
	list, _ := rowOf(t, "n0", inputtest.File("list.json", []byte(listText(1, ","))))
	bundle, _ := rowOf(t, "n1", inputtest.File("nodes/n1.json", []byte(nodeText(1))), inputtest.File("nodes/n2.json", []byte(nodeText(2))))
	for what, c := range map[string]struct {
		o      *Opened
		listed bool
	}{"an object": {one, false}, "a list of one": {list, true}, "a bundle": {bundle, true}} {
		if got := caveat.Listed(c.o.History.Sources(), model.KindNode); got != c.listed {
			t.Errorf("%s: listed %v", what, got)
		}
	}
}

// TestADescriptionBesideTheObjects adds nothing to them that contradicts them: it is part of their capture.
func TestADescriptionBesideTheObjects(t *testing.T) {
	list := strings.ReplaceAll(listText(3, ","), "2026-11-20T12:00:00Z", "2026-01-05T10:00:00Z")
	list = strings.ReplaceAll(list, "2026-11-20T10:00:00Z", "2026-01-01T00:00:00Z")
	o, row := rowOf(t, "n0", inputtest.File("a/list.json", []byte(list)), inputtest.File("a/node.txt", []byte(describedText(t))))
	if captures := history.Captures(o.History.Sources()); len(captures) != 1 {
		t.Errorf("%d captures", len(captures))
	}
	if row == nil || row.Node == nil || !caveat.Listed(o.History.Sources(), model.KindNode) {
		t.Errorf("%+v", row)
	}
}

// TestPastesOfTables are refused with the command, wherever in a text they are.
func TestPastesOfTables(t *testing.T) {
	for _, text := range []string{
		"my nodes:\n\n```\n$ kubectl get nodes\nNAME    STATUS     ROLES    AGE   VERSION\nip-1   NotReady   <none>   3d   v1.36.3\n```\n",
		"> NAME    STATUS     ROLES    AGE   VERSION   INTERNAL-IP\n> ip-1   NotReady   <none>   3d   v1.36.3   192.0.2.1\n",
	} {
		for _, named := range []bool{true, false} { // in a directory, too
			f := inputtest.File("printed.txt", []byte(text))
			f.Named = named
			_, err := openFiles(t.Context(), []input.File{f}, Options{})
			if err == nil || !strings.Contains(err.Error(), "kubectl get nodes -o json") {
				t.Errorf("%q: %v", text, err)
			}
		}
	}
}

// TestADescribedPod is refused with the reason, however it was pasted or cut.
func TestADescribedPod(t *testing.T) {
	const pod = "Name:             web-0\nNamespace:        shop\nPriority:         0\nNode:             alpha-1/10.0.0.4\nStatus:           Running\nConditions:\n  Type           Status\n  PodScheduled   True\nQoS Class:   BestEffort\n"
	_, cut, _ := strings.Cut(pod, "Priority:         0\n")
	for _, text := range []string{pod, cut, "> " + strings.ReplaceAll(pod, "\n", "\n> "), strings.ReplaceAll(pod, "\n", "\r\n"), "my pod:\n\n```\n$ kubectl describe pod web-0\n" + pod + "```\n"} {
		_, err := openFiles(t.Context(), []input.File{inputtest.File("pod.txt", []byte(text))}, Options{})
		if err == nil || !strings.Contains(err.Error(), "it is what 'kubectl describe pod' prints for people, which lacks since when the pod is Ready or Terminating") || !strings.Contains(err.Error(), "kubectl get pods -A -o json") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
