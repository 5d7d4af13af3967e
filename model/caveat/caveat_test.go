package caveat

import (
	"slices"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

var at = model.At(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))

// source is one that tells of some kinds from a minute before at until it.
func source(format string, kinds ...model.Kind) history.Source {
	s := history.Source{Format: format, Kinds: map[model.Kind]int{}, Coverage: model.Interval{Earliest: at.Add(-time.Minute), Latest: at}}
	for _, k := range kinds {
		s.Kinds[k] = 1
	}
	return s
}

func node(name string) model.Change {
	return model.Change{Kind: model.KindNode, Op: model.OpBaseline, Key: model.Key{Name: name}, Time: model.Exactly(at.Add(-time.Minute)), Arrival: at.Add(-time.Minute),
		Node: &model.Node{Conditions: []model.Condition{{Type: model.ConditionReady, Status: model.StatusTrue}}}}
}

func lease(name string) model.Change {
	return model.Change{Kind: model.KindNodeLease, Op: model.OpModify, Key: model.Key{Namespace: model.NodeLeaseNamespace, Name: name}, Time: model.Exactly(at), Arrival: at,
		Lease: model.Lease{Renewed: at}}
}

// of are the caveats of sources that tell these Changes.
func of(sources []history.Source, changes ...model.Change) List {
	h := history.NewMemory(changes, model.Interval{Earliest: at.Add(-time.Minute), Latest: at}, nil, sources)
	cursor := history.NewCursor(h)
	if err := cursor.Seek(at); err != nil {
		panic(err)
	}
	return Of(View{History: h, State: cursor.State(), At: at, Unwatched: history.UnwatchedIn(h)})
}

// Each kind of evidence earns some claims and not others.
func TestClaimsAreEarned(t *testing.T) {
	all := source("watch", model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent)
	audit := source("audit", model.KindNode, model.KindNodeLease, model.KindPod)
	for _, c := range []struct {
		what      string
		list      List
		forbidden Claim
	}{
		{"all watched", of([]history.Source{all}, node("a"), lease("a")), 0},
		{"nothing at all", of([]history.Source{all}), Healthy | NoEviction | Idle | Decided},
		{"a lease alone", of([]history.Source{all}, lease("a")), Ready | NoEviction | Idle | Decided},
		{"a lease beside a node", of([]history.Source{all}, node("a"), lease("a"), lease("b")), Ready | NoEviction | Idle},
		{"a node without its lease", of([]history.Source{all}, node("a"), lease("a"), node("b")), Beating | NoEviction | Idle},
		{"no leases", of([]history.Source{source("watch", model.KindNode, model.KindPod)}, node("a")), Beating | NoEviction | Idle},
		{"no pods", of([]history.Source{source("watch", model.KindNode, model.KindNodeLease)}, node("a"), lease("a")), PodCount | NoEviction},
		{"an audit log", of([]history.Source{audit}, node("a"), lease("a")), NodeCount | PodCount | NoEviction},
	} {
		for claim := Claim(1); claim <= Decided; claim <<= 1 {
			if got, want := len(c.list.Forbids(claim)) > 0, c.forbidden&claim != 0; got != want {
				t.Errorf("%s: claim %b is forbidden: %v, want %v; caveats %v", c.what, claim, got, want, c.list)
			}
		}
	}
}

// Renewals of which only the requests were seen are renewals: their caveat names the nodes and forbids nothing.
func TestRenewalsWithoutATime(t *testing.T) {
	all := source("watch", model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent)
	request := lease("a")
	request.Lease, request.Writer = model.Lease{}, model.WriterKubelet
	list := of([]history.Source{all}, node("a"), node("b"), request, lease("b"))
	if i := slices.IndexFunc(list, func(c Caveat) bool { return c.Reason == LeaseUndated }); i < 0 || !slices.Equal(list[i].Nodes, []string{"a"}) || len(list.Forbids(^Claim(0))) > 0 {
		t.Errorf("%v", list)
	}
}

// Controllers that stood still and went on may act on what they knew before.
func TestControllersThatWentOn(t *testing.T) {
	stood := model.Interval{Earliest: at.Add(-40 * time.Second), Latest: at.Add(-10 * time.Second)}
	list := View{Controllers: &infer.State{At: at, Continued: stood}, At: at}.control()
	if len(list) != 1 || list[0].Reason != Continued || list[0].Since != stood.Earliest || list[0].Until != stood.Latest || len(list.Forbids(Idle)) != 1 || len(list.Forbids(Timed|Acting)) > 0 {
		t.Errorf("%v", list)
	}
	if c, ok := Holding(&infer.State{At: at, Continued: stood}); ok {
		t.Errorf("they are held: %v", c)
	}
}

// TestEveryReasonHasACode: the codes are part of the JSON.
func TestEveryReasonHasACode(t *testing.T) {
	seen := map[string]bool{}
	for r := range reasonCount {
		if r.String() == "" || seen[r.String()] {
			t.Errorf("reason %d has the code %q", r, r)
		}
		seen[r.String()] = true
	}
}

// Of one node only what concerns it is said.
func TestAboutOneNode(t *testing.T) {
	all := source("watch", model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent)
	list := of([]history.Source{all}, node("a"), lease("a"), lease("b"))
	if got := list.About("a").Forbids(Ready); len(got) > 0 {
		t.Errorf("of a: %v", got)
	}
	if got := list.About("b").Forbids(Ready); len(got) != 1 || len(got[0].Nodes) != 1 {
		t.Errorf("of b: %v", got)
	}
}

// A gap and an API server that does not answer forbid every claim of their time.
func TestGapsAndAnApiServerAway(t *testing.T) {
	all := source("watch", model.KindNode, model.KindNodeLease, model.KindPod, model.KindEvent)
	h := history.NewMemory([]model.Change{node("a"), lease("a")}, all.Coverage, []history.Gap{{Interval: model.Interval{Earliest: at.Add(-40 * time.Second), Latest: at}, Why: "the watch broke"}}, []history.Source{all})
	v, err := At(h, at.Add(-10*time.Second))
	if err != nil {
		t.Fatal(err)
	}
	if got := Of(v).Forbids(Timed); len(got) != 1 || got[0].Reason != Gap || got[0].Why != "the watch broke" {
		t.Errorf("in a gap: %v", got)
	}
	v.At, v.Away, v.Lost = at, at.Add(-time.Second), "it does not answer"
	if got := Of(v).Forbids(Timed); len(got) == 0 || got[len(got)-1].Reason != Away {
		t.Errorf("away: %v", got)
	}
}
