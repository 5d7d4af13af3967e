package open

import (
	"cmp"
	"slices"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/read/audit"
)

func (e *holeFinder) log(source int32, r *audit.Reader) {
	if e.logs == nil {
		e.logs = map[int32]*audit.Reader{}
	}
	e.logs[source] = r
}

func (b *builder) hear(ch *model.Change) {
	e, at := &b.holeFinder, ch.Effective()
	if !at.Bounded() {
		return
	}
	if v := max(ch.Version, ch.Previous); v != 0 && !slices.Contains(e.apart, ch.Kind) {
		e.versions.Note(at, v)
	}
	if n := ch.Node; n != nil && n.Ready() != nil && n.Ready().Status == model.StatusUnknown && n.Ready().Transition.Known() {
		e.audits.Declare(ch.Key.Name, n.Ready().Transition)
		e.watches.Declare(ch.Key.Name, n.Ready().Transition)
	}
	b.hearFrom(ch, ch.Origin.Source, at)
	if ch.Also != (model.Origin{}) && ch.Also.Source != ch.Origin.Source {
		b.hearFrom(ch, ch.Also.Source, at)
	}
}

func (b *builder) hearFrom(ch *model.Change, source int32, at model.Instant) {
	e, lease := &b.holeFinder, ch.Kind == model.KindNodeLease || ch.Kind == model.KindLeaderLease
	listener := &e.audits
	switch b.sources[source].Format {
	case "audit":
	case "watch":
		listener = &e.watches
		if ch.Op != model.OpBaseline {
			if since := b.sources[source].Coverage.Earliest; len(e.spoke[source]) == 0 && since.Bounded() && since.Known() && since < at {
				e.tell(source, ch.Kind == model.KindNodeLease, since) // its list, which shows no time of its own
			}
			e.tell(source, ch.Kind == model.KindNodeLease, at)
		}
	default:
		return
	}
	if !lease {
		return
	}
	who := ch.Kind.String() + " " + ch.Key.Name
	switch {
	case ch.Op == model.OpAttempt && ch.Code < 500:
		return // refused: it changed nothing
	case ch.Op == model.OpAttempt, ch.Op == model.OpDelete:
		listener.Lose(who)
		return
	case ch.Op == model.OpRepeat:
		return
	case ch.Op == model.OpBaseline && ch.Lease.Renewed.Bounded():
		at = min(at, ch.Lease.Renewed)
	case listener == &e.audits:
		at = ch.Time.Earliest
	}
	beat := past.Beat{Who: who, At: at, Version: ch.Version, Previous: ch.Previous, Source: source,
		Apart: slices.Contains(e.apart, ch.Kind), Made: ch.Op == model.OpAdd}
	if ch.Kind == model.KindNodeLease {
		beat.Node = ch.Key.Name
		beat.Every = time.Duration(max(ch.Lease.Seconds, 0)) * time.Second / 4
	}
	listener.Hear(beat)
}

func (e *holeFinder) tell(source int32, lease bool, at model.Instant) {
	if e.spoke == nil {
		e.spoke = map[int32][]model.Instant{}
	}
	if list := e.spoke[source]; len(list) == 0 || at.Sub(list[len(list)-1]) >= past.QuietFrom/2 {
		e.spoke[source] = append(list, at)
	}
	e.calm.tell(at)
	if lease {
		e.quiet.tell(at)
	}
}

func (q *quietness) tell(at model.Instant) {
	if q.last.Known() && at.Sub(q.last) >= past.QuietFrom {
		q.times = append(q.times, model.Interval{Earliest: q.last, Latest: at})
	}
	q.last = max(q.last, at)
}

// holes are all gaps: those that sources do not report, known ones, which they do, and those of merged recordings.
func (b *builder) holes(known []history.Gap) []history.Gap {
	gaps := b.logHoles()
	b.findLosses()
	gaps = slices.DeleteFunc(gaps, func(g history.Gap) bool { return b.sources[g.Source].Losing != "" && g.Possible })
	for _, g := range gaps {
		gaps = append(gaps, b.silentToo(g)...)
	}
	losingWatches := slices.ContainsFunc(b.sources, func(s history.Source) bool { return s.Format == "watch" && s.Losing != "" })
	silences := b.holeFinder.watches.Silences(b.holeFinder.quiet.times, func(int32) bool { return true }, &b.holeFinder.versions)
	leases := slices.ContainsFunc(b.sources, func(s history.Source) bool { return s.Format == "watch" && s.Kinds[model.KindNodeLease] > 0 })
	for _, v := range b.holeFinder.calm.times {
		if !leases { // renewals are most of the unseen writes, and silent nodes send none
			break
		}
		if why, ok := b.holeFinder.versions.More(v); ok && !slices.ContainsFunc(silences, func(s past.Silence) bool { return s.Verdict != past.Outage && s.Overlaps(v) }) {
			silences = append(silences, past.Silence{Interval: v, Verdict: past.Undecided, Why: why})
		}
	}
	for _, s := range silences {
		if s.Verdict == past.Outage || losingWatches && s.Verdict == past.Undecided {
			continue
		}
		for source := range b.sources {
			src := &b.sources[source]
			if src.Format != "watch" {
				continue
			}
			gaps = append(gaps, b.holeFinder.silentIn(b.gapOf(s, source))...)
		}
	}
	gaps = slices.DeleteFunc(gaps, func(g history.Gap) bool {
		return slices.ContainsFunc(known, func(k history.Gap) bool {
			both, ok := k.Intersect(g.Interval)
			return ok && k.Source == g.Source && 2*both.Width() >= g.Width()
		})
	})
	gaps = slices.Concat(gaps, known, b.gaps)
	slices.SortStableFunc(gaps, func(a, b history.Gap) int { return cmp.Compare(a.Earliest, b.Earliest) })
	return gaps
}

// findLosses marks the records that lose lines at random. Watches are judged together: they are written side by side.
func (b *builder) findLosses() {
	mark := func(finder *past.SilenceFinder, files []int32) {
		found, losing := finder.Losses(func(source int32) bool { return slices.Contains(files, source) }, &b.holeFinder.versions)
		if !losing {
			return
		}
		why, said := b.options.says(found), false
		for _, source := range files {
			s := &b.sources[source]
			s.Losing = why
			if !said && s.Kinds[model.KindNodeLease] > 0 {
				said = true
				b.problem(source, 0, 0, why+"; so it proves no silence, and nothing is judged by it")
			}
		}
	}
	for _, files := range serversOf(b.holeFinder.logs) {
		mark(&b.holeFinder.audits, files)
	}
	var watches []int32
	for source := range b.sources {
		if b.sources[source].Format == "watch" {
			watches = append(watches, int32(source))
		}
	}
	mark(&b.holeFinder.watches, watches)
}

// silentToo are the watches that report nothing while a log has a hole: they may have one too.
func (b *builder) silentToo(g history.Gap) (gaps []history.Gap) {
	for source := range b.sources {
		if s := &b.sources[source]; s.Format != "watch" || !s.Coverage.Contains(g.Earliest) {
			continue
		}
		too := g
		too.Source, too.Possible = source, true
		gaps = append(gaps, b.holeFinder.silentIn(too)...)
	}
	return gaps
}

// silentIn are the parts of a gap in which its source, a watch, reported nothing, for lack of data or of events.
func (e *holeFinder) silentIn(g history.Gap) (parts []history.Gap) {
	const least = 5 * time.Second
	list, from := e.spoke[int32(g.Source)], g.Earliest
	for i, _ := slices.BinarySearch(list, g.Earliest+1); ; i++ {
		to := g.Latest
		if i < len(list) {
			to = min(to, list[i])
		}
		if to.Sub(from) >= min(least, g.Width()) {
			part := g
			part.Interval = model.Interval{Earliest: from, Latest: to}
			part.Possible = g.Possible || part.Interval != g.Interval
			parts = append(parts, part)
		}
		if from = to + 1; to >= g.Latest { // a report in between separates them
			return parts
		}
	}
}

func (b *builder) gapOf(s past.Silence, source int) history.Gap {
	why := b.options.says(s.Why)
	g := history.Gap{Interval: s.Interval, Source: source, Unlisted: true, Why: "lines are missing: " + why}
	if s.Verdict == past.Undecided {
		g.Possible = true
		g.Why = "all fell silent at once: lines may be missing, or no writer could write; " + why
	}
	return g
}

// logHoles are those of audit logs; each of several API servers has its own.
func (b *builder) logHoles() (gaps []history.Gap) {
	var beats []past.Beat
	for _, log := range b.holeFinder.logs {
		beats = append(beats, log.Servers()...)
	}
	slices.SortStableFunc(beats, func(x, y past.Beat) int { return cmp.Compare(x.At, y.At) })
	for _, beat := range beats {
		b.holeFinder.audits.Hear(beat)
	}
	for number, files := range serversOf(b.holeFinder.logs) {
		for _, source := range files {
			b.sources[source].Server = number + 1
		}
		mine := func(source int32) bool { return slices.Contains(files, source) }
		for _, s := range b.holeFinder.audits.Silences(b.holeFinder.quietOf(files), mine, &b.holeFinder.versions) {
			if s.Verdict != past.Outage {
				gaps = append(gaps, b.gapOf(s, int(files[0])))
			}
		}
	}
	return gaps
}

// meet is how far one piece of a rotated log may overlap the next: lines are written when requests end.
const meet = 2 * time.Second

// serversOf finds which logs are pieces of one: those in which the same API server renews its lease, and those that
// follow each other. Simultaneous logs are of several API servers.
func serversOf(logs map[int32]*audit.Reader) (servers [][]int32) {
	order := make([]int32, 0, len(logs))
	for source, log := range logs {
		if log.Coverage().Bounded() && log.Coverage().Known() {
			order = append(order, source)
		}
	}
	slices.SortFunc(order, func(a, c int32) int {
		return cmp.Or(cmp.Compare(logs[a].Coverage().Earliest, logs[c].Coverage().Earliest), cmp.Compare(a, c))
	})
	named := map[int32][]string{}
	for _, source := range order {
		for _, beat := range logs[source].Servers() {
			if !slices.Contains(named[source], beat.Who) {
				named[source] = append(named[source], beat.Who)
			}
		}
	}
	for _, source := range order {
		k := slices.IndexFunc(servers, func(files []int32) bool {
			one, apart := false, false
			for _, f := range files {
				if len(named[f]) > 0 && len(named[source]) > 0 {
					shared := slices.ContainsFunc(named[f], func(n string) bool { return slices.Contains(named[source], n) })
					one, apart = one || shared, apart || !shared
				}
				apart = apart || !one && logs[f].Coverage().Latest > logs[source].Coverage().Earliest.Add(meet)
			}
			return one || !apart
		})
		if k < 0 {
			servers = append(servers, []int32{source})
		} else {
			servers[k] = append(servers[k], source)
		}
	}
	return servers
}

// quietOf is when no piece of a log has a line.
func (e *holeFinder) quietOf(files []int32) (quiet []model.Interval) {
	for i, source := range files {
		log := e.logs[source]
		own := slices.Clone(log.Quiet())
		own = append(own, model.Interval{Earliest: model.FarPast, Latest: log.Coverage().Earliest}, model.Interval{Earliest: log.Coverage().Latest, Latest: model.FarFuture})
		slices.SortFunc(own, func(a, b model.Interval) int { return cmp.Compare(a.Earliest, b.Earliest) })
		if i == 0 {
			quiet = own
		} else {
			quiet = model.Common(quiet, own)
		}
	}
	return slices.DeleteFunc(quiet, func(v model.Interval) bool { return !v.Bounded() || v.Width() < past.QuietFrom })
}
