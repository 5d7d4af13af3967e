package postmortem

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/ui/report"
	"kardia/ui/topics"
)

// Impact is what the incident did to pods.
type Impact struct {
	// Deletes counts the decisions to delete a pod, Deleted the pods.
	Deletes int `json:"deletes"`
	Deleted int `json:"deleted"`
	// Spared counts the pods on nodes that were declared Unknown that were not deleted.
	Spared int `json:"spared"`
	// NotReadySeconds is summed over all of these pods: from the write Ready=False until Ready=True, until they
	// were gone, or to the end.
	NotReadySeconds report.Seconds `json:"notReadySeconds"`
	Pods            []PodFate      `json:"pods"`
	Workloads       []WorkloadFate `json:"workloads"`
	// Reasons are why pods were spared, each with how many, the commonest first.
	Reasons []SparedReason `json:"reasons"`
}

// SparedReason is what spared pods, and one of them as an example.
type SparedReason struct {
	// By is as 'why' has it, or deleted-by-another, gone or not-known.
	By   string `json:"by"`
	Pods int    `json:"pods"`
	Pod  string `json:"pod"`
	Why  string `json:"why"`
}

// PodFate is what became of a pod that was on a node when that was declared Unknown, or that a
// controller deleted.
type PodFate struct {
	Pod      string  `json:"pod"`
	Node     *string `json:"node"`
	Workload string  `json:"workload"`
	// Deleted is null where no controller decided so; Decision is the first that did.
	Deleted  report.Stamp `json:"deleted"`
	Decision *string      `json:"decision"`
	// Why it was deleted, or spared.
	Why             string         `json:"why"`
	NotReadySeconds report.Seconds `json:"notReadySeconds"`
	// NotReadyAtEnd says that it was not Ready where the report ends: for NotReadySeconds at least.
	NotReadyAtEnd bool `json:"notReadyAtEnd"`
	// Gone is when the pod was gone from the API.
	Gone report.Stamp `json:"gone"`
}

// WorkloadFate sums up the pods of one controller.
type WorkloadFate struct {
	Workload        string         `json:"workload"`
	Deleted         int            `json:"deleted"`
	Spared          int            `json:"spared"`
	NotReadySeconds report.Seconds `json:"notReadySeconds"`
	// ReadyBefore is how many of its pods were Ready when the incident began, ReadyLeast the fewest since,
	// at LeastAt; null where nobody watched.
	ReadyBefore *int         `json:"readyBefore"`
	ReadyLeast  *int         `json:"readyLeast"`
	LeastAt     report.Stamp `json:"leastAt"`
}

// subject is a pod as decisions know it.
type subject struct {
	key model.Key
	uid model.UID
}

// isDelete says that a decision deletes a pod.
func isDelete(d *model.Decision) bool {
	return (d.Kind == model.EvictPod || d.Kind == model.CollectPod) && d.Outcome == model.Did
}

// impact is what became of each pod that a controller deleted, then of those that none did.
func (r *Report) impact() Impact {
	r.survival = why.SurvivalOf(r.result)
	t := &tally{report: r, byWorkload: map[workload]*WorkloadFate{}, Impact: Impact{Pods: []PodFate{}, Workloads: []WorkloadFate{}, Reasons: []SparedReason{}}}
	deleted := map[subject]*model.Decision{}
	var order []subject
	for _, d := range r.decided {
		if !isDelete(d) {
			continue
		}
		t.Deletes++
		s := r.scan.subject(d)
		if deleted[s] == nil {
			deleted[s], order = d, append(order, s)
		}
	}
	t.Deleted = len(order)
	for _, s := range order {
		t.add(r.scan.track(s, deleted[s].Node), deleted[s])
	}
	for _, p := range r.scan.struck {
		if deleted[subject{p.key, p.uid}] == nil {
			t.add(p, nil)
		}
	}
	return t.sum()
}

// tally is an Impact in the making.
type tally struct {
	Impact
	report     *Report
	byWorkload map[workload]*WorkloadFate
	workloads  []workload // in the order in which they come
}

// add counts a pod, and the decision that deleted it; nil where none did.
func (t *tally) add(p *podTrack, d *model.Decision) {
	fate := PodFate{Pod: p.key.String(), Node: text(p.node), Workload: p.workload.String(), Gone: report.Stamp(p.gone)}
	if t.report.watched(p) && !(t.report.podsLost && p.gone == 0) {
		fate.NotReadySeconds, fate.NotReadyAtEnd = seconds(p.notReady), p.lasts
	}
	w := t.byWorkload[p.workload]
	if w == nil {
		w = &WorkloadFate{Workload: p.workload.String()}
		t.byWorkload[p.workload], t.workloads = w, append(t.workloads, p.workload)
	}
	w.NotReadySeconds = sum(w.NotReadySeconds, fate.NotReadySeconds)
	t.NotReadySeconds = sum(t.NotReadySeconds, fate.NotReadySeconds)
	if d != nil {
		fate.Deleted, fate.Decision, fate.Why = report.Stamp(d.Time), text(d.ID.String()), d.Why
		if w := t.report.result.Unexplained(d); w != nil {
			fate.Why = topics.NoneExplains(w).String()
		}
		w.Deleted++
	} else {
		var by string
		by, fate.Why = t.report.spared(p)
		t.because(by, &fate)
		t.Spared++
		w.Spared++
	}
	t.Pods = append(t.Pods, fate)
}

// sum is the Impact of all that was counted: the workloads that lost most first, and the commonest reasons.
func (t *tally) sum() Impact {
	t.report.replicas(t.byWorkload)
	for _, w := range t.workloads {
		t.Workloads = append(t.Workloads, *t.byWorkload[w])
	}
	slices.SortStableFunc(t.Workloads, func(a, b WorkloadFate) int {
		return cmp.Or(cmp.Compare(b.Deleted, a.Deleted), strings.Compare(a.Workload, b.Workload))
	})
	slices.SortStableFunc(t.Reasons, func(a, b SparedReason) int { return cmp.Compare(b.Pods, a.Pods) })
	return t.Impact
}

// because counts what spared a pod.
func (i *Impact) because(by string, p *PodFate) {
	for k := range i.Reasons {
		if i.Reasons[k].By == by {
			i.Reasons[k].Pods++
			return
		}
	}
	i.Reasons = append(i.Reasons, SparedReason{By: by, Pods: 1, Pod: p.Pod, Why: p.Why})
}

func sum(a, b report.Seconds) report.Seconds {
	if !b.Known {
		return a
	}
	return seconds(a.Value + b.Value)
}

// watched says that what became of a pod was seen.
func (r *Report) watched(p *podTrack) bool {
	return r.watchedAll() && (p.struck || p.followed) && !p.unseen
}

// replicas adds how many pods of each workload were Ready.
func (r *Report) replicas(list map[workload]*WorkloadFate) {
	if r.captured || !r.scan.listed[model.KindPod] {
		return
	}
	for key, w := range list {
		if n := r.scan.workloads[key]; n != nil && n.before > 0 && key.kind != "" {
			w.ReadyBefore, w.ReadyLeast, w.LeastAt = &n.before, &n.least, report.Stamp(n.leastAt)
		}
	}
}

// subject is the pod that a decision deletes: where it does not say which of one name, the one on its node
// then.
func (s *scan) subject(d *model.Decision) subject {
	if d.PodUID.Known() {
		return subject{d.Pod, d.PodUID}
	}
	if p := s.struckBy[d.Pod]; p != nil && (p.node == d.Node || d.Node == "") { // Events and logs name no node
		return subject{p.key, p.uid}
	}
	for _, p := range slices.Backward(s.followed[d.Pod]) {
		if p.node == d.Node || d.Node == "" {
			return subject{p.key, p.uid}
		}
	}
	return subject{key: d.Pod}
}

// track finds a pod; of one that the input does not show, no more than its name is told.
func (s *scan) track(of subject, node string) *podTrack {
	if p := s.struckBy[of.key]; p != nil && p.uid == of.uid {
		return p
	}
	for _, p := range slices.Backward(s.followed[of.key]) {
		if p.uid == of.uid || !of.uid.Known() {
			return p
		}
	}
	return &podTrack{key: of.key, uid: of.uid, node: node, workload: workload{namespace: of.key.Namespace}}
}

// spared says why a pod on a node that was declared Unknown was not deleted by a controller, in a word and in full.
func (r *Report) spared(p *podTrack) (by, words string) {
	if r.captured {
		return "not-known", "not known: not watched"
	}
	if r.undecided != "" {
		return "not-known", "not known: " + r.undecided
	}
	silence := &r.Silences[p.silence]
	s := r.survival.Of(&model.Pod{Key: p.key, UID: p.uid, Node: p.node, Tolerations: p.tolerations}, silence.decision, r.judged)
	switch {
	case s.By == why.SparedCancelled && s.Cancelled.Rule != model.RulePodGone:
	case p.asked != 0 && !s.Over(p.asked):
		return "deleted-by-another", "its deletion was asked for at " + clock(p.asked) + " by " + actorWords(&p.asker)
	case p.gone != 0 && !s.Over(p.gone):
		return "gone", "it was gone at " + clock(p.gone) + ", and no controller's decision explains it"
	case s.By == why.SparedUnqueued && silence.isBack():
		return s.By.String(), "its node was not tainted NoExecute before it was heard again at " + clock(silence.back.At())
	}
	return s.By.String(), report.SparedWords(&s, &model.Owner{Kind: p.workload.kind, Name: p.workload.name}, clock)
}

func (r *Report) tellImpact() chapter {
	c := chapter{title: "Impact"}
	is := &r.Impact
	switch {
	case !r.pods && is.Deleted == 0:
		c.say("Not known: no pods are in the input.")
		return c
	case is.Deleted == 0 && is.Spared == 0:
		c.say(r.nothing("No pod was deleted by the controllers, and none was on a node that was declared Unknown."))
		return c
	}
	c.say(r.impactSentence())
	r.tellReasons(&c)
	r.tellWorkloads(&c)
	t := &table{head: []string{"Pod", "Node", "Deleted", "T+", "Why deleted, or not", "Not Ready for", "Gone from the API"}}
	for i := range is.Pods[:min(len(is.Pods), most)] {
		p := &is.Pods[i]
		at := model.Instant(p.Deleted)
		when, gone := "no", "still there"
		if at.Bounded() {
			when = clock(at)
		}
		if g := model.Instant(p.Gone); g.Bounded() {
			gone = clock(g)
		} else if !p.NotReadySeconds.Known {
			gone = "not known"
		}
		unready := span(p.NotReadySeconds)
		if p.NotReadyAtEnd {
			unready = "at least " + unready
		}
		t.add(p.Pod, or(p.Node, "not known"), when, r.relative(at), p.Why, unready, gone)
	}
	c.put(t)
	if more := len(is.Pods) - most; more > 0 {
		c.say(fmt.Sprintf("%d more pods are in the JSON.", more))
	}
	return c
}

// reasonWords say in a few words what spared a pod.
var reasonWords = map[string]string{
	why.SparedCancelled.String(): "countdown cancelled", why.SparedPending.String(): "countdown had not run out", why.SparedEnded.String(): "countdown ran out: why it is there is not known", why.SparedTolerates.String(): "tolerates the taint forever",
	why.SparedHalted.String(): "zone halted: node not tainted", why.SparedWaiting.String(): "no token: node not tainted", why.SparedUnqueued.String(): "node not tainted before it was well",
	"deleted-by-another": "deleted by another actor", "gone": "gone, reason not recorded",
}

// tellReasons says how many pods were spared by what.
func (r *Report) tellReasons(c *chapter) {
	t := &table{head: []string{"Not deleted because", "Pods", "For example", "Why"}}
	for i := range r.Impact.Reasons {
		x := &r.Impact.Reasons[i]
		t.add(cmp.Or(reasonWords[x.By], "not known"), strconv.Itoa(x.Pods), x.Pod, x.Why)
	}
	if len(t.rows) > 1 || r.Impact.Spared > most {
		c.put(t)
	}
}

func (r *Report) impactSentence() string {
	is := &r.Impact
	text := fmt.Sprintf("%s deleted by the controllers, by a plain DELETE that no PodDisruptionBudget holds back", were(is.Deleted, "pod"))
	if again := is.Deletes - is.Deleted; again > 0 {
		text += fmt.Sprintf(" (%d more DELETEs went to pods that were being deleted already)", again)
	}
	if is.Deletes == 0 {
		text = "No pod was deleted by the controllers"
	}
	text += "."
	if n := r.strays(); n > 0 && !r.scan.seesNodes {
		text += " The input does not show which nodes they ran on."
	} else if n > 0 {
		said := r.straysOfUnready()
		if said > 0 {
			text += fmt.Sprintf(" %s ran on nodes of which their own kubelets said that they were not ready.", ofThem(said, is.Deleted))
		}
		if n > said {
			text += fmt.Sprintf(" %s ran on nodes of which the report has no declaration: these were lost before the input starts, or out of its scope, or tainted for another reason.", ofThem(n-said, is.Deleted))
		}
	}
	spared := strconv.Itoa(is.Spared) + " " + r.sparedWord()
	switch {
	case !r.watchedAll():
		text += " Which pods were spared on nodes that were declared Unknown is not known: that time was not watched."
	case len(r.Silences) == 0:
	case is.Spared == 0:
		text += " Of the pods on nodes that were declared Unknown none is left that they did not delete, as far as the input shows them."
	case !r.scan.listed[model.KindPod]:
		text += " Of the pods that the input shows on nodes that were declared Unknown " + spared + "; it does not list all pods that there were."
	default:
		text += " Of the pods on nodes that were declared Unknown " + spared + "."
	}
	if is.NotReadySeconds.Known {
		text += fmt.Sprintf(" Together these pods were not Ready for %s pod-minutes, as the API had it: from the write Ready=False until Ready=True, until they were gone, or to the end of the report%s. "+
			"Whether they served meanwhile, or had stopped to serve before, is not in the input.", strconv.FormatFloat(is.NotReadySeconds.Value.Minutes(), 'f', 1, 64), r.unreadyAtEnd())
	}
	return text
}

// unreadyAtEnd says of how many of these pods the end of the report cuts the time off.
func (r *Report) unreadyAtEnd() string {
	n := 0
	for i := range r.Impact.Pods {
		if r.Impact.Pods[i].NotReadyAtEnd {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", where " + strconv.Itoa(n) + " of them" + map[bool]string{true: " was", false: " were"}[n == 1] + " not Ready yet"
}

// sparedWord is the verb of what became of pods that were not deleted: where nodes are silent to the end,
// nobody knows whether they are spared.
func (r *Report) sparedWord() string {
	be := map[bool]string{true: "was ", false: "were "}[r.Impact.Spared == 1]
	if slices.ContainsFunc(r.Silences, func(s Silence) bool { return !s.isBack() && !model.Instant(s.Gone).Bounded() }) {
		return be + "not deleted by the end, " + coarse(model.Instant(r.To))
	}
	return be + "spared"
}

// ofThem is a part of some that were named.
func ofThem(n, all int) string {
	if n == all {
		return map[bool]string{true: "It", false: "All of them"}[n == 1]
	}
	return strconv.Itoa(n) + " of them"
}

// watchedAll says that somebody watched when nodes were declared.
func (r *Report) watchedAll() bool {
	return !r.captured && !slices.ContainsFunc(r.Silences, func(s Silence) bool { return s.Basis == model.Reconstructed.String() })
}

// straysOfUnready counts those of them that ran on nodes of which the kubelet itself had said that they were not ready.
func (r *Report) straysOfUnready() (n int) {
	lost := r.lostNodes()
	for i := range r.Impact.Pods {
		p := &r.Impact.Pods[i]
		if at := model.Instant(p.Deleted); at.Bounded() && p.Node != nil && r.scan.wasUnready(*p.Node, at) {
			if _, declared := slices.BinarySearch(lost, *p.Node); !declared {
				n++
			}
		}
	}
	return n
}

// strays counts the pods that were deleted on nodes of which no declaration is told.
func (r *Report) strays() (n int) {
	lost := map[string]bool{}
	for i := range r.Silences {
		lost[r.Silences[i].Node] = true
	}
	for i := range r.Impact.Pods {
		if p := &r.Impact.Pods[i]; model.Instant(p.Deleted).Bounded() && (p.Node == nil || !lost[*p.Node]) {
			n++
		}
	}
	return n
}

// were is a number of things with its verb.
func were(n int, one string) string {
	if n == 1 {
		return "1 " + one + " was"
	}
	return counted(n, one) + " were"
}

func (r *Report) tellWorkloads(c *chapter) {
	t := &table{head: []string{"Workload", "Deleted", "Not deleted", "Pod-minutes not Ready", "Ready before", "Fewest Ready", "At"}}
	for i := range r.Impact.Workloads {
		w := &r.Impact.Workloads[i]
		before, least, at := "–", "–", "–"
		if w.ReadyBefore != nil {
			before, least, at = strconv.Itoa(*w.ReadyBefore), strconv.Itoa(*w.ReadyLeast), clock(model.Instant(w.LeastAt))
		}
		minutes := "not known"
		if w.NotReadySeconds.Known {
			minutes = strconv.FormatFloat(w.NotReadySeconds.Value.Minutes(), 'f', 1, 64)
		}
		t.add(w.Workload, strconv.Itoa(w.Deleted), strconv.Itoa(w.Spared), minutes, before, least, at)
	}
	if len(t.rows) > most {
		t.rows = t.rows[:most]
	}
	c.put(t)
}
