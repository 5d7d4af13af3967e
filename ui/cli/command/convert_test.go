package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConvert: every command says of a recording what it says of what it was made of.
func TestConvert(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.mcap")
	got := kardia(t, nil, "convert demo:node-loss -o "+path)
	if got.code != OK || !strings.Contains(got.err, "797 changes") || got.out != "" {
		t.Fatalf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	for _, line := range []string{"verify PATH -o json", "get nodes PATH --at +470s -o json", "get pods PATH --at +470s -o json", "decisions PATH -o json", "why PATH --pod default/quick-ip-10-0-2-003-0 -o json"} {
		want, got := kardia(t, nil, strings.Replace(line, "PATH", "demo:node-loss", 1)), kardia(t, nil, strings.Replace(line, "PATH", path, 1))
		if got.code != want.code || got.out != want.out {
			t.Errorf("kardia %s: exit %d\n%s%s\nwant %d\n%s", line, got.code, got.out, got.err, want.code, want.out)
		}
	}
	got = kardia(t, nil, "info "+path)
	if got.code != OK || !strings.Contains(got.out, "Recording  "+path) || !strings.Contains(got.out, "demo:node-loss/audit.log") || !strings.Contains(got.out, "closed") {
		t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
	}
	again := kardia(t, nil, "convert demo:node-loss -o "+path)
	if again.code != Failed || !strings.Contains(again.err, "is there already") {
		t.Errorf("exit %d\n%s", again.code, again.err)
	}
}

// TestMarksComeAlong: what a person has marked goes with the recording, and into a part of it as
// far as it lies there; not into a redacted one, for notes hold names.
func TestMarksComeAlong(t *testing.T) {
	dir := t.TempDir()
	path, copied, part, redacted := filepath.Join(dir, "r.mcap"), filepath.Join(dir, "copy.mcap"), filepath.Join(dir, "part.mcap"), filepath.Join(dir, "public.mcap")
	kardia(t, nil, "convert demo:node-loss -o "+path)
	text := "{\"at\":\"2026-11-20T23:44:08Z\",\"note\":\"declared\"}\n{\"at\":\"2026-11-20T23:50:00Z\"}\n"
	if err := os.WriteFile(path+".marks.jsonl", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := kardia(t, nil, "convert "+path+" -o "+copied); got.code != OK || !strings.Contains(got.err, "2 marks") {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
	if got, err := os.ReadFile(copied + ".marks.jsonl"); err != nil || string(got) != text {
		t.Errorf("carried over: %s %v", got, err)
	}
	if got := kardia(t, nil, "cut "+path+" --to +120s -o "+part); got.code != OK || !strings.Contains(got.err, "1 mark") {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
	if got := kardia(t, nil, "redact "+path+" --level public -o "+redacted); got.code != OK {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
	if _, err := os.Stat(redacted + ".marks.jsonl"); err == nil {
		t.Error("notes go with a redacted recording")
	}
}

// TestConvertKeepsFlags: what was stated when a recording was made holds when it is read.
func TestConvertKeepsFlags(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.mcap")
	if got := kardia(t, nil, "convert demo:node-loss --unhealthy-zone-threshold 0.9 -o "+path); got.code != OK {
		t.Fatal(got.err)
	}
	got := kardia(t, nil, "verify "+path)
	if !strings.Contains(got.out, "0.9     input") {
		t.Errorf("%s%s", got.out, got.err)
	}
}

func TestRepair(t *testing.T) {
	dir := t.TempDir()
	path, torn, whole := filepath.Join(dir, "r.mcap"), filepath.Join(dir, "torn.mcap"), filepath.Join(dir, "whole.mcap")
	if got := kardia(t, nil, "convert demo:node-loss -o "+path); got.code != OK {
		t.Fatal(got.err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn, data[:len(data)-300], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(torn+".42.part", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	got := kardia(t, nil, "repair "+torn+" -o "+whole)
	if got.code != Partial && got.code != OK || !strings.Contains(got.err, torn+".42.part: a packing was interrupted, unless one is under way; the recording is whole without it, and it can be deleted") {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
	if _, err := os.Stat(torn + ".42.part"); err != nil {
		t.Errorf("deleted: %v", err)
	}
	if got := kardia(t, nil, "verify "+whole+" -o json"); got.out != kardia(t, nil, "verify demo:node-loss -o json").out {
		t.Errorf("judged %s%s", got.out, got.err)
	}
	if got := kardia(t, nil, "repair demo:node-loss -o "+filepath.Join(dir, "x.mcap")); got.code != Failed || !strings.Contains(got.err, "no recording") {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
	if got := kardia(t, nil, "repair "+torn); got.code != Misused {
		t.Errorf("exit %d\n%s", got.code, got.err)
	}
}
