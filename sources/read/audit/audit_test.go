package audit

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"kardia/model"
	"kardia/sources/read/input"
	"kardia/sources/read/object"
)

func lineOf(data []byte) input.Line { return input.Line{Data: data, Number: 1} }

func TestSniff(t *testing.T) {
	for _, l := range loadReal(t) {
		if !Sniff(l.line[:min(len(l.line), 512)]) {
			t.Errorf("%s does not look like an audit log", l.label)
		}
	}
	no := []string{"", "{", `{"type":"ADDED","object":{"kind":"Node","apiVersion":"v1"}}`,
		`I1120 23:42:38.000000 1 node_lifecycle_controller.go:1] "Starting"`, `{"kind":"Event","apiVersion":"v1","reason":"NodeNotReady"}`}
	for _, head := range no {
		if Sniff([]byte(head)) {
			t.Errorf("%s looks like an audit log", head)
		}
	}
}

// TestLevelRequest: the same log without answers gives the same state for every patch whose base was seen.
func TestLevelRequest(t *testing.T) {
	full, bare := NewReader(&object.Decoder{}, 0), NewReader(&object.Decoder{}, 0)
	patches := 0
	for _, l := range loadReal(t) {
		want, err := full.Line(lineOf(l.line))
		if err != nil {
			t.Fatal(err)
		}
		got, err := bare.Line(lineOf(withoutAnswerToPatch(t, l.line)))
		if err != nil {
			t.Fatalf("%s: %v", l.label, err)
		}
		if got == nil || got.Op == model.OpPatch || got.Version == want.Version {
			continue // foreign; without a base; or the answer is still there
		}
		patches++
		got.Version = want.Version
		got.UID = want.UID
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the patch gives %+v %+v, the API server had %+v %+v", l.label, got.Node, got.Pod, want.Node, want.Pod)
		}
	}
	if patches < 8 {
		t.Errorf("only %d patches were applied: the test shows little", patches)
	}
}

func withoutAnswerToPatch(t *testing.T, line []byte) []byte {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(line, &all); err != nil {
		t.Fatal(err)
	}
	if string(all["verb"]) != `"patch"` {
		return line
	}
	delete(all, "responseObject")
	out, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestOrderOfMembers: the members of a line come in any order, with any white space.
func TestOrderOfMembers(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for _, l := range loadReal(t) {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(l.line, &all); err != nil {
			t.Fatal(err)
		}
		var members []string
		for name, value := range all {
			members = append(members, fmt.Sprintf("%q : %s", name, value))
		}
		random.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		shuffled := "{ " + strings.Join(members, " ,\t") + " }"
		want, _ := NewReader(&object.Decoder{}, 0).Line(lineOf(l.line))
		got, err := NewReader(&object.Decoder{}, 0).Line(lineOf([]byte(shuffled)))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s in another order: %+v, %v; want %+v", l.label, got, err, want)
		}
	}
}

// TestKeepsNothing: a Change does not share memory with the line it was read from.
func TestKeepsNothing(t *testing.T) {
	for _, l := range loadReal(t) {
		first, second := NewReader(&object.Decoder{}, 0), NewReader(&object.Decoder{}, 0)
		want, _ := first.Line(lineOf(l.line))
		line := append([]byte(nil), l.line...)
		got, _ := second.Line(lineOf(line))
		for i := range line {
			line[i] = 'x'
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: the Change changed with the line's memory: %+v, want %+v", l.label, got, want)
		}
	}
}

func TestTooLong(t *testing.T) {
	r := NewReader(&object.Decoder{}, 0)
	if ch, err := r.Line(input.Line{Data: []byte(`{"kind":"Event"`), TooLong: true}); ch != nil || err == nil {
		t.Errorf("a line beyond the limit: %+v, %v", ch, err)
	}
	_, err := r.Line(input.Line{Data: []byte(`{"kind":"Event"`), Unended: true})
	if err == nil || !strings.Contains(err.Error(), "the file ends in this line") {
		t.Errorf("a cut last line: %v", err)
	}
	deep := strings.Repeat(`{"a":`, 1<<20)
	if _, err := r.Line(lineOf([]byte(deep))); err == nil {
		t.Error("a line nested a million deep was read")
	}
}

// TestMemoryIsBounded: facts about objects that never end are forgotten at last.
func TestMemoryIsBounded(t *testing.T) {
	m := newFacts()
	m.limit = 10
	for i := range 1000 {
		m.set(model.ObjectID{Kind: model.KindPod, Key: model.Key{Name: fmt.Sprint(i)}}, fact{version: uint64(i)})
		m.set(model.ObjectID{Kind: model.KindNode, Key: model.Key{Name: "busy"}}, fact{version: 7})
	}
	if n := len(m.young) + len(m.old); n > 20 {
		t.Errorf("%d facts are kept, want at most 20", n)
	}
	if busy, _ := m.get(model.ObjectID{Kind: model.KindNode, Key: model.Key{Name: "busy"}}); busy.version != 7 {
		t.Error("an object written to all the time was forgotten")
	}
	ids := NewIDs()
	for i := range 3 * recentIDs {
		ids.add(fmt.Sprint(i))
	}
	if n := len(ids.young) + len(ids.old); n > 2*recentIDs {
		t.Errorf("%d auditIDs are kept", n)
	}
	if ids.add(fmt.Sprint(3*recentIDs-1)) || ids.add(fmt.Sprint(2*recentIDs)) || !ids.add("0") {
		t.Error("the last 65,536 auditIDs must be known, and the first forgotten")
	}
}

// FuzzLine: any bytes give an error, or a Change that is well formed, or both.
func FuzzLine(f *testing.F) {
	for i, l := range loadReal(f) {
		if i%5 == 0 {
			f.Add(l.line, i%2 == 0)
		}
	}
	f.Add([]byte(`2026-08-01T12:00:05.44Z stdout P {"a`), false)
	f.Add([]byte(`{"log":"{\"auditID\":\"1\"}"}`), false)
	f.Fuzz(func(t *testing.T, data []byte, unended bool) {
		r := NewReader(&object.Decoder{}, 3)
		for range 2 { // the second time with a base, under another auditID
			ch, err := r.Line(input.Line{Data: data, Number: 5, Unended: unended})
			if ch == nil {
				continue
			}
			if err := wellFormed(ch); err != nil {
				t.Fatalf("%v: %+v", err, ch)
			}
			if err == nil && !Sniff(data) {
				t.Fatalf("read, but not recognised: %q", data)
			}
			r.Seen = NewIDs()
		}
	})
}

func wellFormed(ch *model.Change) error {
	switch {
	case ch.Kind == model.KindNone || ch.Key.Name == "":
		return fmt.Errorf("nothing is named")
	case !ch.Time.Bounded() || ch.Time.Earliest > ch.Time.Latest || !ch.Time.Contains(ch.Arrival):
		return fmt.Errorf("times out of order")
	case ch.Quality != model.ByServer || ch.Code == 0 || ch.Origin.Source != 3 || ch.Origin.Line != 5:
		return fmt.Errorf("incomplete")
	case ch.Node != nil && ch.Kind != model.KindNode || ch.Pod != nil && (ch.Kind != model.KindPod || ch.Pod.Key != ch.Key) || ch.Event != nil && ch.Kind != model.KindEvent:
		return fmt.Errorf("an object of another kind")
	case ch.Patch != nil && (ch.Op != model.OpPatch || !json.Valid(ch.Patch)):
		return fmt.Errorf("a patch that is none")
	}
	return nil
}
