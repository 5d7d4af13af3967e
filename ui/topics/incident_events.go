package topics

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/past"
	"kardia/ui/doc"
	"kardia/ui/words"
)

// IncidentRow is an event, of one subject or of several at once.
type IncidentRow struct {
	*incident.Event
	Subjects []string
	What     string
	// Window limits the time of all of it, Last is the time of the last of several.
	Window model.Interval
	Last   model.Instant
}

// Rows are the events, those as one that differ only in their subject and come within a second.
func (t *Incident) Rows() []IncidentRow {
	if t.rows != nil {
		return t.rows
	}
	t.rows = make([]IncidentRow, 0, len(t.Events))
	open := map[string]int{}
	for i := range t.Events {
		e := &t.Events[i]
		row := IncidentRow{Event: e, Subjects: []string{}, What: event(e).String(), Window: e.Window}
		switch {
		case e.OfRecord():
			row.Subjects = append(row.Subjects, words.Of("incident.subject.record").String())
		case e.OfServer():
			row.Subjects = append(row.Subjects, words.Of("incident.subject.api-server").String())
		case e.Subject != "" || e.Kind != incident.OfMark:
			row.Subjects = append(row.Subjects, e.Subject)
		}
		rule, basis := "", ""
		if d := e.Decision; d != nil {
			rule, basis = d.Rule.String(), d.Basis.String()
		}
		key := strings.Join([]string{string(e.Kind), row.actor(), e.By.String(), row.What, basis, rule, e.TimeFrom}, "\x00")
		if k, ok := open[key]; ok && e.Kind != incident.OfMark && e.Kind != incident.OfGap && e.At.Sub(t.rows[k].At) <= incident.Together && !slices.Contains(t.rows[k].Subjects, row.Subjects[0]) {
			t.rows[k].take(&row)
			continue
		}
		open[key] = len(t.rows)
		t.rows = append(t.rows, row)
	}
	for i := range t.rows {
		if row := &t.rows[i]; len(row.Subjects) > 1 && row.Code == incident.Decided && row.Decision.Kind == model.MarkPodsNotReady && row.Decision.Outcome == model.Did {
			row.What = words.Of("incident.event.on-each", "what", row.What).String() // it counts those of one
		}
	}
	return t.rows
}

func (row *IncidentRow) take(more *IncidentRow) {
	around := func(r *IncidentRow) model.Interval {
		if !r.Window.Known() || r.Window.Width() == 0 {
			return model.Exactly(r.At)
		}
		return r.Window
	}
	a, b := around(row), around(more)
	row.Subjects = append(row.Subjects, more.Subjects...)
	row.Window, row.Last = model.Interval{Earliest: min(a.Earliest, b.Earliest), Latest: max(a.Latest, b.Latest)}, more.At
}

func event(e *incident.Event) words.Say {
	w := &e.What
	switch w.Code {
	case incident.Differs:
		return differs(w)
	case incident.Decided, incident.DecidedDoubt, incident.DecidedUnseen:
		what := Decision(w.Decision)
		if w.Decision.Outcome == model.Cancelled && w.Decision.Kind != model.CancelEviction {
			what = words.Of("incident.event.cancelled", "what", what)
		}
		return words.Of("incident.decision."+string(w.Code), "what", what)
	case incident.Noted:
		return Anomaly(w.Anomaly)
	case incident.Marked:
		return words.Text(w.Message)
	case incident.Written:
		return words.Of("incident.event.written", "what", Write(w.Write), "why", Unexplained(w.Write))
	}
	before := words.Of("incident.event.nobody").If(w.Before == "").Or(words.Text(w.Before))
	off := words.Of("incident.event.clock-said", "at", clock(w.Beat.Says)).If(w.Beat.IsOff())
	return words.Of("incident.happened."+string(w.Code), "before", before, "after", w.After, "of", beat(&w.Beat), "off", off)
}

// differs is the difference between two versions of a Node.
func differs(w *incident.What) words.Say {
	d := &w.Difference
	switch d.Kind {
	case past.Cordoned, past.Uncordoned, past.TaintAdded, past.TaintRemoved:
		key := map[past.DifferenceKind]string{past.Cordoned: "cordoned", past.Uncordoned: "uncordoned", past.TaintAdded: "tainted", past.TaintRemoved: "untainted"}[d.Kind]
		return words.Of("incident.change."+key, "taint", d.Name)
	}
	absent := words.Of("incident.event.absent").String()
	says := words.Of("incident.event.condition", "name", d.Name, "before", cmp.Or(d.Before, absent), "after", cmp.Or(d.After, absent))
	switch {
	case d.Reason == "":
		return says
	case w.Message == "":
		return words.Of("incident.event.reason", "what", says, "reason", d.Reason)
	}
	const room = 160
	message := w.Message
	if r := []rune(message); len(r) > room {
		message = string(r[:room-1]) + "…"
	}
	return words.Of("incident.event.message", "what", says, "reason", d.Reason, "message", message)
}

// Actor is the author, as far as the input or the models show it; "" if they do not.
func (row *IncidentRow) Actor() string {
	switch {
	case row.Kind == incident.OfMark:
		return words.Of("incident.event.marker").String()
	case row.Writer != model.WriterUnknown:
		return row.Writer.String()
	case row.Decision != nil:
		return row.Controller.String()
	}
	return ""
}

// actor is Actor with a question mark if only the models show it.
func (row *IncidentRow) actor() string {
	if row.Decision != nil && !row.Told {
		return row.Actor() + "?"
	}
	return cmp.Or(row.Actor(), words.Of("incident.event.unknown").String())
}

func actorOf(a *incident.Author) words.Say {
	switch {
	case a.Writer == model.WriterPerson && a.By != nil:
		return words.Text(a.By.String())
	case a.Writer == model.WriterUnknown, a.Writer == model.WriterPerson:
		return words.Of("incident.actor." + map[bool]string{true: "person", false: "unknown"}[a.Writer == model.WriterPerson])
	}
	return words.Text(a.Writer.String())
}

func (row *IncidentRow) when() string {
	const toMinute = len("15:04:")
	from, to := clock(row.At), clock(max(row.At, row.Last))
	switch {
	case !row.At.Bounded() || from == to:
		return from
	case from[:toMinute] == to[:toMinute]:
		to = to[toMinute:]
	}
	return strings.TrimSuffix(from, "Z") + "–" + to
}

// within is the precision of a time.
func (row *IncidentRow) within() string {
	w, key := row.Window, ""
	switch {
	case row.TimeFrom == "kubelet" || row.TimeFrom == "zone-assumed":
		key = row.TimeFrom
	case !w.Known() || w.Earliest == w.Latest:
		key = "exact"
	case !w.Earliest.Bounded() && !w.Latest.Bounded():
		key = "unknown"
	case !w.Earliest.Bounded():
		key = "by-then"
	case !w.Latest.Bounded():
		key = "from-then"
	default:
		if d := w.Width(); d < time.Second {
			return strconv.FormatInt((d+time.Millisecond-1).Milliseconds(), 10) + " ms"
		}
		return took(w.Width())
	}
	return words.Of("incident.within." + key).String()
}

// knownAs is the evidence of a row.
func (row *IncidentRow) knownAs() string {
	key := "observed"
	switch {
	case row.Decision != nil:
		return row.Decision.Basis.String()
	case row.Kind == incident.OfMark || row.Kind == incident.OfGap:
		key = string(row.Kind)
	}
	return words.Of("incident.known-as." + key).String()
}

// OriginIs is what times count from.
func (t *Incident) OriginIs() words.Say {
	return words.Of("incident.origin."+string(t.Origin.Is), "node", t.Origin.Node)
}

func (t *Incident) timeline(d *doc.Doc) {
	t.chapter(d, "timeline")
	rows := t.Rows()
	if len(rows) == 0 {
		d.Say(doc.Plain, t.unless(words.Of("incident.text.no-events")))
		return
	}
	d.Say(doc.Plain, words.Of("incident.text.timeline", "at", second(t.Origin.At), "origin", t.OriginIs()))
	first, last := rows[0].At, rows[len(rows)-1].At
	days := first.Bounded() && last.Bounded() && first.Time().Format(time.DateOnly) != last.Time().Format(time.DateOnly)
	tab := heads("timeline")
	var who []model.Requester
	var by []model.Rule
	for i := range rows[:min(len(rows), most)] {
		row := &rows[i]
		when, rule := row.when(), ""
		if days && row.At.Bounded() {
			when = row.At.Time().Format("01-02 ") + when
		}
		if row.Decision != nil {
			if rule = RuleName(row.Decision.Rule); rule != "" && !slices.Contains(by, row.Decision.Rule) {
				by = append(by, row.Decision.Rule)
			}
		}
		tab.Add(when, row.within(), t.relative(row.At), named(row, &who), some(row.Subjects, mostNames), row.What, rule, row.knownAs())
	}
	d.Table(tab)
	d.Say(doc.Plain, words.Of("incident.text.more-rows", "n", len(rows)-most).If(len(rows) > most))
	rules := heads("rules")
	for _, rule := range by {
		rules.Add(RuleName(rule), Rule(rule).String())
	}
	d.Table(rules)
	senders := heads("senders")
	for i, r := range who[:min(len(who), most)] {
		senders.Add("["+strconv.Itoa(i+1)+"]", cmp.Or(r.User, "–"), cmp.Or(r.Agent, "–"), cmp.Or(r.Address, "–"))
	}
	d.Say(doc.Plain, words.Of("incident.text.senders").If(len(who) > 0))
	d.Table(senders)
}

// named is the actor of a row, with the number of the requester. A person is called by name.
func named(row *IncidentRow, all *[]model.Requester) string {
	if row.By == nil {
		return row.actor()
	}
	k := slices.Index(*all, *row.By)
	if k < 0 {
		k = len(*all)
		*all = append(*all, *row.By)
	}
	actor := row.actor()
	if row.Writer == model.WriterPerson && row.By.User != "" {
		actor = row.By.Who()
	}
	return actor + "\u00a0[" + strconv.Itoa(k+1) + "]" // the number stays with the name
}

// notes is people's bookmarks with their times.
func (t *Incident) notes(d *doc.Doc) {
	tab := heads("notes")
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == incident.OfMark {
			tab.Add(day(e.At), t.relative(e.At), cmp.Or(e.Message, words.Of("incident.text.no-note").String()))
		}
	}
	if len(tab.Rows) > 0 {
		t.chapter(d, "notes")
		d.Say(doc.Plain, words.Of("incident.text.notes"))
		d.Table(tab)
	}
}
