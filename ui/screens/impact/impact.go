// Package impact is the screen of workloads that lose pods: replicas ready now and after the predicted deletions, and
// the times. The one that loses most is first. Example: web/api keeps one of three replicas.
package impact

import (
	"cmp"
	"slices"
	"strconv"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/impact"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is the impact as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "impact", Key: "7", Title: "Impact", Asks: screen.Served,
		Answers: []screen.Action{screen.Open, screen.NextPane, screen.PrevPane, screen.Attention},
		Columns: []string{"WORKLOAD", "KIND", "READY", "THEN", "IN", "PODS", "WHAT TAKES THEIR PLACE"},
		New:     func() screen.View { return New() }}
}

// View is the person's place on the impact screen. With All, those that suffer nothing are listed, too.
type View struct {
	list.List[impact.Workload, impact.Owner]
	services []impact.Service
	budgets  []impact.Budget
	room     *impact.Room
}

// New is who suffers, most first.
func New() *View {
	v := &View{}
	v.List = list.New(list.Of[impact.Workload, impact.Owner]{Title: "Impact", Opens: true, Read: v.read, Table: v.table, Full: v.inFull, Empty: v.empty, Minor: "impact", Says: v.says,
		Key: func(w *impact.Workload) impact.Owner { return w.Owner },
		Subject: func(w *impact.Workload) screen.Subject {
			if len(w.Nodes) == 0 {
				return screen.Subject{}
			}
			return screen.SubjectNode(cmp.Or(w.Next, w.Nodes[0]))
		}})
	return v
}

func (v *View) read(s *screen.Snapshot) []impact.Workload {
	v.services, v.budgets, v.room = nil, nil, nil
	if s.Cluster == nil || !s.Has(model.KindPod) {
		return nil
	}
	foreseen := s.Outlook().Forecast
	v.services, v.budgets, v.room = impact.Services(s.Cluster, foreseen), impact.Budgets(s.Cluster, foreseen), impact.RoomFor(s.Cluster, foreseen)
	all := impact.Count(s.Cluster, foreseen)
	impact.CountMarked(all, s.Outlook().Marked)
	kept := 0
	for i := range all {
		switch w := &all[i]; {
		case !v.Match(w.Namespace + "/" + w.Name + " " + w.Kind):
		case v.Hides(!w.Suffers()):
		default:
			all[kept] = *w
			kept++
		}
	}
	return impact.FoldBare(all[:kept])
}

func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	c := s.Outlook()
	switch {
	case !s.Has(model.KindPod):
		return words.Of("pods.unread", "why", s.Unread(model.KindPod)).In(p)
	case v.Hidden > 0 && c.Forecast == nil:
		return words.Of("impact.calm-unforeseen", "n", v.Hidden, "why", p.Text(topics.UnjudgedShort(c.Missing))).In(p)
	}
	unknown, _ := s.NotKnown(caveat.NoEviction | caveat.PodCount)
	switch {
	case unknown != "":
		return words.Of("impact.calm-but", "n", v.Hidden, "unknown", p.Text(unknown)).In(p)
	case v.Hidden > 0:
		return words.Of("impact.calm", "n", v.Hidden).In(p)
	}
	return words.Of("pods.none").In(p)
}

func (v *View) table(s *screen.Snapshot, p *paint.Painter, width int, _ screen.Tier) widget.Table[*impact.Workload] {
	type column = widget.Column[*impact.Workload]
	t := widget.Table[*impact.Workload]{Columns: []column{
		{Title: "WORKLOAD", Width: 10, Most: max(width/3, 20), Named: func(r *impact.Workload) (themes.Token, string, string) {
			return themes.Text, p.Text(title(r)), ""
		}},
		{Title: "KIND", Width: 12, Drop: 2, Cell: func(r *impact.Workload) (themes.Token, string) { return themes.Dim, p.Text(r.Kind) }},
		{Title: "READY", Width: 9, Cell: func(r *impact.Workload) (themes.Token, string) {
			return themes.Warn.If(r.Ready < r.Places(), themes.Text), strconv.Itoa(r.Ready) + "/" + strconv.Itoa(r.Places())
		}},
		{Title: "THEN", Width: 7, Symbol: p.Glyphs.Predicted, Cell: func(r *impact.Workload) (themes.Token, string) { return then(p, r) }},
		{Title: "IN", Width: 11, Most: width, Cell: func(r *impact.Workload) (themes.Token, string) {
			if !r.First.Known() {
				return themes.Text, ""
			}
			return ahead(r), p.AheadTo(s.From(), r.Begins, r.Ends)
		}},
		{Title: "PODS", Width: 24, Drop: 1, Cell: func(r *impact.Workload) (themes.Token, string) { return themes.Dim, pods(r) }},
	}}
	if !slices.ContainsFunc(v.Rows(), func(r impact.Workload) bool { return r.First.Known() }) {
		t.Without("IN") // the fate of the pods has the room
	}
	if width >= 140 {
		t.Columns = append(t.Columns, column{Title: "WHAT TAKES THEIR PLACE", Width: 20, Drop: 3, Cell: func(r *impact.Workload) (themes.Token, string) { return themes.Dim, topics.Returns(r).String() }})
	}
	return t
}

// title is the name of a workload, or of the pods without one.
func title(r *impact.Workload) string {
	return words.Of("impact.bare-pods", "n", len(r.Bare), "namespace", r.Namespace).If(len(r.Bare) > 0).Or(words.Text(r.Title())).String()
}

func then(p *paint.Painter, r *impact.Workload) (themes.Token, string) {
	text := p.Between(r.ReadyLeast, r.ReadyMost)
	switch {
	case r.Going+r.MayGo == 0:
		return themes.Dim, text
	case r.ReadyMost == 0 || r.Going > 0:
		return themes.Evict, text
	}
	return themes.Predicted, text
}

func ahead(r *impact.Workload) themes.Token {
	return themes.Evict.If(r.Going > 0, themes.Predicted)
}

func pods(r *impact.Workload) string {
	some := func(n int, fate string) words.Say { return words.Of("impact.fate."+fate, "n", n).If(n != 0) }
	return words.Join(", ", some(r.Going, "go"), some(r.MayGo, "may-go"), some(r.Stuck, "stuck"), some(r.Deleted-r.Stuck, "ending"), some(r.Marked, "marked")).String()
}

func going(r *impact.Workload) string {
	var unready words.Say // why as many are Ready after that as before
	if r.ReadyLeast >= r.Ready {
		unready = words.Of("impact.none-ready")
	}
	switch {
	case r.MayGo == 0:
		return words.Of("impact.going", "going", r.Going, "ready", unready).String()
	case r.Going == 0:
		return words.Of("impact.may-go", "may", r.MayGo, "ready", unready).String()
	}
	return words.Of("impact.going-may-go", "going", r.Going, "may", r.MayGo, "ready", unready).String()
}

func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, r *impact.Workload, w int) (string, []paint.Row) {
	var facts widget.Facts
	ready := words.Of("impact.ready", "ready", r.Ready, "places", r.Places())
	if r.Places() != r.Pods {
		ready = words.Of("impact.ready-deleted", "ready", r.Ready, "places", r.Places(), "deleted", r.Deleted)
	}
	facts.Add(words.Label("ready"), ready.In(p))
	if r.Marked > 0 {
		facts.Put(words.Label("marked"), themes.Warn, topics.Marked(r.Marked).String())
	}
	if r.Going+r.MayGo > 0 {
		token, text := then(p, r)
		facts.Put(words.Label("then"), token, words.Of("impact.then", "then", text, "going", going(r)).In(p))
		facts.Put(words.Label("when"), ahead(r), p.AheadTo(s.From(), r.Begins, r.Ends)+", "+p.Window(model.Interval{Earliest: r.First, Latest: r.Last}))
	}
	if r.Deleted > 0 {
		text := words.Of("impact.terminating", "deleted", r.Deleted)
		switch { // Stuck are those whose kubelets are silent
		case r.Stuck == r.Deleted:
			text = words.Of("impact.all-stuck", "n", r.Deleted)
		case r.Stuck > 0:
			text = words.Of("impact.some-stuck", "deleted", r.Deleted, "stuck", r.Stuck)
		}
		facts.Add(words.Label("deleted"), text.In(p))
	}
	facts.Add(words.Label("instead"), topics.Returns(r).String())
	if v.room != nil && v.room.Need.Pods > 0 && r.MovesAtOnce() {
		facts.Put(words.Label("room"), themes.Evict.If(v.room.Verdict() == impact.TooLittle, themes.Text), words.Of("impact.room", "room", topics.Room(v.room)).In(p))
	}
	facts.Add(words.Label("nodes"), widget.Listed(r.Nodes))
	if len(r.Bare) > 0 {
		facts.Add(words.Label("pods"), words.Of("impact.bare", "pods", widget.Listed(r.Bare)).In(p))
	}
	v.putServices(s, p, r, &facts)
	v.putBudgets(s, p, r, &facts)
	name := title(r)
	if len(r.Bare) == 0 {
		name += " " + r.Kind
	}
	return p.Text(name), facts.Rows(p, w)
}

// among reports whether a workload is one of several owners.
func among(r *impact.Workload, owners []impact.Owner) bool {
	return slices.ContainsFunc(r.Owners(), func(o impact.Owner) bool { return slices.Contains(owners, o) })
}

func (v *View) putServices(s *screen.Snapshot, p *paint.Painter, r *impact.Workload, facts *widget.Facts) {
	if why := s.Lacks(model.KindEndpointSlice); why != "" {
		facts.Put(words.Label("services"), themes.Dim, words.Of("impact.services-unread", "why", why).In(p))
		return
	}
	for i := range v.services {
		of := &v.services[i]
		if !among(r, of.Workloads) {
			continue
		}
		text := topics.ServiceThen(of.Key, &of.Crowd, of.Endpoints, topics.Service(of)).In(p)
		if of.First.Known() {
			text += ", " + p.In(s.From(), model.Interval{Earliest: of.First, Latest: of.Last})
		}
		facts.Put(words.Label("service"), themes.Evict.If(of.None(), themes.Text), text)
	}
}

// putBudgets adds the PodDisruptionBudgets that count the workload's pods, or may.
func (v *View) putBudgets(s *screen.Snapshot, p *paint.Painter, r *impact.Workload, facts *widget.Facts) {
	if why := s.Lacks(model.KindPodDisruptionBudget); why != "" {
		facts.Put(words.Label("budgets"), themes.Dim, words.Of("impact.budgets-unread", "why", why).In(p))
		return
	}
	counted, others := 0, 0
	for i := range v.budgets {
		b := &v.budgets[i]
		switch {
		case b.Namespace != r.Namespace:
		case among(r, b.Workloads):
			counted++
			token, text := budget(s, p, b)
			facts.Put(words.Label("budget"), token, text)
		case among(r, b.Unsure):
			counted++
			facts.Put(words.Label("budget?"), themes.Dim, words.Of("impact.budget-unsure", "name", b.Name, "budget", topics.Budget(b)).In(p))
		default:
			others++
		}
	}
	text := words.Of("impact.budgets")
	switch {
	case counted == 0 && others == 0:
		text = words.Of("impact.budgets-none")
	case counted == 0:
		text = words.Of("impact.budgets-other", "n", others)
	}
	facts.Put(words.Label("budgets"), themes.Dim, text.In(p))
}

func budget(s *screen.Snapshot, p *paint.Painter, b *impact.Budget) (themes.Token, string) {
	token, ends, then := themes.Text, words.Say{}, words.Say{}
	if b.First.Known() {
		then = words.Of("impact.budget-then", "n", b.Pods, "left", p.Between(b.ReadyLeast, b.ReadyMost), "in", p.In(s.From(), model.Interval{Earliest: b.First, Latest: b.Last}))
	}
	switch {
	case b.Broken():
		token, ends = themes.Warn, words.Of("impact.budget-broken")
	case b.WillBreak(false):
		token, ends = themes.Evict, words.Of("impact.budget-breaks")
	case b.WillBreak(true):
		token, ends = themes.Predicted, words.Of("impact.budget-may-break")
	}
	return token, words.Of("impact.budget-says", "name", b.Name, "budget", topics.Budget(b), "then", then, "ends", ends).In(p)
}

// says counts the budgets that break, and shows whether there is room for the pods.
func (v *View) says(l *paint.Line, _ *screen.Snapshot, p *paint.Painter) {
	v.PutMinor(l, p)
	breaks := 0
	for i := range v.budgets {
		if v.budgets[i].WillBreak(false) {
			breaks++
		}
	}
	if breaks > 0 {
		l.Skip(3).Put(themes.Evict, words.Of("impact.budgets-break", "n", breaks).In(p))
	}
	if v.room != nil && v.room.Verdict() == impact.TooLittle {
		l.Skip(3).Put(themes.Evict, words.Of("room.too-little").In(p))
	}
}
