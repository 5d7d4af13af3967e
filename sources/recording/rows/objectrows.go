package rows

import (
	"kardia/model"
	"kardia/sources/recording/container"
)

// Messages collects the JSON Changes of a page: a message for each object, with all its versions of that page.
type Messages struct {
	all  []objectRow
	open map[objectKey]int // the message that an object's next version goes into

	// The last version added to an existing message: when it takes effect, and the message.
	last   model.Instant
	lastIn int
}

// objectKey is what all rows of a message have in common.
type objectKey struct {
	kind model.Kind
	key  model.Key
	uid  model.UID
}

// objectRow is an unfinished message.
type objectRow struct {
	container.Message
	newest *model.Change
	many   bool // it has versions after the first
}

// Encode is a Change as the version after another one, in the message with the number into, or with −1 a row of its
// own. The data are valid until the next Change is encoded.
//
// The reader finds the place of a later version by the time at which it takes effect, then by the order of messages. So
// one that would come too early there starts a message of its own.
func (r *Messages) Encode(c *Coder, ch *model.Change) (data []byte, into int) {
	into, ok := r.open[objectKey{ch.Kind, ch.Key, ch.UID}]
	if !ok || ch.Effective() == r.last && into < r.lastIn {
		return c.EncodeRow(ch), -1
	}
	return c.encodeNext(ch, r.all[into].newest), into
}

// Add takes encoded data. ch must not change until the page ends.
func (r *Messages) Add(ch *model.Change, data []byte, into int, channel uint16, sequence uint32) {
	if into < 0 {
		if r.open == nil {
			r.open = map[objectKey]int{}
		}
		r.open[objectKey{ch.Kind, ch.Key, ch.UID}] = len(r.all)
		r.all = append(r.all, objectRow{container.Message{Channel: channel, Sequence: sequence, At: container.LogTime(ch.Effective()), Data: append([]byte(nil), data...)}, ch, false})
		return
	}
	row := &r.all[into]
	if row.many {
		row.Data[len(row.Data)-1] = ','
	} else {
		row.Data = row.Data[:len(row.Data)-1]
		if len(row.Data) > len("{") {
			row.Data = append(row.Data, ',')
		}
		row.Data = append(row.Data, `"then":[`...)
		row.many = true
	}
	row.Data = append(append(row.Data, data...), ']')
	row.newest = ch
	r.last, r.lastIn = ch.Effective(), into
}

// All are what the page holds, in the order of their first versions.
func (r *Messages) All() []container.Message {
	all := make([]container.Message, len(r.all))
	for k := range r.all {
		all[k] = r.all[k].Message
		if r.all[k].many {
			all[k].Data = append(all[k].Data, '}')
		}
	}
	return all
}
