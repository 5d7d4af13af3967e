package open

import (
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"kardia/internal/samestate"
	"kardia/model"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/sources/recording"
	"kardia/sources/scenario/day"
)

// TestStatesBesideKeyframesAreTheSame: in a day with an outage, recorded and packed, the models' state
// that was put together from a keyframe is the one that was driven to without any.
func TestStatesBesideKeyframesAreTheSame(t *testing.T) {
	d := day.FullDay().Scaled(150, 40*time.Minute)
	path := filepath.Join(t.TempDir(), "day.mcap")
	w := create(t, path, false)
	for ch := range d.Changes() {
		must(t, w.Add(ch))
	}
	w.Cover(d.Start)
	w.Cover(d.End())
	must(t, w.Close())
	f, err := recording.Open(path)
	must(t, err)
	defer f.Close()
	if f.Keyframes() < 2 {
		t.Fatalf("%d keyframes test nothing", f.Keyframes())
	}
	sameStates(t, f, d.Version)
}

func sameStates(t *testing.T, f *recording.File, version model.Version) {
	t.Helper()
	o := infer.Options{Params: model.Defaults(version)}
	beside, err := infer.Run(f, o)
	must(t, err)
	driven, err := infer.Run(historytest.Plain{History: f.Fork()}, o)
	must(t, err)
	// Where a keyframe has just been, the state rests on it.
	r := rand.New(rand.NewPCG(3, 3))
	_, end := f.Span()
	for k := f.StateBefore(end - 1); k > 0; k = f.StateBefore(k - 1) {
		at := f.PageAt(k).First.Add(time.Duration(r.Int64N(3e9)))
		got, err := beside.At(at)
		must(t, err)
		want, err := driven.At(at)
		must(t, err)
		if found := samestate.Difference(got, want, got.Cache, want.Cache); found != "" {
			t.Fatalf("at %s, beside a keyframe and without: %s", at, found)
		}
	}
}
