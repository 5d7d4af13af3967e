package node

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/control/kubelet"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/widget"
)

// fact is a line of the facts pane, or several if it does not fit into one.
type fact struct{ word, value string }

// facts are the node's kind and its resources.
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
			add("excluded", "from its zone's disruption statistics")
		}
	}
	if track := c.lanes(c.w).track; track.Window.Known() && !track.Reading {
		from := max(track.Window.Earliest, c.s.Coverage.Earliest)
		changed := times(track.Flips)
		if track.Flips == 0 && c.row.ReadySince() > from { // before the node was seen first
			changed = "at least once"
		}
		add("Ready changed", changed+" in the last "+c.since(from))
	}
	c.shutdown(add)
	c.volumes(add)
	add("renewals seen", itoa(int(c.row.Lease.Renewals)))
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
	const words = 15
	for _, f := range facts {
		parts := []string{f.value}
		if paint.Width(f.value) > w-words-2 {
			parts = paint.Fold(f.value, max(w-words-2, 8))
		}
		for i, part := range parts {
			if i > 0 {
				f.word = ""
			}
			rows = append(rows, c.p.Line(w).Skip(2).Left(themes.Faint, f.word, words).Put(themes.Dim, part).Row())
		}
	}
	return part{pane: paneFacts, title: "Facts", List: widget.List{N: len(rows), Draw: func(i int) paint.Row { return rows[i] }}}
}

// rhythms are when its kubelet is expected: its lease and its status, and its retry of a failed renewal. They rest on
// the defaults of its version if the lease does not show them.
func (c *rendering) rhythms(add func(word, value string)) {
	config := kubelet.Defaults(c.s.Params.Version)
	lease := &c.row.Lease
	if lease.Seen && !lease.Gone {
		text := "the default"
		if lease.Seconds > 0 {
			config.LeaseDuration, text = duration(lease.Seconds)*second, "a quarter of the lease's "+itoa(int(lease.Seconds))+"s, which the controller does not use"
		}
		add("its lease", fmt.Sprintf("meant every %s (%s); a renewal that fails is tried %d times at once, then after %s and twice that each time, up to %s",
			model.Length(config.RenewEvery()), text, kubelet.UpdateTries, model.Length(kubelet.EnsureWait(0)), model.Length(kubelet.EnsureWait(99))))
		add("its pauses", c.pausesInWords())
		if lease.Refused > 0 {
			add("lease refused", itoa(int(lease.Refused))+" times by the API server. A kubelet that may not renew it and posts its status is declared Unknown once a minute, and back some ten seconds later")
		}
	}
	posted := c.row.Posted
	if !posted.Bounded() || !c.s.At.Bounded() {
		return
	}
	meant := fmt.Sprintf("meant every %s where nothing changes, else within %s", model.Length(config.StatusReport), model.Length(config.StatusUpdate))
	if every, text, ok := c.postsOften(); ok {
		config.StatusReport = every
		if meant = text + "; " + meant; c.row.Node.Simulated() {
			meant = text
		}
	}
	_, _, seen := c.postsOften()
	if c.row.Node.Simulated() && !seen {
		add("its status", "kwok posts it, which has a rhythm of its own; posted "+c.ago(posted))
		return
	}
	due := config.NextPost(posted)
	add("its status", meant+"; posted "+c.ago(posted))
	switch late := c.s.From().Sub(due.Latest); {
	case !c.controllers.Judged, c.row.Health() == model.HealthUnknown: // it would post at once that it is Ready
	case late > 0 && !seen:
		add("next status", "overdue "+paint.Duration(late)+" by the default rhythm; how often this kubelet posts was not seen")
	case late > 0:
		add("next status", "overdue "+paint.Duration(late))
	default:
		add("next status", c.p.Glyphs.Predicted+" due by "+c.p.Clock(due.Latest)+"; it counts as a heartbeat, as a renewal does")
	}
}

// postsOften is that its status is posted often though nothing changes in it, and why. What is not read of a status,
// its images and its volumes in use, may have changed.
func (c *rendering) postsOften() (every time.Duration, text string, ok bool) {
	pace := c.lanes(c.w).track.Pace()
	every, times, ok := pace.Often()
	if !ok || c.row.Node == nil {
		return 0, "", false
	}
	why := topics.PostingInherits().In(c.p) + ", or what changes is not read here (images, volumes in use)"
	if c.row.Node.Simulated() {
		why = "kwok posts it, which has a rhythm of its own"
	}
	return every, fmt.Sprintf("posted every %s though nothing changes in it, %d times in a row: %s", model.Length(every), times, why), true
}

// pressureHeld is how long a kubelet reports a pressure after it saw it last, by default: the condition is the last to
// show its end.
// Source: kubernetes: pkg/kubelet/apis/config/v1beta1, EvictionPressureTransitionPeriod; pkg/kubelet/eviction,
// nodeConditionsObservedSince.
const pressureHeld = 5 * time.Minute

// pressures is until when, at least, a pressure is still reported: one that has just ended looks like one that lasts.
func (c *rendering) pressures(n *model.Node, add func(word, value string)) {
	for _, kind := range [...]string{model.ConditionMemoryPressure, model.ConditionDiskPressure, model.ConditionPIDPressure} {
		is := n.Condition(kind)
		if is == nil || is.Status != model.StatusTrue || !is.Transition.Bounded() || !c.s.At.Bounded() {
			continue
		}
		text := "may be over already: its kubelet reports it for " + model.Length(pressureHeld) + " after it saw it last, if --eviction-pressure-transition-period is as by default"
		if until := is.Transition.Add(pressureHeld); until > c.s.From() {
			text += "; it is not said to be over before " + c.p.Clock(until)
		}
		add(kind, text)
	}
}

// system adds the machine's software, its addresses, and its size.
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
		add("allocatable", cpu+" of "+of(model.DetailCapacity+"cpu")+" CPU   "+memory+" of "+of(model.DetailCapacity+"memory")+" memory")
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
			value += " of " + all
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

// reserved is the part of its capacity that pods may not have: reserved for the system, the kubelet, and eviction
// thresholds.
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
		parts = append(parts, q.Bytes()+" memory")
	}
	if q, ok := between("ephemeral-storage"); ok {
		parts = append(parts, q.Bytes()+" disk")
	}
	if len(parts) == 0 {
		return ""
	}
	return strings.Join(parts, "   ") + ": for the system, the kubelet, and thresholds of pressure"
}

// requested is what the scheduler counts for the pods of the node that have not ended; at least that if some do not
// show it.
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
	text := sum.CPU.Cores() + " CPU   " + sum.Memory.Bytes() + " memory by " + model.Counted(pods, "pod", "pods")
	if unshown > 0 {
		text += ", of which " + itoa(unshown) + " do not show theirs"
	}
	return text
}

// Labels that have a meaning to Kubernetes beyond telling nodes apart.
const (
	labelRole       = "node-role.kubernetes.io/"
	labelUnbalanced = "node.kubernetes.io/exclude-from-external-load-balancers"
)

// labels are the node's, those first that mean something by themselves.
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
			add("load balancers", "leave it out (label "+label+")")
			continue
		}
		others = append(others, label+"="+value)
	}
	add("roles", strings.Join(roles, "   "))
	for i, text := range others {
		word := ""
		if i == 0 {
			word = "labels"
		}
		add(word, text)
	}
}

// writers are the writers of the Node, not of its status, the newest first: the one that registered it is among them.
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
	words := make([]string, len(list))
	for i, w := range list {
		words[i] = w.name + " " + c.since(w.at) + " ago"
	}
	return strings.Join(words, "   ")
}

// registered is the component that created the Node, as far as it shows, and when node-lifecycle took it up last, by
// its Event. A restarted process takes up all.
func (c *rendering) registered() string {
	var parts []string
	_, sized := c.row.Node.Details.Get(model.DetailCapacity + "cpu")
	ready := c.row.Node.Ready()
	never := ready == nil || ready.Reason == model.ReasonNeverUpdated
	switch _, written := c.row.Node.Details.Get(model.DetailWriter + "kubelet"); {
	case written:
		parts = append(parts, "its kubelet writes the object, as one does that registers itself")
	case !sized && never:
		parts = append(parts, "by hand, or its kubelet came no further: it has no capacity, and no status was posted")
	}
	var last model.Instant
	for _, e := range c.row.Events() {
		if e.Reason == model.ReasonRegisteredNode {
			last = max(last, e.First, e.Last)
		}
	}
	if last.Known() {
		parts = append(parts, "with node-lifecycle "+c.ago(last))
	}
	return strings.Join(parts, "; ")
}

// namesake is another Node that had the name before this one, as an Event of a controller shows, which has its UID.
func (c *rendering) namesake(n *model.Node) string {
	if !n.UID.Known() {
		return ""
	}
	for _, e := range slices.Backward(c.row.Events()) {
		uid := e.Regarding.UID
		if uid.Known() && uid != n.UID && uid.String() != c.name && e.First.Bounded() && e.First < n.Created { // kubelets give the name as UID
			return "another Node had the name (" + uid.String() + "), an Event of " + c.p.DateTime(e.First) + " shows a new machine, or a new registration"
		}
	}
	return ""
}

// volumes are those that hang on the node, each with its clock.
func (c *rendering) volumes(add func(word, value string)) {
	attached := c.s.Attached(c.name)
	if attached.Unread != "" {
		if c.s.Mode.Watches() || c.s.Kinds[model.KindPersistentVolume] {
			add("volumes", "VolumeAttachments are "+attached.Unread)
		}
		return
	}
	if len(attached.List) == 0 {
		add("volumes", "none is attached")
	}
	for i := range attached.List {
		_, text := topics.Volume(&attached.List[i], c.s.From())
		add("volume", text.In(c.p))
	}
}
