package hostile_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// FuzzCommands gives any bytes to every command, as a file and, where they part at a line of dashes, as several files of a
// folder.
func FuzzCommands(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(text) < 8<<10 { // each is tried whole in TestHostileFiles; the fuzzer starts from the small ones
			f.Add(text, uint8(0))
		}
	}
	f.Add([]byte("I1120 12:00:50.000000       1 node_lifecycle_controller.go:1087] \"Node is NotReady\" node=\"alpha-2\"\n"), uint8(1))
	f.Add([]byte(`{"status":"success","data":{"resultType":"matrix","result":[{"metric":{"__name__":"up","node":"alpha-2"},"values":[[1795176000,"1"],[9e18,"0"]]}]}}`), uint8(2))
	f.Add([]byte("apiVersion: v1\nkind: Node\nmetadata:\n  name: a\n  creationTimestamp: \"9999-01-01T00:00:00Z\"\n"), uint8(3))
	f.Fuzz(func(t *testing.T, data []byte, first uint8) {
		if len(data) > 32<<10 {
			t.Skip("small inputs find more")
		}
		dir := t.TempDir()
		path := filepath.Join(dir, "input")
		if parts := bytes.Split(data, []byte("\n-----\n")); len(parts) > 1 && len(parts) < 9 {
			path = filepath.Join(dir, "folder")
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
			for i, part := range parts {
				if err := os.WriteFile(filepath.Join(path, string(rune('a'+i))), part, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		} else if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		all := commands(filepath.Join(dir, "new"))
		for i := range 4 { // which commands is drawn too: an input is tried with all of them over time
			words := all[(int(first)+i*17)%len(all)]
			endsWell(t, append(words[:len(words):len(words)], path)...)
		}
	})
}
