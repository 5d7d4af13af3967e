package screens_test

import (
	"regexp"
	"testing"
	"time"
	"unicode/utf8"

	"kardia/ui/screen"
	"kardia/ui/screen/screentest"
	"kardia/ui/screens"
	"kardia/ui/words"
)

// Every screen is in the language spoken, and has room for it, in calm and in an outage, with a branch and without.
func TestKorean(t *testing.T) {
	words.Speak("ko")
	t.Cleanup(func() { words.Speak(words.English) })
	english := regexp.MustCompile(`\b[a-z]{3,}( [a-z]{2,})+\b`)
	// states, commands and the text of Events stay as they are
	names := regexp.MustCompile(`kubectl .*|kardia diff|master disruption|not ready|not recorded|status is now|holder|Kubelet stopped [a-z ]*|zone states|(gr[ai]ce|unhealthy-zone|rate) [0-9]|--zone \S+|user agent|field manager`)
	p := screentest.Painters()["dark"]
	snapshots := map[string]*screen.Snapshot{"beside": full(t)}
	for _, after := range []time.Duration{10 * time.Second, 60 * time.Second, 150 * time.Second, 290 * time.Second} {
		snapshots[after.String()] = screentest.Recorded(t, "demo:zone-outage", after)
	}
	for at, s := range snapshots {
		for _, is := range screens.All() {
			for _, size := range [][2]int{{40, 10}, {80, 24}, {120, 36}, {200, 60}} {
				v := is.New()
				if x, ok := v.(screen.Visitor); ok && (is.Opens == screen.NodeSubject || is.Branches) {
					x.Visit(screen.SubjectNode("b-003"), is.Scope, s)
				}
				area := screen.Arrange(size[0], size[1]).Area()
				for range 2 {
					lines := append(v.Render(s, p, area), v.Context(s, p, size[0]))
					screentest.CheckFrame(t, lines, p, size[0], area.H+1)
					text := screentest.Plain(lines)
					if found := english.FindAllString(names.ReplaceAllString(text, ""), -1); found != nil || !utf8.ValidString(text) {
						t.Errorf("%s, %s, %v: %q\n%s", is.ID, at, size, found, text)
					}
					v.Do(screen.Open, s)
				}
			}
		}
	}
}
