package hostile_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	_ "kardia/internal/roomy"
)

// Parts of true inputs replaced by others, left out, doubled and put in another order: every command ends well.
func TestMutatedInputs(t *testing.T) {
	rapid.Check(t, mutated(t))
}

// FuzzMutated is TestMutatedInputs with what the fuzzer draws.
func FuzzMutated(f *testing.F) {
	f.Fuzz(func(t *testing.T, input []byte) { rapid.MakeFuzz(mutated(t))(t, input) })
}

func mutated(t testing.TB) func(*rapid.T) {
	inputs := map[string][]any{}
	names := []string{"watch.jsonl", "list.json", "audit.log"}
	for _, name := range names {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for d := json.NewDecoder(bytes.NewReader(text)); d.More(); {
			var value any
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
			inputs[name] = append(inputs[name], value)
		}
	}
	dir := t.TempDir()
	return func(r *rapid.T) {
		folder, err := os.MkdirTemp(dir, "in")
		if err != nil {
			r.Fatal(err)
		}
		path := folder
		for range rapid.IntRange(1, 2).Draw(r, "files") {
			name := rapid.SampledFrom(names).Draw(r, "name")
			path = filepath.Join(folder, name)
			if err := os.WriteFile(path, mutate(r, inputs[name]), 0o600); err != nil {
				r.Fatal(err)
			}
		}
		if rapid.Bool().Draw(r, "all") {
			path = folder
		}
		all := commands(filepath.Join(folder, "new"))
		for range 3 {
			words := rapid.SampledFrom(all).Draw(r, "words")
			endsWell(recorded{t, r}, append(slices.Clone(words), path)...)
		}
	}
}

// recorded is a test whose faults a property reports, so that the draw that led there is printed.
type recorded struct {
	testing.TB
	r *rapid.T
}

func (t recorded) Errorf(format string, args ...any) { t.r.Errorf(format, args...) }
func (t recorded) Fatalf(format string, args ...any) { t.r.Fatalf(format, args...) }

// mutate is a text of some values with a few things wrong.
func mutate(r *rapid.T, values []any) []byte {
	values = slices.Clone(values)
	for range rapid.IntRange(1, 4).Draw(r, "changes") {
		i := rapid.IntRange(0, len(values)-1).Draw(r, "value")
		switch rapid.IntRange(0, 9).Draw(r, "how") {
		case 0:
			values = append(values, values[i])
		case 1:
			j := rapid.IntRange(0, len(values)-1).Draw(r, "other")
			values[i], values[j] = values[j], values[i]
		case 2:
			if len(values) > 1 {
				values = slices.Delete(values, i, i+1)
			}
		default:
			values[i] = mutateIn(r, values[i])
		}
	}
	var text strings.Builder
	for _, v := range values {
		line, err := json.Marshal(v)
		if err != nil {
			r.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	whole := []byte(text.String())
	if rapid.IntRange(0, 9).Draw(r, "cut") == 0 {
		whole = whole[:rapid.IntRange(0, len(whole)).Draw(r, "at")]
	}
	return whole
}

// odd are values in places where others belong.
var odd = []any{nil, true, -1, 0, 1e30, -9.3e18, 4294967296, "", "0", "True", "Unknown", "x\x1b]52;c;eA==\a", "\u202e", strings.Repeat("w", 5000), []any{}, map[string]any{}, []any{nil, 1, "x"},
	"9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "2262-04-12T00:00:00Z", "2026-11-20T12:00:30Z", "2026-11-20T11:00:00.000001Z", "2026-11-21T12:00:00+14:00", "1969-12-31T23:59:59Z",
	"alpha-1", "alpha-2", "alpha-3", "Node", "Lease", "Pod", "NoExecute", "DELETED", "BOOKMARK", "ERROR", "18446744073709551615", "-1"}

// mutateIn replaces, leaves out or doubles something in a value; the value stays as it is, and a changed copy comes back.
func mutateIn(r *rapid.T, value any) any {
	deeper := rapid.IntRange(0, 7).Draw(r, "deeper") > 0
	switch v := value.(type) {
	case map[string]any:
		if keys := slices.Sorted(maps.Keys(v)); deeper && len(keys) > 0 {
			key := rapid.SampledFrom(keys).Draw(r, "key")
			changed := maps.Clone(v)
			if rapid.IntRange(0, 9).Draw(r, "drop") == 0 {
				delete(changed, key)
			} else {
				changed[key] = mutateIn(r, v[key])
			}
			return changed
		}
	case []any:
		if deeper && len(v) > 0 {
			i := rapid.IntRange(0, len(v)-1).Draw(r, "item")
			changed := slices.Clone(v)
			if rapid.IntRange(0, 4).Draw(r, "double") == 0 {
				return append(changed, v[i])
			}
			changed[i] = mutateIn(r, v[i])
			return changed
		}
	}
	return rapid.SampledFrom(odd).Draw(r, "odd")
}
