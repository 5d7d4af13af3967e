// Package volumes says which volumes are attached to a node, which of its pods keep them there, and when the
// attach-detach controller takes them off.
package volumes

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kardia/model"
)

// Wait is how long the attach-detach controller waits for a volume to be unmounted before it detaches it by
// force from a node that is not Ready.
// Source: kubernetes: pkg/controller/volume/attachdetach, DefaultTimerConfig.ReconcilerMaxWaitForUnmountDuration.
const Wait = 6 * time.Minute

// late is how much later than Wait the detach may begin: the controller looks every 100 ms, at what its
// informers have told it, and writes the Node before.
const late = 2 * time.Second

// told is how late it may be told that an attachment is gone: a live cluster is asked every half minute.
const told = 40 * time.Second

// State is how a volume stands.
type State uint8

const (
	// Unclear: which pods want it is not known.
	Unclear State = iota
	// Wanted: a pod of the node that nobody has deleted uses it.
	Wanted
	// Stuck: only pods that are being deleted use it, and the clock does not run while their objects are there.
	Stuck
	// Counting: no pod wants it, and the six minutes run.
	Counting
	// Overdue: no pod wants it, the six minutes are over, and it is attached all the same.
	Overdue
	// Unmounting: no pod wants it, and the kubelet, which is Ready, unmounts it.
	Unmounting
	// AtOnce: no pod wants it, and its node is out of service.
	AtOnce
	// Asked: its detach was asked for, and its driver is at it.
	Asked
	// Attaching: it is not attached yet.
	Attaching
	stateCount
)

var words = [stateCount]string{"unclear", "in use", "held", "counting", "overdue", "unmounting", "at once", "detach asked", "attaching"}

// String is the word for people, and in JSON.
func (s State) String() string { return words[min(s, stateCount-1)] }

// Volume is a VolumeAttachment, and what is to be said of it.
type Volume struct {
	// Attachment is the object's name, Name its PersistentVolume's; "" where it has none. Driver attaches it.
	Attachment, Name, Driver string
	// Claim is the PersistentVolumeClaim that it belongs to; zero where the PersistentVolume was not read.
	Claim model.Key
	State State
	// By are the pods of the node that want it, or may where State is Unclear.
	By []*model.Pod
	// Released is since when no pod wants it; unknown where that is not known, or one does.
	Released model.Interval
	// Detached is when it is detached by force, if nothing changes; unknown where it is not.
	// Source: kubernetes: pkg/controller/volume/attachdetach, processVolumesInUse: a volume that the Node's status does not
	// list is detached as soon as no pod wants it. The list itself is not kept: it would be most of what is kept of a node.
	Detached model.Interval
	// Asked is when its detach was asked for.
	Asked model.Instant
	// Failed is why attaching or detaching it failed last.
	Failed string
}

// Called is the claim, where it is known, and else the PersistentVolume or the attachment.
func (v *Volume) Called() string {
	switch {
	case v.Claim != (model.Key{}):
		return v.Claim.String()
	case v.Name != "":
		return v.Name
	}
	return v.Attachment
}

// Ahead are those volumes that are detached by force after an instant and until another, the soonest first, each with
// its node; and how many hang on nodes with pods that are being deleted, whose clock does not run.
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

// Due is a volume that is detached by force from its node, at a time that lies ahead.
type Due struct {
	Volume
	Node string
}

// claims are the PersistentVolumeClaims of PersistentVolumes, by the name of the volume.
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

// All are the volumes of every node at an instant, by the node, each list in the order of their attachments.
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

// Of are the volumes of one node.
func Of(c *model.Cluster, node string, at model.Instant) []Volume { return All(c, at)[node] }

// For are those of a node's volumes that keep a pod's claims.
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
	v := Volume{Attachment: attachment}
	v.Name, _ = o.Details.Get(model.DetailVolume)
	v.Driver, _ = o.Details.Get(model.DetailDriver)
	v.Failed, _ = o.Details.Get(model.DetailError)
	attached, _ := o.Details.Get(model.DetailAttached)
	if o.Deleted.Known() {
		v.State, v.Asked = Asked, o.Deleted
	}
	row := c.Row(node)
	known := false
	if v.Claim, known = claim[v.Name]; known && row != nil {
		v.By = wanting(row, v.Claim)
	} else if row != nil {
		v.By = using(row)
	}
	switch {
	case v.State == Asked:
		return v
	case attached == "false" && len(v.By) > 0:
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

// count is when a volume that nobody wants is detached by force.
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

// wanting are the pods of a node that want a claim.
func wanting(row *model.NodeRow, claim model.Key) (by []*model.Pod) {
	for _, p := range row.Pods() {
		if p.Details != "" && p.Namespace == claim.Namespace && p.Wants() && slices.Contains(p.Claims(), claim.Name) {
			by = append(by, p)
		}
	}
	sortPods(by)
	return by
}

// using are the pods of a node that want any claim.
func using(row *model.NodeRow) (by []*model.Pod) {
	for _, p := range row.Pods() {
		if p.Details != "" && p.Wants() && len(p.Claims()) > 0 {
			by = append(by, p)
		}
	}
	sortPods(by)
	return by
}

func sortPods(by []*model.Pod) {
	slices.SortFunc(by, func(a, b *model.Pod) int { return model.CompareKeys(a.Key, b.Key) })
}
