package live

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kardia/sources/live/credential"
)

// TestRedirectsStayWithTheServer: the token goes to no other host, port or protocol, and the refusal names where to.
func TestRedirectsStayWithTheServer(t *testing.T) {
	var elsewhere []string
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		elsewhere = append(elsewhere, r.Header.Get("Authorization"))
		fmt.Fprint(w, `{"gitVersion":"v1"}`)
	}))
	defer other.Close()
	to := ""
	redirects := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/here" {
			fmt.Fprint(w, `{"gitVersion":"v1"}`)
			return
		}
		w.Header().Set("Location", to)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	plain, secure := httptest.NewServer(redirects), httptest.NewTLSServer(redirects)
	defer plain.Close()
	defer secure.Close()
	for _, server := range []*httptest.Server{plain, secure} {
		cfg := &rest.Config{Host: server.URL, BearerToken: "the-secret-token"}
		cfg.Insecure = server == secure
		for _, to = range []string{other.URL + "/version?t=the-secret-token", strings.Replace(secure.URL, "https", "http", 1), "//elsewhere.test/", "https://u:p@elsewhere.test/", "::"} {
			_, err := Reachable(t.Context(), cfg, io.Discard)
			if err == nil || !strings.Contains(err.Error(), "not followed") || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "u:p") {
				t.Errorf("%s to %s: %v", server.URL, to, err)
			}
		}
		to = "/here"
		if _, err := Reachable(t.Context(), cfg, io.Discard); err != nil {
			t.Errorf("a redirect that stays: %v", err)
		}
		to = "/round"
		if _, err := Reachable(t.Context(), cfg, io.Discard); err == nil {
			t.Error("a redirect in a circle ends without an error")
		}
	}
	if len(elsewhere) > 0 {
		t.Errorf("another server was asked with %q", elsewhere)
	}
}

// TestNoSecretGetsIntoAText: credentials that an API server repeats, in an error or a warning, are never shown.
func TestNoSecretGetsIntoAText(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		said := r.Header.Get("Authorization")
		w.Header().Set("Warning", fmt.Sprintf("299 - %q", said))
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":500,"message":%q}`, "no: "+said)
	}))
	defer server.Close()
	for _, cfg := range []*rest.Config{
		{Host: server.URL, BearerToken: "a-token-of-one"},
		{Host: server.URL, Username: "admin", Password: "a-token-of-one"},
		{Host: strings.Replace(server.URL, "//", "//admin:a-token-of-one@", 1)},
	} {
		var log bytes.Buffer
		s, err := New(Options{Config: func() (*rest.Config, error) { return cfg, nil }, LogTo: &log})
		if err != nil {
			t.Fatal(err)
		}
		_, reached := Reachable(t.Context(), cfg, s.log)
		_, asked := CountPods(t.Context(), cfg, "kardia/test", s.log, nil, "")
		texts := []string{s.Name(), reached.Error(), asked.Error(), log.String()}
		for _, text := range texts {
			if strings.Contains(text, "a-token-of-one") || strings.Contains(text, "YWRtaW46") {
				t.Errorf("%q", text)
			}
		}
		if !strings.Contains(texts[2], hidden) || !strings.Contains(texts[3], hidden) {
			t.Errorf("nothing was hidden in %q", texts)
		}
	}
	if got := sent.hide("Bearer authentication failed for eyJhbGciOiJIUzI1NiJ9.e30.x, and abc"); got != "Bearer authentication failed for [hidden], and abc" {
		t.Error(got)
	}
}

// TestACompressedAnswerIsUnfoldedToTheLimit: 64 MiB of nothing take less than a hundred kilobytes on the wire.
func TestACompressedAnswerIsUnfoldedToTheLimit(t *testing.T) {
	var wire bytes.Buffer
	z := gzip.NewWriter(&wire)
	for range 64 {
		_, _ = z.Write(make([]byte, 1<<20))
	}
	_ = z.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(wire.Bytes())
	}))
	defer server.Close()
	l := small()
	c, err := newClients(&rest.Config{Host: server.URL}, connection{messages: io.Discard, limits: l})
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	is := &traffic{}
	_, err = c.version(is.counting(t.Context()))
	runtime.ReadMemStats(&after)
	if o := (*overrun)(nil); !errors.As(err, &o) || !strings.Contains(explain(err), "the answer has more than 65536 bytes") {
		t.Error(err)
	}
	if is.bytes.Load() > l.answer+2*readAtOnce || after.TotalAlloc-before.TotalAlloc > 16<<20 {
		t.Errorf("%d bytes were unfolded, %d taken", is.bytes.Load(), after.TotalAlloc-before.TotalAlloc)
	}
}

// TestAPluginThatHangsIsSaidByItsName: where credentials are waited for, and never the API server.
func TestAPluginThatHangsIsSaidByItsName(t *testing.T) {
	cfg := &rest.Config{Host: "http://cluster.test", ExecProvider: &clientcmdapi.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1", Command: "sleep", Args: []string{"600"}, InteractiveMode: clientcmdapi.NeverExecInteractiveMode}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Reachable(ctx, cfg, io.Discard); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if got := explain(fmt.Errorf("request: %w", slow(&credential.Failure{Name: "aws", Why: "has not answered for 30s"}))); got != "the credential plugin aws has not answered for 30s" {
		t.Error(got)
	}
	if !errors.Is(slow(context.DeadlineExceeded), errSlow) {
		t.Error("a slow API server is not said to be slow")
	}
}
