package recording

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
)

// story draws a History of a small cluster in which everything happens.
func story(t *rapid.T, n int) []model.Change {
	var changes []model.Change
	at := noon
	for i := range n {
		at = at.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "pause")) * time.Millisecond)
		node := fmt.Sprintf("n%d", rapid.IntRange(0, 5).Draw(t, "node"))
		ch := model.Change{Op: model.OpModify, Version: uint64(i + 1), Time: model.Exactly(at), Arrival: at, At: at}
		switch rapid.IntRange(0, 8).Draw(t, "what") {
		case 0, 1, 2:
			ch.Kind, ch.Key = model.KindNodeLease, model.Key{Namespace: "kube-node-lease", Name: node}
			ch.Lease = model.Lease{Renewed: at - 1e6, Holder: node, Seconds: 40}
			if rapid.IntRange(0, 9).Draw(t, "lease gone") == 0 {
				ch.Op, ch.Lease = model.OpDelete, model.Lease{}
			}
		case 3:
			ch.Kind, ch.Key = model.KindNode, model.Key{Name: node}
			ch.Node = &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: model.Status(rapid.IntRange(1, 3).Draw(t, "ready")), Transition: noon, Heartbeat: at}}}
			if rapid.IntRange(0, 9).Draw(t, "deleted") == 0 {
				ch.Op = model.OpDelete
			}
		case 4:
			ch.Kind, ch.Key = model.KindPod, model.Key{Namespace: "default", Name: fmt.Sprintf("p%d", rapid.IntRange(0, 9).Draw(t, "pod"))}
			ch.Pod = anyPod(t, &ch)
			ch.Pod.Details = rapid.SampledFrom([]model.Details{"", "", "claim a=v", "claim a=v\nclaim b=w\nrunning=false", "claim b=w\nrunning=true"}).Draw(t, "details")
			ch.Pod.Key, ch.Pod.Node = ch.Key, rapid.SampledFrom([]string{"", node}).Draw(t, "bound")
			if rapid.Bool().Draw(t, "gone") {
				ch.Op = model.OpDelete
			}
		case 5:
			ch.Kind, ch.Op, ch.Key = model.KindNodeLease, model.OpAttempt, model.Key{Namespace: "kube-node-lease", Name: node}
		case 6:
			ch.Kind, ch.Key = model.KindEvent, model.Key{Namespace: "default", Name: "e"}
			ch.Event = anyEvent(t)
			ch.Event.Regarding = model.Reference{Kind: "Node", Key: model.Key{Name: node}}
		case 7:
			ch.Kind, ch.Key = model.KindLeaderLease, model.Key{Namespace: "kube-system", Name: "kcm"}
			ch.Lease = model.Lease{Renewed: at, Holder: node, Transitions: int32(i)}
			if rapid.IntRange(0, 3).Draw(t, "gap") == 0 {
				ch = model.Change{Op: model.OpGap, Arrival: at, At: at, Note: "blind"}
			}
		case 8:
			ch.Kind, ch.Key = model.KindVolumeAttachment, model.Key{Name: node}
			ch.Related = &model.Related{UID: anyUID(t), Created: at, Details: model.Details("attached=" + anyText.Draw(t, "attached"))}
			if rapid.IntRange(0, 3).Draw(t, "detached") == 0 {
				ch.Op, ch.Related = model.OpDelete, nil
			}
		}
		changes = append(changes, ch)
	}
	return changes
}

// portrait prints everything a state says, so that two states can be compared.
func portrait(c *model.Cluster) string {
	var out strings.Builder
	c.Rows(func(r *model.NodeRow) bool {
		var pods []string
		for _, p := range r.Pods() {
			pods = append(pods, p.Key.String())
		}
		slices.Sort(pods)
		fmt.Fprintf(&out, "%s %+v %+v\n", r.Name, r.Lease, pods)
		fmt.Fprintf(&out, "%+v %d %v %v %v %v\n", r.Node, r.Version, r.Written, r.ReadySet, r.Posted, r.Gone)
		if r.Node != nil {
			for _, t := range r.Node.Taints {
				fmt.Fprintf(&out, "%s %q %v %v\n", t.Key, t.Value, t.Effect, t.Added)
			}
		}
		for _, e := range r.Events() {
			fmt.Fprintf(&out, "%+v %s %s\n", *e, e.Regarding.Kind, e.Regarding.UID)
		}
		return true
	})
	for _, p := range c.Pods() {
		owner, tolerations := model.Owner{}, p.Tolerations.List()
		if p.Owner != nil {
			owner = *p.Owner
		}
		fmt.Fprintf(&out, "%s %s on %q created %v deletion %v ready %v since %v disrupted %v %q grace %d %v %v %v %v %v %q\n", p.Key, p.UID, p.Node, p.Created,
			p.Deletion, p.Ready, p.ReadySince, p.Disrupted, p.DisruptionReason, p.GraceSeconds, p.Phase, owner, p.Owner == nil, tolerations, p.Tolerations == nil, p.Details)
	}
	for _, kind := range model.RelatedKinds {
		for key, r := range c.RelatedOf(kind) {
			fmt.Fprintf(&out, "%v %s %+v %d %v\n", kind, key, *r.Related, r.Version, r.Written)
		}
	}
	for claim, at := range c.AllReleased {
		fmt.Fprintf(&out, "%+v %v\n", claim, at)
	}
	fmt.Fprintf(&out, "%+v %v %d %d %d %d", c.Leaders(), c.Now, c.Folded, c.Stale, c.Attempts, c.Gaps)
	return out.String()
}

// TestSeekingIsFolding: wherever a Cursor goes in a recording, by keyframes or without, it shows
// what folding everything up to that instant shows.
func TestSeekingIsFolding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		changes := story(t, rapid.IntRange(1, 400).Draw(t, "length"))
		var file bytes.Buffer
		w, err := Create(&file, Meta{}, Options{Packed: true, page: rapid.IntRange(1, 40).Draw(t, "page"), keyframe: rapid.IntRange(1, 900).Draw(t, "keyframe")})
		if err != nil {
			t.Fatal(err)
		}
		for i := range changes {
			if err := w.Add(&changes[i]); err != nil {
				t.Fatal(err)
			}
		}
		whole := rapid.Bool().Draw(t, "closed")
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		if whole {
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
		}
		f, err := Bytes(file.Bytes(), "test")
		if err != nil {
			t.Fatal(err)
		}
		cursor := history.NewCursor(f)
		reach := int64(changes[len(changes)-1].At - noon)
		for range rapid.IntRange(1, 10).Draw(t, "jumps") {
			to := noon.Add(time.Duration(rapid.Int64Range(-1e9, reach+1e9).Draw(t, "to")))
			if err := cursor.Seek(to); err != nil {
				t.Fatal(err)
			}
			want := model.NewCluster()
			for i := range changes {
				if changes[i].Effective() <= to {
					want.Fold(&changes[i])
				}
			}
			if got, want := portrait(cursor.State()), portrait(want); got != want {
				t.Fatalf("at %s:\n%s\nwant\n%s", to, got, want)
			}
			// A keyframe itself, also where the Cursor would rather fold.
			state, at, err := f.State(cursor.Position())
			if err != nil {
				t.Fatal(err)
			}
			want = model.NewCluster()
			for i := range changes[:at] {
				want.Fold(&changes[i])
			}
			if got, want := portrait(state), portrait(want); got != want {
				t.Fatalf("the keyframe at %d:\n%s\nwant\n%s", at, got, want)
			}
		}
		if len(f.Problems()) > 0 {
			t.Fatal(f.Problems())
		}
	})
}

// TestStatesShareNodes: in a cluster of thousands most nodes post nothing between two keyframes, and going from one to
// the next would make them all again each time.
func TestStatesShareNodes(t *testing.T) {
	var changes []model.Change
	for round := range 4 {
		for k := range 20 {
			at := noon.Add(time.Duration(20*round+k) * time.Second)
			ch := model.Change{Kind: model.KindNode, Op: model.OpModify, Key: model.Key{Name: fmt.Sprintf("n%d", k)}, Version: uint64(len(changes) + 1),
				Time: model.Exactly(at), Arrival: at, Node: &model.Node{Conditions: []model.Condition{{Type: "Ready", Status: model.StatusTrue, Heartbeat: at}}}}
			changes = append(changes, ch)
		}
	}
	f := fileOf(t, changes, Options{Packed: true, page: 5, keyframe: 5})
	state := func(position int) map[string]*model.Node {
		c, at, err := f.State(position)
		if err != nil || at != position {
			t.Fatalf("the state at %d is that at %d: %v", position, at, err)
		}
		return past.NodesOf(c)
	}
	before, after := state(60), state(65)
	for name, n := range after {
		posted := before[name].Ready().Heartbeat != n.Ready().Heartbeat
		if same := before[name] == n; same == posted {
			t.Errorf("%s posted: %v, and is the same: %v", name, posted, same)
		}
	}
}

// TestStoredIsAllThatKeyframesSay: a search for a name in a file finds it.
func TestStoredIsAllThatKeyframesSay(t *testing.T) {
	_, changes := variety(t, Options{})
	f := fileOf(t, changes, Options{page: 3, keyframe: 5})
	said := map[string]bool{"": true}
	var walk func(reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.String:
			said[v.String()] = true
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	if err := f.Stored(func(what any) { walk(reflect.ValueOf(what)) }); err != nil {
		t.Fatal(err)
	}
	want := func(texts ...string) {
		for _, text := range texts {
			if !said[text] {
				t.Errorf("%q is in a keyframe, and was not shown", text)
			}
		}
	}
	pods, events := 0, 0
	for _, ref := range f.index.keyframes {
		c, err := f.stateAt(ref)
		if err != nil {
			t.Fatal(err)
		}
		for r := range c.Rows {
			want(r.Name, r.Lease.Holder)
			for _, e := range r.Events() {
				want(e.Reason, e.Message, e.Component, e.Regarding.Name)
				events++
			}
		}
		for _, p := range c.Pods() {
			want(p.Name, p.Namespace, p.DisruptionReason)
			pods++
		}
		for _, l := range c.Leaders() {
			want(l.Name, l.Holder)
		}
		for _, kind := range model.RelatedKinds {
			for key, o := range c.RelatedOf(kind) {
				want(key.Name, string(o.Details))
			}
		}
	}
	if len(f.index.keyframes) < 3 || pods == 0 || events == 0 {
		t.Fatalf("%d keyframes, %d pods, %d events test nothing", len(f.index.keyframes), pods, events)
	}
}
