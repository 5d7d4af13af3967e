package snapshots

import (
	"kardia/model"
	"kardia/sources/recording/wire"
)

// maxRelated is how many related objects of a kind a state may have.
const maxRelated = 1 << 17

// writeRelated writes the related objects, which are few, and since when claims are wanted no more; nothing
// where there are none of either.
//
//	for each related kind: uvarint objects, then each: string namespace, string name, UID, instant created,
//	         instant deleted, string details, uvarint version, interval in which it was written
//	uvarint  claims, then each: string node, string namespace, string name, interval
//
// Each kind comes after its number, and 0 after the last.
func writeRelated(o *wire.Writer, c *model.Cluster) {
	var related, released int
	var body wire.Writer
	for _, kind := range model.RelatedKinds {
		var rows wire.Writer
		n := 0
		for key, r := range c.RelatedOf(kind) {
			n++
			rows.Text(key.Namespace)
			rows.Text(key.Name)
			rows.UID(r.UID)
			rows.Instant(r.Created)
			rows.Instant(r.Deleted)
			rows.Text(string(r.Details))
			rows.Uint(r.Version)
			rows.Interval(r.Written)
		}
		if n > 0 {
			body.Uint(uint64(kind))
			body.Uint(uint64(n))
			body.B = append(body.B, rows.B...)
		}
		related += n
	}
	body.Uint(0)
	var claims wire.Writer
	for k, at := range c.AllReleased {
		released++
		claims.Text(k.Node)
		claims.Text(k.Namespace)
		claims.Text(k.Name)
		claims.Interval(at)
	}
	if related+released == 0 {
		return
	}
	o.B = append(o.B, body.B...)
	o.Uint(uint64(released))
	o.B = append(o.B, claims.B...)
}

// readRelated reads what writeRelated has written.
func readRelated(i *wire.Reader, c *model.Cluster, names *wire.Names) error {
	if i.Err != nil || len(i.B) == 0 {
		return i.Err
	}
	for {
		kind := model.Kind(i.AtMost(int(model.LastKind)))
		if kind == 0 || i.Err != nil {
			break
		}
		if !kind.Related() {
			return ErrKeyframe
		}
		for range i.Count(maxRelated) {
			key := model.Key{Namespace: names.Bytes(i.Blob()), Name: string(i.Blob())}
			row := model.RelatedRow{Related: &model.Related{UID: i.UID(names), Created: i.Instant(), Deleted: i.Instant(), Details: model.Details(i.Blob())},
				Version: i.Uint(), Written: i.Interval()}
			if i.Err != nil {
				return i.Err
			}
			c.PutRelated(kind, key, row)
		}
	}
	for range i.Count(maxRelated) {
		k := model.Claim{Node: names.Bytes(i.Blob()), Key: model.Key{Namespace: names.Bytes(i.Blob()), Name: string(i.Blob())}}
		at := i.Interval()
		if i.Err != nil {
			return i.Err
		}
		c.PutReleased(k, at)
	}
	return i.Err
}
