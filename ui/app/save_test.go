package app

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"kardia/sources/capture/stream"
	"kardia/sources/recording"
)

// What a live session remembers is saved as a recording, whole or in part, and never over
// another file.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	s, say := watching(t, 120, 36)
	say(stream.Batch{Changes: arrived(nodeIn(0, "node-a0", "a", "True"), lease(0, "node-a0"), lease(10, "node-a0"), lease(20, "node-a0")), Status: status(stream.Live)})
	s.pass(25 * time.Second)
	s.command("save last 10s part.mcap").shows("saved 12:00:15Z to 12:00:25Z as part.mcap")
	s.command("save last 10s part.mcap").shows("not saved: ", "part.mcap")
	s.command("save").shows("as kardia-20260821T120025Z.mcap")
	s.command("save").shows("as kardia-20260821T120025Z-2.mcap")
	s.command("save last").shows("last needs a duration")
	s.command("save last week").shows("is no duration")
	s.command("save a b").shows("use :save")
	f, err := recording.Open(filepath.Join(dir, "part.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got := f.Coverage(); got.Earliest != sec(15) || got.Latest != sec(25) || f.Meta().ServerVersion != "v1.36.3" {
		t.Errorf("covers %v, %+v", got, f.Meta())
	}
	if left, _ := os.ReadDir(dir); len(left) != 3 {
		t.Errorf("%v", left)
	}
}

func TestRecordingsAreNotSaved(t *testing.T) {
	s := replay(t, 65, 120, 36)
	s.command("save last 30m").shows("not saved: this is a recording: 'kardia cut' writes a part of it")
}

// command types a command and enters it.
func (s *stage) command(text string) *stage { return s.keys(":").types(text).keys("enter") }
