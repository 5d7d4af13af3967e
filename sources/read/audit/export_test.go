package audit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

// TestAnExportOfManyEventsIsToldHowToBecomeLines: the advice has the path of this very document,
// whether it is written on one line or on many.
func TestAnExportOfManyEventsIsToldHowToBecomeLines(t *testing.T) {
	const event = `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"ResponseComplete","requestURI":"/api/v1/nodes/a","verb":"patch","user":{"groups":["g"]}}`
	quoted, _ := json.Marshal(event)
	for document, path := range map[string]string{
		`[` + event + `,` + event + `]`: ".[]",
		`{"events":[{"logStreamName":"kube-apiserver-audit-1","message":` + string(quoted) + `}],"searchedLogStreams":[]}`:           ".events[]",
		`{"messageType":"DATA_MESSAGE","subscriptionFilters":["f",["g"]],"logEvents":[{"id":"1","message":` + string(quoted) + `}]}`: ".logEvents[]",
		`{"records":[{"category":"kube-audit","properties":{"log":` + string(quoted) + `}}]}`:                                        ".records[]",
		`{"kind":"EventList","apiVersion":"audit.k8s.io/v1","metadata":{},"items":[` + event + `]}`:                                  ".items[]",
		`{"data":{"result-set":[{"log":` + string(quoted) + `}]}}`:                                                                   `.data."result-set"[]`,
	} {
		want := fmt.Sprintf("jq -c '%s'", path)
		if !Sniff([]byte(document)) {
			t.Errorf("%s: not taken for an audit log", path)
		}
		ch, err := NewReader(&object.Decoder{}, 0).Line(input.Line{Data: []byte(document), Number: 1})
		if ch != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("on one line: %v, want %s", err, want)
		}
		ch, err = NewReader(&object.Decoder{}, 0).Line(input.Line{Data: []byte(document[:len(document)-20]), Number: 1, TooLong: true})
		if ch != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("on a line beyond all bounds: %v, want %s", err, want)
		}
		if err := Refused([]byte(document + "\n")); err != nil {
			t.Errorf("%s: on one line it is for the reader of lines: %v", path, err)
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, []byte(document), "", "  "); err != nil {
			t.Fatal(err)
		}
		if err := Refused(pretty.Bytes()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("on many lines: %v, want %s", err, want)
		}
	}
	for _, lines := range []string{event + "\n" + event, "{}\n{}", "", "[", `{"a":[`, "2026-11-20T00:00:00Z " + event} {
		if err := Refused([]byte(lines)); err != nil {
			t.Errorf("%.40s: %v", lines, err)
		}
	}
}
