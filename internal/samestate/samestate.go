// Package samestate compares states of the models that were reached in two ways, for tests.
package samestate

import (
	"slices"

	"kardia/internal/deepdiff"
	"kardia/model"
	"kardia/model/control/informer"
)

// immaterial are fields that may differ between states that continue alike. Pods are compared as read, from either
// owner. owner, shared, log and base are about copies and past readers. out and now belong to a finished call; seen,
// offTaints and offPass to finished passes. The version a pass saw last counts by zone and taints, cached ones in full.
// of is the run that a State is of.
var immaterial = []string{
	"informer.Row.pods", "informer.Row.stored", "informer.Row.owner",
	"informer.Cache.owner", "informer.Cache.shared", "informer.Cache.log", "informer.Cache.base",
	"tainteviction.Controller.shared", "tainteviction.Controller.out", "tainteviction.Controller.now",
	"nodelifecycle.Controller.out", "nodelifecycle.Controller.now", "podgc.Controller.out", "podgc.Controller.now",
	"infer.State.of", "model.Node.Conditions", "nodelifecycle.record.seen", "nodelifecycle.record.offTaints", "nodelifecycle.record.offPass",
}

// Difference is the first place at which two states, or the pods in their caches, differ; "" for none.
func Difference(a, b any, cacheA, cacheB *informer.Cache) string {
	if found := deepdiff.First(a, b, immaterial...); found != "" {
		return found
	}
	for i := range int32(cacheA.Rows()) {
		if found := deepdiff.First(objects(cacheA.Row(i)), objects(cacheB.Row(i))); found != "" {
			return cacheA.Row(i).Name + found
		}
	}
	return ""
}

// shown is what a row of a cache shows, from either owner.
type shown struct {
	node *model.Node
	pods []*model.Pod
}

func objects(row *informer.Row) shown { return shown{row.Node, sorted(row)} }

func sorted(row *informer.Row) []*model.Pod {
	pods := slices.Clone(row.Pods())
	slices.SortFunc(pods, model.ComparePods)
	return pods
}
