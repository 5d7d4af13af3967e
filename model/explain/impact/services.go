package impact

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Crowd is a set of pods with a required number of ready ones, and the effect of the forecast.
type Crowd struct {
	Ready int
	// ReadyLeast and ReadyMost bound the ready pods after the forecast, if no new pods replace them.
	ReadyLeast, ReadyMost int
	// First is when the first ready pod may be deleted, Last the latest time for the last one; unknown if none is.
	First, Last model.Instant
	Workloads   []Owner
}

// take adds a pod, nil if it was not seen; e is its prediction, nil for none.
func (w *Crowd) take(p *model.Pod, ready bool, e *forecast.Eviction) {
	if p != nil {
		if o := OwnerOf(p); !slices.Contains(w.Workloads, o) {
			w.Workloads = append(w.Workloads, o)
		}
	}
	if !ready {
		return
	}
	w.Ready++
	w.ReadyMost++
	w.ReadyLeast++
	if e == nil || !e.State.Ahead() || !e.Window.Known() {
		return
	}
	w.ReadyLeast--
	if e.Certain {
		w.ReadyMost--
	}
	w.First = w.First.Earlier(e.Window.Earliest)
	w.Last = max(w.Last, e.Window.Latest)
}

// Service is the pods behind a Service, by its EndpointSlices.
type Service struct {
	model.Key
	// Endpoints counts its pods; the ready ones get traffic.
	Endpoints int
	Crowd
}

// None reports whether no endpoint is ready, or may be after the forecast.
func (s *Service) None() bool { return s.Endpoints > 0 && s.ReadyLeast == 0 }

// Suffers reports whether fewer endpoints are ready than exist, or will be than are.
func (s *Service) Suffers() bool { return s.Ready < s.Endpoints || s.ReadyLeast < s.Ready }

// Services lists the Services with EndpointSlices, with the effect of a forecast (nil for none); None is first.
func Services(c *model.Cluster, f *forecast.Forecast) []Service {
	list, at, seen := []Service{}, map[model.Key]int{}, map[model.Key]map[model.Key]bool{}
	var pods map[model.Key]*model.Pod
	for key, slice := range c.RelatedOf(model.KindEndpointSlice) {
		name := slice.Details.Value(model.DetailService)
		if name == "" {
			continue
		}
		if pods == nil { // all at once: a Cluster in condensed form walks its nodes for each
			pods = map[model.Key]*model.Pod{}
			for p := range c.EachPod {
				pods[p.Key] = p
			}
		}
		of := model.Key{Namespace: key.Namespace, Name: name}
		i, ok := at[of]
		if !ok {
			i = len(list)
			at[of], seen[of] = i, map[model.Key]bool{}
			list = append(list, Service{Key: of})
		}
		for name, value := range slice.Details.All {
			text, ok := strings.CutPrefix(name, model.DetailEndpoint)
			if !ok {
				continue
			}
			namespace, pod, _ := strings.Cut(text, "/")
			k := model.Key{Namespace: cmp.Or(namespace, key.Namespace), Name: pod}
			if !seen[of][k] { // once in a slice for each family of addresses
				seen[of][k] = true
				list[i].Endpoints++
				list[i].take(pods[k], value == "true", f.Pod(k))
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Service) int {
		rank := func(s *Service) int {
			switch {
			case s.None():
				return 0
			case s.Suffers():
				return 1
			}
			return 2
		}
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), model.CompareKeys(a.Key, b.Key))
	})
	return list
}
