package evictions

import (
	"strconv"
	"strings"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/volumes"
	"kardia/model/explain/why"
	"kardia/model/simulate/forecast"
	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/topics"
	"kardia/ui/widget"
	"kardia/ui/words"
)

func (v *View) empty(s *screen.Snapshot, p *paint.Painter) string {
	c := s.Outlook()
	unknown, _ := s.NotKnown(caveat.NoEviction | caveat.PodCount)
	say := words.Of("evictions.none")
	switch {
	case !s.Has(model.KindPod):
		say = words.Of("evictions.no-pods")
	case c.Forecast == nil:
		say = words.Of("evictions.no-forecast", "why", topics.UnjudgedShort(c.Missing))
	case v.Hidden > 0:
		say = words.Of("evictions.all-stay", "n", v.Hidden)
	case v.About.Kind != screen.NoSubject:
		say = words.Of("evictions.none-of", "whose", v.Crumb(s))
	case unknown != "":
		say = words.Of("evictions.none-known", "but", unknown)
	}
	return p.Text(say.In(p))
}

const leastNames, leastReason = 22, 20

// table is the columns that have room. Without room for the reason, the names get its share. Names that are cut are in
// full beside or below the list.
func (v *View) table(s *screen.Snapshot, p *paint.Painter, width int, _ screen.Tier) widget.Table[*row] {
	names, reason := 8, 0
	for i := range v.Rows() {
		r := &v.Rows()[i]
		names = max(names, paint.Width(v.named(p, r, 1<<10)))
		if r.State.Ahead() && i < 200 { // the widest of so many is wide enough
			reason = max(reason, paint.Width(p.Text(whyNotYet(p, r))))
		}
	}
	names = min(names, max(width*3/10, leastNames))
	t := v.columns(s, p, width, names)
	t.Measure(len(v.Rows()), func(i int) *row { return &v.Rows()[i] })
	t.Fit(width)
	if last := &t.Columns[len(t.Columns)-1]; last.Title == reasonTitle {
		names -= max(min(reason-last.Width, names-leastNames), 0)
	}
	return v.columns(s, p, width, names)
}

const reasonTitle = "WHY"

func (v *View) columns(s *screen.Snapshot, p *paint.Painter, width, names int) widget.Table[*row] {
	columns := []widget.Column[*row]{
		{Title: "IN", Width: 11, Most: width, Symbol: p.Glyphs.Predicted, Cell: func(r *row) (themes.Token, string) { return screen.Fate(&r.Eviction, s.From(), p) }},
		{Title: "PODS", Width: names, Text: func(r *row) string { return strings.Join(podNames(r.pods), " ") }, Named: func(r *row) (themes.Token, string, string) {
			if len(r.pods) > 1 {
				return themes.Text, "", v.named(p, r, names)
			}
			return themes.Text, p.Text(r.Pod.String()), ""
		}},
		{Title: orders[v.Order].column, Called: "NODE", Width: 6, Most: max(width/5, 15), Named: func(r *row) (themes.Token, string, string) { return themes.Dim, v.where(p, r), "" }},
	}
	if end := v.horizon(s); width >= 110 {
		columns = append(columns, widget.Column[*row]{Title: "NOW " + p.Glyphs.Right + " " + p.By(end), Called: "WATERFALL", Width: width / 7, Drop: 2,
			Draw: func(l *paint.Line, r *row, w int) { waterfall(l, p, s.From(), end, r, w) },
			Text: func(r *row) string {
				if !r.State.Ahead() || !r.Window.Bounded() {
					return ""
				}
				return p.Window(r.Window)
			}})
	}
	if width >= 100 && !s.Curtain && !s.Mode.Watches() {
		columns = append(columns, widget.Column[*row]{Title: "LATER", Symbol: p.Glyphs.Later, Width: 14, Drop: 3, Draw: func(l *paint.Line, r *row, w int) {
			text := became(s, p, r)
			if paint.Width(text) > w {
				text, _, _ = strings.Cut(text, " ") // when it came; the rest is beside the list
			}
			l.Left(themes.Dim, text, w)
		}})
	}
	columns = append(columns, widget.Column[*row]{Title: reasonTitle, Width: leastReason, Drop: 1, Cell: func(r *row) (themes.Token, string) {
		return themes.Dim, p.Text(whyNotYet(p, r))
	}})
	return widget.Table[*row]{Columns: columns}
}

func (v *View) where(p *paint.Painter, r *row) string {
	switch v.Order {
	case byZone:
		if !r.zone.Known {
			return "?"
		}
		return p.Text(r.zone.Value.String())
	case byWorkload:
		return p.Text(r.owner)
	}
	if n := len(r.nodes); n > 1 {
		return words.Of("evictions.nodes", "n", n, "first", p.Text(r.nodes[0])).In(p)
	}
	return p.Text(r.Node)
}

func (v *View) named(p *paint.Painter, r *row, width int) string {
	if len(r.pods) == 1 {
		return p.Middle(p.Text(r.Pod.String()), width)
	}
	text := words.Of("evictions.pods", "n", len(r.pods)).In(p)
	for i, e := range r.pods {
		name := p.Text(e.Pod.Name)
		if rest := width - paint.Width(text); i > 0 && paint.Width(name)+2 > rest {
			return text + p.Glyphs.Ellipsis
		}
		text += name + " "
	}
	return strings.TrimSuffix(text, " ")
}

// whyNotYet is what holds the deletion back, and whether it is certain, in few words: the details are beside the list.
func whyNotYet(p *paint.Painter, r *row) string {
	say := topics.EvictionWhyShort(&r.Why)
	if r.State == forecast.Due && r.Why.Reason == forecast.CountdownRuns && r.Seconds.Known {
		say = words.Of("forecast.tolerates", "for", tolerates(r))
	}
	if r.State.Ahead() && !r.Certain {
		say = words.Of("forecast.possibly", "what", say)
	}
	return say.In(p)
}

// tolerates is how long the pods tolerate their taint; "" if unknown.
func tolerates(r *row) string {
	if !r.Seconds.Known {
		return ""
	}
	return strconv.FormatInt(r.Seconds.Value, 10) + "s"
}

// recorded is the recording's result for the first deleted pod of a row; nil without one.
func recorded(r *row) (first *forecast.Ahead) {
	for _, a := range r.later {
		if first == nil || a.Later != nil && (first.Later == nil || a.Later.Time < first.Later.Time) {
			first = a
		}
	}
	return first
}

// became is the recording's later result: the deletion time of the first pod, and the error of the prediction if there
// is one. For a deletion that has not come it is a word.
func became(s *screen.Snapshot, p *paint.Painter, r *row) string {
	first := recorded(r)
	switch {
	case first == nil || !r.State.Ahead() && first.Later == nil, first.Later == nil && s.At >= s.Coverage.Latest:
		return "" // nothing is recorded of later than the end
	case first.Later == nil:
		return fate(first.Fate)
	case first.Off.Known && first.Off.Value > 0:
		return p.Clock(first.Later.Time) + " +" + paint.Duration(first.Off.Value)
	case first.Off.Known:
		return p.Clock(first.Later.Time) + " " + paint.Duration(first.Off.Value)
	case first.Fate != forecast.CameTrue:
		return p.Clock(first.Later.Time) + " " + fate(first.Fate)
	}
	return p.ClockTenths(first.Later.Time)
}

func fate(f forecast.Fate) string { return words.Of("evictions.fate." + f.String()).String() }

// horizon is the end of the waterfall: the last bounded end of a window.
func (v *View) horizon(s *screen.Snapshot) model.Instant {
	last := s.From()
	for i := range v.Rows() {
		if r := &v.Rows()[i]; r.State.Ahead() && r.Window.Latest.Bounded() {
			last = max(last, r.Window.Latest)
		} else if r.State.Ahead() && r.Window.Earliest.Bounded() {
			last = max(last, r.Window.Earliest)
		}
	}
	return last
}

// waterfall draws a window between now and the horizon: full for certain deletions, shaded for possible ones.
func waterfall(l *paint.Line, p *paint.Painter, now, end model.Instant, r *row, width int) {
	if !r.State.Ahead() || !r.Window.Earliest.Bounded() || end <= now || width < 4 {
		return
	}
	cell := func(t model.Instant) int {
		return min(max(int(float64(t.Sub(now))/float64(end.Sub(now))*float64(width-1)), 0), width-1)
	}
	from, to := cell(r.Window.Earliest), width-1
	if r.Window.Latest.Bounded() {
		to = cell(r.Window.Latest)
	}
	token, glyph := themes.Predicted, p.Glyphs.Hatch
	if r.Certain {
		token, glyph = themes.Evict, p.Glyphs.Full
	}
	l.Skip(from).Repeat(token, glyph, to-from+1)
}

// inFull is an uncut row, and for its first pod what holds the deletion back.
func (v *View) inFull(s *screen.Snapshot, p *paint.Painter, r *row, w int) (string, []paint.Row) {
	var facts widget.Facts
	token, in := screen.Fate(&r.Eviction, s.From(), p)
	if r.State.Ahead() {
		if r.Window.Bounded() {
			in += ", " + p.Window(r.Window)
		}
		facts.Put(words.Label("deletes in"), token, in)
	} else {
		facts.Put(words.Label("state"), token, in)
	}
	if r.State == forecast.Due {
		facts.Add(words.Label("tolerates"), tolerates(r)) // the other facts are below
		if j := s.Judged; j != nil && j.Result != nil {
			if anew, was, ok := why.Restarted(j.Result.Decisions, r.Pod, s.At, r.Window.Earliest); ok {
				facts.Put(words.Label("restarted"), themes.Warn, words.Of("evictions.restarted", "at", anew, "was", was).In(p))
			}
		}
	} else {
		facts.Add(words.Label("because"), topics.EvictionWhy(&r.Why).In(p))
	}
	if text := became(s, p, r); text != "" && !s.Curtain {
		if first := recorded(r); first.Later != nil && first.Later.Kind == model.EvictPod {
			text = words.Of("evictions.recorded", "at", text).In(p)
		}
		facts.Put(p.Glyphs.Later+" "+words.Label("recorded"), themes.Faint, text)
	}
	facts.Add(words.Label("pods"), widget.Listed(podNames(r.pods)))
	facts.Add(words.Label("node"), widget.Listed(r.nodes))
	v.volumes(s, p, r, &facts)
	facts.Add(words.Label("zone"), r.zone.Value.String())
	if v.Order == byWorkload || len(r.pods) == 1 {
		facts.Add(words.Label("workload"), workload(s, &r.Eviction))
	}
	title := words.Of("count.pods", "n", len(r.pods)).In(p)
	if len(r.pods) == 1 {
		title = p.Text(r.Pod.String())
	}
	return title, append(facts.Rows(p, w), v.held(s, p, r, w)...)
}

// volumes are those of a row's first pods, and when others can have them.
func (v *View) volumes(s *screen.Snapshot, p *paint.Painter, r *row, facts *widget.Facts) {
	const most = 3
	said := 0
	for _, e := range r.pods {
		pod := s.Cluster.PodOn(e.Node, e.Pod)
		if pod == nil || len(pod.Claims()) == 0 {
			continue
		}
		if said++; said > most {
			return
		}
		attached := s.Attached(pod.Node)
		if attached.Unread != "" {
			facts.Add(words.Label("volumes"), words.Of("volume.unread", "why", attached.Unread).In(p))
			return
		}
		for _, one := range volumes.For(attached.List, pod) {
			tone, text := topics.Volume(&one, s.From())
			facts.Put(words.Label("volume"), render.Token(tone), text.In(p))
		}
	}
}

// held is what holds the deletion of a row's first pod back, and what would change it.
func (v *View) held(s *screen.Snapshot, p *paint.Painter, r *row, w int) []paint.Row {
	if !r.State.Ahead() || s.Judged == nil || s.Judged.State == nil {
		return nil
	}
	list, ok := why.Pod(s.Judged.State, r.Pod)
	if !ok || len(list) == 0 {
		return nil
	}
	return append([]paint.Row{{}}, render.Terminal(topics.NotYet(why.Undecided(list, s.Judged.Decisions(), s.Judged.State.At), false), p, w)...)
}

func podNames(pods []*forecast.Eviction) []string {
	names := make([]string, len(pods))
	for i := range pods {
		names[i] = pods[i].Pod.String()
	}
	return names
}
