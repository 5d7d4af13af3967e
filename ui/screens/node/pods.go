package node

import (
	"cmp"
	"fmt"
	"slices"

	"kardia/model"
	"kardia/model/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// podRow is a pod and where its eviction stands; nil where nothing threatens it, or that is
// not known.
type podRow struct {
	*model.Pod
	eviction *forecast.Eviction
}

// podRows are a node's pods: those to be deleted first, as the models have it, then those
// that are being deleted, then by how long they tolerate a silent node, then by name.
func (v *View) podRows(s *screen.Snapshot) []podRow {
	if s.Cluster == nil {
		return nil
	}
	row := s.Cluster.Node(v.name)
	if row == nil {
		return nil
	}
	evictions := map[model.Key]*forecast.Eviction{}
	if n := v.controllers.Node(v.name); n != nil {
		for _, e := range n.Evictions {
			evictions[e.Pod] = e
		}
	}
	rows := make([]podRow, 0, len(row.Pods()))
	for _, p := range row.Pods() {
		rows = append(rows, podRow{p, evictions[p.Key]})
	}
	slices.SortFunc(rows, comparePods)
	return rows
}

func comparePods(a, b podRow) int {
	return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(a.ahead(), b.ahead()),
		compareTolerance(a.Pod, b.Pod), model.ComparePods(a.Pod, b.Pod))
}

// rank puts first what lies ahead, then what is under way, then the rest.
func (p *podRow) rank() int {
	switch {
	case p.eviction != nil && p.ahead() != model.FarFuture:
		return 0
	case p.Deletion.Known():
		return 1
	case p.eviction != nil && p.eviction.State == forecast.Halted:
		return 2
	}
	return 3
}

// ahead is the earliest instant at which the pod is deleted; FarFuture where none is known.
func (p *podRow) ahead() model.Instant {
	if e := p.eviction; e != nil && (e.State == forecast.Due || e.State == forecast.WaitingForTaint) {
		return e.Window.Earliest
	}
	return model.FarFuture
}

// readPods brings the cursor of the pods pane up to a Snapshot: it stays on its pod, or at
// the place where that was.
func (v *View) readPods(s *screen.Snapshot) []podRow {
	v.controllers = s.Controllers()
	rows := v.podRows(s)
	v.pods = v.pods[:0]
	for i := range rows {
		v.pods = append(v.pods, rows[i].Key)
	}
	if i := slices.Index(v.pods, v.pod); i >= 0 {
		v.podPlace = i
	} else if len(v.pods) > 0 {
		v.podPlace = min(max(v.podPlace, 0), len(v.pods)-1)
		v.pod = v.pods[v.podPlace]
	}
	return rows
}

// movePod moves the cursor of the pods pane; false if the action is none that moves.
func (v *View) movePod(action screen.Action, s *screen.Snapshot) bool {
	v.readPods(s)
	if len(v.pods) == 0 {
		return false
	}
	to, ok := moved(action, v.podPlace, len(v.pods), v.page[panePods])
	if !ok {
		return false
	}
	v.podPlace, v.pod = to, v.pods[to]
	v.scroll[panePods] = min(v.scroll[panePods], v.podPlace)
	return true
}

// clickPod puts the cursor on the pod in a line of the pods pane, if there is one.
func (v *View) clickPod(y int, s *screen.Snapshot) {
	v.readPods(s)
	line := y - v.firstRow[panePods]
	if i := line + v.scroll[panePods]; line >= 0 && line < v.page[panePods] && i < len(v.pods) {
		v.podPlace, v.pod = i, v.pods[i]
	}
}

// pods are the node's pods: what they tolerate, and what becomes of them.
func (c *canvas) podsPane(w int) list {
	rows := c.readPods(c.s)
	l := list{pane: panePods, title: "PODS " + itoa(len(rows)), n: len(rows), cursor: c.podPlace, hasCursor: c.focus == panePods}
	if !c.s.Has(model.KindPod) {
		l.title, l.n, l.hasCursor = "PODS ?", 1, false
		l.draw = func(int) paint.Row { return c.quiet(w, "no pods to be had: which run here is not known") }
		return l
	}
	if len(rows) == 0 {
		l.n, l.hasCursor = 1, false
		l.draw = func(int) paint.Row { return c.quiet(w, "no pods on this node") }
		return l
	}
	l.note = c.podCounts(rows)
	longest := 0
	for i := range rows {
		longest = max(longest, len(rows[i].Namespace)+1+len(rows[i].Name))
	}
	columns := c.podColumns(w, longest)
	head := c.p.Line(w).Skip(2)
	for _, col := range columns {
		head.Left(col.token, col.title, col.width).Skip(1)
	}
	l.head = []paint.Row{head.Row()}
	l.draw = func(i int) paint.Row {
		line := c.start(w, l.hasCursor && i == c.podPlace)
		for _, col := range columns {
			token, text := col.of(&rows[i])
			line.Left(token, text, col.width).Skip(1)
		}
		return line.Row()
	}
	return l
}

// podColumn is a column of the pods pane.
type podColumn struct {
	title string
	token themes.Token // of the title
	width int
	of    func(*podRow) (themes.Token, string)
}

// podColumns are the columns that have room. Where the models speak, when a pod is deleted
// matters more than its phase.
func (c *canvas) podColumns(w, longest int) []podColumn {
	state := podColumn{"STATE", themes.Faint, 12, func(p *podRow) (themes.Token, string) { text, token := c.podState(p.Pod); return token, text }}
	tolerates := podColumn{"TOLERATES", themes.Faint, 18, func(p *podRow) (themes.Token, string) { return themes.Dim, Tolerates(p.Tolerations.List()) }}
	deleted := podColumn{c.p.Glyphs.Predicted + " DELETED IN", themes.Predicted, 15, c.deletedIn}
	rest := []podColumn{state, tolerates}
	if c.controllers.Judged {
		rest = []podColumn{tolerates, deleted}
		if w >= 80 {
			rest = []podColumn{state, tolerates, deleted}
		} else {
			rest[0].width = 12
		}
	}
	used := 3
	for i := range rest {
		used += 1 + rest[i].width
	}
	name := max(min(longest, w-used-1), 12)
	return append([]podColumn{{"POD", themes.Faint, name + 1, func(p *podRow) (themes.Token, string) {
		return themes.Text, c.p.Middle(c.p.Text(p.Key.String()), name)
	}}}, rest...)
}

// deletedIn is when a pod is deleted, or why not.
func (c *canvas) deletedIn(p *podRow) (themes.Token, string) {
	switch e := p.eviction; {
	case c.controllers.Forecast == nil:
		if p.Deletion.Known() {
			text, token := c.podState(p.Pod)
			return token, text
		}
		return themes.Faint, c.pending()
	case e == nil && !p.Deletion.Known():
		return themes.Dim, ""
	case e == nil || e.State == forecast.Terminating:
		text, token := c.podState(p.Pod)
		return token, text
	case e.State == forecast.Due || e.State == forecast.WaitingForTaint:
		return themes.Predicted, c.p.Ahead(c.s.From(), e.Window)
	case e.State == forecast.Halted:
		return themes.Halted, "halted"
	case e.State == forecast.Stuck:
		return themes.Evict, "stuck"
	}
	return themes.Dim, "never"
}

// pending stands for what the models have not said, or cannot say.
func (c *canvas) pending() string {
	if c.controllers.Pending {
		return c.p.Glyphs.Ellipsis
	}
	return "?"
}

// compareTolerance puts the less patient pod first.
func compareTolerance(a, b *model.Pod) int {
	x, y := tolerance(a.Tolerations.List(), taintUnreachable), tolerance(b.Tolerations.List(), taintUnreachable)
	return cmp.Compare(x, y)
}

// podCounts says what becomes of how many pods.
func (c *canvas) podCounts(rows []podRow) string {
	terminating, forever := 0, 0
	for i := range rows {
		if rows[i].Deletion.Known() {
			terminating++
		}
		if tolerance(rows[i].Tolerations.List(), taintUnreachable) == toleratesForever {
			forever++
		}
	}
	text := ""
	if terminating > 0 {
		text = fmt.Sprintf("%d terminating   ", terminating)
	}
	if n := c.controllers.Node(c.name); n != nil && n.Ahead > 0 {
		text += fmt.Sprintf("%d to be deleted   ", n.Ahead)
	}
	if forever == 1 {
		return text + "1 tolerates silence forever"
	}
	return text + fmt.Sprintf("%d tolerate silence forever", forever)
}

// podState is what the pod's object says: that it is being deleted, or its phase.
func (c *canvas) podState(p *model.Pod) (string, themes.Token) {
	switch {
	case p.Deletion.Known():
		// deletionTimestamp is the request's time plus the grace period.
		asked := p.Deletion.Add(-duration(p.GraceSeconds) * second)
		return "ending " + c.since(asked), themes.Evict
	case p.Phase == model.PhaseRunning && p.Ready == model.StatusFalse:
		return "not ready", themes.Warn
	case p.Phase == model.PhaseNone:
		return "?", themes.Dim
	}
	return p.Phase.String(), themes.Dim
}

const second = duration(1e9)
