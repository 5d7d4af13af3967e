// Package entriestest gives the lines of a log the shapes of container runtimes, the journal, cloud providers, and jq.
// For example: containerd's "2026-08-01T12:00:05Z stderr F " before each line.
package entriestest

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Line is a line of a log without its end, and when it was written.
type Line struct {
	Text string
	At   time.Time
}

// Shape is a form in which a tool writes a log.
type Shape struct {
	Name string
	Of   func(lines []Line) []byte
	// Backwards: the newest line comes first.
	Backwards bool
}

// Shapes are those of any log. Cloud providers export the logs of other components with it.
var Shapes = []Shape{
	{Name: "containerd", Of: eachLine(func(l Line) string { return l.At.Format(time.RFC3339Nano) + " stderr F " + l.Text })},
	{Name: "containerd in pieces", Of: eachLine(func(l Line) string {
		stamp, cut := l.At.Format(time.RFC3339Nano), len(l.Text)/2
		return stamp + " stderr P " + l.Text[:cut] + "\n" + stamp + " stderr F " + l.Text[cut:]
	})},
	{Name: "docker", Of: eachLine(func(l Line) string {
		return text(map[string]any{"log": l.Text + "\n", "stream": "stderr", "time": l.At.Format(time.RFC3339Nano)})
	})},
	{Name: "docker, through jq", Of: eachLine(func(l Line) string {
		return string(indented(text(map[string]any{"log": l.Text + "\n", "stream": "stderr", "time": l.At.Format(time.RFC3339Nano)})))
	})},
	{Name: "kubectl logs --timestamps --prefix", Of: eachLine(func(l Line) string {
		return "[pod/control-plane-cp/control-plane] " + l.At.Format(time.RFC3339Nano) + " " + l.Text
	})},
	{Name: "journal", Of: eachLine(func(l Line) string { return l.At.Format("Jan 02 15:04:05") + " cp-1 control-plane[812]: " + l.Text })},
	{Name: "journal, ISO", Of: eachLine(func(l Line) string {
		return l.At.Format("2006-01-02T15:04:05-0700") + " cp-1 control-plane[812]: " + l.Text
	})},
	{Name: "journal, JSON", Of: eachLine(func(l Line) string {
		return text(map[string]any{"MESSAGE": l.Text, "__REALTIME_TIMESTAMP": strconv.FormatInt(l.At.UnixMicro(), 10), "_HOSTNAME": "cp-1", "_SYSTEMD_UNIT": "control-plane.service"})
	})},
	{Name: "EKS, filter-log-events", Of: func(lines []Line) []byte {
		return []byte(`{"events":` + events(lines, "logStreamName") + `,"searchedLogStreams":[{"logStreamName":"control-plane-1","searchedCompletely":true}]}`)
	}},
	{Name: "EKS, filter-log-events over many lines", Of: func(lines []Line) []byte {
		return indented(`{"events":` + events(lines, "logStreamName") + `,"searchedLogStreams":[]}`)
	}},
	{Name: "EKS, subscription", Of: func(lines []Line) []byte {
		var out bytes.Buffer // documents one behind the other, as Firehose writes them
		for part := range slices.Chunk(lines, 50) {
			out.WriteString(`{"messageType":"DATA_MESSAGE","logGroup":"g","logStream":"control-plane-1","subscriptionFilters":["f"],"logEvents":` + events(part, "-") + `}`)
		}
		return out.Bytes()
	}},
	{Name: "EKS, Insights", Of: insights},
	newestFirst("EKS, Insights", insights),
	{Name: "EKS, get-query-results", Of: func(lines []Line) []byte {
		var rows []string
		for _, l := range withOthers(lines) {
			rows = append(rows, text([]any{map[string]any{"field": "@timestamp", "value": l.At.Format("2006-01-02 15:04:05.000")},
				map[string]any{"field": "@message", "value": l.Text}, map[string]any{"field": "@ptr", "value": "p"}}))
		}
		return indented(`{"results":[` + strings.Join(rows, ",") + `],"statistics":{"recordsMatched":1},"status":"Complete"}`)
	}},
	{Name: "EKS, S3", Of: eachLine(func(l Line) string { return l.At.Format("2006-01-02T15:04:05.000Z") + " " + l.Text })},
	{Name: "GKE, entries with text", Of: textEntries},
	newestFirst("GKE, entries with text", textEntries),
	{Name: "AKS, records", Of: func(lines []Line) []byte {
		var records []string
		for _, l := range withOthers(lines) {
			records = append(records, text(map[string]any{"category": "control-plane", "time": l.At.Format(time.RFC3339Nano), "resourceId": "r",
				"properties": map[string]any{"log": l.Text, "pod": "control-plane-1", "stream": "stdout", "containerID": "c"}}))
		}
		return []byte(`{"records":[` + strings.Join(records, ",") + `]}`)
	}},
	{Name: "AKS, Log Analytics", Of: logAnalytics},
	newestFirst("AKS, Log Analytics", logAnalytics),
	{Name: "AKS, az monitor log-analytics query", Of: func(lines []Line) []byte {
		var rows []string
		for _, l := range withOthers(lines) {
			rows = append(rows, text(map[string]any{"TableName": "PrimaryResult", "TimeGenerated": l.At.Format(time.RFC3339Nano), "Category": "control-plane", "log_s": l.Text}))
		}
		return indented("[" + strings.Join(rows, ",") + "]")
	}},
}

func insights(lines []Line) []byte {
	return table(lines, []string{"@logStream", "@timestamp", "@message"}, func(l Line) []string {
		return []string{"control-plane-1", l.At.Format("2006-01-02 15:04:05.000"), l.Text}
	})
}

func logAnalytics(lines []Line) []byte {
	return table(lines, []string{"TimeGenerated [UTC]", "Category", "log_s"}, func(l Line) []string {
		return []string{l.At.Format("1/2/2006, 3:04:05.000 PM"), "control-plane", l.Text}
	})
}

var textEntries = eachLine(func(l Line) string {
	return text(map[string]any{"textPayload": l.Text, "timestamp": l.At.Format(time.RFC3339Nano), "insertId": "1",
		"resource": map[string]any{"type": "k8s_control_plane_component", "labels": map[string]any{"cluster_name": "c", "location": "l", "project_id": "p"}}})
})

func newestFirst(name string, of func([]Line) []byte) Shape {
	return Shape{Name: name + ", the newest first", Backwards: true, Of: func(lines []Line) []byte {
		lines = slices.Clone(lines)
		slices.Reverse(lines)
		return of(lines)
	}}
}

// Lists are the shapes of logs whose lines are JSON.
var Lists = []Shape{
	{Name: "one a line", Of: eachLine(func(l Line) string { return l.Text })},
	{Name: "through jq", Of: eachLine(func(l Line) string { return string(indented(l.Text)) })},
	{Name: "list", Of: list},
	newestFirst("list", list),
	{Name: "list over many lines", Of: func(lines []Line) []byte { return indented("[" + joined(lines, ",") + "]") }},
	{Name: "List of Kubernetes", Of: func(lines []Line) []byte {
		return []byte(`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + joined(lines, ",") + `]}`)
	}},
	{Name: "AKS, records with objects", Of: func(lines []Line) []byte {
		var records []string
		for _, l := range lines {
			records = append(records, `{"category":"kube-audit","time":"`+l.At.Format(time.RFC3339Nano)+`","resourceId":"r","properties":{"log":`+l.Text+`,"pod":"kube-apiserver-1","stream":"stdout"}}`)
		}
		return []byte(`{"records":[` + strings.Join(records, ",") + `]}`)
	}},
	{Name: "AKS, AKSAudit", Of: auditTable},
	newestFirst("AKS, AKSAudit", auditTable),
	{Name: "AKS, AKSAudit, az monitor log-analytics query", Of: func(lines []Line) []byte {
		var rows []string
		for _, l := range lines {
			row := map[string]any{"TableName": "PrimaryResult"}
			for i, cell := range auditRow(l) {
				row[auditColumns[i].name] = cell
			}
			rows = append(rows, text(row))
		}
		return indented("[" + strings.Join(rows, ",") + "]")
	}},
}

// auditColumns are those of AKSAudit, a table of Log Analytics, with their members of an audit event.
var auditColumns = []struct{ name, member string }{
	{"TimeGenerated", "stageTimestamp"}, {"Level", "level"}, {"AuditId", "auditID"}, {"Stage", "stage"}, {"RequestUri", "requestURI"}, {"Verb", "verb"},
	{"User", "user"}, {"SourceIps", "sourceIPs"}, {"UserAgent", "userAgent"}, {"ObjectRef", "objectRef"}, {"ResponseStatus", "responseStatus"},
	{"RequestObject", "requestObject"}, {"ResponseObject", "responseObject"}, {"RequestReceivedTime", "requestReceivedTimestamp"},
	{"StageReceivedTime", "stageTimestamp"}, {"Annotations", "annotations"},
}

func auditRow(l Line) (cells []string) {
	var event map[string]json.RawMessage
	if err := json.Unmarshal([]byte(l.Text), &event); err != nil {
		panic(err)
	}
	for _, c := range auditColumns {
		cell := string(event[c.member])
		if json.Unmarshal(event[c.member], &cell) != nil { // not a text: of type dynamic
			cell = string(event[c.member])
		}
		cells = append(cells, cell)
	}
	return cells
}

func auditTable(lines []Line) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	var names []string
	for _, c := range auditColumns {
		names = append(names, c.name)
	}
	_ = w.Write(names)
	for _, l := range lines {
		_ = w.Write(auditRow(l))
	}
	w.Flush()
	return out.Bytes()
}

func list(lines []Line) []byte { return []byte("[" + joined(lines, ",") + "]") }

const other = `I1120 23:53:23.393794       1 a.go:1] "Hello"`

func withOthers(lines []Line) []Line {
	return slices.Insert(slices.Clone(lines), len(lines)/2, Line{other, lines[len(lines)/2].At})
}

func events(lines []Line, stream string) string {
	var all []string
	for i, l := range withOthers(lines) {
		all = append(all, text(map[string]any{stream: "control-plane-1", "timestamp": l.At.UnixMilli(), "message": l.Text, "ingestionTime": l.At.UnixMilli() + 1, "eventId": fmt.Sprint(i), "id": fmt.Sprint(i)}))
	}
	return "[" + strings.Join(all, ",") + "]"
}

func eachLine(wrap func(Line) string) func([]Line) []byte {
	return func(lines []Line) []byte {
		var out bytes.Buffer
		for _, l := range lines {
			out.WriteString(wrap(l) + "\n")
		}
		return out.Bytes()
	}
}

func joined(lines []Line, between string) string {
	var out strings.Builder
	for i, l := range lines {
		if i > 0 {
			out.WriteString(between)
		}
		out.WriteString(l.Text)
	}
	return out.String()
}

func table(lines []Line, names []string, row func(Line) []string) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	_ = w.Write(names)
	for _, l := range withOthers(lines) {
		_ = w.Write(row(l))
	}
	w.Flush()
	return out.Bytes()
}

func text(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func indented(document string) []byte {
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(document), "", "  "); err != nil {
		panic(err)
	}
	return out.Bytes()
}
