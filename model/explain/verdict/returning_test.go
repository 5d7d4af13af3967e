package verdict

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
)

// outage is what nodes of three zones of ten did in the ten minutes before now. By default all of the last zone fell silent four
// minutes ago, were declared Unknown after 50 s, and all but four came back a minute ago, at once.
type outage struct {
	silent, back int           // of the last zone: how many fell silent, and came back
	dark         bool          // the other zones fell silent as well, and came back whole
	ago          time.Duration // when they came back
	events       bool          // the controller's Events are read
	watched      time.Duration // since when somebody watches
	gap          history.Gap
}

func (o outage) history() history.History {
	start, fell, declared, back := now.Add(-20*time.Minute), now.Add(-o.ago-3*time.Minute), now.Add(-o.ago-130*time.Second), now.Add(-o.ago)
	watched := now.Add(-o.watched)
	var changes []model.Change
	add := func(at model.Instant, ch model.Change) {
		ch.Quality, ch.Arrival, ch.Op = model.ByArrival, at, model.OpModify
		changes = append(changes, ch)
	}
	ready := func(name string, zone model.ZoneKey, at model.Instant, status model.Status) {
		posted := at
		if status == model.StatusUnknown {
			posted = fell
		}
		add(at, model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, Node: &model.Node{Zone: zone, Created: start,
			Conditions: []model.Condition{{Type: model.ConditionReady, Status: status, Transition: at, Heartbeat: posted}}}})
	}
	for z, zone := range []string{"a", "b", "c"} {
		for i := range 10 {
			name, in := fmt.Sprintf("%s%d", zone, i), model.ZoneKey{Zone: zone}
			falls, returns := z == 2 && i < o.silent || z < 2 && o.dark, z < 2 || i < o.back
			ready(name, in, start, model.StatusTrue)
			if falls {
				ready(name, in, declared, model.StatusUnknown)
				if o.events {
					add(declared, model.Change{Kind: model.KindEvent, Key: model.Key{Name: name}, Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: name}},
						Reason: "NodeNotReady", Component: "node-controller", First: declared, Last: declared}})
				}
			}
			if falls && returns {
				ready(name, in, back, model.StatusTrue)
			}
			for at := start.Add(time.Duration(i) * time.Second); at <= now; at = at.Add(10 * time.Second) {
				if !falls || at < fell || returns && at >= back {
					add(at, model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Lease: model.Lease{Renewed: at}})
				}
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return int(a.Arrival - b.Arrival) })
	return history.NewMemory(o.seen(changes, watched), model.Interval{Earliest: watched, Latest: now}, o.gaps(), []history.Source{o.source(watched)})
}

// seen is what is read of changes from when somebody watches on: first, and after a gap, all that there is then.
func (o outage) seen(changes []model.Change, watched model.Instant) []model.Change {
	listed := map[string]int{} // where the newest stands that a list shows
	var all []model.Change
	for _, ch := range changes {
		switch at := ch.Arrival; {
		case at <= watched:
			ch.Op, ch.Arrival = model.OpBaseline, watched
		case o.gap.Why != "" && o.gap.Contains(at):
			ch.Arrival = o.gap.Latest
		default:
			all = append(all, ch)
			continue
		}
		place := fmt.Sprint(ch.Kind, ch.Key.Name, ch.Arrival)
		if i, ok := listed[place]; ok {
			all[i] = ch
		} else {
			listed[place], all = len(all), append(all, ch)
		}
	}
	return all
}

func (o outage) gaps() []history.Gap {
	if o.gap.Why == "" {
		return nil
	}
	return []history.Gap{o.gap}
}

func (o outage) source(watched model.Instant) history.Source {
	return history.Source{Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindEvent: 1},
		Coverage: model.Interval{Earliest: watched, Latest: now}, Quality: model.ByArrival}
}

// TestZoneComesBack: that all of a zone was silent is said where it was seen, or Events tell of it, and nowhere else.
func TestZoneComesBack(t *testing.T) {
	hole := func(from, to time.Duration) history.Gap {
		return history.Gap{Interval: model.Interval{Earliest: now.Add(-from), Latest: now.Add(-to)}, Why: "the watch broke"}
	}
	for _, c := range []struct {
		name string
		of   func(*outage)
		want string
	}{
		{"watched all along", func(*outage) {}, "V6: 4, back 6"},
		{"one did not come back", func(o *outage) { o.back = 9 }, "V6: 1, back 9"},
		{"most did not", func(o *outage) { o.back = 2 }, "V6: 8, back 2"},
		{"eight minutes ago", func(o *outage) { o.ago = 8 * time.Minute }, "V6: 4, back 6"},
		{"long ago", func(o *outage) { o.ago = 11 * time.Minute }, "V10: 4, of a zone"},
		{"only four were silent", func(o *outage) { o.silent, o.back = 4, 0 }, "V10: 4"},
		{"only nine were, and five came back", func(o *outage) { o.silent, o.back = 9, 5 }, "V10: 4"},
		{"so were all the others", func(o *outage) { o.dark = true }, "V10: 4"},
		{"who came in the midst of it saw it", func(o *outage) { o.watched = 100 * time.Second }, "V6: 4, back 6"},
		{"who came later saw four", func(o *outage) { o.watched = 20 * time.Second }, "V10: 4"},
		{"and reads Events", func(o *outage) { o.watched, o.events = 20*time.Second, true }, "V6: 4, back 6, told"},
		{"of nine", func(o *outage) { o.silent, o.back, o.watched, o.events = 9, 5, 20*time.Second, true }, "V10: 4"},
		{"nobody watched then", func(o *outage) { o.gap = hole(5*time.Minute, 65*time.Second) }, "V10: 4"},
		{"nobody watched when some came back", func(o *outage) { o.gap = hole(100*time.Second, 40*time.Second) }, "V6: 4, back 6"},
	} {
		is := outage{silent: 10, back: 6, ago: time.Minute, watched: 15 * time.Minute}
		c.of(&is)
		e, err := Look(history.NewCursor(is.history()), now, View{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		list := Of(e)
		for _, v := range list {
			says := fmt.Sprintf("%s: %d", v.Rule.Number(), len(v.Nodes))
			if len(v.Back) > 0 {
				says += fmt.Sprintf(", back %d", len(v.Back))
			}
			for _, f := range v.For {
				if strings.HasPrefix(string(f.Code), "zone-was-silent") && v.Rule != Zone {
					says += ", of a zone"
				}
				if f.Code == "zone-was-silent-told" {
					says += ", told"
				}
			}
			got = append(got, says)
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
			for _, v := range list {
				t.Log(v.Says, v.For, v.Against, v.Missing)
			}
		}
	}
}

// A node that is back posts its status first: that its lease is not renewed is told once a renewal is missing.
func TestTheStatusComesBeforeTheLease(t *testing.T) {
	zone, start := model.ZoneKey{Zone: "a"}, now.Add(-10*time.Minute)
	for after, want := range map[time.Duration]bool{3 * time.Second: false, 11 * time.Second: false, 13 * time.Second: true, 100 * time.Second: true} {
		fell, back := now.Add(-after-5*time.Minute), now.Add(-after)
		var changes []model.Change
		add := func(at model.Instant, ch model.Change) {
			ch.Quality, ch.Arrival, ch.Op = model.ByArrival, at, model.OpModify
			changes = append(changes, ch)
		}
		posts := func(name string, at model.Instant, status model.Status, heartbeat model.Instant) {
			add(at, model.Change{Kind: model.KindNode, Key: model.Key{Name: name}, Node: &model.Node{Zone: zone, Created: start,
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: status, Transition: at, Heartbeat: heartbeat}}}})
		}
		for _, name := range []string{"a0", "a1", "a2"} {
			posts(name, start, model.StatusTrue, start)
			for at := start; at <= now; at = at.Add(10 * time.Second) {
				if name != "a0" || at < fell {
					add(at, model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Lease: model.Lease{Renewed: at}})
				}
			}
		}
		posts("a0", fell.Add(50*time.Second), model.StatusUnknown, start)
		posts("a0", back, model.StatusTrue, back)
		slices.SortStableFunc(changes, func(a, b model.Change) int { return int(a.Arrival - b.Arrival) })
		h := history.NewMemory(changes, model.Interval{Earliest: start, Latest: now}, nil, []history.Source{{Quality: model.ByArrival, Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1}}})
		e, err := Look(history.NewCursor(h), now, View{})
		if err != nil {
			t.Fatal(err)
		}
		list := Of(e)
		if got := slices.ContainsFunc(list, func(v Verdict) bool { return v.Rule == LeaseOnly }); got != want {
			t.Errorf("%v after its status: the lease alone: %v (%d verdicts)", after, got, len(list))
		}
	}
}
