package node

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/outlook"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// step is one sentence of the reasons: a fact and its evidence.
type step struct {
	glyph string
	token themes.Token // of the glyph
	text  words.Say
}

func (c *rendering) observed(text words.Say) step {
	return step{c.p.Glyphs.Recorded, themes.Dim, text}
}

func (c *rendering) inferred(text words.Say) step {
	return step{c.p.Glyphs.Inferred, themes.Dim, text}
}

func (c *rendering) predicted(text words.Say) step {
	return step{c.p.Glyphs.Predicted, themes.Predicted, text}
}

func (c *rendering) decided(d *model.Decision, text words.Say) step {
	token, glyph := render.Sign(c.p, topics.DecisionSign(d, c.s.At))
	return step{glyph, token, text}
}

// why is the reasons for the node's future in numbered steps. They lead from the last heartbeat that counted to the
// deletion of its pods, or to the cause of a delay. It is empty if no models run.
func (c *rendering) why(w int) part {
	l := part{pane: paneWhy}
	if !c.outlook.Judged {
		return l
	}
	question, steps := c.steps()
	l.title = question.In(c.p)
	legend := words.Of("node.legend", "recorded", c.p.Glyphs.Recorded, "inferred", c.p.Glyphs.Inferred, "predicted", c.p.Glyphs.Predicted).In(c.p)
	beside := paint.Width(l.title)+paint.Width(legend)+6 <= w
	if beside {
		l.note = legend
	}
	var rows []paint.Row
	for i, s := range steps {
		line := c.p.Line(w-1).Skip(2).Put(themes.Faint, strconv.Itoa(i+1)).Skip(1).Glyph(s.token, s.glyph).Skip(1)
		rows = append(rows, c.p.Folded(line, themes.Text, s.text.In(c.p))...)
	}
	if !beside {
		rows = append(rows, c.p.Line(w).Skip(6).Put(themes.Faint, legend).Row())
	}
	l.N, l.Draw = len(rows), func(i int) paint.Row { return rows[i] }
	return l
}

func (c *rendering) steps() (question words.Say, steps []step) {
	if c.outlook.State == nil {
		return words.Of("node.asks.why"), []step{{c.p.Glyphs.Ellipsis, themes.Faint, words.Of("node.decisions-pending", "why", topics.UnjudgedShort(c.outlook.Missing))}}
	}
	n := c.outlook.Node(c.name)
	tainted, foreign := c.taintStep()
	steps = c.healthSteps()
	switch {
	case tainted != nil:
		question = words.Of("node.asks.evicted")
		steps = append(steps, *tainted)
		if n == nil || n.Ahead+n.Count[forecast.Terminating]+n.Count[forecast.Stuck] == 0 {
			question = words.Of("node.asks.tainted")
		}
	case n != nil && n.Wait != nil:
		question = words.Of("node.asks.not-evicted")
		steps = append(steps, c.waitSteps(n)...)
	case c.row.Health() == model.HealthUnknown || c.row.Health() == model.HealthNotReady:
		question = words.Of("node.asks.health", "health", c.row.Health())
	case c.ages.Age.Known && c.ages.Age.Value >= forecast.SilentAfter:
		question = words.Of("node.asks.not-unknown")
	default:
		question = words.Of("node.asks.what-if-silent")
		if more, asked := c.standing(); len(more) > 0 {
			question, steps = asked, append(more, steps...)
		}
	}
	steps = append(steps, c.shutdownSteps()...)
	steps = append(steps, c.podSteps(n)...)
	switch {
	case foreign && n != nil && n.Ahead > 0:
		steps = append(steps, c.predicted(words.Of("node.stops.untainted", "before", n.Next.Earliest)))
	case tainted != nil && n != nil && n.Ahead > 0:
		steps = append(steps, c.predicted(words.Of("node.stops.ready", "before", n.Next.Earliest)))
	case n != nil && n.Wait != nil:
		steps = append(steps, c.predicted(words.Of("node.stops.queued")))
	}
	return question, steps
}

// standing is the facts that a node's heartbeats do not show: its problems, and its remover.
func (c *rendering) standing() (steps []step, question words.Say) {
	list := c.s.Nodes()
	i := list.Find(c.name)
	if i < 0 {
		return nil, question
	}
	e := &list.Entries[i]
	for k := range e.Problems {
		question, steps = words.Of("node.asks.degraded"), append(steps, c.observed(topics.Problem(&e.Problems[k])))
	}
	if l := e.Leaving; l != nil {
		question, steps = words.Of("node.asks.leaving"), append([]step{c.observed(topics.LeavingFull(l))}, steps...)
	}
	if keepsOff := c.keepsOff(); len(keepsOff) > 0 {
		if steps = append(steps, keepsOff...); question.Missing() {
			question = words.Of("node.asks.kept-off")
		}
	}
	return steps, question
}

// keepsOff is what keeps new pods off a Ready node: a cordon, and taints that the control plane did not set.
func (c *rendering) keepsOff() (steps []step) {
	n := c.row.Node
	if n == nil {
		return nil
	}
	if n.Unschedulable {
		steps = append(steps, c.observed(topics.Cordoned(n, c.s.From())))
	}
	for i := range n.Taints {
		t := &n.Taints[i]
		if t.OfNodeLifecycle() || t.Effect == model.PreferNoSchedule {
			continue
		}
		taint, ago := strings.TrimSuffix(t.Key+"="+t.Value, "=")+":"+t.Effect.String(), c.taintAge(t)
		text := words.Of("node.taint-keeps", "taint", taint, "ago", ago)
		if glyph, who := c.addedBy(t); glyph == "?" {
			text = words.Of("node.taint-keeps-unknown", "taint", taint, "ago", ago, "who", who)
		} else if who != "" {
			text = words.Of("node.taint-keeps-by", "taint", taint, "ago", ago, "who", who)
		}
		steps = append(steps, c.observed(text))
	}
	return steps
}

// last is the node's last decision of some kinds up to the time shown; nil for none.
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

// healthSteps are the history of the node's Ready condition, and its next change.
func (c *rendering) healthSteps() []step {
	if c.row.Node == nil {
		return []step{c.observed(words.Of("node.unseen"))}
	}
	ready := c.row.Node.Ready()
	switch c.row.Health() {
	case model.HealthUnknown:
		d := c.last(model.MarkUnknown)
		switch {
		case d == nil || !made(d, ready.Transition), len(d.Checks) == 0 && d.Why.Code == model.NoReason:
			return []step{c.observed(words.Of("node.declared", "at", c.clock(ready.Transition)))}
		case len(d.Checks) == 0: // it was not watched
			return []step{c.decided(d, words.Of("node.declared-why", "at", d.Window, "why", topics.Why(d)))}
		}
		silent, grace := time.Duration(d.Checks[0].Left.Int), time.Duration(d.Checks[0].Right.Int)
		return []step{c.decided(d, words.Of("node.declared-after", "seen", earlier(d.Window, silent), "grace", words.Setting(grace),
			"at", topics.DecisionTime(d, c.s.From())))}
	case model.HealthNotReady:
		steps := []step{c.observed(topics.NotReady(c.row))}
		return append(steps, c.silentSteps()...)
	}
	return c.silentSteps()
}

// silentSteps are when an undeclared node is declared Unknown if it stays silent.
func (c *rendering) silentSteps() []step {
	held := why.NodeForeseen(c.s.Judged.State, c.name, c.outlook.Silence(c.row))
	for _, h := range why.Undecided(held, c.s.Judged.Decisions(), c.outlook.State.At) {
		if d := &h.Decision; d.Kind == model.MarkUnknown && len(d.Checks) > 0 {
			steps := []step{c.inferred(topics.Why(d)), c.predicted(words.Of("node.unknown-in", "in", c.p.In(c.s.From(), d.Window)))}
			if c.outlook.Leaderless() {
				steps = append([]step{c.inferred(words.Of("node.no-leader"))}, steps...)
			}
			return steps
		}
	}
	return nil
}

func earlier(w model.Interval, by time.Duration) model.Interval {
	if !w.Bounded() {
		return w
	}
	return model.Interval{Earliest: w.Earliest.Add(-by), Latest: w.Latest.Add(-by)}
}

func (c *rendering) clock(t model.Instant) string {
	if !t.Bounded() {
		return words.Of("node.time-unknown").In(c.p)
	}
	return c.p.Clock(t)
}

// taintStep is the history of the node's NoExecute taint; nil without one. foreign: node-lifecycle does not set it.
func (c *rendering) taintStep() (s *step, foreign bool) {
	if c.row.Node == nil {
		return nil, false
	}
	for i := range c.row.Node.Taints {
		t := &c.row.Node.Taints[i]
		if t.Effect != model.NoExecute || s != nil && !foreign {
			continue
		}
		told := c.observed(words.Of("node.tainted", "key", strings.TrimPrefix(t.Key, "node.kubernetes.io/"), "at", c.taintedAt(t)))
		s, foreign = &told, t.Key != model.TaintUnreachable && t.Key != model.TaintNotReady
		if d := c.last(model.TaintNoExecute, model.SwapNoExecute); !foreign && d != nil && d.Why.Code != model.NoReason && made(d, t.Added) {
			told = c.decided(d, words.Of("node.tainted-why", "why", topics.Why(d), "at", topics.DecisionTime(d, c.s.From())))
		}
	}
	return s, foreign
}

// taintedAt is when a taint was set, and by which component if that was seen.
func (c *rendering) taintedAt(t *model.Taint) string {
	track, ok := c.taintTrack(t)
	if t.Added.Bounded() || !ok {
		return c.clock(t.Added)
	}
	text := c.clock(track.Added.Latest)
	if track.Added.Width() > 2*time.Second {
		text = words.Of("node.at-latest", "at", text).In(c.p)
	}
	if who := topics.Writer(track.Writer, track.Requester); who != "" {
		return words.Of("node.at-by", "at", text, "who", who).In(c.p)
	}
	return text
}

// made reports whether a decision may have caused a state whose start an object dates: it is not from an earlier time.
// The write follows the decision at once, and may be retried.
func made(d *model.Decision, began model.Instant) bool {
	const tries = 30 * time.Second
	return !began.Bounded() || !d.Window.Latest.Bounded() || d.Window.Latest.Add(tries) >= began
}

func (c *rendering) waitSteps(n *outlook.Node) []step {
	z := c.outlook.Zone(model.Some(n.Wait.Zone))
	if z == nil {
		return nil
	}
	zone := cmp.Or(n.Wait.Zone.Zone, n.Wait.Zone.String())
	switch {
	case c.outlook.Master:
		return []step{c.inferred(words.Of("node.master"))}
	case z.Rate == 0:
		return []step{c.inferred(words.Of("node.zone-stopped", "zone", zone, "state", z.State))}
	}
	tokens, _ := topics.Queue(z, c.s.From())
	return []step{c.inferred(words.Of("node.zone-queue", "zone", zone, "state", z.State, "rate", topics.TaintRate(z.Rate), "tokens", tokens)), c.predicted(words.Of("node.tainted-in", "in", c.p.In(c.s.From(), n.Wait.Window)))}
}

// podSteps are the future of the pods, grouped by fate.
func (c *rendering) podSteps(n *outlook.Node) (steps []step) {
	if c.outlook.Forecast == nil {
		return []step{{c.p.Glyphs.Ellipsis, themes.Faint, words.Of("node.pods-pending", "why", topics.UnjudgedShort(c.outlook.Missing))}}
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

// alike reports whether two pods have one fate, to the second. Those deleted for a taint also have one toleration.
func alike(a, b *forecast.Eviction) bool {
	if a.State != b.State {
		return false
	}
	if !a.State.Ahead() {
		return a.Rule == b.Rule && a.Why == b.Why
	}
	return a.Seconds == b.Seconds && b.Window.Earliest.Sub(a.Window.Earliest).Abs() <= time.Second && b.Window.Latest.Sub(a.Window.Latest).Abs() <= time.Second
}

func (c *rendering) fate(e *forecast.Eviction, n int, window model.Interval) step {
	switch e.State {
	case forecast.Due, forecast.WaitingForTaint:
		in := c.p.In(c.s.From(), window)
		if !e.Seconds.Known {
			return c.predicted(words.Of("node.pods.deleted", "n", n, "in", in, "why", topics.EvictionWhy(&e.Why)))
		}
		return c.predicted(words.Of("node.pods.countdown", "n", n, "seconds", e.Seconds.Value, "in", in, "when", window))
	case forecast.Halted:
		return c.predicted(words.Of("node.pods.blocked", "n", n, "why", topics.EvictionWhy(&e.Why)))
	case forecast.Forever:
		return c.inferred(words.Of("node.pods.forever", "n", n))
	}
	return c.observed(words.Of("node.pods.rest", "n", n, "why", topics.EvictionWhy(&e.Why)))
}
