package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/themes"
	"kardia/ui/paint"
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
		list = append(list, Notice{themes.Text, "captured at " + p.Clock(s.Coverage.Latest) + ": one time    , steps back through its timestamps"})
	case s.Coverage.Width() == 0:
		list = append(list, Notice{themes.Text, "captured at " + p.Clock(s.Coverage.Latest) + ": one time"})
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

// judgedNotices report why nothing is judged, or not yet, unless another notice reports it.
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

// watchNotices report the state of the watches of a live session.
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
			"nothing arrived for %s, longer than the grace period: state of %s", paint.Duration(s.At.Sub(last)), p.Clock(last))})
	}
	if len(loading) > 0 {
		list = slices.Insert(list, 0, Notice{themes.Accent, p.Glyphs.Ellipsis + " loading   " + strings.Join(loading, "   ")})
	}
	return list
}

// kindWords are the kinds in a person's words.
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

// forbidden lists the kinds that may not be read, and the consequences: for nodes and leases separately, for the others
// if there is one.
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

// forbiddenOne is the consequence if one kind may not be read.
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

// silentNotice reports that everything fell silent at one instant, and what that means: it is no news
// of any node.
func silentNotice(s *Snapshot, p *paint.Painter) Notice {
	return Notice{themes.Warn, fmt.Sprintf("%s all silent since %s (%s): API server or network, no news of nodes   %s",
		p.Glyphs.Gap, p.Clock(s.AsOf), paint.Duration(max(s.At.Sub(s.AsOf), 0)), p.Text(s.Lost))}
}

// lostNotices report since when the API server is away, and the consequence for the state shown.
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
		list = append(list, Notice{themes.Text, "ages and countdowns at " + p.Clock(s.From()) + ": nothing was confirmed since"})
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

// lastKnownNotice reports, after a time without a watch, for how many nodes the state is that of before, and that the
// controller's judgement of zones is not known.
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

// kindNotices report the kinds that a recording lacks. A live session reports them by its watches.
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

// Has reports whether the source shows a kind at all; a Snapshot without that information counts as showing everything.
// Pods are had once all are listed: a part of them would be counted as all there are.
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

// listingPods reports that the first list of the pods had not come to its end by the instant shown.
func (s *Snapshot) listingPods() bool { return s.At < s.PodsListed }

// awaitsPods reports that this is the watch of the pods, and that its first list has not come to its end.
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

// UnsurePod is why it is not known whether there is a pod that is not shown; "" if it is.
func (s *Snapshot) UnsurePod() string {
	if why := s.Unread(model.KindPod); why != "" {
		return "whether there is such a pod is not known: pods are " + why
	}
	return ""
}
