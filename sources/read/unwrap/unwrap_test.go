package unwrap

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"kardia/sources/read/input"
)

// TestPieces: lines that containerd has cut are whole again, with the time of their first piece.
func TestPieces(t *testing.T) {
	var p Pieces
	for _, c := range []struct{ line, want string }{
		{"plain", "plain"}, {"T stdout F one", "T stdout F one"}, {"T stdout P two", ""}, {"U stdout P  and", ""}, {"V stdout F  three", "T stdout P two and three"},
		{"T stderr P ", ""}, {"T stderr F x", "T stderr P x"}, {"T stdout X y", "T stdout X y"}, {"T stdout F", "T stdout F"},
	} {
		if got, err := p.Join([]byte(c.line)); string(got) != c.want || err != nil {
			t.Errorf("%q: %q, %v; want %q", c.line, got, err, c.want)
		}
	}
	long := []byte("T stdout P " + strings.Repeat("x", input.MaxLine/2))
	_, first := p.Join(long)
	if _, err := p.Join(long); first != nil || err != ErrTooLong {
		t.Errorf("%v, then %v", first, err)
	}
	if got, err := p.Join([]byte("T stdout F z")); string(got) != "T stdout F z" || err != nil {
		t.Errorf("behind a line that is too long: %q, %v", got, err)
	}
}

func TestObject(t *testing.T) {
	for raw, want := range map[string]string{`{"a":1}`: `{"a":1}`, `" {\"a\":1}"`: `{"a":1}`, `"{\"a\""`: "", `"text"`: "", `[{}]`: "", `1`: ""} {
		if object, ok := Object(gjson.Parse(raw)); ok != (want != "") || ok && object.Raw != want {
			t.Errorf("%s: %s, %t", raw, object.Raw, ok)
		}
	}
}
