//go:build !windows

package cli

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// TestMain is the program itself where a test starts it as a process.
func TestMain(m *testing.M) {
	if os.Getenv("KARDIA_PROCESS") != "" {
		os.Exit(Main())
	}
	os.Exit(m.Run())
}

// process is the program as a process of its own; it ends with the test.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = []string{"KARDIA_PROCESS=1", "HOME=" + home, "KUBECONFIG=" + filepath.Join(home, "none"), "PATH=" + os.Getenv("PATH")}
	return cmd
}

// oneNode is an API server with one node. It refuses the first request for each kind; followed tells the kinds that are
// watched.
func oneNode(t *testing.T, refuse func(http.ResponseWriter)) (url string, followed <-chan string) {
	t.Helper()
	var mu sync.Mutex
	asked := map[string]bool{}
	kinds := make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		kind := map[string]string{"nodes": "Node", "leases": "Lease", "pods": "Pod", "events": "Event"}[r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]]
		mu.Lock()
		first := !asked[r.URL.Path]
		asked[r.URL.Path] = true
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case kind == "":
			fmt.Fprint(w, `{"gitVersion":"v1.36.3"}`)
		case first:
			refuse(w)
		case r.URL.Query().Get("sendInitialEvents") != "": // it does not stream lists
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"BadRequest","code":400}`)
		case r.URL.Query().Get("watch") != "":
			w.(http.Flusher).Flush()
			kinds <- kind
			<-r.Context().Done()
		default:
			version, items := "v1", ""
			if kind == "Lease" {
				version = "coordination.k8s.io/v1"
			}
			if kind == "Node" {
				items = `{"metadata":{"name":"n-1","resourceVersion":"7","creationTimestamp":"2026-11-20T12:00:00Z"}}`
			}
			fmt.Fprintf(w, `{"kind":"%sList","apiVersion":%q,"metadata":{"resourceVersion":"9"},"items":[%s]}`, kind, version, items)
		}
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL, kinds
}

// TestRecordOutlivesItsPipes: a recorder goes on without the reader of its messages, waits out an API server that refuses its
// first lists, and ends whole when it is told to.
func TestRecordOutlivesItsPipes(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter){
		"429": func(w http.ResponseWriter) { w.WriteHeader(http.StatusTooManyRequests) },
		"503": func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) },
		"cut": func(http.ResponseWriter) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, followed := oneNode(t, refuse)
			path := filepath.Join(t.TempDir(), "a.mcap")
			cmd := process(t, "record", "-o", path, "--server", url)
			read, write, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout, cmd.Stderr = write, write
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_, _ = write.Close(), read.Close() // as head does
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			for kind := ""; kind != "Node"; {
				select {
				case kind = <-followed:
				case err := <-ended:
					t.Fatalf("it ended: %v", err)
				}
			}
			if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err != nil {
				t.Errorf("it ended with %v", err)
			}
			get := process(t, "get", "nodes", path)
			if out, _ := get.CombinedOutput(); !strings.Contains(string(out), "n-1 ") {
				t.Errorf("the recording shows %q", out)
			}
		})
	}
}
