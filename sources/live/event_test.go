package live

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/watch"
)

// reads counts how often a body is read.
type reads struct {
	io.Reader
	n int
}

func (r *reads) Read(into []byte) (int, error) {
	r.n++
	return r.Reader.Read(into)
}

// A watch of many events is not read from the network event by event, and an event that is there does not wait for more.
func TestEventsAreReadAtOnce(t *testing.T) {
	line := `{"type":"ADDED","object":{"kind":"Node"}}` + "\n"
	answer := &reads{Reader: strings.NewReader(strings.Repeat(line, 2000))}
	n := 0
	for from := events(t.Context(), io.NopCloser(answer), 1<<10); ; n++ {
		if ev := <-from; ev.err != nil {
			if ev.err != io.EOF {
				t.Error(ev.err)
			}
			break
		}
	}
	if n != 2000 || answer.n > 4 {
		t.Errorf("%d events, read %d times", n, answer.n)
	}

	in, out := io.Pipe()
	go out.Write([]byte(line))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	select {
	case ev := <-events(ctx, in, 1<<10):
		if ev.kind != watch.Added || ev.err != nil || ev.object.Get("kind").Str != "Node" {
			t.Errorf("%+v", ev)
		}
	case <-ctx.Done():
		t.Error("an event waits for more")
	}
}

// An API server's own words end a watch, and so does a line that is no event. The last line may have no end.
func TestWhatIsNoEventEndsAWatch(t *testing.T) {
	for text, want := range map[string]string{
		"\n \n" + `{"type":"DELETED","object":{}}`: "",
		`{"type":"ERROR","object":{"kind":"Status","status":"Failure","code":410,"reason":"Expired","message":"too old"}}`: "too old",
		`{"type":"ERROR","object":null}`:               "the API server ended the watch with an error",
		`{"type":"ERROR","object":"x"}`:                "an error of the watch is no Status",
		`{"type":"ODD","object":{}}`:                   "an event of the watch has no known type",
		`{"type":"ADDED","object":` + "\n":             "an event of the watch is no JSON: unexpected end",
		strings.Repeat("[", 500):                       "it nests more than 200 deep",
		`{"type":"` + strings.Repeat("x", 1000) + `"}`: "one event of a watch has more than 500 bytes",
		"": "EOF",
	} {
		ev := <-events(t.Context(), io.NopCloser(strings.NewReader(text)), 500)
		if ev.err == nil && want != "" || ev.err != nil && (want == "" || !strings.Contains(ev.err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, ev.err, want)
		}
	}
}
