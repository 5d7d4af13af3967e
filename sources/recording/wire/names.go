package wire

import (
	"kardia/model"
	"kardia/sources/read/jsonscan"
)

// Names gives equal strings the same memory while a File or a Writer lives. The state keeps them, and UIDs that are no
// UUIDs must be the same pointer to compare.
type Names struct {
	model.Interner
	others model.Interner // UIDs, which must not be forgotten when names are
}

func (n *Names) UID(text []byte) model.UID {
	if n.others.Limit == 0 {
		n.others.Limit = 1 << 20
	}
	return model.ParseUID(jsonscan.View(text), n.others.Pointer) // which copies it
}

// SharedOwner is a shared Owner, also of an empty one, which is not the same as none.
func (n *Names) SharedOwner(kind, name string) *model.Owner {
	if kind == "" && name == "" {
		return &model.Owner{}
	}
	return n.Owner(kind, name)
}

// SharedRequester is a shared Requester, also of an empty one, which is not the same as none.
func (n *Names) SharedRequester(r model.Requester) *model.Requester {
	if r == (model.Requester{}) {
		return &model.Requester{}
	}
	return n.Requester(r)
}

// SharedTolerations is a shared list, also of an empty one, which is not the same as none.
func (n *Names) SharedTolerations(list model.Tolerations) *model.Tolerations {
	if len(list) == 0 {
		return &model.Tolerations{}
	}
	return n.Tolerations(list)
}
