package open

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/demo"
	"kardia/sources/read/input/inputtest"
)

// objects are the last versions of what a watch of an incident showed, by namespace/name.
func objects(t *testing.T, name, kind string) (list []map[string]any) {
	t.Helper()
	files, err := demo.Files(name)
	if err != nil {
		t.Fatal(err)
	}
	last, order := map[string]map[string]any{}, []string{}
	for _, f := range files {
		if filepath.Base(f.Path) != kind+".watch.jsonl" {
			continue
		}
		data := inputtest.Text(t, f)
		for line := range bytes.Lines(data) {
			var e struct {
				Type   string
				Object map[string]any
			}
			if json.Unmarshal(line, &e) != nil || e.Type == "BOOKMARK" {
				continue
			}
			meta := e.Object["metadata"].(map[string]any)
			key, _ := meta["namespace"].(string)
			key += "/" + meta["name"].(string)
			if last[key] == nil {
				order = append(order, key)
			}
			if last[key] = e.Object; e.Type == "DELETED" {
				last[key] = nil
			}
		}
	}
	for _, key := range order {
		if last[key] != nil {
			list = append(list, last[key])
			last[key] = nil
		}
	}
	return list
}

// bare is an object without apiVersion and kind, as items of raw lists are.
func bare(o map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range o {
		if k != "apiVersion" && k != "kind" {
			out[k] = v
		}
	}
	return out
}

func bares(list []map[string]any) (out []map[string]any) {
	for _, o := range list {
		out = append(out, bare(o))
	}
	return out
}

func listOf(kind string, items any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": kind, "metadata": map[string]any{"resourceVersion": ""}, "items": items}
}

func nameOfObject(o map[string]any) string {
	return o["metadata"].(map[string]any)["name"].(string)
}

// bundles lay the objects of an incident out as those who collect them do.
var bundles = map[string]func(put func(path string, v any), nodes, pods, events []map[string]any){
	"must-gather": func(put func(string, any), nodes, pods, events []map[string]any) {
		for _, n := range nodes {
			put("cluster-scoped-resources/core/nodes/"+nameOfObject(n)+".yaml", n)
		}
		put("namespaces/default/core/pods.yaml", listOf("PodList", bares(pods)))
		put("namespaces/default/core/events.yaml", listOf("EventList", bares(events)))
		put("namespaces/default/apps/deployments.yaml", listOf("DeploymentList", []any{}))
		put("cluster-scoped-resources/config.openshift.io/clusterversions.yaml", map[string]any{"apiVersion": "config.openshift.io/v1", "kind": "ClusterVersion", "metadata": map[string]any{"name": "version"}})
	},
	"cluster-info dump": func(put func(string, any), nodes, pods, events []map[string]any) {
		put("nodes.json", listOf("NodeList", bares(nodes)))
		put("default/pods.json", listOf("PodList", bares(pods)))
		put("default/events.json", listOf("EventList", bares(events)))
		put("kube-system/services.json", listOf("ServiceList", []any{}))
	},
	"troubleshoot": func(put func(string, any), nodes, pods, events []map[string]any) {
		put("cluster-resources/nodes.json", listOf("NodeList", nodes))
		put("cluster-resources/pods/default.json", listOf("PodList", pods))
		put("cluster-resources/events/default.json", listOf("EventList", events))
		put("cluster-resources/groups.json", []any{map[string]any{"name": "apps"}})
	},
	"sonobuoy": func(put func(string, any), nodes, pods, events []map[string]any) {
		put("resources/cluster/core_v1_nodes.json", listOf("NodeList", bares(nodes)))
		put("resources/ns/default/core_v1_pods.json", listOf("PodList", bares(pods)))
		put("resources/ns/default/core_v1_events.json", listOf("EventList", bares(events)))
	},
	"older sonobuoy": func(put func(string, any), nodes, pods, events []map[string]any) {
		put("resources/cluster/Nodes.json", bares(nodes))
		put("resources/ns/default/Pods.json", bares(pods))
		put("resources/ns/default/Events.json", bares(events))
	},
	"Insights": func(put func(string, any), nodes, pods, events []map[string]any) {
		for _, n := range nodes {
			put("config/node/"+nameOfObject(n)+".json", bare(n))
		}
		for _, p := range pods {
			put("config/pod/default/"+nameOfObject(p)+".json", bare(p))
		}
		put("events/default.json", listOf("EventList", bares(events)))
		put("config/id.json", "b1f6ef1c")
	},
	"kwokctl snapshot": func(put func(string, any), nodes, pods, events []map[string]any) {
		var out []byte
		for _, list := range [][]map[string]any{events, nodes, pods} {
			for _, o := range list {
				out = append(append(out, "---\n"...), asYAML(o)...)
			}
		}
		put("snapshot-with-pods.yaml", out)
	},
	"tables among dumps": func(put func(string, any), nodes, pods, events []map[string]any) {
		put("nodes.json", listOf("List", nodes))
		put("pods.json", listOf("List", pods))
		put("events.json", listOf("EventList", events))
		put("services.json", map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "Table", "columnDefinitions": []any{}, "rows": []any{}})
		put("empty.json", listOf("List", []any{}))
	},
}

// TestBundles: every bundle of zone-outage at its end gives the same state and the same reconstruction. So does one
// beside the audit log, and if a file is cut the rest is there.
func TestBundles(t *testing.T) {
	nodes, pods, events := objects(t, "zone-outage", "nodes"), objects(t, "zone-outage", "pods"), objects(t, "zone-outage", "events")
	if len(nodes) != 28 || len(pods) < 40 || len(events) < 50 {
		t.Fatal(len(nodes), len(pods), len(events))
	}
	var want string
	for _, name := range []string{"cluster-info dump", "must-gather", "troubleshoot", "sonobuoy", "older sonobuoy", "Insights", "kwokctl snapshot", "tables among dumps"} {
		dir, ofPods := t.TempDir(), ""
		bundles[name](func(path string, v any) {
			data, err := json.Marshal(v)
			if strings.HasSuffix(path, ".yaml") {
				data, err = yaml.Marshal(v)
			}
			if text, ok := v.([]byte); ok {
				data, err = text, nil
			}
			path = filepath.Join(dir, filepath.FromSlash(path))
			if strings.Contains(strings.ToLower(path[len(dir):]), "pod") {
				ofPods = path // any of those with pods
			}
			if err == nil {
				err = os.MkdirAll(filepath.Dir(path), 0o700)
			}
			if err == nil {
				err = os.WriteFile(path, data, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, nodes, pods, events)
		o, err := Open(context.Background(), []string{dir}, Options{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if o.Partial {
			t.Errorf("%s: partial: %+v", name, o.History.Sources())
		}
		got := stateOf(t, o)
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		o.Close()

		log := unpacked(t, "zone-outage", "audit.log.zst")[0]
		mixed := opening(t, dir, log)
		if n, p := countsOf(t, mixed); n != 28 || p != 41 || mixed.Partial {
			t.Errorf("%s, with the audit log: %d nodes and %d pods, partial %v", name, n, p, mixed.Partial)
		}
		percent := 50 // of the file with pods, and in the middle of them
		if name == "kwokctl snapshot" {
			percent = 85
		}
		text, err := os.ReadFile(ofPods)
		if err == nil {
			err = os.WriteFile(ofPods, text[:len(text)*percent/100], 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		if n, p := countsOf(t, opening(t, dir)); n != 28 || p == 0 || p >= 41 {
			t.Errorf("%s, cut: %d nodes and %d pods", name, n, p)
		}
	}
}

// countsOf is how many nodes and pods there are at the end.
func countsOf(t *testing.T, o *Opened) (nodes, pods int) {
	t.Helper()
	cursor := history.NewCursor(o.History)
	if err := cursor.Seek(o.History.Coverage().Latest); err != nil {
		t.Fatal(err)
	}
	return cursor.State().NodeCount(), cursor.State().PodCount()
}

// stateOf is what is known at the end, in words.
func stateOf(t *testing.T, o *Opened) string {
	t.Helper()
	cursor := history.NewCursor(o.History)
	if err := cursor.Seek(o.History.Coverage().Latest); err != nil {
		t.Fatal(err)
	}
	ready := map[model.Health]int{}
	cursor.State().Nodes(func(r *model.NodeRow) bool { ready[r.Health()]++; return true })
	kinds := map[model.Kind]int{}
	for _, s := range o.History.Sources() {
		for k, n := range s.Kinds {
			kinds[k] += n
		}
	}
	text, err := json.Marshal([]any{o.History.Coverage(), cursor.State().NodeCount(), cursor.State().PodCount(), ready, kinds, judgement(t, o)})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
