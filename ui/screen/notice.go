package screen

import (
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// Notice is one line about the completeness of the state shown: the missing part, the consequence, and the remedy.
type Notice struct {
	Token themes.Token
	Text  string
}

// Notices are the caveats of a Snapshot, the most important first; none if all is well.
func Notices(s *Snapshot, p *paint.Painter) []Notice {
	n := &notices{s: s, p: p}
	if s.Loading < 1 {
		n.add(themes.Accent, words.Of("notice.opening", "mark", p.Glyphs.Predicted, "percent", int(max(s.Loading, 0)*100+0.5)))
	}
	n.watches()
	n.leader()
	n.overdue()
	n.stood()
	n.restarted()
	if s.Blind {
		n.blind()
	} else if len(s.Unwatched) > 0 && s.Cluster != nil {
		n.lastKnown()
	}
	switch {
	case s.Mode != Ended:
	case s.Coverage.Width() == 0 && s.Remembered.Known():
		n.add(themes.Text, words.Of("notice.captured-remembered", "at", s.Coverage.Latest))
	case s.Coverage.Width() == 0:
		n.add(themes.Text, words.Of("notice.captured", "at", s.Coverage.Latest))
	default:
		n.add(themes.Text, words.Of("notice.end", "at", s.Coverage.Latest))
	}
	if Empty(s) {
		n.add(themes.Text, empty(s, p))
	}
	if s.listingPods() && !s.Blind {
		n.add(themes.Dim, words.Of("notice.pods-later", "at", s.PodsListed))
	}
	n.kinds()
	n.judged()
	return n.list
}

type notices struct {
	s    *Snapshot
	p    *paint.Painter
	list []Notice
}

func (n *notices) add(token themes.Token, say words.Say) {
	n.list = append(n.list, Notice{token, say.In(n.p)})
}

// judged reports why nothing is judged, unless another notice reports it.
func (n *notices) judged() {
	j := n.s.Judged
	if j == nil || j.Missing.Reason == "" || n.s.Loading < 1 || Empty(n.s) {
		return
	}
	why := n.p.Text(topics.Unjudged(j.Missing))
	if j.Missing.Pending() {
		n.add(themes.Accent, words.Text(why))
	} else {
		n.add(themes.Warn, words.Of("notice.unjudged", "why", why))
	}
}

// watches reports the kinds that are still loading, that failed, and that may not be read.
func (n *notices) watches() {
	s := n.s
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
	if len(loading) > 0 {
		n.add(themes.Accent, words.Of("notice.loading", "mark", n.p.Glyphs.Ellipsis, "what", strings.Join(loading, "   ")))
	}
	silent := s.Lost != "" && s.AsOf.Known() && s.Mode == Live
	if silent { // everything fell silent at one time, which is no evidence about any node
		n.add(themes.Warn, words.Of("notice.all-silent", "mark", n.p.Glyphs.Gap, "at", s.AsOf, "for", max(s.At.Sub(s.AsOf), 0), "why", n.p.Text(s.Lost)))
	}
	grace := s.Params.NodeMonitorGracePeriod.Value
	switch {
	case lost != nil:
		n.lost(lost, last)
	case !silent && s.Mode == Live && last.Known() && grace > 0 && s.At.Sub(last) > grace && s.Has(model.KindNodeLease):
		n.add(themes.Warn, words.Of("notice.nothing-arrived", "for", s.At.Sub(last), "at", last))
	}
	n.forbidden(denied)
}

// kindWord is what notices call a kind; "" if there is none about it.
func kindWord(k model.Kind) string {
	switch k {
	case model.KindNode:
		return words.Label("nodes")
	case model.KindNodeLease:
		return words.Label("leases")
	case model.KindPod:
		return words.Label("pods")
	case model.KindEvent:
		return words.Label("events")
	case model.KindLeaderLease:
		return words.Label("leader leases")
	}
	return ""
}

func progress(st *stream.Status) string {
	if st.State == stream.Waiting {
		return words.Of("notice.waiting", "kind", kindWord(st.Kind)).String()
	}
	return fmt.Sprintf("%s %d", kindWord(st.Kind), st.Loaded)
}

// forbidden lists the kinds that may not be read, and the consequences: nodes and leases apart, the others together.
func (n *notices) forbidden(denied []model.Kind) {
	var others []string
	var other model.Kind
	for _, k := range denied {
		switch {
		case k == model.KindNode || k == model.KindNodeLease:
			n.add(themes.Warn, forbiddenOne(n.s, k))
		case kindWord(k) != "":
			other, others = k, append(others, kindWord(k))
		}
	}
	switch len(others) {
	case 0:
	case 1:
		n.add(themes.Warn, forbiddenOne(n.s, other))
	default:
		n.add(themes.Warn, words.Of("notice.forbidden-several", "list", strings.Join(others, ", ")))
	}
}

// forbiddenOne is the consequence of one kind that may not be read, and the rest that is known.
func forbiddenOne(s *Snapshot, k model.Kind) words.Say {
	beside := model.KindNode
	if k == model.KindNode {
		beside = model.KindNodeLease
	}
	code := k.String()
	switch k {
	case model.KindNode, model.KindNodeLease, model.KindPod:
		if s.Has(beside) {
			code += "-beside"
		}
	default:
		code = "another"
	}
	return words.Of("notice.forbidden."+code, "kind", kindWord(k))
}

// lost reports how long the API server has been unreachable, and the consequence for the state shown.
func (n *notices) lost(st *stream.Status, last model.Instant) {
	s := n.s
	var since, retry, why words.Say
	if st.Since.Bounded() && s.At.Bounded() {
		since = words.Of("notice.lost.for", "for", max(s.At.Sub(st.Since), 0))
	}
	if st.Retry.Bounded() && s.At.Bounded() {
		retry = words.Of("notice.lost.retry", "in", max(st.Retry.Sub(s.At), 0))
	}
	if st.Why != "" {
		why = words.Of("notice.lost.why", "why", n.p.Text(st.Why))
	}
	n.add(themes.Warn, words.Of("notice.lost.says", "mark", n.p.Glyphs.Gap, "state", st.State, "for", since, "retry", retry, "why", why))
	switch {
	case s.From() != s.At:
		n.add(themes.Text, words.Of("notice.lost.as-of", "at", s.From()))
	case last.Known():
		n.add(themes.Text, words.Of("notice.lost.unconfirmed", "at", last))
	}
}

func (n *notices) blind() {
	s := n.s
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
		in.Why = words.Of("notice.gap.watches", "k", watches, "why", in.Why).In(n.p)
	}
	when, why := words.Say{}, words.Text(n.p.Text(in.Why))
	if in.Bounded() {
		when = words.Of("notice.gap.when", "from", in.Earliest, "to", in.Latest)
	}
	if in.Why == "" {
		why = words.Of("notice.gap.nothing")
	}
	n.add(themes.Gap, words.Of("notice.gap.says", "when", when, "why", why, "mark", n.p.Glyphs.Gap))
}

// lastKnown reports how many nodes show their state from before an unwatched time, and zones' states unknown.
func (n *notices) lastKnown() {
	k, since := 0, model.Instant(0)
	list := n.s.Nodes()
	for i := range list.Entries {
		if at := list.Entries[i].LastKnown; at.Known() {
			k, since = k+1, max(since, at)
		}
	}
	var known, unsettled words.Say
	if k > 0 {
		known = words.Of("notice.last-known", "mark", n.p.Glyphs.LastKnown, "k", k, "of", len(list.Entries), "at", since)
	}
	if n.s.Outlook().Unsettled {
		unsettled = words.Of("notice.unsettled")
	}
	if k > 0 || n.s.Outlook().Unsettled {
		n.add(themes.Gap, words.Join("; ", known, unsettled))
	}
}

// kinds reports the kinds that a recording lacks; a live session reports them by its watches.
func (n *notices) kinds() {
	if n.s.Kinds == nil || n.s.Loading < 1 || n.s.Status != nil || Empty(n.s) {
		return
	}
	for _, k := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		if !n.s.Kinds[k] {
			n.add(themes.Dim, words.Of("notice.not-recorded."+k.String()))
		}
	}
}

// Has reports whether the source shows a kind; a Snapshot without that information counts as showing everything. Pods
// count once all are listed: a part would be taken for all.
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

// listingPods reports that the first list of pods was incomplete at the time shown.
func (s *Snapshot) listingPods() bool { return s.At < s.PodsListed }

// awaitsPods reports that this is the watch of pods, and its first list is incomplete.
func (s *Snapshot) awaitsPods(st *stream.Status) bool {
	return st.Kind == model.KindPod && !st.Listed && st.State != stream.Live && st.State != stream.Forbidden && s.Mode.Watches()
}

// Unread is why nothing is known of a kind that a source shows by itself, in a few words; "" if something is.
func (s *Snapshot) Unread(k model.Kind) string {
	switch {
	case s.Has(k):
		return ""
	case k == model.KindPod && s.listingPods(), slices.ContainsFunc(s.Status, func(st stream.Status) bool { return st.Kind == k && s.awaitsPods(&st) }):
		return words.Label("not listed yet")
	case s.Mode.Watches():
		return words.Label("forbidden")
	}
	return words.Label("not recorded")
}

// AbsentPod is the text for a pod that is not shown: that there is none, or why that is not known.
func (s *Snapshot) AbsentPod() words.Say {
	if why := s.Unread(model.KindPod); why != "" {
		return words.Of("absent.pod-unknown", "why", why)
	}
	return words.Of("absent.pod")
}
