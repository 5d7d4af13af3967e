// Package headline words the trouble and the next event: the first lines of every screen. It adds no conclusions to
// those of the model.
package headline

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/outlook"
	"kardia/model/explain/verdict"
	"kardia/themes"
	"kardia/ui/nodes"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/words"
)

// sentence is a lead in the colour of the trouble, and its additions: wordings of each, the longest first. The first
// that fits is taken.
type sentence struct {
	glyph string
	token themes.Token
	lead  []words.Say
	rest  []words.Say
}

// Rows are the given number of lines, none wider than w: the trouble, then the next event.
func Rows(s *screen.Snapshot, p *paint.Painter, w, lines int) []paint.Row {
	t := read(s, p)
	rows := []paint.Row{t.withVerdict(t.what(), w)}
	if lines > 1 {
		rows = append(rows, t.next().row(p, w))
	}
	return rows
}

func (t sentence) row(p *paint.Painter, w int) paint.Row {
	lead := ""
	for _, say := range t.lead {
		if t.isNext(p) {
			say = words.Of("headline.next", "what", say)
		}
		lead = say.In(p)
		left := w - 3 - paint.Width(lead)
		for i := 0; i < len(t.rest) && left >= 0; i++ {
			if rest := t.rest[i].In(p); paint.Width(rest) <= left {
				return t.put(p, w, lead, rest)
			}
		}
		if left >= 0 {
			return t.put(p, w, lead, "")
		}
	}
	if len(t.lead) == 0 {
		return paint.Row{}
	}
	return t.put(p, w, lead, "")
}

func (t sentence) isNext(p *paint.Painter) bool {
	return t.glyph == p.Glyphs.Predicted && t.token != themes.Warn
}

// Below the width compact a line has room for the trouble only; from roomy on it has room for more.
const compact, roomy = 60, 120

// withVerdict is a row that ends with the fault domain, if the shortest wording leaves room for it.
func (t *tally) withVerdict(is sentence, w int) paint.Row {
	text, inWords := t.fault(w)
	room := w - paint.Width(text) - 3
	if text == "" || w < compact || len(is.lead) == 0 || 3+paint.Width(is.lead[len(is.lead)-1].In(t.p)) > room {
		return is.row(t.p, w)
	}
	said := is.row(t.p, room)
	if left := w - paint.Width(inWords) - 3; said.Width <= left {
		text, room = inWords, left
	}
	return t.p.Line(w).Append(said).To(room+1).Put(themes.Accent, "v").Put(themes.Text, text).Row()
}

// fault is the fault domain; "" if none is known. An undecided one names its alternatives if there is room. inWords is
// a longer form.
func (t *tally) fault(w int) (text, inWords string) {
	list := t.outlook.Verdicts
	if len(list) == 0 || t.s.Blind {
		return "", ""
	}
	first := t.spokenOf(list)
	domain := words.Text(first.Whose())
	if or := first.Or; len(or) == 1 && w >= roomy {
		domain = words.Of("headline.fault-or", "domain", domain, "or", or[0].String())
	} else if len(or) > 0 {
		domain = words.Of("headline.fault-undecided")
	}
	more, short := words.Say{}, words.Say{}
	if n := len(list) - 1; n > 0 {
		more, short = words.Of("headline.fault-more", "n", n), words.Of("headline.fault-more-short", "n", n)
	}
	if at := t.s.JudgedAsOf; at.Known() {
		return words.Of("headline.fault-at", "domain", domain, "at", at, "more", short).In(t.p), words.Of("headline.fault-at", "domain", domain, "at", at, "more", more).In(t.p)
	}
	return words.Of("headline.fault-short", "domain", domain, "more", short).In(t.p), words.Of("headline.fault", "domain", domain, "more", more).In(t.p)
}

// spokenOf is the first verdict that is about the named nodes, or the first of all.
func (t *tally) spokenOf(list []verdict.Verdict) *verdict.Verdict {
	named := func(v verdict.Verdict) bool {
		return len(v.Nodes) == 0 || slices.ContainsFunc(t.silent, func(i int32) bool { return slices.Contains(v.Nodes, t.nodes.Entries[i].Row.Name) })
	}
	if i := slices.IndexFunc(list, named); i > 0 && len(t.silent) > 0 {
		return &list[i]
	}
	return &list[0]
}

func (t sentence) put(p *paint.Painter, w int, lead, rest string) paint.Row {
	if t.token == themes.Unknown || t.token == themes.NotReady {
		return p.Line(w).Badge(t.token, " "+t.glyph+" "+lead).Put(themes.Text, rest).Row()
	}
	l := p.Line(w).Skip(1)
	if t.glyph != "" {
		l.Glyph(t.token, t.glyph)
	} else {
		l.Skip(1)
	}
	return l.Skip(1).Put(t.token, lead).Put(themes.Text, rest).Row()
}

// tally counts the nodes of a Snapshot by their state.
type tally struct {
	s       *screen.Snapshot
	p       *paint.Painter
	nodes   *nodes.List
	outlook *outlook.Outlook
	// silent nodes are past the grace period, or declared Unknown without a newer heartbeat. back read Unknown and
	// renew. returning have not renewed since a gap ended, and had no time to be late. All are indices of entries.
	silent, back, late, notReady, returning []int32
	// unposted have no known lease, and their next status is overdue.
	unposted             []int32
	beats, declared, odd int
	unseen               int
	// since and until are the silent nodes' first and last heartbeat, first and firstLast their declarations.
	since, until, first, firstLast model.Instant
	// oldest is the oldest age of the renewing nodes; a lower bound, from a capture of unknown time, if atLeast.
	oldest   time.Duration
	atLeast  bool
	silentIn []int // by zone
	// lastKnown is since when nothing is known of the Node objects of silent nodes; unknown if it is.
	lastKnown model.Instant
}

func read(s *screen.Snapshot, p *paint.Painter) *tally {
	t := &tally{s: s, p: p, nodes: s.Nodes(), outlook: s.Outlook()}
	t.silentIn = make([]int, len(t.nodes.Zones))
	grace := s.Params.NodeMonitorGracePeriod.Value
	for i := range t.nodes.Entries {
		e := &t.nodes.Entries[i]
		if e.Row.Node == nil {
			t.unseen++
		}
		age, exact := e.Then.Age.Value, e.Then.Age.Known && e.Then.From != model.AgeStatus
		unheard := e.Ages.AtMost && !t.s.Blind // since a time without a watch
		switch {
		case e.Class == nodes.PastGrace, e.Class == nodes.Unknown && (!exact || age >= grace || unheard):
			t.addSilent(int32(i), e, exact && !unheard)
			continue
		case e.Class == nodes.Unknown:
			t.back = append(t.back, int32(i))
		case e.Class == nodes.NotReady:
			t.notReady = append(t.notReady, int32(i))
		case e.Late:
			t.late = append(t.late, int32(i))
		case e.Then.Unposted():
			t.unposted = append(t.unposted, int32(i))
		case e.Ages.Unwatched > 0 && !unheard && !t.s.Blind:
			t.returning = append(t.returning, int32(i))
			continue
		case exact && !unheard:
			t.beats++
		default:
			t.odd++
		}
		if exact && !unheard {
			t.oldest, t.atLeast = max(t.oldest, age), t.atLeast || e.Then.AtLeast
		}
	}
	return t
}

func (t *tally) addSilent(i int32, e *nodes.Entry, exact bool) {
	t.silent = append(t.silent, i)
	t.silentIn[e.Zone]++
	earlier := func(a, b model.Instant) model.Instant {
		if !a.Bounded() || b.Bounded() && b < a {
			return b
		}
		return a
	}
	if at := t.s.Confirmed(); exact && at.Bounded() {
		heard := at.Add(-e.Then.Age.Value - e.Ages.Unwatched)
		t.since, t.until = earlier(t.since, heard), max(t.until, heard)
	}
	t.lastKnown = max(t.lastKnown, e.LastKnown)
	if e.Class == nodes.Unknown {
		t.declared++
		if r := e.Row.Node.Ready(); r != nil {
			t.first, t.firstLast = earlier(t.first, r.Transition), max(t.firstLast, r.Transition)
		}
	}
}

// what is the trouble, where and since when.
func (t *tally) what() sentence {
	g := &t.p.Glyphs
	n := len(t.nodes.Entries)
	switch {
	case n == 0:
		text := screen.EmptyText(t.s, t.p)
		short, _, _ := strings.Cut(text, ": ") // the body has it in full
		return sentence{token: themes.Text, lead: []words.Say{words.Text(text), words.Text(short)}}
	case t.s.Blind && t.s.Lost != "" && t.s.AsOf.Known() && t.s.Mode == screen.Live:
		return sentence{g.Gap, themes.Warn, []words.Say{words.Of("headline.all-silent-since", "at", t.s.AsOf)}, []words.Say{words.Of("headline.no-updates-showing"), words.Of("headline.no-updates")}}
	case t.s.Blind:
		at := t.s.Confirmed()
		return sentence{g.Gap, themes.Warn, []words.Say{words.Of("headline.blind")}, []words.Say{words.Of("headline.blind-showing-only", "at", at), words.Of("headline.blind-showing", "at", at)}}
	case t.every() > 0:
		return t.slow(t.every())
	case len(t.silent) == n:
		return t.allSilent()
	case len(t.silent) > 0:
		return t.someSilent()
	case len(t.notReady) > 0:
		return t.saidNotReady()
	case len(t.back) > 0:
		return sentence{g.Unknown, themes.Unknown, t.those(t.back, "back", words.Say{}), t.others(words.Say{})}
	case len(t.late) > 0:
		return sentence{g.Age[3], themes.Warn, t.those(t.late, "late", words.Say{}), t.others(words.Of("headline.late-for", "for", t.oldest, "grace", words.Setting(t.s.Params.NodeMonitorGracePeriod.Value)))}
	case len(t.unposted) > 0: // a kubelet that renews its lease may post seldom
		return sentence{g.Age[3], themes.Warn, t.those(t.unposted, "unposted", words.Say{}), []words.Say{words.Of("headline.leases-not-known"), words.Of("headline.leases-unknown")}}
	}
	if gap := t.lastGap(); len(t.returning) > 0 && gap.Known() {
		return t.notYetHeard(gap)
	}
	return t.calm()
}

// lastGap is the last time without a watch of leases; unknown for none.
func (t *tally) lastGap() (gap model.Interval) {
	for _, v := range t.s.Unwatched.Leases() {
		if v.Latest <= t.s.At {
			gap = v
		}
	}
	return gap
}

// notYetHeard words nodes that have not renewed since a gap ended: that silence proves nothing.
func (t *tally) notYetHeard(gap model.Interval) sentence {
	back := words.Of("headline.after-gap", "for", t.s.At.Sub(gap.Latest), "gap", gap.Width())
	return sentence{t.p.Glyphs.Age[3], themes.Warn, t.those(t.returning, "returning", words.Say{}), []words.Say{words.Chain(back, words.Of("headline.gap-proves-nothing")), back}}
}

// calm words that nothing is wrong, and how far from the grace period the oldest heartbeat is.
func (t *tally) calm() sentence {
	n := len(t.nodes.Entries)
	if t.beats == 0 {
		return t.unheard()
	}
	lead := words.Of("headline.all-renew", "n", t.beats)
	switch unknown, first := t.s.NotKnown(caveat.NodeCount | caveat.Ready); {
	case t.beats < n:
		lead = words.Of("headline.some-renew", "n", t.beats, "all", n)
	case unknown != "": // whether these are all, or another trouble exists
		return t.fine(sentence{token: themes.Text, lead: []words.Say{words.Of("headline.known-renew", "n", n)}}, words.Of("headline.not-known", "what", unknown), words.Text(first))
	}
	oldest := words.Of("headline.oldest", "for", t.oldest, "grace", words.Setting(t.s.Params.NodeMonitorGracePeriod.Value))
	if t.atLeast {
		oldest = words.Of("headline.oldest-at-least", "for", t.oldest, "grace", words.Setting(t.s.Params.NodeMonitorGracePeriod.Value))
	}
	return t.fine(sentence{glyph: t.p.Glyphs.Yes, token: themes.Dim, lead: []words.Say{lead}}, oldest)
}

// others words the nodes that are not in the lead.
func (t *tally) others(about words.Say) []words.Say {
	var list []words.Say
	before := len(t.silent)
	for _, is := range []struct {
		what string
		n    int
	}{{"not-ready", len(t.notReady)}, {"back", len(t.back)}, {"late", len(t.late)}} {
		if is.n > 0 && before > 0 {
			list = append(list, words.Of("headline.others."+is.what, "n", is.n))
		}
		before += is.n
	}
	if t.beats > 0 {
		list = append(list, words.Of("headline.others.renew", "n", t.beats))
	}
	others, marked := joined(", ", append(list, t.gone())...), t.marked()
	return []words.Say{joined("; ", about, others, marked), joined("; ", about, marked), joined("; ", words.Say{}, marked), about}
}

// joined is sentences with something between them, also in front if the first is missing.
func joined(between string, list ...words.Say) words.Say {
	var parts []words.Say
	for i, say := range list {
		if say.Missing() {
			continue
		}
		if i > 0 {
			parts = append(parts, words.Text(between))
		}
		parts = append(parts, say)
	}
	if len(parts) == 0 {
		return words.Say{}
	}
	return words.Chain(parts...)
}

// those names nodes, or counts them by zone, the longest wording first.
func (t *tally) those(list []int32, are string, how words.Say) []words.Say {
	n := len(list)
	e := &t.nodes.Entries[list[0]]
	long := func(who words.Say) words.Say { return words.Of("headline.are."+are, "n", n, "who", who, "how", how) }
	short := func(who words.Say) words.Say { return words.Of("headline.are-short."+are, "who", who, "how", how) }
	if n == 1 {
		node := t.p.Text(t.nodes.Label(e.Row.Name))
		return []words.Say{long(words.Chain(words.Text(node), t.in(&t.nodes.Zones[e.Zone]))), long(words.Text(node))}
	}
	for _, i := range list {
		if t.nodes.Entries[i].Zone != e.Zone {
			return []words.Say{long(words.Of("count.nodes", "n", n)), short(words.Text(strconv.Itoa(n)))}
		}
	}
	z := &t.nodes.Zones[e.Zone]
	if !named(z) {
		of := words.Of("headline.of-nodes", "n", n, "all", len(z.Nodes))
		return []words.Say{long(words.Chain(of, t.in(z))), short(of)}
	}
	return []words.Say{long(words.Of("headline.zone-nodes", "zone", t.p.Text(z.Name), "n", n, "all", len(z.Nodes))), short(words.Of("headline.zone-of", "zone", t.p.Text(z.Short), "n", n, "all", len(z.Nodes)))}
}
