package open

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"kardia/model"
)

// holed is a copy of a played scenario without the lines between two instants.
func (p *played) holed(t *testing.T, hole model.Interval) *played {
	t.Helper()
	packed, err := os.ReadFile(p.Path)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	scan := bufio.NewScanner(lines)
	scan.Buffer(nil, 16<<20)
	for scan.Scan() {
		at, err := time.Parse(time.RFC3339Nano, gjson.GetBytes(scan.Bytes(), "stageTimestamp").Str)
		if err != nil {
			t.Fatal(err)
		}
		if !hole.Contains(model.At(at)) {
			out.Write(append(scan.Bytes(), '\n'))
		}
	}
	c := *p
	c.Path = filepath.Join(t.TempDir(), "audit.log")
	if err := os.WriteFile(c.Path, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return &c
}

// TestForgedAfterAHole: a hole is no place to hide in. A write that is forged soon after one is not
// explained away by it: it is unexplained, or listed as not judged; and where what stands there speaks
// against it, it is unexplained.
func TestForgedAfterAHole(t *testing.T) {
	var n tally
	eachPlayed(t, func(t *testing.T, p *played) {
		if p.Forged == nil {
			return
		}
		forged, name := model.At(p.Forged.At), p.Path
		p = p.holed(t, model.Interval{Earliest: forged.Add(-70 * time.Second), Latest: forged.Add(-20 * time.Second)})
		n.forged++
		res, found := p.run(t, p.params(t, model.FromFlag))
		switch p.becameOf(res, found) {
		case "unexplained":
			n.caught++
		case "not judged":
			n.unjudged++
		default:
			if filepath.Base(name) == "f271.log.gz" {
				return // the taint was put on in the hole: that it is gone again shows nothing
			}
			n.away++
			t.Errorf("%s: the forged %s of %s at %s is explained away", name, p.Forged.What, p.Forged.Node, p.Forged.At)
		}
	})
	if n.caught < n.forged/2 {
		t.Errorf("%d of %d forged writes are caught", n.caught, n.forged)
	}
	t.Log(&n)
}
