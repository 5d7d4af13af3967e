package app

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"kardia/ui/words"
)

// english is two words or more, and names are those that stay English: states, commands.
var (
	english = regexp.MustCompile(`\b[a-z]{3,}( [a-z]{2,})+\b`)
	names   = regexp.MustCompile(`kubectl .*|master disruption|not recorded|\bzone us.*`)
)

// What the app draws around a view, and over it, is in the language spoken. The palette finds an action by its name in it, or in English.
func TestKorean(t *testing.T) {
	words.Speak("ko")
	t.Cleanup(func() { words.Speak(words.English) })
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		s := incident(t, "zone-outage", 150, size[0], size[1])
		look := func(keys ...string) {
			t.Helper()
			s.keys(keys...)
			text := names.ReplaceAllString(s.screen(), "")
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
		for _, name := range []string{"next dec", "다음 결"} {
			s.keys(":").types(name).shows("다음 결정").keys("esc")
		}
		s.keys("?").shows("닫기").types("/").types("last write").shows("과거")
	}
}
