package live

import (
	"errors"
	"net/url"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kardia/sources/capture/stream"
)

func TestErrorsInWordsForThePerson(t *testing.T) {
	for _, c := range []struct {
		err   error
		state stream.State
		want  string
	}{
		{&url.Error{Op: "Get", URL: "https://10.0.0.1/api/v1/nodes?watch=true", Err: errors.New("no route to host")}, stream.Disconnected, "no route to host"},
		{errors.New("http2: client connection lost"), stream.Disconnected, "http2: client connection lost"},
		{apierrors.NewUnauthorized("Unauthorized"), stream.Expired, "the API server does not accept the credentials"},
		{apierrors.NewResourceExpired("too old"), stream.Loading, "the API server no longer has the changes since the last one seen"},
		{errClosed, stream.Disconnected, "the connection was closed"},
	} {
		if got, state := explain(c.err), stateFor(c.err); got != c.want || state != c.state {
			t.Errorf("%v: %q, %v", c.err, got, state)
		}
	}
}

func TestWaitsGrowToTheirLimit(t *testing.T) {
	for nth := 1; nth < 100; nth++ {
		limit := maxWait
		if nth <= 6 {
			limit = firstWait << (nth - 1)
		}
		for range 20 {
			if d := wait(errClosed, nth); d < limit/2 || d > limit {
				t.Fatalf("wait %d is %v, limit %v", nth, d, limit)
			}
		}
	}
	if d := wait(apierrors.NewTooManyRequests("busy", 3600), 1); d != maxWait {
		t.Errorf("asked for an hour, wait %v", d)
	}
	if d := wait(apierrors.NewTooManyRequests("busy", 7), 1); d != 7*time.Second {
		t.Errorf("asked for 7 s, wait %v", d)
	}
}
