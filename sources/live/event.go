package live

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tidwall/gjson"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/watch"

	"kardia/internal/crash"
	"kardia/sources/read/jsonscan"
)

// event is one line of a watch: a kind and an object, or the error at which it ends.
type event struct {
	kind   watch.EventType
	object gjson.Result
	err    error
}

// readAtOnce is how much of a watch is read at once, if it has come. HTTP/2 acknowledges each 4 KiB that are read: ten
// thousand times for a list of 20,000 pods, read object by object.
const readAtOnce = 64 << 10

// events reads a watch in the background until its end, or the context's.
func events(ctx context.Context, from io.ReadCloser, most int64) <-chan event {
	out := make(chan event)
	go crash.Guarded(func() {
		defer from.Close()
		lines := bufio.NewReaderSize(from, readAtOnce)
		for ev := (event{}); ev.err == nil; {
			ev = next(lines, most)
			select {
			case out <- ev:
			case <-ctx.Done():
				return
			}
		}
	})()
	return out
}

// next reads one event of at most so many bytes, which stay valid.
func next(lines *bufio.Reader, most int64) event {
	var line []byte
	for {
		part, err := lines.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case int64(len(line)) > most:
			return event{err: overrunf("one event of a watch has more than %s: it was not read to its end", size(most))}
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil && (len(line) == 0 || !errors.Is(err, io.EOF)):
			return event{err: err}
		case err != nil || len(bytes.TrimSpace(line)) > 0:
			return eventOf(line)
		}
	}
}

func eventOf(line []byte) (ev event) {
	if flaw := jsonscan.Check(line); flaw != nil {
		return event{err: fmt.Errorf("an event of the watch is no JSON: %s", flaw.Why)}
	}
	gjson.Parse(jsonscan.View(line)).ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "type":
			ev.kind = watch.EventType(value.Str)
		case "object":
			ev.object = value
		}
		return true
	})
	switch ev.kind {
	case watch.Added, watch.Modified, watch.Deleted, watch.Bookmark:
	case watch.Error:
		var s metav1.Status
		if err := json.Unmarshal([]byte(ev.object.Raw), &s); err != nil {
			return event{err: fmt.Errorf("an error of the watch is no Status: %w", err)}
		}
		s.Message = cmp.Or(s.Message, string(s.Reason), "the API server ended the watch with an error")
		ev.err = apierrors.FromObject(&s)
	default:
		ev.err = errors.New("an event of the watch has no known type")
	}
	return ev
}

// ends reports whether an error is the end of a connection, as it comes without a fault.
func ends(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || utilnet.IsProbableEOF(err) || utilnet.IsTimeout(err)
}
