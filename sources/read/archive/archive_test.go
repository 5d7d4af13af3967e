package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kardia/sources/read/input"
)

// member is one of an archive to be made.
type member struct {
	name, text string
	kind       byte
}

func tarOf(t testing.TB, members ...member) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Mode: 0o644, Size: int64(len(m.text)), Typeflag: m.kind, Linkname: "/etc/passwd"}
		if m.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(w, m.text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zipOf(t testing.TB, members ...member) []byte {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, m := range members {
		f, err := w.Create(m.name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(f, m.text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func gzipped(data []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(data)
	_ = w.Close()
	return out.Bytes()
}

func zstandard(t testing.TB, data []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(data, nil)
}

// json is what these tests want of an archive.
func json(r *input.Reader) bool {
	head, _ := r.Peek(1)
	return string(head) == "{"
}

// unpack writes an archive to a disk and returns what Unpack finds in it, each member with its text.
func unpack(t testing.TB, archive []byte) (texts map[string]string, inside Contents) {
	path := filepath.Join(t.TempDir(), "bundle")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		t.Fatal(err)
	}
	files, err := input.Expand([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	u, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = u.Close() })
	r, err := files[0].Open(t.Context())
	if err != nil {
		return nil, Contents{Broken: err}
	}
	t.Cleanup(func() { _ = r.Close() })
	inside, err = u.Unpack(t.Context(), files[0], r, json)
	if err != nil {
		return nil, Contents{Broken: err}
	}
	texts = map[string]string{}
	for _, f := range inside.Files {
		for range 2 { // as often as it is asked for
			r, err := f.Open(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			text, _ := io.ReadAll(r)
			_ = r.Close()
			below, ok := strings.CutPrefix(f.Path, path+string(filepath.Separator))
			if !ok {
				t.Fatalf("%s is not below %s", f.Path, path)
			}
			texts[filepath.ToSlash(below)] = string(text)
		}
	}
	return texts, inside
}

// TestAnArchiveIsAFolder: whatever it is packed with, its members are files below its path, and unwanted ones are
// counted.
func TestAnArchiveIsAFolder(t *testing.T) {
	members := []member{{name: "a/nodes.json", text: `{"a":1}`}, {name: "kubelet.log", text: "I1120 a line"}, {name: "b.json", text: `{"b":2}`}}
	for name, archive := range map[string][]byte{
		"tar": tarOf(t, members...), "tar.gz": gzipped(tarOf(t, members...)), "tar.zst": zstandard(t, tarOf(t, members...)),
		"zip": zipOf(t, members...), "zip.gz": gzipped(zipOf(t, members...)),
	} {
		t.Run(name, func(t *testing.T) {
			texts, inside := unpack(t, archive)
			if len(texts) != 2 || texts["a/nodes.json"] != `{"a":1}` || texts["b.json"] != `{"b":2}` || inside.Left != 1 || inside.Broken != nil {
				t.Errorf("%q, %+v", texts, inside)
			}
		})
	}
}

// TestArchivesInArchives: as support bundles have them.
func TestArchivesInArchives(t *testing.T) {
	inner := zipOf(t, member{name: "nodes.json", text: `{"in":1}`}, member{name: "pods.json.gz", text: string(gzipped([]byte(`{"gz":1}`)))})
	texts, inside := unpack(t, gzipped(tarOf(t, member{name: "node-a.zip", text: string(inner)}, member{name: "b.tgz", text: string(gzipped(tarOf(t, member{name: "x.json", text: `{"x":1}`})))})))
	if len(texts) != 3 || texts["node-a.zip/nodes.json"] != `{"in":1}` || texts["node-a.zip/pods.json.gz"] != `{"gz":1}` || texts["b.tgz/x.json"] != `{"x":1}` || inside.Left != 0 {
		t.Errorf("%q, %+v", texts, inside)
	}
}

// TestNamesLeadNowhere: a member's name cannot lead out of the archive, and links are not followed.
func TestNamesLeadNowhere(t *testing.T) {
	texts, inside := unpack(t, tarOf(t, member{name: "../../../etc/evil.json", text: "{}"}, member{name: "/abs.json", text: "{ }"},
		member{name: "link.json", kind: tar.TypeSymlink}, member{name: "hard.json", kind: tar.TypeLink}, member{name: "null", kind: tar.TypeChar}, member{name: "folder/", kind: tar.TypeDir}))
	if len(texts) != 2 || texts["etc/evil.json"] != "{}" || texts["abs.json"] != "{ }" || inside.Left != 3 {
		t.Errorf("%q, %+v", texts, inside)
	}
	for _, name := range []string{"", ".", "..", "a/.."} {
		if texts, _ := unpack(t, tarOf(t, member{name: name, text: "{}"})); texts["unnamed"] != "{}" {
			t.Errorf("a member by the name %q lies at %q", name, texts)
		}
	}
}

// TestACutArchive reports where it ends, and gives the members before.
func TestACutArchive(t *testing.T) {
	whole := tarOf(t, member{name: "a.json", text: "{}"}, member{name: "b.json", text: "{" + strings.Repeat("b", 4000) + "}"})
	texts, inside := unpack(t, whole[:3000])
	if texts["a.json"] != "{}" || len(texts["b.json"]) != 3000-3*512 || inside.Broken == nil || !strings.Contains(inside.Broken.Error(), "ends in the middle of") {
		t.Errorf("%q, %+v", texts, inside)
	}
	if _, inside := unpack(t, zipOf(t, member{name: "a.json", text: "{}"})[:40]); inside.Broken == nil {
		t.Error("a zip file without its list is said to be whole")
	}
}

// TestWhatIsNotOpenedIsSaid: encrypted members, and archives too deep in others.
func TestWhatIsNotOpenedIsSaid(t *testing.T) {
	locked := zipOf(t, member{name: "a.json", text: "{}"})
	locked[6] |= encrypted
	locked[bytes.Index(locked, []byte("PK\x01\x02"))+8] |= encrypted
	deep := zipOf(t, member{name: "a.json", text: "{}"})
	for range maxNested + 1 {
		deep = tarOf(t, member{name: "a.tar", text: string(deep)})
	}
	for want, archive := range map[string][]byte{"1 members are encrypted": locked, "more than 3 deep": deep} {
		if texts, inside := unpack(t, archive); len(texts) > 0 || inside.Left != 1 || inside.Broken == nil || !strings.Contains(inside.Broken.Error(), want) {
			t.Errorf("%q: %q, %+v", want, texts, inside)
		}
	}
}

// TestACutZip: without the list of members at its end those that are there are read one after the other.
func TestACutZip(t *testing.T) {
	long := "{" + strings.Repeat("b", 4000) + "}"
	whole := zipOf(t, member{name: "a.json", text: "{}"}, member{name: "b.json", text: long})
	texts, inside := unpack(t, whole[:bytes.Index(whole, []byte("PK\x01\x02"))])
	if texts["a.json"] != "{}" || texts["b.json"] != long || inside.Broken == nil || !strings.Contains(inside.Broken.Error(), "list of members") {
		t.Errorf("%d members, %+v", len(texts), inside)
	}
	second := bytes.LastIndex(whole[:bytes.Index(whole, []byte("PK\x01\x02"))], []byte("PK\x03\x04"))
	texts, inside = unpack(t, whole[:second+45])
	if texts["a.json"] != "{}" || inside.Broken == nil || !strings.Contains(inside.Broken.Error(), "middle of") {
		t.Errorf("%q, %+v", texts, inside)
	}
}

// TestABombIsLeft: what unpacks to more than JSON can is left, without filling the disk.
func TestABombIsLeft(t *testing.T) {
	o := &opening{ctx: context.Background(), grown: input.Growth{Packed: func() int64 { return 10 << 20 }}}
	n, err := io.Copy(io.Discard, &watched{Reader: zeros{}, o: o})
	if !errors.Is(err, input.ErrGrowth) || n > 300*(10<<20)+1<<20 {
		t.Errorf("%d bytes, %v", n, err)
	}
}

// TestUnpackingEnds when the context ends.
func TestUnpackingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	o := &opening{ctx: ctx, grown: input.Growth{Packed: func() int64 { return 1 }}}
	if _, err := io.Copy(io.Discard, &watched{Reader: zeros{}, o: o}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzUnpack: whatever an archive holds, Unpack returns, and its members can be read.
func FuzzUnpack(f *testing.F) {
	members := []member{{name: "a/nodes.json", text: `{"a":1}`}, {name: "kubelet.log", text: "a line"}}
	for _, archive := range [][]byte{tarOf(f, members...), gzipped(tarOf(f, members...)), zipOf(f, members...), tarOf(f, member{name: "in", text: string(zipOf(f, members...))})} {
		f.Add(archive)
	}
	f.Fuzz(func(t *testing.T, archive []byte) {
		texts, inside := unpack(t, archive)
		for name := range texts {
			if strings.Contains("/"+name+"/", "/../") {
				t.Errorf("%q leads out", name)
			}
		}
		if len(inside.Files) > maxMembers {
			t.Error(fmt.Sprint(len(inside.Files)))
		}
	})
}
