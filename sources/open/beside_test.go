package open

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history/historytest"
	"kardia/model/infer"
	"kardia/sources/recording"
	"kardia/sources/scenario"
)

// TestStatesBesideKeyframesAreTheSame: in a day with an outage, recorded and packed, the models' state
// that was put together from a keyframe is the one that was driven to without any.
func TestStatesBesideKeyframesAreTheSame(t *testing.T) {
	d := scenario.FullDay().Scaled(150, 40*time.Minute)
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
		a, b := tellState(got), tellState(want)
		for i := range b {
			if i >= len(a) || a[i] != b[i] {
				t.Fatalf("at %s:\n%.2000s\nwithout keyframes\n%.2000s", at, a[min(i, len(a)-1)], b[i])
			}
		}
	}
}

// immaterial is what differs where objects are the same and were read twice.
var immaterial = regexp.MustCompile(`0x[0-9a-f]+|seen:\d+|offTaints:\{[^}]*\} offPass:\d+`)

// tellState is all of a state, a line for each row.
func tellState(s *infer.State) (lines []string) {
	say := func(format string, a ...any) { lines = append(lines, fmt.Sprintf(format, a...)) }
	say("%v %v %v", s.At, s.Clock, s.Phases)
	for i := range int32(s.Cache.Rows()) {
		row := s.Cache.Row(i)
		say("%s %+v %d %d %s %s %v %d", row.Name, row.Node, row.Version, row.Position, row.ConditionsBy, row.TaintsBy, row.Lease, row.Deleting())
		pods := slices.Clone(row.Pods())
		slices.SortFunc(pods, model.ComparePods)
		for _, p := range pods {
			say("%s %s %s %s %s %s %s %s %d %s %+v %v", p.Key, p.UID, p.Node, p.Created, p.Deletion, p.ReadySince, p.Disrupted, p.DisruptionReason, p.Phase, p.Ready, p.Owner, p.Tolerations.List())
		}
	}
	say("%s", immaterial.ReplaceAllString(fmt.Sprintf("%+v", *s.Nodes), ""))
	say("%+v", s.Taints.Timers())
	say("%s", immaterial.ReplaceAllString(fmt.Sprintf("%+v", *s.Pods), ""))
	return lines
}
