package open

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
)

// joined are nodes of one list: those that were made first show no sign of life of later, and others joined.
func joined() (nodes []any) {
	for i := range 19 {
		at := "2026-11-28T11:28:04Z"
		if i >= 16 {
			at = "2026-11-28T11:30:26Z"
		}
		var node any
		text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Node","metadata":{"name":"n%d","uid":"u%d","resourceVersion":"%d","creationTimestamp":%q},
			"status":{"conditions":[{"type":"Ready","status":"True","lastHeartbeatTime":%q,"lastTransitionTime":%q}]}}`, i, i, 900-i, at, at, at)
		if err := json.Unmarshal([]byte(text), &node); err != nil {
			panic(err)
		}
		nodes = append(nodes, node)
	}
	return nodes
}

// TestOneListIsOneCluster: the items of one list are answers of one API server, in whatever form it was kept.
func TestOneListIsOneCluster(t *testing.T) {
	nodes := joined()
	text := func(v any) []byte {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	list := text(map[string]any{"apiVersion": "v1", "kind": "List", "items": nodes})
	pretty, err := json.MarshalIndent(map[string]any{"apiVersion": "v1", "items": nodes, "kind": "NodeList"}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	inYAML, err := yaml.JSONToYAML(list)
	if err != nil {
		t.Fatal(err)
	}
	var rows []any
	for _, n := range nodes {
		rows = append(rows, map[string]any{"cells": []any{}, "object": n})
	}
	for form, data := range map[string][]byte{
		"a line": list, "pretty": pretty, "YAML": inYAML, "bare": text(nodes), "twice": []byte(string(list) + "\n" + string(list) + "\n"), "gzip": inGzip(string(list)),
		"a table": text(map[string]any{"kind": "Table", "apiVersion": "meta.k8s.io/v1", "rows": rows}),
	} {
		o, err := openFiles(t.Context(), []input.File{inputtest.File("nodes", data)}, Options{})
		if err != nil {
			t.Errorf("%s: %v", form, err)
			continue
		}
		if _, row := rowOf(t, "n18", inputtest.File("nodes", data)); row == nil {
			t.Errorf("%s: n18 is not shown", form)
		}
		o.Close()
	}
}

// TestAnEmptyListIsEmpty: it shows that there were none of its kind; alone it shows nothing that could be judged.
func TestAnEmptyListIsEmpty(t *testing.T) {
	for _, pods := range []string{`{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[]}`, `{"kind":"PodList","apiVersion":"v1","metadata":{},"items":null}`,
		"apiVersion: v1\nitems: []\nkind: PodList\n"} {
		o, _ := rowOf(t, "n0", inputtest.File("d/nodes.json", []byte(listText(2, ","))), inputtest.File("d/pods", []byte(pods)))
		if !caveat.Listed(o.History.Sources(), model.KindPod) || len(o.Skipped) > 0 || o.Partial {
			t.Errorf("%q: pods are not listed; skipped %q", pods, o.Skipped)
		}
		if caveat.Listed(o.History.Sources(), model.KindEvent) {
			t.Errorf("%q lists Events", pods)
		}
	}
	for data, want := range map[string]string{
		`{"kind":"NodeList","apiVersion":"v1","items":[]}`:      "is an empty list of Nodes",
		`{"apiVersion":"v1","kind":"List","items":[]}`:          "the list is empty",
		"apiVersion: v1\nitems: []\nkind: List\nmetadata: {}\n": "the list is empty",
	} {
		_, err := openFiles(t.Context(), []input.File{inputtest.File("list", []byte(data))}, Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", data, err)
		}
	}
}
