package recording

import (
	"kardia/model"
	"kardia/sources/jsonscan"
)

// names gives strings that repeat the same memory, for as long as a File or a Writer lives: the
// state keeps them, and UIDs that are no UUIDs must be the same pointer to compare.
type names struct {
	model.Interner
	others model.Interner          // UIDs, which must not be forgotten when names are
	owners map[string]*model.Owner // by their JSON
	nodes  nodeRoom
}

// maxOwners is how many texts of owners are kept, of up to maxOwner bytes each.
const (
	maxOwners = 1 << 16
	maxOwner  = 1 << 8
)

// keepOwner keeps an owner for the JSON it was read from.
func (n *names) keepOwner(text []byte, owner *model.Owner) {
	if len(text) > maxOwner {
		return
	}
	if n.owners == nil || len(n.owners) >= maxOwners {
		n.owners = map[string]*model.Owner{}
	}
	n.owners[string(text)] = owner
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
