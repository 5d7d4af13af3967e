package recorder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/model/past"
	"kardia/sources/capture/stream"
	"kardia/sources/recording"
	"kardia/sources/scenario/day"
)

// clocked is a History that knows the clock it was recorded by.
type clocked struct {
	*history.Memory
	clocks []history.ClockReading
}

func (c *clocked) Clocks() []history.ClockReading { return c.clocks }

func written(d day.Day) *clocked {
	var changes []model.Change
	for ch := range d.Changes() {
		own := *ch
		own.Origin.Source = int32(stream.SourceOf(ch.Kind))
		changes = append(changes, own)
	}
	gap := history.Gap{Interval: model.Interval{Earliest: d.Start.Add(time.Minute), Latest: d.Start.Add(5 * time.Minute)}, Source: 2, Why: "disconnected"}
	sources := stream.Describe("scenario")
	for i, kind := range model.Kinds {
		sources[i].Kinds[kind] = 1
	}
	return &clocked{Memory: history.NewMemory(changes, model.Interval{Earliest: d.Start, Latest: d.End()}, []history.Gap{gap}, sources)}
}

// A part that was saved shows, at every instant, what the whole shows there.
func TestSave(t *testing.T) {
	d := day.FullDay().Scaled(30, 15*time.Minute)
	whole := written(d)
	part := model.Interval{Earliest: d.Start.Add(4 * time.Minute), Latest: d.Start.Add(12 * time.Minute)}
	path := filepath.Join(t.TempDir(), "part.mcap")
	marks := []past.Bookmark{{At: d.Start.Add(time.Minute), Note: "before"}, {At: d.Start.Add(6 * time.Minute), Note: "within"}}
	whole.clocks = []history.ClockReading{{At: d.Start.Add(time.Minute)}, {At: d.Start.Add(6 * time.Minute)}}
	if err := Save(whole, recording.Meta{Name: "part"}, marks, part, path); err != nil {
		t.Fatal(err)
	}
	if err := Save(whole, recording.Meta{}, nil, part, path); !errors.Is(err, os.ErrExist) {
		t.Errorf("over a file that exists: %v", err)
	}
	f, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if c := f.Clocks(); len(c) != 1 || c[0].At != d.Start.Add(6*time.Minute) {
		t.Errorf("readings of the clock: %+v", c)
	}
	if f.Coverage() != part || len(f.Marks()) != 1 || len(f.Gaps()) != 1 || f.Gaps()[0].Earliest != part.Earliest {
		t.Errorf("covers %v, marks %v, gaps %v", f.Coverage(), f.Marks(), f.Gaps())
	}
	a, b := history.NewCursor(f), history.NewCursor(whole)
	for at := part.Earliest; at <= part.Latest; at = at.Add(time.Minute) {
		if err := errors.Join(a.Seek(at), b.Seek(at)); err != nil {
			t.Fatal(err)
		}
		if a.State().PodCount() != b.State().PodCount() {
			t.Errorf("at %v: %d pods, want %d", at, a.State().PodCount(), b.State().PodCount())
		}
		for want := range b.State().Nodes {
			got := a.State().Node(want.Name)
			if got.Ages(at) != want.Ages(at) || got.Health() != want.Health() || len(got.Pods()) != len(want.Pods()) || got.Version != want.Version {
				t.Errorf("at %v, %s: %+v, want %+v", at, want.Name, got, want)
			}
		}
	}
	r, err := infer.Run(f, infer.Options{Params: model.Defaults(d.Version)})
	if err != nil {
		t.Fatal(err)
	}
	if v := verify.Evaluate(&hypotheses.Found{Base: r, Result: r}); v.Exit != 0 || v.Observed < 100 {
		t.Errorf("verify: %d of %d, %v %v", v.Explained, v.Observed, v.Unexplained, v.Why)
	}
}

func TestSaveOutsideOfWhatIsCovered(t *testing.T) {
	d := day.FullDay().Scaled(3, time.Minute)
	path := filepath.Join(t.TempDir(), "part.mcap")
	err := Save(written(d), recording.Meta{}, nil, model.Interval{Earliest: d.End().Add(time.Hour), Latest: d.End().Add(2 * time.Hour)}, path)
	if err == nil {
		t.Error("nothing was saved without a word")
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("there is a file all the same")
	}
}

// TestSaveStatements: the part keeps a log's statements that were made in it, or still held, with the flags of the
// process that ran. Its source has their count, and their time.
func TestSaveStatements(t *testing.T) {
	at := func(minute int) model.Instant {
		return model.At(time.Date(2026, 11, 20, 23, minute, 0, 0, time.UTC))
	}
	says := func(what history.Saying, from, to int) history.Statement {
		return history.Statement{What: what, By: model.ControllerManager, At: at(from), Until: at(to), Times: 1, Text: what.String(), Origin: model.Origin{Source: 1}}
	}
	h := history.NewMemory([]model.Change{{Kind: model.KindNode, Key: model.Key{Name: "a"}, At: at(1), Time: model.Exactly(at(1)), Node: &model.Node{}}},
		model.Interval{Earliest: at(0), Latest: at(30)}, nil, []history.Source{{Path: "audit.log", Coverage: model.Interval{Earliest: at(0), Latest: at(30)}},
			{Path: "kcm.log", Statements: 5, Spoken: model.Interval{Earliest: at(2), Latest: at(25)}}})
	h.Said = []history.Statement{says(history.SaidFlag, 2, 2), says(history.SaidStart, 3, 3), says(history.SaidSilent, 4, 12), says(history.SaidLost, 15, 15), says(history.SaidLost, 25, 25)}
	path := filepath.Join(t.TempDir(), "part.mcap")
	part := model.Interval{Earliest: at(10), Latest: at(20)}
	if err := Save(h, recording.Meta{}, nil, part, path); err != nil {
		t.Fatal(err)
	}
	f, err := recording.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var kept []history.Saying
	for _, s := range f.Statements() {
		kept = append(kept, s.What)
	}
	if s := f.Sources()[1]; !slices.Equal(kept, []history.Saying{history.SaidFlag, history.SaidSilent, history.SaidLost}) || s.Statements != 3 || s.Spoken != part {
		t.Errorf("%v is kept, and the source has %+v", kept, s)
	}
}
