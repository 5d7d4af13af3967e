package rows

import (
	"kardia/model"
	"kardia/sources/recording/container"
	"kardia/sources/recording/wire"
)

// A JSON message holds a version of an object and, as "then", its later versions in the page. Each is its differences
// from the one before.
//
//	{"kind":"Pod","name":"web-0",…,"pod":{"phase":"Pending",…},"then":[
//	  {"after":0.016,"op":"modify","version":803135861,"pod":{"node":"ip-10-1-2-3"}},
//	  {"after":1.5,"version":803135990,"pod":{"phase":"Running"}}]}

// beginning is the expected first version of an object: empty, with all four times equal to own, its log_time.
func beginning(own model.Instant) model.Change {
	return model.Change{At: own, Arrival: own, Time: model.Exactly(own)}
}

// expect makes a version the expected one after it, with no changes. A time equal to wasOwn, at which it took effect,
// becomes own; any other stays.
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

// encodeNext is the differences of a Change from the version before it.
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

// DecodeRows reads a message into first, and appends up to limit later versions to later. own is its log_time.
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

// row describes a Change. When reading, was is the Change itself, initially as expected.
func (c *Coder) row(ch, was *model.Change) {
	enum(c, "kind", &ch.Kind, was.Kind, model.LastKind)
	enum(c, "op", &ch.Op, was.Op, model.OpGap)
	c.word("namespace", &ch.Key.Namespace, was.Key.Namespace)
	c.text("name", &ch.Key.Name, was.Key.Name)
	c.uid(&ch.UID, was.UID)
	number(c, "version", &ch.Version, was.Version)
	number(c, "previous", &ch.Previous, was.Previous)
	enum(c, "quality", &ch.Quality, was.Quality, model.ByOrder)
	enum(c, "writer", &ch.Writer, was.Writer, model.WriterPerson)
	pointed(c, "requester", &ch.Requester, was.Requester, nil, func(r *model.Requester) *model.Requester { return c.Names.SharedRequester(*r) }, (*Coder).userAndAgent)
	number(c, "code", &ch.Code, was.Code)
	c.instant("at", &ch.At, was.At)
	c.instant("arrival", &ch.Arrival, was.Arrival)
	c.instant("earliest", &ch.Time.Earliest, was.Time.Earliest)
	c.instant("latest", &ch.Time.Latest, was.Time.Latest)
	c.text("note", &ch.Note, was.Note)
	c.origin(&ch.Origin, &was.Origin)
	optional(c, "also", &ch.Also, was.Also, model.Origin{}, (*Coder).origin)
	pointed(c, "node", &ch.Node, was.Node, func() model.Node { return model.Node{UID: ch.UID} }, nil, (*Coder).node)
	pointed(c, "pod", &ch.Pod, was.Pod, func() model.Pod { return model.Pod{Key: ch.Key, UID: ch.UID} }, nil, (*Coder).pod)
	pointed(c, "event", &ch.Event, was.Event, func() model.Event { return model.Event{UID: ch.UID} }, nil, (*Coder).event)
	pointed(c, "related", &ch.Related, was.Related, func() model.Related { return model.Related{UID: ch.UID} }, nil, (*Coder).related)
	optional(c, "lease", &ch.Lease, was.Lease, model.Lease{UID: ch.UID}, (*Coder).lease)
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
