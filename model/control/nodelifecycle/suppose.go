package nodelifecycle

import (
	"slices"

	"kardia/model"
)

// Suppose is the state and rate of a zone with these counts, outside of master disruption.
func Suppose(params model.Params, ready, notReady int) (model.DisruptionState, float32) {
	c := Controller{params: params}
	z := zone{ready: int32(ready), notReady: int32(notReady)}
	state := c.stateOf(&z)
	rate, _ := c.rateOf(&z, state)
	return state, rate
}

// OfList is a controller's zones after a pass that counts the nodes as they are. Waiting and NextToken stay empty: they
// do not follow from that. Zones without a counted node are left out.
func OfList(params model.Params, nodes *model.Cluster) (zones []ZoneView, master bool) {
	does := behaviourOf(params.Version)
	at := map[model.ZoneKey]int{}
	nodes.Nodes(func(r *model.NodeRow) bool {
		if r.Node == nil {
			return true
		}
		i, ok := at[r.Node.Zone]
		if !ok {
			i = len(zones)
			at[r.Node.Zone] = i
			zones = append(zones, ZoneView{Zone: r.Node.Zone})
		}
		z := &zones[i]
		z.Members++
		if does.excludes(r.Name, r.Node) {
			return true
		}
		if ready := r.Node.Ready(); ready != nil && ready.Status == model.StatusTrue {
			z.Ready++
		} else {
			z.NotReady++
		}
		return true
	})
	zones = slices.DeleteFunc(zones, func(z ZoneView) bool { return z.Ready+z.NotReady == 0 })
	slices.SortFunc(zones, func(a, b ZoneView) int { return a.Zone.Compare(b.Zone) })
	master = len(zones) > 0
	for i := range zones {
		z := &zones[i]
		z.State, z.Rate = Suppose(params, z.Ready, z.NotReady)
		master = master && z.State == model.ZoneFull
	}
	for i := range zones {
		if master {
			zones[i].Rate = 0
		}
	}
	return zones, master
}
