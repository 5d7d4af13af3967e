package whatif

import (
	"cmp"
	"maps"
	"slices"
	"sort"
	"time"

	"kardia/model"
	"kardia/model/control/informer"
	"kardia/model/control/kubelet"
	"kardia/model/control/loop"
	"kardia/model/simulate/forecast"
)

const (
	// notices is the longest time in which a renewing kubelet finds its node Unknown and posts: one status sync.
	notices = 10400 * time.Millisecond
	// samePass is the longest time between two declarations of one pass.
	samePass = time.Second
	// ends is how long a returning kubelet takes to end a pod that was deleted meanwhile.
	ends = time.Second
)

// kubelets are those of a course, as recorded or as edited.
type kubelets struct {
	c *course
	// heard is when each kubelet last renewed its lease in this course.
	heard map[string]model.Instant
	// renewed is the last renewTime of each kubelet, the next map whether it had written the same before.
	renewed map[string]model.Instant
	stands  map[string]bool
	// words are the last posted conditions of each kubelet.
	words map[string][]model.Condition
	// declared is when each Unknown node of this course was declared.
	declared map[string]model.Instant
	// posting are the kubelets that are about to post.
	posting map[string]bool
	// unready are the pods whose kubelet last posted NotReady for them.
	unready map[model.Key]bool
	// own are the kubelets that renew without a record.
	own map[string]bool
}

func newKubelets(c *course) kubelets {
	k := kubelets{c: c, heard: map[string]model.Instant{}, declared: map[string]model.Instant{}, renewed: map[string]model.Instant{}, stands: map[string]bool{}, words: map[string][]model.Condition{}, posting: map[string]bool{}, unready: map[model.Key]bool{}, own: map[string]bool{}}
	cache := c.loop.Cache
	var calm []int32
	for i, row := range cache.All() {
		if c.calm[row.Name] {
			calm = append(calm, i)
			k.own[row.Name] = true
		}
		k.heard[row.Name], k.renewed[row.Name] = row.Lease.Renewed, row.Lease.Renewed
		if row.Node != nil {
			heard := row.Node.Ready() != nil && !row.Node.Ready().DeclaredUnknown()
			for _, p := range row.Pods() {
				if p.Ready == model.StatusFalse && heard {
					k.unready[p.Key] = true
				}
			}
			k.words[row.Name] = slices.DeleteFunc(slices.Clone(row.Node.Conditions), func(x model.Condition) bool { return x.DeclaredUnknown() })
		}
	}
	c.loop.KeepBeating(calm)
	return k
}

// planEdits plans the branch's edits, and the kubelets after the end of the recording.
func (k *kubelets) planEdits() {
	for _, e := range k.c.branch.Edits {
		switch at := k.c.b.answers(max(e.At, k.c.b.From+1)); e.Kind {
		case Return:
			k.c.loop.At(at, func(*loop.Loop) { k.comeBack(e.Node, true) })
		case ReturnUnready:
			k.c.loop.At(at, func(*loop.Loop) { k.comeBack(e.Node, false) })
		case Rezone:
			k.c.loop.At(at, func(l *loop.Loop) { l.EditNode(e.Node, func(n *model.Node) { n.Zone = e.Zone }) })
		}
	}
	end := k.c.b.recordedUntil
	if k.c.b.Until <= end {
		return
	}
	k.c.loop.At(end+1, func(l *loop.Loop) {
		var calm []int32
		for i, row := range l.Cache.All() {
			switch {
			case row.Node == nil || k.silentAt(row.Name, end) || k.edited(row.Name, end) == Kill:
			case k.untouched(row):
				k.own[row.Name] = true
				calm = append(calm, i)
			default:
				k.goOn(row.Name)
			}
		}
		l.KeepBeating(calm)
	})
}

// untouched reports whether all later renewals of a kubelet are alike: they need not be simulated one by one then.
func (k *kubelets) untouched(row *informer.Row) bool {
	ready := row.Node.Ready()
	return ready != nil && !ready.DeclaredUnknown() && !k.stands[row.Name] && k.heard[row.Name].Sub(k.renewed[row.Name]).Abs() < time.Second && k.edited(row.Name, model.FarFuture) == NoEdit && k.c.branch.Params.NodeMonitorGracePeriod.Value > forecast.SilentAfter
}

// edited is the last edit of a kubelet by a time.
func (k *kubelets) edited(node string, at model.Instant) EditKind {
	kind := NoEdit
	for i := range k.c.branch.Edits {
		if e := &k.c.branch.Edits[i]; e.Node == node && e.At <= at && e.Kind != Rezone {
			kind = e.Kind
		}
	}
	return kind
}

// zoneAt is the zone of a node's last Rezone by a time; unknown for none.
func (k *kubelets) zoneAt(node string, at model.Instant) (zone model.Maybe[model.ZoneKey]) {
	for i := range k.c.branch.Edits {
		if e := &k.c.branch.Edits[i]; e.Kind == Rezone && e.Node == node && e.At <= at {
			zone = model.Some(e.Zone)
		}
	}
	return zone
}

// silentAt reports whether a kubelet has been silent for forecast.SilentAfter in this course.
func (k *kubelets) silentAt(node string, at model.Instant) bool {
	return !k.own[node] && at.Sub(k.heard[node]) >= forecast.SilentAfter || k.edited(node, at) == Kill
}

// alive reports whether a kubelet can end pods. A recorded silence counts from its last renewal.
func (k *kubelets) alive(node string) bool {
	now := k.c.loop.Now()
	if k.leaseless(node, now) && k.edited(node, now) == NoEdit {
		return true
	}
	if k.silentAt(node, now) {
		return false
	}
	return k.own[node] || !slices.ContainsFunc(k.c.b.world.silences[node], func(silent model.Interval) bool { return silent.Earliest < now && now < silent.Latest })
}

// comeBack lets a kubelet renew, and post Ready, or NotReady with its last conditions.
func (k *kubelets) comeBack(node string, isReady bool) {
	if k.c.loop.Cache.Node(node) == nil {
		return
	}
	k.stands[node], k.renewed[node] = false, k.heard[node] // its clock is right again
	words := slices.Clone(k.words[node])
	for i := range words {
		_, own := kubelet.WellWhen(words[i].Type)
		if said := words[i].Type == model.ConditionReady && words[i].Status == model.StatusFalse; own && (isReady || !said) {
			words[i] = healthy(words[i].Type)
		}
	}
	if !isReady {
		words = unready(words)
	}
	k.words[node] = words
	k.goOn(node)
	k.say(node)
}

// goOn lets a kubelet renew its lease on its own, by the clock that it had.
func (k *kubelets) goOn(node string) {
	if k.own[node] {
		return
	}
	k.own[node] = true
	every := kubelet.Defaults(k.c.branch.Params.Version).RenewEvery()
	every += every / 50 // half of the jitter
	behind := k.heard[node].Sub(k.renewed[node])
	var beat func(l *loop.Loop)
	beat = func(l *loop.Loop) {
		if l.Cache.Node(node) == nil || k.edited(node, l.Now()) == Kill {
			delete(k.own, node)
			return
		}
		if answers := k.c.b.answers(l.Now()); answers > l.Now() {
			l.At(answers, beat)
			return
		}
		if k.stands[node] {
			k.renew(node, k.renewed[node])
		} else {
			k.renew(node, l.Now().Add(-behind))
		}
		l.At(l.Now().Add(every), beat)
	}
	now := k.c.loop.Now()
	if next := k.heard[node].Add(every); next > now && next <= now.Add(every) {
		k.c.loop.At(next, beat)
		return
	}
	beat(k.c.loop)
}

func (k *kubelets) renew(node string, renewed model.Instant) {
	l := k.c.loop
	if l.Now().Sub(k.heard[node]) >= forecast.SilentAfter {
		k.finish(node)
	}
	k.stands[node] = renewed == k.renewed[node]
	k.heard[node], k.renewed[node] = l.Now(), renewed
	l.Renew(node, renewed)
	k.notice(node)
}

// notice lets a kubelet that finds its node Unknown post with its next status sync, unless such a post was recorded.
func (k *kubelets) notice(node string) {
	l := k.c.loop
	n := l.Cache.Node(node)
	if n == nil || k.posting[node] || !n.Ready().DeclaredUnknown() || !k.own[node] && k.saysSoon(node) {
		return
	}
	k.posting[node] = true
	wait := time.Duration(0)
	switch {
	case k.c.variant.late:
		wait = notices
	case k.c.variant.passes == fitted:
		wait = notices / 2
	}
	l.At(l.Now().Add(wait), func(l *loop.Loop) {
		delete(k.posting, node)
		if n := l.Cache.Node(node); n != nil && n.Ready().DeclaredUnknown() && k.edited(node, l.Now()) != Kill {
			k.say(node)
		}
	})
}

// planLeaseless lets kubelets that ran without renewing leases check whether they were declared.
func (k *kubelets) planLeaseless() {
	world := k.c.b.world
	for _, name := range slices.Sorted(maps.Keys(world.leaseless)) {
		for _, without := range world.leaseless[name] {
			k.look(name, max(without.Earliest, k.c.b.From+1), without.Latest)
		}
	}
}

// looksEvery is the time between two such checks.
const looksEvery = 250 * time.Millisecond

func (k *kubelets) look(node string, from, until model.Instant) {
	if from < until {
		k.c.loop.At(from, func(*loop.Loop) {
			if k.edited(node, from) == NoEdit {
				k.notice(node)
			}
			k.look(node, from.Add(looksEvery), until)
		})
	}
}

// leaseless reports whether a kubelet ran at a time without renewing its lease.
func (k *kubelets) leaseless(node string, at model.Instant) bool {
	return slices.ContainsFunc(k.c.b.world.leaseless[node], func(without model.Interval) bool { return without.Contains(at) })
}

// saysSoon reports whether a kubelet was recorded to post about now, so that no post has to be assumed.
func (k *kubelets) saysSoon(node string) bool {
	list, now := k.c.b.world.posts[node], k.c.loop.Now()
	i := sort.Search(len(list), func(i int) bool { return list[i].at > now })
	for ; i < len(list) && list[i].at.Sub(now) <= notices+2*time.Second; i++ {
		if answers := list[i].answers; !answers.Known() || answers.Sub(k.declared[node]).Abs() <= samePass {
			return true
		}
	}
	return false
}

// makes reports whether a kubelet repeats a recorded post. It answers a declaration only if there is one in this
// course; a returning one may have posted anyway.
func (k *kubelets) makes(e *event) bool {
	n := k.c.loop.Cache.Node(e.name)
	if !e.node.answers.Known() && !e.node.returns.Known() || n == nil || n.Ready() == nil || n.Ready().DeclaredUnknown() {
		return true
	}
	return e.node.returns.Known() && k.c.variant.late || slices.ContainsFunc(e.node.posted, func(c model.Condition) bool {
		have := n.Condition(c.Type)
		return have == nil || have.Status != c.Status
	})
}

// say lets a kubelet post its last conditions again.
func (k *kubelets) say(node string) {
	l := k.c.loop
	n := l.Cache.Node(node)
	now := l.Now().Truncate(time.Second)
	words := slices.Clone(k.words[node])
	for _, c := range n.Conditions {
		if !slices.ContainsFunc(words, func(w model.Condition) bool { return w.Type == c.Type }) {
			words = append(words, healthy(c.Type))
		}
	}
	for i := range words {
		words[i].Heartbeat = now
		if have := n.Condition(words[i].Type); have == nil || have.Status != words[i].Status {
			words[i].Transition = now
		}
	}
	k.post(node, words)
}

// unready are NotReady conditions: the last ones if they were so.
func unready(words []model.Condition) []model.Condition {
	no := model.Condition{Type: model.ConditionReady, Status: model.StatusFalse, Reason: "KubeletNotReady"}
	switch i := slices.IndexFunc(words, func(c model.Condition) bool { return c.Type == model.ConditionReady }); {
	case i < 0:
		return append(words, no)
	case words[i].Status != model.StatusFalse:
		words[i] = no
	}
	return words
}

// healthy is a healthy kubelet's condition.
func healthy(kind string) model.Condition {
	c := model.Condition{Type: kind, Status: model.StatusFalse}
	if want, own := kubelet.WellWhen(kind); own {
		c.Status = want
	}
	if kind == model.ConditionReady {
		c.Reason = "KubeletReady"
	}
	return c
}

// post writes a kubelet's conditions into its node's status, and handles the pods of one that returns.
func (k *kubelets) post(node string, said []model.Condition) {
	l := k.c.loop
	n := l.Cache.Node(node)
	if n == nil {
		return
	}
	back := n.Ready().DeclaredUnknown()
	l.EditNode(node, func(n *model.Node) {
		for _, c := range said {
			have := n.Condition(c.Type)
			switch {
			case have == nil:
				n.Conditions = append(n.Conditions, c)
				continue
			case have.Status == c.Status:
				c.Transition = have.Transition // a kubelet keeps what it finds
			case c.Transition <= have.Transition:
				c.Transition = cmp.Or(c.Heartbeat, l.Now().Truncate(time.Second))
			}
			*have = c
		}
	})
	k.words[node] = merge(k.words[node], said)
	if back && l.Cache.Node(node).IsReady() {
		k.tend(node)
	}
}

func merge(words, said []model.Condition) []model.Condition {
	words = slices.Clone(words)
	for _, c := range said {
		if i := slices.IndexFunc(words, func(w model.Condition) bool { return w.Type == c.Type }); i >= 0 {
			words[i] = c
		} else {
			words = append(words, c)
		}
	}
	return words
}

// finish ends the pods that were deleted while their kubelet was silent, unless their end was recorded.
func (k *kubelets) finish(node string) {
	l, world := k.c.loop, k.c.b.world
	row := l.Cache.Find(node)
	if row == nil {
		return
	}
	for _, p := range row.Pods() {
		at, evicted := world.evicted[p.UID]
		if p.Deletion.Known() && !(evicted && at <= l.Now() && world.removed[p.UID] >= l.Now()) {
			l.At(l.Now().Add(ends), func(l *loop.Loop) {
				if k.c.find(p) != nil {
					l.RemovePod(node, p.Key)
				}
			})
		}
	}
}

// tend makes the pods of a returning kubelet Ready. If the return is recorded, pods recorded as NotReady wait for that.
func (k *kubelets) tend(node string) {
	l := k.c.loop
	for _, p := range slices.Clone(l.Cache.Find(node).Pods()) {
		if !k.own[node] && k.c.b.world.stays(p, l.Now()) {
			continue
		}
		if !p.Deletion.Known() && p.Ready == model.StatusFalse && p.Phase == model.PhaseRunning && !k.unready[p.Key] {
			ready := *p
			ready.Ready, ready.ReadySince = model.StatusTrue, l.Now().Truncate(time.Second)
			l.SetPod(&ready)
		}
	}
}
