package impact

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Service is the pods behind a Service, as its EndpointSlices tell.
type Service struct {
	model.Key
	// Endpoints are its pods, Ready of them those that get traffic.
	Endpoints, Ready int
	// ReadyLeast and ReadyMost are between which numbers they are ready once all that is foreseen is over, if
	// nothing takes their place.
	ReadyLeast, ReadyMost int
	// First is when the first of the ready ones may be deleted, Last when the last is at the latest; unknown where none is.
	First, Last model.Instant
	// Workloads are the owners of its pods.
	Workloads []Owner
}

// None says that nobody is left to answer: now, for certain, or perhaps.
func (s *Service) None() bool { return s.Endpoints > 0 && s.ReadyLeast == 0 }

// Suffers says that it has fewer ready endpoints than pods, or will have.
func (s *Service) Suffers() bool { return s.Ready < s.Endpoints || s.ReadyLeast < s.Ready }

// Says is what becomes of it, in words.
func (s *Service) Says() string {
	switch {
	case s.Endpoints == 0:
		return "it has no endpoints"
	case s.Ready == 0:
		return "none of its endpoints is ready: nobody answers"
	case s.ReadyMost == 0:
		return "none of its endpoints is left ready: nobody answers then"
	case s.ReadyLeast == 0:
		return "perhaps none of its endpoints is left ready"
	}
	return "some of its endpoints are left ready"
}

// Services are those with EndpointSlices, and what a forecast leaves of them; nil for no forecast. Those that
// fall to none are the first.
func Services(c *model.Cluster, f *forecast.Forecast) []Service {
	list, at, seen := []Service{}, map[model.Key]int{}, map[model.Key]map[model.Key]bool{}
	evictions := map[model.Key]*forecast.Eviction{}
	if f != nil {
		for i := range f.Evictions {
			evictions[f.Evictions[i].Pod] = &f.Evictions[i]
		}
	}
	for key, slice := range c.RelatedOf(model.KindEndpointSlice) {
		name, _ := slice.Details.Get(model.DetailService)
		if name == "" {
			continue
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
				list[i].take(c.Pod(k), value == "true", evictions[k])
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

// take counts an endpoint; e is what is foreseen of its pod, nil for nothing.
func (s *Service) take(p *model.Pod, ready bool, e *forecast.Eviction) {
	s.Endpoints++
	if p != nil {
		if o := OwnerOf(p); !slices.Contains(s.Workloads, o) {
			s.Workloads = append(s.Workloads, o)
		}
	}
	if !ready {
		return
	}
	s.Ready++
	s.ReadyMost++
	s.ReadyLeast++
	if e == nil || e.State != forecast.Due && e.State != forecast.WaitingForTaint || !e.Window.Known() {
		return
	}
	s.ReadyLeast--
	if e.Certain {
		s.ReadyMost--
	}
	if !s.First.Known() || e.Window.Earliest < s.First {
		s.First = e.Window.Earliest
	}
	s.Last = max(s.Last, e.Window.Latest)
}

// Budget is a PodDisruptionBudget, as its status tells.
type Budget struct {
	model.Key
	// Selector is whose pods it counts, as labels are written. Which pods these are is not known: labels of pods are not read.
	Selector string
	// Healthy of Expected pods are healthy, Desired must be; Allowed may be evicted now. -1 where that is not told.
	Healthy, Desired, Expected, Allowed int
}

// Broken says that fewer pods are healthy than it wants.
func (b *Budget) Broken() bool { return b.Healthy >= 0 && b.Desired >= 0 && b.Healthy < b.Desired }

// Says is the budget in a sentence.
func (b *Budget) Says() string {
	text := count(b.Healthy) + " of " + count(b.Expected) + " healthy, " + count(b.Desired) + " wanted, " + count(b.Allowed) + " may be evicted"
	if b.Selector != "" {
		text += ", of " + b.Selector
	}
	return text
}

func count(n int) string {
	if n < 0 {
		return "?"
	}
	return strconv.Itoa(n)
}

// Budgets are those of a namespace.
func Budgets(c *model.Cluster, namespace string) (list []Budget) {
	for key, o := range c.RelatedOf(model.KindPodDisruptionBudget) {
		if key.Namespace != namespace {
			continue
		}
		number := func(name string) int {
			text, ok := o.Details.Get(name)
			if n, err := strconv.ParseInt(text, 10, 32); ok && err == nil && n >= 0 {
				return int(n)
			}
			return -1
		}
		b := Budget{Key: key, Healthy: number(model.DetailHealthy), Desired: number(model.DetailDesired), Expected: number(model.DetailExpected), Allowed: number(model.DetailAllowed)}
		b.Selector, _ = o.Details.Get(model.DetailSelector)
		list = append(list, b)
	}
	return list
}
