package recording

import "kardia/model"

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

func nodeTexts(n *model.Node, visit func(text string)) {
	for _, s := range [...]string{n.UID.String(), n.Place.Region, n.Place.Zone, n.KubeletVersion, n.OS, n.Arch, n.InstanceType, n.ProviderID} {
		visit(s)
	}
	for _, c := range n.Conditions {
		visit(c.Type)
		visit(c.Reason)
		visit(c.Message)
	}
	for _, t := range n.Taints {
		visit(t.Key)
		visit(t.Value)
	}
}

func (l *layer) texts(visit func(text string)) {
	for _, name := range l.names {
		visit(name)
	}
	for _, r := range l.nodes {
		if r.node != nil {
			nodeTexts(r.node, visit)
		}
	}
	for _, word := range l.tables.words {
		visit(word)
	}
	for _, uid := range l.tables.others {
		visit(uid.String())
	}
	for _, o := range l.tables.owners {
		visit(o.Kind)
		visit(o.Name)
	}
	for _, list := range l.tables.lists {
		for _, t := range list.List() {
			visit(t.Key)
			visit(t.Value)
			visit(t.Operator)
		}
	}
	for k := range l.boxes {
		r := l.reader(&l.boxes[k], "")
		r.pods(func(p *model.Pod, name []byte) {
			visit(string(name))
			visit(p.UID.String())
		})
		r.gone(func(_ string, name []byte) { visit(string(name)) })
		_, events := r.events()
		for _, e := range events {
			visit(e.Message)
			visit(e.UID.String())
			visit(e.Regarding.UID.String())
		}
	}
}
