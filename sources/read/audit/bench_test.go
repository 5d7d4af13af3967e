package audit

import (
	"encoding/json"
	"testing"

	"github.com/tidwall/gjson"

	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

// each runs over the lines of a group again and again, and counts their bytes.
func each(b *testing.B, lines []input.Line, use func(input.Line)) {
	var size int64
	for _, l := range lines {
		size += int64(len(l.Data)) + 1
	}
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		for _, l := range lines {
			use(l)
		}
	}
}

var groups = []string{"lease", "node", "pod", "event", "foreign"}

func BenchmarkLine(b *testing.B) {
	for _, name := range groups {
		b.Run(name, func(b *testing.B) {
			r := NewReader(&object.Decoder{}, 0)
			seen := 0
			each(b, group(b, name), func(l input.Line) {
				if seen++; seen%1000 == 0 {
					r.facts = newFacts()
				}
				r.Seen = NewIDs() // or the second round would be copies
				if _, err := r.Line(l); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}

// BenchmarkValid is what it costs to check that a line is JSON and to find its members.
func BenchmarkValid(b *testing.B) {
	for _, name := range groups[:3] {
		b.Run(name+"/scan", func(b *testing.B) {
			each(b, group(b, name), func(l input.Line) {
				var e event
				if ok, err := e.read(l.Data); !ok || err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run(name+"/gjson", func(b *testing.B) {
			each(b, group(b, name), func(l input.Line) {
				if !gjson.ValidBytes(l.Data) {
					b.Fatal("not JSON")
				}
			})
		})
		b.Run(name+"/encoding-json", func(b *testing.B) {
			each(b, group(b, name), func(l input.Line) {
				if !json.Valid(l.Data) {
					b.Fatal("not JSON")
				}
			})
		})
	}
}

// BenchmarkEncodingJSON reads the same members with encoding/json, for comparison.
func BenchmarkEncodingJSON(b *testing.B) {
	type meta struct {
		Name, Namespace, UID, ResourceVersion string
		CreationTimestamp                     string
		Labels                                map[string]string
	}
	type whole struct {
		Kind     string
		Metadata meta
		Spec     struct {
			RenewTime, HolderIdentity, NodeName string
			LeaseDurationSeconds                int32
			Taints, Tolerations                 []map[string]any
		}
		Status json.RawMessage
	}
	type event struct {
		AuditID, Stage, Verb, UserAgent                      string
		RequestReceivedTimestamp, StageTimestamp, RequestURI string
		User                                                 struct{ Username string }
		ObjectRef                                            struct{ Resource, Namespace, Name, UID, ResourceVersion, Subresource string }
		ResponseStatus                                       struct{ Code int }
		RequestObject                                        json.RawMessage
		ResponseObject                                       whole
	}
	for _, name := range groups {
		b.Run(name, func(b *testing.B) {
			each(b, group(b, name), func(l input.Line) {
				var e event
				if err := json.Unmarshal(l.Data, &e); err != nil {
					b.Fatal(err)
				}
			})
		})
	}
}
