package recording

import (
	"kardia/sources/recording/wire"
)

// Texts calls visit for every text in the dictionary and in the keyframes, for a caller that must know that something
// is not in the file. Those of the Changes are in the Changes.
func (f *File) Texts(visit func(text string)) error {
	for k := range f.words.Entries {
		e := &f.words.Entries[k]
		visit(e.Key.Namespace)
		visit(e.Key.Name)
		visit(e.Uid.String())
		visit(e.Lease.Holder)
		visit(e.Lease.UID.String())
		if e.Node != nil {
			wire.NodeTexts(e.Node, visit)
		}
	}
	for _, ref := range f.index.keyframes {
		l, err := f.layer(ref)
		if err != nil {
			return err
		}
		l.Texts(visit)
		state, err := f.stateAt(ref)
		if err != nil {
			return err
		}
		for r := range state.Rows {
			visit(r.Lease.Holder)
			visit(r.Lease.UID.String())
		}
		for _, leader := range state.Leaders() {
			visit(leader.Name)
			visit(leader.Holder)
			visit(leader.UID.String())
		}
	}
	return nil
}
