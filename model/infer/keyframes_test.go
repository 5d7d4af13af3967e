package infer

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"kardia/internal/samestate"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
)

// keyframes is a History in pages of so many Changes, with a keyframe at the start of each, whose pods
// are decoded when they are asked for.
type keyframes struct {
	history.History
	every int
}

func (h keyframes) PageAt(position int) history.Page {
	_, end := h.Span()
	p := history.Page{Start: position / h.every * h.every}
	p.End = min(p.Start+h.every, end)
	changes, _ := historytest.ReadChanges(h, p)
	p.First, p.Last = changes[0].Effective(), changes[len(changes)-1].Effective()
	return p
}

func (h keyframes) PageBefore(t model.Instant) history.Page {
	first, _ := h.Span()
	page := h.PageAt(first)
	for next := page; next.First <= t; {
		page = next
		if _, end := h.Span(); next.End == end {
			break
		}
		next = h.PageAt(next.End)
	}
	return page
}

func (h keyframes) Read(p history.Page, into *history.Condensed) error {
	var changes []model.Change
	for at := p.Start; at < p.End; {
		page := h.History.PageAt(at)
		part, err := historytest.ReadChanges(h.History, page)
		if err != nil {
			return err
		}
		part = part[at-page.Start : min(p.End, page.End)-page.Start]
		changes, at = append(changes, part...), at+len(part)
	}
	into.Take(p, changes)
	return nil
}

func (h keyframes) StateBefore(position int) (at int) { return position / h.every * h.every }

func (h keyframes) Fork() history.History { return h }

func (h keyframes) State(before int) (*model.Cluster, int, error) {
	at := h.StateBefore(before)
	c := model.NewCluster()
	for k := 0; k < at; {
		p := h.PageAt(k)
		changes, err := historytest.ReadChanges(h, p)
		if err != nil {
			return nil, 0, err
		}
		for i := range changes {
			c.Fold(&changes[i])
		}
		k = p.End
	}
	s, names := &onShelf{rowOf: map[model.Key]int{}}, []string{}
	var rows []model.NodeRow
	c.Rows(func(row *model.NodeRow) bool {
		rows, names = append(rows, *row), append(names, row.Name)
		for _, p := range row.Pods() {
			s.rowOf[p.Key] = len(s.rows)
		}
		s.rows = append(s.rows, slices.Clone(row.Pods()))
		return true
	})
	s.rows = append(s.rows, c.Unbound())
	numbers, _ := model.NewRowNames(names)
	stored := model.NewClusterOf(numbers, rows, s)
	return stored, at, nil
}

// onShelf is pods that are handed out as new each time; the last row are those without a node.
type onShelf struct {
	rows  [][]*model.Pod
	rowOf map[model.Key]int // of those on a node
}

func (s *onShelf) PodCount(row int) int { return len(s.rows[row]) }

func (s *onShelf) Pods(row int) []*model.Pod {
	if row < 0 {
		row = len(s.rows) - 1
	}
	pods := make([]*model.Pod, len(s.rows[row]))
	for i, p := range s.rows[row] {
		again := *p
		pods[i] = &again
	}
	return pods
}

func (s *onShelf) Events(int) []*model.Event { return nil }

func (s *onShelf) RowOf(key model.Key) (row int, ok bool) {
	row, ok = s.rowOf[key]
	return row, ok
}

// TestPackedCheckpointsTellTheSame: with states packed beside keyframes, the state at any instant is that
// of a drive from the start.
func TestPackedCheckpointsTellTheSame(t *testing.T) {
	packedTellsTheSame(t, keyframes{outage(20, 3).tell(after(800)), 97}, 3)
	packedTellsTheSame(t, keyframes{outage(20, 20).tell(after(800)), 300}, 3)
	h := outage(20, 9).tell(after(800))
	packedTellsTheSame(t, keyframes{listed(t, h, after(100)), 150}, 2)
	gap := model.Interval{Earliest: after(150), Latest: after(430)}
	packedTellsTheSame(t, keyframes{cut(t, h, gap), 60}, 2)
	packedTellsTheSame(t, keyframes{podsCut(t, h, gap), 60}, 2)
}

// podsCut is the History of one whose watch of pods broke, and no other: what the pods tell
// afterwards stands among what was seen of the nodes.
func podsCut(t *testing.T, h *history.Memory, gap model.Interval) *history.Memory {
	t.Helper()
	var all []model.Change
	take := func(of history.History, pods bool) {
		_ = historytest.Walk(of, model.FarPast+1, model.FarFuture-1, func(_ int, ch *model.Change) bool {
			if (ch.Kind == model.KindPod) == pods {
				all = append(all, *ch)
			}
			return true
		})
	}
	take(h, false)
	take(cut(t, h, gap), true)
	slices.SortStableFunc(all, func(a, b model.Change) int { return cmp.Compare(a.Effective(), b.Effective()) })
	nodes, pods := h.Sources()[0], h.Sources()[0]
	nodes.Kinds = map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1}
	pods.Kinds = map[model.Kind]int{model.KindPod: 1}
	return history.NewMemory(all, h.Coverage(), []history.Gap{{Interval: gap, Source: 1, Why: "the watch broke"}}, []history.Source{nodes, pods})
}

func packedTellsTheSame(t *testing.T, h history.History, least int) {
	t.Helper()
	res := ran(t, h, Options{})
	states, packed := res.run.checkpoints.Kept()
	if packed < least {
		t.Fatalf("%d packed states of %d test nothing", packed, states)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range r.Perm(60) {
		asDriven(t, res, after(-10+14.2*float64(k)), func(got, want *State) string {
			return samestate.Difference(got, want, got.Cache, want.Cache)
		})
	}
	var way []model.Instant
	for k := range 20 {
		way = append(way, after(-10+42.6*float64(k)))
	}
	err := res.Along(way, func(got *State) {
		want, err := res.run.stateOf(res.run.seek(), got.At)
		if err != nil {
			t.Fatal(err)
		}
		if d := samestate.Difference(got, want, got.Cache, want.Cache); d != "" {
			t.Fatalf("on the way, at %s: %s", got.At, d)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsForgottenIsDrivenAgain: the states that were kept save time, and nothing else.
func TestWhatIsForgottenIsDrivenAgain(t *testing.T) {
	res := ran(t, keyframes{outage(20, 3).tell(after(800)), 97}, Options{})
	res.Forget()
	if states, _ := res.run.checkpoints.Kept(); states > 0 {
		t.Fatalf("%d states are kept", states)
	}
	asDriven(t, res, after(500), func(got, want *State) string {
		return samestate.Difference(got, want, got.Cache, want.Cache)
	})
}

// TestWhatWasKnownIsNotReadFromTheStart: what stood before the last part a state of the recording tells. Of a day of
// 5,000 nodes all was read for it.
func TestWhatWasKnownIsNotReadFromTheStart(t *testing.T) {
	h := &counted{History: keyframes{outage(60, 3).tell(after(1600)), 700}} // a Cursor folds a few thousand rather than take a state
	res := ran(t, h, Options{})
	res.run.knows = 300
	_, end := h.Span()
	h.read = 0
	if _, err := res.Known(after(1590)); err != nil {
		t.Fatal(err)
	}
	all := h.read
	res.run.knows = end
	h.read = 0
	if _, err := res.Known(after(1590)); err != nil {
		t.Fatal(err)
	}
	if whole := h.read; all*2 > whole {
		t.Errorf("%d Changes were read, of all that there are %d", all, whole)
	}
}

// counted counts the Changes that are read of a History.
type counted struct {
	history.History
	read int
}

func (c *counted) Read(p history.Page, into *history.Condensed) error {
	c.read += p.End - p.Start
	return c.History.Read(p, into)
}

func (c *counted) Fork() history.History { return c }
