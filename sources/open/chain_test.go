package open

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/history/historytest"
	"kardia/sources/recording"
)

// sitting draws the Changes of a recording that begins at an instant. A whole one begins with lists of objects, some of
// which another recording did not know. It has enough Changes for keyframes.
func sitting(r *rand.Rand, at model.Instant, whole bool) (changes []model.Change) {
	version := uint64(at / 1e6)
	add := func(ch model.Change) {
		version++
		ch.Version, ch.At, ch.Arrival, ch.Time = version, at, at, model.Exactly(at)
		changes = append(changes, ch)
	}
	key := func(n int) model.Key { return model.Key{Namespace: "default", Name: fmt.Sprint("p", n)} }
	pod := func(n int, op model.Op) model.Change {
		if op == model.OpDelete {
			return model.Change{Kind: model.KindPod, Op: op, Key: key(n)}
		}
		return model.Change{Kind: model.KindPod, Op: op, Key: key(n), Pod: &model.Pod{Key: key(n), Node: fmt.Sprint("n", r.IntN(6)), GraceSeconds: int32(r.IntN(100))}}
	}
	node := func(n int, op model.Op) model.Change {
		ch := model.Change{Kind: model.KindNode, Op: op, Key: model.Key{Name: fmt.Sprint("n", n)}}
		if op != model.OpDelete {
			ch.Node = &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: model.Status(1 + r.IntN(3)), Heartbeat: at}}}
		}
		return ch
	}
	if whole {
		for n := range 6 {
			if r.IntN(2) == 0 {
				add(node(n, model.OpBaseline))
			}
		}
		for n := range 40 {
			if r.IntN(2) == 0 {
				add(pod(n, model.OpBaseline))
			}
		}
	}
	for range 26_000 {
		at = at.Add(time.Duration(r.IntN(60)) * time.Millisecond)
		name := fmt.Sprint("n", r.IntN(6))
		switch r.IntN(20) {
		case 0:
			add(node(r.IntN(6), model.OpModify))
		case 1:
			if r.IntN(50) == 0 {
				add(node(r.IntN(6), model.OpDelete))
			}
		case 2, 3:
			add(model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: "kube-node-lease", Name: name}, Lease: model.Lease{Renewed: at - 1e6, Holder: name}})
		case 4:
			add(model.Change{Kind: model.KindNodeLease, Op: model.OpAttempt, Key: model.Key{Namespace: "kube-node-lease", Name: name}})
		case 5:
			add(model.Change{Kind: model.KindEvent, Op: model.OpAdd, Key: model.Key{Namespace: "default", Name: "e"}, Event: &model.Event{
				Reason: fmt.Sprint(r.IntN(9)), Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: name}}}})
		case 6:
			add(pod(r.IntN(40), model.OpDelete))
		default:
			add(pod(r.IntN(40), model.OpModify))
		}
	}
	return changes
}

// TestAChainIsTheSameFoldedAndSought: over recordings that follow one another, with gaps between,
// some of them whole and some that only go on, any instant is the same whether it is reached by
// the keyframes or by folding from the start.
func TestAChainIsTheSameFoldedAndSought(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	dir := t.TempDir()
	at := model.At(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	var paths []string
	var instants []model.Instant
	for i, whole := range []bool{true, true, false, true} {
		path := filepath.Join(dir, fmt.Sprint(i, ".mcap"))
		w, err := recording.CreateFile(path, recording.Meta{Segment: i, Whole: whole}, recording.Options{Packed: true})
		if err != nil {
			t.Fatal(err)
		}
		changes := sitting(r, at, whole)
		for k := range changes {
			w.Cover(changes[k].At)
			if err := w.Add(&changes[k]); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		last := changes[len(changes)-1].At
		instants = append(instants, at-1, at, at+1, last, last+1, last.Add(time.Minute))
		for range 8 {
			instants = append(instants, at.Add(time.Duration(r.Int64N(int64(last.Sub(at))))))
		}
		paths = append(paths, path)
		at = last.Add(5 * time.Minute)
	}
	o, err := Open(t.Context(), paths, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	c := o.History.(*chain)
	for i, f := range c.files {
		if f.Keyframes() == 0 {
			t.Fatalf("recording %d has no keyframe", i)
		}
	}
	r.Shuffle(len(instants), func(i, k int) { instants[i], instants[k] = instants[k], instants[i] })
	jumping := map[model.Instant]string{}
	cursor := history.NewCursor(c)
	for _, at := range instants {
		if err := cursor.Seek(at); err != nil {
			t.Fatal(err)
		}
		jumping[at] = portrait(cursor.State())
	}
	slices.Sort(instants)
	forked := history.NewCursor(c.Fork())
	for _, at := range instants[:20] {
		if err := forked.Seek(at); err != nil {
			t.Fatal(err)
		}
		if got, want := portrait(forked.State()), jumping[at]; got != want {
			t.Fatalf("at %s in a fork\n%s\nwant\n%s", at, got, want)
		}
	}
	if err := historytest.ReadBothWays(c); err != nil {
		t.Fatal(err)
	}
	playing := history.NewCursor(historytest.Plain{History: c})
	for _, at := range instants {
		if err := playing.Seek(at); err != nil {
			t.Fatal(err)
		}
		if got, want := jumping[at], portrait(playing.State()); got != want {
			t.Fatalf("at %s by the keyframes\n%s\nfolded\n%s", at, got, want)
		}
	}
	// What a whole recording says is what it says alone.
	alone := history.NewCursor(c.files[1])
	for _, at := range instants {
		if _, ends := reach(c.files[1]); at < c.files[1].Coverage().Earliest || at > ends {
			continue
		}
		if err := alone.Seek(at); err != nil {
			t.Fatal(err)
		}
		if got, want := jumping[at], portrait(alone.State()); got != want {
			t.Fatalf("at %s in the chain\n%s\nalone\n%s", at, got, want)
		}
	}
}

// portrait prints all that a state says.
func portrait(c *model.Cluster) string {
	var out strings.Builder
	for r := range c.Rows {
		fmt.Fprintf(&out, "%s %+v %+v %d %v %v %v %v\n", r.Name, r.Lease, r.Node, r.Version, r.Written, r.ReadySet, r.Posted, r.Gone)
		var pods []string
		for _, p := range r.Pods() {
			pods = append(pods, p.Key.Name)
		}
		slices.Sort(pods)
		fmt.Fprintln(&out, pods)
		for _, e := range r.Events() {
			fmt.Fprintf(&out, "%+v\n", *e)
		}
	}
	for _, p := range c.Pods() {
		fmt.Fprintf(&out, "%+v\n", *p)
	}
	fmt.Fprintf(&out, "%+v %v %d %d %d %d", c.Leaders(), c.Now, c.Folded, c.Stale, c.Attempts, c.Gaps)
	return out.String()
}
