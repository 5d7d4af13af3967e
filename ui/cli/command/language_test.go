package command

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"kardia/ui/words"
)

// A language changes what persons read. JSON is the same in each, also as YAML: scripts read it.
func TestJSONHasNoLanguage(t *testing.T) { // not beside others: the whole program has one language
	defer words.Speak(words.English)
	for line, same := range map[string]bool{
		"get nodes demo:node-loss --at +200s -o json":   true,
		"get nodes demo:node-loss --at +200s -o yaml":   true,
		"verdict demo:node-loss --at +200s -o yaml":     true,
		"check demo:node-loss --at +200s -o json":       true,
		"report demo:node-loss -o json":                 true,
		"verdict demo:node-loss --at +200s":             false,
		"report demo:node-loss":                         false,
		"why demo:node-loss --node ip-10-0-2-003":       false,
		"demo node-loss --once --size 80x24 --at +200s": false,
	} {
		english, korean := kardia(t, nil, line), kardia(t, nil, line+" --language ko")
		if english.out == "" || english.code != korean.code || (english.out == korean.out) != same {
			t.Errorf("%s: exit codes %d and %d; the same: %v\n%.300s", line, english.code, korean.code, english.out == korean.out, korean.out)
		}
	}
}

// The screen that shows how to start is in the language asked for, with what it offers.
func TestStartInKorean(t *testing.T) {
	defer words.Speak(words.English)
	got := kardia(t, nil, "--size 120x36 --language ko")
	text := strings.Split(ansi.Strip(got.out), "감시할 수 없어요")[0]
	if english := regexp.MustCompile(`[a-z]{3,} [a-z]{3,}`).FindString(text); got.code != OK || english != "" || !strings.Contains(text, "둘러봐요") {
		t.Errorf("%q in %+v", english, got)
	}
}

// A locale without a file is English; LC_ALL goes before LANG.
func TestTheLocalesLanguage(t *testing.T) {
	for want, all := range map[string][][]string{
		"en": {nil, {"LANG=C.UTF-8"}, {"LANG=de_DE.UTF-8"}, {"LC_ALL=C", "LANG=ko_KR.UTF-8"}, {"LANG=k"}},
		"ko": {{"LANG=ko_KR.UTF-8"}, {"LC_ALL=ko_KR.UTF-8", "LANG=C"}, {"LC_ALL=", "LANG=ko"}},
	} {
		for _, environ := range all {
			if got := (&run{World: World{Environ: environ}}).locale(); got != want {
				t.Errorf("%v is %s, want %s", environ, got, want)
			}
		}
	}
}
