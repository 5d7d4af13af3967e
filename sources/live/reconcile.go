package live

import (
	"context"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"
	"k8s.io/apimachinery/pkg/watch"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
)

// known is the version of an object that was last handed on, and the list it was last seen in.
type known struct {
	uid     model.UID
	version uint64
	round   uint32
	// stamp is the newest timestamp of the version, by the API server's clock.
	stamp model.Instant
}

// after is the Op of a version after the one before, if there was one; OpRepeat if it is the same.
func (k known) after(before known, had bool) model.Op {
	switch {
	case !had || before.uid != k.uid:
		return model.OpAdd
	case before.version == k.version && k.version != 0:
		return model.OpRepeat
	}
	return model.OpModify
}

// begin starts a list: objects missing in this round are gone at its end.
func (w *watcher) begin() {
	w.round++
	w.found = nil
	w.extent = extent{limits: w.source.limits, began: w.now(), read: w.progress.traffic.bytes.Load()}
}

// change is an object version as a Change without Op and Arrival; ok is false for another kind. Time.Earliest is the
// newest timestamp of the version, by the API server's clock.
func (w *watcher) change(raw gjson.Result, kind string) (ch model.Change, ok bool) {
	o := w.decode.DecodeAs(raw, kind)
	ch = model.Change{Kind: o.Kind, Key: o.Key, UID: o.UID, Version: o.Version, Node: o.Node, Pod: o.Pod, Event: o.Event, Lease: o.Lease, Related: o.Related}
	ch.Time.Earliest = max(o.Stamps.Created, o.Stamps.Managed)
	return ch, o.Kind == w.kind && o.Key.Name != ""
}

// listed takes one object of a list. In the first list each is handed on at once, so that the screen fills. In a
// repeated one the differences are kept until the end.
func (w *watcher) listed(ctx context.Context, item gjson.Result, kind string) {
	ch, ok := w.change(item, kind)
	if !ok {
		return
	}
	before, had := w.known[ch.Key]
	now := known{ch.UID, ch.Version, w.round, ch.Time.Earliest}
	w.known[ch.Key] = now
	if ch.Op = now.after(before, had); ch.Op == model.OpRepeat {
		return
	}
	if !w.complete {
		ch.Op = model.OpBaseline
		w.source.batch.put(ctx, ch)
		w.status(func(s *stream.Status) { s.Loaded = len(w.known) })
		return
	}
	if ch.Op == model.OpAdd && had {
		w.found = append(w.found, w.vanished(ch.Key, before)...)
	}
	// Written in the gap, or the watch would have shown it.
	ch.Time.Earliest = max(ch.Time.Earliest, w.good)
	w.found = append(w.found, ch)
}

// settle ends a list that was received whole, as of a resourceVersion.
func (w *watcher) settle(ctx context.Context, version string) {
	first := len(w.found)
	for key, k := range w.known {
		if k.round != w.round {
			w.found = append(w.found, w.vanished(key, k)...)
			delete(w.known, key)
		}
	}
	if w.kind.Related() {
		first = 0
	}
	slices.SortStableFunc(w.found[first:], func(a, b model.Change) int { return model.CompareKeys(a.Key, b.Key) })
	if w.complete && !w.keptMeanwhile() {
		w.found = slices.Insert(w.found, 0, w.gap("listed again; objects that came and went meanwhile are not known"))
	}
	if len(w.found) > 0 {
		w.source.batch.put(ctx, w.found...)
	}
	w.found, w.complete, w.resume, w.settled = nil, true, version, w.now()
	w.status(func(s *stream.Status) { s.Listed = true })
	w.begun()
	w.broke, w.stalled, w.why = 0, false, ""
}

// keptMeanwhile reports that a repeated list has all Changes since the stream broke, soon before. A small cluster may
// have no Event for minutes, and bookmarks of Events are rare: the version to resume from is often compacted.
func (w *watcher) keptMeanwhile() bool {
	return w.kind.Related() || w.kind == model.KindEvent && w.now().Sub(w.good) < eventsStay && w.now().Sub(w.broke) <= redial
}

// resumed notes that the stream continues where it broke: nothing was lost, but there was a gap.
func (w *watcher) resumed(ctx context.Context) {
	if w.broke.Known() && w.now().Sub(w.broke) > redial {
		w.source.batch.put(ctx, w.gap("resumed, "+history.KeptNote))
	}
	w.broke, w.stalled, w.why = 0, false, ""
	w.heard()
	w.live()
}

func (w *watcher) gap(how string) model.Change {
	return model.Change{
		Kind: w.kind, Op: model.OpGap,
		Time: model.Interval{Earliest: w.broke, Latest: w.now()},
		Note: fmt.Sprintf("%s: %s; %s", w.resource, w.why, how),
	}
}

// vanished is the deletion of an object that a list no longer has. Events vanish when they expire, without meaning.
func (w *watcher) vanished(key model.Key, k known) []model.Change {
	if w.kind == model.KindEvent {
		return nil
	}
	ch := model.Change{Kind: w.kind, Op: model.OpDelete, Key: key, UID: k.uid}
	ch.Time.Earliest = w.good
	return []model.Change{ch}
}

func (w *watcher) changed(ctx context.Context, ev event, listing bool) {
	ch, ok := w.change(ev.object, "")
	if !ok {
		return
	}
	before, had := w.known[ch.Key]
	var changes []model.Change
	if ev.kind == watch.Deleted {
		if !had {
			return
		}
		delete(w.known, ch.Key)
		ch.Op = model.OpDelete
		if w.kind != model.KindEvent {
			changes = append(changes, ch)
		}
	} else {
		now := known{ch.UID, ch.Version, w.round, ch.Time.Earliest}
		w.known[ch.Key] = now
		if ch.Op = now.after(before, had); ch.Op == model.OpRepeat {
			return // repeated after resuming
		}
		if ch.Op == model.OpAdd && had {
			changes = w.vanished(ch.Key, before)
		} else if ch.Node != nil && ch.Op == model.OpModify && before.stamp.Known() && !listing {
			ch.Writer = writerSince(ev.object.Get("metadata.managedFields"), before.stamp)
		}
		changes = append(changes, ch)
	}
	if listing && w.complete {
		w.found = append(w.found, changes...) // after the gap, with the rest of the list
		return
	}
	if len(changes) > 0 {
		w.source.batch.put(ctx, changes...)
	}
}
