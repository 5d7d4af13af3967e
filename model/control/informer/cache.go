// Package informer holds what the controllers' caches show: nodes, their leases, and the pods bound to them.
//
// The real controllers share one set of informers and communicate through API objects only; so do the models. A closed
// loop keeps a Cache up to date with the effects of the models themselves, a shadow with the observed Changes.
package informer

import (
	"iter"
	"maps"
	"math"
	"slices"

	"kardia/model"
)

// Cache is the objects as the informers show them. Row numbers follow the order in which names first appeared, and
// never change: a controller can keep its own columns beside them.
//
// Use New: the zero value is not usable. A Cache and its Clones are independent, but share objects, which must not
// change.
type Cache struct {
	rows   []Row
	byName map[string]int32
	shared bool // byName is shared with a Clone: copy before adding
	owner  *byte

	// log lists rows that changed, oldest first; its first entry has the number base.
	log   []int32
	base  uint64
	nodes int
	// ended counts the pods that ran to their end, out the nodes declared out of service.
	ended, out int
	// leases is the greatest version of a lease seen.
	leases uint64
}

// Row is one node name: its object, lease and pods. All but Name may be absent. The empty name has the pods without a
// node.
type Row struct {
	Name    string
	Node    *model.Node
	Version uint64
	// Position is the Change's position plus one, 0 if it is no Change of a History.
	Position int
	// ConditionsBy is the last Decision that changed the status of a condition, TaintsBy the last that changed a
	// NoExecute taint. 0: not written by a controller.
	ConditionsBy, TaintsBy model.DecisionID
	Lease                  Lease

	pods     []*model.Pod
	stored   model.LazyPods // further pods
	deleting int32
	owner    *byte
}

// Lease is what the controllers read of a node's lease.
type Lease struct {
	Exists bool
	// Renewed is renewTime; unknown if the object has none.
	Renewed  model.Instant
	Version  uint64
	Position int
	// KeepsRenewing is an assumption of a run forward in time: at any time, the lease was renewed just now.
	KeepsRenewing bool
}

// New is an empty cache.
func New() *Cache {
	return &Cache{byName: map[string]int32{}, owner: new(byte)}
}

// Clone is an independent copy.
func (c *Cache) Clone() *Cache { return c.CloneInto(&Cache{}) }

// CloneInto is Clone in the memory of a discarded copy.
func (c *Cache) CloneInto(d *Cache) *Cache {
	rows, log := append(d.rows[:0], c.rows...), append(d.log[:0], c.log...)
	*d = *c
	d.rows, d.log = rows, log
	c.shared, d.shared = true, true
	// Neither side may write into the pod lists they now share.
	c.owner, d.owner = new(byte), new(byte)
	return d
}

// Rows is how many names were ever seen; row numbers are below it.
func (c *Cache) Rows() int { return len(c.rows) }

// NodeCount is how many Node objects exist.
func (c *Cache) NodeCount() int { return c.nodes }

// Row is the row of a number. The pointer must not be kept across a change.
func (c *Cache) Row(i int32) *Row { return &c.rows[i] }

// All are the rows, with their numbers.
func (c *Cache) All() iter.Seq2[int32, *Row] {
	return func(yield func(int32, *Row) bool) {
		for i := range int32(len(c.rows)) {
			if !yield(i, &c.rows[i]) {
				return
			}
		}
	}
}

// Nodes are the rows that have a Node.
func (c *Cache) Nodes() iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, row := range c.All() {
			if row.Node != nil && !yield(row) {
				return
			}
		}
	}
}

// Find is the row of a name, also of one without objects; nil if the name was never seen.
func (c *Cache) Find(name string) *Row {
	if i, ok := c.byName[name]; ok {
		return &c.rows[i]
	}
	return nil
}

// Node is the Node object of that name; nil if there is none.
func (c *Cache) Node(name string) *model.Node {
	if row := c.Find(name); row != nil {
		return row.Node
	}
	return nil
}

// Named is a pod by its name alone, first that on a node: so the API server finds it. It is nil if there is none.
func (c *Cache) Named(key model.Key, node string) *model.Pod {
	if row := c.Find(node); row != nil {
		if p := row.Pod(key); p != nil {
			return p
		}
	}
	for i := range c.rows {
		if p := c.rows[i].Pod(key); p != nil {
			return p
		}
	}
	return nil
}

// Lookup is the row number of a name; ok is false if the name was never seen.
func (c *Cache) Lookup(name string) (row int32, ok bool) {
	row, ok = c.byName[name]
	return row, ok
}

// Number finds or makes the row number of a name.
func (c *Cache) Number(name string) int32 {
	if i, ok := c.byName[name]; ok {
		return i
	}
	if c.shared {
		c.byName, c.shared = maps.Clone(c.byName), false
	}
	i := int32(len(c.rows))
	c.byName[name] = i
	c.rows = append(c.rows, Row{Name: name})
	return i
}

// Deleting is how many of the pods are being deleted.
func (r *Row) Deleting() int { return int(r.deleting) }

// EndedPods is how many pods ran to their end.
func (c *Cache) EndedPods() int { return c.ended }

// Nodeless is how many names were seen that have no Node object.
func (c *Cache) Nodeless() int {
	n := len(c.rows) - c.nodes
	if _, ok := c.byName[""]; ok {
		n--
	}
	return n
}

// OutOfService is how many nodes have the taint that declares them so.
func (c *Cache) OutOfService() int { return c.out }

// SetNode puts a Node object in place. position is the Change's position plus one, cause its Decision; both may be 0.
func (c *Cache) SetNode(name string, n *model.Node, version uint64, position int, cause model.DecisionID) {
	i := c.Number(name)
	row := &c.rows[i]
	if row.Node == nil {
		c.nodes++
		row.ConditionsBy, row.TaintsBy = cause, cause
	} else {
		if !sameStatuses(row.Node.Conditions, n.Conditions) {
			row.ConditionsBy = cause
		}
		if !sameNoExecute(row.Node.Taints, n.Taints) {
			row.TaintsBy = cause
		}
	}
	c.out += outOfService(n) - outOfService(row.Node)
	row.Node, row.Version, row.Position = n, version, position
	c.note(i)
}

// outOfService is 1 for a node with the taint, whatever its value and effect.
func outOfService(n *model.Node) int {
	if n != nil && n.HasTaint(model.TaintOutOfService) {
		return 1
	}
	return 0
}

// DeleteNode removes the Node object. Lease and pods stay, as they do in reality.
func (c *Cache) DeleteNode(name string) {
	i := c.Number(name)
	row := &c.rows[i]
	if row.Node == nil {
		return
	}
	c.nodes--
	c.out -= outOfService(row.Node)
	row.Node, row.Version, row.Position = nil, 0, 0
	row.ConditionsBy, row.TaintsBy = 0, 0
	c.note(i)
}

// SetLease puts a lease in place.
func (c *Cache) SetLease(name string, renewed model.Instant, version uint64, position int) {
	c.SetLeaseOf(c.Number(name), renewed, version, position)
}

// SetLeaseOf is SetLease by row number. It allocates nothing.
func (c *Cache) SetLeaseOf(row int32, renewed model.Instant, version uint64, position int) {
	c.rows[row].Lease = Lease{Exists: true, Renewed: renewed, Version: version, Position: position}
	c.leases = max(c.leases, version)
	c.note(row)
}

// KeepLeaseOf sets KeepsRenewing, and takes the cache of leases to be up to date, until the lease is written or
// deleted.
func (c *Cache) KeepLeaseOf(row int32) {
	l := &c.rows[row].Lease
	l.Exists, l.KeepsRenewing = true, true
	c.leases = math.MaxUint64
	c.note(row)
}

// LeaseVersion is the greatest version of any lease: how up to date the cache of leases is.
func (c *Cache) LeaseVersion() uint64 { return c.leases }

// DeleteLease removes a lease.
func (c *Cache) DeleteLease(name string) {
	i := c.Number(name)
	c.rows[i].Lease = Lease{}
	c.note(i)
}

func (c *Cache) note(i int32) {
	if limit := 8*len(c.rows) + 1024; len(c.log) >= limit {
		// A reader that is further behind looks at every row once.
		half := limit / 2
		c.base += uint64(half)
		c.log = append(c.log[:0], c.log[half:]...)
	}
	c.log = append(c.log, i)
}

// Changed lists the rows whose node or lease changed since mark, with repeats, and the next mark. The first mark is 0.
// all: too much has happened, look at every row. The slice must not be kept across a change.
func (c *Cache) Changed(mark uint64) (rows []int32, all bool, next uint64) {
	next = c.base + uint64(len(c.log)) + 1
	switch {
	case mark == 0 || mark-1 < c.base:
		return nil, true, next
	case mark-1 >= next-1:
		return nil, false, next
	}
	return c.log[mark-1-c.base:], false, next
}

func sameStatuses(a, b []model.Condition) bool {
	return slices.EqualFunc(a, b, func(x, y model.Condition) bool { return x.Type == y.Type && x.Status == y.Status })
}

// sameNoExecute compares the NoExecute taints, timeAdded included.
func sameNoExecute(a, b []model.Taint) bool {
	next := func(list []model.Taint) []model.Taint {
		for len(list) > 0 && list[0].Effect != model.NoExecute {
			list = list[1:]
		}
		return list
	}
	for {
		a, b = next(a), next(b)
		if len(a) == 0 || len(b) == 0 {
			return len(a) == len(b)
		}
		if a[0] != b[0] {
			return false
		}
		a, b = a[1:], b[1:]
	}
}
