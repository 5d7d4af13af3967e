package incident

import (
	"slices"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
)

func (s *scan) podChange(ch *model.Change, told bool) {
	at := ch.Effective()
	p := s.pods[ch.Key]
	if p != nil && ch.UID.Known() && p.UID.Known() && p.UID != ch.UID {
		s.end(p, at)
		p = nil
	}
	if ch.Op == model.OpDelete {
		if p != nil {
			if p.struck || p.followed || p.asked != 0 && s.nodes.Of(p.Node).lost {
				s.podEvent(ch, p, What{Code: PodGone})
			}
			s.end(p, at)
		}
		return
	}
	if ch.Pod == nil {
		return
	}
	fresh := p == nil
	if fresh {
		p = &pod{Pod: Pod{Key: ch.Key, UID: ch.UID}}
		s.pods[ch.Key] = p
		if s.deletes[ch.Key] {
			p.followed, p.unseen = true, ch.Op == model.OpModify
			s.followed[ch.Key] = append(s.followed[ch.Key], p)
		}
	}
	s.bind(p, ch.Pod)
	s.readiness(p, ch.Pod.Ready, at)
	if fresh && ch.Op == model.OpModify {
		s.strikeLate(p, ch, told)
	}
	p.ended = ch.Pod.Ended()
	if p.asked == 0 && ch.Pod.Deletion.Bounded() {
		p.asked, p.asker = at, Author{ch.Writer, ch.Requester}
		if ch.Op != model.OpBaseline && !told && s.nodes.Of(p.Node).lost {
			s.podEvent(ch, p, What{Code: PodAsked})
		}
	}
}

// strikeLate records a pod that was on a node at its declaration but is shown only later, as in audit logs. If a
// decision's write is the first, that write made it not Ready.
func (s *scan) strikeLate(p *pod, ch *model.Change, told bool) {
	n := s.nodes.Of(p.Node)
	if n.open == 0 || !ch.Pod.Created.Bounded() || ch.Pod.Created > s.Silences[n.open-1].Declared.Window.Latest {
		return
	}
	s.struckOne(p, n.open-1)
	p.unseen = true
	if told && ch.Pod.Ready == model.StatusFalse && p.asked == 0 && !ch.Pod.Deletion.Bounded() {
		p.unseen, p.since = false, ch.Effective()
	}
}

func (s *scan) struckOne(p *pod, silence int) {
	p.struck, p.silence = true, silence
	s.struck, s.struckBy[p.Key] = append(s.struck, p), p
}

func (s *scan) bind(p *pod, is *model.Pod) {
	if is.Node != "" && p.Node != is.Node {
		if p.Node != "" {
			delete(s.nodes.Of(p.Node).pods, p)
		}
		p.Node = is.Node
		s.nodes.Of(p.Node).pods[p] = true
	}
	p.tolerations = is.Tolerations
	p.Owner = Owner{Namespace: is.Namespace}
	if is.Owner != nil {
		p.Owner.Kind, p.Owner.Name = is.Owner.Kind, is.Owner.Name
	}
}

func (s *scan) readiness(p *pod, is model.Status, at model.Instant) {
	w := s.workloads[p.Owner]
	if w == nil {
		w = &replicas{leastAt: at}
		s.workloads[p.Owner] = w
	}
	switch was := p.ready == model.StatusTrue; {
	case was == (is == model.StatusTrue):
	case was:
		w.now--
		p.since = at
		if s.before && w.now < w.least && s.within(at) {
			w.least, w.leastAt = w.now, at
		}
	default:
		w.now++
		s.unreadyUntil(p, at)
	}
	p.ready = is
}

func (s *scan) unreadyUntil(p *pod, at model.Instant) {
	if p.since == 0 {
		return
	}
	p.notReady += max(0, min(at, s.To).Sub(max(p.since, s.From)))
	p.lasts = p.lasts || p.since < s.To && at >= s.To
	p.since = 0
}

func (s *scan) end(p *pod, at model.Instant) {
	s.readiness(p, model.StatusAbsent, at)
	s.unreadyUntil(p, at)
	p.Gone = at
	delete(s.nodes.Of(p.Node).pods, p)
	delete(s.pods, p.Key)
}

// Aftermath is what followed decisions: the write of each, and when its pod was gone.
type Aftermath struct {
	Wrote map[model.DecisionID]*infer.Write
	Gone  map[model.DecisionID]model.Interval
	// deleted are the decisions that deleted each pod, in order; from is the earliest time of any.
	deleted map[model.Key][]*model.Decision
	from    model.Instant
}

// AftermathOf reads a History. Errors are those of reading.
func AftermathOf(h history.History, result *infer.Result) (*Aftermath, error) {
	a := Begin(result)
	return a, a.readFrom(h, model.FarPast)
}

// Begin is the models' part of an Aftermath, for a caller that reads the History itself and passes each Change on.
func Begin(result *infer.Result) *Aftermath {
	a := &Aftermath{Wrote: map[model.DecisionID]*infer.Write{}, Gone: map[model.DecisionID]model.Interval{},
		deleted: map[model.Key][]*model.Decision{}, from: model.FarFuture}
	for i := range result.Writes {
		if w := &result.Writes[i]; w.Decision != 0 && a.Wrote[w.Decision] == nil {
			a.Wrote[w.Decision] = w
		}
	}
	for i := range result.Decisions {
		if d := &result.Decisions[i]; IsDelete(d) {
			a.deleted[d.Pod] = append(a.deleted[d.Pod], d)
			a.from = min(a.from, d.Window.Earliest)
		}
	}
	return a
}

func (a *Aftermath) readFrom(h history.History, at model.Instant) error {
	if len(a.deleted) == 0 {
		return nil
	}
	return history.Walk(h, max(at, a.from), model.FarFuture, &history.Condensed{WithoutRenewals: true}, func(_ int, ch *model.Change) bool {
		a.change(ch)
		return true
	})
}

// change takes the next Change. The last decision before a pod was gone deleted it.
func (a *Aftermath) change(ch *model.Change) {
	if ch.Kind != model.KindPod || ch.Op != model.OpDelete || ch.Effective() < a.from {
		return
	}
	for _, d := range slices.Backward(a.deleted[ch.Key]) {
		if d.Window.Earliest <= ch.Time.Latest && (!d.PodUID.Known() || !ch.UID.Known() || d.PodUID == ch.UID) {
			a.Gone[d.ID] = ch.Time
			return
		}
	}
}
