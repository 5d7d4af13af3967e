package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuild(t *testing.T) {
	if b := buildOf(nil); b.Version != "devel" || b.Commit != nil {
		t.Errorf("%+v", b)
	}
	info := &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2026-03-01T12:00:00Z"}}}
	info.Main.Version = "v1.2.3"
	if b := buildOf(info); b.Version != "v1.2.3" || *b.Commit != "abc" || *b.Date != "2026-03-01T12:00:00Z" ||
		!strings.HasPrefix(b.line(), "kardia v1.2.3, commit abc of 2026-03-01T12:00:00Z (") {
		t.Errorf("%+v", b)
	}
	defer func() { Version, Commit, Date = "", "", "" }()
	Version, Commit, Date = "v1.2.4", "0123456789abcdef", "2026-04-01T12:00:00Z" // as the linker of a release sets them
	if line := buildOf(info).line(); !strings.HasPrefix(line, "kardia v1.2.4, commit 0123456789ab of 2026-04-01T12:00:00Z (") {
		t.Error(line)
	}
}

func TestVersion(t *testing.T) {
	if got := kardia(t, nil, "version"); got.code != OK || !strings.HasPrefix(got.out, "kardia ") || strings.Count(got.out, "\n") != 1 {
		t.Errorf("%+v", got)
	}
	var b map[string]any
	if err := json.Unmarshal([]byte(kardia(t, nil, "version -o json").out), &b); err != nil || b["version"] == "" || b["go"] == "" {
		t.Errorf("%v, %v", b, err)
	}
}

// TestLogFile: the log never outgrows its limit by more than one old log of the same size,
// and keeps the newest lines.
func TestLogFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "kardia.log")
	for range 3 { // as in three sessions
		l, err := openLog(path, 100)
		if err != nil {
			t.Fatal(err)
		}
		for i := range byte(20) {
			if n, err := l.Write(append(bytes.Repeat([]byte{'a' + i}, 30), '\n')); n != 31 || err != nil {
				t.Fatal(n, err)
			}
		}
		if n, err := l.Write(bytes.Repeat([]byte("z"), 1000)); n != 1000 || err != nil {
			t.Fatal(n, err)
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || info.Size() > 100 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %d bytes, %v, %v", f.Name(), info.Size(), info.Mode(), err)
		}
	}
	newest, err := os.ReadFile(path)
	if err != nil || !bytes.HasSuffix(newest, []byte("zzz")) {
		t.Errorf("%q, %v", newest, err)
	}
}
