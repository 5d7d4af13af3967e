package snapshots

import (
	"slices"

	"kardia/model"
	"kardia/model/packed"
	"kardia/sources/recording/columns"
	"kardia/sources/recording/wire"
)

// section writes what a layer has of its rows, or reads that of one row. A row has the pods that are new or changed, the
// keys of those that are gone, and the Events if they changed.
type section struct {
	*wire.Codec
	*tables
	node string // that the row is of, while it is read
	name []byte // of the pod that was read last
}

// tables are what pods and Events have in common: they have its place in a table.
type tables struct {
	words  packed.Table[string]
	others packed.Table[model.UID] // that are no UUIDs
	owners packed.Table[*model.Owner]
	lists  packed.Table[*model.Tolerations]
	// detailed: each pod ends with its details.
	detailed bool
}

func (t *tables) code(c *wire.Codec) {
	wire.List(c, &t.words.List, maxKeyframePods, func(c *wire.Codec, v *string) { c.Word(v) })
	wire.List(c, &t.others.List, maxKeyframePods, (*wire.Codec).OtherUID)
	wire.List(c, &t.owners.List, maxKeyframePods, (*wire.Codec).Owner)
	wire.List(c, &t.lists.List, maxKeyframePods, (*wire.Codec).Tolerations)
}

// from is the place of a value in a table.
func from[T comparable](c *wire.Codec, t *packed.Table[T], v *T) {
	var n uint64
	if !c.Reading() {
		n = t.Number(*v)
	}
	wire.Uint(c, &n)
	switch {
	case !c.Reading():
	case n < uint64(len(t.List)):
		*v = t.List[n]
	default:
		c.Fail(ErrKeyframe)
	}
}

func (s *section) word(all ...*string) {
	for _, v := range all {
		from(s.Codec, &s.words, v)
	}
}

// uid is a 1 and the bytes of a UUID, or a 0 and its place among the others.
func (s *section) uid(v *model.UID) { s.UIDElse(v, func() { from(s.Codec, &s.others, v) }) }

// The flags of a pod. Its times are in seconds, or with podExact in nanoseconds.
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

// flagsOf are the flags of a pod.
func flagsOf(p *model.Pod) (flags byte) {
	_, uuid := p.UID.UUID()
	exact := slices.ContainsFunc([]model.Instant{p.Created, p.Deletion, p.ReadySince, p.Disrupted}, func(t model.Instant) bool { return t%1e9 != 0 })
	for flag, on := range [...]bool{uuid, p.Deletion != 0, p.ReadySince != 0, p.Disrupted != 0, p.DisruptionReason != "", exact, p.Owner != nil, p.Tolerations != nil} {
		if on {
			flags |= 1 << flag
		}
	}
	return flags
}

// pod is a pod; before is when the pod before it was created. The name of one that is read is in s.name.
func (s *section) pod(p *model.Pod, before model.Instant) {
	c, flags := s.Codec, byte(0)
	if !c.Reading() {
		flags = flagsOf(p)
	}
	wire.Byte(c, &flags)
	has := func(flag byte) bool { return flags&flag != 0 }
	wire.Byte(c, &p.Phase)
	wire.Byte(c, &p.Ready)
	s.word(&p.Namespace)
	owner, shared := "", 0
	if has(podOwner) {
		if from(c, &s.owners, &p.Owner); c.Err() != nil {
			return
		}
		owner = p.Owner.Name
		for !c.Reading() && shared < min(len(owner), len(p.Name)) && owner[shared] == p.Name[shared] {
			shared++
		}
		wire.AtMost(c, len(owner), &shared)
	}
	if c.Reading() {
		p.Node = s.node
		s.name = append(append(s.name[:0], owner[:shared]...), c.In().Blob()...)
	} else {
		c.Out().Text(p.Name[shared:])
	}
	if has(podUUID) {
		c.UUID(&p.UID)
	} else {
		from(c, &s.others, &p.UID)
	}
	unit := int64(1e9)
	if has(podExact) {
		unit = 1
	}
	instant(c, &p.Created, before, unit)
	for k, t := range [...]*model.Instant{&p.Deletion, &p.ReadySince, &p.Disrupted} {
		if has(podDeletion << k) {
			instant(c, t, p.Created, unit)
		}
	}
	if has(podReason) {
		s.word(&p.DisruptionReason)
	}
	if has(podTolerations) {
		from(c, &s.lists, &p.Tolerations)
	}
	wire.Int(c, &p.GraceSeconds)
	if s.detailed {
		s.word((*string)(&p.Details))
	}
}

// instant is a time in units, against another.
func instant(c *wire.Codec, t *model.Instant, against model.Instant, unit int64) {
	from := columns.FloorDiv(int64(against), unit)
	by := columns.FloorDiv(int64(*t), unit) - from
	if wire.Int(c, &by); c.Reading() {
		*t = model.Instant((from + by) * unit)
	}
}

// write writes what a row has now: pods that are new or changed, keys of those that are gone, and its Events if they
// changed.
func (s *section) write(put []*model.Pod, gone []model.Key, changed bool, events []*model.Event) {
	s.Out().Uint(uint64(len(put)))
	var before model.Instant
	for _, p := range put {
		s.pod(p, before)
		before = p.Created
	}
	wire.List(s.Codec, &gone, 0, s.key)
	s.events(&changed, &events)
}

// pods reads the pods that are put. Pod and name are good until the next.
func (s *section) pods(visit func(p *model.Pod, name []byte)) {
	var p model.Pod
	for range s.In().Count(maxKeyframePods) {
		before := p.Created
		p = model.Pod{}
		if s.pod(&p, before); s.Err() != nil {
			return
		}
		visit(&p, s.name)
	}
}

// gone reads the keys of the pods that are gone.
func (s *section) gone() (keys []model.Key) {
	wire.List(s.Codec, &keys, maxKeyframePods, s.key)
	return keys
}

func (s *section) key(c *wire.Codec, k *model.Key) {
	s.word(&k.Namespace)
	wire.Text(c, &k.Name)
}

// events are the Events, if they changed.
func (s *section) events(changed *bool, events *[]*model.Event) {
	if s.Bool(changed); *changed {
		wire.List(s.Codec, events, maxEvents, s.event)
	}
}

func (s *section) event(c *wire.Codec, v **model.Event) {
	if c.Reading() {
		*v = &model.Event{}
	}
	e := *v
	s.uid(&e.UID)
	s.word(&e.Regarding.Kind, &e.Regarding.Namespace, &e.Regarding.Name)
	s.uid(&e.Regarding.UID)
	s.word(&e.Reason)
	wire.Text(c, &e.Message)
	s.word(&e.Component)
	c.Bool(&e.Warning)
	wire.Int(c, &e.Count)
	c.Instant(&e.First, &e.Last, &e.Created)
}

// unpack adds the pods that no layer above has, and notes what this layer has: pods, also those that are gone.
func (s *section) unpack(pods []*model.Pod, above map[model.Key]bool) []*model.Pod {
	s.pods(func(p *model.Pod, name []byte) {
		key := model.Key{Namespace: p.Namespace, Name: string(name)}
		if above[key] {
			return
		}
		above[key] = true
		q := *p
		q.Key = key
		pods = append(pods, &q)
	})
	for _, key := range s.gone() {
		above[key] = true
	}
	return pods
}

// maxEvents is how many Events a row may have.
const maxEvents = 64
