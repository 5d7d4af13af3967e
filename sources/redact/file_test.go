package redact

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/open"
	"kardia/sources/recording"
)

// A demo, redacted into a file: it opens, verify says the same of it, and it says of itself
// what was done to it.
func TestWrite(t *testing.T) {
	opened, err := open.Open(context.Background(), []string{"demo:node-loss"}, open.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in := Recording{History: opened.History, Meta: recording.Meta{Name: "node-loss", ServerVersion: "v1.36.3+acme", Sources: opened.History.Sources()},
		Marks: []past.Bookmark{{At: opened.Start, Note: "call bob@acme.example"}}}
	for _, level := range []Level{Share, Public} {
		path := filepath.Join(t.TempDir(), "out.mcap")
		if err := New(level, testKey).Write(in, path); err != nil {
			t.Fatal(err)
		}
		if err := New(level, testKey).Write(in, path); !errors.Is(err, os.ErrExist) {
			t.Errorf("a second time: %v", err)
		}
		f, err := recording.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m := f.Meta()
		if m.Redaction != level.String() || m.Name != "redacted" || m.ServerVersion != "v1.36.3" || m.Removed["names"] < 50 {
			t.Errorf("%+v", m)
		}
		if marks := f.Marks(); len(marks) != 1 || marks[0].Note != removedText {
			t.Errorf("%v", marks)
		}
		if got, want := judge(t, f), judge(t, opened.History); got != want {
			t.Errorf("at %v: %s\nthe source: %s", level, got, want)
		}
		if raw, _ := os.ReadFile(path); strings.Contains(string(raw), "ip-10") {
			t.Error("a name can be read in the raw file")
		}
		if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
	}
}

// clocked is a History that knows the clock it was recorded by.
type clocked struct {
	history.History
	readings []history.ClockReading
}

func (c clocked) Clocks() []history.ClockReading { return c.readings }

// The readings of the clock stay, and are shifted with all other times.
func TestClock(t *testing.T) {
	at := model.Instant(1_773_489_600e9)
	step := history.ClockReading{At: at, Wall: at - 2e9, Since: time.Minute, Set: -2 * time.Second, During: model.Interval{Earliest: at - 1e9, Latest: at},
		Server: model.Some(history.Offset{Least: -5, Most: 5})}
	h := history.NewMemory([]model.Change{{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "n"}, Arrival: at, Time: model.Exactly(at), Lease: model.Lease{Renewed: at}}},
		model.Exactly(at), nil, []history.Source{{}})
	for _, level := range []Level{Share, Public} {
		path := filepath.Join(t.TempDir(), "out.mcap")
		if err := New(level, testKey).Write(Recording{History: clocked{h, []history.ClockReading{step}}}, path); err != nil {
			t.Fatal(err)
		}
		f, err := recording.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if len(f.Clocks()) != 1 {
			t.Fatal(f.Clocks())
		}
		got, by := f.Clocks()[0], step.At-f.Clocks()[0].At
		got.At, got.Wall, got.During = got.At+by, got.Wall+by, model.Interval{Earliest: got.During.Earliest + by, Latest: got.During.Latest + by}
		if got != step || (by != 0) != (level == Public) || f.PageAt(0).First+by != at {
			t.Errorf("at %v: %+v, shifted by %v", level, f.Clocks()[0], by)
		}
	}
}

// Where the search finds anything, there is no file, and the secret is not in the message.
func TestFailsClosed(t *testing.T) {
	dir := t.TempDir()
	at := model.Instant(1_773_489_600e9)
	h := history.NewMemory([]model.Change{{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: "default", Name: "e"}, Arrival: at, Time: model.Exactly(at),
		Event: &model.Event{Message: "token eyJhbGciOiJIUzI1NiJ9.e30.x refused"}}}, model.Exactly(at), nil, []history.Source{{}})
	err := New(Slim, testKey).Write(Recording{History: h}, filepath.Join(dir, "out.mcap"))
	var unclean *ErrUnclean
	if !errors.As(err, &unclean) || !strings.Contains(err.Error(), "a JSON web token in change 0 (Event), field Event.Message") || strings.Contains(err.Error(), "eyJ") {
		t.Errorf("%v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestKeyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "key")
	k, made, err := KeyFile(path)
	if err != nil || !made {
		t.Fatal(made, err)
	}
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	if again, made, err := KeyFile(path); err != nil || made || again != k {
		t.Error(again, made, err)
	}
	if err := os.WriteFile(path, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := KeyFile(path); err == nil {
		t.Error("no key is a key")
	}
}

// TestStatementsAreRedacted: of what a log says the names are the pseudonyms that objects have, and its words go.
func TestStatementsAreRedacted(t *testing.T) {
	at := model.Instant(1_773_489_600e9)
	h := history.NewMemory([]model.Change{{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: "machine-7"}, Arrival: at, Time: model.Exactly(at), Lease: model.Lease{Renewed: at}}},
		model.Exactly(at), nil, []history.Source{{Path: "kcm.log", Format: "klog", Statements: 1, Spoken: model.Exactly(at)}})
	h.Said = []history.Statement{{At: at, Until: at, Times: 1, By: "kube-controller-manager", What: history.SaidDeletingPod, Node: "machine-7",
		Pod: model.Key{Namespace: "shop", Name: "cart-0"}, Text: `Deleting pod pod="shop/cart-0"`}}
	path := filepath.Join(t.TempDir(), "out.mcap")
	r := New(Share, testKey)
	if err := r.Write(Recording{History: h}, path); err != nil {
		t.Fatal(err)
	}
	f, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := f.Statements()
	if len(got) != 1 || got[0].Text != "" || got[0].Pod.Name == "cart-0" || got[0].Node == "machine-7" || got[0].Node != r.name("machine-7") || got[0].What != history.SaidDeletingPod || got[0].At != at {
		t.Errorf("%+v", got)
	}
}
