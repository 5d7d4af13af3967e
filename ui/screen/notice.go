package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/themes"
	"kardia/ui/paint"
)

// Notice is one line about the state of what is shown: what is missing, what
// follows from it, and what helps.
type Notice struct {
	Token themes.Token
	Text  string
}

// Notices are what must be said of a Snapshot, the most important first; none if
// all is well.
func Notices(s *Snapshot, p *paint.Painter) []Notice {
	var list []Notice
	if s.Loading < 1 {
		list = append(list, Notice{themes.Accent, fmt.Sprintf("%s opening %.0f%%", p.Glyphs.Predicted, max(s.Loading, 0)*100)})
	}
	list = append(list, watchNotices(s, p)...)
	list = append(list, leaderNotice(s, p)...)
	list = append(list, overdueNotice(s, p)...)
	list = append(list, stoodNotice(s, p)...)
	list = append(list, restartNotice(s, p)...)
	if s.Blind {
		list = append(list, blindNotice(s, p))
	}
	list = append(list, lastKnownNotice(s, p)...)
	switch {
	case s.Mode != Ended:
	case s.Coverage.Width() == 0 && s.Remembered.Known():
		list = append(list, Notice{themes.Text, "captured at " + p.Clock(s.Coverage.Latest) + ": one instant    , steps back through what its stamps tell"})
	case s.Coverage.Width() == 0:
		list = append(list, Notice{themes.Text, "captured at " + p.Clock(s.Coverage.Latest) + ": one instant"})
	default:
		list = append(list, Notice{themes.Text, "end of recording " + p.Clock(s.Coverage.Latest) + "    ctrl+home goes to the start"})
	}
	if Empty(s) {
		list = append(list, Notice{themes.Text, EmptyText(s, p)})
	}
	if s.listingPods() && !s.Blind {
		list = append(list, Notice{themes.Dim, "pods are not listed yet: none is shown or counted before " + p.Clock(s.PodsListed)})
	}
	return append(append(list, kindNotices(s)...), judgedNotices(s, p)...)
}

// judgedNotices say why nothing is judged, or not yet, unless another notice has said it.
func judgedNotices(s *Snapshot, p *paint.Painter) []Notice {
	j := s.Judged
	switch {
	case j == nil || j.Missing == "" || s.Loading < 1 || Empty(s):
		return nil
	case j.Progress < 1:
		return []Notice{{themes.Accent, p.Text(j.Missing)}}
	}
	return []Notice{{themes.Warn, "nothing is judged: " + p.Text(j.Missing)}}
}

// watchNotices say how the watches of a live session are doing.
func watchNotices(s *Snapshot, p *paint.Painter) []Notice {
	var loading []string
	var denied []model.Kind
	var lost *stream.Status
	var last model.Instant
	for i := range s.Status {
		st := &s.Status[i]
		last = max(last, st.Last)
		switch st.State {
		case stream.Waiting, stream.Loading:
			loading = append(loading, progress(st))
		case stream.Disconnected, stream.Expired:
			if lost == nil || st.State == stream.Expired && lost.State != stream.Expired {
				lost = st
			}
		case stream.Forbidden:
			denied = append(denied, st.Kind)
		}
	}
	list := forbidden(s, denied)
	if s.Lost != "" && s.AsOf.Known() && s.Mode == Live {
		list = slices.Insert(list, 0, silentNotice(s, p))
		if lost != nil {
			list = slices.Insert(list, 1, lostNotices(s, p, lost, last)...)
		}
	} else if lost != nil {
		list = slices.Insert(list, 0, lostNotices(s, p, lost, last)...)
	} else if grace := s.Params.NodeMonitorGracePeriod.Value; s.Mode == Live && last.Known() && grace > 0 && s.At.Sub(last) > grace && s.Has(model.KindNodeLease) {
		list = slices.Insert(list, 0, Notice{themes.Warn, fmt.Sprintf(
			"nothing arrived for %s, more than the grace: every state is as of %s", paint.Duration(s.At.Sub(last)), p.Clock(last))})
	}
	if len(loading) > 0 {
		list = slices.Insert(list, 0, Notice{themes.Accent, p.Glyphs.Ellipsis + " loading   " + strings.Join(loading, "   ")})
	}
	return list
}

// kindWords are the kinds as a person says them.
var kindWords = map[model.Kind]string{
	model.KindNode: "nodes", model.KindNodeLease: "leases", model.KindPod: "pods", model.KindEvent: "events",
	model.KindLeaderLease: "leader leases",
}

func progress(st *stream.Status) string {
	if st.State == stream.Waiting {
		return kindWords[st.Kind] + " waiting"
	}
	return fmt.Sprintf("%s %d", kindWords[st.Kind], st.Loaded)
}

// forbidden says which kinds may not be read, and what follows: of nodes and leases each for itself, of the others where it is
// one.
func forbidden(s *Snapshot, denied []model.Kind) (list []Notice) {
	var others []model.Kind
	for _, k := range denied {
		switch {
		case k == model.KindNode || k == model.KindNodeLease:
			list = append(list, Notice{themes.Warn, forbiddenOne(s, k)})
		case kindWords[k] != "":
			others = append(others, k)
		}
	}
	switch len(others) {
	case 0:
		return list
	case 1:
		return append(list, Notice{themes.Warn, forbiddenOne(s, others[0])})
	}
	words := make([]string, len(others))
	for i, k := range others {
		words[i] = kindWords[k]
	}
	return append(list, Notice{themes.Warn, "forbidden: " + strings.Join(words, ", ") + "   ! says what that costs"})
}

// forbiddenOne says what follows where one kind may not be read.
func forbiddenOne(s *Snapshot, k model.Kind) string {
	what := kindWords[k] + ": forbidden"
	follows := ""
	switch k {
	case model.KindNode:
		follows = ", so no states and no zones"
		if s.Has(model.KindNodeLease) {
			follows += "; heartbeats count"
		}
	case model.KindNodeLease:
		follows = ", so no decisions"
		if s.Has(model.KindNode) {
			follows += ", ages by status (up to 5 min)"
		}
	case model.KindPod:
		follows = ", so pods are unknown"
		if s.Has(model.KindNode) {
			follows += "; zones and taints are exact"
		}
	}
	return what + follows + "   ! says more"
}

// silentNotice says that everything fell silent at one instant, and what that means: it is no news
// of any node.
func silentNotice(s *Snapshot, p *paint.Painter) Notice {
	return Notice{themes.Warn, fmt.Sprintf("%s all silent since %s (%s): API server or network, no news of nodes   %s",
		p.Glyphs.Gap, p.Clock(s.AsOf), paint.Duration(max(s.At.Sub(s.AsOf), 0)), p.Text(s.Lost))}
}

// leaderNotice says that nobody leads the controllers, or perhaps nobody, and what follows from that.
func leaderNotice(s *Snapshot, p *paint.Painter) []Notice {
	o := s.Controllers()
	if since, ok := o.Unrenewed(); ok {
		return []Notice{{themes.Warn, fmt.Sprintf("leader's lease %s old: if it is dead, all waits for another and begins anew   it is renewed every 2s, and given up after 12", paint.Duration(max(0, s.From().Sub(since))))}}
	}
	if o.State == nil || !o.State.Unled.Known() {
		return nil
	}
	return []Notice{{themes.Warn, "nobody leads since " + p.Clock(o.State.Unled) + ": countdowns and graces begin anew with the next   by the lease of kube-controller-manager"}}
}

// overdueNotice says that the controller does not do what it must have done by now.
func overdueNotice(s *Snapshot, p *paint.Painter) []Notice {
	if s.Judged == nil || s.Judged.State == nil || !s.Judged.State.Overdue.Known() {
		return nil
	}
	o := &s.Judged.State.Overdue
	text := fmt.Sprintf("overdue %s: %s", paint.Duration(o.For(s.From())), o.Says())
	if len(o.Decisions) > 0 {
		d := &o.Decisions[0]
		text += ", as it must have by " + p.Clock(o.Since) + ": " + p.Text(d.Kind.String()+" "+d.Subject())
		if n := len(o.Decisions) - 1; n > 0 {
			text += fmt.Sprintf(", and %d more", n)
		}
	}
	if s.Judged.State.Unled.Known() {
		return []Notice{{themes.Warn, text}} // why has been said
	}
	if o.OnlyTaints() {
		return []Notice{{themes.Warn, text + "   stalled, or its --node-eviction-rate is lower than assumed: at 0 nobody is ever tainted"}}
	}
	return []Notice{{themes.Warn, text + "   stalled, dead, without a leader, its cache behind, or our flags are wrong"}}
}

// stoodFor is how long after it acts again it is said that the controller did not act.
const stoodFor = 5 * time.Minute

// stoodNotice says that the controller did not act until lately: what came then came late, by other
// windows than were foreseen.
func stoodNotice(s *Snapshot, p *paint.Painter) []Notice {
	for i := len(s.Standstills) - 1; i >= 0; i-- {
		if v := s.Standstills[i]; v.Latest <= s.At && s.At.Sub(v.Latest) < stoodFor {
			if r := s.Controllers().Restart; r != nil && r.Time >= v.Latest {
				return nil // what came late has begun anew since
			}
			return []Notice{{themes.Text, fmt.Sprintf("the controller was not acting from %s to %s: what was due then came late", p.Clock(v.Earliest), p.Clock(v.Latest))}}
		}
	}
	return nil
}

// restartNotice says that the controllers began anew lately, and what that did to the countdowns.
func restartNotice(s *Snapshot, p *paint.Painter) []Notice {
	r := s.Controllers().Restart
	if r == nil {
		return nil
	}
	return []Notice{{themes.Text, p.Text("controller began anew " + p.Clock(r.Time) + ": " + Restarted(r))}}
}

// Restarted is what began again with the controllers.
func Restarted(r *why.Restart) string {
	text := "1 countdown restarts, ends "
	switch {
	case r.Ran == 0:
		return "graces and countdowns began again then"
	case r.Countdowns == 0:
		return "graces began again then; " + strconv.Itoa(r.Ran) + " countdowns that ran do so no more"
	case r.Ran > r.Countdowns:
		text = fmt.Sprintf("%d of %d countdowns restart by now, end ", r.Countdowns, r.Ran)
	case r.Countdowns > 1:
		text = strconv.Itoa(r.Countdowns) + " countdowns restart, end "
	}
	if r.Least > 0 && r.Most-r.Least >= time.Second {
		text += paint.Duration(r.Least) + "–"
	}
	return text + paint.Duration(r.Most) + " later"
}

// lostNotices say since when the API server is away, and what that means for what is shown.
func lostNotices(s *Snapshot, p *paint.Painter, st *stream.Status, last model.Instant) []Notice {
	text := p.Glyphs.Gap + " " + st.State.String()
	if st.Since.Bounded() && s.At.Bounded() {
		text += " " + paint.Duration(max(s.At.Sub(st.Since), 0))
	}
	if st.Retry.Bounded() && s.At.Bounded() {
		text += "   retry in " + paint.Duration(max(st.Retry.Sub(s.At), 0))
	}
	if st.Why != "" {
		text += "   " + p.Text(st.Why)
	}
	list := []Notice{{themes.Warn, text}}
	switch {
	case s.From() != s.At:
		list = append(list, Notice{themes.Text, "ages and countdowns are as of " + p.Clock(s.From()) + ": nothing was confirmed since"})
	case last.Known():
		list = append(list, Notice{themes.Text, "ages count on from what was seen last; nothing confirmed since " + p.Clock(last)})
	}
	return list
}

// blindNotice names the gap that At lies in.
func blindNotice(s *Snapshot, p *paint.Painter) Notice {
	var in history.Gap
	watches, alike := 0, true
	for _, g := range s.Gaps { // one outage breaks every watch
		if !g.Contains(s.At) {
			continue
		}
		if watches++; watches == 1 {
			in = g
		}
		alike = alike && g.Why == in.Why
		in.Earliest, in.Latest = min(in.Earliest, g.Earliest), max(in.Latest, g.Latest)
	}
	if !alike {
		in.Why = fmt.Sprintf("%d watches; %s", watches, in.Why)
	}
	text := "gap"
	if in.Bounded() {
		text += " " + p.Clock(in.Earliest) + " to " + p.Clock(in.Latest)
	}
	return Notice{themes.Gap, text + ": " + cmp.Or(p.Text(in.Why), "nothing was received") +
		"; what happened is not known, drawn as " + p.Glyphs.Gap}
}

// lastKnownNotice says after a time that nobody watched of how many nodes the state is that of before,
// and that what the controller thinks of zones is not known.
func lastKnownNotice(s *Snapshot, p *paint.Painter) []Notice {
	if s.Blind || len(s.Unwatched) == 0 || s.Cluster == nil {
		return nil
	}
	n, since := 0, model.Instant(0)
	list := s.Nodes()
	for i := range list.Entries {
		if at := list.Entries[i].LastKnown; at.Known() {
			n, since = n+1, max(since, at)
		}
	}
	if n == 0 && !s.unsettled() {
		return nil
	}
	var parts []string
	if n > 0 {
		parts = append(parts, fmt.Sprintf("%s last known: %d of %d nodes as before %s, not seen since", p.Glyphs.LastKnown, n, len(list.Entries), p.Clock(since)))
	}
	if s.unsettled() {
		parts = append(parts, "after a gap zone states, rates and queues are not known yet")
	}
	return []Notice{{themes.Gap, strings.Join(parts, "; ")}}
}

// kindNotices say what a recording lacks. A live session says it by its watches.
func kindNotices(s *Snapshot) []Notice {
	if s.Kinds == nil || s.Loading < 1 || s.Status != nil || Empty(s) {
		return nil
	}
	var list []Notice
	if !s.Kinds[model.KindNode] {
		list = append(list, Notice{themes.Dim, "no Node objects recorded: states and zones are unknown, heartbeats count"})
	}
	if !s.Kinds[model.KindNodeLease] {
		list = append(list, Notice{themes.Dim, "no leases recorded: heartbeats by node status only, up to 5 min coarse"})
	}
	if !s.Kinds[model.KindPod] {
		list = append(list, Notice{themes.Dim, "no pods recorded"})
	}
	return list
}

// Has says whether the source shows a kind at all; a Snapshot that does not say counts as
// showing everything. Pods are had once all are listed: a part of them would be counted as all there are.
func (s *Snapshot) Has(k model.Kind) bool {
	if k == model.KindPod && s.listingPods() {
		return false
	}
	for i := range s.Status {
		switch st := &s.Status[i]; {
		case st.Kind != k:
		case st.State == stream.Forbidden && !s.Kinds[k], s.awaitsPods(st):
			return false
		}
	}
	return s.Kinds == nil || s.Status != nil || s.Kinds[k]
}

// listingPods says that the first list of the pods had not come to its end by the instant shown.
func (s *Snapshot) listingPods() bool { return s.At < s.PodsListed }

// awaitsPods says that this is the watch of the pods, and that its first list has not come to its end.
func (s *Snapshot) awaitsPods(st *stream.Status) bool {
	return st.Kind == model.KindPod && !st.Listed && st.State != stream.Live && st.State != stream.Forbidden && s.Mode.Watches()
}

// Unread says why nothing is known of what a source shows of a kind by itself, in a few words; "" where something is.
func (s *Snapshot) Unread(k model.Kind) string {
	switch {
	case s.Has(k):
		return ""
	case k == model.KindPod && s.listingPods(), slices.ContainsFunc(s.Status, func(st stream.Status) bool { return st.Kind == k && s.awaitsPods(&st) }):
		return "not listed yet"
	case s.Mode.Watches():
		return "forbidden"
	}
	return "not recorded"
}

// UnsurePod says why it is not known whether there is a pod that is not shown; "" where it is.
func (s *Snapshot) UnsurePod() string {
	if why := s.Unread(model.KindPod); why != "" {
		return "whether there is such a pod is not known: pods are " + why
	}
	return ""
}

// emptyLive says why a live session shows no node: only a complete list of nodes can tell
// that there are none.
func emptyLive(s *Snapshot, p *paint.Painter) string {
	for i := range s.Status {
		switch st := &s.Status[i]; {
		case st.Kind != model.KindNode || st.State == stream.Live:
		case st.State == stream.Forbidden:
			return "you may list neither nodes nor leases: kardia rbac prints the role"
		case st.State == stream.Disconnected:
			return "nothing was received yet: " + p.Text(cmp.Or(st.Why, st.State.String()))
		default:
			return "nothing was received yet: " + st.State.String()
		}
	}
	return "this cluster has no nodes, as of " + p.Clock(s.At)
}

// Refused says that a live session may read nothing at all.
func Refused(s *Snapshot) bool {
	for i := range s.Status {
		if s.Status[i].State != stream.Forbidden {
			return false
		}
	}
	return len(s.Status) > 0
}

// Empty says that everything asked for is here, and there is no node in it.
func Empty(s *Snapshot) bool {
	if s.Loading < 1 || s.Cluster != nil && s.Cluster.NodeCount() > 0 {
		return false
	}
	for i := range s.Status {
		if st := s.Status[i].State; st == stream.Waiting || st == stream.Loading {
			return false
		}
	}
	return true
}

// EmptyText says why there is no node to show.
func EmptyText(s *Snapshot, p *paint.Painter) string {
	switch {
	case s.Loading < 1:
		return "nothing to show yet: the recording is still being opened"
	case s.Coverage.Known() && s.Reach().Width() == 0 && s.Cluster != nil && s.Cluster.NodeCount() > 0:
		return "one instant was captured: there is no time to go through"
	case !Empty(s):
		return "nothing to show yet: the first list is still on its way"
	case s.Coverage.Known() && s.At < s.Coverage.Earliest:
		if s.Remembered.Known() {
			return "nobody watched at " + p.Clock(s.At) + ": , and . step through what stamps and Events tell of it, 4 lists that, and ctrl+end goes to what was seen, from " + p.Clock(s.Coverage.Earliest) + " on"
		}
		return "nothing is known yet: coverage begins at " + p.Clock(s.Coverage.Earliest)
	case s.Mode.Watches():
		return emptyLive(s, p)
	}
	if len(s.Said) > 0 || s.Remembered.Known() {
		return "no node is known at " + p.Clock(s.At) + Named(s) + ": the timeline (4) has what logs and Events tell"
	}
	return "no node is known at " + p.Clock(s.At) + Named(s)
}

// Named is how many nodes something names of which neither the Node nor the lease was seen, as the end of a sentence that
// says that none is known; "" where none is.
func Named(s *Snapshot) string {
	if s.Cluster == nil {
		return ""
	}
	n := 0
	s.Cluster.Rows(func(row *model.NodeRow) bool {
		if !row.Exists() && !row.Gone && row.Name != "" && (row.PodCount() > 0 || len(row.Events()) > 0) {
			n++
		}
		return true
	})
	if n == 0 {
		return ""
	}
	return ", but " + model.Counted(n, "node is", "nodes are") + " named by pods or Events, without Node or lease"
}
