package paint

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	_ "kardia/internal/rapidseed"
	"kardia/model"
	"kardia/themes"
)

var sgr = regexp.MustCompile(`\x1b\[[0-9;]*m`)

func TestClean(t *testing.T) {
	for _, c := range []struct{ what, in, want string }{
		{"plain", "node-1", "node-1"},
		{"empty", "", ""},
		{"escape sequence", "\x1b[31mred\x1b[2J", "␛[31mred␛[2J"},
		{"hyperlink", "\x1b]8;;x\x07", "␛]8;;x␇"},
		{"NUL of a zone key", "eu:\x00:1a", "eu:␀:1a"},
		{"line break and tab", "a\nb\tc\rd", "a␊b␉c␍d"},
		{"delete", "a\x7fb", "a␡b"},
		{"C1 as a rune", "a\u009b31m", "a\ufffd31m"},
		{"C1 as a byte", "a\x9b31m", "a\ufffd31m"},
		{"invalid UTF-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"right to left override", "a\u202eb", "a\ufffdb"},
		{"isolate", "a\u2066b\u2069", "a\ufffdb\ufffd"},
		{"zero width", "a\u200bb\ufeffc\u00add", "a\ufffdb\ufffdc\ufffdd"},
		{"joiner", "👩\u200d👧", "👩\ufffd👧"},
		{"variation selector", "✓\ufe0f", "✓\ufffd"},
		{"flag", "🇩🇪", "\ufffd\ufffd"},
		{"accent", "e\u0301", "e\u0301"},
		{"flood of accents", "e\u0301\u0301\u0301\u0301x", "e\u0301\u0301\ufffd\ufffdx"},
		{"accent without letter", "\u0301a", "\ufffda"},
		{"wide", "日本", "日本"},
		{"odd spaces", "a\u00a0b\u3000c\u2003d", "a b c d"},
		{"line separator", "a\u2028b", "a\ufffdb"},
		{"private use", "a\ue000b", "a\ufffdb"},
		{"tag characters", "a\U000e0041b", "a\ufffdb"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", c.what, c.in, got, c.want)
		}
	}
}

func TestCleanCutsFloods(t *testing.T) {
	for _, s := range []string{strings.Repeat("a", 1<<20), strings.Repeat("日", 1<<18), strings.Repeat("\x00", 5000)} {
		got := Clean(s)
		if len(got) > maxClean || !strings.HasSuffix(got, "…") || !utf8.ValidString(got) {
			t.Errorf("%.4q…: %d bytes, ends in %q", s, len(got), got[len(got)-4:])
		}
	}
}

func checkClean(t interface {
	Helper()
	Fatalf(string, ...any)
}, in string) {
	t.Helper()
	got := Clean(in)
	if !utf8.ValidString(got) || len(got) > maxClean {
		t.Fatalf("Clean(%q) = %q: invalid or too long", in, got)
	}
	for _, r := range got {
		if !unicode.IsPrint(r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Variation_Selector, r) ||
			unicode.Is(unicode.Join_Control, r) || unicode.Is(unicode.Regional_Indicator, r) {
			t.Fatalf("Clean(%q) lets %U through", in, r)
		}
	}
	if again := Clean(got); again != got {
		t.Fatalf("Clean is not stable: %q, then %q", got, again)
	}
	if in != "" && got == "" {
		t.Fatalf("Clean(%q) makes text vanish", in)
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "node-1", "\x1b[31m", "a\x00b", "\u202e", "\xff", "e\u0301\u0301\u0301", "🇩🇪", "日本語"} {
		f.Add(s)
	}
	p := New(themes.Dark(), themes.Unicode(), nil)
	f.Fuzz(func(t *testing.T, s string) {
		checkClean(t, s)
		clean := p.Text(s)
		for _, w := range []int{0, 1, 2, 5, 20} {
			if got := ansi.StringWidth(Pad(p.Truncate(clean, w), w)); got != w {
				t.Fatalf("Fit(%q, %d) is %d wide", clean, w, got)
			}
		}
	})
}

// The quick way to measure agrees with the thorough one.
func TestWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Clean(rapid.String().Draw(t, "s"))
		if got, want := Width(s), ansi.StringWidth(s); got != want {
			t.Fatalf("Width(%q) = %d, want %d", s, got, want)
		}
	})
}

// A line never exceeds its limit, knows its width, and holds nothing but our own colours and the text put into it.
func TestAnyLine(t *testing.T) {
	painters := []*Painter{New(themes.Dark(), themes.Unicode(), nil), New(themes.NoColour(), themes.ASCII(), nil)}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(painters).Draw(t, "painter")
		limit := rapid.IntRange(-1, 60).Draw(t, "limit")
		l := p.Line(limit)
		if rapid.Bool().Draw(t, "picked") {
			l.Pick()
		}
		for range rapid.IntRange(0, 8).Draw(t, "parts") {
			token := themes.Token(rapid.IntRange(0, int(themes.TokenCount)-1).Draw(t, "token"))
			text, n := p.Text(rapid.String().Draw(t, "text")), rapid.IntRange(-2, 30).Draw(t, "n")
			switch rapid.IntRange(0, 6).Draw(t, "part") {
			case 0:
				l.Put(token, text)
			case 1:
				l.Left(token, text, n)
			case 2:
				l.Right(token, text, n)
			case 3:
				l.Glyph(token, p.Glyphs.Full)
			case 4:
				l.Repeat(token, p.Glyphs.Gap, n)
			case 5:
				l.Skip(n)
			case 6:
				l.Append(p.Line(n).Put(token, text).Row())
			}
		}
		row := l.Row()
		if got := ansi.StringWidth(row.Text); got != row.Width || got > max(limit, 0) {
			t.Fatalf("%q is %d wide, says %d, limit %d", row.Text, got, row.Width, limit)
		}
		if plain := sgr.ReplaceAllString(row.Text, ""); strings.ContainsFunc(plain, unicode.IsControl) {
			t.Fatalf("control character in %q", row.Text)
		}
		if n := strings.LastIndex(row.Text, "\x1b["); n >= 0 && !strings.HasPrefix(row.Text[n:], reset) {
			t.Fatalf("%q does not end its style", row.Text)
		}
	})
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		d    time.Duration
		want string
	}{
		{0, "0s"}, {-400 * time.Millisecond, "0s"}, {999 * time.Millisecond, "0s"}, {41 * time.Second, "41s"},
		{221 * time.Second, "3m41s"}, {time.Minute, "1m00s"}, {59*time.Minute + 59*time.Second, "59m59s"},
		{2*time.Hour + 5*time.Minute, "2h05m"}, {98 * time.Hour, "4d2h"}, {12 * day, "12d0h"}, {120 * day, "120d"},
		{-5 * time.Second, "-5s"}, {1<<63 - 1, "106751d"}, {-1 << 63, "-106751d"},
	} {
		if got := Duration(c.d); got != c.want {
			t.Errorf("%d ns: %q, want %q", c.d, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		d := time.Duration(rapid.Int64Range(0, int64(9999*day)).Draw(t, "d"))
		if s := Duration(d); len(s) > DurationWidth {
			t.Fatalf("%v is printed as %q: wider than %d", d, s, DurationWidth)
		}
	})
}

func TestOffset(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "+0.0s", 240 * time.Millisecond: "+0.2s", -1440 * time.Millisecond: "-1.4s", -20 * time.Millisecond: "+0.0s",
		59960 * time.Millisecond: "+60.0s", 2 * time.Minute: "+2m00s", -time.Hour: "-1h00m",
	} {
		if got := Offset(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestInstants(t *testing.T) {
	i := model.At(time.Date(2026, 8, 14, 14, 3, 27, 60e6, time.UTC))
	utc, berlin := New(themes.Dark(), themes.Unicode(), nil), New(themes.Dark(), themes.Unicode(), time.FixedZone("x", 2*3600))
	india := New(themes.Dark(), themes.Unicode(), time.FixedZone("x", 5*3600+1800))
	for _, c := range []struct{ got, want string }{
		{utc.Clock(i), "14:03:27Z"}, {berlin.Clock(i), "16:03:27+02"}, {india.Clock(i), "19:33:27+05:30"},
		{utc.ClockTenths(i), "14:03:27.0Z"}, {utc.Minute(i), "14:03"}, {utc.DateTime(i), "2026-08-14 14:03:27Z"},
		{utc.Clock(0), "?"}, {utc.Clock(model.FarFuture), "?"}, {utc.Minute(model.FarPast), "?"},
		{Age(model.Maybe[time.Duration]{}), "?"}, {Age(model.Some(time.Second)), "1s"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestMiddleKeepsBothEnds(t *testing.T) {
	p := New(themes.Dark(), themes.Unicode(), nil)
	if got := p.Middle("gke-prod-default-pool-3f2a-x7f2", 13); got != "gke-pr…a-x7f2" {
		t.Errorf("got %q", got)
	}
	if got := p.Middle("short", 13); got != "short" {
		t.Errorf("got %q", got)
	}
}

func TestPickedRowIsFilled(t *testing.T) {
	p := New(themes.Dark(), themes.Unicode(), nil)
	if r := p.Line(20).Pick().Put(themes.Faint, "quiet").Row(); r.Width != 20 || strings.Count(r.Text, "\x1b[m") != 1 {
		t.Errorf("width %d: %q", r.Width, r.Text)
	}
	if r := p.Line(20).Put(themes.Text, "a").Skip(9).Row(); r.Width != 1 {
		t.Errorf("spaces are left at the end: %q", r.Text)
	}
}

func BenchmarkLine(b *testing.B) {
	p := New(themes.Dark(), themes.Unicode(), nil)
	b.ReportAllocs()
	for b.Loop() {
		p.Line(120).Put(themes.Text, "ip-10-2-41-17").To(20).Left(themes.Dim, "1b", 6).Repeat(themes.Age4, "█", 10).Right(themes.Age4, "3m41s", 8).Row()
	}
}

func TestAhead(t *testing.T) {
	at := model.Instant(1e18)
	p := New(themes.Dark(), themes.Unicode(), nil)
	in := func(from, to time.Duration) model.Interval {
		return model.Interval{Earliest: at.Add(from), Latest: at.Add(to)}
	}
	for want, w := range map[string]model.Interval{
		"?":         {},
		"never":     {Earliest: model.FarFuture, Latest: model.FarFuture},
		"2:09":      in(129*time.Second-50*time.Millisecond, 129*time.Second+90*time.Millisecond),
		"2:08–2:10": in(129*time.Second-400*time.Millisecond, 129*time.Second+400*time.Millisecond),
		"0:00–0:06": in(-time.Second, 6*time.Second),
		"0:00":      in(-time.Minute, -time.Second),
		"≥0:10":     {Earliest: at.Add(10 * time.Second), Latest: model.FarFuture},
		"1:02:09":   in(3729*time.Second, 3729*time.Second),
		"59:59":     in(3599*time.Second, 3599*time.Second),
		"4d4h":      in(100*time.Hour, 100*time.Hour),
		"4d4h–4d6h": in(100*time.Hour+time.Minute, 101*time.Hour+time.Minute),
		"0:49–0:51": in(49400*time.Millisecond, 50100*time.Millisecond),
		"0:50–0:51": in(50400*time.Millisecond, 50590*time.Millisecond),
		"0:50":      in(49900*time.Millisecond, 50090*time.Millisecond),
	} {
		if got := p.Ahead(at, w); got != want {
			t.Errorf("%v: %q, want %q", w, got, want)
		}
	}
	ascii := New(themes.Dark(), themes.ASCII(), nil)
	if got := ascii.Ahead(at, in(time.Second, 2*time.Second)); got != "0:01-0:02" {
		t.Errorf("ASCII: %q", got)
	}
}

// A window is never printed narrower than it is, whatever the unit it is printed in.
func TestWindowsRoundOutwards(t *testing.T) {
	at := model.Instant(1e18)
	p := New(themes.Dark(), themes.Unicode(), nil)
	rapid.Check(t, func(t *rapid.T) {
		from := time.Duration(rapid.Int64Range(0, int64(150*day)).Draw(t, "from")) >> rapid.IntRange(0, 24).Draw(t, "smaller")
		width := AboutOne + time.Duration(rapid.Int64Range(0, int64(150*day)).Draw(t, "width"))>>rapid.IntRange(0, 24).Draw(t, "narrower")
		text := p.Ahead(at, model.Interval{Earliest: at.Add(from), Latest: at.Add(from + width)})
		early, late, two := strings.Cut(text, "–")
		if !two {
			late = early
		}
		if a, b := parsed(t, early), parsed(t, late); a > from || b < from+width {
			t.Fatalf("%v to %v is printed as %s", from, from+width, text)
		}
		if got := parsed(t, AtMost(from)); got < from {
			t.Fatalf("at most %v is printed as %s", from, AtMost(from))
		}
	})
}

// parsed reads 1:02:09, 2:09 and 4d2h back.
func parsed(t *rapid.T, text string) (d time.Duration) {
	if !strings.Contains(text, ":") {
		days, rest, ok := strings.Cut(text, "d")
		if !ok {
			days, rest = "0", text
		}
		n, err := strconv.Atoi(days)
		if rest != "" && err == nil {
			d, err = time.ParseDuration(rest)
		}
		if err != nil {
			t.Fatal(err)
		}
		return d + time.Duration(n)*day
	}
	for _, part := range strings.Split(text, ":") {
		n, err := strconv.Atoi(part)
		if err != nil {
			t.Fatal(err)
		}
		d = d*60 + time.Duration(n)*time.Second
	}
	return d
}

// An age of a capture may be more, one from before a hole less, and one of both may be either.
func TestAgeOfSaysWhatBoundsIt(t *testing.T) {
	p := New(themes.Dark(), themes.Unicode(), nil)
	for want, a := range map[string]model.Ages{
		"9s": {}, "≥9s": {AtLeast: true}, "≤9s": {AtMost: true}, "~9s": {AtLeast: true, AtMost: true},
	} {
		a.Age = model.Some(9 * time.Second)
		if got := p.AgeOf(a, 6); got != want {
			t.Errorf("%+v is printed as %s, want %s", a, got, want)
		}
	}
}

// The ends of a window are rounded outwards, and what is not known is not a time.
func TestWindow(t *testing.T) {
	p := New(themes.Dark(), themes.Unicode(), time.UTC)
	at := func(clock string) model.Instant {
		c, err := time.Parse("2006-01-02 15:04:05.999", "2026-08-14 "+clock)
		if err != nil {
			t.Fatal(err)
		}
		return model.At(c)
	}
	for _, c := range []struct {
		from, to model.Instant
		want     string
	}{
		{at("14:00:36.34"), at("14:00:36.36"), "14:00:36.3Z"},
		{at("14:00:36.34"), at("14:00:36.46"), "14:00:36.3–36.5Z"},
		{at("14:00:36.34"), at("14:00:36.91"), "14:00:36.3–37.0Z"},
		{at("14:00:59.3"), at("14:01:00.1"), "14:00:59–01:01Z"},
		{at("14:00:36.3"), at("14:00:41"), "14:00:36–41Z"},
		{at("14:00:36.3"), at("14:01:11.2"), "14:00:36–01:12Z"},
		{at("13:59:58"), at("14:00:03"), "13:59:58–00:03Z"},
		{at("13:10:58"), at("15:00:03"), "13:10–15:01"},
		{model.FarFuture, model.FarFuture, "never"},
		{0, 0, "?"},
		{at("14:00:36"), model.FarFuture, "from 14:00:36Z"},
		{model.FarPast, at("14:00:36.1"), "by 14:00:37Z"},
	} {
		if got := p.Window(model.Interval{Earliest: c.from, Latest: c.to}); got != c.want {
			t.Errorf("%s to %s is %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
