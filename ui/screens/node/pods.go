package node

import (
	"cmp"
	"slices"
	"strconv"

	"kardia/model"
	"kardia/model/explain/departure"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// podRow is a pod and the state of its eviction; nil if nothing threatens it, or that is unknown.
type podRow struct {
	*model.Pod
	eviction *forecast.Eviction
}

// podRows are a node's pods: first those to be deleted by the models, then those being deleted. The others are in the
// order of their toleration of a silent node, then by name.
func (v *View) podRows(s *screen.Snapshot) []podRow {
	row := s.Node(v.name)
	if row == nil {
		return nil
	}
	evictions := map[model.Key]*forecast.Eviction{}
	if n := s.Outlook().Node(v.name); n != nil {
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

// ahead is the earliest time of the pod's deletion; FarFuture if none is known.
func (p *podRow) ahead() model.Instant {
	if e := p.eviction; e != nil && e.State.Ahead() {
		return e.Window.Earliest
	}
	return model.FarFuture
}

func (c *rendering) podsPane(w int) part {
	rows := c.podRows(c.s)
	l := part{pane: panePods, title: words.Label("Pods") + " " + strconv.Itoa(len(rows))}
	switch {
	case !c.s.Has(model.KindPod):
		l.title, l.List = words.Label("Pods")+" ?", c.quiet(w, words.Of("node.pods-unread"))
		return l
	case len(rows) == 0:
		l.List = c.quiet(w, words.Of("node.no-pods"))
		return l
	}
	l.note = c.podCounts(rows)
	t := c.podTable(w, rows)
	l.Head, l.N = []paint.Row{t.Titles(c.p, w)}, len(rows)
	l.Draw = func(i int) paint.Row { return t.Row(c.p, &rows[i], w, c.picked(panePods, i)) }
	return l
}

// podTable is the columns that have room. If the models have results, the deletion comes before the phase.
func (c *rendering) podTable(w int, rows []podRow) widget.Table[*podRow] {
	column := func(title string, width, drop int, of func(*podRow) (themes.Token, string)) widget.Column[*podRow] {
		return widget.Column[*podRow]{Title: title, Width: width, Drop: drop, Cell: of}
	}
	longest := 0
	for i := range rows {
		longest = max(longest, paint.Width(c.p.Text(rows[i].Key.String())))
	}
	tolerates := column("TOLERATES", 12, 1, func(r *podRow) (themes.Token, string) { return themes.Dim, Tolerates(r.Tolerations.List()) })
	state := column("STATE", 11, 2, func(r *podRow) (themes.Token, string) { return c.podState(r.Pod) })
	if w >= 90 {
		state.Width = 14 // deleted 55m49s
	}
	tolerates.Most = w
	columns := []widget.Column[*podRow]{{Title: "POD", Width: min(longest, max(w-44, 20)), Named: func(r *podRow) (themes.Token, string, string) {
		return themes.Text, c.p.Text(r.Key.String()), ""
	}}, state, tolerates}
	if c.outlook.Judged {
		deleted := column("DELETED IN", 13, 0, c.deletedIn)
		deleted.Symbol, deleted.Token = c.p.Glyphs.Predicted, themes.Predicted
		columns = append(columns, deleted)
	}
	t := widget.Table[*podRow]{Columns: columns}
	t.Measure(len(rows), func(i int) *podRow { return &rows[i] })
	t.Fit(w)
	t.Lend(13, longest)
	t.Names(c.p, len(rows), func(i int) *podRow { return &rows[i] })
	return t
}

func (c *rendering) deletedIn(p *podRow) (themes.Token, string) {
	switch e := p.eviction; {
	case c.outlook.Forecast == nil:
		if p.Deletion.Known() {
			return c.podState(p.Pod)
		}
		return themes.Faint, c.pending()
	case e == nil && !p.Deletion.Known():
		return themes.Dim, ""
	case e == nil:
		return c.podState(p.Pod)
	case e.State == forecast.Terminating:
		return themes.Dim, topics.EvictionState(e.State) + " " + c.since(p.Pod.Asked())
	default:
		return screen.Fate(e, c.s.From(), c.p)
	}
}

// pending is the text for a missing or impossible result of the models.
func (c *rendering) pending() string {
	if c.outlook.Missing.Pending() {
		return c.p.Glyphs.Ellipsis
	}
	return "?"
}

func compareTolerance(a, b *model.Pod) int {
	x, y := tolerance(a.Tolerations.List(), model.TaintUnreachable), tolerance(b.Tolerations.List(), model.TaintUnreachable)
	return cmp.Compare(x, y)
}

func (c *rendering) podCounts(rows []podRow) string {
	terminating, forever, ended := 0, 0, 0
	for i := range rows {
		switch departure.Of(rows[i].Pod) {
		case departure.Kubelet, departure.Pressure, departure.Limit, departure.Shutdown, departure.Critical, departure.Refused:
			ended++
		}
		if rows[i].Deletion.Known() {
			terminating++
		}
		if tolerance(rows[i].Tolerations.List(), model.TaintUnreachable) == toleratesForever {
			forever++
		}
	}
	var parts []words.Say
	if terminating > 0 {
		parts = append(parts, words.Of("node.pods.terminating", "n", terminating))
	}
	if ended > 0 {
		parts = append(parts, words.Of("node.pods.ended", "n", ended))
	}
	if n := c.outlook.Node(c.name); n != nil && n.Ahead > 0 {
		parts = append(parts, words.Of("node.pods.ahead", "n", n.Ahead))
	}
	return words.Join("   ", append(parts, words.Of("node.pods.tolerant", "n", forever))...).In(c.p)
}

// podState is the state in the pod's object: its deletion, or its phase.
func (c *rendering) podState(p *model.Pod) (themes.Token, string) {
	switch {
	case p.Deletion.Known():
		return themes.Evict, words.Of("node.pods.asked", "for", c.since(p.Asked())).In(c.p) // its fate is in another column
	case p.Phase == model.PhaseRunning && p.Ready == model.StatusFalse:
		return themes.Warn, words.Label("not ready")
	case p.Phase == model.PhaseNone:
		return themes.Dim, "?"
	case p.Phase == model.PhaseFailed: // by whom, and for what
		return themes.Warn, c.p.Text(topics.DepartureWord(p))
	}
	return themes.Dim, p.Phase.String()
}
