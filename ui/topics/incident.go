package topics

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/explain/verdict"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// Incident is a post-mortem: the findings about an incident, and its input.
type Incident struct {
	*incident.Incident
	// Name is what was opened. Version is the API server's, "" if unknown. Redaction is the level at which names were
	// replaced, "" if they were not.
	Name, Version, Redaction string
	// Counts are the nodes, zones and pods at the end of the input, nil if unknown.
	Counts  [3]*int
	Sources []Source
	Skipped int
	// Why is the text of the Chain. Commands print it.
	Why      string
	Commands []string

	rows []IncidentRow
}

// Source is a file that was read.
type Source struct {
	Path, Format string
	Changes      int
	From, To     model.Instant
	// Quality is the precision and source of its times; "" without any.
	Quality string
}

const (
	// most is the number of rows of a table for a person; JSON has all.
	most = 200
	// mostNames is the number of names in one cell of a table, enough for an outage of a dozen nodes.
	mostNames = 12
)

// Title is the document's own.
func (t *Incident) Title() string { return words.Of("incident.title", "name", t.Name).String() }

// Doc is all of it: first the answer, which fits a screen, then what it rests on.
func (t *Incident) Doc() (d doc.Doc) {
	for _, chapter := range []func(*doc.Doc){t.answer, t.happened, t.impact, t.silences, t.shared, t.timeline, t.notes, t.zones, t.because, t.margin, t.whatIf,
		t.standing, t.times, t.flags, t.unknown, t.people, t.appendix} {
		chapter(&d)
	}
	return d
}

func (t *Incident) chapter(d *doc.Doc, code string) { d.Head(words.Of("incident.chapter." + code)) }

func heads(code string) *doc.Grid {
	return &doc.Grid{Head: strings.Split(words.Of("incident.head."+code).String(), " | ")}
}

// table adds a table of that code, a row for each of the first things of a list.
func table[T any](d *doc.Doc, code string, list []T, row func(*T) []string) {
	tab := heads(code)
	for i := range list[:min(len(list), most)] {
		tab.Add(row(&list[i])...)
	}
	d.Table(tab)
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// answer is the first screenful. It has contradictions between logs and models, the incident in one sentence, the
// picture, five numbers, the end, the acts of persons, and the fault.
func (t *Incident) answer(d *doc.Doc) {
	t.chapter(d, "answer")
	d.Say(doc.Plain, t.disagrees())
	d.Say(doc.Plain, t.Headline())
	d.Picture(t.Picture())
	t.numbers(d)
	d.Say(doc.Plain, t.over())
	t.persons(d)
	for i := range t.Verdicts {
		t.verdict(d, &t.Verdicts[i])
	}
}

// Headline is what happened, in one sentence.
func (t *Incident) Headline() words.Say {
	is := t.Fell()
	n := len(is.Nodes)
	deleted, _ := t.Incident.Deleted()
	pods := words.Of("incident.headline.pods-not-known").If(!t.deletedKnown()).Or(words.Of("incident.headline.pods", "n", deleted))
	switch {
	case n == 0 && deleted > 0 && !t.Undecided.Is():
		return words.Of("incident.headline.none", "from", day(t.From), "to", day(t.To), "pods", pods)
	case n == 0:
		return t.fell()
	}
	var until words.Say
	since := words.Of("incident.headline.since", "at", day(is.First)).If(is.First.Bounded())
	if e := t.Ended(); e.Silent == 0 && e.Back.Bounded() && is.First.Bounded() {
		until = words.Of("incident.headline.until", "at", second(e.Back), "for", took(e.Back.Sub(is.First)))
	}
	where := words.Of("incident.headline.zones", "k", len(is.Zones))
	for zone := range is.Zones {
		if len(is.Zones) == 1 {
			where = words.Of("incident.headline.zone", "zone", zoneName(zoneOr(zone, "")))
		}
	}
	return words.Of("incident.headline.says."+fallen(&is), "who", t.who(&is), "was", words.Of("incident.headline.was", "n", n), "where", where, "since", since, "until", until, "pods", pods)
}

func (t *Incident) numbers(d *doc.Doc) {
	fact := func(code string, is words.Say) { d.Fact(words.Of("incident.number."+code), doc.Plain, is) }
	nodes, ended, unknown := len(t.Lost()), t.Ended(), clock(0)
	deleted, _ := t.Incident.Deleted()
	below, counted := t.Below()
	begin, end, lost, gone := day(t.Origin.At), words.Text(unknown), strconv.Itoa(nodes), unknown
	switch {
	case nodes == 0 && t.Undecided.Is():
		begin, lost = unknown, unknown
	case nodes == 0:
		end = words.Text("–")
		if deleted == 0 {
			begin = "–"
		}
	case ended.Silent > 0:
		end = words.Of("incident.number-open", "at", second(t.To))
	case ended.Back.Bounded():
		end = words.Text(day(ended.Back))
	}
	if t.deletedKnown() {
		gone = strconv.Itoa(deleted)
	}
	fact("begin", words.Text(begin))
	fact("end", end)
	fact("nodes", words.Text(lost))
	fact("pods", words.Text(gone))
	fact("workloads", words.Of("incident.text.of", "k", below, "of", counted).If(counted > 0).Or(words.Text(unknown)))
}

// deletedKnown reports whether the number of deleted pods is known: a zero must have been observed.
func (t *Incident) deletedKnown() bool {
	deleted, _ := t.Incident.Deleted()
	return deleted > 0 || t.ShowsPods && !t.Undecided.Is()
}

// over is whether the incident is over at the end of the report.
func (t *Incident) over() words.Say {
	s := t.Standing
	if s == nil {
		return words.Of("incident.text.end-not-known")
	}
	var open []words.Say
	for _, part := range []struct {
		n    int
		code string
	}{{len(s.Nodes), "nodes"}, {len(s.Coming), "coming"}, {len(s.Stuck), "stuck"}, {len(s.Marked), "marked"}} {
		if part.n > 0 {
			open = append(open, words.Of("incident.open."+part.code, "n", part.n))
		}
	}
	at := day(t.To)
	switch says := words.Join(", ", open...); {
	case len(open) > 0:
		return words.Of("incident.over.no", "at", at, "open", says)
	case len(s.Caveats) > 0:
		return words.Of("incident.over.not-known", "at", at, "why", caveats(s.Caveats))
	case s.Unlisted || !t.ShowsPods:
		return words.Of("incident.over.as-shown", "at", at)
	}
	return words.Of("incident.over.yes", "at", at)
}

// persons is the acts of persons, and the removals of nodes.
func (t *Incident) persons(d *doc.Doc) {
	const most = 5
	list := t.byHand()
	for i := range t.Removed {
		list = append(list, Removal(&t.Removed[i]))
	}
	if len(list) == 0 {
		d.Say(doc.Plain, words.Of("incident.persons.none").If(t.Requests).Or(words.Of("incident.persons.not-recorded")))
		return
	}
	d.Say(doc.Plain, words.Of("incident.persons.did"))
	if more := len(list) - most; more > 0 {
		list = append(list[:most], words.Of("incident.persons-more", "k", more))
	}
	d.List(list...)
}

// verdict is the first verdict at a time, with its evidence for and against.
func (t *Incident) verdict(d *doc.Doc, at *incident.Judged) {
	if len(at.Verdicts) == 0 {
		return
	}
	v := &at.Verdicts[0]
	also := words.Say{}
	if v.Rule == verdict.ControlPlane { // nodes may have been lost for another reason too
		for i := range at.Verdicts[1:] {
			also = words.Chain(also, words.Of("incident.verdict.also", "says", judged(&at.Verdicts[1+i])))
		}
	}
	d.Say(doc.Plain, words.Of("incident.verdict.at", "at", second(at.At), "says", judged(v), "also", also))
	var list []words.Say
	for _, part := range []struct {
		code string
		list []words.Say
	}{{"for", Facts(v.For)}, {"against", Facts(v.Against)}, {"not-asked", NotAsked(v)}} {
		for _, says := range part.list {
			list = append(list, words.Of("incident.evidence."+part.code, "says", says))
		}
	}
	d.List(list...)
}

func judged(v *verdict.Verdict) words.Say {
	var or []string
	for _, r := range v.Or {
		or = append(or, r.String())
	}
	return words.Of("incident.verdict.says", "says", Verdict(v), "by", By(v.Rule.Number(), v.Rule.String(), or))
}

// happened is the incident in more sentences, and the input of the report.
func (t *Incident) happened(d *doc.Doc) {
	t.chapter(d, "happened")
	d.Say(doc.Plain, words.Text(strings.Join(t.Summary(), " ")))
	tab := heads("report")
	add := func(code string, is words.Say) {
		if !is.Missing() {
			tab.Add(words.Of("incident.report."+code).String(), is.String())
		}
	}
	add("input", words.Text(t.Name))
	add("covers", words.Of("incident.range", "least", day(t.From), "most", day(t.To)))
	add("node", words.Text(t.Node).If(t.Node != ""))
	add("zone", words.Text(t.Zone).If(t.Zone != ""))
	version := words.Of("incident.report.no-version").If(t.Version == "").Or(words.Text(t.Version))
	add("kubernetes", version)
	add("end", words.Of("incident.counts", "nodes", number(t.Counts[0]), "zones", number(t.Counts[1]), "pods", number(t.Counts[2])))
	add("checked", t.explained())
	if t.Redaction != "" {
		add("redaction", words.Of("incident.redacted.slim", "level", t.Redaction).If(t.Redaction == "slim").Or(words.Of("incident.redacted.names", "level", t.Redaction)))
	}
	d.Table(tab)
}

// The forms of values in a post-mortem: times have milliseconds or their day. An unknown value is never 0.

// clock is a time without its day: 23:44:08.001Z.
func clock(at model.Instant) string { return clockAs(at, "15:04:05.000Z") }

// second is clock to a second, and day has the day too.
func second(at model.Instant) string { return clockAs(at, "15:04:05Z") }
func day(at model.Instant) string    { return clockAs(at, "2006-01-02 15:04:05Z") }

func clockAs(at model.Instant, form string) string {
	if !at.Bounded() {
		return words.Of("incident.not-known").String()
	}
	return at.Time().Format(form)
}

// took is a length of time: 43 ms, 50.7 s, 5m54s.
func took(d time.Duration) string {
	switch {
	case d.Abs() < time.Second && d != 0:
		return strconv.FormatInt(d.Round(time.Millisecond).Milliseconds(), 10) + " ms"
	case d.Abs() < time.Minute:
		return strconv.FormatFloat(d.Round(100*time.Millisecond).Seconds(), 'f', 1, 64) + " s"
	}
	return d.Round(time.Second).String()
}

func tookBetween(least, most time.Duration) string {
	if a, b := took(least), took(most); a != b {
		return words.Of("incident.range", "least", a, "most", b).String()
	}
	return took(least)
}

// lasted is a length that may be unknown, minutes the same in pod-minutes.
func lasted(d model.Maybe[time.Duration]) string { return ifKnown(d, took) }
func minutes(d model.Maybe[time.Duration]) string {
	return ifKnown(d, func(d time.Duration) string { return strconv.FormatFloat(d.Minutes(), 'f', 1, 64) })
}

// counts is the controller's count to a hundredth of a second, because it is compared with a whole number.
func counts(d model.Maybe[time.Duration]) string {
	return ifKnown(d, func(d time.Duration) string {
		return strconv.FormatFloat(d.Round(10*time.Millisecond).Seconds(), 'f', 2, 64) + " s"
	})
}

func ifKnown(d model.Maybe[time.Duration], show func(time.Duration) string) string {
	if !d.Known {
		return words.Of("incident.not-known").String()
	}
	return show(d.Value)
}

// relative is the time since the incident began: +53.7s, −12s.
func (t *Incident) relative(at model.Instant) string {
	if !at.Bounded() || !t.Origin.At.Bounded() {
		return ""
	}
	d := at.Sub(t.Origin.At)
	if d < 0 {
		return "−" + model.Length(-d)
	}
	return "+" + model.Length(d)
}

func number(n *int) string {
	if n == nil {
		return words.Of("incident.not-known").String()
	}
	return strconv.Itoa(*n)
}

// some are the first of some names.
func some(list []string, most int) string { return listed(list, most).String() }

// span is a time, or two.
func span(from, to model.Instant) words.Say {
	return words.Of("incident.at", "at", second(from)).If(second(from) == second(to)).Or(words.Of("incident.between", "from", second(from), "to", second(to)))
}
