package recording

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/container"
)

// incident is a small recording with five chunks of Changes, a second each, and all that it holds.
// ends says how many Changes are safe once so many bytes are on the disk.
func smallRecording(t testing.TB, closed bool) (data []byte, changes []model.Change, ends map[int]int) {
	var file bytes.Buffer
	w, err := Create(&file, Meta{Tool: "test", Sources: []history.Source{{Path: "live"}}}, Options{ArrivalUnit: time.Millisecond, keyframe: 30})
	if err != nil {
		t.Fatal(err)
	}
	ends = map[int]int{file.Len(): 0}
	w.Cover(noon)
	if err := w.AddClock(aStep); err != nil {
		t.Fatal(err)
	}
	for second := range 5 {
		at := noon.Add(time.Duration(second) * time.Second)
		for n := range 8 {
			ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: string(rune('a' + n))}, Version: uint64(len(changes) + 1)}
			ch.Arrival = at.Add(time.Duration(n) * 100 * time.Millisecond)
			ch.Time, ch.At, ch.Lease = model.Interval{Earliest: at, Latest: ch.Arrival}, ch.Arrival, model.Lease{Renewed: ch.Arrival - 5e6, Holder: ch.Key.Name}
			if n == 3 {
				ch.Kind, ch.Key, ch.Lease = model.KindPod, model.Key{Namespace: "default", Name: "p"}, model.Lease{}
				ch.Pod = &model.Pod{Key: ch.Key, Node: "a", GraceSeconds: int32(second)}
			}
			changes = append(changes, ch)
			if err := w.Add(&ch); err != nil {
				t.Fatal(err)
			}
		}
		w.Cover(changes[len(changes)-1].Arrival)
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		ends[file.Len()] = len(changes)
	}
	if closed {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return file.Bytes(), changes, ends
}

// TestCutAnywhere: cut at any byte, a recording opens up to the last chunk that is whole, and says
// how much is lost.
func TestCutAnywhere(t *testing.T) {
	for _, closed := range []bool{false, true} {
		data, changes, ends := smallRecording(t, closed)
		torn, _, _ := smallRecording(t, false)
		uncut, err := Bytes(torn, "uncut")
		if err != nil {
			t.Fatal(err)
		}
		whole := -1 // Changes in the last cut that was looked at
		from := 0
		if closed {
			from = len(torn) // before, the two files are the same
		}
		for n := from; n <= len(data); n++ {
			if !within(n, 200, len(data), len(torn), ends) && n%3 != 0 {
				continue // every byte near where something ends, every third elsewhere
			}
			f, err := Bytes(data[:n], "cut.mcap")
			if err != nil {
				if whole > 0 {
					t.Fatalf("at %d: %v, but %d were readable before", n, err, whole)
				}
				continue
			}
			got := readAll(t, f)
			if len(got) < whole || len(got)%8 != 0 {
				t.Fatalf("at %d: %d changes, and %d when less was there", n, len(got), whole)
			}
			whole = len(got)
			compare(t, got, changes[:whole])
			if f.Closed() != (closed && n == len(data)) {
				t.Fatalf("at %d of %d: closed %v", n, len(data), f.Closed())
			}
			if n == len(torn) && whole != len(changes) {
				t.Fatalf("all was flushed at %d, and %d changes are there", n, whole)
			}
			if !closed {
				saysWhatIsLost(t, uncut, f, n)
			}
			for _, p := range f.Problems() {
				if !strings.Contains(p.What, "lost") && !strings.Contains(p.What, "index") {
					t.Fatalf("at %d: %s", n, p.What)
				}
			}
		}
		if whole != len(changes) {
			t.Fatalf("%d of %d changes", whole, len(changes))
		}
	}
}

// within says that a byte is not farther away from where something ends.
func within(n, far, whole, torn int, ends map[int]int) bool {
	near := func(end int) bool { return max(n-end, end-n) <= far }
	for end := range ends {
		if near(end) {
			return true
		}
	}
	return near(whole) || near(torn)
}

// saysWhatIsLost checks what a file says that was cut at n bytes: how many of them, and how much time,
// if the head of the torn chunk is there.
func saysWhatIsLost(t *testing.T, whole, cut *File, n int) {
	t.Helper()
	for k, c := range whole.index.chunks {
		if int64(n) <= c.At || int64(n) >= c.End() {
			continue
		}
		end := cut.Coverage().Latest
		lost := time.Duration(0) // a keyframe holds no time of its own
		for _, p := range whole.index.pages {
			if p.chunk == int32(k) {
				lost = p.Last.Sub(end)
			}
		}
		want := fmt.Sprintf("the last %d bytes are lost, with %v after %s", int64(n)-c.At, lost, end)
		switch {
		case !end.Bounded():
			want = fmt.Sprintf("the last %d bytes are lost, with all that was heard", int64(n)-c.At)
		case int64(n) < c.At+container.RecordHead+16:
			want = fmt.Sprintf("the last %d bytes are lost, with an unknown time after %s", int64(n)-c.At, end)
		}
		if p := cut.Problems(); len(p) != 1 || !strings.Contains(p[0].What, want) {
			t.Fatalf("at %d: %v, want %s", n, p, want)
		}
	}
}

// TestTheSecondsLostAreSaid: if the head of the torn chunk is there, it shows until when it would have reached.
func TestTheSecondsLostAreSaid(t *testing.T) {
	data, _, _ := smallRecording(t, false)
	f, err := Bytes(data, "whole")
	if err != nil {
		t.Fatal(err)
	}
	last := f.index.pages[len(f.index.pages)-1]
	at := f.index.chunks[last.chunk].At
	f, err = Bytes(data[:at+60], "torn")
	if err != nil {
		t.Fatal(err)
	}
	if p := f.Problems(); len(p) != 1 || !strings.Contains(p[0].What, "with 1s after 2026-11-20T12:00:03.7Z") {
		t.Fatal(p)
	}
	if f.Coverage().Latest != noon.Add(3700*time.Millisecond) {
		t.Error(f.Coverage())
	}
}

// TestFlippedBits: a flipped bit in any byte costs at most the chunk it is in, which is a gap; what else
// there is stays as it was. It never costs the truth. Which bit of a byte is drawn.
func TestFlippedBits(t *testing.T) {
	for _, closed := range []bool{false, true} {
		t.Run(fmt.Sprint("closed ", closed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(3, 7))
			data, changes, _ := smallRecording(t, closed)
			for n := len(container.Magic); n < len(data); n++ {
				bit := byte(1) << r.IntN(8)
				data[n] ^= bit
				if lost := lostOf(t, n, data, changes); lost > 8 {
					t.Fatalf("byte %d: %d changes are lost with one chunk", n, lost)
				}
				data[n] ^= bit
			}
		})
	}
}

// lostOf is how many Changes a flipped bit has cost.
func lostOf(t *testing.T, n int, flipped []byte, changes []model.Change) int {
	f, err := Bytes(flipped, "flipped.mcap")
	if err != nil {
		if n > 200 { // the header and the metadata
			t.Fatalf("byte %d: %v", n, err)
		}
		return 0
	}
	got := readPages(t, f)
	if n%8 == 0 || testing.Verbose() { // what any History promises is asked of every eighth
		promises(t, f)
	}
	lost := len(changes) - len(got)
	for i := range got {
		if got[i].Note == whyLost || got[i].Kind == model.KindNone {
			lost++
		} else if !same(got[i], changes[i]) {
			t.Fatalf("byte %d: change %d is\n%+v\nwant\n%+v", n, i, got[i], changes[i])
		}
	}
	if lost > 0 && (len(f.Problems()) == 0 || len(got) == len(changes) && len(f.Gaps()) == 0) {
		t.Fatalf("byte %d: %d are lost, and nobody says so: %v %v", n, lost, f.Problems(), f.Gaps())
	}
	return lost
}

// TestADamagedPageIsTheSameForAll: across a page that is lost the state is what the next keyframe
// says, whether the Cursor plays or jumps.
func TestADamagedPageIsTheSameForAll(t *testing.T) {
	data, changes, _ := smallRecording(t, true)
	f, err := Bytes(data, "whole")
	if err != nil {
		t.Fatal(err)
	}
	if f.Keyframes() == 0 {
		t.Fatal("there is no keyframe")
	}
	second := f.index.chunks[f.index.pages[1].chunk]
	data[second.At+second.Length/2] ^= 1
	states := func(instants []model.Instant) (portraits []string) {
		f, err := Bytes(data, "damaged")
		if err != nil {
			t.Fatal(err)
		}
		cursor := history.NewCursor(f)
		for _, at := range instants {
			if err := cursor.Seek(at); err != nil {
				t.Fatal(err)
			}
			portraits = append(portraits, portrait(cursor.State()))
		}
		return portraits
	}
	var instants []model.Instant
	for i := range changes {
		instants = append(instants, changes[i].At)
	}
	played := states(instants)
	backwards := slices.Clone(instants)
	slices.Reverse(backwards)
	back := states(backwards)
	for i := range instants {
		if played[i] != back[len(back)-1-i] {
			t.Errorf("at %s:\n%s\nplayed, and backwards\n%s", instants[i], played[i], back[len(back)-1-i])
		}
		if alone := states(instants[i : i+1])[0]; played[i] != alone {
			t.Errorf("at %s:\n%s\nplayed, and alone\n%s", instants[i], played[i], alone)
		}
	}
}

// TestAKeyframeRightBehindTheDamage: if the chunk before a keyframe is lost, in a file without an index, the keyframe
// still has the state there.
func TestAKeyframeRightBehindTheDamage(t *testing.T) {
	data, changes, _ := smallRecording(t, false)
	f, err := Bytes(data, "whole")
	if err != nil {
		t.Fatal(err)
	}
	k := f.index.keyframes[0]
	before := f.index.chunks[k.Chunk-1]
	data[before.At+before.Length/2] ^= 1
	if f, err = Bytes(data, "damaged"); err != nil {
		t.Fatal(err)
	}
	cursor := history.NewCursor(f)
	if err := cursor.Seek(changes[k.Position].Effective() - 1); err != nil {
		t.Fatal(err)
	}
	want := model.NewCluster()
	for i := range changes[:k.Position] {
		want.Fold(&changes[i])
	}
	if got, want := portrait(cursor.State()), portrait(want); got != want || len(f.Gaps()) == 0 {
		t.Errorf("%s\nwant\n%s\n%v", got, want, f.Gaps())
	}
}
