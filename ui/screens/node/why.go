package node

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/controllers"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/topics"
)

// step is one sentence of the reasons: a fact, and how it is known.
type step struct {
	glyph string
	token themes.Token // of the glyph
	text  string
}

func (c *rendering) observed(text string) step {
	return step{c.p.Glyphs.Recorded, themes.Dim, text}
}

func (c *rendering) inferred(text string) step {
	return step{c.p.Glyphs.Inferred, themes.Dim, text}
}

func (c *rendering) predicted(text string) step {
	return step{c.p.Glyphs.Predicted, themes.Predicted, text}
}

// decided is a step that a decision made.
func (c *rendering) decided(d *model.Decision, text string) step {
	token, glyph := decision.Glyph(d, c.s.At, c.p)
	return step{glyph, token, text}
}

// why is the reasons for the node's future, in numbered steps: from the last heartbeat that counted to the deletion of
// its pods, or to the cause of a delay. It is empty if no models run.
func (c *rendering) why(w int) part {
	l := part{pane: paneWhy}
	if !c.controllers.Judged {
		return l
	}
	question, steps := c.steps()
	l.title = question
	legend := c.p.Glyphs.Recorded + " observed  " + c.p.Glyphs.Inferred + " inferred  " + c.p.Glyphs.Predicted + " predicted"
	beside := paint.Width(question)+paint.Width(legend)+6 <= w
	if beside {
		l.note = legend
	}
	var rows []paint.Row
	for i, s := range steps {
		line := c.p.Line(w).Skip(2).Put(themes.Faint, itoa(i+1)).Skip(1).Glyph(s.token, s.glyph).Skip(1)
		indent := line.Width()
		for k, part := range paint.Fold(c.p.Text(s.text), max(w-indent-1, 10)) {
			if k > 0 {
				line = c.p.Line(w).Skip(indent)
			}
			rows = append(rows, line.Put(themes.Text, part).Row())
		}
	}
	if !beside {
		rows = append(rows, c.p.Line(w).Skip(6).Put(themes.Faint, legend).Row())
	}
	l.N, l.Draw = len(rows), func(i int) paint.Row { return rows[i] }
	return l
}

// steps are the question that the node's state poses, and its answer.
func (c *rendering) steps() (question string, steps []step) {
	if c.controllers.State == nil {
		return "Why", []step{{c.p.Glyphs.Ellipsis, themes.Faint, "decisions: " + c.controllers.InShort()}}
	}
	n := c.controllers.Node(c.name)
	tainted, foreign := c.taintStep()
	steps = c.healthSteps()
	switch {
	case tainted != nil:
		question = "Why is it being emptied?"
		steps = append(steps, *tainted)
		if n == nil || n.Ahead+n.Count[forecast.Terminating]+n.Count[forecast.Stuck] == 0 {
			question = "Why is it tainted?"
		}
	case n != nil && n.Wait != nil:
		question = "Why is it not emptied yet?"
		steps = append(steps, c.waitSteps(n)...)
	case c.row.Health() == model.HealthUnknown || c.row.Health() == model.HealthNotReady:
		question = "Why is it " + c.row.Health().String() + "?"
	case c.ages.Age.Known && c.ages.Age.Value >= forecast.SilentAfter:
		question = "Why is it not Unknown yet?"
	default:
		question = "What would happen to it?"
		if more, asked := c.standing(); len(more) > 0 {
			question, steps = asked, append(more, steps...)
		}
	}
	steps = append(steps, c.shutdownSteps()...)
	steps = append(steps, c.podSteps(n)...)
	switch {
	case foreign && n != nil && n.Ahead > 0:
		steps = append(steps, c.predicted("would stop if the taint is removed before "+c.p.Clock(n.Next.Earliest)))
	case tainted != nil && n != nil && n.Ahead > 0:
		steps = append(steps, c.predicted("would stop if its kubelet posts Ready and a pass runs before "+c.p.Clock(n.Next.Earliest)))
	case n != nil && n.Wait != nil:
		steps = append(steps, c.predicted("leaves the queue once its kubelet posts Ready"))
	}
	return question, steps
}

// standing is the facts that a node's heartbeats do not show: its problems, and the component or person that removes
// it.
func (c *rendering) standing() (steps []step, question string) {
	list := c.s.Nodes()
	i := list.Find(c.name)
	if i < 0 {
		return nil, ""
	}
	e := &list.Entries[i]
	for k := range e.Problems {
		question, steps = "What is wrong with it?", append(steps, c.observed(e.Problems[k].Says))
	}
	if l := e.Leaving; l != nil {
		text := l.Who + " " + l.Does
		if l.When.Bounded() && l.When.Width() > 0 {
			text += ", gone by " + c.p.Clock(l.When.Latest)
		}
		question, steps = "Who takes it away?", append([]step{c.observed(text)}, steps...)
	}
	if keepsOff := c.keepsOff(); len(keepsOff) > 0 {
		question, steps = cmp.Or(question, "What keeps new pods away?"), append(steps, keepsOff...)
	}
	return steps, question
}

// keepsOff is what keeps new pods off a node that is Ready: a cordon, and the taints that others than the control plane put on.
func (c *rendering) keepsOff() (steps []step) {
	n := c.row.Node
	if n == nil {
		return nil
	}
	if n.Unschedulable {
		text := "cordoned"
		if who, last := n.CordonedBy(); who != "" {
			text += " by " + who + " " + c.since(last) + " ago"
		} else if i := slices.IndexFunc(n.Taints, func(t model.Taint) bool { return t.Key == model.TaintUnschedulable }); i >= 0 {
			text += " " + c.taintAge(&n.Taints[i]) + " ago; by whom was not seen"
		}
		steps = append(steps, c.observed(text+": no new pod comes, those that are here stay; kubectl uncordon ends it"))
	}
	for i := range n.Taints {
		t := &n.Taints[i]
		if t.OfNodeLifecycle() || t.Effect == model.PreferNoSchedule {
			continue
		}
		text := "tainted " + strings.TrimSuffix(t.Key+"="+t.Value, "=") + ":" + t.Effect.String() + " " + c.taintAge(t) + " ago"
		if glyph, who := c.addedBy(t); glyph == "?" {
			text += ", by whom is " + who
		} else if who != "" {
			text += ", by " + who
		}
		steps = append(steps, c.observed(text+": only pods that tolerate it come"))
	}
	return steps
}

// last is the node's last decision of some kinds up to the instant shown; nil if there is
// none.
func (c *rendering) last(kinds ...model.DecisionKind) *model.Decision {
	x := c.s.Judged.Index
	if x == nil {
		return nil
	}
	id, ok := x.Last(why.Subject{Node: c.name, Kinds: kinds}, c.s.At)
	if !ok {
		return nil
	}
	return x.Decision(id)
}

// healthSteps are how the node came to its Ready condition, and when it changes.
func (c *rendering) healthSteps() []step {
	if c.row.Node == nil {
		return []step{c.observed("its Node object was not seen here: what the controllers made of it, and whether it is tainted, is not known")}
	}
	ready := c.row.Node.Ready()
	switch c.row.Health() {
	case model.HealthUnknown:
		d := c.last(model.MarkUnknown)
		switch {
		case d == nil || !made(d, ready.Transition), len(d.Checks) == 0 && d.Why == "":
			return []step{c.observed("declared Unknown " + c.clock(ready.Transition) + "; why is not in the data")}
		case len(d.Checks) == 0: // it was not watched
			return []step{c.decided(d, "declared Unknown "+c.p.Window(d.Window)+": "+d.Why)}
		}
		silent, grace := duration(d.Checks[0].Left.Int), duration(d.Checks[0].Right.Int)
		return []step{c.decided(d, fmt.Sprintf("heartbeat last seen in the pass of %s, + %s grace → Unknown in the pass of %s",
			c.p.Window(earlier(d.Window, silent)), paint.Duration(grace), decision.Time(d, c.s.From(), c.p)))}
	case model.HealthNotReady:
		says := strings.Trim(ready.Reason+": "+ready.Message, ": ")
		steps := []step{c.observed("not ready, " + c.row.SaidNotReady().InFull(c.p.DateTime) + ", since " + c.clock(ready.Transition) + ": " + says)}
		return append(steps, c.silentSteps()...)
	}
	return c.silentSteps()
}

// silentSteps are when a node that is not declared Unknown is, if it stays silent.
func (c *rendering) silentSteps() []step {
	held := c.s.Judged.HeldNode(c.s.Cluster, c.name, c.controllers.Silence(c.row))
	for _, h := range why.Undecided(held, c.s.Judged.Decisions(), c.controllers.State.At) {
		if d := &h.Decision; d.Kind == model.MarkUnknown && len(d.Checks) > 0 {
			steps := []step{c.inferred(d.Why), c.predicted("Unknown " + c.p.In(c.s.From(), d.Window) + " unless a heartbeat comes")}
			if c.controllers.Leaderless() {
				steps = append([]step{c.inferred(model.NoLeader + ": no node is declared until it has one, and every grace period restarts then")}, steps...)
			}
			return steps
		}
	}
	return nil
}

// earlier is a window moved back in time.
func earlier(w model.Interval, by duration) model.Interval {
	if !w.Bounded() {
		return w
	}
	return model.Interval{Earliest: w.Earliest.Add(-by), Latest: w.Latest.Add(-by)}
}

func (c *rendering) clock(t model.Instant) string {
	if !t.Bounded() {
		return "at a time not known"
	}
	return c.p.Clock(t)
}

// taintStep is how the node came to its NoExecute taint; nil if it has none. foreign reports that it is not one of
// those that the node-lifecycle controller sets.
func (c *rendering) taintStep() (s *step, foreign bool) {
	if c.row.Node == nil {
		return nil, false
	}
	for i := range c.row.Node.Taints {
		t := &c.row.Node.Taints[i]
		if t.Effect != model.NoExecute || s != nil && !foreign {
			continue
		}
		told := c.observed("tainted " + strings.TrimPrefix(t.Key, "node.kubernetes.io/") + ":NoExecute " + c.taintedAt(t))
		s, foreign = &told, t.Key != taintUnreachable && t.Key != taintNotReady
		if d := c.last(model.TaintNoExecute, model.SwapNoExecute); !foreign && d != nil && d.Why != "" && made(d, t.Added) {
			told = c.decided(d, d.Why+" → tainted NoExecute "+decision.Time(d, c.s.From(), c.p))
		}
	}
	return s, foreign
}

// taintedAt is when a taint was set, and by which component if that was seen.
func (c *rendering) taintedAt(t *model.Taint) string {
	if t.Added.Bounded() {
		return c.clock(t.Added)
	}
	track, ok := c.taintTrack(t)
	if !ok {
		return "at a time not known"
	}
	text := c.clock(track.Added.Latest)
	if track.Added.Width() > 2*time.Second {
		text = "by " + text
	}
	if who := decision.Who(track.Writer, track.Requester); who != "" {
		text += " by a " + who
	}
	return text
}

// made reports that a decision may have caused a state that an object dates to an instant: it is not one of an earlier
// time. The write follows the decision at once, and may be tried again.
func made(d *model.Decision, began model.Instant) bool {
	const tries = 30 * time.Second
	return !began.Bounded() || !d.Window.Latest.Bounded() || d.Window.Latest.Add(tries) >= began
}

// waitSteps are what the node waits for.
func (c *rendering) waitSteps(n *controllers.Node) []step {
	z := c.controllers.Zone(model.Some(n.Wait.Zone))
	if z == nil {
		return nil
	}
	zone := "zone " + cmp.Or(n.Wait.Zone.Zone, n.Wait.Zone.String()) + " is " + z.State.String() + ": "
	switch {
	case c.controllers.Master:
		return []step{c.inferred("master disruption (no zone has a Ready node): no node is tainted")}
	case z.Rate == 0:
		return []step{c.inferred(zone + "rate 0, no token comes")}
	}
	tokens, _ := z.Tokens(c.s.From())
	return []step{c.inferred(zone + topics.TaintRate(z.Rate).String() + "; " + tokens.In(c.p)), c.predicted("tainted " + c.p.In(c.s.From(), n.Wait.Window))}
}

// podSteps are what becomes of the pods, those of one fate together.
func (c *rendering) podSteps(n *controllers.Node) (steps []step) {
	if c.controllers.Forecast == nil {
		return []step{{c.p.Glyphs.Ellipsis, themes.Faint, "pods: " + c.controllers.InShort()}}
	}
	if n == nil {
		return nil
	}
	for i := 0; i < len(n.Evictions); {
		first := n.Evictions[i]
		window, same := first.Window, 1
		for i+same < len(n.Evictions) && alike(first, n.Evictions[i+same]) {
			window.Latest = max(window.Latest, n.Evictions[i+same].Window.Latest)
			same++
		}
		i += same
		steps = append(steps, c.fate(first, same, window))
	}
	return steps
}

// alike reports that two pods have one fate, to the second. If they are deleted for a taint, how long each tolerates it
// is part of that.
func alike(a, b *forecast.Eviction) bool {
	if a.State != b.State {
		return false
	}
	if !a.State.Ahead() {
		return a.Rule == b.Rule && a.Why == b.Why
	}
	return a.Seconds == b.Seconds && b.Window.Earliest.Sub(a.Window.Earliest).Abs() <= time.Second && b.Window.Latest.Sub(a.Window.Latest).Abs() <= time.Second
}

// fate is what becomes of so many pods.
func (c *rendering) fate(e *forecast.Eviction, n int, window model.Interval) step {
	pods, tolerate, have := decision.Counted(n, "pod"), " tolerate ", " have "
	if n == 1 {
		tolerate, have = " tolerates ", " has "
	}
	switch e.State {
	case forecast.Due, forecast.WaitingForTaint:
		in := c.p.In(c.s.From(), window)
		if !e.Seconds.Known {
			return c.predicted(pods + " → deleted " + in + ": " + topics.EvictionWhy(&e.Why).In(c.p))
		}
		return c.predicted(fmt.Sprintf("%s%s%ds → deleted %s (%s)", pods, tolerate, e.Seconds.Value, in, c.p.Window(window)))
	case forecast.Halted:
		return c.predicted(pods + have + "no deletion ahead: " + topics.EvictionWhy(&e.Why).In(c.p))
	case forecast.Forever:
		return c.inferred(pods + tolerate + "it forever: not deleted")
	}
	if n > 1 {
		pods += ", each"
	}
	return c.observed(pods + ": " + topics.EvictionWhy(&e.Why).In(c.p))
}
