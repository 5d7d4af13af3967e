package recording

import "kardia/model"

// A pod table is pods, with what they share told once.
//
//	uvarint  words, then each: string
//	uvarint  owners, then each: string kind, string name
//	uvarint  lists of tolerations, then each
//	uvarint  pods, then each: uvarint namespace, string name, UID, uvarint node, instants Created,
//	         Deletion, ReadySince and Disrupted, uvarint reason, uvarint owner, uvarint
//	         tolerations, varint grace, byte phase, byte ready
//
// Namespace, node and reason count the words; owner and tolerations count from 1, with 0 for
// none. Created is against that of the pod before, and the other instants against Created where
// they are not 0: see near.

func (o *out) podTable(pods []*model.Pod) {
	words, owners, lists := map[string]uint64{}, map[model.Owner]uint64{}, map[*model.Tolerations]uint64{}
	var word, owner, list out
	say := func(s string) uint64 {
		n, ok := words[s]
		if !ok {
			n = uint64(len(words))
			words[s] = n
			word.string(s)
		}
		return n
	}
	var rows out
	var before model.Instant
	for _, p := range pods {
		rows.uint(say(p.Namespace))
		rows.string(p.Name)
		rows.uid(p.UID)
		rows.uint(say(p.Node))
		rows.int(int64(p.Created - before))
		before = p.Created
		for _, t := range [...]model.Instant{p.Deletion, p.ReadySince, p.Disrupted} {
			rows.bool(t != 0)
			if t != 0 {
				rows.int(int64(t - p.Created))
			}
		}
		rows.uint(say(p.DisruptionReason))
		var n uint64
		if p.Owner != nil {
			var ok bool
			if n, ok = owners[*p.Owner]; !ok {
				n = uint64(len(owners)) + 1
				owners[*p.Owner] = n
				owner.string(p.Owner.Kind)
				owner.string(p.Owner.Name)
			}
		}
		rows.uint(n)
		n = 0
		if p.Tolerations != nil {
			var ok bool
			if n, ok = lists[p.Tolerations]; !ok {
				n = uint64(len(lists)) + 1
				lists[p.Tolerations] = n
				list.tolerations(*p.Tolerations)
			}
		}
		rows.uint(n)
		rows.int(int64(p.GraceSeconds))
		rows.byte(byte(p.Phase))
		rows.byte(byte(p.Ready))
	}
	for _, t := range [...]struct {
		n int
		b []byte
	}{{len(words), word.b}, {len(owners), owner.b}, {len(lists), list.b}, {len(pods), rows.b}} {
		o.uint(uint64(t.n))
		o.b = append(o.b, t.b...)
	}
}

// minPodRow is how many bytes a pod takes at least.
const minPodRow = 15

// podTable reads the pods into a state, and returns how many are gone.
func (i *in) podTable(names *names, c *model.Cluster) (gone int) {
	words := make([]string, i.count(maxKeyframePods))
	for k := range words {
		words[k] = names.Bytes(i.bytes())
	}
	owners := make([]*model.Owner, i.count(maxKeyframePods))
	for k := range owners {
		owners[k] = names.owner(names.Bytes(i.bytes()), names.Bytes(i.bytes()))
	}
	lists := make([]*model.Tolerations, i.count(maxKeyframePods))
	for k := range lists {
		lists[k] = i.tolerations(names)
	}
	n := i.count(maxKeyframePods)
	if n > len(i.b)/minPodRow {
		i.fail(errShort)
		return 0
	}
	pods, nodes := i.podRows(n, words, owners, lists, names)
	if i.err != nil {
		return 0
	}
	gone = i.count(maxKeyframePods)
	if i.err != nil {
		return 0
	}
	c.ExpectPods(n)
	eachNode(pods, nodes, words, c.PutPods)
	return gone
}

// podRows reads n pods, and which of the words is the node of each. A state has as many pods as it
// takes long to allocate one by one, so they and their names lie together.
func (i *in) podRows(n int, words []string, owners []*model.Owner, lists []*model.Tolerations, names *names) (pods []model.Pod, nodes []int32) {
	word := func() int {
		k := i.small(maxKeyframePods)
		if k >= len(words) {
			i.fail(errKeyframe)
			return 0
		}
		return k
	}
	pods, nodes = make([]model.Pod, n), make([]int32, n)
	called, ends := make([]byte, 0, 20*n), make([]int, n)
	var before model.Instant
	for k := range pods {
		p := &pods[k]
		namespace := word()
		called = append(called, i.bytes()...)
		ends[k] = len(called)
		p.UID = i.uid(names)
		node := word()
		p.Created = before + i.instant()
		before = p.Created
		for _, t := range [...]*model.Instant{&p.Deletion, &p.ReadySince, &p.Disrupted} {
			if i.bool() {
				*t = p.Created + i.instant()
			}
		}
		reason := word()
		if k := i.small(len(owners)); k > 0 {
			p.Owner = owners[k-1]
		}
		if k := i.small(len(lists)); k > 0 {
			p.Tolerations = lists[k-1]
		}
		p.GraceSeconds, p.Phase, p.Ready = int32(i.int()), model.Phase(i.byte()), model.Status(i.byte())
		if i.err != nil {
			return nil, nil
		}
		p.Namespace, p.Node, p.DisruptionReason = words[namespace], words[node], words[reason]
		nodes[k] = int32(node)
	}
	text, start := string(called), 0
	for k, end := range ends {
		pods[k].Name = text[start:end]
		start = end
	}
	return pods, nodes
}

// eachNode hands over the pods by node, those of one in the order in which they stand.
func eachNode(pods []model.Pod, nodes []int32, words []string, put func(node string, pods []*model.Pod)) {
	ends := make([]int32, len(words)+1)
	for _, k := range nodes {
		ends[k+1]++
	}
	for k := range words {
		ends[k+1] += ends[k]
	}
	sorted := make([]*model.Pod, len(pods))
	for k := range pods {
		at := &ends[nodes[k]]
		sorted[*at] = &pods[k]
		*at++
	}
	start := int32(0)
	for k, node := range words {
		if end := ends[k]; end > start {
			put(node, sorted[start:end])
			start = end
		}
	}
}
