// Package trust is the screen of the evidence behind all statements: watches, missing permissions, gaps, clocks, flags
// with their sources, explanations, and Kardia's own requests. Example: pods may not be listed.
package trust

import (
	"maps"
	"slices"
	"sort"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/loss"
	"kardia/model/explain/outlook"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/sources/capture/stream"
	"kardia/themes"
	"kardia/ui/list"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

// Screen is trust as the registry has it.
func Screen() screen.Screen {
	return screen.Screen{ID: "trust", Key: "!", Title: "Trust", Asks: screen.Serving,
		ShowsTime: true, ShowsSource: true, // it is asked for most if nothing else is there
		New: func() screen.View { return New() }}
}

// New is the text from its first line.
func New() *View {
	return &View{list.Text{Read: shown, Says: func(l *paint.Line, _ *screen.Snapshot, p *paint.Painter) {
		l.Put(themes.Faint, words.Of("trust.context").In(p))
	}}}
}

// View is the person's place on the trust screen: text that scrolls.
type View struct{ list.Text }

func shown(s *screen.Snapshot, p *paint.Painter, area screen.Area, w int) (pane widget.Pane, rows []paint.Row) {
	rows = read(s, p, w)
	if area.Tier >= screen.Standard || len(rows) > area.H { // else the tab has it; a line must show that there is more
		pane.Title = "Trust"
	}
	return pane, rows
}

type page struct {
	s    *screen.Snapshot
	p    *paint.Painter
	w    int
	rows []paint.Row
	// doubts are the reasons not to trust the screens, in a few words each.
	doubts []words.Say
}

func (g *page) doubt(why words.Say) { g.doubts = append(g.doubts, why) }

// short is the answer to whether this can be trusted.
func (g *page) short() []paint.Row {
	var f widget.Facts
	if len(g.doubts) == 0 {
		f.Say(words.Label("no doubt"), themes.Text, words.Of("trust.no-doubt"))
	}
	word := words.Label("caveat")
	for _, why := range g.doubts {
		f.Say(word, themes.Warn, why)
		word = ""
	}
	return append(g.part("short", &f), paint.Row{})
}

func read(s *screen.Snapshot, p *paint.Painter, w int) []paint.Row {
	g := &page{s: s, p: p, w: w}
	for _, part := range []struct {
		of   string
		puts func(*widget.Facts)
	}{
		{"leaders", g.leaders}, // first, as most often asked for: the leader, and what restarted with it
		{"view", g.view}, {g.watched(), g.watches}, {"logs", g.logs}, {"gaps", g.gaps}, {"not-known", g.notKnown}, {"clocks", g.clocks}, {"servers", g.servers}, {"ways", g.ways},
		{"flags", g.flags}, {"models", g.models}, {"hypotheses", g.hypotheses}, {"load", g.load}, {"memory", g.memory},
	} {
		var f widget.Facts
		part.puts(&f)
		rows := g.part(part.of, &f)
		if len(rows) > 0 && len(g.rows) > 0 {
			g.rows = append(g.rows, paint.Row{})
		}
		g.rows = append(g.rows, rows...)
	}
	return append(g.short(), g.rows...)
}

// watched is the title of the watches, or of the kinds that a recording has.
func (g *page) watched() string {
	if g.s.Status == nil {
		return "recorded"
	}
	return "watches"
}

// part is facts under their title; nothing without any.
func (g *page) part(of string, facts *widget.Facts) (rows []paint.Row) {
	for i, r := range facts.Rows(g.p, max(g.w-2, 1)) {
		if i == 0 {
			rows = append(rows, g.p.Line(g.w).Put(themes.Accent, words.Of("trust.title."+of).In(g.p)).Row())
		}
		rows = append(rows, g.p.Line(g.w).Skip(2).Append(r).Row())
	}
	return rows
}

func (g *page) view(f *widget.Facts) {
	s := g.s
	f.Say(words.Label("shown"), themes.Text, words.Of("trust.view.shown", "at", g.p.DateTime(s.At), "name", s.Name))
	how := "recorded"
	if s.Mode.Watches() {
		how = "watched"
	}
	f.Say(words.Label("how"), themes.Text, words.Of("trust.view.how."+how))
	if c := s.Coverage; c.Bounded() {
		f.Say(words.Label("covered"), themes.Text, words.Of("trust.view.covered", "from", g.p.DateTime(c.Earliest), "to", g.p.DateTime(c.Latest)))
	}
	if s.Remembered.Known() {
		f.Say(words.Label("before that"), themes.Text, words.Of("trust.view.remembered", "since", g.p.DateTime(s.Remembered)))
	}
	switch away := words.Of("caveat.api-server-away"); {
	case s.Lost != "":
		g.doubt(away)
		f.Say(words.Label("now"), themes.Warn, words.Of("trust.view.showing", "what", words.Chain(away, words.Text(": "+s.Lost)), "at", s.Confirmed()))
	case s.Blind:
		g.doubt(words.Of("trust.view.blind"))
		f.Say(words.Label("now"), themes.Warn, words.Of("trust.view.showing", "what", words.Of("trust.view.blind"), "at", s.Confirmed()))
	}
	if s.Curtain {
		f.Say(words.Label("hidden"), themes.Text, words.Of("trust.view.curtain"))
	}
}

// notKnown are the reasons why something may not be stated of the time shown.
func (g *page) notKnown(f *widget.Facts) {
	for i := range g.s.Caveats {
		f.Say(g.s.Caveats[i].Reason.String(), themes.Warn, topics.Caveat(&g.s.Caveats[i]))
	}
	for _, c := range g.s.Caveats.Forbids(caveat.Ready | caveat.NodeCount | caveat.PodCount) {
		if kind, ok := map[caveat.Reason]model.Kind{caveat.NodesNotListed: model.KindNode, caveat.PodsNotListed: model.KindPod}[c.Reason]; !ok || g.s.Has(kind) {
			g.doubt(topics.Caveat(&c)) // else the lack of records shows it
		}
	}
}

// watches is how each kind is watched, or whether it is recorded at all.
func (g *page) watches(f *widget.Facts) {
	denied := false
	if g.s.Status == nil {
		for _, kind := range model.Kinds {
			if g.s.Has(kind) {
				f.Say(kind.String(), themes.Text, words.Of("trust.watch.recorded"))
			} else {
				g.doubt(words.Of("trust.watch.unrecorded", "kind", kind.String()))
				f.Say(kind.String(), themes.Warn, words.Of("trust.watch.not-recorded", "cost", words.Of("trust.without."+kind.String())))
			}
		}
		return
	}
	for i := range g.s.Status {
		st := &g.s.Status[i]
		say, token := []words.Say{words.Text(st.State.String())}, themes.Text
		if st.Last.Known() {
			say = append(say, words.Of("trust.watch.last", "for", max(g.s.At.Sub(st.Last), 0)))
		}
		if st.Requests > 0 {
			say = append(say, words.Of("trust.watch.requests", "n", int(st.Requests), "bytes", paint.Bytes(st.Bytes)))
		}
		if st.State != stream.Live {
			if st.Kind != model.KindServerLease { // further statements, in a part of its own
				token = themes.Warn
				g.doubt(words.Text(st.Kind.String() + ": " + st.State.String()))
			}
			if st.Why != "" {
				say = append(say, words.Text(": "+st.Why))
			}
			if slices.Contains(model.Kinds[:], st.Kind) {
				say = append(say, words.Of("trust.watch.without", "cost", words.Of("trust.without."+st.Kind.String())))
			}
		}
		f.Say(st.Kind.String(), token, words.Chain(say...))
		denied = denied || st.State == stream.Forbidden
	}
	if denied {
		f.Say(words.Label("rights"), themes.Text, words.Of("trust.watch.rights"))
	}
}

func (g *page) logs(f *widget.Facts) {
	said := history.OfLogs(g.s.Said)
	if len(said) == 0 {
		return
	}
	by := map[string]int{}
	for i := range said {
		by[said[i].By]++
	}
	for _, who := range slices.Sorted(maps.Keys(by)) {
		f.Say(who, themes.Text, words.Of("trust.log.statements", "n", by[who]))
	}
	if j := g.s.Judged; j != nil && j.Result != nil && j.Result.Testimony != nil {
		t := j.Result.Testimony
		f.Say(words.Label("decisions"), themes.Text, topics.Testimony(t.Statements, len(t.Confirmed), len(t.Contradicted), t.NotCompared))
		if n := len(t.Contradicted); n > 0 {
			f.Say(words.Label("contradicted"), themes.Warn, words.Of("trust.log.contradicted", "n", n, "at", t.Contradicted[0].At, "what", topics.Disagreement(&t.Contradicted[0])))
		}
	}
	if n := sort.Search(len(said), func(i int) bool { return said[i].At > g.s.At }); n > 0 {
		last := &said[n-1]
		f.Add(words.Label("said last"), g.p.Clock(last.At)+" "+last.By+": "+last.Text)
	}
}

// mostGaps is the number of gaps listed, the newest.
const mostGaps = 6

func (g *page) gaps(f *widget.Facts) {
	gaps := g.s.Gaps
	if len(gaps) > 0 {
		g.doubt(words.Of("trust.gap.doubt", "n", g.s.Outages()))
	} else {
		f.Say(words.Label("none"), themes.Text, words.Of("trust.gap.none"))
	}
	for i := max(len(gaps)-mostGaps, 0); i < len(gaps); i++ {
		gap, key := &gaps[i], "sure"
		if gap.Possible {
			key = "possible"
		}
		f.Say(g.p.Clock(gap.Earliest), themes.Gap, words.Of("trust.gap.is."+key, "for", gap.Width(), "why", gap.Why))
	}
	if more := len(gaps) - mostGaps; more > 0 {
		f.Say(words.Label("before"), themes.Text, words.Of("trust.more", "n", more))
	}
}

// clocks is the source of ages, and how far the kubelets' clocks are from the recorder's.
func (g *page) clocks(f *widget.Facts) {
	c := g.s.Nodes().Clocks()
	if c.Heard+c.Said+c.Unknown == 0 {
		return
	}
	f.Say(words.Label("ages"), themes.Text, words.Of("trust.clock.ages", "heard", c.Heard, "own", c.Said, "unknown", c.Unknown))
	if len(c.Off) == 0 && c.Heard > 0 {
		f.Say(words.Label("skew"), themes.Text, words.Of("trust.clock.fine", "off", loss.ClockOff))
	}
	if len(c.Off) > 0 {
		g.doubt(words.Of("trust.clock.doubt", "n", len(c.Off), "off", loss.ClockOff))
	}
	for _, o := range c.Off[:min(len(c.Off), 5)] {
		f.Say(g.p.Middle(g.p.Text(o.Node), 24), themes.Warn, words.Of("trust.clock.off", "by", paint.Offset(o.By)))
	}
	if n := len(c.Off) - 5; n > 0 {
		f.Say(words.Label("and"), themes.Text, words.Of("trust.more", "n", n))
	}
}

func (g *page) flags(f *widget.Facts) {
	flags := verify.Flags(&g.s.Params)
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		is := flags[name]
		say := []words.Say{words.Text(is.Value + ", "), words.Of("trust.flag.from." + is.From.String())}
		if j := g.s.Judged; j != nil && j.Result != nil {
			if fit, ok := j.Result.Fits[name]; ok {
				say = append(say, words.Of("trust.flag.fits", "fits", topics.Fit(fit.Min, fit.Max, fit.Unit), "n", fit.Evidence))
				if or := topics.FlagOr(&fit.Or); !or.Missing() {
					say = append(say, words.Of("trust.flag.or", "or", or))
				}
			}
		}
		f.Say(name, themes.Text, words.Chain(say...))
	}
	if v := g.s.Params.Version; v != (model.Version{}) {
		f.Add(words.Label("version"), v.String())
	} else {
		f.Say(words.Label("version"), themes.Warn, words.Of("trust.flag.version-unknown"))
	}
	if withdrawn := g.s.Judged.Withdrawn(); withdrawn != nil {
		for _, c := range withdrawn.Contradicted {
			g.doubt(words.Of("trust.flag.doubt"))
			f.Say(words.Label("contradicted"), themes.Warn, topics.FlagContradicted(&c))
		}
	}
}

// models are their explanations of the observed writes, and their assumptions.
func (g *page) models(f *widget.Facts) {
	j := g.s.Judged
	switch {
	case j == nil:
		f.Say(words.Label("models"), themes.Text, words.Of("trust.model.none"))
	case j.Result == nil:
		why := words.Text(topics.Unjudged(g.s.Outlook().Missing))
		g.doubt(why)
		f.Say(words.Label("models"), themes.Warn, why)
	default:
		g.explained(f, j)
	}
}

func (g *page) explained(f *widget.Facts, j *outlook.Judgement) {
	explained, all := 0, 0
	for i := range j.Result.Writes {
		if w := &j.Result.Writes[i]; w.Time.Earliest <= g.s.At {
			if all++; w.Decision != 0 {
				explained++
			}
		}
	}
	f.Say(words.Label("explained"), warns(explained < all), words.Of("trust.model.explained", "explained", explained, "n", all))
	if n := all - explained; n > 0 {
		g.doubt(words.Of("trust.model.unexplained-doubt", "n", n))
		f.Say(words.Label("unexplained"), themes.Warn, words.Of("trust.model.unexplained", "n", n))
	}
	if n := len(j.Result.NotJudged); n > 0 {
		g.doubt(words.Of("trust.model.unjudged-doubt", "n", n))
		f.Say(words.Label("not judged"), themes.Warn, words.Of("trust.model.unjudged", "n", n))
	}
	for i := range j.Result.Unsupported {
		f.Say(words.Label("unsupported"), themes.Warn, topics.Note(&j.Result.Unsupported[i]))
	}
	f.Say(words.Label("read"), themes.Text, words.Of("trust.model.read", "until", j.Until))
	if texts, ill := g.s.Alive(); len(texts) > 0 {
		if ill || g.s.Leaderless() {
			g.doubt(words.Of("trust.model.controllers", "what", texts[0]))
		}
		f.Put(words.Label("controllers"), warns(ill), texts[0])
	}
	for i := range j.Result.Assumptions {
		f.Put(words.Label("assumes"), themes.Dim, g.note(&j.Result.Assumptions[i]))
	}
}
