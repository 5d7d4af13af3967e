package recording

import "kardia/model"

// Stored calls visit for everything in the dictionary and in the keyframes, so that a caller can prove that something
// is not in the file. A visited value is valid until the next.
func (f *File) Stored(visit func(what any)) error {
	for k := range f.words.Entries {
		visit(&f.words.Entries[k])
	}
	for _, ref := range f.index.keyframes {
		l, err := f.layer(ref)
		if err != nil {
			return err
		}
		l.Each(visit)
		state, err := f.stateAt(ref)
		if err != nil {
			return err
		}
		for r := range state.Rows {
			visit(&r.Lease)
		}
		visit(state.Leaders())
		for _, kind := range model.RelatedKinds {
			for key, o := range state.RelatedOf(kind) {
				visit(key)
				visit(o)
			}
		}
		for claim := range state.AllReleased {
			visit(claim)
		}
	}
	return nil
}
