package impact

import (
	"testing"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

func beside(c *model.Cluster, kind model.Kind, name string, list ...model.Detail) {
	c.Fold(&model.Change{Kind: kind, Op: model.OpBaseline, Key: model.Key{Namespace: "db", Name: name}, Related: &model.Related{Details: model.Details(model.PackLong(list, nil))}})
}

// A Service falls to none when all its ready endpoints go for certain, perhaps when some only may; one pod in two
// slices, one for each family of addresses, is one endpoint.
func TestServicesThatFallToNone(t *testing.T) {
	c := model.NewCluster()
	ready := func(pods ...string) (list []model.Detail) {
		for _, p := range pods {
			list = append(list, model.Detail{Name: model.DetailEndpoint + "db/" + p, Value: "true"})
		}
		return list
	}
	of := func(name string) model.Detail { return model.Detail{Name: model.DetailService, Value: name} }
	beside(c, model.KindEndpointSlice, "gone-4", append(ready("a", "b"), of("gone"))...)
	beside(c, model.KindEndpointSlice, "gone-6", append(ready("a", "b"), of("gone"))...)
	beside(c, model.KindEndpointSlice, "perhaps-1", append(ready("a", "c"), of("perhaps"))...)
	beside(c, model.KindEndpointSlice, "some-1", append(ready("a", "d"), of("some"))...)
	beside(c, model.KindEndpointSlice, "fine-1", append(ready("d"), of("fine"))...)
	beside(c, model.KindEndpointSlice, "none-1", model.Detail{Name: model.DetailEndpoint + "db/e", Value: "false"}, of("none"))
	beside(c, model.KindEndpointSlice, "empty-1", of("empty"))
	eviction := func(pod string, certain bool, from, to model.Instant) forecast.Eviction {
		return forecast.Eviction{Pod: model.Key{Namespace: "db", Name: pod}, State: forecast.Due, Certain: certain, Window: model.Interval{Earliest: from, Latest: to}}
	}
	f := &forecast.Forecast{Evictions: []forecast.Eviction{eviction("a", true, 10, 20), eviction("b", true, 30, 40), eviction("c", false, 50, 60)}}
	f.Index()
	want := []Service{
		{Key: model.Key{Namespace: "db", Name: "gone"}, Endpoints: 2, Crowd: Crowd{Ready: 2, First: 10, Last: 40}},
		{Key: model.Key{Namespace: "db", Name: "none"}, Endpoints: 1},
		{Key: model.Key{Namespace: "db", Name: "perhaps"}, Endpoints: 2, Crowd: Crowd{Ready: 2, ReadyMost: 1, First: 10, Last: 60}},
		{Key: model.Key{Namespace: "db", Name: "some"}, Endpoints: 2, Crowd: Crowd{Ready: 2, ReadyLeast: 1, ReadyMost: 1, First: 10, Last: 20}},
		{Key: model.Key{Namespace: "db", Name: "empty"}},
		{Key: model.Key{Namespace: "db", Name: "fine"}, Endpoints: 1, Crowd: Crowd{Ready: 1, ReadyLeast: 1, ReadyMost: 1}},
	}
	got := Services(c, f)
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		g := got[i]
		if g.Key != want[i].Key || g.Endpoints != want[i].Endpoints || g.Ready != want[i].Ready || g.ReadyLeast != want[i].ReadyLeast || g.ReadyMost != want[i].ReadyMost ||
			g.First != want[i].First || g.Last != want[i].Last {
			t.Errorf("%+v, want %+v", g, want[i])
		}
	}
	if g := Services(c, nil)[0]; g.Name != "none" || g.Endpoints == 0 || g.Ready != 0 {
		t.Errorf("without a forecast: %+v", g)
	}
}
