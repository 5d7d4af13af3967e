package watchstream

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/sources/read/chronology"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
	"kardia/sources/read/object"
)

// read reads text as a file, and returns the stream with what was reported.
func read(t testing.TB, text []byte) (Stream, []string) {
	t.Helper()
	r, err := inputtest.File("test", text).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var problems []string
	out, err := Read(r, &object.Decoder{}, 0, func(line int, offset int64, what string) {
		problems = append(problems, fmt.Sprintf("%d/%d %s", line, offset, what))
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, problems
}

// nested draws a JSON value with all that could confuse a splitter: braces and quotes inside
// strings, escapes, lists called items at any depth.
func nested(depth int) *rapid.Generator[any] {
	return rapid.Custom(func(t *rapid.T) any {
		kind := rapid.IntRange(0, 5).Draw(t, "kind")
		if depth == 0 {
			kind %= 3
		}
		switch kind {
		case 0:
			return rapid.SampledFrom([]string{"", "plain", `br{ace`, `}`, `quo"te`, `back\slash`, `\"`, "items", "]", "ünï\n"}).Draw(t, "string")
		case 1:
			return rapid.IntRange(-5, 5).Draw(t, "number")
		case 2:
			return nil
		case 3:
			return rapid.SliceOfN(nested(depth-1), 0, 3).Draw(t, "list")
		default:
			return rapid.MapOfN(rapid.SampledFrom([]string{"a", "items", "kind", "b{"}), nested(depth-1), 0, 3).Draw(t, "object")
		}
	})
}

// TestSplittingAgreesWithEncodingJSON: whatever stream of objects, on one line each or
// pretty-printed, comes apart into the same objects that encoding/json finds.
func TestSplittingAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var text bytes.Buffer
		for range rapid.IntRange(0, 5).Draw(t, "objects") {
			object := rapid.MapOfN(rapid.SampledFrom([]string{"a", "kind", "object"}), nested(3), 0, 4).Draw(t, "object")
			encoded, err := json.Marshal(object)
			if err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "pretty") {
				var pretty bytes.Buffer
				if err := json.Indent(&pretty, encoded, "", "    "); err != nil {
					t.Fatal(err)
				}
				encoded = pretty.Bytes()
			}
			text.Write(encoded)
			text.WriteString(rapid.SampledFrom([]string{"\n", "\n\n", "\r\n"}).Draw(t, "end"))
		}
		var want []string
		for d := json.NewDecoder(bytes.NewReader(text.Bytes())); ; {
			var raw json.RawMessage
			if err := d.Decode(&raw); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			want = append(want, compact(t, raw))
		}
		split := &splitter{lines: input.NewLines(&input.Reader{Reader: bufio.NewReader(bytes.NewReader(text.Bytes()))}),
			report: func(line int, _ int64, what string) { t.Fatalf("line %d: %s\n%s", line, what, text.String()) }}
		var got []string
		for {
			doc, err := split.next()
			if errors.Is(err, io.EOF) {
				break
			}
			got = append(got, compact(t, doc.text))
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

func compact(t *rapid.T, raw []byte) string {
	var b bytes.Buffer
	if err := json.Compact(&b, raw); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// lists writes n nodes as kubectl and the raw API print a list.
func lists(n int) map[string][]byte {
	var items []string
	for i := range n {
		items = append(items, fmt.Sprintf(`{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-%d","resourceVersion":"%d"},"spec":{"providerID":"items: [ { \" %s"}}`, i, i+1, strings.Repeat("x", 200)))
	}
	oneLine := `{"kind":"NodeList","apiVersion":"v1","metadata":{"resourceVersion":"9"},"items":[` + strings.ReplaceAll(strings.Join(items, ","), `"kind":"Node","apiVersion":"v1",`, "") + `]}`
	kubectl := `{"apiVersion":"v1","items":[` + strings.Join(items, ",") + `],"kind":"List","metadata":{"resourceVersion":""}}`
	var pretty bytes.Buffer
	_ = json.Indent(&pretty, []byte(kubectl), "", "    ")
	return map[string][]byte{"raw API, one line": []byte(oneLine), "compact": []byte(kubectl), "pretty": pretty.Bytes()}
}

func TestListsOfAnyLength(t *testing.T) {
	const n = 60_000 // more than one line may hold
	for form, text := range lists(n) {
		out, problems := read(t, text)
		if len(problems) > 0 {
			t.Errorf("%s: %s", form, problems[0])
		}
		if len(out.Sightings) != n {
			t.Errorf("%s: %d nodes of %d", form, len(out.Sightings), n)
			continue
		}
		if last := out.Sightings[n-1]; last.Key.Name != fmt.Sprintf("node-%d", n-1) || last.Version != n || last.Kind != model.KindNode {
			t.Errorf("%s: the last node is %v version %d", form, last.Key, last.Version)
		}
	}
}

func TestAHugeLineIsSkippedAndTheRestUsed(t *testing.T) {
	node := `{"type":"ADDED","object":{"kind":"Node","metadata":{"name":%q,"resourceVersion":"%d"}}}` + "\n"
	text := fmt.Sprintf(node, "before", 1) +
		`{"type":"ADDED","object":{"kind":"Node","metadata":{"name":"` + strings.Repeat("x", 20<<20) + `"}}}` + "\n" +
		fmt.Sprintf(node, "after", 2)
	out, problems := read(t, []byte(text))
	if len(out.Sightings) != 2 || out.Sightings[0].Key.Name != "before" || out.Sightings[1].Key.Name != "after" {
		t.Fatalf("got %d nodes", len(out.Sightings))
	}
	if len(problems) != 1 || !strings.HasPrefix(problems[0], "2/") || !strings.Contains(problems[0], "16 MiB") {
		t.Errorf("problems: %q", problems)
	}
}

func TestDeepNestingIsRefused(t *testing.T) {
	deep := strings.Repeat("[", 10<<20)
	text := `{"type":"ADDED","object":{"kind":"Node","metadata":{"name":"a"},"spec":` + deep + strings.Repeat("]", 10<<20) + "}}\n" +
		`{"type":"ADDED","object":{"kind":"Node","metadata":{"name":"b","resourceVersion":"2"}}}`
	out, problems := read(t, []byte(text[:len(deep)+100]+"\n"+text[len(text)-90:]))
	if len(problems) == 0 || len(out.Sightings) != 1 {
		t.Errorf("%d nodes, problems %q", len(out.Sightings), problems)
	}
}

func TestABookmarkIsNoNode(t *testing.T) {
	out, problems := read(t, []byte(`{"type":"BOOKMARK","object":{"kind":"Node","metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}}}`))
	if len(out.Sightings) != 0 || len(problems) != 0 || len(out.Notices) == 0 {
		t.Errorf("%d objects, %v, %d marks", len(out.Sightings), problems, len(out.Notices))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"type":"ADDED","object":{"kind":"Node","metadata":{"name":"a","resourceVersion":"1","managedFields":[{"time":"2026-11-20T12:00:00Z"}]},"status":{"conditions":[{"type":"Ready","status":"True"}]}}}`))
	f.Add([]byte("1795176000.25 {\"type\":\"ERROR\",\"object\":{\"code\":410}}\n{\"type\":\"X-RECONNECT\"}"))
	f.Add([]byte("{\n  \"kind\": \"PodList\",\n \"items\": [ {\"metadata\":{\"name\":\"p\"}}, {\"metadata\":{\"name\":\"q\"} } ]\n}\n{"))
	f.Add([]byte("apiVersion: v1\nkind: List\nitems:\n- kind: Lease\n  metadata: {name: a, namespace: kube-node-lease}\n---\n&a [*a,*a]"))
	f.Add([]byte(`{"kind":"NodeList","items":[{"metadata":{"name":"a"}},{"metadata":`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := inputtest.File("fuzz", text).Open(t.Context())
		if err != nil {
			return
		}
		out, _ := Read(r, &object.Decoder{}, 0, func(int, int64, string) {})
		for i := range out.Sightings {
			s := &out.Sightings[i]
			if s.Kind == model.KindNone || s.Key.Name == "" && !(s.Op == model.OpDelete) {
				t.Fatalf("a sighting without kind or name: %+v", s.Change)
			}
		}
	})
}

// BenchmarkRead compares the reader with encoding/json decoding the same lines into
// nothing: the ratio of the two MB/s is what counts.
func BenchmarkRead(b *testing.B) {
	line := `{"type":"MODIFIED","object":{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"node-%d","namespace":"kube-node-lease","uid":"ff7ea43a-7d6c-4b51-bd86-4919ead2e770","resourceVersion":"%d","creationTimestamp":"2026-11-20T23:51:41Z","ownerReferences":[{"apiVersion":"v1","kind":"Node","name":"a-000","uid":"2adbc6ea-7867-4f13-bccc-3131af75d413"}],"managedFields":[{"manager":"kwok","operation":"Update","apiVersion":"coordination.k8s.io/v1","time":"2026-11-20T23:51:51Z","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:holderIdentity":{},"f:leaseDurationSeconds":{},"f:renewTime":{}}}}]},"spec":{"holderIdentity":"x","leaseDurationSeconds":40,"renewTime":"2026-11-20T23:51:51.814965Z"}}}` + "\n"
	var text bytes.Buffer
	for i := range 5000 {
		fmt.Fprintf(&text, line, i%100, i+1)
	}
	b.Run("watchstream", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		b.ReportAllocs()
		for b.Loop() {
			if out, problems := read(b, text.Bytes()); len(out.Sightings) != 5000 || len(problems) > 0 {
				b.Fatal(len(out.Sightings), problems)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(text.Len()))
		b.ReportAllocs()
		for b.Loop() {
			d := json.NewDecoder(bytes.NewReader(text.Bytes()))
			for d.More() {
				var v struct {
					Type   string
					Object struct {
						Metadata struct{ Name, UID, ResourceVersion string }
					}
				}
				if err := d.Decode(&v); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// TestItemsOfAListNeedNotSayWhatTheyAre: the raw API leaves kind and apiVersion out of a list's
// items, jq and support bundles cut them off, and YAML or a sorted JSON has the list's own behind
// its items.
func TestItemsOfAListNeedNotSayWhatTheyAre(t *testing.T) {
	const (
		node  = `{%s"metadata":{"name":"a","uid":"11111111-1111-4111-8111-111111111111","resourceVersion":"7"},"spec":{"podCIDR":"10.0.0.0/24"},"status":{"conditions":[{"type":"Ready","status":"True"}],"nodeInfo":{"kubeletVersion":"v1.36.3"}}}`
		pod   = `{%s"metadata":{"name":"a","namespace":"d","uid":"11111111-1111-4111-8111-111111111111","resourceVersion":"7"},"spec":{"nodeName":"a","containers":[{"name":"c"}]},"status":{"phase":"Running"}}`
		lease = `{%s"metadata":{"name":"a","namespace":"kube-node-lease","resourceVersion":"7"},"spec":{"holderIdentity":"a","renewTime":"2026-11-20T00:00:00.000000Z","leaseDurationSeconds":40}}`
		event = `{%s"metadata":{"name":"a.1","namespace":"default","resourceVersion":"7"},"involvedObject":{"kind":"Node","name":"a"},"reason":"NodeNotReady","type":"Normal"}`
		other = `{%s"metadata":{"name":"a","namespace":"d","resourceVersion":"7"},"data":{"a":"b"}}`
	)
	for _, tt := range []struct {
		list, item string
		want       model.Kind
	}{
		{"NodeList", node, model.KindNode}, {"PodList", pod, model.KindPod}, {"LeaseList", lease, model.KindNodeLease},
		{"EventList", event, model.KindEvent}, {"ConfigMapList", other, model.KindNone},
	} {
		for _, said := range []string{``, `"kind":"",`, `"apiVersion":"",`, `"kind":null,"apiVersion":null,`} {
			item := fmt.Sprintf(tt.item, said)
			for _, text := range []string{
				`{"kind":"` + tt.list + `","apiVersion":"v1","items":[` + item + `]}`,
				`{"apiVersion":"v1","items":[` + item + `],"kind":"` + tt.list + `"}`,
				"{\n \"items\": [\n  " + item + "\n ],\n \"kind\": \"" + tt.list + "\"\n}",
				"apiVersion: v1\nkind: " + tt.list + "\nitems:\n- " + item,
				`{"kind":"List","apiVersion":"v1","items":[` + item + `]}`,
				`{"items":[` + item + `]}`,
				item,
			} {
				out, problems := read(t, []byte(text))
				switch {
				case tt.want == model.KindNone && len(out.Sightings) > 0, tt.want != model.KindNone && (len(out.Sightings) != 1 || len(problems) > 0):
					t.Errorf("%s\n%d objects, %v", text, len(out.Sightings), problems)
				case tt.want != model.KindNone && out.Sightings[0].Change.Kind != tt.want:
					t.Errorf("%s\nis a %v", text, out.Sightings[0].Change.Kind)
				}
			}
		}
	}
}

// An item of a list may begin a line: scripts that put lists together write them so. A list that is
// cut off is broken all the same where the next document begins.
func TestItemsMayBeginALine(t *testing.T) {
	node := func(name string) string {
		return `{"kind":"Node","apiVersion":"v1","metadata":{"name":"` + name + `","resourceVersion":"7"}}`
	}
	names := func(text string) (out string, problems []string) {
		stream, problems := read(t, []byte(text))
		for i := range stream.Sightings {
			out += stream.Sightings[i].Change.Key.Name + " "
		}
		return out, problems
	}
	list := `{"kind":"NodeList","apiVersion":"v1","items":[` + "\n" + node("a") + ",\n" + node("b") + "\n,\n\n" + node("c")
	if got, problems := names(list + "\n]}\n"); got != "a b c " || len(problems) > 0 {
		t.Errorf("read %q, %q", got, problems)
	}
	if got, problems := names(list + "\n" + node("d") + "\n"); got != "a b c d " || len(problems) != 1 {
		t.Errorf("of a list that is cut off: %q, %q", got, problems)
	}
}

// TestAListInYAMLThatIsCut: wherever it ends, the objects before the last are used, and the cut is reported.
func TestAListInYAMLThatIsCut(t *testing.T) {
	item := func(name string) string {
		return "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: " + name + "\n    resourceVersion: \"7\"\n"
	}
	text := "apiVersion: v1\nitems:\n" + item("a") + item("b") + item("c")
	for _, cut := range []int{0, 3, 20, 60} {
		var said []string
		out, err := readText(t, text[:len(text)-cut], func(what string) { said = append(said, what) })
		if err != nil || len(out.Sightings) != 2 || len(said) != 1 || !strings.Contains(said[0], "has no end") {
			t.Errorf("without %d bytes: %d objects, %v, %q", cut, len(out.Sightings), err, said)
		}
	}
	out, err := readText(t, text+"kind: List\nmetadata:\n  resourceVersion: \"\"\n", func(what string) { t.Error(what) })
	if err != nil || len(out.Sightings) != 3 {
		t.Errorf("whole: %d objects, %v", len(out.Sightings), err)
	}
}

// readText reads a text.
func readText(t *testing.T, text string, report func(what string)) (Stream, error) {
	t.Helper()
	r, err := input.SeeThrough("text", io.NopCloser(strings.NewReader(text)), -1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	return Read(r, &object.Decoder{}, 0, func(_ int, _ int64, what string) { report(what) })
}

// TestPatchesOfKwokctl: kwokctl's record of a cluster begins with its objects, which are used. The patches behind them
// have no time, and that is reported once.
func TestPatchesOfKwokctl(t *testing.T) {
	text := "apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  resourceVersion: \"7\"\n"
	for range 3 {
		text += "---\napiVersion: action.kwok.x-k8s.io/v1alpha1\nkind: ResourcePatch\nresource:\n  version: v1\n  resource: nodes\ntarget:\n  name: a\ndurationNanosecond: 1000000000\nmethod: patch\ntemplate:\n  spec:\n    unschedulable: true\n"
	}
	var said []string
	out, err := readText(t, text, func(what string) { said = append(said, what) })
	if err != nil || len(out.Sightings) != 1 || len(said) != 1 || !strings.HasPrefix(said[0], "3 patches") {
		t.Errorf("%d objects, %q, %v", len(out.Sightings), said, err)
	}
}

// TestABreakDeletesNothing: a watch that broke and was not started again, or that continues from where it broke, shows
// no object as gone; a later list does.
func TestABreakDeletesNothing(t *testing.T) {
	node := func(what, name string, version int) string {
		return fmt.Sprintf(`{"type":%q,"object":{"kind":"Node","apiVersion":"v1","metadata":{"name":%q,"uid":%q,"resourceVersion":"%d"}}}`+"\n", what, name, "u-"+name, version)
	}
	const broke = `{"type":"ERROR","object":{"kind":"Status","message":"http2: client connection lost"}}` + "\n"
	const bookmark = `{"type":"BOOKMARK","object":{"kind":"Node","apiVersion":"v1","metadata":{"resourceVersion":"9"%s}}}` + "\n"
	before := node("ADDED", "a", 1) + node("ADDED", "b", 2) + node("MODIFIED", "a", 3) + broke
	for _, c := range []struct {
		what, then string
		gone       int
		resumed    bool
	}{
		{"nothing", "", 0, false},
		{"an object that changed", node("MODIFIED", "b", 5), 0, true},
		{"a bookmark", fmt.Sprintf(bookmark, ""), 0, true},
		{"an empty list", fmt.Sprintf(bookmark, `,"annotations":{"k8s.io/initial-events-end":"true"}`), 2, true},
		{"a list of one", node("ADDED", "a", 3) + node("MODIFIED", "a", 5), 1, true},
	} {
		out, _ := read(t, []byte(before+c.then))
		gone, resumed := 0, false
		for i := range out.Sightings {
			if out.Sightings[i].Op == model.OpDelete {
				gone++
			}
		}
		for _, n := range out.Notices {
			resumed = resumed || n.What == chronology.Resumed
		}
		if gone != c.gone || resumed != c.resumed {
			t.Errorf("after the break comes %s: %d are gone, not %d; resumed: %v", c.what, gone, c.gone, resumed)
		}
	}
}
