package snapshots

import (
	"slices"

	"kardia/model"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// A section is what a layer has of one row.
//
//	uvarint  pods that are new or changed, then each: see pod
//	uvarint  pods that are gone from the row, then each: uvarint word of the namespace, string name
//	byte     1 if the row's Events changed; then uvarint Events, and each
//
// A pod is
//
//	byte     1 its UID is a UUID | 2 deletion | 4 ready since | 8 disrupted | 16 a reason for it |
//	         32 instants are in nanoseconds, else in seconds | 64 owner | 128 tolerations
//	byte     phase, byte ready
//	uvarint  word of the namespace
//	uvarint  owner, if it has one, and uvarint bytes of its name that are the owner's
//	string   the rest of its name
//	         16 bytes, or uvarint of those that are no UUIDs: its UID
//	varint   created, against the pod before in the section; the other instants it has, against created
//	uvarint  word of the reason, if it has one; uvarint list of tolerations, if it has one
//	varint   grace seconds; uvarint word of the details, if the layer has any
const (
	podUUID = 1 << iota
	podDeletion
	podReadySince
	podDisrupted
	podReason
	podExact
	podOwner
	podTolerations
)

// pod writes a pod; before is when the pod before it was created.
func (w *layerWriter) pod(o *wire.Writer, p *model.Pod, before model.Instant) {
	raw, uuid := p.UID.UUID()
	owner := ""
	flags, unit := byte(0), int64(1e9)
	set := func(flag byte, on bool) {
		if on {
			flags |= flag
		}
	}
	set(podUUID, uuid)
	set(podReason, p.DisruptionReason != "")
	set(podOwner, p.Owner != nil)
	set(podTolerations, p.Tolerations != nil)
	for k, t := range [...]model.Instant{p.Created, p.Deletion, p.ReadySince, p.Disrupted} {
		if int64(t)%1e9 != 0 {
			unit = 1
		}
		set(podDeletion>>1<<k, k > 0 && t != 0)
	}
	set(podExact, unit == 1)
	o.Byte(flags)
	o.Byte(byte(p.Phase))
	o.Byte(byte(p.Ready))
	o.Uint(w.say(p.Namespace))
	shared := 0
	if p.Owner != nil {
		o.Uint(placeIn(w.owners, *p.Owner, func() { w.owner.Text(p.Owner.Kind); w.owner.Text(p.Owner.Name) }))
		owner = p.Owner.Name
		for shared < min(len(owner), len(p.Name)) && owner[shared] == p.Name[shared] {
			shared++
		}
		o.Uint(uint64(shared))
	}
	o.Text(p.Name[shared:])
	if uuid {
		o.B = append(o.B, raw[:]...)
	} else {
		o.Uint(w.otherUID(p.UID))
	}
	created := columns.FloorDiv(int64(p.Created), unit)
	o.Int(created - columns.FloorDiv(int64(before), unit))
	for _, t := range [...]model.Instant{p.Deletion, p.ReadySince, p.Disrupted} {
		if t != 0 {
			o.Int(columns.FloorDiv(int64(t), unit) - created)
		}
	}
	if p.DisruptionReason != "" {
		o.Uint(w.say(p.DisruptionReason))
	}
	if p.Tolerations != nil {
		o.Uint(placeIn(w.lists, p.Tolerations, func() { w.list.Tolerations(*p.Tolerations) }))
	}
	o.Int(int64(p.GraceSeconds))
	o.Uint(w.say(string(p.Details)))
}

// otherUID is the number of a UID that is no UUID.
func (w *layerWriter) otherUID(u model.UID) uint64 {
	return placeIn(w.others, u, func() { w.other.Text(u.String()) })
}

// pods writes pods that are there and keys of those that are not.
func (w *layerWriter) pods(o *wire.Writer, put []*model.Pod, gone []model.Key) {
	o.Uint(uint64(len(put)))
	var before model.Instant
	for _, p := range put {
		w.pod(o, p, before)
		before = p.Created
	}
	o.Uint(uint64(len(gone)))
	for _, key := range gone {
		o.Uint(w.say(key.Namespace))
		o.Text(key.Name)
	}
}

// events writes a row's Events, if they changed.
func (w *layerWriter) events(o *wire.Writer, changed bool, events []*model.Event) {
	o.Bool(changed)
	if !changed {
		return
	}
	o.Uint(uint64(len(events)))
	for _, e := range events {
		w.uid(o, e.UID)
		for _, s := range [...]string{e.Regarding.Kind, e.Regarding.Namespace, e.Regarding.Name} {
			o.Uint(w.say(s))
		}
		w.uid(o, e.Regarding.UID)
		o.Uint(w.say(e.Reason))
		o.Text(e.Message)
		o.Uint(w.say(e.Component))
		o.Bool(e.Warning)
		o.Int(int64(e.Count))
		o.Instant(e.First)
		o.Instant(e.Last)
		o.Instant(e.Created)
	}
}

// uid writes a 1 and the bytes of a UUID, or a 0 and its place among the others.
func (w *layerWriter) uid(o *wire.Writer, u model.UID) {
	raw, uuid := u.UUID()
	o.Bool(uuid)
	if uuid {
		o.B = append(o.B, raw[:]...)
	} else {
		o.Uint(w.otherUID(u))
	}
}

// sectionReader reads a section.
type sectionReader struct {
	wire.Reader
	*tables
	node   string // that the row stands for
	name   []byte
	newest model.Pod
}

// pick is the n-th of a table.
func pick[T any](r *sectionReader, table []T) (v T) {
	if n := r.index(len(table)); r.Err == nil {
		return table[n]
	}
	return v
}

// pods reads the pods that are put. Pod and name are good until the next.
func (r *sectionReader) pods(visit func(p *model.Pod, name []byte)) {
	var before model.Instant
	for range r.Count(maxKeyframePods) {
		r.newest = model.Pod{}
		r.pod(&r.newest, before)
		if r.Err != nil {
			return
		}
		before = r.newest.Created
		visit(&r.newest, r.name)
	}
}

// pod reads a pod; its name is left in r.name.
func (r *sectionReader) pod(p *model.Pod, before model.Instant) {
	flags := r.Byte()
	p.Phase, p.Ready = model.Phase(r.Byte()), model.Status(r.Byte())
	p.Node, p.Namespace = r.node, pick(r, r.words)
	r.name = r.name[:0]
	if flags&podOwner != 0 {
		n := r.index(len(r.owners))
		if r.Err != nil {
			return
		}
		p.Owner = r.owners[n]
		r.name = append(r.name, p.Owner.Name[:r.AtMost(len(p.Owner.Name))]...)
	}
	r.name = append(r.name, r.Blob()...)
	if flags&podUUID == 0 {
		p.UID = pick(r, r.others)
	} else {
		p.UID = r.UUID()
	}
	unit := int64(1e9)
	if flags&podExact != 0 {
		unit = 1
	}
	created := columns.FloorDiv(int64(before), unit) + r.Int()
	p.Created = model.Instant(created * unit)
	for k, t := range [...]*model.Instant{&p.Deletion, &p.ReadySince, &p.Disrupted} {
		if flags&(podDeletion<<k) != 0 {
			*t = model.Instant((created + r.Int()) * unit)
		}
	}
	if flags&podReason != 0 {
		p.DisruptionReason = pick(r, r.words)
	}
	if flags&podTolerations != 0 {
		p.Tolerations = pick(r, r.lists)
	}
	p.GraceSeconds = int32(r.Int())
	if r.detailed {
		p.Details = model.Details(pick(r, r.words))
	}
}

// index reads the place of something in a table of n; 0 after a mistake.
func (r *sectionReader) index(n int) int {
	k := r.Uint()
	if k >= uint64(n) {
		r.Fail(ErrKeyframe)
		return 0
	}
	return int(k)
}

// gone reads the keys of the pods that are gone.
func (r *sectionReader) gone(visit func(namespace string, name []byte)) {
	for range r.Count(maxKeyframePods) {
		namespace, name := pick(r, r.words), r.Blob()
		if r.Err != nil {
			return
		}
		visit(namespace, name)
	}
}

// events reads the Events, if they changed.
func (r *sectionReader) events() (changed bool, events []*model.Event) {
	if !r.Bool() {
		return false, nil
	}
	for range r.Count(maxEvents) {
		e := &model.Event{UID: r.uid(), Regarding: model.Reference{Kind: pick(r, r.words), Key: model.Key{Namespace: pick(r, r.words), Name: pick(r, r.words)}, UID: r.uid()},
			Reason: pick(r, r.words), Message: string(r.Blob()), Component: pick(r, r.words), Warning: r.Bool(), Count: int32(r.Int()),
			First: r.Instant(), Last: r.Instant(), Created: r.Instant()}
		if r.Err != nil {
			return true, events
		}
		events = append(events, e)
	}
	return true, events
}

func (r *sectionReader) uid() model.UID {
	if !r.Bool() {
		return pick(r, r.others)
	}
	return r.UUID()
}

// unpack brings the pods of a row from the layer below to this one.
func (r *sectionReader) unpack(pods []*model.Pod) []*model.Pod {
	known := make(map[model.Key]int, len(pods))
	for k, p := range pods {
		known[p.Key] = k
	}
	below := len(pods)
	r.pods(func(p *model.Pod, name []byte) {
		q := *p
		q.Name = string(name)
		if below > 0 {
			if k, ok := known[q.Key]; ok {
				pods[k] = &q
				return
			}
		}
		pods = append(pods, &q)
	})
	r.gone(func(namespace string, name []byte) {
		if k, ok := known[model.Key{Namespace: namespace, Name: string(name)}]; ok {
			pods[k] = nil
		}
	})
	return slices.DeleteFunc(pods, func(p *model.Pod) bool { return p == nil })
}

// maxEvents is how many Events a row may have.
const maxEvents = 64
