package snapshots

import (
	"kardia/model"
	"kardia/sources/recording/wire"
)

// maxRelated is how many related objects of a kind a state may have.
const maxRelated = 1 << 17

// relatedObject is a related object with its key.
type relatedObject struct {
	model.Key
	model.RelatedRow
}

func codeRelated(c *wire.Codec, o *relatedObject) {
	if c.Reading() {
		o.Related = &model.Related{}
	}
	c.Word(&o.Namespace)
	wire.Text(c, &o.Name)
	c.UID(&o.UID)
	c.Instant(&o.Created, &o.Deleted)
	wire.Text(c, &o.Details)
	wire.Uint(c, &o.Version)
	c.Interval(&o.Written)
}

// released is a claim, and the time since which no pod wants it.
type released struct {
	model.Claim
	at model.Interval
}

func codeReleased(c *wire.Codec, r *released) {
	c.Word(&r.Node, &r.Namespace)
	wire.Text(c, &r.Name)
	c.Interval(&r.at)
}

// writeRelated writes the related objects of a state, kind after kind with a 0 at the end, and its released claims.
func writeRelated(c *wire.Codec, s *model.Cluster) {
	for _, kind := range model.RelatedKinds {
		var objects []relatedObject
		for key, row := range s.RelatedOf(kind) {
			objects = append(objects, relatedObject{key, row})
		}
		if len(objects) > 0 {
			wire.Uint(c, &kind)
			wire.List(c, &objects, 0, codeRelated)
		}
	}
	end := model.KindNone
	wire.Uint(c, &end)
	var claims []released
	for claim, at := range s.AllReleased {
		claims = append(claims, released{claim, at})
	}
	wire.List(c, &claims, 0, codeReleased)
}

// readRelated reads what writeRelated has written. A state of a file from before there were any ends here.
func readRelated(c *wire.Codec, s *model.Cluster) {
	if c.AtEnd() {
		return
	}
	for {
		var kind model.Kind
		if wire.Uint(c, &kind); kind == model.KindNone {
			break
		}
		if !kind.Related() {
			c.Fail(ErrKeyframe)
		}
		var objects []relatedObject
		wire.List(c, &objects, maxRelated, codeRelated)
		for _, o := range objects {
			s.PutRelated(kind, o.Key, o.RelatedRow)
		}
	}
	var claims []released
	wire.List(c, &claims, maxRelated, codeReleased)
	for _, r := range claims {
		s.PutReleased(r.Claim, r.at)
	}
}
