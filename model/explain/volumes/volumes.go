// Package volumes answers which volumes are attached to a node, which pods keep them there, and when the attach-detach
// controller detaches them. For example: vol-1 of a silent node is Counting, Released at 10:00:00, and Detached at
// 10:06:00 to 10:06:02.
package volumes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Wait is how long the attach-detach controller waits for the unmount before it force-detaches from a NotReady node.
// Source: kubernetes: pkg/controller/volume/attachdetach, DefaultTimerConfig.ReconcilerMaxWaitForUnmountDuration.
const Wait = 6 * time.Minute

// late is how long after Wait the detach may start: the controller polls every 100 ms, and writes the Node first.
const late = 2 * time.Second

// told is the longest delay until a removed attachment is visible: a live cluster is polled every half minute.
const told = 40 * time.Second

// State is the state of a volume.
type State uint8

const (
	// Unclear: the pods that want it are not known.
	Unclear State = iota
	// Wanted: a pod of the node that is not deleted uses it.
	Wanted
	// Stuck: only pods being deleted use it, and the wait starts when their objects are gone.
	Stuck
	// Counting: no pod wants it, and the six minutes run.
	Counting
	// Overdue: no pod wants it, the six minutes are over, and it is still attached.
	Overdue
	// Unmounting: no pod wants it, and the kubelet, which is Ready, unmounts it.
	Unmounting
	// AtOnce: no pod wants it, and its node is out of service.
	AtOnce
	// Asked: its detach was requested; its driver is detaching it.
	Asked
	// Attaching: it is not attached yet.
	Attaching
	stateCount
)

var words = [stateCount]string{"unclear", "in use", "held", "counting", "overdue", "unmounting", "at once", "detach asked", "attaching"}

// String is the word for people, and in JSON.
func (s State) String() string { return words[min(s, stateCount-1)] }

// Volume is a VolumeAttachment and its state.
type Volume struct {
	// Attachment is the object's name, Name its PersistentVolume's or "". Driver attaches it.
	Attachment, Name, Driver string
	// Claim is its PersistentVolumeClaim; zero if the PersistentVolume was not read.
	Claim model.Key
	State State
	// By are the pods of the node that want it, or may if Unclear.
	By []*model.Pod
	// Released is since when no pod wants it; unknown if one does, or if not known.
	Released model.Interval
	// Detached is when it is force-detached if nothing changes. A volume that the Node's status does not list is
	// detached at once. The list is not kept: it would be most of a Node's data.
	// Source: kubernetes: pkg/controller/volume/attachdetach, processVolumesInUse.
	Detached model.Interval
	Asked    model.Instant
	// Failed is the last error of attaching or detaching it.
	Failed string
}

// Called is the claim if known, or else the PersistentVolume or the attachment.
func (v *Volume) Called() string {
	switch {
	case v.Claim != (model.Key{}):
		return v.Claim.String()
	case v.Name != "":
		return v.Name
	}
	return v.Attachment
}

// Ahead lists the volumes force-detached between two times, soonest first. stuck counts those of pods being deleted.
func Ahead(c *model.Cluster, at, until model.Instant) (due []Due, stuck int) {
	for node, list := range All(c, at) {
		for _, v := range list {
			switch {
			case v.State == Stuck:
				stuck++
			case v.Detached.Known() && v.Detached.Latest > at && v.Detached.Earliest <= until:
				due = append(due, Due{v, node})
			}
		}
	}
	slices.SortFunc(due, func(a, b Due) int {
		return cmp.Or(cmp.Compare(a.Detached.Earliest, b.Detached.Earliest), strings.Compare(a.Node, b.Node), strings.Compare(a.Attachment, b.Attachment))
	})
	return due, stuck
}

// Due is a volume and the node that it will be force-detached from.
type Due struct {
	Volume
	Node string
}

func claims(c *model.Cluster) map[string]model.Key {
	of := map[string]model.Key{}
	for key, row := range c.RelatedOf(model.KindPersistentVolume) {
		if ref, ok := row.Details.Get(model.DetailClaimOf); ok {
			namespace, name, _ := strings.Cut(ref, "/")
			of[key.Name] = model.Key{Namespace: namespace, Name: name}
		}
	}
	return of
}

// All lists the volumes at a time by node.
func All(c *model.Cluster, at model.Instant) map[string][]Volume {
	all := map[string][]Volume{}
	claim := claims(c)
	for key, row := range c.RelatedOf(model.KindVolumeAttachment) {
		node, ok := row.Details.Get(model.DetailNode)
		if !ok {
			continue
		}
		all[node] = append(all[node], of(c, key.Name, row.Related, node, claim, at))
	}
	return all
}

// Of lists the volumes of one node.
func Of(c *model.Cluster, node string, at model.Instant) []Volume { return All(c, at)[node] }

// For lists the volumes of a node that are a pod's.
func For(all []Volume, p *model.Pod) (list []Volume) {
	mine := p.Claims()
	for _, v := range all {
		if v.Claim.Namespace == p.Namespace && slices.Contains(mine, v.Claim.Name) {
			list = append(list, v)
		}
	}
	return list
}

// of judges an attachment.
// Source: kubernetes: pkg/controller/volume/attachdetach, reconciler.reconcile, and its util, DetermineVolumeAction.
func of(c *model.Cluster, attachment string, o *model.Related, node string, claim map[string]model.Key, at model.Instant) Volume {
	is := o.Details.Value
	v := Volume{Attachment: attachment, Name: is(model.DetailVolume), Driver: is(model.DetailDriver), Failed: is(model.DetailError)}
	if o.Deleted.Known() {
		v.State, v.Asked = Asked, o.Deleted
	}
	row := c.Row(node)
	known := false
	if v.Claim, known = claim[v.Name]; known && row != nil {
		v.By = holding(row, func(p *model.Pod) bool {
			return p.Namespace == v.Claim.Namespace && slices.Contains(p.Claims(), v.Claim.Name)
		})
	} else if row != nil {
		v.By = holding(row, func(p *model.Pod) bool { return len(p.Claims()) > 0 })
	}
	switch {
	case v.State == Asked:
		return v
	case is(model.DetailAttached) == "false" && len(v.By) > 0:
		v.State = Attaching
		return v
	case !known || row == nil:
		return v
	case len(v.By) > 0:
		v.State = Wanted
		if !slices.ContainsFunc(v.By, func(p *model.Pod) bool { return !p.Deletion.Known() }) {
			v.State = Stuck
		}
		return v
	}
	v.Released = c.Released(model.Claim{Node: node, Key: v.Claim})
	switch {
	case row.Node != nil && row.Node.HasTaint(model.TaintOutOfService):
		v.State = AtOnce
	case row.Health() == model.HealthReady:
		v.State = Unmounting
	default:
		v.count(at)
	}
	return v
}

func (v *Volume) count(at model.Instant) {
	v.State = Counting
	began := v.Released
	if !began.Known() {
		began = model.Interval{Earliest: model.FarPast, Latest: at}
	}
	v.Detached = model.Interval{Earliest: max(began.Earliest.Add(Wait), at), Latest: began.Latest.Add(Wait + late)}
	switch over := at.Sub(v.Detached.Latest); {
	case over > told:
		v.State, v.Detached = Overdue, model.Interval{}
	case over > 0: // it may be gone already
		v.Detached.Latest = at
	}
}

// holding are the pods of a node that keep volumes attached for some of their claims.
func holding(row *model.NodeRow, claims func(p *model.Pod) bool) (by []*model.Pod) {
	for _, p := range row.Pods() {
		if p.Details != "" && p.Wants() && claims(p) {
			by = append(by, p)
		}
	}
	slices.SortFunc(by, model.ComparePods)
	return by
}

// Foreseen are volumes of a silent node whose pods are predicted to be deleted together.
type Foreseen struct {
	Node string
	// Volumes are those that no pod wants once these pods are gone.
	Volumes []Volume
	// Detached is when they are force-detached: at the earliest six minutes after the deletion. It has no end, since a
	// pod of a silent node stays Terminating until its object is removed.
	Detached model.Interval
}

// Foresee lists volumes of silent nodes that may be force-detached until a time, the soonest first: those whose pods
// the forecast deletes. A kubelet that is not silent unmounts its volumes itself.
func Foresee(c *model.Cluster, f *forecast.Forecast, silent func(node string) bool, until model.Instant) (list []Foreseen) {
	goes := map[model.Key]model.Instant{}
	for i := range f.Evictions {
		if e := &f.Evictions[i]; e.State.Ahead() && e.Window.Earliest < model.FarFuture {
			goes[e.Pod] = max(e.Window.Earliest, f.At)
		}
	}
	if len(goes) == 0 {
		return nil
	}
	type together struct {
		node string
		at   model.Instant
	}
	found := map[together]*Foreseen{}
	for node, all := range All(c, f.At) {
		if !silent(node) {
			continue
		}
		for _, v := range all {
			free, ok := v.freed(goes)
			if earliest := free.Add(Wait); ok && earliest <= until {
				key := together{node, earliest}
				if found[key] == nil {
					found[key] = &Foreseen{Node: node, Detached: model.Interval{Earliest: earliest, Latest: model.FarFuture}}
				}
				found[key].Volumes = append(found[key].Volumes, v)
			}
		}
	}
	for _, x := range found {
		slices.SortFunc(x.Volumes, func(a, b Volume) int { return strings.Compare(a.Attachment, b.Attachment) })
		list = append(list, *x)
	}
	slices.SortFunc(list, func(a, b Foreseen) int {
		return cmp.Or(cmp.Compare(a.Detached.Earliest, b.Detached.Earliest), strings.Compare(a.Node, b.Node))
	})
	return list
}

// freed is when the last pod that holds a volume is deleted; ok is false if one is not, or if all are already.
func (v *Volume) freed(goes map[model.Key]model.Instant) (last model.Instant, ok bool) {
	if v.State != Wanted {
		return 0, false
	}
	for _, p := range v.By {
		at, will := goes[p.Key]
		switch {
		case p.Deletion.Known():
		case !will:
			return 0, false
		default:
			last, ok = max(last, at), true
		}
	}
	return last, ok
}
