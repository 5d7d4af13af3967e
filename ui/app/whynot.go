package app

import (
	"cmp"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// notYet is what holds the next step back, as of the instant that the models have reached.
func (w *whyPage) notYet(j *controllers.Judgement) {
	state := j.State
	title := "WHY NOT YET"
	if w.subject.Kind == screen.ZoneSubject {
		title = "WHAT IT IS, AND WHAT WOULD CHANGE IT"
	}
	if state == nil {
		w.head(title)
		text := j.Missing
		if text == "" {
			text = "the models are on their way to " + w.p.Clock(w.s.At)
		}
		w.say(themes.Dim, text)
		return
	}
	if state.At != w.s.At {
		title += "   as of " + w.p.Clock(state.At)
	}
	w.head(title)
	switch w.subject.Kind {
	case screen.PodSubject:
		w.heldPod()
	case screen.NodeSubject:
		w.heldNode()
	case screen.ZoneSubject:
		w.heldZone()
	}
}

// unled says first that kube-controller-manager has no leader, or may have none: what follows waits for one.
func (w *whyPage) unled() {
	switch held, _ := w.s.Controllers().Holding(); {
	case held.Reason == caveat.MaybeNoLeader:
		w.head("POSSIBLY NO LEADER")
		w.say(themes.Warn, "the leader of kube-controller-manager has not renewed its lease for "+paint.Duration(w.s.From().Sub(held.Since))+". If it exited, nothing happens until a new leader starts; every grace period and countdown restarts then")
	case held.Reason == caveat.NoLeader && held.Since.Known():
		w.head("NO LEADER")
		w.say(themes.Warn, words.Of("no-leader").String()+" since "+w.p.Clock(held.Since)+", by its lease: nothing happens until it has one; every grace period and countdown restarts then")
	}
}

func (w *whyPage) heldPod() {
	held, ok := w.s.Judged.HeldPod(w.s.Cluster, w.subject.Pod)
	switch p := w.s.Cluster.Pod(w.subject.Pod); {
	case ok:
		w.held(held)
	case p != nil && p.Deletion.Known():
		w.say(themes.Dim, "it is deleted already, and Terminating")
	default:
		w.say(themes.Dim, cmp.Or(w.s.UnsurePod(), "there is no such pod"))
	}
}

func (w *whyPage) held(list []why.Held) {
	list = why.Undecided(list, w.s.Judged.Decisions(), w.s.Judged.State.At)
	if len(list) == 0 {
		w.say(themes.Dim, "nothing holds it back: the write is on its way")
		return
	}
	w.put(decision.Held(list, w.s.At, w.p, w.width))
	for i := range list {
		w.foreseen(&list[i].Decision)
	}
}

// foreseen says of a taint that does not come as things are that it does once silent nodes are declared.
func (w *whyPage) foreseen(d *model.Decision) {
	if d.Kind != model.TaintNoExecute || d.Window.Earliest != model.FarFuture {
		return
	}
	if n := w.s.Controllers().Node(d.Node); n != nil && n.Wait != nil && n.Wait.Window.Bounded() {
		text := "predicted, if silent nodes stay silent: its taint within " + w.p.Window(n.Wait.Window)
		if !n.Wait.Certain {
			text += ", possibly"
		}
		w.say(themes.Predicted, text)
	}
}

func (w *whyPage) heldNode() {
	row := w.s.Cluster.Node(w.subject.Node)
	if held := w.s.Judged.HeldNode(w.s.Cluster, w.subject.Node, w.s.Controllers().Silence(row)); len(held) > 0 { // as everywhere: by what was known by then
		w.held(held)
		return
	}
	switch {
	case row == nil || row.Gone:
		w.say(themes.Dim, "there is no such node")
	case row.Node == nil:
		w.say(themes.Dim, "its Node object was not seen: what holds back the next step is not known")
	case !w.known():
		w.say(themes.Dim, "the controller does not know this node yet")
	default:
		w.say(themes.Dim, "no decisions left for the node itself; the next ones concern its pods")
	}
}

// known says whether the controller has a record of the node.
func (w *whyPage) known() bool {
	state := w.s.Judged.State
	_, ok := state.Nodes.Node(w.subject.Node, state.Cache)
	return ok
}

// maxComing is how many of the decisions to come are listed.
const maxComing = 12

// coming is what the models foresee for the subject.
func (w *whyPage) coming(f *forecast.Forecast) {
	if f == nil {
		return
	}
	var about []*forecast.Coming
	for i := range f.Coming {
		c := &f.Coming[i]
		if w.concerns(&c.Decision) || w.subject.Node != "" && slices.Contains(c.Among, w.subject.Node) {
			about = append(about, c)
		}
	}
	n := len(about)
	if n == 0 {
		return
	}
	decision.InTurn(about, w.s.From())
	var list []*model.Decision
	var doubts []string
	for _, c := range about[:min(n, maxComing)] {
		list, doubts = append(list, &c.Decision), append(doubts, doubt(c))
	}
	w.head("WHAT COMES UNTIL " + w.p.Clock(f.Until) + ", IF SILENT NODES STAY SILENT")
	told := decision.RowsOf(list, w.s.From(), w.p, w.width)
	for i, d := range list {
		l := w.p.Line(w.width - len(doubts[i]))
		told.Put(l, d)
		w.put([]paint.Row{w.p.Line(w.width).Append(l.Row()).Put(themes.Dim, doubts[i]).Row()})
	}
	if n > maxComing {
		w.say(themes.Dim, fmt.Sprintf("%s %d more", w.p.Glyphs.Ellipsis, n-maxComing))
	}
}

// doubt says that something to come is not the subject's for sure.
func doubt(c *forecast.Coming) string {
	switch {
	case len(c.Among) > 0:
		return fmt.Sprintf("  one of %d nodes", len(c.Among))
	case !c.Sure:
		return "  possibly"
	}
	return ""
}

func (w *whyPage) heldZone() {
	if !w.subject.Zone.Known {
		w.say(themes.Dim, "the zone of these nodes is not known: their objects were not seen")
		return
	}
	z, ok := why.Zone(w.s.Judged.State, w.subject.Zone.Value)
	if !ok {
		w.say(themes.Dim, "the controller has no state for this zone")
		return
	}
	w.put(decision.Zone(z, w.s.At, w.p, w.width))
	if is := w.s.Controllers().Zone(w.subject.Zone); is != nil && is.Armed > 0 {
		w.say(themes.Text, words.Of("zone.countdowns-end").String())
	}
}
