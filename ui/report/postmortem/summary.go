package postmortem

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/ui/topics"
)

// summary is what happened in six sentences at most, each of which rests on figures that stand further
// down; before them, where the controllers' own logs and the models disagree.
func (r *Report) summary() []string {
	var list []string
	for _, sentence := range []string{r.disagrees(), r.whoSaidSo() + r.whoFell() + r.whoBeat() + r.whoWasUnheeded() + r.whoWasExpected() + r.whoLeads(), r.whenDeclared(), r.whatWent(), r.whatHeld(), r.howItEnded() + r.whoRemoved() + r.byHand(), r.whoseClock()} {
		if sentence = strings.TrimSpace(sentence); sentence != "" {
			list = append(list, sentence)
		}
	}
	return list
}

// where says in which zones the lost nodes are.
func (r *Report) where(zones map[string]int) string {
	sizes := map[string]int{}
	for zone, n := range r.scan.inZone {
		sizes[zone.String()] = n
	}
	var list []string
	for _, z := range slices.Sorted(maps.Keys(zones)) {
		n, of := zones[z], sizes[z]
		switch {
		case of < n || r.captured || r.Node != nil:
			list = append(list, fmt.Sprintf("%d in %s", n, zoneWords(z)))
		case of == n:
			list = append(list, fmt.Sprintf("all %d in %s", n, zoneWords(z)))
		default:
			list = append(list, fmt.Sprintf("%d of the %d in %s", n, of, zoneWords(z)))
		}
	}
	return ": " + names(list, 6)
}

// zoneWords names a zone in a sentence.
func zoneWords(zone string) string {
	switch zone {
	case "none":
		return "the zone of nodes without labels"
	case "":
		return "a zone that is not known"
	}
	return "zone " + zone
}

// whenDeclared: what the control plane made of it.
func (r *Report) whenDeclared() string {
	if len(r.Silences) == 0 {
		return ""
	}
	var from, to model.Instant
	var least, longest time.Duration
	measured := 0
	for i := range r.Silences {
		s := &r.Silences[i]
		at := model.Instant(s.Declared)
		if from == 0 || at < from {
			from = at
		}
		to = max(to, at, min(s.declared.Latest, model.Instant(r.To)))
		if s.SilentSeconds.Known && s.Basis != model.Reconstructed.String() {
			from, to := s.silentBetween()
			if measured == 0 || from < least {
				least = from
			}
			longest, measured = max(longest, to), measured+1
		}
	}
	text := "The control plane declared " + map[bool]string{true: "it", false: "them"}[len(r.Silences) == 1] + " Unknown "
	if again := len(r.Silences) - len(r.lostNodes()); again > 0 {
		text = fmt.Sprintf("The control plane declared nodes Unknown %d times, ", len(r.Silences))
	}
	if coarse(from) == coarse(to) {
		text += "at " + coarse(from)
	} else {
		text += "between " + coarse(from) + " and " + coarse(to)
	}
	if measured > 0 {
		text += ", " + lengths(least, longest) + " after the last heartbeat"
	}
	if pods := r.markedPods(); pods > 0 {
		text += ", and marked " + counted(pods, "pod") + " not Ready"
	}
	return text + "."
}

// lostNodes are the nodes that were declared, each once.
func (r *Report) lostNodes() []string {
	var list []string
	for i := range r.Silences {
		list = append(list, r.Silences[i].Node)
	}
	return unique(list)
}

// markedPods counts the pods that were seen to be marked not ready.
func (r *Report) markedPods() int {
	marked := map[model.Key]bool{}
	for _, d := range r.decided {
		for i := range d.Writes {
			if w := &d.Writes[i]; d.Kind == model.MarkPodsNotReady && d.Basis == model.Observed && w.Kind == model.WritePodNotReady {
				marked[w.Pod] = true
			}
		}
	}
	return len(marked)
}

// whatWent: the pods.
func (r *Report) whatWent() string {
	first := r.first(isDelete)
	switch {
	case !r.pods && first == nil:
		return "What became of pods is not known: there are none in the input."
	case first == nil && r.undecided != "" && len(r.Silences) == 0:
		return ""
	case first == nil && r.undecided != "":
		return "No trace of a pod deleted by the controllers is left, which does not say that none was."
	case first == nil:
		return "The controllers deleted no pod by " + coarse(model.Instant(r.To)) + "."
	}
	after := ""
	if r.zeroHeard && first.Time > r.zero && !r.captured {
		after = ", " + length(first.Time.Sub(r.zero)) + " after the first node was heard last"
	}
	text := fmt.Sprintf("%s deleted by the controllers, the first at %s%s", were(r.Impact.Deleted, "pod"), coarse(first.Time), after)
	least := ""
	if !r.scan.listed[model.KindPod] {
		least = "at least "
	}
	if n := r.Impact.Spared; n > 0 && r.watchedAll() {
		where := "these nodes"
		if len(r.lostNodes()) == 1 {
			where = "this node"
		}
		text += fmt.Sprintf("; %s%d more on %s %s", least, n, where, r.sparedWord())
	}
	said := r.straysOfUnready()
	if said > 0 {
		text += "; " + strings.ToLower(ofThem(said, r.Impact.Deleted)) + " ran on nodes whose own kubelets said that they were not ready"
	}
	if n := r.strays() - said; n > 0 && r.scan.seesNodes {
		text += "; " + strings.ToLower(ofThem(n, r.Impact.Deleted)) + " ran on nodes of which the report has no declaration"
	}
	return text + "."
}

// whatHeld: what held the deletions back, or did not.
func (r *Report) whatHeld() string {
	if r.undecided != "" || len(r.Silences) == 0 {
		return ""
	}
	var parts []string
	if d := r.first(func(d *model.Decision) bool { return d.Kind == model.EnterMasterDisruption }); d != nil && !r.isDoubted(d) {
		text := "from " + coarse(d.Time) + " every zone was dark, and the controller halted tainting everywhere and took off the NoExecute taints that it saw"
		if e := r.first(func(d *model.Decision) bool { return d.Kind == model.ExitMasterDisruption }); e != nil && e.Time > d.Time {
			text += ", until " + coarse(e.Time)
		}
		parts = append(parts, text)
	}
	for _, state := range r.statesReached() {
		parts = append(parts, names(r.zonesIn(state), 3)+" went into "+state.String())
	}
	if taints := r.taintSpan(); taints != "" {
		parts = append(parts, taints)
	}
	if anew := r.begunAnew(); anew != "" {
		parts = append(parts, anew)
	}
	if len(parts) == 0 {
		return ""
	}
	return capital(strings.Join(parts, "; ")) + "."
}

// begunAnew is that the controller manager began anew, and what that did to countdowns; empty where it did not.
func (r *Report) begunAnew() string {
	starts := r.restarts()
	var text string
	switch len(starts) {
	case 0:
		return ""
	case 1:
		text = "the controller manager restarted at " + coarse(starts[0])
	default:
		text = fmt.Sprintf("the controller manager restarted %d times, first at %s", len(starts), coarse(starts[0]))
	}
	text += r.onlyWritesShow()
	m := &r.Margin
	if m.Forgotten == 0 {
		return text
	}
	text += ", and " + counted(m.Forgotten, "countdown") + " ended with the process that had started " + map[bool]string{true: "it", false: "them"}[m.Forgotten == 1]
	if m.ForgottenLeastLeftSeconds.Known {
		text += map[bool]string{true: ", with ", false: ", the nearest with "}[m.Forgotten == 1] + length(m.ForgottenLeastLeftSeconds.Value) + " to go"
	}
	return text + ": the new one counts from the start"
}

// statesReached are the states of disruption that zones went into, in the order in which the first did.
func (r *Report) statesReached() (list []model.DisruptionState) {
	for _, d := range r.decided {
		if d.Kind == model.ZoneState && d.Zone.Known && !r.isDoubted(d) && (d.State.To == model.ZoneFull || d.State.To == model.ZonePartial) && !slices.Contains(list, d.State.To) {
			list = append(list, d.State.To)
		}
	}
	return list
}

// zonesIn are the zones that were judged so.
func (r *Report) zonesIn(state model.DisruptionState) []string {
	var list []string
	for _, d := range r.decided {
		if d.Kind == model.ZoneState && d.State.To == state && d.Zone.Known && !r.isDoubted(d) {
			list = append(list, zoneWords(d.Zone.Value.String()))
		}
	}
	return unique(list)
}

// taintSpan is how the lost nodes were tainted, and how many others.
func (r *Report) taintSpan() string {
	lost, tainted, others := r.lostNodes(), map[string]bool{}, map[string]bool{}
	var from, to model.Instant
	times := 0
	for _, d := range r.decided {
		if d.Kind != model.TaintNoExecute || d.Outcome != model.Did {
			continue
		}
		if _, is := slices.BinarySearch(lost, d.Node); !is {
			others[d.Node] = true
			continue
		}
		if from == 0 {
			from = d.Time
		}
		tainted[d.Node], to, times = true, max(to, d.Time), times+1
	}
	who := were(len(tainted), "node")
	if len(tainted) < len(lost) {
		who = fmt.Sprintf("%d of the %d nodes %s", len(tainted), len(lost), map[bool]string{true: "was", false: "were"}[len(tainted) == 1])
	}
	often := ""
	if times > len(tainted) {
		often = fmt.Sprintf(", %d times in all,", times)
	}
	text := who + " tainted NoExecute" + often + " between " + coarse(from) + " and " + coarse(to)
	switch {
	case len(tainted)+len(others) == 0:
		return "no node was tainted NoExecute"
	case len(tainted) == 0:
		return "of the nodes that were declared Unknown none was tainted NoExecute, and of others " + strconv.Itoa(len(others))
	case coarse(from) == coarse(to):
		text = who + " tainted NoExecute at " + coarse(from)
	}
	if n := len(others); n > 0 {
		text += ", and " + counted(n, "node") + " that " + map[bool]string{true: "was", false: "were"}[n == 1] + " not declared Unknown"
	}
	return text
}

// wordOfRecovery is what the controllers themselves say of who came back, where the input shows no heartbeat.
func (r *Report) wordOfRecovery() string {
	well := map[string]bool{}
	var last model.Instant
	for _, d := range r.decided {
		if d.Kind == model.UntaintNoExecute && d.Outcome == model.Did {
			well[d.Node], last = true, max(last, d.Time)
		}
	}
	if len(well) == 0 {
		return "Whether they were heard again is not known: the input shows no heartbeat."
	}
	return fmt.Sprintf("The controllers took the taints of %s off again, the last at %s; when they were heard again is not known.", counted(len(well), "node"), coarse(last))
}

// howItEnded: who came back.
func (r *Report) howItEnded() string {
	if len(r.Silences) == 0 || r.captured {
		return ""
	}
	if !r.scan.seesNodes {
		return r.wordOfRecovery()
	}
	last := map[string]*Silence{}
	var back model.Instant
	var longest time.Duration
	for i := range r.Silences {
		last[r.Silences[i].Node] = &r.Silences[i]
		longest = max(longest, r.Silences[i].WholeSeconds.Value)
	}
	silent, gone := 0, 0
	for _, s := range last {
		switch {
		case s.isBack():
			back = max(back, s.back.At())
		case model.Instant(s.Gone).Bounded():
			gone++
		default:
			silent++
		}
	}
	var parts []string
	if n := len(last) - silent - gone; n > 0 {
		who := "all " + strconv.Itoa(n) + " were"
		if n == 1 {
			who = "it was"
		}
		if n < len(last) {
			who = were(n, "node")
		}
		text := who + " heard again by " + coarse(back)
		if longest > 0 {
			text += ", after " + length(longest) + map[bool]string{true: " of silence", false: " of silence at most"}[len(r.Silences) == 1]
		}
		parts = append(parts, text)
	}
	if gone > 0 {
		parts = append(parts, were(gone, "node")+" deleted before being heard again")
	}
	if silent > 0 {
		parts = append(parts, fmt.Sprintf("%s not heard again by the end of the report, %s", were(silent, "node"), coarse(model.Instant(r.To))))
	}
	if r.Standing != nil && len(r.Standing.StillMarked) > 0 {
		parts = append(parts, topics.Marked(len(r.Standing.StillMarked)).String())
	}
	return capital(strings.Join(parts, "; ")) + "."
}
