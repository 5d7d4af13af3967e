//go:build unix

package cli

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"kardia/ui/cli/command"
	"kardia/ui/cli/kube"
)

// typed runs a command line as a person types it, against the cluster and the user of a kubeconfig.
func typed(ctx context.Context, t *testing.T, server, user, line string) (code command.Code, out, err string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	config := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"x","contexts":[{"name":"x","context":{"cluster":"c","user":"u"}}],
"clusters":[{"name":"c","cluster":{"server":%q,"insecure-skip-tls-verify":true}}],"users":[{"name":"u","user":{%s}}]}`, server, user)
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code = command.Run(ctx, command.World{Args: append([]string{"kardia"}, append(strings.Fields(line), "--kubeconfig", path)...),
		In: strings.NewReader(""), Out: &stdout, Err: &stderr, Kube: kube.New(messages{&stderr})})
	return code, stdout.String(), stderr.String()
}

// plugin is a user whose credentials a script answers with.
func plugin(script string) string {
	return fmt.Sprintf(`"exec":{"apiVersion":"client.authentication.k8s.io/v1","command":"sh","args":["-c",%q],"interactiveMode":"Never"}`, script)
}

// live are the command lines that ask a cluster.
func live(t *testing.T) []string {
	dir := t.TempDir()
	return []string{"live --once", "", "get nodes", "get pods", "get zones", "get evictions", "check", "verdict", "why --node n1", "decisions",
		"verify --for 1s", "whatif", "record -o " + dir + "/r.mcap"}
}

// interrupts is a context that is cancelled as soon as a named pipe was opened by somebody else.
func interrupts(t *testing.T, pipe string) context.Context {
	t.Helper()
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = os.ReadFile(pipe) // until the plugin has written
		cancel()
	}()
	return ctx
}

// TestAPluginThatHangsIsInterrupted: every command that asks a cluster ends with 130 when it is interrupted.
func TestAPluginThatHangsIsInterrupted(t *testing.T) {
	for _, line := range live(t) {
		pipe := filepath.Join(t.TempDir(), "begun")
		code, out, messages := typed(interrupts(t, pipe), t, "https://127.0.0.1:1", plugin("echo > "+pipe+"; sleep 600"), line)
		if code != command.Interrupted || out != "" || !strings.Contains(messages, "interrupted") && !strings.Contains(messages, "nothing was received") {
			t.Errorf("%s: code %d, %q, %q", line, code, out, messages)
		}
	}
}

// TestAPluginsMessagesAreCleaned: they are shown as the program's own, and nothing of them steers the terminal.
func TestAPluginsMessagesAreCleaned(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer server.Close()
	const wrote = `printf "PLUGSTDERR\033]0;PWN\007\033[31m" >&2; `
	ok := `echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"a-secret-token"}}'`
	for script, want := range map[string]string{
		wrote + "exit 3": "kardia: cannot watch the cluster: the credential plugin sh failed with exit code 3: PLUGSTDERR␛]0;PWN␇␛[31m\n",
		wrote + ok:       "kardia: the credential plugin sh writes: PLUGSTDERR␛]0;PWN␇␛[31m\n",
	} {
		code, out, messages := typed(t.Context(), t, server.URL, plugin(script), "get nodes")
		if code == command.OK || !strings.Contains(messages, want) || strings.ContainsAny(out+messages, "\x1b\x07") || strings.Contains(out+messages, "a-secret-token") {
			t.Errorf("%s: code %d, %q, want %q", script, code, messages, want)
		}
	}
}
