package open

import (
	"bufio"
	"encoding/json"
	"flag"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/recording"
	"kardia/sources/scenario/day"
)

// What a recording of a large cluster takes, measured on a day that is made up. Without flags
// it is a small part of one, for CI; the whole day is
//
//	go test ./sources/open -run '^$' -bench Scale -benchtime 1x -timeout 0 -scale.nodes 5000 -scale.for 24h
//
// What is called cpu is what this process computed, whatever else the machine does; times
// without it are the clock's, and mean something on an idle machine only.
var (
	scaleNodes = flag.Int("scale.nodes", 60, "nodes of the day that BenchmarkScale records")
	scaleFor   = flag.Duration("scale.for", 5*time.Minute, "how long that day is")
	scaleDir   = flag.String("scale.dir", "", "where to keep what was recorded, for the next run; a temporary directory if empty")
)

func scaleDay() day.Day { return day.FullDay().Scaled(*scaleNodes, *scaleFor) }

// onDisk is a day that was recorded.
type onDisk struct {
	path, leases, lines string
	changes, renewals   int
	live, liveLeases    int64         // bytes before Close
	cost                time.Duration // of Add and Flush, for all Changes
	closing             time.Duration
}

// recordDay writes the day as a recorder would: flushed every four seconds of it. Renewals go to a second file of their
// own, without keyframes, to measure their size alone.
func recordDay(b *testing.B, dir string) onDisk {
	b.Helper()
	d := scaleDay()
	r := onDisk{path: filepath.Join(dir, "day.mcap"), leases: filepath.Join(dir, "leases.mcap"), lines: filepath.Join(dir, "day.jsonl.zst")}
	all, leases := create(b, r.path, false), create(b, r.leases, true)
	var batch []model.Change
	flush := func() {
		began := cpuTime()
		for i := range batch {
			must(b, all.Add(&batch[i]))
		}
		must(b, all.Flush())
		r.cost += cpuTime() - began
		for i := range batch {
			if batch[i].Kind == model.KindNodeLease {
				must(b, leases.Add(&batch[i]))
			}
		}
		must(b, leases.Flush())
		batch = batch[:0]
	}
	var flushed model.Instant
	for ch := range d.Changes() {
		if ch.Arrival.Sub(flushed) >= 4*time.Second {
			flush()
			flushed = ch.Arrival
		}
		batch = append(batch, *ch)
		r.changes++
		if ch.Kind == model.KindNodeLease && ch.Op != model.OpBaseline {
			r.renewals++
		}
	}
	flush()
	for _, w := range []*recording.Writer{all, leases} {
		w.Cover(d.Start)
		w.Cover(d.End())
	}
	r.live, r.liveLeases = all.Size(), leases.Size()
	began := cpuTime()
	must(b, all.Close())
	r.closing = cpuTime() - began
	must(b, leases.Close())
	return r
}

func create(b testing.TB, path string, noKeyframes bool) *recording.Writer {
	b.Helper()
	w, err := recording.CreateFile(path, recording.Meta{Tool: "kardia", Clock: "recorder", Sources: []history.Source{{Path: "scenario"}}}, recording.Options{ArrivalUnit: time.Millisecond, NoKeyframes: noKeyframes})
	must(b, err)
	return w
}

func must(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func sizeOf(b *testing.B, path string) float64 {
	b.Helper()
	info, err := os.Stat(path)
	must(b, err)
	return float64(info.Size())
}

func BenchmarkScale(b *testing.B) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(448 << 20)) // as the program does
	dir := *scaleDir
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, "day.mcap")
	if _, err := os.Stat(path); err != nil {
		b.Run("record", func(b *testing.B) { benchRecord(b, dir) })
	}
	b.Run("open", func(b *testing.B) { benchOpen(b, path) })
	b.Run("seek", func(b *testing.B) { benchSeek(b, path) })
	b.Run("step", func(b *testing.B) { benchStep(b, path) })
	b.Run("index", func(b *testing.B) { benchIndex(b, path) })
	b.Run("index-renewals", func(b *testing.B) { benchIndex(b, filepath.Join(dir, "leases.mcap")) })
	b.Run("judge", func(b *testing.B) { benchJudge(b, path) })
	b.Run("lines", func(b *testing.B) { benchLines(b, path, filepath.Join(dir, "day.jsonl.zst")) })
}

// benchRecord: the size of a day on disk, and the cost of writing it.
func benchRecord(b *testing.B, dir string) {
	for b.Loop() {
		_ = os.Remove(filepath.Join(dir, "day.mcap"))
		_ = os.Remove(filepath.Join(dir, "leases.mcap"))
		r := recordDay(b, dir)
		n := float64(r.renewals)
		b.ReportMetric(n, "renewals")
		b.ReportMetric(float64(r.changes), "changes")
		b.ReportMetric(float64(r.liveLeases)/n, "B/renewal-recording")
		b.ReportMetric(sizeOf(b, r.leases)/n, "B/renewal-closed")
		b.ReportMetric(float64(r.live)/1e6, "MB-recording")
		b.ReportMetric(sizeOf(b, r.path)/1e6, "MB-closed")
		b.ReportMetric(r.closing.Seconds(), "cpu-s-closing")
		// Changes other than renewals cost more; their cost is shared out here.
		each := r.cost.Seconds() / float64(r.changes)
		b.ReportMetric(each*1500*100, "%core-at-1500/s")
	}
}

// benchOpen: from the file's name to all that a first screen shows.
func benchOpen(b *testing.B, path string) {
	for b.Loop() {
		began := cpuTime()
		f, err := recording.Open(path)
		must(b, err)
		c := history.NewCursor(f)
		look(b, c, middle(f))
		b.ReportMetric(ms(cpuTime()-began), "cpu-ms")
		must(b, f.Close())
	}
}

func middle(h history.History) model.Instant {
	v := h.Coverage()
	return v.Earliest.Add(v.Width() / 2)
}

// look seeks, and reads what a screen shows: all zones with their counts, every node's age,
// and the pods of fifty nodes.
func look(b *testing.B, c *history.Cursor, at model.Instant) {
	must(b, c.Seek(at))
	state := c.State()
	rows, pods := 0, 0
	for row := range state.Nodes {
		_ = row.Ages(at)
		if rows++; rows <= 50 {
			pods += len(row.Pods())
		}
	}
	if zones := state.Zones(at); len(zones) == 0 || rows == 0 {
		b.Fatalf("at %v: %d nodes, %d zones", at, rows, len(zones))
	}
}

// Ways to ask for one instant after another: as a person does, for whom the program collects garbage
// between two keys, and in a rush.
var ways = [...]struct {
	name    string
	between func()
}{{"", runtime.GC}, {"-rushed", func() {}}}

// benchSeek: 200 random instants of a file opened again, once what is read ahead is there; see
// ways.
func benchSeek(b *testing.B, path string) {
	f, err := recording.Open(path)
	must(b, err)
	defer f.Close()
	r := rand.New(rand.NewPCG(7, 7))
	v := f.Coverage()
	for b.Loop() {
		ahead := cpuTime()
		for f.ReadAhead() {
		}
		b.ReportMetric(ms(cpuTime()-ahead), "cpu-ms-ahead")
		c := history.NewCursor(f)
		began := cpuTime()
		for _, way := range ways {
			var took, computed [200]time.Duration
			for i := range took {
				at := v.Earliest.Add(time.Duration(r.Int64N(int64(v.Width()))))
				way.between()
				now, cpu := time.Now(), cpuTime()
				look(b, c, at)
				took[i], computed[i] = time.Since(now), cpuTime()-cpu
			}
			percentiles(b, took[:], "ms", way.name)
			percentiles(b, computed[:], "cpu-ms", way.name)
		}
		b.ReportMetric(ms(cpuTime()-began)/400, "cpu-ms-mean")
	}
}

// percentiles reports what something took.
func percentiles(b *testing.B, took []time.Duration, name, way string) {
	slices.Sort(took)
	n := len(took)
	b.ReportMetric(ms(took[(n-1)/2]), name+"-p50"+way)
	b.ReportMetric(ms(took[(n-1)*99/100]), name+"-p99"+way)
	b.ReportMetric(ms(took[n-1]), name+"-max"+way)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// benchStep: to the next change, and to the one before, a hundred times each, at ten places.
func benchStep(b *testing.B, path string) {
	f, err := recording.Open(path)
	must(b, err)
	defer f.Close()
	r := rand.New(rand.NewPCG(8, 8))
	first, end := f.Span()
	for b.Loop() {
		c := history.NewCursor(f)
		var took []time.Duration
		for range 10 {
			from := first + r.IntN(max(1, end-first-200))
			look(b, c, instantAt(b, f, from))
			for _, by := range []int{1, -1} {
				for range 100 {
					from += by
					at := instantAt(b, f, max(first, from))
					began := time.Now()
					must(b, c.Seek(at))
					took = append(took, time.Since(began))
				}
			}
		}
		percentiles(b, took, "ms", "")
	}
}

func instantAt(b *testing.B, h history.History, position int) model.Instant {
	b.Helper()
	page := h.PageAt(position)
	changes, err := historytest.ReadChanges(h, page)
	must(b, err)
	return changes[position-page.Start].Effective()
}

// benchIndex: all is read and folded once, as the first pass over a file does.
func benchIndex(b *testing.B, path string) {
	for b.Loop() {
		f, err := recording.Open(path)
		must(b, err)
		began := cpuTime()
		state := model.NewCluster()
		var page history.Condensed
		var rows history.LeaseRows
		first, end := f.Span()
		for at := first; at < end; at = page.End {
			must(b, f.Read(f.PageAt(at), &page))
			rows.Fold(&page, 0, page.End-page.Start, state)
		}
		b.ReportMetric(float64(end-first)/(cpuTime()-began).Seconds()/1e6, "Mchanges/cpu-s")
		b.ReportMetric(peakMemory(), "MB-peak")
		must(b, f.Close())
	}
}

// benchJudge: the same with the models, which is what indexing is for; and then the state of the
// models at 200 random instants, all there is at 200 others (what was observed is gone to beside, as in
// the program), and the state at 100 that follow one another by a second each.
func benchJudge(b *testing.B, path string) {
	for b.Loop() {
		f, err := recording.Open(path)
		must(b, err)
		began := cpuTime()
		first, end := f.Span()
		result, err := infer.Run(f, infer.Options{Params: model.Defaults(scaleDay().Version)})
		must(b, err)
		b.ReportMetric(float64(end-first)/(cpuTime()-began).Seconds()/1e6, "Mchanges/cpu-s")
		v := verify.Evaluate(&hypotheses.Found{Base: result, Result: result})
		b.ReportMetric(float64(v.Observed), "writes")
		b.ReportMetric(float64(v.Explained), "explained")
		b.ReportMetric(peakMemory(), "MB-peak")
		r, covered := rand.New(rand.NewPCG(9, 9)), f.Coverage()
		c := history.NewCursor(f.Fork())
		ask := func(at model.Instant, facts bool) time.Duration {
			began := time.Now()
			var others sync.WaitGroup
			if facts {
				others.Go(func() { look(b, c, at) })
			}
			_, err := result.At(at)
			must(b, err)
			others.Wait()
			return time.Since(began)
		}
		anywhere := func() model.Instant {
			return covered.Earliest.Add(time.Duration(r.Int64N(int64(covered.Width()))))
		}
		for _, way := range ways {
			var far, all, next, computed []time.Duration
			for range 200 {
				way.between()
				far = append(far, ask(anywhere(), false))
			}
			for range 200 {
				way.between()
				cpu := cpuTime()
				all = append(all, ask(anywhere(), true))
				computed = append(computed, cpuTime()-cpu)
			}
			for k := range 100 {
				way.between()
				next = append(next, ask(middle(f).Add(time.Duration(k+1)*time.Second), false))
			}
			percentiles(b, far, "ms-state", way.name)
			percentiles(b, all, "ms-all", way.name)
			percentiles(b, computed, "cpu-ms-all", way.name)
			percentiles(b, next, "ms-next", way.name)
		}
		b.ReportMetric(peakMemory(), "MB-peak-after")
		must(b, f.Close())
	}
}

// peakMemory is the most this process ever had, in MB; 0 if the system does not report it.
func peakMemory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kB, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kB * 1024 / 1e6
		}
	}
	return 0
}

// line is a Change as JSON lines would have it: the object once, and nothing twice.
type line struct {
	At      int64  `json:"t"`
	Kind    string `json:"kind"`
	Op      string `json:"op"`
	Name    string `json:"name"`
	NS      string `json:"ns,omitempty"`
	UID     string `json:"uid"`
	Version uint64 `json:"rv"`
	Renewed int64  `json:"renew,omitempty"`
	Object  any    `json:"object,omitempty"`
}

// benchLines: the same data as JSON lines in zstd, and a seek in them, which is reading from
// the start.
func benchLines(b *testing.B, path, lines string) {
	f, err := recording.Open(path)
	must(b, err)
	defer f.Close()
	writeLines(b, f, lines)
	at := middle(f)
	for b.Loop() {
		began := cpuTime()
		readLines(b, lines, int64(at))
		naive := cpuTime() - began
		began = cpuTime()
		look(b, history.NewCursor(f), at)
		ours := cpuTime() - began
		b.ReportMetric(sizeOf(b, lines)/1e6, "MB")
		b.ReportMetric(sizeOf(b, lines)/sizeOf(b, path), "×size")
		b.ReportMetric(naive.Seconds(), "cpu-s-seek")
		b.ReportMetric(naive.Seconds()/ours.Seconds(), "×seek")
	}
}

func writeLines(b *testing.B, h history.History, path string) {
	b.Helper()
	file, err := os.Create(path)
	must(b, err)
	pack, err := zstd.NewWriter(file)
	must(b, err)
	out := bufio.NewWriterSize(pack, 1<<20)
	encode := json.NewEncoder(out)
	for at, end := h.Span(); at < end; {
		page := h.PageAt(at)
		changes, err := historytest.ReadChanges(h, page)
		must(b, err)
		for i := range changes {
			ch := &changes[i]
			l := line{At: int64(ch.Effective()), Kind: ch.Kind.String(), Op: ch.Op.String(), Name: ch.Key.Name, NS: ch.Key.Namespace, UID: ch.UID.String(), Version: ch.Version, Renewed: int64(ch.Lease.Renewed)}
			switch {
			case ch.Node != nil:
				l.Object = ch.Node
			case ch.Pod != nil:
				l.Object = ch.Pod
			case ch.Event != nil:
				l.Object = ch.Event
			}
			must(b, encode.Encode(&l))
		}
		at = page.End
	}
	must(b, out.Flush())
	must(b, pack.Close())
	must(b, file.Close())
}

func readLines(b *testing.B, path string, until int64) {
	b.Helper()
	file, err := os.Open(path)
	must(b, err)
	defer file.Close()
	unpack, err := zstd.NewReader(file)
	must(b, err)
	defer unpack.Close()
	newest := map[string]line{}
	for decode := json.NewDecoder(bufio.NewReaderSize(unpack, 1<<20)); ; {
		var l line
		if err := decode.Decode(&l); err == io.EOF || l.At > until {
			return
		} else {
			must(b, err)
		}
		newest[l.Kind+l.NS+l.Name] = l
	}
}
