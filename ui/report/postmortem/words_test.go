package postmortem

import (
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/ui/report"
)

var noon = model.At(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC))

// Lengths are printed to what a person compares them by, and one that is not known is never 0.
func TestLengths(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0.0 s", 43 * time.Millisecond: "43 ms", -43 * time.Millisecond: "-43 ms", 50740 * time.Millisecond: "50.7 s", 354 * time.Second: "5m54s", 25 * time.Hour: "25h0m0s"} {
		if got := length(d); got != want {
			t.Errorf("%v: %q, not %q", d, got, want)
		}
	}
	if got := lengths(50*time.Second, 54200*time.Millisecond); got != "50.0 s to 54.2 s" {
		t.Error(got)
	}
	if got := lengths(50*time.Second, 50*time.Second+time.Millisecond); got != "50.0 s" {
		t.Error(got)
	}
	if got := span(report.Seconds{}) + counts(report.Seconds{}) + clock(0) + stamp(model.FarFuture); strings.ContainsAny(got, "0123456789") {
		t.Errorf("what is not known is printed as %q", got)
	}
}

// How well a time is known, in words.
func TestWithin(t *testing.T) {
	at := func(from, to model.Instant) *report.Window {
		return &report.Window{Earliest: report.Stamp(from), Latest: report.Stamp(to)}
	}
	for want, row := range map[string]*Row{
		"its clock":    {TimeFrom: "kubelet"},
		"exact":        {TimeFrom: "exact"},
		"13 ms":        {TimeFrom: "window", Window: at(noon, noon.Add(12100*time.Microsecond))}, // rounded up
		"5.0 s":        {TimeFrom: "window", Window: at(noon, noon.Add(5*time.Second))},
		"by then":      {TimeFrom: "window", Window: at(model.FarPast, noon)},
		"from then on": {TimeFrom: "window", Window: at(noon, model.FarFuture)},
		"not known":    {TimeFrom: "window", Window: at(model.FarPast, model.FarFuture)},
	} {
		if got := row.within(); got != want {
			t.Errorf("%+v: %q, not %q", row, got, want)
		}
	}
}

// Percentiles are lengths that came, rounded down: of two, half is the shorter.
func TestMeasure(t *testing.T) {
	m := measure("Detection", "", []time.Duration{54 * time.Second, 50 * time.Second}, 3)
	if m.Count != 2 || m.Open != 3 || m.MinSeconds != seconds(50*time.Second) || m.P50Seconds.Known || m.P95Seconds.Known || m.MaxSeconds != seconds(54*time.Second) {
		t.Errorf("%+v", m)
	}
	many := make([]time.Duration, 20)
	if m := measure("Detection", "", many[:19], 0); !m.P50Seconds.Known || m.P95Seconds.Known {
		t.Errorf("of 19: %+v", m)
	}
	if m := measure("Detection", "", many, 0); !m.P95Seconds.Known {
		t.Errorf("of 20: %+v", m)
	}
	if m := measure("Detection", "", nil, 0); m.MinSeconds.Known || m.MaxSeconds.Known {
		t.Errorf("of none: %+v", m)
	}
}

// Foreign text stands for itself: in Markdown, in a spreadsheet, and in a shell.
func TestForeignTextIsHarmless(t *testing.T) {
	for text, want := range map[string]string{
		"a_b*c|d":                  `a\_b\*c\|d`,
		"<img src=x>":              `\<img src=x\>`,
		"ask @team in #12":         "` ask @team in #12 `",
		"https://evil.example|`x`": "`` https://evil.example\\|`x` ``",
		"line\nbreak":              "line␊break",
	} {
		if got := escape(text); got != want || strings.Contains(got, "\n") {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"=1+1": "'=1+1", "-2": "'-2", "@x": "'@x", "＝1": "'＝1", "a=1": "a=1", "": "",
		"007": "'007", "1e5": "'1e5", "3-1": "'3-1", "10.0": "'10.0", "1234567890123456": "'1234567890123456", "2": "2", "b-003": "b-003", "0a": "0a", "10.0.0.1": "10.0.0.1"} {
		if got := cell(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"a.mcap": "a.mcap", "my log": "'my log'", "it's": `'it'\''s'`, "": "''", "$(rm)": "'$(rm)'"} {
		if got := shell(text); got != want {
			t.Errorf("%q becomes %q, not %q", text, got, want)
		}
	}
}

// A list of many names says how many more there are.
func TestNames(t *testing.T) {
	if got := names([]string{"a", "b", "c", "d"}, 2); got != "a, b and 2 more" {
		t.Error(got)
	}
	if got := names([]string{"a", "b", "c"}, 3) + "; " + names([]string{"a"}, 3) + "; " + names(nil, 3); got != "a, b and c; a; " {
		t.Error(got)
	}
	if got := counted(2, "entry") + " " + counted(1, "entry") + " " + counted(0, "pod"); got != "2 entries 1 entry 0 pods" {
		t.Error(got)
	}
}

// What is the same of several nodes within a second is one row, with the time within which all of it happened; a mark
// is never folded.
func TestFolding(t *testing.T) {
	row := func(node string, after time.Duration, kind string) event {
		return event{Row: Row{Time: report.Stamp(noon.Add(after)), Kind: kind, Subjects: []string{node}, What: "declared Unknown", TimeFrom: "exact", at: noon.Add(after)}}
	}
	r := &Report{zero: noon}
	list := r.folded([]event{row("a", 0, "decision"), row("b", 400*time.Millisecond, "decision"), row("c", 3*time.Second, "decision")})
	if len(list) != 2 || len(list[0].Subjects) != 2 || list[0].Window == nil || list[0].Window.Latest != report.Stamp(noon.Add(400*time.Millisecond)) || list[1].SinceSeconds != seconds(3*time.Second) {
		t.Errorf("%+v", list)
	}
	if got := list[0].when() + " " + list[1].when(); got != "12:00:00.000–00.400Z 12:00:03.000Z" {
		t.Error(got)
	}
	if list := r.folded([]event{row("a", 59700*time.Millisecond, "beat"), row("b", 60200*time.Millisecond, "beat")}); list[0].when() != "12:00:59.700–12:01:00.200Z" {
		t.Error(list[0].when())
	}
	if list := r.folded([]event{row("", 0, "mark"), row("", 0, "mark")}); len(list) != 2 {
		t.Errorf("two marks are %d rows", len(list))
	}
}
