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
	var list []Notice
	if s.Loading < 1 {
		list = append(list, Notice{themes.Accent, words.Of("notice.opening", "mark", p.Glyphs.Predicted, "percent", int(max(s.Loading, 0)*100+0.5)).In(p)})
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
		list = append(list, Notice{themes.Text, words.Of("notice.captured-remembered", "at", s.Coverage.Latest).In(p)})
	case s.Coverage.Width() == 0:
		list = append(list, Notice{themes.Text, words.Of("notice.captured", "at", s.Coverage.Latest).In(p)})
	default:
		list = append(list, Notice{themes.Text, words.Of("notice.end", "at", s.Coverage.Latest).In(p)})
	}
	if Empty(s) {
		list = append(list, Notice{themes.Text, EmptyText(s, p)})
	}
	if s.listingPods() && !s.Blind {
		list = append(list, Notice{themes.Dim, words.Of("notice.pods-later", "at", s.PodsListed).In(p)})
	}
	return append(append(list, kindNotices(s, p)...), judgedNotices(s, p)...)
}

// judgedNotices report why nothing is judged, unless another notice reports it.
func judgedNotices(s *Snapshot, p *paint.Painter) []Notice {
	j := s.Judged
	switch {
	case j == nil || j.Missing.Reason == "" || s.Loading < 1 || Empty(s):
		return nil
	case j.Missing.Pending():
		return []Notice{{themes.Accent, p.Text(topics.Unjudged(j.Missing))}}
	}
	return warns(words.Of("notice.unjudged", "why", p.Text(topics.Unjudged(j.Missing))), p)
}

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
	list := forbidden(s, denied, p)
	if s.Lost != "" && s.AsOf.Known() && s.Mode == Live {
		list = slices.Insert(list, 0, silentNotice(s, p))
		if lost != nil {
			list = slices.Insert(list, 1, lostNotices(s, p, lost, last)...)
		}
	} else if lost != nil {
		list = slices.Insert(list, 0, lostNotices(s, p, lost, last)...)
	} else if grace := s.Params.NodeMonitorGracePeriod.Value; s.Mode == Live && last.Known() && grace > 0 && s.At.Sub(last) > grace && s.Has(model.KindNodeLease) {
		list = slices.Insert(list, 0, warns(words.Of("notice.nothing-arrived", "for", s.At.Sub(last), "at", last), p)...)
	}
	if len(loading) > 0 {
		list = slices.Insert(list, 0, Notice{themes.Accent, words.Of("notice.loading", "mark", p.Glyphs.Ellipsis, "what", strings.Join(loading, "   ")).In(p)})
	}
	return list
}

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

// forbidden lists the kinds that may not be read, and the consequences: nodes and leases apart, the others together.
func forbidden(s *Snapshot, denied []model.Kind, p *paint.Painter) (list []Notice) {
	var others []string
	var other model.Kind
	for _, k := range denied {
		switch {
		case k == model.KindNode || k == model.KindNodeLease:
			list = append(list, warns(forbiddenOne(s, k), p)...)
		case kindWords[k] != "":
			other, others = k, append(others, kindWords[k])
		}
	}
	switch len(others) {
	case 0:
		return list
	case 1:
		return append(list, warns(forbiddenOne(s, other), p)...)
	}
	return append(list, warns(words.Of("notice.forbidden-several", "list", strings.Join(others, ", ")), p)...)
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
	return words.Of("notice.forbidden."+code, "kind", kindWords[k])
}

// silentNotice reports that everything fell silent at one time, which is no evidence about any node.
func silentNotice(s *Snapshot, p *paint.Painter) Notice {
	return Notice{themes.Warn, words.Of("notice.all-silent", "mark", p.Glyphs.Gap, "at", s.AsOf, "for", max(s.At.Sub(s.AsOf), 0), "why", p.Text(s.Lost)).In(p)}
}

// lostNotices report how long the API server has been unreachable, and the consequence for the state shown.
func lostNotices(s *Snapshot, p *paint.Painter, st *stream.Status, last model.Instant) []Notice {
	var since, retry, why words.Say
	if st.Since.Bounded() && s.At.Bounded() {
		since = words.Of("notice.lost.for", "for", max(s.At.Sub(st.Since), 0))
	}
	if st.Retry.Bounded() && s.At.Bounded() {
		retry = words.Of("notice.lost.retry", "in", max(st.Retry.Sub(s.At), 0))
	}
	if st.Why != "" {
		why = words.Of("notice.lost.why", "why", p.Text(st.Why))
	}
	list := warns(words.Of("notice.lost.says", "mark", p.Glyphs.Gap, "state", st.State, "for", since, "retry", retry, "why", why), p)
	switch {
	case s.From() != s.At:
		list = append(list, Notice{themes.Text, words.Of("notice.lost.as-of", "at", s.From()).In(p)})
	case last.Known():
		list = append(list, Notice{themes.Text, words.Of("notice.lost.unconfirmed", "at", last).In(p)})
	}
	return list
}

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
		in.Why = words.Of("notice.gap.watches", "k", watches, "why", in.Why).In(p)
	}
	when, why := words.Say{}, words.Text(p.Text(in.Why))
	if in.Bounded() {
		when = words.Of("notice.gap.when", "from", in.Earliest, "to", in.Latest)
	}
	if in.Why == "" {
		why = words.Of("notice.gap.nothing")
	}
	return Notice{themes.Gap, words.Of("notice.gap.says", "when", when, "why", why, "mark", p.Glyphs.Gap).In(p)}
}

// lastKnownNotice reports how many nodes show their state from before an unwatched time, and zones' states unknown.
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
	if n == 0 && !s.Outlook().Unsettled {
		return nil
	}
	var known, unsettled words.Say
	if n > 0 {
		known = words.Of("notice.last-known", "mark", p.Glyphs.LastKnown, "k", n, "of", len(list.Entries), "at", since)
	}
	if s.Outlook().Unsettled {
		unsettled = words.Of("notice.unsettled")
	}
	return []Notice{{themes.Gap, words.Join("; ", known, unsettled).In(p)}}
}

// kindNotices report the kinds that a recording lacks; a live session reports them by its watches.
func kindNotices(s *Snapshot, p *paint.Painter) (list []Notice) {
	if s.Kinds == nil || s.Loading < 1 || s.Status != nil || Empty(s) {
		return nil
	}
	for _, k := range []model.Kind{model.KindNode, model.KindNodeLease, model.KindPod} {
		if !s.Kinds[k] {
			list = append(list, Notice{themes.Dim, words.Of("notice.not-recorded." + k.String()).In(p)})
		}
	}
	return list
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
		return "not listed yet"
	case s.Mode.Watches():
		return "forbidden"
	}
	return "not recorded"
}

// AbsentPod is the text for a pod that is not shown: that there is none, or why that is not known.
func (s *Snapshot) AbsentPod() words.Say {
	if why := s.Unread(model.KindPod); why != "" {
		return words.Of("absent.pod-unknown", "why", why)
	}
	return words.Of("absent.pod")
}
