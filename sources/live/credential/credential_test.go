//go:build unix

package credential

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/transport"
)

// shell is a plugin that is a script. Its clock moves only when a test moves it.
func shell(script string) (p *Plugin, clock *time.Time) {
	p = newPlugin(clientcmdapi.ExecConfig{APIVersion: "client.authentication.k8s.io/v1", Command: "/bin/sh", Args: []string{"-c", script}}, nil)
	is := time.Unix(1e9, 0)
	p.now = func() time.Time { return is }
	return p, &is
}

// answering is a script that answers with a token, and counts its runs in a file.
func answering(t *testing.T, token, more string) (script, runs string) {
	runs = filepath.Join(t.TempDir(), "runs")
	return fmt.Sprintf(`echo run >> %s; echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"%s}}'`, runs, token, more), runs
}

func counted(t *testing.T, runs string) int {
	t.Helper()
	text, err := os.ReadFile(runs)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(text), "run")
}

// held is a pipe that every process of a plugin holds open, until the last has ended.
func held(t *testing.T) (path string, ended func()) {
	path = filepath.Join(t.TempDir(), "held")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // does not wait for a plugin that may never begin
	if err != nil {
		t.Fatal(err)
	}
	return path, func() {
		defer f.Close()
		if _, err := io.ReadAll(f); err != nil {
			t.Error(err)
		}
	}
}

// TestAPluginThatNeverAnswersIsEnded: after its time, with every process that it started.
func TestAPluginThatNeverAnswersIsEnded(t *testing.T) {
	path, ended := held(t)
	p, _ := shell("exec 3>" + path + "; echo open https://login.example >&2; sleep 600 & wait")
	p.patience = 300 * time.Millisecond
	_, err := p.Login(t.Context())
	if want := "the credential plugin sh has not answered for 300ms"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	ended()
}

// TestWaitingEndsWithTheContext: at once, also while the plugin goes on, and cancelling ends the plugin too.
func TestWaitingEndsWithTheContext(t *testing.T) {
	path, ended := held(t)
	p, _ := shell("exec 3>" + path + "; sleep 600 & wait")
	late, stop := context.WithDeadline(t.Context(), time.Now())
	defer stop()
	var f *Failure
	if _, err := p.Login(late); !errors.As(err, &f) || !strings.Contains(f.Why, "has not answered") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Login(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	p.End()
	ended()
}

// TestAnEndedRunIsBegunAgain for those who still wait.
func TestAnEndedRunIsBegunAgain(t *testing.T) {
	dir := t.TempDir()
	script, _ := answering(t, "tok", "")
	p, _ := shell(fmt.Sprintf("mkdir %s/first 2>/dev/null && { echo > %[1]s/begun; exec sleep 600; }; %s", dir, script))
	if err := syscall.Mkfifo(dir+"/begun", 0o600); err != nil {
		t.Fatal(err)
	}
	got := make(chan error)
	go func() {
		_, err := p.Login(context.WithoutCancel(t.Context()))
		got <- err
	}()
	if _, err := os.ReadFile(dir + "/begun"); err != nil {
		t.Fatal(err)
	}
	p.End()
	if err := <-got; err != nil {
		t.Error(err)
	}
}

func TestWhatFailsIsSaidInOneLine(t *testing.T) {
	secret := "eyJhbGciOi.secret.x"
	for script, want := range map[string]string{
		`printf "no\nsession\033[31m" >&2; exit 3`: "the credential plugin sh failed with exit code 3: no session\x1b[31m",
		"kill -9 $$":                  "the credential plugin sh was ended (signal: killed)",
		"echo " + secret:              "the credential plugin sh does not answer with an ExecCredential of client.authentication.k8s.io/v1",
		"echo '\"" + secret + "\"'":   "the credential plugin sh does not answer with an ExecCredential of client.authentication.k8s.io/v1",
		"cat /dev/zero":               "the credential plugin sh answers more than 1048576 bytes",
		"exec cat":                    "the credential plugin sh does not answer with an ExecCredential of client.authentication.k8s.io/v1", // its stdin is empty
		`yes x | head -c 4000000 >&2`: "the credential plugin sh does not answer with an ExecCredential of client.authentication.k8s.io/v1: ",
	} {
		p, _ := shell(script)
		_, err := p.Login(t.Context())
		if err == nil || err.Error() != want && !(strings.HasSuffix(want, ": ") && strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: %v, want %s", script, err, want)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || len(err.Error()) > 2*maxWrote) {
			t.Errorf("%s: %d bytes: %v", script, len(err.Error()), err)
		}
	}
	p, _ := shell("")
	p.config.Command, p.config.InstallHint = "/nowhere/aws", "brew install\nawscli"
	if _, err := p.Login(t.Context()); err == nil || err.Error() != "the credential plugin aws is not installed (brew install awscli)" {
		t.Error(err)
	}
	p, _ = shell("")
	p.config.InteractiveMode = clientcmdapi.AlwaysExecInteractiveMode
	if _, err := p.Login(t.Context()); err == nil || !strings.Contains(err.Error(), "log in with kubectl first") {
		t.Error(err)
	}
}

// TestAPluginHasNoTerminal: it runs in a session of its own, so nothing of it reaches the screen.
func TestAPluginHasNoTerminal(t *testing.T) {
	script, _ := answering(t, "tok", "")
	p, _ := shell("if (: > /dev/tty) 2>/dev/null; then exit 9; fi; echo warned >&2; " + script)
	wrote, err := p.Login(t.Context())
	if err != nil || wrote != "the credential plugin sh writes: warned" {
		t.Errorf("%q, %v", wrote, err)
	}
	if wrote, err = p.Login(t.Context()); err != nil || wrote != "" {
		t.Errorf("a second time: %q, %v", wrote, err)
	}
}

// TestAPluginThatFailsIsNotRunOverAndOver: the pauses grow to their limit.
func TestAPluginThatFailsIsNotRunOverAndOver(t *testing.T) {
	runs := filepath.Join(t.TempDir(), "runs")
	p, clock := shell("echo run >> " + runs + "; exit 1")
	for range 600 { // each second for ten minutes
		if _, err := p.Login(t.Context()); err == nil {
			t.Fatal("no error")
		}
		*clock = clock.Add(time.Second)
	}
	if n := counted(t, runs); n < 10 || n > 30 {
		t.Errorf("run %d times in ten minutes", n)
	}
}

// TestCredentialsAreRenewed when they expire, and when they are refused, but not over and over.
func TestCredentialsAreRenewed(t *testing.T) {
	status := http.StatusOK
	var sent []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = append(sent, r.Header.Get("Authorization"))
		w.WriteHeader(status)
	}))
	defer server.Close()
	script, runs := answering(t, "tok", `,"expirationTimestamp":"2001-09-09T02:46:40Z"`) // an hour after the clock begins
	p, clock := shell(script)
	var c transport.Config
	p.Into(&c)
	rt, err := transport.New(&c)
	if err != nil {
		t.Fatal(err)
	}
	ask := func() {
		t.Helper()
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL, nil)
		resp, err := rt.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if req.Header.Get("Authorization") != "" {
			t.Error("the caller's request was changed")
		}
	}
	ask()
	ask()
	if n := counted(t, runs); n != 1 || sent[0] != "Bearer tok" || sent[1] != "Bearer tok" {
		t.Errorf("%d runs, sent %v", n, sent)
	}
	*clock = clock.Add(59 * time.Minute)
	status = http.StatusUnauthorized
	ask()
	status = http.StatusOK
	ask()
	if n := counted(t, runs); n != 2 {
		t.Errorf("%d runs after a refusal, want 2", n)
	}
	*clock = clock.Add(2 * time.Minute) // past the time of expiry
	status = http.StatusUnauthorized
	for range 120 {
		ask()
		*clock = clock.Add(time.Second)
	}
	if n := counted(t, runs); n < 4 || n > 130 {
		t.Errorf("%d runs", n)
	}
}

// TestOf: other credentials go first, and several connections share one login.
func TestOf(t *testing.T) {
	exec := &clientcmdapi.ExecConfig{APIVersion: "client.authentication.k8s.io/v1", Command: "test-of"}
	a, err := Of(&rest.Config{ExecProvider: exec})
	if err != nil || a == nil {
		t.Fatal(a, err)
	}
	if b, _ := Of(&rest.Config{ExecProvider: exec, Host: "https://other"}); a != b {
		t.Error("two logins for one plugin")
	}
	if b, _ := Of(&rest.Config{ExecProvider: exec, BearerToken: "t"}); b != nil {
		t.Error("a token that is given does not go first")
	}
	if b, _ := Of(&rest.Config{}); b != nil {
		t.Error("a plugin where none is named")
	}
}
