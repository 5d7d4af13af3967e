package rows

import (
	"slices"
	"strconv"

	"kardia/model"
	"kardia/sources/read/jsonscan"
	"kardia/sources/recording/container"
	"kardia/sources/recording/wire"
)

// A message of JSON holds a version of an object, and after it, as "then", the versions of it that follow
// in the page, each told by what is different from the one before.
//
//	{"kind":"Pod","name":"web-0",…,"pod":{"phase":"Pending",…},"then":[
//	  {"after":0.016,"op":"modify","version":803135861,"pod":{"node":"ip-10-1-2-3"}},
//	  {"after":1.5,"version":803135990,"pod":{"phase":"Running"}}]}

// beginning is what is expected of the first version of an object: nothing, and that all four times
// are own, the log_time of its message.
func beginning(own model.Instant) model.Change {
	return model.Change{At: own, Arrival: own, Time: model.Exactly(own)}
}

// expect makes a version what is expected of the one after it: that all is as it was. A time that
// was wasOwn, the instant at which it took effect, is own now; any other stays.
func expect(ch *model.Change, wasOwn, own model.Instant) {
	for _, t := range [...]*model.Instant{&ch.At, &ch.Arrival, &ch.Time.Earliest, &ch.Time.Latest} {
		if *t != 0 && *t == wasOwn {
			*t = own
		}
	}
}

// EncodeRow is a Change as JSON, in memory of the coder's own.
func (c *Coder) EncodeRow(ch *model.Change) []byte {
	was := beginning(container.LogTime(ch.Effective()))
	return c.Write(func(c *Coder) { c.row(ch, &was) })
}

// encodeNext is a Change as what differs from the version before it.
func (c *Coder) encodeNext(ch, before *model.Change) []byte {
	own, wasOwn := container.LogTime(ch.Effective()), container.LogTime(before.Effective())
	was := *before
	expect(&was, wasOwn, own)
	return c.Write(func(c *Coder) {
		if own != wasOwn {
			c.put("after")
			c.out = appendSeconds(c.out, uint64(own-wasOwn))
		}
		c.row(ch, &was)
	})
}

// DecodeRows reads a message into first, and appends the versions that follow to later, which may
// grow up to limit; own is the log_time of the message.
func (c *Coder) DecodeRows(data []byte, own model.Instant, first *model.Change, later []model.Change, limit int) ([]model.Change, error) {
	*first = beginning(own)
	err := c.Read(data, func(c *Coder) {
		c.row(first, first)
		if c.here("then") {
			later = c.then(first, own, later, limit)
		}
	})
	return later, err
}

// then reads the versions after a first one: the last member of its row.
func (c *Coder) then(before *model.Change, own model.Instant, later []model.Change, limit int) []model.Change {
	b, i := c.scan.B, c.value
	if b[i] != '[' {
		c.fail(errJSON)
	}
	for c.err == nil {
		if len(later) >= limit {
			c.fail(wire.ErrOrder)
			break
		}
		wasOwn := own
		c.open(c.scan.Space(i + 1))
		if c.here("after") {
			if own += c.seconds(); own < wasOwn {
				c.fail(errJSON)
			}
		}
		later = append(later, *before)
		ch := &later[len(later)-1]
		expect(ch, wasOwn, own)
		c.fields(func(c *Coder) {
			if c.here("after") || c.here("then") {
				c.fail(errJSON)
			}
			c.row(ch, ch)
		})
		if ch.Kind != before.Kind || ch.Key != before.Key || ch.UID != before.UID {
			c.fail(errJSON)
		}
		before = ch
		if i = c.scan.Space(c.end); i < len(b) && b[i] == ']' {
			break
		}
		if i >= len(b) || b[i] != ',' {
			c.fail(errJSON)
		}
	}
	if c.next(i + 1); c.value > 0 {
		c.fail(errJSON)
	}
	return later
}

// appendSeconds writes nanoseconds as seconds, exactly.
func appendSeconds(out []byte, nanos uint64) []byte {
	out = strconv.AppendUint(out, nanos/1e9, 10)
	if rest := nanos % 1e9; rest > 0 {
		digits := strconv.AppendUint(nil, 1e9+rest, 10)
		digits[0] = '.'
		for digits[len(digits)-1] == '0' {
			digits = digits[:len(digits)-1]
		}
		out = append(out, digits...)
	}
	return out
}

// seconds takes what appendSeconds has written.
func (c *Coder) seconds() model.Instant {
	raw := jsonscan.View(c.take())
	whole := 0
	for whole < len(raw) && raw[whole] != '.' {
		whole++
	}
	n, err := strconv.ParseUint(raw[:whole], 10, 63)
	nanos, ok := fraction(raw[whole:])
	if err != nil || !ok || n > uint64(model.FarFuture-nanos)/1e9 {
		c.fail(errJSON)
		return 0
	}
	return model.Instant(n)*1e9 + nanos
}

// fraction is the nanoseconds of .25; nothing is 0.
func fraction(s string) (nanos model.Instant, ok bool) {
	if s == "" {
		return 0, true
	}
	if s[0] != '.' || len(s) < 2 || len(s) > 10 {
		return 0, false
	}
	for k := 1; k < 10; k++ {
		digit := byte(0)
		if k < len(s) {
			digit = s[k] - '0'
		}
		if digit > 9 {
			return 0, false
		}
		nanos = nanos*10 + model.Instant(digit)
	}
	return nanos, true
}

// row describes a Change. When reading, was is the Change itself: it begins as what is expected.
func (c *Coder) row(ch, was *model.Change) {
	enum(c, "kind", &ch.Kind, was.Kind, model.LastKind)
	enum(c, "op", &ch.Op, was.Op, model.OpGap)
	c.word("namespace", &ch.Key.Namespace, was.Key.Namespace)
	c.text("name", &ch.Key.Name, was.Key.Name)
	c.uid("uid", &ch.UID, was.UID)
	number(c, "version", &ch.Version, was.Version)
	number(c, "previous", &ch.Previous, was.Previous)
	enum(c, "quality", &ch.Quality, was.Quality, model.ByOrder)
	enum(c, "writer", &ch.Writer, was.Writer, model.WriterPerson)
	if c.wants("requester", ch.Requester != was.Requester) {
		c.requester(ch, was)
	}
	number(c, "code", &ch.Code, was.Code)
	c.instant("at", &ch.At, was.At)
	c.instant("arrival", &ch.Arrival, was.Arrival)
	c.instant("earliest", &ch.Time.Earliest, was.Time.Earliest)
	c.instant("latest", &ch.Time.Latest, was.Time.Latest)
	c.text("note", &ch.Note, was.Note)
	c.origin(&ch.Origin, &was.Origin)
	if c.wants("also", ch.Also != was.Also) {
		if c.none("also", ch.Also == (model.Origin{})) {
			ch.Also = model.Origin{}
		} else {
			inner(c, "also", &ch.Also, &was.Also, false, (*Coder).origin)
		}
	}
	if c.wants("node", ch.Node != was.Node) {
		pointed(c, "node", &ch.Node, was.Node, func() *model.Node { return &model.Node{UID: ch.UID} }, (*Coder).node)
	}
	if c.wants("pod", ch.Pod != was.Pod) {
		pointed(c, "pod", &ch.Pod, was.Pod, func() *model.Pod { return &model.Pod{Key: ch.Key, UID: ch.UID} }, (*Coder).pod)
	}
	if c.wants("event", ch.Event != was.Event) {
		pointed(c, "event", &ch.Event, was.Event, func() *model.Event { return &model.Event{UID: ch.UID} }, (*Coder).event)
	}
	if c.wants("related", ch.Related != was.Related) {
		pointed(c, "related", &ch.Related, was.Related, func() *model.Related { return &model.Related{UID: ch.UID} }, (*Coder).related)
	}
	if c.wants("lease", ch.Lease != was.Lease) {
		c.wholeLease(ch, was)
	}
	if c.wants("patch", string(ch.Patch) != string(was.Patch)) {
		patch := string(ch.Patch)
		c.text("patch", &patch, string(was.Patch))
		if !c.writing {
			ch.Patch = nil
			if patch != "" {
				ch.Patch = []byte(patch)
			}
		}
	}
}

// pointed is an object that is shared; nil where there is none. Where there was none before, it
// begins as what fresh makes.
func pointed[T any](c *Coder, name string, v **T, was *T, fresh func() *T, describe func(c *Coder, v, was *T)) {
	if c.none(name, *v == nil) {
		*v = nil
		return
	}
	base := was
	if base == nil {
		base = fresh()
	}
	if !c.writing {
		if was != nil { // what was handed out stays as it is
			own := *was
			base = &own
		}
		*v = base
	}
	inner(c, name, *v, base, was == nil, describe)
}

// wholeLease is the lease of a Change, which is none where it is empty.
func (c *Coder) wholeLease(ch, was *model.Change) {
	if c.none("lease", ch.Lease == (model.Lease{})) {
		ch.Lease = model.Lease{}
		return
	}
	base, madeUp := was.Lease, was.Lease == (model.Lease{})
	if madeUp {
		base.UID = ch.UID
	}
	if !c.writing {
		ch.Lease = base
	}
	inner(c, "lease", &ch.Lease, &base, madeUp, (*Coder).lease)
}

// requester is who sent a request: the same memory for all that are the same.
func (c *Coder) requester(ch, was *model.Change) {
	if c.none("requester", ch.Requester == nil) {
		ch.Requester = nil
		return
	}
	var base model.Requester
	if was.Requester != nil {
		base = *was.Requester
	}
	if c.writing {
		inner(c, "requester", ch.Requester, &base, was.Requester == nil, (*Coder).userAndAgent)
		return
	}
	inner(c, "requester", &base, &base, false, (*Coder).userAndAgent)
	if c.err == nil {
		ch.Requester = c.Names.SharedRequester(base)
	}
}

func (c *Coder) userAndAgent(r, was *model.Requester) {
	c.word("user", &r.User, was.User)
	c.word("agent", &r.Agent, was.Agent)
	c.word("address", &r.Address, was.Address)
}

func (c *Coder) origin(o, was *model.Origin) {
	number(c, "source", &o.Source, was.Source)
	number(c, "line", &o.Line, was.Line)
	number(c, "offset", &o.Offset, was.Offset)
}

func (c *Coder) node(n, was *model.Node) {
	c.uid("uid", &n.UID, was.UID)
	c.instant("created", &n.Created, was.Created)
	c.instant("deleted", &n.Deleted, was.Deleted)
	c.word("region", &n.Zone.Region, was.Zone.Region)
	c.word("zone", &n.Zone.Zone, was.Zone.Zone)
	c.flag("excludeDisruption", &n.ExcludeDisruption, was.ExcludeDisruption)
	c.flag("unschedulable", &n.Unschedulable, was.Unschedulable)
	several(c, "conditions", &n.Conditions, was.Conditions, (*Coder).condition)
	several(c, "taints", &n.Taints, was.Taints, (*Coder).taint)
	c.word("kubelet", &n.KubeletVersion, was.KubeletVersion)
	c.word("os", &n.OS, was.OS)
	c.word("arch", &n.Arch, was.Arch)
	c.word("instanceType", &n.InstanceType, was.InstanceType)
	c.text("providerID", &n.ProviderID, was.ProviderID)
	c.word("details", (*string)(&n.Details), string(was.Details))
}

// several is a list of which an empty one and none are the same.
func several[T comparable](c *Coder, name string, v *[]T, was []T, describe func(c *Coder, v, was *T)) {
	if !c.wants(name, c.writing && !slices.Equal(*v, was)) {
		return
	}
	if c.none(name, len(*v) == 0) {
		*v = nil
	} else {
		list(c, name, v, describe)
	}
}

func (c *Coder) condition(k, was *model.Condition) {
	c.word("type", &k.Type, was.Type)
	enum(c, "status", &k.Status, was.Status, model.StatusUnknown)
	c.word("reason", &k.Reason, was.Reason)
	c.word("message", &k.Message, was.Message)
	c.instant("transition", &k.Transition, was.Transition)
	c.instant("heartbeat", &k.Heartbeat, was.Heartbeat)
}

func (c *Coder) taint(t, was *model.Taint) {
	c.word("key", &t.Key, was.Key)
	c.word("value", &t.Value, was.Value)
	enum(c, "effect", &t.Effect, was.Effect, model.NoExecute)
	c.instant("added", &t.Added, was.Added)
}

func (c *Coder) pod(p, was *model.Pod) {
	if c.wants("key", p.Key != was.Key) {
		if !c.writing {
			p.Key = model.Key{}
		}
		inner(c, "key", &p.Key, &model.Key{}, true, (*Coder).key)
	}
	c.uid("uid", &p.UID, was.UID)
	c.word("node", &p.Node, was.Node)
	enum(c, "phase", &p.Phase, was.Phase, model.PhaseUnknown)
	enum(c, "ready", &p.Ready, was.Ready, model.StatusUnknown)
	c.instant("readySince", &p.ReadySince, was.ReadySince)
	c.instant("created", &p.Created, was.Created)
	c.instant("deletion", &p.Deletion, was.Deletion)
	number(c, "graceSeconds", &p.GraceSeconds, was.GraceSeconds)
	c.instant("disrupted", &p.Disrupted, was.Disrupted)
	c.word("disruptionReason", &p.DisruptionReason, was.DisruptionReason)
	c.word("details", (*string)(&p.Details), string(was.Details))
	if c.wants("owner", p.Owner != was.Owner) {
		c.owner(p, was)
	}
	if c.wants("tolerations", p.Tolerations != was.Tolerations) {
		c.tolerations(p, was)
	}
}

func (c *Coder) key(k, was *model.Key) {
	c.word("namespace", &k.Namespace, was.Namespace)
	c.text("name", &k.Name, was.Name)
}

func (c *Coder) owner(p, was *model.Pod) {
	if c.none("owner", p.Owner == nil) {
		p.Owner = nil
		return
	}
	var base model.Owner
	if was.Owner != nil {
		base = *was.Owner
	}
	if c.writing {
		inner(c, "owner", p.Owner, &base, was.Owner == nil, (*Coder).kindAndName)
		return
	}
	from, first := c.value, was.Owner == nil
	if first {
		text := c.scan.B[from:max(from, c.scan.Value(from, 1))]
		if known := c.Names.Owners[string(text)]; known != nil {
			p.Owner = known
			c.next(from + len(text))
			return
		}
	}
	inner(c, "owner", &base, &base, false, (*Coder).kindAndName)
	if c.err == nil {
		p.Owner = c.Names.SharedOwner(base.Kind, base.Name)
		if first {
			c.Names.KeepOwner(c.scan.B[from:c.scan.Value(from, 1)], p.Owner)
		}
	}
}

func (c *Coder) kindAndName(o, was *model.Owner) {
	c.word("kind", &o.Kind, was.Kind)
	c.word("name", &o.Name, was.Name)
}

func (c *Coder) tolerations(p, was *model.Pod) {
	if c.none("tolerations", p.Tolerations == nil) {
		p.Tolerations = nil
		return
	}
	if c.writing {
		if was.Tolerations == nil || !slices.Equal(*p.Tolerations, *was.Tolerations) {
			list(c, "tolerations", (*[]model.Toleration)(p.Tolerations), (*Coder).toleration)
		}
		return
	}
	from := c.value
	if known, size := c.lists.find(c.scan.B[from:]); known != nil {
		p.Tolerations = known
		c.next(from + size)
		return
	}
	var all []model.Toleration
	list(c, "tolerations", &all, (*Coder).toleration)
	if c.err == nil {
		p.Tolerations = c.Names.SharedTolerations(all)
		text := c.scan.B[from:]
		c.lists.keep(text[:c.scan.Value(from, 1)-from], p.Tolerations)
	}
}

func (c *Coder) toleration(t, was *model.Toleration) {
	c.word("key", &t.Key, was.Key)
	c.word("operator", &t.Operator, was.Operator)
	c.word("value", &t.Value, was.Value)
	enum(c, "effect", &t.Effect, was.Effect, model.NoExecute)
	if !c.writing {
		t.Seconds.Known = t.Seconds.Known || c.here("seconds")
		number(c, "seconds", &t.Seconds.Value, 0)
	} else if t.Seconds.Known {
		c.put("seconds")
		c.out = strconv.AppendInt(c.out, t.Seconds.Value, 10)
	}
}

func (c *Coder) event(e, was *model.Event) {
	c.uid("uid", &e.UID, was.UID)
	if c.wants("regarding", e.Regarding != was.Regarding) {
		if c.none("regarding", e.Regarding == (model.Reference{})) {
			e.Regarding = model.Reference{}
		} else {
			inner(c, "regarding", &e.Regarding, &was.Regarding, false, (*Coder).reference)
		}
	}
	c.word("reason", &e.Reason, was.Reason)
	c.text("message", &e.Message, was.Message)
	c.word("component", &e.Component, was.Component)
	c.flag("warning", &e.Warning, was.Warning)
	number(c, "count", &e.Count, was.Count)
	c.instant("first", &e.First, was.First)
	c.instant("last", &e.Last, was.Last)
	c.instant("created", &e.Created, was.Created)
}

func (c *Coder) reference(r, was *model.Reference) {
	c.word("kind", &r.Kind, was.Kind)
	c.word("namespace", &r.Namespace, was.Namespace)
	c.word("name", &r.Name, was.Name)
	c.uid("uid", &r.UID, was.UID)
}

func (c *Coder) related(o, was *model.Related) {
	c.uid("uid", &o.UID, was.UID)
	c.instant("created", &o.Created, was.Created)
	c.instant("deleted", &o.Deleted, was.Deleted)
	c.word("details", (*string)(&o.Details), string(was.Details))
}

func (c *Coder) lease(l, was *model.Lease) {
	c.uid("uid", &l.UID, was.UID)
	c.word("holder", &l.Holder, was.Holder)
	c.instant("renewed", &l.Renewed, was.Renewed)
	c.instant("acquired", &l.Acquired, was.Acquired)
	c.instant("created", &l.Created, was.Created)
	number(c, "seconds", &l.Seconds, was.Seconds)
	number(c, "transitions", &l.Transitions, was.Transitions)
}
