package topics

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/incident"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// Lengths are printed to what a person compares them by, and one that is not known is never 0.
func TestLengths(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0.0 s", 43 * time.Millisecond: "43 ms", -43 * time.Millisecond: "-43 ms", 50740 * time.Millisecond: "50.7 s", 354 * time.Second: "5m54s", 25 * time.Hour: "25h0m0s"} {
		if got := took(d); got != want {
			t.Errorf("%v: %q, not %q", d, got, want)
		}
	}
	if got := tookBetween(50*time.Second, 54200*time.Millisecond) + "; " + tookBetween(50*time.Second, 50*time.Second+time.Millisecond); got != "50.0 s to 54.2 s; 50.0 s" {
		t.Error(got)
	}
	unknown := model.Maybe[time.Duration]{}
	if got := lasted(unknown) + counts(unknown) + minutes(unknown) + clock(0) + day(model.FarFuture); strings.ContainsAny(got, "0123456789") {
		t.Errorf("what is not known is printed as %q", got)
	}
	if got := some([]string{"a", "b", "c", "d"}, 2) + "; " + some([]string{"a", "b", "c"}, 3) + "; " + some(nil, 3); got != "a, b and 2 more; a, b and c; " {
		t.Error(got)
	}
}

// How well a time is known, in words.
func TestWithin(t *testing.T) {
	between := func(from, to model.Instant) model.Interval { return model.Interval{Earliest: from, Latest: to} }
	for want, row := range map[string]incident.Event{
		"its clock":    {TimeFrom: "kubelet"},
		"exact":        {TimeFrom: "exact"},
		"13 ms":        {TimeFrom: "window", Window: between(noon, noon.Add(12100*time.Microsecond))}, // rounded up
		"5.0 s":        {TimeFrom: "window", Window: between(noon, noon.Add(5*time.Second))},
		"by then":      {TimeFrom: "window", Window: between(model.FarPast, noon)},
		"from then on": {TimeFrom: "window", Window: between(noon, model.FarFuture)},
		"not known":    {TimeFrom: "window", Window: between(model.FarPast, model.FarFuture)},
	} {
		if got := (&IncidentRow{Event: &row, Window: row.Window}).within(); got != want {
			t.Errorf("%+v: %q, not %q", row, got, want)
		}
	}
}

// What is the same of several nodes within a second is one row, with the time within which all of it happened; a mark
// is never folded.
func TestFolding(t *testing.T) {
	row := func(node string, after time.Duration, kind incident.EventKind) incident.Event {
		return incident.Event{At: noon.Add(after), Kind: kind, Subject: node, What: incident.What{Code: incident.NodeDeleted}, TimeFrom: "exact"}
	}
	rows := func(list ...incident.Event) []IncidentRow {
		return (&Incident{Incident: &incident.Incident{Events: list}}).Rows()
	}
	list := rows(row("a", 0, incident.OfNode), row("b", 400*time.Millisecond, incident.OfNode), row("c", 3*time.Second, incident.OfNode))
	if len(list) != 2 || len(list[0].Subjects) != 2 || list[0].Window.Latest != noon.Add(400*time.Millisecond) {
		t.Errorf("%+v", list)
	}
	if got := list[0].when() + " " + list[1].when(); got != "12:00:00.000–00.400Z 12:00:03.000Z" {
		t.Error(got)
	}
	if list := rows(row("a", 59700*time.Millisecond, incident.OfNode), row("b", 60200*time.Millisecond, incident.OfNode)); list[0].when() != "12:00:59.700–12:01:00.200Z" {
		t.Error(list[0].when())
	}
	if list := rows(row("", 0, incident.OfMark), row("", 0, incident.OfMark)); len(list) != 2 {
		t.Errorf("two marks are %d rows", len(list))
	}
}

// A person's act is told though the input does not show who sent the request.
func TestActsOfNobodyKnown(t *testing.T) {
	e := incident.Event{At: noon, Kind: incident.OfNode, Subject: "a", Author: incident.Author{Writer: model.WriterPerson}, What: incident.What{Code: incident.NodeDeleted}}
	x := &Incident{Incident: &incident.Incident{Events: []incident.Event{e}}}
	if got := x.acts(3).String(); got != "By hand: a: Node object deleted at 12:00:00Z, by a person." {
		t.Error(got)
	}
}
