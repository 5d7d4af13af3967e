// Package trust is the screen of the evidence behind everything: the watches and the missing permissions, gaps, clocks,
// flags and their sources, the models' explanations, and Kardia's own requests.
package trust

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/loss"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/themes"
	"kardia/ui/decision"
	"kardia/ui/paint"
	"kardia/ui/report"
	"kardia/ui/screen"
	"kardia/ui/widget"
)

// Screen is trust as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "trust", Key: "!", Title: "Trust", Help: "data sources and gaps: watches, missing rights, clocks, flags, what the models explain, what Kardia asks for",
		New: func() screen.View { return &View{} }}
}

// View is the person's place on the trust screen: text that scrolls.
type View struct {
	text widget.Scroller
	rows int
}

// Render implements screen.View.
func (v *View) Render(s *screen.Snapshot, p *paint.Painter, area screen.Area) []string {
	pane := widget.Pane{Title: "Trust", Focused: true, Bare: area.Tier < screen.Standard}
	w, _ := pane.Inner(area.W, area.H)
	rows := read(s, p, w)
	if pane.Bare && len(rows) <= area.H {
		pane.Title = "" // the tab has it; if there is more below, a line must show that
	}
	v.rows = len(rows)
	return paint.Fill(pane.List(p, widget.List{N: len(rows), Draw: func(i int) paint.Row { return rows[i] }}, &v.text, area.W, area.H), area.H)
}

// Do implements screen.View.
func (v *View) Do(action screen.Action, _ *screen.Snapshot) bool {
	by, ok := action.Motion(v.text.Page)
	if ok {
		v.text.Scroll(by)
	}
	return ok
}

// Click implements screen.View.
func (v *View) Click(int, int, *screen.Snapshot) screen.Hit { return screen.Missed }

// Selected implements screen.View.
func (v *View) Selected(*screen.Snapshot) screen.Subject { return screen.Subject{} }

// Context implements screen.View.
func (v *View) Context(_ *screen.Snapshot, p *paint.Painter, width int) string {
	return p.Line(width).Skip(1).Put(themes.Faint, "kinds not listed here are not known").String()
}

// ShowsTime implements screen.OverTime: trust is asked for most if no node is known.
func (v *View) ShowsTime() bool { return true }

// Asks implements screen.Asker.
func (v *View) Asks() []model.Kind { return screen.Serving }

// ShowsSource implements screen.OfSource: the missing permissions are shown even if nothing else is there.
func (v *View) ShowsSource() bool { return true }

// page gathers rows.
type page struct {
	s    *screen.Snapshot
	p    *paint.Painter
	w    int
	rows []paint.Row
	// doubts are the reasons not to trust the screens, in a few words each.
	doubts []string
}

func (g *page) doubt(text string) { g.doubts = append(g.doubts, text) }

// short is the answer to whether this can be trusted.
func (g *page) short() []paint.Row {
	short := &page{s: g.s, p: g.p, w: g.w}
	var f widget.Facts
	if len(g.doubts) == 0 {
		f.Add("no doubt", "nothing contradicts this screen")
	}
	for i, text := range g.doubts {
		word := ""
		if i == 0 {
			word = "but"
		}
		f.Put(word, themes.Warn, text)
	}
	short.part("IN SHORT", &f)
	return append(short.rows, paint.Row{})
}

// read is all the rows.
func read(s *screen.Snapshot, p *paint.Painter, w int) []paint.Row {
	g := &page{s: s, p: p, w: w}
	g.leaders() // first: the leader, and what restarted with it, is asked for most
	g.view()
	g.watches()
	g.logs()
	g.gaps()
	g.notKnown()
	g.clocks()
	g.servers()
	g.ways()
	g.flags()
	g.models()
	g.hypotheses()
	g.load()
	g.memory()
	return append(g.short(), g.rows...)
}

// part is a heading, and facts below it.
func (g *page) part(title string, facts *widget.Facts) {
	rows := facts.Rows(g.p, max(g.w-2, 1))
	if len(rows) == 0 {
		return
	}
	if len(g.rows) > 0 {
		g.rows = append(g.rows, paint.Row{})
	}
	g.rows = append(g.rows, g.p.Line(g.w).Put(themes.Accent, title).Row())
	for _, r := range rows {
		g.rows = append(g.rows, g.p.Line(g.w).Skip(2).Append(r).Row())
	}
}

// view is which instant is shown, and how far it is confirmed.
func (g *page) view() {
	var f widget.Facts
	s := g.s
	f.Add("shown", g.p.DateTime(s.At)+" of "+s.Name)
	if s.Mode.Watches() {
		f.Add("how", "a cluster, watched")
	} else {
		f.Add("how", "a recording")
	}
	if c := s.Coverage; c.Bounded() {
		f.Add("covered", g.p.DateTime(c.Earliest)+" to "+g.p.DateTime(c.Latest))
	}
	if s.Remembered.Known() {
		f.Add("before that", "since "+g.p.DateTime(s.Remembered)+" nothing was watched; only timestamps and Events show it")
	}
	switch {
	case s.Lost != "":
		g.doubt("the API server does not answer")
		f.Put("now", themes.Warn, "the API server does not answer: "+s.Lost+"; showing the state of "+g.p.Clock(s.Confirmed()))
	case s.Blind:
		g.doubt("nothing was received at this time")
		f.Put("now", themes.Warn, "nothing was received at this time; showing the state of "+g.p.Clock(s.Confirmed()))
	}
	if s.Curtain {
		f.Add("hidden", "everything recorded after this time (c shows it)")
	}
	g.part("VIEW", &f)
}

// notKnown are the reasons why something may not be stated of the time shown.
func (g *page) notKnown() {
	var f widget.Facts
	for _, c := range report.CaveatsOf(g.s.Caveats).NotKnown {
		f.Put(c.Code, themes.Warn, c.Says)
	}
	for _, c := range report.CaveatsOf(g.s.Caveats.Forbids(caveat.Ready | caveat.NodeCount | caveat.PodCount)).NotKnown {
		if kind, ok := map[string]model.Kind{caveat.NodesNotListed.String(): model.KindNode, caveat.PodsNotListed.String(): model.KindPod}[c.Code]; !ok || g.s.Has(kind) {
			g.doubt(c.Says) // else the lack of records shows it
		}
	}
	g.part("NOT KNOWN", &f)
}

// costs is the part that is missing without a kind.
var costs = map[model.Kind]string{
	model.KindNode:        "nothing is known of nodes",
	model.KindNodeLease:   "heartbeats are known only by the status, posted every five minutes; silence cannot be judged",
	model.KindPod:         "deleted pods and affected workloads are not known",
	model.KindEvent:       "controller Events, reboots and other actors are not recorded",
	model.KindLeaderLease: "leaders, and whether the controllers themselves were late, are not known",
}

// watches is how each kind is watched, or whether it is recorded at all.
func (g *page) watches() {
	var f widget.Facts
	denied := false
	if g.s.Status == nil {
		for _, kind := range model.Kinds {
			if g.s.Has(kind) {
				f.Add(kind.String(), "recorded")
			} else {
				g.doubt("no " + kind.String() + " is recorded")
				f.Put(kind.String(), themes.Warn, "not in the recording: "+costs[kind])
			}
		}
		g.part("WHAT IS RECORDED", &f)
		return
	}
	for i := range g.s.Status {
		st := &g.s.Status[i]
		text, token := st.State.String(), themes.Text
		if st.Last.Known() {
			text += ", anything arrived last " + paint.Duration(max(g.s.At.Sub(st.Last), 0)) + " ago"
		}
		if st.Requests > 0 {
			text += "; " + decision.Counted(int(st.Requests), "request") + ", " + paint.Bytes(st.Bytes)
		}
		if st.State != stream.Live {
			if st.Kind != model.KindServerLease { // further statements, in a part of its own
				token = themes.Warn
				g.doubt(st.Kind.String() + ": " + st.State.String())
			}
			if st.Why != "" {
				text += ": " + st.Why
			}
			if cost := costs[st.Kind]; cost != "" {
				text += "; without it " + cost
			}
		}
		f.Put(st.Kind.String(), token, text)
		denied = denied || st.State == stream.Forbidden
	}
	if denied {
		f.Add("rights", "kardia rbac prints the role that has all of them")
	}
	g.part("WATCHES", &f)
}

// logs is what components said in their own logs, and how far the models agree with it.
func (g *page) logs() {
	said := history.OfLogs(g.s.Said)
	if len(said) == 0 {
		return
	}
	var f widget.Facts
	by := map[string]int{}
	for i := range said {
		by[said[i].By]++
	}
	for _, who := range slices.Sorted(maps.Keys(by)) {
		f.Add(who, decision.Counted(by[who], "statement")+", by the clock of its machine")
	}
	if j := g.s.Judged; j != nil && j.Result != nil && j.Result.Testimony != nil {
		t := j.Result.Testimony
		f.Add("of decisions", fmt.Sprintf("%d in all: %d confirm what the models say, %d of times that these do not judge", t.Statements, len(t.Confirmed), t.NotCompared))
		if n := len(t.Contradicted); n > 0 {
			f.Put("contradicted", themes.Warn, decision.Counted(n, "time")+", the first at "+g.p.Clock(t.Contradicted[0].At)+": "+t.Contradicted[0].What)
		}
	}
	if n := sort.Search(len(said), func(i int) bool { return said[i].At > g.s.At }); n > 0 {
		last := &said[n-1]
		f.Add("said last", g.p.Clock(last.At)+" "+last.By+": "+last.Text)
	}
	g.part("LOGS", &f)
}

// mostGaps is how many gaps are listed, the newest.
const mostGaps = 6

// gaps are the times of which nothing is known.
func (g *page) gaps() {
	var f widget.Facts
	gaps := g.s.Gaps
	if len(gaps) > 0 {
		g.doubt(decision.Counted(g.s.Outages(), "gap") + " of which nothing is known")
	} else {
		f.Add("none", "nothing is known to be missing from what is covered")
	}
	for i := max(len(gaps)-mostGaps, 0); i < len(gaps); i++ {
		gap := &gaps[i]
		text := paint.Duration(gap.Width())
		if gap.Possible {
			text += ", possibly"
		}
		f.Put(g.p.Clock(gap.Earliest), themes.Gap, text+": "+gap.Why)
	}
	if more := len(gaps) - mostGaps; more > 0 {
		f.Add("before", fmt.Sprintf("%d more", more))
	}
	g.part("GAPS", &f)
}

// clocks is how ages are known, and how far the kubelets' clocks are from the recorder's.
func (g *page) clocks() {
	var f widget.Facts
	c, odd := g.s.Nodes().Clocks(), paint.Duration(loss.ClockOff)
	if c.Heard+c.Said+c.Unknown == 0 {
		return
	}
	f.Add("ages", fmt.Sprintf("of %d nodes by arrival, of %d by what their own clocks say, of %d not known", c.Heard, c.Said, c.Unknown))
	if len(c.Off) == 0 && c.Heard > 0 {
		f.Add("skew", "no kubelet's clock is off by "+odd+" or more, by their renewals")
	}
	if len(c.Off) > 0 {
		g.doubt(decision.Counted(len(c.Off), "clock") + " off by " + odd + " or more")
	}
	for _, o := range c.Off[:min(len(c.Off), 5)] {
		f.Put(g.p.Middle(g.p.Text(o.Node), 24), themes.Warn, "its clock is off by "+paint.Offset(o.By)+", way and server included")
	}
	if n := len(c.Off) - 5; n > 0 {
		f.Add("and", fmt.Sprintf("%d more", n))
	}
	g.part("CLOCKS", &f)
}

// words are the sources of flags' values.
var words = map[model.Provenance]string{
	model.FromDefault: "the default of the version", model.FromInferred: "inferred: the default does not fit what was seen",
	model.FromFile: "stated by the input", model.FromFlag: "given on the command line", model.FromUser: "given here",
}

// flags are those of kube-controller-manager, the source of each, and the evidence against it.
func (g *page) flags() {
	var f widget.Facts
	flags := verify.Flags(&g.s.Params)
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		is := flags[name]
		text := is.Value + ", " + words[is.From]
		if j := g.s.Judged; j != nil && j.Result != nil {
			if fit, ok := j.Result.Fits[name]; ok {
				text += fmt.Sprintf("; between %.4g and %.4g%s fit what was seen (%s)", fit.Min, fit.Max, fit.Unit, model.Counted(fit.Evidence, "observation", "observations"))
				if fit.Or != "" {
					text += "; or " + fit.Or
				}
			}
		}
		f.Add(name, text)
	}
	if v := g.s.Params.Version; v != (model.Version{}) {
		f.Add("version", v.String())
	} else {
		f.Put("version", themes.Warn, "not known: taken for the newest")
	}
	if j := g.s.Judged; j != nil && j.Withdrawn != nil {
		for _, c := range j.Withdrawn.Contradicted {
			g.doubt("a flag contradicts the observation")
			f.Put("contradicted", themes.Warn, c.String())
		}
	}
	g.part("FLAGS OF KUBE-CONTROLLER-MANAGER", &f)
}

// models are their explanations of the observed writes, and their assumptions.
func (g *page) models() {
	var f widget.Facts
	j := g.s.Judged
	switch {
	case j == nil:
		f.Add("models", "none run here")
	case j.Result == nil:
		g.doubt(cmp.Or(j.Missing, "the models are still reading"))
		f.Put("models", themes.Warn, cmp.Or(j.Missing, "they are still reading"))
	default:
		explained, all := 0, 0
		for i := range j.Result.Writes {
			if w := &j.Result.Writes[i]; w.Time.Earliest <= g.s.At {
				if all++; w.Decision != 0 {
					explained++
				}
			}
		}
		token := themes.Text
		if explained < all {
			token = themes.Warn
		}
		f.Put("explained", token, fmt.Sprintf("%d of %d writes of the controllers that were seen by now", explained, all))
		if n := all - explained; n > 0 {
			g.doubt(decision.Counted(n, "write") + " of the controllers that nothing explains")
			f.Put("unexplained", themes.Warn, decision.Counted(n, "write")+": see the hypotheses below")
		}
		if n := len(j.Result.NotJudged); n > 0 {
			g.doubt(decision.Counted(n, "write") + " that cannot be judged")
			f.Put("not judged", themes.Warn, fmt.Sprintf("%d writes: their causes may lie in a time that was not watched", n))
		}
		for _, text := range j.Result.Unsupported {
			f.Put("unsupported", themes.Warn, text)
		}
		f.Add("read", "up to "+g.p.Clock(j.Until))
		if texts, ill := g.s.Alive(); len(texts) > 0 {
			token := themes.Text
			if ill {
				token = themes.Warn
				g.doubt("the controllers: " + texts[0])
			} else if g.s.Leaderless() {
				g.doubt("of the controllers: " + texts[0])
			}
			f.Put("controllers", token, texts[0])
		}
		for _, text := range j.Result.Assumptions {
			f.Put("assumes", themes.Dim, g.p.Stamps(text))
		}
	}
	g.part("THE MODELS", &f)
}
