package impact

import (
	"slices"
	"strconv"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Budget is a PodDisruptionBudget by its status, and the pods that its selector matches.
type Budget struct {
	model.Key
	// Selector is in the form of model.WriteSelector; "" if unknown.
	Selector string
	// Healthy of Expected pods are healthy, and Desired must be; Allowed may be evicted now. Each is -1 if unknown.
	Healthy, Desired, Expected, Allowed int
	// Pods counts the matching pods. Unsure are the owners of pods that may match.
	Pods   int
	Unsure []Owner
	Crowd
}

// Broken reports whether fewer pods are healthy than the budget requires.
func (b *Budget) Broken() bool { return b.Healthy >= 0 && b.Desired >= 0 && b.Healthy < b.Desired }

// WillBreak reports whether the forecast leaves fewer ready pods than required: certainly, or possibly if asked so. It
// is false for a budget that is broken already, or whose pods are not all known.
func (b *Budget) WillBreak(perhaps bool) bool {
	left := b.ReadyMost
	if perhaps {
		left = b.ReadyLeast
	}
	return !b.Broken() && len(b.Unsure) == 0 && b.First.Known() && b.Desired >= 0 && left < b.Desired
}

// Budgets lists the budgets of all namespaces by key, with the effect of a forecast on their pods; nil without any.
func Budgets(c *model.Cluster, f *forecast.Forecast) (list []Budget) {
	of := map[string][]int{} // in each namespace
	for key, o := range c.RelatedOf(model.KindPodDisruptionBudget) {
		number := func(name string) int {
			if n, err := strconv.ParseInt(o.Details.Value(name), 10, 32); err == nil && n >= 0 {
				return int(n)
			}
			return -1
		}
		b := Budget{Key: key, Selector: o.Details.Value(model.DetailSelector), Healthy: number(model.DetailHealthy), Desired: number(model.DetailDesired), Expected: number(model.DetailExpected), Allowed: number(model.DetailAllowed)}
		of[key.Namespace] = append(of[key.Namespace], len(list))
		list = append(list, b)
	}
	if len(list) == 0 {
		return nil
	}
	answers := make([]map[model.Details]model.Status, len(list))
	for p := range c.EachPod {
		for _, i := range of[p.Namespace] {
			answer, asked := answers[i][p.Details] // pods of one template share their details
			if !asked {
				if answer = p.Selected(list[i].Selector); answers[i] == nil {
					answers[i] = map[model.Details]model.Status{}
				}
				answers[i][p.Details] = answer
			}
			list[i].count(p, answer, f.Pod(p.Key))
		}
	}
	for i := range list {
		slices.SortFunc(list[i].Workloads, CompareOwners)
		slices.SortFunc(list[i].Unsure, CompareOwners)
	}
	return list
}

func (b *Budget) count(p *model.Pod, selected model.Status, e *forecast.Eviction) {
	switch selected {
	case model.StatusTrue:
		there := !p.Ended() && !p.Deletion.Known()
		if there {
			b.Pods++
		}
		b.take(p, there && p.Ready == model.StatusTrue, e)
	case model.StatusUnknown:
		if o := OwnerOf(p); !slices.Contains(b.Unsure, o) {
			b.Unsure = append(b.Unsure, o)
		}
	}
}
