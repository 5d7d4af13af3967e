package jsonscan

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
)

const lease = `{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"ip-10-0-1-001","namespace":"kube-node-lease",
 "resourceVersion":"981","labels":{},"managedFields":[{"manager":"kwok","fieldsV1":{"f:metadata":{"f:ownerReferences":{".":{},"k:{\"uid\":\"605a552b\"}":{}}}}}, 5 ]},
 "spec":{"holderIdentity":"\u006e\\\n","leaseDurationSeconds":40,"float":-1.5e+3,"null":null,"true":true,"false":false,"renewTime":"2026-11-20T23:42:43.522100Z","empty":[]}}`

func agree(t interface{ Errorf(string, ...any) }, b []byte) {
	if Valid(b) != json.Valid(b) {
		t.Errorf("%q: valid %t, encoding/json says %t", b, Valid(b), json.Valid(b))
	}
}

func TestValid(t *testing.T) {
	if !Valid([]byte(lease)) {
		t.Error("a lease is not JSON")
	}
	for _, s := range []string{``, ` `, `{}`, `[]`, `0`, `-0`, `00`, `-`, `-01`, `1.`, `1.5e+3`, `1e`, `.5`, `tru`, `true`, `nul`, `null `, `"\u12G4"`, `"\u12aF"`, `"\`, `"`,
		"\"\x1f\"", "\"\x7f\xff\"", `[1,]`, `[,1]`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{a:1}`, `{"a":1 "b":2}`, `[1 2]`, `"12345678\"12345678\\"`, `{"a":[{"b":[[]]}]} x`} {
		agree(t, []byte(s))
	}
	if deep := strings.Repeat("[", MaxDepth); !Valid([]byte(deep + strings.Repeat("]", MaxDepth))) {
		t.Errorf("%d deep is refused", MaxDepth)
	}
	if deep := strings.Repeat("[", 16<<20); Valid([]byte(deep)) {
		t.Error("16 Mi brackets are accepted")
	}
}

// TestAgreesWithEncodingJSON: a few bytes wrong, or a piece cut out, are the same to both.
func TestAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := []byte(lease)
		for range rapid.IntRange(0, 2).Draw(t, "edits") {
			b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("{}[]\",:\\ 0-ex\n\x00\xff")).Draw(t, "byte")
		}
		agree(t, b)
		from := rapid.IntRange(0, len(b)).Draw(t, "from")
		to := rapid.IntRange(from, len(b)).Draw(t, "to")
		agree(t, b[from:to])
		agree(t, slices.Concat(b[:from], b[to:]))
	})
}

func FuzzValid(f *testing.F) {
	f.Add([]byte(lease))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) <= MaxDepth { // beyond, depth may distinguish them
			agree(t, b)
		}
	})
}

func TestEach(t *testing.T) {
	p := Scan{B: []byte(`{ "a" : 1 , "b\"" :{"c":[]}}`)}
	var names, values []string
	end := p.Each(1, func(name, value int) int {
		to := p.Value(value, 1)
		names, values = append(names, p.Name(name, value)), append(values, string(p.B[value:to]))
		return to
	})
	if end != len(p.B) || !slices.Equal(names, []string{"a", `b\"`}) || !slices.Equal(values, []string{"1", `{"c":[]}`}) {
		t.Errorf("the members are %q %q up to %d", names, values, end)
	}
}
