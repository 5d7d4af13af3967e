package whatif

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/simulate/forecast"
)

// A kubelet is calm if the recording shows only its renewals, less than forecast.SilentAfter apart and each with a later
// renewTime, and a Ready node. No controller with a longer grace period decides anything about it, so its renewals are
// not simulated one by one. In a large cluster these are nearly all events.

// bearable is the shortest grace period without declarations of calm kubelets: forecast.SilentAfter, and the error of two times.
const bearable = forecast.SilentAfter + 2*undated + time.Second

func (o *observer) ruffle(name string) { o.ruffled[name] = true }

// settles finds the calm kubelets, and counts the other events.
func (o *observer) settles(cache *informer.Cache) {
	for row := range cache.Nodes() {
		heard := row.Lease.Exists && !o.ruffled[row.Name] && len(o.silences[row.Name])+len(o.leaseless[row.Name]) == 0
		if heard && row.Node.IsReady() && !row.Node.HasNoExecute() {
			o.calm[row.Name] = true
		}
	}
	for i := range o.events {
		if e := &o.events[i]; e.what != beats || !o.calm[e.name] {
			o.lively++
		}
	}
}

// ruffles reports whether a Node's version is more than a post of a calm kubelet.
func ruffles(is *nodeEvent) bool {
	for i := range is.posted {
		if c := &is.posted[i]; c.Type == model.ConditionReady && c.Status != model.StatusTrue {
			return true
		}
	}
	return is.answers.Known() || is.returns.Known()
}

// calmIn are the calm kubelets of a branch, which renew on their own.
func (b *Base) calmIn(branch *Branch) map[string]bool {
	if min(branch.Params.NodeMonitorGracePeriod.Value, b.Params.NodeMonitorGracePeriod.Value) < bearable {
		return nil
	}
	if len(branch.Edits) == 0 {
		return b.world.calm
	}
	calm := map[string]bool{}
	for name := range b.world.calm {
		calm[name] = true
	}
	for i := range branch.Edits {
		delete(calm, branch.Edits[i].Node)
	}
	return calm
}
