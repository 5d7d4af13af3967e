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

// cluster is what nodes of three zones did in the ten minutes before now.
type cluster struct {
	perZone int
	// pause is between two heartbeats of a node; the nodes beat by turns.
	pause time.Duration
	// since is when the pauses began; before, nodes beat in time.
	since time.Duration
	// together has all of them wait until the same instant, that long ago.
	together time.Duration
	// apart is by how much later each zone does so than the one before.
	apart time.Duration
	// seconds is the duration of leases.
	seconds int32
	// source is what else is said of who shows leases.
	source func(*history.Source)
	// dead is since when the last zone is silent.
	dead time.Duration
	// leader is between two renewals of kube-controller-manager's lease; 0 for none that is read.
	leader time.Duration
	gap    history.Gap
}

func (c cluster) history() history.History {
	start, due := now.Add(-longAgo), 10*time.Second
	var changes []model.Change
	add := func(kind model.Kind, op model.Op, at model.Instant, ch model.Change) {
		ch.Kind, ch.Op, ch.Quality, ch.Arrival = kind, op, model.ByArrival, at
		changes = append(changes, ch)
	}
	zones := []string{"a", "b", "c"}
	for z, zone := range zones {
		for i := range c.perZone {
			name := fmt.Sprintf("%s%d", zone, i)
			add(model.KindNode, model.OpBaseline, start, model.Change{Key: model.Key{Name: name}, Node: &model.Node{Zone: model.ZoneKey{Zone: zone},
				Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue}}}})
			turn := func(of time.Duration) time.Duration { // each node has its own
				return of * time.Duration(i*len(zones)+z) / time.Duration(c.perZone*len(zones))
			}
			back := now.Add(time.Duration(z)*c.apart - c.together)
			at := start.Add(turn(due))
			op := model.OpBaseline
			for at <= now {
				if c.dead == 0 || z < 2 || at < now.Add(-c.dead) {
					add(model.KindNodeLease, op, at, model.Change{Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Lease: model.Lease{Renewed: at, Seconds: c.seconds}})
				}
				op = model.OpModify
				switch next := at.Add(due); {
				case next < now.Add(-c.since):
					at = next
				case c.together > 0 && at < back:
					at = back.Add(turn(4 * time.Second))
				case c.together > 0:
					at = next
				case at < now.Add(-c.since):
					at = now.Add(-c.since).Add(turn(c.pause))
				default:
					at = at.Add(c.pause)
				}
			}
		}
	}
	for at := start; c.leader > 0 && at <= now; at = at.Add(c.leader) {
		add(model.KindLeaderLease, model.OpModify, at, model.Change{Key: model.Key{Namespace: model.SystemNamespace, Name: model.ControllerManager}, Lease: model.Lease{Renewed: at}})
	}
	slices.SortStableFunc(changes, func(a, b model.Change) int { return int(a.Arrival - b.Arrival) })
	kinds := map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1, model.KindEvent: 1}
	var gaps []history.Gap
	if c.gap.Why != "" {
		gaps = append(gaps, c.gap)
	}
	whole := model.Interval{Earliest: start, Latest: now}
	leases := history.Source{Kinds: kinds, Coverage: whole, Quality: model.ByArrival}
	if c.source != nil {
		c.source(&leases)
	}
	return history.NewMemory(changes, whole, gaps, []history.Source{
		leases, {Kinds: map[model.Kind]int{model.KindEvent: 1}, Coverage: whole, Quality: model.ByArrival}})
}

// TestSlow: an API server that lets through too few heartbeats is told from zones and nodes that are dead, and from what is over.
func TestSlow(t *testing.T) {
	hole := func(from, to time.Duration, source int) history.Gap {
		return history.Gap{Interval: model.Interval{Earliest: now.Add(-from), Latest: now.Add(-to)}, Source: source, Why: "the watch broke"}
	}
	slow := cluster{perZone: 10, pause: 90 * time.Second, since: 5 * time.Minute}
	for _, c := range []struct {
		name string
		of   func(*cluster)
		want string
	}{
		{"as it should be", func(c *cluster) { c.pause = 10 * time.Second }, ""},
		{"by turns, leaders not read", func(*cluster) {}, "V4 or V5: 23"},
		{"by turns, the leader in time", func(c *cluster) { c.leader = 2 * time.Second }, "V4 or V5: 23"},
		{"by turns, the leader as well", func(c *cluster) { c.leader = 12 * time.Second }, "V4: 23"},
		{"a little", func(c *cluster) { c.pause = 30 * time.Second }, "V4 or V5: 10"},
		{"one zone is dead", func(c *cluster) { c.dead = 130 * time.Second }, "V4 or V5: 15, V6: 10"},
		{"all silent, and back at once a while ago", func(c *cluster) { c.since, c.together, c.dead = 4*time.Minute, 40*time.Second, 40*time.Second }, "V6: 10"},
		{"one zone is back for a minute, the next comes back now, the last not", func(c *cluster) {
			c.since, c.together, c.apart, c.dead = 4*time.Minute, time.Minute, 58*time.Second, 4*time.Minute
		}, "V6: 5, V6: 10"},
		{"as kubelets are configured", func(c *cluster) { c.seconds = 360 }, "V10: 23"},
		{"not each is heard: lines are lost", func(c *cluster) { c.source = func(s *history.Source) { s.Losing = "it is known" } }, "V10: 23"},
		{"watched again for half a minute", func(c *cluster) { c.gap = hole(5*time.Minute, 30*time.Second, 0) }, "V10: 23"},
		{"Events were not watched", func(c *cluster) { c.gap = hole(5*time.Minute, 30*time.Second, 1) }, "V4 or V5: 23"},
	} {
		is := slow
		c.of(&is)
		h := is.history()
		e, err := Look(history.NewCursor(h), now, View{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range Of(e) {
			rule := v.Rule.Number()
			for _, or := range v.Or {
				rule += " or " + or.Number()
			}
			got = append(got, fmt.Sprintf("%s: %d", rule, len(v.Nodes)))
		}
		if got := strings.Join(got, ", "); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
			for _, v := range Of(e) {
				t.Log(v.Says, v.For, v.Against, v.Missing)
			}
		}
	}
}

// TestSlowInACut: what a recording that is cut from another begins with are no heartbeats of its first instant.
func TestSlowInACut(t *testing.T) {
	whole := cluster{perZone: 10, pause: 90 * time.Second, since: 8 * time.Minute}.history()
	start := now.Add(-2 * time.Minute)
	last := map[string]model.Change{}
	var before, after []model.Change
	if err := history.Walk(whole, model.FarPast, now, &history.Condensed{Full: true}, func(_ int, ch *model.Change) bool {
		switch {
		case ch.Kind == model.KindNode:
			before = append(before, *ch)
			before[len(before)-1].At = start
		case ch.Arrival < start:
			last[ch.Key.Name] = *ch
		default:
			after = append(after, *ch)
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for _, ch := range last {
		ch.Op, ch.At = model.OpModify, start
		before = append(before, ch)
	}
	over := model.Interval{Earliest: start, Latest: now}
	h := history.NewMemory(slices.Concat(before, after), over, nil, []history.Source{{Kinds: map[model.Kind]int{model.KindNode: 1, model.KindNodeLease: 1}, Coverage: over}})
	e, err := Look(history.NewCursor(h), now, View{})
	if err != nil {
		t.Fatal(err)
	}
	list := Of(e)
	if len(list) == 0 || list[0].Rule != ControlPlane {
		t.Fatalf("%+v", list)
	}
	if want := (Fact{Code: "heartbeats-heard", N: len(after), Of: 360, Others: 30, For: 2 * time.Minute}); list[0].For[0] != want {
		t.Errorf("%+v, want %+v", list[0].For[0], want)
	}
}
