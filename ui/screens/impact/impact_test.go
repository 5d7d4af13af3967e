package impact

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
)

func TestFrames(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	screentest.Goldens(t, "impact", s, func() screen.View { return New() })
}

// Who suffers, and what takes their place; the others are counted.
func TestWhoSuffers(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	v := New()
	if text := screentest.Shown(v, s); !strings.Contains(text, "0/25") || !strings.Contains(text, "asks no PodDisruptionBudget") {
		t.Errorf("who suffers:\n%s", text)
	}
	calm := screentest.Recorded(t, "demo:zone-outage", 20*time.Second)
	v = New()
	if text := screentest.Shown(v, calm); !strings.Contains(text, "no workload suffers") {
		t.Errorf("calm:\n%s", text)
	}
	v.Do(screen.Attention, calm)
	if text := screentest.Shown(v, calm); !strings.Contains(text, "1/1") {
		t.Errorf("all:\n%s", text)
	}
	_ = v.SetFilter("nonsense")
	if text := screentest.Shown(v, calm); !strings.Contains(text, "esc clears the filter") {
		t.Errorf("filtered:\n%s", text)
	}
	blind := *s
	blind.Kinds = map[model.Kind]bool{model.KindNode: true}
	if text := screentest.Shown(New(), &blind); !strings.Contains(text, "pods not available") {
		t.Errorf("without pods:\n%s", text)
	}
}

// Labels show which budgets count a workload's pods; pods without an owner are one row.
func TestWhichBudgetsCountThem(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 75*time.Second)
	s.Cluster = s.Cluster.Clone()
	budget := func(name, selector string) {
		s.Cluster.Fold(&model.Change{Kind: model.KindPodDisruptionBudget, Op: model.OpBaseline, Key: model.Key{Namespace: "default", Name: name}, Related: &model.Related{
			Details: model.Details(model.PackDetails([]model.Detail{{Name: model.DetailSelector, Value: selector}, {Name: model.DetailHealthy, Value: "61"}, {Name: model.DetailDesired, Value: "60"}}, nil))}})
	}
	shows := func(when string, wants ...string) {
		t.Helper()
		s.Revision++
		text := flat(&s)
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", when, want, text)
			}
		}
	}
	label := func(details func(*model.Pod) model.Details) {
		var pods []model.Pod
		for p := range s.Cluster.EachPod {
			pods = append(pods, *p)
		}
		for i := range pods {
			p := &pods[i]
			p.Details = details(p)
			s.Cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpModify, Key: p.Key, UID: p.UID, Time: model.Exactly(s.At), Pod: p})
		}
	}
	label(func(*model.Pod) model.Details { return "" })
	shows("nothing is known of budgets", "20 bare pods of default", "PodDisruptionBudget; the budgets are not known: they are not recorded")
	budget("one", "app=web")
	shows("labels were not shown", "budget? one: 61 of ? healthy, 60 wanted, ? may be evicted, of app=web. Not known if it counts these: their labels were not shown")
	budget("all", model.SelectsAll)
	shows("one counts all pods of the namespace", "budget all: 61 of ? healthy, 60 wanted, ? may be evicted, of every pod of the namespace. Then 41 of its 61 pods are ready", "fewer than it wants",
		"1 PodDisruptionBudget will be broken")
	label(func(p *model.Pod) model.Details {
		app := "web"
		if strings.HasPrefix(p.Node, "b-") {
			app = "db"
		}
		return model.Details(model.PackDetails([]model.Detail{{Name: model.DetailLabel + "app", Value: app}}, nil))
	})
	shows("labels tell", "budget all: 61 of")
	if text := flat(&s); strings.Contains(text, "app=web") {
		t.Errorf("a budget of other pods is shown:\n%s", text)
	}
}

// Whether the pods that are made again elsewhere find room: by requests, or that it is not known.
func TestRoomElsewhere(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	s.Cluster = s.Cluster.Clone()
	remake := func(requests string) string {
		var pods []model.Pod
		for p := range s.Cluster.EachPod {
			pods = append(pods, *p)
		}
		for i := range pods {
			p := &pods[i]
			p.Owner, p.Details = &model.Owner{Kind: "ReplicaSet", Name: "web-1"}, model.Details(model.PackDetails([]model.Detail{{Name: model.DetailRequests, Value: requests}}, nil))
			s.Cluster.Fold(&model.Change{Kind: model.KindPod, Op: model.OpModify, Key: p.Key, UID: p.UID, Time: model.Exactly(s.At), Pod: p})
		}
		s.Revision++
		return flat(&s)
	}
	for requests, want := range map[string]string{
		"1000m 1073741824":    "room of all workloads 18 pods to be placed, once deleted, 18 CPU, 18Gi; 18 nodes to take them, at most 17964 CPU, 18396Gi and 17999964 places left (9980 CPU, 10220Gi and 9999980 places in us-east-1a; 7984 CPU, 8176Gi and 7999984 places in us-east-1c): each finds a place, by requests alone",
		"1000000m 1073741824": "18 nodes to take them, at most 0 CPU, 18396Gi and 17999964 places left (0 CPU, 10220Gi and 9999980 places in us-east-1a; 0 CPU, 8176Gi and 7999984 places in us-east-1c): too little, 18000 CPU short",
		"":                    "not known if it is enough: 18 of the pods did not show their requests",
	} {
		if text := remake(requests); !strings.Contains(text, want) || strings.Contains(text, "too little room elsewhere") != strings.Contains(want, "too little") {
			t.Errorf("%q: no %q in\n%s", requests, want, text)
		}
	}
}

// flat is what is shown, without borders and line breaks, the line about the view among it.
func flat(s *screen.Snapshot) string {
	v := New()
	text := screentest.Shown(v, s) + " " + screentest.Plain([]string{v.Context(s, screentest.Painters()["dark"], 120)})
	return strings.Join(strings.Fields(strings.NewReplacer("│", " ").Replace(text)), " ")
}

// A missing permission is shown in the place of its data.
func TestForbidden(t *testing.T) {
	s := *screentest.Recorded(t, "demo:zone-outage", 75*time.Second)
	s.Mode, s.Kinds = screen.Live, map[model.Kind]bool{model.KindNode: true, model.KindPod: true}
	for _, kind := range screen.Served {
		s.Status = append(s.Status, stream.Status{Kind: kind, State: stream.Forbidden, Why: "no right to " + kind.String()})
	}
	text := flat(&s)
	for _, want := range []string{"EndpointSlices are forbidden: no right to EndpointSlice", "the budgets are not known: they are forbidden: no right to PodDisruptionBudget"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not said:\n%s", want, text)
		}
	}
}

func TestAnyFrame(t *testing.T) {
	screentest.AnyFrame(t, func(t *rapid.T, s *screen.Snapshot) *View {
		v := New()
		v.All = rapid.Bool().Draw(t, "all")
		return v
	}, func(*rapid.T, *View, screentest.Frame) {})
}

// The filter stands apart from the number of workloads that are left out.
func TestTheFilterStandsApart(t *testing.T) {
	s := screentest.Recorded(t, "demo:zone-outage", 10*time.Second)
	v := New()
	_ = v.SetFilter("default")
	if text := screentest.Plain([]string{v.Context(s, screentest.Painters()["dark"], 120)}); !strings.Contains(text, "filter default   ") || !strings.Contains(text, "unaffected") {
		t.Error(text)
	}
}
