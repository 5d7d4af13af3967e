package command

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// zoneOutageLog is the controller manager's log of demo:zone-outage, with changes: pairs of what a line holds and what it holds
// instead.
func zoneOutageLog(t *testing.T, changes ...string) (path string) {
	t.Helper()
	f, err := os.Open("../../../sources/read/klog/testdata/zone-outage.log.zst")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := zstd.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for i := 0; i+1 < len(changes); i += 2 {
		if !strings.Contains(text, changes[i]) {
			t.Fatalf("the log does not hold %q", changes[i])
		}
		text = strings.Replace(text, changes[i], changes[i+1], 1)
	}
	path = filepath.Join(t.TempDir(), "kube-controller-manager.log")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// What zone us-east-1b is judged to be when four of its ten nodes are not Ready any more, and two others when it was.
const (
	judgedNormal  = "I1120 23:56:59.028751   22331 node_lifecycle_controller.go:1063] \"Controller detected that zone is now in new state\" zone=\"us-east-1:\\x00:us-east-1b\" newState=\"Normal\"\n"
	judgedPartial = "I1120 23:56:59.028751   22331 node_lifecycle_controller.go:1063] \"Controller detected that zone is now in new state\" zone=\"us-east-1:\\x00:us-east-1b\" newState=\"PartialDisruption\"\n"
	normalLater   = "I1120 23:57:09.050000   22331 node_lifecycle_controller.go:1063] \"Controller detected that zone is now in new state\" zone=\"us-east-1:\\x00:us-east-1b\" newState=\"Normal\"\n"
)

// The states of zones that a log tells of bound the threshold: a value that they disprove is refused, one that is not given is
// inferred from them, and the passes of which the log tells bound the period.
func TestTheControllersLogBoundsFlags(t *testing.T) {
	truth, partial := zoneOutageLog(t), zoneOutageLog(t, judgedNormal, judgedPartial+normalLater)
	for _, c := range []struct {
		line        string
		code        Code
		shows, hide []string
	}{
		{"verify demo:zone-outage " + truth, OK, []string{"unhealthy-zone-threshold       0.55    default   0.4001 or more", "0 contradictions"}, nil},
		{"verify demo:zone-outage --unhealthy-zone-threshold 0.2", OK, []string{"0.2     flag      -"}, nil}, // without the log anything would do
		{"verify --unhealthy-zone-threshold 0.2 demo:zone-outage " + truth, Found, []string{"0.55 fits", "0.4001 or more"}, nil},
		{"verify --unhealthy-zone-threshold 0.41 demo:zone-outage " + truth, OK, []string{"0 contradictions"}, nil},
		{"verify demo:zone-outage " + partial, OK, []string{"0.4     inferred   0 to 0.4", "0 contradictions"}, nil},
		{"verify --unhealthy-zone-threshold 0.55 demo:zone-outage " + partial, Found, []string{"0.4 fits", "0 to 0.4"}, nil},
		{"verify --unhealthy-zone-threshold 0.3 demo:zone-outage " + partial, OK, []string{"0 contradictions"}, nil},
		{"report demo:zone-outage " + truth, OK, []string{"0.4001 or more"}, nil},
	} {
		got := kardia(t, nil, c.line)
		if got.code != c.code {
			t.Errorf("%s: exit code %d, want %d\n%s", c.line, got.code, c.code, got.err)
		}
		for _, want := range c.shows {
			if !strings.Contains(got.out+got.err, want) {
				t.Errorf("%s: %q is missing in\n%s%s", c.line, want, got.err, got.out)
			}
		}
		for _, not := range c.hide {
			if strings.Contains(got.out+got.err, not) {
				t.Errorf("%s: %q is said in\n%s", c.line, not, got.out)
			}
		}
	}
}
