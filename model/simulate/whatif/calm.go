package whatif

import (
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// A kubelet is calm of which nothing was recorded but that it beat, always within silentAfter and each time with a
// later renewTime, and that its node is Ready. No controller that waits for longer decides anything about it, so its
// beats need not be played one by one: of a large cluster that is nearly all that happens.

// bearable is from which grace period on calm kubelets are never declared Unknown: they may be silent for
// silentAfter, and two instants are off.
const bearable = silentAfter + 2*undated + time.Second

// ruffle says that a kubelet is not calm.
func (o *observer) ruffle(name string) { o.ruffled[name] = true }

// settles notes which kubelets are calm, and counts what happened otherwise.
func (o *observer) settles(cache *informer.Cache) {
	for _, row := range cache.All() {
		if row.Node == nil || !row.Lease.Exists || o.ruffled[row.Name] || len(o.silences[row.Name])+len(o.leaseless[row.Name]) > 0 {
			continue
		}
		if ready := row.Node.Ready(); ready != nil && ready.Status == model.StatusTrue && !row.Node.HasNoExecute() {
			o.calm[row.Name] = true
		}
	}
	for i := range o.events {
		if e := &o.events[i]; e.what != beats || !o.calm[e.name] {
			o.lively++
		}
	}
}

// ruffles says that a Node's version is more than one that a calm kubelet posted.
func ruffles(is *nodeEvent) bool {
	for i := range is.posted {
		if c := &is.posted[i]; c.Type == model.ConditionReady && c.Status != model.StatusTrue {
			return true
		}
	}
	return is.answers.Known() || is.returns.Known()
}

// calmIn are the kubelets that are calm in a branch, and beat on their own.
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
