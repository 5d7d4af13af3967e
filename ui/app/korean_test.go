package app

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"kardia/ui/words"
)

// english is two words or more, and names are those that stay English: states, rules, commands.
var (
	english = regexp.MustCompile(`\b[a-z]{3,}( [a-z]{2,})+\b`)
	names   = regexp.MustCompile(`kubectl .*|master disruption|not recorded|규칙: .*|\bzone us.*`)
)

// What the app draws around a view, and over it, is in the language spoken: all but the names of actions.
func TestKorean(t *testing.T) {
	words.Speak("ko")
	t.Cleanup(func() { words.Speak(words.English) })
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		s := incident(t, "zone-outage", 150, size[0], size[1])
		look := func(keys ...string) {
			t.Helper()
			s.keys(keys...)
			text := s.screen()
			for _, b := range s.app.table {
				text = strings.ReplaceAll(text, string(b.Action)+" ", "")
			}
			text = names.ReplaceAllString(text, "")
			for _, line := range strings.Split(text, "\n") {
				if english.MatchString(line) || !utf8.ValidString(line) || ansi.StringWidth(line) > size[0] {
					t.Errorf("%v: %q", keys, line)
				}
			}
		}
		look("6")
		s.shows("재생", "명령", "뒤로")
		for _, over := range []string{"w", "v", "W", "d", "e", "Y", "T", "0", "b", ":", "/", "t", "m"} {
			look(over)
			look("esc")
		}
		s.keys("?").shows("닫기").types("/").types("last write").shows("과거")
	}
}
