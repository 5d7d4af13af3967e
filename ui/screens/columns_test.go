package screens_test

import (
	"regexp"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"kardia/model"
	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens"
	"kardia/ui/words"
)

// full is an incident with a branch, and another incident beside it.
func full(t *testing.T) *screen.Snapshot {
	s := screentest.Recorded(t, "demo:zone-outage", 150*time.Second)
	changed := screen.BranchOrder{}
	if err := model.FlagNamed("node-monitor-grace-period").Set(&changed.Flags, "2m", model.FromUser); err != nil {
		t.Fatal(err)
	}
	s.Branch = screentest.Branched(t, "demo:zone-outage", 40*time.Second, changed).Branch
	s.Beside = screentest.Beside(t, "demo:zone-outage", "demo:all-dark")
	return s
}

// TestChosenColumnsAreShown: a column that the configuration may name is one of the screen's, by the same name.
func TestChosenColumnsAreShown(t *testing.T) {
	s := full(t)
	p := screentest.Painters()["dark"]
	for _, is := range screens.All() {
		frame := func(columns ...string) []string {
			v := is.New()
			v.(screen.Tabular).SetColumns(columns)
			return v.Render(s, p, screen.Area{W: 320, H: 60, Tier: screen.TierOf(320, 60)})
		}
		for _, column := range is.Columns {
			if slices.Equal(frame(column), frame()) {
				t.Errorf("%s: the column %s alone is as all columns", is.ID, column)
			}
		}
	}
}

// english is two words or more, and names are those that stay English: states, rules, commands, messages of Events.
var (
	english = regexp.MustCompile(`\b[a-z]{3,}( [a-z]{2,})+\b`)
	names   = regexp.MustCompile(`kubectl .*|master disruption|not ready|not recorded|status is now|silent past the grace period`)
)

// Every screen is in the language spoken, and has room for it.
func TestKorean(t *testing.T) {
	words.Speak("ko")
	t.Cleanup(func() { words.Speak(words.English) })
	s, p := full(t), screentest.Painters()["dark"]
	alone := *s // what a branch has in its place
	alone.Branch = nil
	for _, size := range [][2]int{{80, 24}, {120, 36}, {200, 60}} {
		area := screen.Arrange(size[0], size[1]).Area()
		for _, is := range screens.All() {
			if slices.Contains([]string{"fleet", "node", "zones", "timeline", "trust"}, is.ID) {
				continue
			}
			for _, s := range []*screen.Snapshot{s, &alone} {
				v := is.New()
				if x, ok := v.(screen.Visitor); ok {
					x.Visit(screen.SubjectNode("b-003"), is.Scope, s)
				}
				v.Do(screen.Open, s)
				lines := append(v.Render(s, p, area), v.Context(s, p, size[0]))
				screentest.CheckFrame(t, lines, p, size[0], area.H+1)
				if text := screentest.Plain(lines); english.MatchString(names.ReplaceAllString(text, "")) || !utf8.ValidString(text) {
					t.Errorf("%s, %v: %q\n%s", is.ID, size, english.FindAllString(names.ReplaceAllString(text, ""), -1), text)
				}
			}
		}
	}
}
