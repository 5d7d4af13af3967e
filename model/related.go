package model

import (
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"
)

// Related is one version of an object that affects Nodes or Pods and is neither, such as a VolumeAttachment. Its
// Details depend on the kind. It is never modified once it is in a Change.
type Related struct {
	UID     UID
	Created Instant
	// Deleted is deletionTimestamp; unknown if not being deleted.
	Deleted Instant
	Details Details
}

type RelatedRow struct {
	*Related
	Version uint64
	Written Interval
}

// The names of details of related objects.
const (
	DetailNode     = "node"     // of a VolumeAttachment
	DetailVolume   = "volume"   // of a VolumeAttachment: its PersistentVolume
	DetailDriver   = "driver"   // of a VolumeAttachment, of a PersistentVolume
	DetailAttached = "attached" // of a VolumeAttachment: true or false
	DetailError    = "error"    // of a VolumeAttachment: the last error of attaching or detaching
	DetailClaimOf  = "claimRef" // of a PersistentVolume: namespace/name
)

// PodDisruptionBudgets: numbers of pods, and the selector in the form of WriteSelector.
const (
	DetailSelector = "selector"
	DetailAllowed  = "disruptionsAllowed"
	DetailHealthy  = "currentHealthy"
	DetailDesired  = "desiredHealthy"
	DetailExpected = "expectedPods"
)

// EndpointSlices: DetailEndpoint is followed by the key of its pod; the value is whether it is ready.
const (
	DetailService  = "service"
	DetailEndpoint = "endpoint "
)

// Other actors' objects. DetailCondition is followed by the type; the value is status, reason and transition, separated
// by blanks. DetailUnhealthy of a NodeHealthCheck is followed by the node being remediated; the value is since when.
const (
	DetailCondition = "condition "
	DetailUnhealthy = "unhealthy "
	DetailWaits     = "waits " // of a NodeHealthCheck: type and status of a condition, and how long it must last
	DetailPhase     = "phase"  // of a NodeHealthCheck
	DetailReason    = "reason" // of a NodeHealthCheck: why it is in its phase
	DetailHealth    = "health" // of the autoscaler, of the whole cluster
	DetailProbed    = "probed" // of the autoscaler: its last probe
	DetailRuns      = "runs"   // of the autoscaler: autoscalerStatus
	DetailScaleDown = "scaleDown"
)

// Pods: DetailClaim is followed by the PersistentVolumeClaim; the value is the volume in the pod.
const (
	DetailClaim   = "claim "
	DetailRunning = "running" // true or false: whether a container runs; none if the status is not shown
)

// Claim is a PersistentVolumeClaim that pods of a node want.
type Claim struct {
	Node string
	Key
}

// related are the related objects of a Cluster, and when claims were released. Shared maps are copied before a write.
type related struct {
	rows     map[ObjectID]RelatedRow
	released map[Claim]Interval
	owner    *byte
}

const maxReleased = 4096

func (r related) clone() related {
	return related{maps.Clone(r.rows), maps.Clone(r.released), nil}
}

func (c *Cluster) ownRelated() *related {
	if r := &c.related; r.owner != c.epoch {
		*r = r.clone()
		r.owner = c.epoch
	}
	return &c.related
}

func (c *Cluster) foldRelated(ch *Change) {
	key := ObjectID{ch.Kind, ch.Key}
	have, exists := c.related.rows[key]
	before := ObjectVersion{}
	if exists {
		before = ObjectVersion{true, have.UID, have.Version}
	}
	switch Apply(ch, before) {
	case TransitionStale:
		c.Stale++
	case TransitionGone:
		if exists {
			delete(c.ownRelated().rows, key)
		}
	case TransitionSet:
		is := ch.Related
		if ch.Kind == KindServerLease && exists {
			is = is.after(have.Related)
		}
		c.PutRelated(ch.Kind, ch.Key, RelatedRow{is, ch.Version, ch.Time})
	}
}

// PutRelated sets a related object.
func (c *Cluster) PutRelated(kind Kind, key Key, row RelatedRow) {
	c.ownRelated().rows[ObjectID{kind, key}] = row
}

// RelatedOf yields the objects of a related kind, in the order of their keys.
func (c *Cluster) RelatedOf(kind Kind) iter.Seq2[Key, RelatedRow] {
	return func(yield func(Key, RelatedRow) bool) {
		var keys []Key
		for k := range c.related.rows {
			if k.Kind == kind {
				keys = append(keys, k.Key)
			}
		}
		slices.SortFunc(keys, CompareKeys)
		for _, k := range keys {
			if !yield(k, c.related.rows[ObjectID{kind, k}]) {
				return
			}
		}
	}
}

func (c *Cluster) RelatedBy(kind Kind, key Key) (row RelatedRow, ok bool) {
	row, ok = c.related.rows[ObjectID{kind, key}]
	return row, ok
}

// CompareKeys orders keys by namespace, then by name.
func CompareKeys(a, b Key) int {
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// Claims are the PersistentVolumeClaims that the pod uses, in its own namespace.
func (p *Pod) Claims() (names []string) {
	for name := range p.Details.All {
		if claim, ok := strings.CutPrefix(name, DetailClaim); ok {
			names = append(names, claim)
		}
	}
	return names
}

// Wants reports whether the attach-detach controller keeps the pod's volumes attached: until it has ended, or was
// deleted and no container runs. If its containers are not shown, it does.
// Source: kubernetes: pkg/volume/util, IsPodTerminated.
func (p *Pod) Wants() bool {
	if p.Ended() {
		return false
	}
	running, shown := p.Details.Get(DetailRunning)
	return !p.Deletion.Known() || !shown || running == "true"
}

// release records since when no pod of a node wants the claims of a pod, which changed from old to new; nil for none.
func (c *Cluster) release(old, new *Pod, at Interval) {
	if (old == nil || old.Details == "") && (new == nil || new.Details == "") {
		return
	}
	wants := func(p *Pod) bool { return p != nil && p.Node != "" && p.Wants() }
	if wants(new) {
		for _, claim := range new.Claims() {
			k := Claim{new.Node, Key{new.Namespace, claim}}
			if _, noted := c.related.released[k]; noted {
				delete(c.ownRelated().released, k)
			}
		}
	}
	if !wants(old) || wants(new) && new.Node == old.Node {
		return
	}
	for _, claim := range old.Claims() {
		k := Claim{old.Node, Key{old.Namespace, claim}}
		if !c.wanted(k, old.Key) && len(c.related.released) < maxReleased {
			c.PutReleased(k, at)
		}
	}
}

// PutReleased sets since when a claim is released on a node.
func (c *Cluster) PutReleased(k Claim, at Interval) { c.ownRelated().released[k] = at }

// wanted reports whether a pod of the node other than one wants a claim.
func (c *Cluster) wanted(k Claim, but Key) bool {
	row := c.Row(k.Node)
	if row == nil {
		return false
	}
	for _, p := range row.Pods() {
		if p.Key == but || p.Namespace != k.Namespace || p.Details == "" || !p.Wants() {
			continue
		}
		if slices.Contains(p.Claims(), k.Name) {
			return true
		}
	}
	return false
}

// Released is since when no pod of a node wants a claim that one wanted before; unknown if not seen.
func (c *Cluster) Released(k Claim) Interval { return c.related.released[k] }

// AllReleased yields all released claims, ordered by node and claim.
func (c *Cluster) AllReleased(yield func(Claim, Interval) bool) {
	keys := slices.SortedFunc(maps.Keys(c.related.released), func(a, b Claim) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), CompareKeys(a.Key, b.Key))
	})
	for _, k := range keys {
		if !yield(k, c.related.released[k]) {
			return
		}
	}
}
