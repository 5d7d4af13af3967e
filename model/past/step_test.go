package past_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/internal/randomhistory"
	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/model/past"
)

// TestSteppingForthAndBack: from an instant in scope, the next one's previous one is where it
// began; stepping visits every instant in scope once, in either direction.
func TestSteppingForthAndBack(t *testing.T) {
	scopes := map[string]past.Scope{
		"fleet": past.OfFleet(), "node": past.OfNode("n3"),
		"zone": past.OfZone(model.ZoneKey{Zone: "zone-2"}, func(n string) bool { return n == "n2" }),
	}
	rapid.Check(t, func(t *rapid.T) {
		changes := spread(randomhistory.Story(t, rapid.IntRange(0, 1200).Draw(t, "length")), 1)
		var h history.History = history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)
		if every := rapid.IntRange(0, 4).Draw(t, "pages to a state"); every > 0 {
			h = withStates{shortPages{h}, every * 16}
		}
		name := rapid.SampledFrom([]string{"fleet", "node", "zone"}).Draw(t, "scope")
		in := scopes[name]
		want := instantsIn(name, changes)
		cursor := history.NewCursor(h)
		var forth, back []model.Instant
		for at := randomhistory.Noon.Add(-1); ; at = forth[len(forth)-1] {
			if err := cursor.Seek(at); err != nil {
				t.Fatal(err)
			}
			f, err := past.Next(h, at, past.NodesOf(cursor.State()), in)
			if err != nil {
				t.Fatal(err)
			}
			if !f.At.Known() {
				break
			}
			forth = append(forth, f.At)
		}
		for at := randomhistory.Noon.Add(1000 * time.Hour); ; at = back[len(back)-1] {
			f, err := past.Previous(h, at, in)
			if err != nil {
				t.Fatal(err)
			}
			if !f.At.Known() {
				break
			}
			back = append(back, f.At)
		}
		slices.Reverse(back)
		if !slices.Equal(forth, want) || !slices.Equal(back, want) {
			t.Fatalf("forth %v\nback %v\nwant %v", forth, back, want)
		}
	})
}

// instantsIn lists the instants in scope the plain way: everything is read from the start.
func instantsIn(scope string, changes []model.Change) (list []model.Instant) {
	ready := map[string]model.Status{}
	for i := range changes {
		ch := &changes[i]
		in, posts := false, false
		switch scope {
		case "fleet":
			in = ch.Kind == model.KindNode
		case "zone":
			in = ch.Kind == model.KindNode && ch.Key.Name == "n2"
		case "node":
			in, posts = ch.NodeName() == "n3", true
		}
		if ch.Kind == model.KindNode {
			status, was := model.StatusAbsent, ready[ch.Key.Name]
			if ch.Op != model.OpDelete {
				status = ch.Node.Ready().Status
			}
			ready[ch.Key.Name] = status
			in = in && (posts || status != was || ch.Op == model.OpDelete)
		}
		if at := ch.Effective(); in && (len(list) == 0 || list[len(list)-1] != at) {
			list = append(list, at)
		}
	}
	return list
}

// shortPages has small pages, and reads one into the memory of the one before, as a recording does.
type shortPages struct{ history.History }

func (h shortPages) PageAt(position int) history.Page {
	p := history.Page{Start: position / 16 * 16}
	from := h.History.PageAt(p.Start)
	all, _ := historytest.ReadChanges(h.History, from)
	p.End = min(p.Start+16, from.End)
	p.First, p.Last = all[p.Start-from.Start].Effective(), all[p.End-from.Start-1].Effective()
	return p
}

func (h shortPages) PageBefore(t model.Instant) history.Page {
	p := h.PageAt(h.History.PageBefore(t).End - 1)
	for p.First > t && p.Start > 0 {
		p = h.PageAt(p.Start - 1)
	}
	return p
}

func (h shortPages) Read(p history.Page, into *history.Condensed) error {
	from := h.History.PageAt(p.Start)
	all, err := historytest.ReadChanges(h.History, from)
	if err == nil {
		_, changes, _ := into.Room()
		into.Take(p, append(changes, all[p.Start-from.Start:p.End-from.Start]...))
	}
	return err
}

// TestOneStepBackReadsOnePage: between two things that happened lie hundreds of posts that say nothing new, each
// minutes after the one before it. Where the History has states nobody goes back for those.
func TestOneStepBackReadsOnePage(t *testing.T) {
	node := func(name string, at time.Duration, unschedulable bool) model.Change {
		when := randomhistory.Noon.Add(at)
		return model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: name}, Time: model.Exactly(when), At: when,
			Node: &model.Node{Unschedulable: unschedulable}}
	}
	var changes []model.Change
	for k := range 640 {
		changes = append(changes, node(fmt.Sprint("n", k%300), time.Duration(k)*time.Second, false))
	}
	changes[635] = node("n7", 635*time.Second, true) // the version of n7 before is 28 s older
	h := &counted{History: withStates{shortPages{history.NewMemory(changes, model.Interval{}, nil, nil)}, 16}}
	f, err := past.Previous(h, changes[639].At, past.OfFleet())
	if err != nil || f.Position != 635 {
		t.Fatalf("%+v, %v", f, err)
	}
	if h.pages > 1 || h.states != 1 {
		t.Errorf("%d pages and %d states were read", h.pages, h.states)
	}
}

// counted counts what is read of a History.
type counted struct {
	history.History
	pages, states int
}

func (c *counted) Read(p history.Page, into *history.Condensed) error {
	c.pages++
	return c.History.Read(p, into)
}

func (c *counted) State(before int) (*model.Cluster, int, error) {
	c.states++
	return c.History.State(before)
}

// withStates has a state at every so many positions, as a recording does.
type withStates struct {
	shortPages
	every int
}

func (h withStates) StateBefore(position int) int { return position / h.every * h.every }

func (h withStates) State(before int) (*model.Cluster, int, error) {
	at, state := h.StateBefore(before), model.NewCluster()
	var rows history.LeaseRows
	var page history.Condensed
	for from := 0; from < at; from = page.End {
		if err := h.Read(h.PageAt(from), &page); err != nil {
			return nil, 0, err
		}
		rows.Fold(&page, 0, min(page.End, at)-from, state)
	}
	return state, at, nil
}

// TestLastWriteWalksBackThroughEveryValue: going back from write to write meets each value the
// field had, in order.
func TestLastWriteWalksBackThroughEveryValue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := spread(randomhistory.Story(t, rapid.IntRange(0, 800).Draw(t, "length")), 1)
		h := shortPages{history.NewMemory(slices.Clone(changes), model.Interval{}, nil, nil)}
		f := past.Field{Kind: past.ConditionField, Node: "n3", Name: "Ready"}
		var want []string
		last := "?"
		for i := range changes {
			ch := &changes[i]
			if ch.Kind != model.KindNode || ch.Key.Name != "n3" {
				continue
			}
			value := ""
			if ch.Op != model.OpDelete {
				value = ch.Node.Ready().Status.String()
			}
			if value != last {
				want = append(want, value)
			}
			last = value
		}
		var got []string
		for before := randomhistory.Noon.Add(1000 * time.Hour); ; {
			w, err := past.LastWrite(h, before, f)
			if err != nil {
				t.Fatal(err)
			}
			if !w.Found() {
				break
			}
			if is := changes[w.Position].Effective(); w.At != is {
				t.Fatalf("the write at position %d is of %v, and said to be of %v", w.Position, is, w.At)
			}
			got = append(got, w.After)
			before = w.At
			if w.Initial {
				break
			}
		}
		slices.Reverse(got)
		// Writes at one instant are one step: only the last value of an instant is met.
		if len(got) > len(want) || len(want) > 0 && (len(got) == 0 || got[len(got)-1] != want[len(want)-1]) {
			t.Fatalf("met %q, want %q", got, want)
		}
	})
}

// TestJumpsComeBack: after any jumps, going all the way back and forward again ends where it
// began.
func TestJumpsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var j past.Jumps
		at := randomhistory.Noon
		var been []model.Instant
		for range rapid.IntRange(0, 150).Draw(t, "jumps") {
			to := randomhistory.Noon.Add(time.Duration(rapid.IntRange(0, 5).Draw(t, "to")) * time.Second)
			if to == at {
				continue
			}
			j.Leave(at)
			been, at = append(been, at), to
		}
		end, n := at, 0
		for i := len(been) - 1; i >= 0 && n < 100; i-- {
			to, ok := j.Back(at)
			if !ok || to != been[i] {
				t.Fatalf("back to %v %v, want %s", to, ok, been[i])
			}
			at, n = to, n+1
		}
		if _, ok := j.Back(at); ok {
			t.Fatal("further back than it ever was")
		}
		for range n {
			at, _ = j.Forward(at)
		}
		if at != end {
			t.Fatalf("forward to %s, want %s", at, end)
		}
	})
}

// TestMarksAreKeptAsLines: what was set and taken away comes back from the lines written.
func TestMarksAreKeptAsLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var m, back past.Bookmarks
		var text []byte
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			mark := past.Bookmark{At: randomhistory.Noon.Add(time.Duration(rapid.Int64Range(0, 20).Draw(t, "at"))), Note: rapid.StringN(0, 40, -1).Draw(t, "note")}
			removed := rapid.IntRange(0, 3).Draw(t, "removed") == 0
			if removed {
				m.Clear(mark.At)
			} else if err := m.Set(mark); err != nil {
				t.Fatal(err)
			}
			text = past.AppendMark(text, mark, removed)
		}
		for len(text) > 0 {
			i := slices.Index(text, '\n')
			if err := back.Read(text[:i]); err != nil {
				t.Fatal(err)
			}
			text = text[i+1:]
		}
		if !slices.Equal(m.List(), back.List()) {
			t.Fatalf("%v\ncame back as\n%v", m.List(), back.List())
		}
	})
}

func TestALoopGoesBetweenNeighbouringMarks(t *testing.T) {
	var m past.Bookmarks
	s := func(n int) model.Instant { return randomhistory.Noon.Add(time.Duration(n) * time.Second) }
	for _, n := range []int{30, 10, 20} {
		if _, ok := m.Around(s(15)); ok != (len(m.List()) >= 2) {
			t.Errorf("%d marks: %v", len(m.List()), ok)
		}
		_ = m.Set(past.Bookmark{At: s(n)})
	}
	for at, want := range map[int][2]int{0: {10, 20}, 10: {10, 20}, 15: {10, 20}, 20: {20, 30}, 29: {20, 30}, 30: {20, 30}, 99: {20, 30}} {
		if got, _ := m.Around(s(at)); got != (model.Interval{Earliest: s(want[0]), Latest: s(want[1])}) {
			t.Errorf("around %d: %v", at, got)
		}
	}
	for n, want := range map[int]string{1: "A", 26: "Z", 27: "A1"} {
		if got := (past.Bookmark{Number: n}).Name(); got != want {
			t.Errorf("the mark made as number %d is called %s, want %s", n, got, want)
		}
	}
}

// A mark keeps the name that it was given, whatever is marked before it or taken away, and also when its
// note is changed.
func TestMarksKeepTheirNames(t *testing.T) {
	var m past.Bookmarks
	for _, at := range []int{50, 20, 70} {
		_ = m.Set(past.Bookmark{At: randomhistory.Noon.Add(time.Duration(at) * time.Second)})
	}
	named := func(want string) {
		t.Helper()
		got := ""
		for _, mark := range m.List() {
			got += mark.Name() + mark.Note
		}
		if got != want {
			t.Errorf("in order of time they are %s, want %s", got, want)
		}
	}
	named("BAC")
	_ = m.Set(past.Bookmark{At: randomhistory.Noon.Add(50 * time.Second), Note: "!"})
	named("BA!C")
	m.Clear(randomhistory.Noon.Add(20 * time.Second))
	_ = m.Set(past.Bookmark{At: randomhistory.Noon.Add(10 * time.Second)})
	named("DA!C")
}

func FuzzMarks(f *testing.F) {
	f.Add([]byte(`{"at":"2026-11-20T23:53:23.379Z","note":"zone b falls silent"}`))
	f.Add([]byte(`{"at":"0001-01-01T00:00:00Z","removed":true}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		var m past.Bookmarks
		if m.Read(line) != nil {
			return
		}
		for _, mark := range m.List() {
			var back past.Bookmarks
			if err := back.Read(past.AppendMark(nil, mark, false)); err != nil || back.List()[0] != mark {
				t.Fatalf("%+v is read back as %+v: %v", mark, back.List(), err)
			}
		}
	})
}
