package node

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// fact is one or more lines of the facts pane.
type fact struct{ word, value string }

func (c *rendering) facts(w int) part {
	var facts []fact
	add := func(word, value string) {
		if value != "" {
			facts = append(facts, fact{word, c.p.Text(value)})
		}
	}
	n := c.row.Node
	if n != nil {
		runs := []string{n.KubeletVersion, strings.Trim(n.OS+"/"+n.Arch, "/"), n.InstanceType}
		add("kubelet", strings.Join(slices.DeleteFunc(runs, func(s string) bool { return s == "" }), "   "))
		add("zone", n.Zone.String())
		add("created", c.ago(n.Created))
		add("registered", c.registered())
		add("before it", c.namesake(n))
		if n.Deleted.Known() {
			add("deleting since", c.ago(n.Deleted))
		}
		if n.ExcludeDisruption {
			add("excluded", words.Of("facts.excluded").In(c.p))
		}
	}
	if track := c.lanes(c.w).track; track.Window.Known() && !track.Reading {
		from := max(track.Window.Earliest, c.s.Coverage.Earliest)
		changed := times(track.Flips)
		if track.Flips == 0 && c.row.ReadySince() > from { // before the node was seen first
			changed = words.Label("at least once")
		}
		add("Ready changed", words.Of("facts.changed", "times", changed, "for", c.since(from)).In(c.p))
	}
	c.shutdown(add)
	c.volumes(add)
	add("renewals seen", strconv.Itoa(int(c.row.Lease.Renewals)))
	if n != nil {
		c.system(n, add)
		add("provider", n.ProviderID)
		add("uid", n.UID.String())
	}
	c.rhythms(add)
	if n != nil {
		c.pressures(n, add)
		c.labels(n, add)
	}
	var rows []paint.Row
	const column = 15
	for _, f := range facts {
		l := c.p.Line(w).Skip(2).Left(themes.Faint, words.Label(f.word), column)
		if paint.Width(f.value) > l.Rest() {
			rows = append(rows, c.p.Folded(l, themes.Dim, f.value)...)
		} else {
			rows = append(rows, l.Put(themes.Dim, f.value).Row())
		}
	}
	return part{pane: paneFacts, title: "Facts", List: widget.List{N: len(rows), Draw: func(i int) paint.Row { return rows[i] }}}
}

// rhythms are when its kubelet is expected: its lease and its status, and its retry of a failed renewal. They rest on
// the defaults of its version if the lease does not show them.
func (c *rendering) rhythms(add func(word, value string)) {
	say := func(word string, text words.Say) { add(word, text.In(c.p)) }
	config := kubelet.Defaults(c.s.Params.Version)
	lease := &c.row.Lease
	if lease.Seen && !lease.Gone {
		by := words.Of("facts.lease-default")
		if lease.Seconds > 0 {
			config.LeaseDuration, by = time.Duration(lease.Seconds)*time.Second, words.Of("facts.lease-quarter", "seconds", int(lease.Seconds))
		}
		say("its lease", words.Of("facts.lease", "every", model.Length(config.RenewEvery()), "by", by, "tries", kubelet.UpdateTries,
			"first", model.Length(kubelet.EnsureWait(0)), "most", model.Length(kubelet.EnsureWait(99))))
		say("its pauses", c.pausesInWords())
		if lease.Refused > 0 {
			say("lease refused", words.Of("facts.refused", "n", int(lease.Refused)))
		}
	}
	posted := c.row.Posted
	if !posted.Bounded() || !c.s.At.Bounded() {
		return
	}
	meant := words.Of("facts.status", "every", model.Length(config.StatusReport), "within", model.Length(config.StatusUpdate))
	every, often, seen := c.postsOften()
	if seen {
		config.StatusReport = every
		if meant = words.Join("; ", often, meant); c.row.Node.Simulated() {
			meant = often
		}
	}
	if c.row.Node.Simulated() && !seen {
		say("its status", words.Join("; ", words.Of("facts.kwok"), words.Of("facts.posted", "ago", c.ago(posted))))
		return
	}
	due := config.NextPost(posted)
	say("its status", words.Join("; ", meant, words.Of("facts.posted", "ago", c.ago(posted))))
	switch late := c.s.From().Sub(due.Latest); {
	case !c.outlook.Judged, c.row.Health() == model.HealthUnknown: // it would post at once that it is Ready
	case late > 0 && !seen:
		say("next status", words.Of("facts.overdue-default", "late", late))
	case late > 0:
		say("next status", words.Of("facts.overdue", "late", late))
	default:
		say("next status", words.Of("facts.next-status", "predicted", c.p.Glyphs.Predicted, "by", due.Latest))
	}
}

// postsOften reports that its status is posted often without a change, and why. Unread parts of a status, images and
// volumes in use, may have changed.
func (c *rendering) postsOften() (every time.Duration, text words.Say, ok bool) {
	pace := c.lanes(c.w).track.Pace()
	every, times, ok := pace.Often()
	if !ok || c.row.Node == nil {
		return 0, text, false
	}
	why := words.Of("facts.inherits", "inherits", topics.PostingInherits())
	if c.row.Node.Simulated() {
		why = words.Of("facts.kwok")
	}
	return every, words.Of("facts.posted-often", "every", model.Length(every), "n", times, "why", why), true
}

// pressureHeld is how long a kubelet reports a pressure after its end, by default: the condition shows the end last.
// Source: kubernetes: pkg/kubelet/apis/config/v1beta1, EvictionPressureTransitionPeriod; pkg/kubelet/eviction,
// nodeConditionsObservedSince.
const pressureHeld = 5 * time.Minute

// pressures is the least time for which a pressure is still reported: one just ended looks like one that lasts.
func (c *rendering) pressures(n *model.Node, add func(word, value string)) {
	for _, kind := range [...]string{model.ConditionMemoryPressure, model.ConditionDiskPressure, model.ConditionPIDPressure} {
		is := n.Condition(kind)
		if is == nil || is.Status != model.StatusTrue || !is.Transition.Bounded() || !c.s.At.Bounded() {
			continue
		}
		text := words.Of("facts.pressure", "held", model.Length(pressureHeld))
		if until := is.Transition.Add(pressureHeld); until > c.s.From() {
			text = words.Join("; ", text, words.Of("facts.pressure-until", "at", until))
		}
		add(kind, text.In(c.p))
	}
}

func (c *rendering) system(n *model.Node, add func(word, value string)) {
	of := func(names ...string) string {
		var values []string
		for _, name := range names {
			if v, ok := n.Details.Get(name); ok && v != "" {
				values = append(values, v)
			}
		}
		return strings.Join(values, "   ")
	}
	add("runs", of(model.DetailOSImage, model.DetailKernel, model.DetailRuntime))
	add("address", of(model.DetailAddress+"InternalIP", model.DetailAddress+"ExternalIP", model.DetailPodCIDR))
	add("names", of(model.DetailAddress+"Hostname", model.DetailAddress+"InternalDNS", model.DetailAddress+"ExternalDNS"))
	if cpu, memory := of(model.DetailAllocatable+"cpu"), of(model.DetailAllocatable+"memory"); cpu != "" && memory != "" {
		add("allocatable", words.Of("facts.allocatable", "cpu", cpu, "cores", of(model.DetailCapacity+"cpu"), "memory", memory, "bytes", of(model.DetailCapacity+"memory")).In(c.p))
	}
	add("reserved", reserved(n))
	add("requested", c.requested())
	var others []string
	for name, value := range n.Details.All {
		what, ok := strings.CutPrefix(name, model.DetailAllocatable)
		if !ok || what == "cpu" || what == "memory" || value == "0" {
			continue
		}
		if all := of(model.DetailCapacity + what); all != "" && all != value {
			value = words.Of("facts.of", "part", value, "all", all).In(c.p)
		}
		others = append(others, what+" "+value)
	}
	add("resources", strings.Join(others, "   "))
	add("boot", of(model.DetailBootID))
	add("machine", of(model.DetailMachineID, model.DetailSystemUUID))
	add("features", of(model.DetailFeatures))
	add("written by", c.writers(n))
	add("owner", of(model.DetailOwner))
}

// reserved is the part of its capacity that pods may not have: for the system, the kubelet, eviction thresholds.
func reserved(n *model.Node) string {
	between := func(resource string) (model.Quantity, bool) {
		all, _ := n.Details.Get(model.DetailCapacity + resource)
		pods, _ := n.Details.Get(model.DetailAllocatable + resource)
		capacity, fine := model.ParseQuantity(all)
		allocatable, also := model.ParseQuantity(pods)
		return capacity - allocatable, fine && also && capacity > allocatable
	}
	var parts []string
	if q, ok := between("cpu"); ok {
		parts = append(parts, q.Cores()+" CPU")
	}
	if q, ok := between("memory"); ok {
		parts = append(parts, words.Of("facts.memory", "amount", q.Bytes()).String())
	}
	if q, ok := between("ephemeral-storage"); ok {
		parts = append(parts, words.Of("facts.disk", "amount", q.Bytes()).String())
	}
	if len(parts) == 0 {
		return ""
	}
	return words.Of("facts.reserved", "what", strings.Join(parts, "   ")).String()
}

// requested is what the scheduler counts for the node's unended pods; a lower bound if some do not show it.
func (c *rendering) requested() string {
	var sum model.Requests
	pods, unshown := 0, 0
	for _, p := range c.row.Pods() {
		if p.Ended() {
			continue
		}
		pods++
		text, shown := p.Details.Get(model.DetailRequests)
		if r, ok := model.ParseRequests(text); shown && ok {
			sum.CPU, sum.Memory = sum.CPU.Plus(r.CPU, 1), sum.Memory.Plus(r.Memory, 1)
		} else {
			unshown++
		}
	}
	if pods == 0 || unshown == pods {
		return ""
	}
	text := words.Of("facts.requested", "cpu", sum.CPU.Cores(), "memory", sum.Memory.Bytes(), "n", pods)
	if unshown > 0 {
		text = words.Chain(text, words.Of("facts.requests-unshown", "n", unshown))
	}
	return text.In(c.p)
}

// Labels with a meaning to Kubernetes.
const (
	labelRole       = "node-role.kubernetes.io/"
	labelUnbalanced = "node.kubernetes.io/exclude-from-external-load-balancers"
)

// labels are the node's, the meaningful ones first.
func (c *rendering) labels(n *model.Node, add func(word, value string)) {
	var roles, others []string
	for name, value := range n.Details.All {
		label, ok := strings.CutPrefix(name, model.DetailLabel)
		if !ok {
			continue
		}
		if role, is := strings.CutPrefix(label, labelRole); is {
			roles = append(roles, role)
			continue
		}
		if label == labelUnbalanced {
			add("load balancers", words.Of("facts.unbalanced", "label", label).In(c.p))
			continue
		}
		others = append(others, label+"="+value)
	}
	add("roles", strings.Join(roles, "   "))
	for i, text := range others {
		word := ""
		if i == 0 {
			word = words.Label("labels")
		}
		add(word, text)
	}
}

// writers are the writers of the Node, not of its status, the newest first, including the one that registered it.
func (c *rendering) writers(n *model.Node) string {
	type writer struct {
		name string
		at   model.Instant
	}
	var list []writer
	for name, value := range n.Details.All {
		who, ok := strings.CutPrefix(name, model.DetailWriter)
		t, err := time.Parse(time.RFC3339, value)
		if ok && err == nil {
			list = append(list, writer{who, model.At(t)})
		}
	}
	slices.SortStableFunc(list, func(a, b writer) int { return cmp.Compare(b.at, a.at) })
	text := make([]string, len(list))
	for i, w := range list {
		text[i] = words.Of("facts.wrote", "who", w.name, "for", c.since(w.at)).In(c.p)
	}
	return strings.Join(text, "   ")
}

// registered is the component that created the Node, as far as it shows, and when node-lifecycle registered it last, by
// its Event. A restarted process registers all.
func (c *rendering) registered() string {
	var parts []string
	_, sized := c.row.Node.Details.Get(model.DetailCapacity + "cpu")
	ready := c.row.Node.Ready()
	never := ready == nil || ready.Reason == model.ReasonNeverUpdated
	switch _, written := c.row.Node.Details.Get(model.DetailWriter + "kubelet"); {
	case written:
		parts = append(parts, words.Of("facts.registered-itself").In(c.p))
	case !sized && never:
		parts = append(parts, words.Of("facts.registered-by-hand").In(c.p))
	}
	var last model.Instant
	for _, e := range c.row.Events() {
		if e.Reason == model.ReasonRegisteredNode {
			last = max(last, e.First, e.Last)
		}
	}
	if last.Known() {
		parts = append(parts, words.Of("facts.registered", "ago", c.ago(last)).In(c.p))
	}
	return strings.Join(parts, "; ")
}

// namesake is an earlier Node of that name, shown by the UID in a controller's Event.
func (c *rendering) namesake(n *model.Node) string {
	if !n.UID.Known() {
		return ""
	}
	for _, e := range slices.Backward(c.row.Events()) {
		uid := e.Regarding.UID
		if uid.Known() && uid != n.UID && uid.String() != c.name && e.First.Bounded() && e.First < n.Created { // kubelets give the name as UID
			return words.Of("facts.namesake", "uid", uid, "at", c.p.DateTime(e.First)).In(c.p)
		}
	}
	return ""
}

// volumes are those attached to the node, each with its clock.
func (c *rendering) volumes(add func(word, value string)) {
	attached := c.s.Attached(c.name)
	if attached.Unread != "" {
		if c.s.Mode.Watches() || c.s.Kinds[model.KindPersistentVolume] {
			add("volumes", words.Of("volume.unread", "why", attached.Unread).In(c.p))
		}
		return
	}
	if len(attached.List) == 0 {
		add("volumes", words.Label("none is attached"))
	}
	for i := range attached.List {
		_, text := topics.Volume(&attached.List[i], c.s.From())
		add("volume", text.In(c.p))
	}
}
