package recording

import (
	"bytes"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/recording/wire"
)

// aStep is a clock that was set back.
var aStep = history.ClockReading{At: noon + 1e9, Wall: noon - 1e9 + 1, Since: time.Second, Set: -2 * time.Second, Slept: model.Some(time.Duration(0)),
	During: model.Interval{Earliest: noon, Latest: noon + 1e9}}

func clockReadings() []history.ClockReading {
	return []history.ClockReading{
		{At: noon, Wall: noon},
		aStep,
		{At: noon.Add(10 * time.Minute), Wall: noon.Add(10 * time.Minute), Since: 2 * time.Second, Set: 10 * time.Minute, During: model.Interval{Earliest: noon + 1e9, Latest: noon.Add(10 * time.Minute)}},
		{At: noon.Add(20 * time.Minute), Wall: noon.Add(20 * time.Minute), Since: 3 * time.Second, Slept: model.Some(10 * time.Minute),
			During: model.Interval{Earliest: noon.Add(10 * time.Minute), Latest: noon.Add(20 * time.Minute)}, Server: model.Some(history.Offset{Least: 0, Most: time.Second})},
		{At: noon.Add(21 * time.Minute), Wall: noon.Add(21 * time.Minute), Since: time.Minute, Server: model.Some(history.Offset{Least: -time.Second, Most: 0})},
	}
}

// TestClocksComeBack: readings of the clock come back from a file that was closed and one that was
// not, from a packed one and from a copy, and stock tools see a channel of them.
func TestClocksComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.mcap")
	w, err := CreateFile(path, Meta{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := clockReadings()
	for i, r := range want {
		if err := w.AddClock(r); err != nil {
			t.Fatal(err)
		}
		ch := model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Name: "a"}, Arrival: noon + model.Instant(i), Lease: model.Lease{Renewed: noon}}
		if err := w.Add(&ch); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	check := func(what, path string) *File {
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = f.Close() })
		if got := f.Clocks(); !reflect.DeepEqual(got, want) || len(f.Problems()) > 0 {
			t.Errorf("%s:\n%+v\nwant\n%+v\n%v", what, got, want, f.Problems())
		}
		return f
	}
	check("as it is recorded", path)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := check("packed", path)
	var copied bytes.Buffer
	again, err := Create(&copied, Meta{}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Copy(f); err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	g, err := Bytes(copied.Bytes(), "copy")
	if err != nil || !reflect.DeepEqual(g.Clocks(), want) {
		t.Errorf("copied: %v, %+v", err, g.Clocks())
	}
	if c := channels[channelClock-1]; c.ID != 15 || c.Topic != "/clock" {
		t.Error(c)
	}
}

// TestAnIndexWithoutClocks: files from before there were readings have none.
func TestAnIndexWithoutClocks(t *testing.T) {
	data, _, _ := smallRecording(t, true)
	f, err := Bytes(data, "small")
	if err != nil {
		t.Fatal(err)
	}
	x := f.index
	x.Readings, x.Said = nil, nil
	var o wire.Writer
	writeIndex(&o, &x, []byte("words"))
	y, words, err := readIndex(wire.Read(o.B[:len(o.B)-2]), 1<<20)
	if err != nil || len(y.Readings) > 0 || string(words) != "words" || !slices.Equal(x.pages, y.pages) {
		t.Errorf("%v %v %q", err, y.Readings, words)
	}
}
