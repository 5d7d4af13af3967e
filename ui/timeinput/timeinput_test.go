package timeinput

import (
	"strings"
	"testing"
	"time"

	_ "kardia/internal/rapidseed"
	"kardia/model"

	"pgregory.net/rapid"
)

func instant(t testing.TB, text string) model.Instant {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return model.At(at)
}

// The coverage runs over midnight UTC, as night shifts do.
func TestParse(t *testing.T) {
	coverage := model.Interval{Earliest: instant(t, "2026-08-21T23:50:00Z"), Latest: instant(t, "2026-08-22T00:30:00Z")}
	at := instant(t, "2026-08-22T00:10:00Z")
	berlin := time.FixedZone("CEST", 2*3600)
	for _, c := range []struct {
		text, want string
		loc        *time.Location
	}{
		{"2026-08-22T00:05:00Z", "2026-08-22T00:05:00Z", nil},
		{"2026-08-22T02:05:00.25+02:00", "2026-08-22T00:05:00.25Z", nil},
		{"2026-08-22t00:05:00z", "2026-08-22T00:05:00Z", nil},
		{"2026-08-22 02:05", "2026-08-22T00:05:00Z", berlin},
		{"2026-08-22T02:05:07", "2026-08-22T00:05:07Z", berlin},
		{"00:05", "2026-08-22T00:05:00Z", nil},
		{"23:55:30", "2026-08-21T23:55:30Z", nil},
		{"23:55:30.5", "2026-08-21T23:55:30.5Z", nil},
		{"01:55", "2026-08-21T23:55:00Z", berlin},
		{"23:55Z", "2026-08-21T23:55:00Z", berlin},
		{"12:05", "2026-08-22T12:05:00Z", nil}, // not covered: the nearest to what is looked at
		{"13:00", "2026-08-21T13:00:00Z", nil},
		{"+90s", "2026-08-21T23:51:30Z", nil},
		{"+90", "2026-08-21T23:51:30Z", nil},
		{"+1m30s", "2026-08-21T23:51:30Z", nil},
		{"+22:10", "2026-08-22T00:12:10Z", nil},
		{"+0:01:00.5", "2026-08-21T23:51:00.5Z", nil},
		{"-30s", "2026-08-22T00:29:30Z", nil},
		{"-0s", "2026-08-22T00:30:00Z", nil},
		{" now ", "2026-08-22T00:10:00Z", nil},
	} {
		got, err := Parse(c.text, coverage, at, c.loc)
		if err != nil || got != instant(t, c.want) {
			t.Errorf("Parse(%q) = %v, %v; want %s", c.text, got, err, c.want)
		}
	}
}

func TestParseSaysWhatItExpected(t *testing.T) {
	coverage := model.Interval{Earliest: instant(t, "2026-08-21T23:50:00Z"), Latest: instant(t, "2026-08-22T00:30:00Z")}
	for text, want := range map[string]string{
		"":                     "no time given",
		"yesterday":            "not a time; expected RFC 3339",
		"25:00":                "not a time",
		"+":                    "not a distance",
		"+x":                   "not a distance",
		"+-3s":                 "not a distance",
		"+1:75":                "not a distance",
		"+1:2:3:4":             "not a distance",
		"+NaN":                 "not a distance",
		"9999-01-01T00:00:00Z": "out of range",
	} {
		got, err := Parse(text, coverage, 0, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, %v; want an error with %q", text, got, err, want)
		}
	}
	for _, text := range []string{"now", "+90s", "-1s", "14:05"} {
		if got, err := Parse(text, model.Interval{}, 0, nil); err == nil {
			t.Errorf("Parse(%q) without coverage = %v, want an error", text, got)
		}
	}
}

// Whatever is typed: an instant that can be shown, or an error; never both, never a panic.
func TestParseAnything(t *testing.T) {
	coverage := model.Interval{Earliest: instant(t, "2026-08-21T23:50:00Z"), Latest: instant(t, "2026-08-22T00:30:00Z")}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[-+0-9:.TZnowhms ]{0,24}|.*`).Draw(t, "text")
		got, err := Parse(text, coverage, coverage.Earliest, time.UTC)
		if (err == nil) != got.Bounded() && got != model.FarFuture && got != model.FarPast {
			t.Fatalf("Parse(%q) = %v, %v", text, got, err)
		}
	})
}
