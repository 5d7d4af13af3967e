package recording

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.mcap", "a.mcap.123.part", "a.mcap.part", "a.mcap.x1.part", "b.mcap.7.part", "a.mcap.1.part.old", "c.txt.8.part"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{filepath.Join(dir, "a.mcap.123.part")}
	if got := Leftovers(filepath.Join(dir, "a.mcap")); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	want = []string{filepath.Join(dir, "a.mcap.123.part"), filepath.Join(dir, "b.mcap.7.part")}
	if got := Leftovers(dir); !slices.Equal(got, want) {
		t.Errorf("in the directory %v, want %v", got, want)
	}
	if got := Leftovers(filepath.Join(dir, "none", "a.mcap")); got != nil {
		t.Errorf("got %v", got)
	}
}
