package screens_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens"
	"kardia/ui/words"
)

// The screens of nodes, zones and times are in the language spoken, and have room for it, in calm and in an outage.
func TestNodesInKorean(t *testing.T) {
	words.Speak("ko")
	t.Cleanup(func() { words.Speak(words.English) })
	english := regexp.MustCompile(`\b[a-z]{3,}( [a-z]{2,})+\b`)
	// states, commands, rules and the text of Events stay as they are
	names := regexp.MustCompile(`kubectl .*|master disruption|not ready|status is now|silent past the grace period|tainted from the queue|zone states|(gr[ai]ce|unhealthy-zone|rate) [0-9]|user agent|field manager`)
	p := screentest.Painters()["dark"]
	for _, after := range []time.Duration{10 * time.Second, 60 * time.Second, 150 * time.Second, 290 * time.Second} {
		s := screentest.Recorded(t, "demo:zone-outage", after)
		for _, is := range screens.All() {
			if !slices.Contains([]string{"fleet", "node", "zones", "timeline", "trust"}, is.ID) {
				continue
			}
			for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 36}, {200, 60}} {
				v := is.New()
				if x, ok := v.(screen.Visitor); ok {
					x.Visit(screen.SubjectNode("b-003"), is.Scope, s)
				}
				area := screen.Arrange(size[0], size[1]).Area()
				lines := append(v.Render(s, p, area), v.Context(s, p, size[0]))
				screentest.CheckFrame(t, lines, p, size[0], area.H+1)
				text := screentest.Plain(lines)
				if found := english.FindAllString(names.ReplaceAllString(text, ""), -1); found != nil || !utf8.ValidString(text) || size[0] > 60 && !strings.ContainsAny(text, "가나다노드존파") {
					t.Errorf("%s, %s, %v: %q\n%s", is.ID, after, size, found, text)
				}
			}
		}
	}
}
