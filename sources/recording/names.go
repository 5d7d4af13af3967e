package recording

import (
	"kardia/model"
	"kardia/sources/jsonscan"
)

// names gives strings that repeat the same memory, for as long as a File or a Writer lives: the
// state keeps them, and UIDs that are no UUIDs must be the same pointer to compare.
type names struct {
	model.Interner
	others model.Interner // UIDs, which must not be forgotten when names are
}

func (n *names) uid(text []byte) model.UID {
	if n.others.Limit == 0 {
		n.others.Limit = 1 << 20
	}
	return model.ParseUID(jsonscan.View(text), n.others.Pointer) // which copies it
}

// owner is a shared Owner, also of an empty one, which is not the same as none.
func (n *names) owner(kind, name string) *model.Owner {
	if kind == "" && name == "" {
		return &model.Owner{}
	}
	return n.Owner(kind, name)
}

// tolerations is a shared list, also of an empty one, which is not the same as none.
func (n *names) tolerations(list model.Tolerations) *model.Tolerations {
	if len(list) == 0 {
		return &model.Tolerations{}
	}
	return n.Tolerations(list)
}
