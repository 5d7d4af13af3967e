package audit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
	"kardia/sources/read/entries"
	"kardia/sources/read/entries/entriestest"
	"kardia/sources/read/input"
	"kardia/sources/read/input/inputtest"
	"kardia/sources/read/object"
)

// incident is the lines of a real log.
func incident(t testing.TB) []string {
	t.Helper()
	return strings.Split(strings.TrimSpace(string(inputtest.ReadAll(t, "../../demo/node-loss/audit.log.zst"))), "\n")
}

// read takes a document apart, and returns the changes in its entries.
func read(t testing.TB, document []byte) (changes []model.Change, problems []string, end error) {
	t.Helper()
	r, err := input.SeeThrough("log", io.NopCloser(bytes.NewReader(document)), -1)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = r.Close() }()
	log, lines := NewReader(&object.Decoder{}, 0), NewLines(r)
	for {
		line, err := lines.Next()
		if len(line.Data) > 0 {
			ch, err := log.Line(line)
			if err != nil {
				problems = append(problems, err.Error())
			}
			if ch != nil {
				ch.Origin = model.Origin{}
				changes = append(changes, *ch)
			}
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return changes, problems, err
		}
	}
}

// shapes are those in which people have a log.
var shapes = slices.Concat(entriestest.Shapes, entriestest.Lists)

// shaped gives lines a shape.
func shaped(t testing.TB, shape *entriestest.Shape, lines []string) []byte {
	var stamped []entriestest.Line
	for _, text := range lines {
		at, err := time.Parse(time.RFC3339Nano, gjson.Get(text, "stageTimestamp").Str)
		if err != nil {
			t.Fatal(err)
		}
		stamped = append(stamped, entriestest.Line{Text: text, At: at})
	}
	return shape.Of(stamped)
}

// TestExportsAreTheLog: whatever shape a provider gave the entries of a log, they are its entries.
func TestExportsAreTheLog(t *testing.T) {
	lines := incident(t)
	want, problems, err := read(t, []byte(strings.Join(lines, "\n")))
	if err != nil || len(problems) > 0 || len(want) < 100 {
		t.Fatal(len(want), problems, err)
	}
	for i := range shapes {
		t.Run(shapes[i].Name, func(t *testing.T) {
			document := shaped(t, &shapes[i], lines)
			if !Sniff(document[:min(len(document), 4096)]) {
				t.Error("not taken for an audit log")
			}
			got, problems, err := read(t, document)
			if err != nil || len(problems) > 0 {
				t.Error(problems, err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%d changes, want %d, or others", len(got), len(want))
			}
			// Cut anywhere, it gives the entries before, and reports that it is cut.
			got, _, err = read(t, document[:len(document)*2/3])
			if len(got) == 0 || len(got) >= len(want) {
				t.Errorf("cut: %d changes of %d", len(got), len(want))
			}
			if isList := entries.ListPath(document[:4096]) != ""; isList && !errors.Is(err, io.ErrUnexpectedEOF) {
				t.Errorf("cut: %v", err)
			}
		})
	}
}

// TestGoogleCloudLoggingTellsTheSame: under other names, and with a window for its times.
func TestGoogleCloudLoggingTellsTheSame(t *testing.T) {
	lines := incident(t)
	var entries, ours []string
	for i, line := range lines {
		e := gjson.Parse(line)
		ref := e.Get("objectRef")
		if e.Get("stage").Str != "ResponseComplete" || !ref.Get("resource").Exists() {
			continue
		}
		group := ref.Get("apiGroup").Str
		resource := ref.Get("apiVersion").Str
		method := "io.k8s.core." + resource
		if group != "" {
			method, resource = "io.k8s."+strings.TrimSuffix(group, ".k8s.io")+"."+resource, group+"/"+resource
		} else {
			resource = "core/" + resource
		}
		if ns := ref.Get("namespace").Str; ns != "" {
			resource += "/namespaces/" + ns
		}
		resource += "/" + ref.Get("resource").Str
		method += "." + ref.Get("resource").Str
		if name := ref.Get("name").Str; name != "" {
			resource += "/" + name
		}
		if sub := ref.Get("subresource").Str; sub != "" {
			resource, method = resource+"/"+sub, method+"."+sub
		}
		code := map[int64]int{404: 5, 409: 10, 403: 7}[e.Get("responseStatus.code").Int()]
		entry := fmt.Sprintf(`{"insertId":"%d","logName":"projects/p/logs/cloudaudit.googleapis.com%%2Factivity","timestamp":%s,"receiveTimestamp":%s,"protoPayload":{"@type":%q,"serviceName":"k8s.io",`+
			`"methodName":%q,"resourceName":%q,"authorizationInfo":[{"granted":true}],"authenticationInfo":{"principalEmail":%s},"requestMetadata":{"callerSuppliedUserAgent":%s,"callerIp":%s},"status":{"code":%d,"message":%q}`,
			i, e.Get("requestReceivedTimestamp").Raw, e.Get("stageTimestamp").Raw, cloudMark, method+"."+e.Get("verb").Str, resource, e.Get("user.username").Raw, e.Get("userAgent").Raw, e.Get("sourceIPs.0").Raw, code, e.Get("responseStatus.message").Str)
		for _, object := range []string{"request", "response"} {
			if o := e.Get(object + "Object"); o.IsObject() {
				entry += fmt.Sprintf(`,%q:%s`, object, o.Raw)
			}
		}
		entries, ours = append(entries, entry+"}}"), append(ours, line)
	}
	want, _, _ := read(t, []byte(strings.Join(ours, "\n")))
	for name, document := range map[string]string{"one a line": strings.Join(entries, "\n"), "gcloud logging read": "[" + strings.Join(entries, ",\n") + "]"} {
		t.Run(name, func(t *testing.T) {
			got, problems, err := read(t, []byte(document))
			if err != nil || len(problems) > 0 || len(got) != len(want) || len(want) < 100 {
				t.Fatalf("%d changes, want %d; %v %v", len(got), len(want), problems, err)
			}
			for i := range want {
				g, w := got[i], want[i]
				if g.Previous == 0 {
					w.Previous = 0 // where the version that was meant is in the objectRef alone
				}
				w.Note = w.Note[strings.Index(w.Note, ": ")+1:]
				w.Note = strings.TrimSpace(w.Note) // the reason is in the code
				if w.Code == 201 {
					w.Code = 200 // Google has one word for both
				}
				if !reflect.DeepEqual(g, w) {
					t.Fatalf("change %d:\n%+v\nwant\n%+v", i, g, w)
				}
			}
		})
	}
}

// TestTimesAsThePortalShowsThem: Azure's portal cuts times in CSV behind the millisecond, so that a request is known to
// within it. Times that are not shown in UTC, or are missing, are reported.
func TestTimesAsThePortalShowsThem(t *testing.T) {
	row := func(names, times string) string {
		return names + ",AuditId,Stage,Verb,RequestUri,User,ObjectRef,ResponseStatus\n" + times +
			`,a,ResponseComplete,delete,/api/v1/nodes/n-1,"{""username"":""alice""}","{""resource"":""nodes"",""name"":""n-1"",""apiVersion"":""v1""}","{""code"":200}"` + "\n"
	}
	changes, problems, err := read(t, []byte(row("RequestReceivedTime [UTC],StageReceivedTime [UTC]", `"11/20/2026, 11:53:23.393 PM","11/20/2026, 11:53:23.401 PM"`)))
	from := model.At(time.Date(2026, 11, 20, 23, 53, 23, 393e6, time.UTC))
	want := model.Interval{Earliest: from, Latest: from.Add(9*time.Millisecond - 1)}
	if err != nil || len(problems) > 0 || len(changes) != 1 || changes[0].Time != want || changes[0].Op != model.OpDelete || changes[0].Requester.User != "alice" {
		t.Errorf("%+v %v %v, want a deletion within %v", changes, problems, err, want)
	}
	for _, bad := range []string{
		row("RequestReceivedTime [Local Time],StageReceivedTime [Local Time]", `"11/20/2026, 11:53:23.393 PM","11/20/2026, 11:53:23.401 PM"`),
		row("TimeGenerated [UTC],RequestReceivedTime [UTC]", `"11/20/2026, 11:53:23.393 PM","11/20/2026, 11:53:23.401 PM"`),
	} {
		if changes, problems, _ := read(t, []byte(bad)); len(changes) != 0 || len(problems) != 1 || !strings.Contains(problems[0], "times shown in UTC") {
			t.Errorf("%s\n%+v %v", bad, changes, problems)
		}
	}
}

// TestWhatIsNoKubernetesEntryIsSaid with what was expected.
func TestWhatIsNoKubernetesEntryIsSaid(t *testing.T) {
	for _, entry := range []string{
		`{"insertId":"1","timestamp":"2026-11-20T23:53:23Z","protoPayload":{"@type":"` + cloudMark + `","serviceName":"container.googleapis.com","methodName":"google.container.v1.ClusterManager.UpdateCluster","resourceName":"projects/p"}}`,
		`{"insertId":"1","protoPayload":{"@type":"` + cloudMark + `","serviceName":"k8s.io","methodName":"io.k8s.core.v1.nodes.patch","resourceName":"core/v1/nodes/a"}}`,
		`{"insertId":"1","timestamp":"2026-11-20T23:53:23Z","protoPayload":{"@type":"` + cloudMark + `","methodName":"io.k8s.core.v1.nodes.patch","resourceName":"core"}}`,
	} {
		if changes, problems, _ := read(t, []byte(entry)); len(changes) != 0 || len(problems) != 1 || !strings.Contains(problems[0], "io.k8s.") {
			t.Errorf("%s\n%v %v", entry, changes, problems)
		}
	}
}

// TestARowWithoutItsEndIsRefused before it has taken the rest of the file.
func TestARowWithoutItsEndIsRefused(t *testing.T) {
	document := append([]byte("@timestamp,@message\n2026-11-20,\"{\"\"auditID\"\":\"\"1\"\""), bytes.Repeat([]byte("x,\n"), input.MaxLine/2)...)
	if _, _, err := read(t, document); !errors.Is(err, entries.ErrRow) {
		t.Error(err)
	}
}

// FuzzLines: whatever a file holds, its entries are read to an end.
func FuzzLines(f *testing.F) {
	lines := incident(f)[:3]
	for i := range shapes {
		f.Add(shaped(f, &shapes[i], lines))
	}
	f.Fuzz(func(t *testing.T, document []byte) { read(t, document) })
}
