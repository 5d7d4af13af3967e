package nodelifecycle

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
)

// record is what the controller remembers of one node name. It outlives the Node object.
type record struct {
	// node is the Node in the last pass's snapshot, nil if there was none. calm: another evaluation could only find a
	// newer lease. idle: it was Unknown already, and only its place in the queue can change.
	node       *model.Node
	calm, idle bool

	// has: a health record exists, in the next fields.
	has        bool
	probe      model.Instant
	transition model.Instant
	saved      savedReady
	lease      savedLease

	// known: in the set of known nodes. retry: marking its pods failed.
	known, retry bool
	// beat is the last sign of life that moved probe.
	beat beat

	// zone is the index of the Node object's zone, countedIn that of the zone that counts it.
	zone, countedIn int32
	countedReady    bool
	// seen is the last pass that looked at the row.
	seen uint32
	// offTaints are the taints that pass offPass has removed.
	offTaints pair
	offPass   uint32

	// The last decisions about the node are causes of the next.
	marked, queued, tainted model.DecisionID
}

type savedReady struct {
	status                model.Status
	heartbeat, transition model.Instant
}

type savedLease struct {
	has      bool
	renewed  model.Instant
	version  uint64
	position int
}

// beat is a sign of life that counted.
type beat struct {
	what     beatKind
	at       model.Instant // by its own timestamp
	version  uint64
	position int
}

type beatKind uint8

const (
	beatNone beatKind = iota
	beatLease
	beatStatus
	beatFirstSight
	beatCreation
	beatExit
)

var beatRoles = [...]model.InputRole{model.InputNone, model.InputLease, model.InputStatus, model.InputFirstSight, model.InputCreation, model.InputMasterEnd}

func (b *beat) input(name string) model.Input {
	in := model.Input{What: beatRoles[b.what], Kind: model.KindNode, Key: model.Key{Name: name}, Version: b.version, At: b.at, Position: b.position}
	if b.what == beatLease {
		in.Kind, in.Key.Namespace = model.KindNodeLease, model.NodeLeaseNamespace
	}
	return in
}

// CountedFrom is the fact from which a declaration counted the node's silence; zero if it is not shown. alive: a sign
// of life. Otherwise it is this process's first sight of the node, its creation, or the end of master disruption.
func CountedFrom(d *model.Decision) (from model.Input, alive bool) {
	for _, in := range d.Inputs {
		switch in.What {
		case model.InputLease, model.InputStatus:
			return in, in.At.Bounded()
		case model.InputFirstSight, model.InputCreation, model.InputMasterEnd:
			return in, false
		}
	}
	return model.Input{}, false
}

// clockSlack is how much older than its pass a sign of life may be by a correct clock: requests take time, passes are
// late.
const clockSlack = 30 * time.Second

// silence is how long ago the kubelet gave its last sign of life, longer than the controller's count, which starts at
// the pass that saw it. No reason if the sign of life has no timestamp. A timestamp of a wrong clock gives no duration.
func (r *record) silence(now model.Instant) model.Reason {
	b, posted := &r.beat, r.saved.heartbeat
	ahead, behind, sent := model.WhyLeaseAhead, model.WhyLeaseBehind, model.WhyLeaseSent
	if b.what == beatStatus {
		ahead, behind, sent = model.WhyStatusAhead, model.WhyStatusBehind, model.WhyStatusSent
	}
	status := b.what == beatLease && posted.Bounded() && b.at < posted && posted <= r.probe
	switch {
	case b.what != beatLease && b.what != beatStatus || !b.at.Bounded():
		return model.Reason{}
	case b.at > now:
		return model.Reason{Code: ahead, At: b.at}
	case r.probe.Sub(b.at) > clockSlack && !(status && r.probe.Sub(posted) <= clockSlack):
		return model.Reason{Code: behind, At: b.at}
	case status: // N10: the status has emptied the slot of the lease
		return model.Reason{Code: model.WhyLeaseThenStatus, Heard: now.Sub(b.at), Posted: now.Sub(posted)}
	}
	return model.Reason{Code: sent, Heard: now.Sub(b.at)}
}

// silence compares the counted silence with the grace period. It counts from the pass that saw the last sign of life.
func silence(counted, grace time.Duration) model.Check {
	return model.Check{What: model.ComparedSilence, Left: model.DurationOperand(counted), Op: model.Greater, Right: model.DurationOperand(grace), Holds: counted > grace}
}

// judged are the conditions that become Unknown with a silent node, in the order written, without NetworkUnavailable.
var judged = [...]string{model.ConditionReady, model.ConditionMemoryPressure, model.ConditionDiskPressure, model.ConditionPIDPressure}

type verdict struct {
	// observed and current are Ready before and after the controller's own edit. Without a Ready condition, observed is
	// Unknown and current is StatusAbsent.
	observed, current model.Status
	skipped           bool
	repeated          bool // the node was declared before, and is declared again
}

func (c *Controller) grace(hasReady bool) time.Duration {
	if hasReady {
		return c.params.NodeMonitorGracePeriod.Value
	}
	return c.params.NodeStartupGracePeriod.Value
}

// health judges a node by its heartbeats.
// Source: kubernetes: tryUpdateNodeHealth.
func (c *Controller) health(i int32, row *informer.Row, h *Hidden) verdict {
	r := &c.records[i]
	ready := row.Node.Ready()
	savedLease := r.lease
	v := verdict{observed: model.StatusUnknown}
	if ready == nil {
		// No comparison sees the saved status: it is replaced first.
		if !r.has {
			r.has, r.probe, r.transition = true, row.Node.Created, row.Node.Created
			r.beat = beat{what: beatCreation, at: row.Node.Created, version: row.Version, position: row.Position}
		}
		r.saved = savedReady{}
	} else {
		v.observed = ready.Status
		c.heartbeat(r, row, ready)
	}
	// N8: the lease counts if it is newer than the one saved before this pass, or none was saved. N9: absent times
	// never make it newer. N10 follows: heartbeat has emptied the slot.
	if l := &row.Lease; savedLease.olderThan(l) {
		c.renewed(r, l)
	}

	grace := c.grace(ready != nil)
	v.current = model.StatusAbsent
	if ready != nil {
		v.current = ready.Status
	}
	expired := c.now > r.probe.Add(grace) // N12: equality is not expired
	always, silent := h.Silent[row.Name]
	if !expired && !(silent && (always || r.beat.what == beatFirstSight)) {
		return v
	}
	if h.MayBeat != nil && h.MayBeat(row.Name, row.Lease.Renewed) {
		return v
	}
	if c.does.liveLease && c.behindLive(r, row, h) {
		v.skipped = true
		return v
	}
	if ready != nil && ready.Status == model.StatusUnknown {
		return v // N15: nothing is written, not even a pressure condition
	}
	if v.repeated = h.Declared != nil && h.Declared(row.Name); v.repeated {
		c.saveUnknown(r, row)
		v.current = model.StatusUnknown
		return v
	}
	if !c.markUnknown(i, row, h, ready, grace, expired && !always) {
		if ready == nil {
			// The saved status is the edited object, written or not.
			r.saved = savedReady{model.StatusUnknown, row.Node.Created, c.now}
		}
		v.skipped = true
		return v
	}
	v.current = model.StatusUnknown
	return v
}

// heartbeat compares the status heartbeat with the saved one (N1, N4).
func (c *Controller) heartbeat(r *record, row *informer.Row, ready *model.Condition) {
	now := savedReady{ready.Status, ready.Heartbeat, ready.Transition}
	b := beat{what: beatStatus, at: ready.Heartbeat, version: row.Version, position: row.Position}
	switch {
	case !r.has: // N1
		b.what = beatFirstSight
		b.at = c.now
		r.transition = c.now
	case r.saved.status == model.StatusAbsent: // no Ready condition was saved
		r.transition = c.now
	case r.saved.heartbeat != ready.Heartbeat: // N4, N6: unequal, not "later"
		if r.saved.transition != ready.Transition {
			r.transition = c.now
		}
	default:
		return
	}
	r.has, r.probe, r.saved, r.lease, r.beat = true, c.now, now, savedLease{}, b
}

func (c *Controller) renewed(r *record, l *informer.Lease) {
	at := l.Renewed
	if l.KeepsRenewing {
		at = c.now
	}
	r.lease = savedLease{has: true, renewed: at, version: l.Version, position: l.Position}
	r.probe = c.now
	r.beat = beat{what: beatLease, at: at, version: l.Version, position: l.Position}
}

// olderThan reports whether a lease is a sign of life: none was saved, or it is newer; absent times never are (N9).
func (s savedLease) olderThan(l *informer.Lease) bool {
	return l.Exists && (!s.has || l.KeepsRenewing || s.renewed.Known() && l.Renewed.Known() && s.renewed < l.Renewed)
}

// behindLive is the live read of 1.37. True: the node is not judged now. If the lease cache is behind, no node is
// judged until it has caught up.
func (c *Controller) behindLive(r *record, row *informer.Row, h *Hidden) bool {
	version, found := row.Lease.Version, row.Lease.Exists
	if h.LiveLease != nil {
		version, found = h.LiveLease(row.Name)
	}
	if !found {
		return false
	}
	if r.lease.has && r.lease.version == version {
		return false
	}
	c.required = max(c.required, version)
	return true
}

// markUnknown declares a node Unknown; false means that the write failed. counted: the silence was counted here.
func (c *Controller) markUnknown(i int32, row *informer.Row, h *Hidden, ready *model.Condition, grace time.Duration, counted bool) bool {
	r := &c.records[i]
	writes := append(make([]model.Write, 0, 2), model.Write{Kind: model.WriteConditions, Node: row.Name, At: c.now, Conditions: c.unknownConditions(row.Node)})
	if h.refuses(&writes[0]) {
		return false
	}
	d := model.Decision{
		Kind: model.MarkUnknown, Node: row.Name, Zone: model.Some(row.Node.Zone), Rule: model.RuleSilentPastGrace,
		Why: r.silence(c.now), Checks: []model.Check{silence(c.now.Sub(r.probe), grace)},
		Inputs: []model.Input{r.beat.input(row.Name), nodeInput(row)},
		Writes: writes,
	}
	behind := h.Stale != nil && h.Stale(row.Name) != nil
	if !counted {
		d.Why, d.Checks, d.Inputs = model.Because(model.WhyHeardUnknown), nil, d.Inputs[1:]
	}
	if behind {
		d.Why = model.Because(model.WhyOldCache)
	}
	if ready != nil && ready.Status == model.StatusTrue { // M3
		d.Writes = append(d.Writes, model.Write{Kind: model.WriteEvent, Node: row.Name, At: c.now, Reason: model.ReasonNodeNotReady})
	}
	r.marked = c.emit(d)
	c.zones[r.zone].turned = r.marked
	c.saveUnknown(r, row)
	return true
}

func (c *Controller) saveUnknown(r *record, row *informer.Row) {
	// The heartbeat is saved even if it did not count.
	r.saved = savedReady{model.StatusUnknown, row.Node.Created, c.now}
	if ready := row.Node.Ready(); ready != nil {
		r.saved.heartbeat = ready.Heartbeat
	}
	r.transition = c.now
	r.lease = savedLease{}
	if l := &row.Lease; l.Exists {
		r.lease = savedLease{has: true, renewed: l.Renewed, version: l.Version, position: l.Position}
	}
}

// unknownConditions are the edits that make a node's judged conditions Unknown.
func (c *Controller) unknownConditions(node *model.Node) []model.Condition {
	edits := make([]model.Condition, 0, len(judged))
	for _, kind := range judged {
		have := node.Condition(kind)
		switch {
		case have == nil:
			edits = append(edits, model.Condition{Type: kind, Status: model.StatusUnknown, Reason: model.ReasonNeverUpdated,
				Message: model.MessageNeverUpdated, Heartbeat: node.Created, Transition: c.now})
		case have.Status != model.StatusUnknown:
			edits = append(edits, model.Condition{Type: kind, Status: model.StatusUnknown, Reason: model.ReasonUnknown,
				Message: model.MessageUnknown, Heartbeat: have.Heartbeat, Transition: c.now})
		}
	}
	return edits
}

func (h *Hidden) refuses(w *model.Write) bool { return h.Refuses != nil && h.Refuses(w) }

func nodeInput(row *informer.Row) model.Input {
	return model.Input{What: model.InputNode, Kind: model.KindNode, Key: model.Key{Name: row.Name}, Version: row.Version, Position: row.Position}
}

// excluded reports whether a node does not count in its zone.
// Source: kubernetes v1.18: pkg/util/system, IsMasterNode.
func (c *Controller) excluded(row *informer.Row) bool { return c.does.excludes(row.Name, row.Node) }

func (b *behaviour) excludes(name string, n *model.Node) bool {
	if !b.excludesByName {
		return n.ExcludeDisruption
	}
	return strings.HasSuffix(name, "master") ||
		len(name) >= 3 && strings.HasSuffix(name[:len(name)-3], "master-")
}
