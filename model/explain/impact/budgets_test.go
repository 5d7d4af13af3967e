package impact

import (
	"fmt"
	"slices"
	"testing"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// labelled puts a pod of a Deployment into namespace db; nil labels were not shown.
func labelled(c *model.Cluster, name, owner string, ready bool, labels map[string]string) {
	key := model.Key{Namespace: "db", Name: name}
	p := &model.Pod{Key: key, Node: "n1", Phase: model.PhaseRunning, Ready: model.StatusFalse, Owner: &model.Owner{Kind: "StatefulSet", Name: owner}}
	if ready {
		p.Ready = model.StatusTrue
	}
	if labels != nil {
		p.Details = model.Details(model.PackDetails(model.WithLabels(nil, func(yield func(key, value string) bool) {
			for key, value := range labels {
				if !yield(key, value) {
					return
				}
			}
		}), nil))
	}
	c.Fold(&model.Change{Kind: model.KindPod, Op: model.OpAdd, Key: key, Time: model.Exactly(now), Pod: p})
}

// A budget counts the pods that its selector selects, and breaks by those of them that go; of pods whose labels were
// not shown it is not known whether it counts them, and then nothing is said of breaking.
func TestBudgetsCountPods(t *testing.T) {
	c := model.NewCluster()
	for i := range 3 {
		labelled(c, fmt.Sprint("db-", i), "db", i != 2, map[string]string{"app": "db", "statefulset.kubernetes.io/pod-name": fmt.Sprint("db-", i)})
	}
	labelled(c, "web-0", "web", true, map[string]string{"app": "web"})
	labelled(c, "bare-0", "bare", true, map[string]string{})
	f := &forecast.Forecast{}
	for pod, certain := range map[string]bool{"db-0": true, "db-1": false, "db-2": true, "web-0": true} {
		f.Evictions = append(f.Evictions, forecast.Eviction{Pod: model.Key{Namespace: "db", Name: pod}, State: forecast.Due, Certain: certain,
			Window: model.Interval{Earliest: now, Latest: now.Add(9)}})
		f.Index()
	}
	budget := func(name, selector string) {
		beside(c, model.KindPodDisruptionBudget, name, model.Detail{Name: model.DetailSelector, Value: selector},
			model.Detail{Name: model.DetailHealthy, Value: "2"}, model.Detail{Name: model.DetailDesired, Value: "1"})
	}
	budget("of-db", "app=db")
	budget("of-all", model.SelectsAll)
	budget("of-one", "statefulset.kubernetes.io/pod-name=db-0")
	budget("untold", "")
	told := func() (text string) {
		for _, b := range Budgets(c, f) {
			text += fmt.Sprintf("%s: %d pods, %d ready, then %d to %d; of %s, possibly of %s; breaks %v, possibly %v\n", b.Name, b.Pods, b.Ready, b.ReadyLeast, b.ReadyMost,
				names(b.Workloads), names(b.Unsure), b.WillBreak(false), b.WillBreak(true))
		}
		return text
	}
	const all = "of-all: 5 pods, 4 ready, then 1 to 2; of [bare db web], possibly of []; breaks false, possibly false\n"
	const others = "of-one: 0 pods, 0 ready, then 0 to 0; of [], possibly of [bare db web]; breaks false, possibly false\n" +
		"untold: 0 pods, 0 ready, then 0 to 0; of [], possibly of [bare db web]; breaks false, possibly false\n"
	if got, want := told(), all+"of-db: 3 pods, 2 ready, then 0 to 1; of [db], possibly of []; breaks false, possibly true\n"+others; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	labelled(c, "old-0", "old", true, nil)
	of := func(list []Budget, name string) Budget {
		return list[slices.IndexFunc(list, func(b Budget) bool { return b.Name == name })]
	}
	if b := of(Budgets(c, f), "of-db"); b.WillBreak(true) || !slices.Equal(b.Unsure, []Owner{{"db", "StatefulSet", "old"}}) {
		t.Errorf("beside a pod of unknown labels: %+v", b)
	}
}

func names(owners []Owner) []string {
	list := make([]string, len(owners))
	for i, o := range owners {
		list[i] = o.Name
	}
	return list
}

// What a budget does not tell is not known, whatever stands there instead of a number.
func TestWhatBudgetsDoNotTell(t *testing.T) {
	c := model.NewCluster()
	beside(c, model.KindPodDisruptionBudget, "db", model.Detail{Name: model.DetailHealthy, Value: "1"}, model.Detail{Name: model.DetailDesired, Value: "2"},
		model.Detail{Name: model.DetailExpected, Value: "-3"}, model.Detail{Name: model.DetailSelector, Value: "app=db"})
	list := Budgets(c, nil)
	if len(list) != 1 || !list[0].Broken() || list[0].Healthy != 1 || list[0].Desired != 2 || list[0].Expected != -1 || list[0].Allowed != -1 {
		t.Errorf("%+v", list)
	}
}
