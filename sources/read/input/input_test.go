package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
)

const text = "one\ntwo\r\n\nfour"

func gzipped(t *testing.T, s string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, s); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zstandard(t *testing.T, s string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll([]byte(s), nil)
}

func TestLinesAreNumberedAndPlacedWhateverTheCompression(t *testing.T) {
	for name, data := range map[string][]byte{"": []byte(text), "gzip": gzipped(t, text), "zstd": zstandard(t, text)} {
		r, err := FromBytes("f", data).Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Compression != name {
			t.Errorf("compression %q, want %q", r.Compression, name)
		}
		var got []string
		for lines := NewLines(r); ; {
			line, err := lines.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%d@%d %s %v", line.Number, line.Offset, line.Data, line.Unended))
		}
		if want := "1@0 one false|2@4 two false|4@10 four true"; strings.Join(got, "|") != want {
			t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
		}
		_ = r.Close()
	}
}

func TestACutOffArchiveGivesWhatCameBefore(t *testing.T) {
	long := strings.Repeat("a line that is here to be read\n", 20_000)
	whole := gzipped(t, long)
	r, err := FromBytes("f", whole[:len(whole)*3/4]).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for lines := NewLines(r); ; n++ {
		if _, err = lines.Next(); err != nil {
			break
		}
	}
	if errors.Is(err, io.EOF) || n < 1000 {
		t.Errorf("%d lines, then %v: the cut must be told, after what came before it", n, err)
	}
}

func TestAZstdWindowBombIsRefused(t *testing.T) {
	w, err := zstd.NewWriter(nil, zstd.WithWindowSize(256<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w.Reset(&b)
	for range 260 {
		if _, err := w.Write(make([]byte, 1<<20)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := FromBytes("bomb", b.Bytes()).Open(t.Context())
	if err != nil {
		return
	}
	if _, err := io.Copy(io.Discard, r); err == nil || !strings.Contains(err.Error(), "window of more than 128 MiB") {
		t.Error("a window of 256 MiB was accepted")
	}
}

func TestDirectoriesAreWalkedAndDevicesLeftOut(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.json", "a.json", "deeper/c.json"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/dev/zero", filepath.Join(dir, "zero")); err != nil {
		t.Fatal(err)
	}
	files, err := Expand([]string{dir, filepath.Join(dir, "a.json")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		rel, _ := filepath.Rel(dir, f.Path)
		got = append(got, fmt.Sprintf("%s:%v", filepath.ToSlash(rel), f.Named))
	}
	if want := "a.json:false b.json:false deeper/c.json:false a.json:true"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if _, err := Expand([]string{filepath.Join(dir, "missing")}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(text))
	f.Add([]byte{0x1f, 0x8b, 8, 0})
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x04, 0x58})
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := FromBytes("fuzz", data).Open(t.Context())
		if err != nil {
			return
		}
		defer func() { _ = r.Close() }()
		offset := int64(-1)
		for lines := NewLines(r); ; {
			line, err := lines.Next()
			if err != nil {
				return
			}
			if line.Offset <= offset || bytes.Contains(line.Data, []byte("\n")) {
				t.Fatalf("line %d at %d after %d: %q", line.Number, line.Offset, offset, line.Data)
			}
			offset = line.Offset
		}
	})
}

// TestWhatPowerShellWrote: its > writes UTF-16 with a byte order mark.
func TestWhatPowerShellWrote(t *testing.T) {
	const want = "{\"name\":\"knöten-😀\"}\r\n"
	for name, order := range map[string]binary.AppendByteOrder{"little endian": binary.LittleEndian, "big endian": binary.BigEndian} {
		var wide []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + want)) {
			wide = order.AppendUint16(wide, unit)
		}
		for _, data := range [][]byte{wide, gzipped(t, string(wide))} {
			r, err := FromBytes("f", data).Open(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); err != nil || string(got) != want {
				t.Errorf("%s: %q, %v", name, got, err)
			}
		}
	}
}

// TestLinksStayInTheirDirectory: a file is listed once, however many links lead to it. Loops end. A link that leads out
// of the directory is reported.
func TestLinksStayInTheirDirectory(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	for _, path := range []string{filepath.Join(dir, "real.json"), filepath.Join(elsewhere, "other.json")} {
		if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, to := range map[string]string{"again.json": "real.json", "loop": ".", "self": "self", "nowhere": "gone.json", "out.json": filepath.Join(elsewhere, "other.json"), "up": ".."} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	files, err := Expand([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	var listed, out []string
	for _, f := range files {
		if f.Unlisted == nil {
			listed = append(listed, filepath.Base(f.Path))
		} else if errors.Is(f.Unlisted, ErrOutside) {
			out = append(out, filepath.Base(f.Path))
		}
	}
	if strings.Join(listed, " ") != "real.json" || strings.Join(out, " ") != "out.json up" {
		t.Errorf("listed %q, out %q", listed, out)
	}
}

// TestPiecesOfALine: a line longer than the buffer comes in pieces, and blank lines are passed over, but counted.
func TestPiecesOfALine(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	r, err := FromBytes("f", []byte("\x00\x00a\n\n \r\n"+long+"\r\nend")).Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.SkipPadding(); err != nil || r.Padding != 2 {
		t.Fatal(r.Padding, err)
	}
	r.Reader = bufio.NewReaderSize(struct{ io.Reader }{r.Reader}, smallestBuffer)
	var got strings.Builder
	for lines := NewLines(r); ; {
		line, err := lines.Piece()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%d@%d %d %v %v|", line.Number, line.Offset, len(line.Data), line.Within, line.More)
	}
	if want := "1@2 1 false false|4@8 4096 false true|4@4104 4096 true true|4@8200 1808 true false|5@10010 3 false false|"; got.String() != want {
		t.Errorf("got %s\nwant %s", got.String(), want)
	}
}
