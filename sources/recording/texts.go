package recording

// Texts calls visit for every text that stands in the dictionary and in the keyframes, for who must
// know that something is not in the file. Those of the Changes are in the Changes.
func (f *File) Texts(visit func(text string)) error {
	for k := range f.words.entries {
		e := &f.words.entries[k]
		visit(e.key.Namespace)
		visit(e.key.Name)
		visit(e.uid.String())
		visit(e.lease.Holder)
		visit(e.lease.UID.String())
		if e.node != nil {
			nodeTexts(e.node, visit)
		}
	}
	for _, ref := range f.index.keyframes {
		l, err := f.layer(ref)
		if err != nil {
			return err
		}
		l.texts(visit)
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
