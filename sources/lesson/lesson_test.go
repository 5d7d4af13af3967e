package lesson

import (
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"strings"
	"testing"

	_ "kardia/internal/roomy"
	"kardia/model"

	"github.com/cockroachdb/datadriven"
)

// TestEveryLessonHolds: each embedded lesson plays to its end, in every language, and all that it says
// is so.
func TestEveryLessonHolds(t *testing.T) {
	for _, l := range Embedded() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			if err := NewStage(l, Plays).Check(Languages...); err != nil {
				t.Error(err)
			}
		})
	}
}

// fewPlays are enough where something is wrong anyhow.
const fewPlays = 16

// textsOf are the files of an embedded lesson.
func textsOf(t *testing.T, name string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, language := range Languages {
		text, err := fs.ReadFile(files, "lessons/"+name+"/"+language+".md")
		if err != nil {
			t.Fatal(err)
		}
		texts[language+".md"] = string(text)
	}
	return texts
}

// TestWhatIsNotSoIsFound: a lesson that was pulled apart is refused, with the line.
func TestWhatIsNotSoIsFound(t *testing.T) {
	whole := textsOf(t, "kubelet-stops")
	for _, c := range []struct{ what, file, old, new, want string }{
		{"a wrong answer", "en.md", "right: b\nrule", "right: a\nrule", "right: the lesson has a, and of 16 runs it is b in 16"},
		{"a wrong time", "en.md", "right: 39s..56s", "right: 29s..46s", "right: the lesson has 29s..46s, and the runs give 4"},
		{"a time that says nothing", "en.md", "right: 39s..56s", "right: 1s..500s", "is too wide"},
		{"a wrong number", "en.md", "right: 2\n", "right: 0\n", "right: the lesson has 0, and the runs give 2"},
		{"a wrong order", "en.md", "traffic, deletion, copy]", "traffic, copy, deletion]", "and the runs give traffic, deletion, copy"},
		{"another scenario", "en.md", "at 1m kill n-2", "at 1m cordon n-2", `"unknown" is never: time cannot go on to it`},
		{"another flag", "en.md", "version 1.36\n", "version 1.36\n  flags node-monitor-grace-period=80s\n", "and the runs give 1m"},
		{"a query nobody knows", "ko.md", "{{deleted - tainted}}", "{{deleted - tinted}}", `"tinted" is not known`},
		{"a query about nobody", "en.md", "{{count PodUnready n-2", "{{count PodUnready n-9", `the scenario has no "n-9"`},
		{"what never happens", "ko.md", "{{tainted - zero}}", "{{first UntaintNoExecute n-2}}", "never happens"},
		{"an open brace", "en.md", "{{tainted - zero}} until", "{{tainted - zero until", "{{ is not closed"},
		{"a time of its own", "ko.md", "{{range unknown - zero}}", "48초", `"48초" is a time that nothing checks`},
		{"a time in words", "en.md", "{{deleted - tainted}} of toleration. In all", "six minutes. In all", `"six minutes" is a time that nothing checks`},
		{"a time in Korean words", "ko.md", "{{range unknown - zero}}", "사십팔 초", `"사십팔 초가" is a time that nothing checks`},
		{"a time in a title", "ko.md", "### title 언제 삭제될까요?", "### title 5분 뒤?", `"5분" is a time that nothing checks`},
		{"nothing, but other words", "ko.md", "파드는 언제 옮겨 갈까요?", "파드는?", ""},
		{"a time over the end of a line", "en.md", "{{deleted - tainted}} of toleration. In all", "forty\nseconds. In all", `"forty seconds" is a time that nothing checks`},
		{"half a time", "en.md", "{{deleted - tainted}} of toleration. In all", "half an hour. In all", `"half an hour" is a time that nothing checks`},
		{"a quarter of a time", "en.md", "{{deleted - tainted}} of toleration. In all", "a quarter of an hour. In all", `"quarter of an hour" is a time that nothing checks`},
		{"a time and a half", "en.md", "{{deleted - tainted}} of toleration. In all", "a minute and a half. In all", `"minute and a half" is a time that nothing checks`},
		{"half a time in Korean", "ko.md", "{{range unknown - zero}}", "반 시간", `"반 시간`},
		{"a number of what comes", "en.md", "It can only notice", "It can only notice {{count MarkUnknown}}", "move it to ### why"},
		{"a length of what comes", "en.md", "It can only notice", "It can only notice {{unknown - zero}}", "move it to ### why"},
		{"a range of what comes", "en.md", "It can only notice", "It can only notice {{range unknown - zero}}", "move it to ### why"},
		{"told too early", "en.md", "It can only notice", "It can only notice at {{unknown}}", "move it to ### why"},
		{"no reason", "ko.md", "### why\n\nDaemonSet", "### notes\n\nDaemonSet", "does not explain the answer"},
		{"an option less", "ko.md", "- a) 몇 분 안에", "- c) 몇 분 안에", "has no text for option a"},
		{"a hint less", "ko.md", "### hint\n", "### notes\n", "hints, and the original has"},
		{"a wrong answer that is right", "en.md", "  beat: 5s..20s", "  beat: 5s..42s", "option beat is a wrong answer, and its 5s..42s overlaps right"},
		{"a kind of event without its name", "en.md", "unknown: first MarkUnknown", "unknown: first MarkedUnknown", "there are Renewal, NodeAdded"},
		{"a beat less", "ko.md", "## predict daemon", "## predict demon", `the original has "predict daemon" here`},
		{"a heading without words", "ko.md", "## predict daemon", "## ", `the original has "predict daemon" here`},
		{"time that runs backwards", "en.md", "until: unknown+15s", "until: zero", "which has passed"},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			texts := maps.Clone(whole)
			if texts[c.file] = strings.Replace(whole[c.file], c.old, c.new, 1); texts[c.file] == whole[c.file] {
				t.Fatalf("%q is not in %s", c.old, c.file)
			}
			plays := fewPlays
			if c.want == "" {
				plays = Plays
			}
			err := check(texts, plays)
			switch {
			case c.want == "" && err != nil:
				t.Errorf("nothing is wrong, and it is said: %v", err)
			case c.want == "":
			case err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), c.file+":") && !strings.HasPrefix(err.Error(), "en.md:"):
				t.Errorf("want %q, got\n%v", c.want, err)
			}
		})
	}
	if err := check(map[string]string{"en.md": whole["en.md"]}, fewPlays); err == nil || !strings.Contains(err.Error(), `has no "ko"`) {
		t.Errorf("a missing language: %v", err)
	}
}

func check(texts map[string]string, plays int) error {
	l, err := Parse("lesson", texts)
	if err != nil {
		return err
	}
	return NewStage(l, plays).Check(Languages...)
}

// TestScripts reads the scripts in testdata: a file's mistakes, with their lines, or its beats.
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			l, err := Parse("lesson", map[string]string{"en.md": strings.ReplaceAll(d.Input, "===", "---")})
			if err == nil && d.Cmd == "check" {
				err = NewStage(l, fewPlays).Check()
			}
			if err != nil {
				return err.Error() + "\n"
			}
			return told(l)
		})
	})
}

// told is a lesson's texts and the plays' answers, beat by beat.
func told(l *Lesson) string {
	var out strings.Builder
	s, at := NewStage(l, fewPlays), l.Zero
	for i := range l.Beats {
		b := &l.Beats[i]
		at, _ = s.Stop(b, at)
		fmt.Fprintf(&out, "%s %s until %s\n", b.Kind, b.ID, model.Clock(at-l.Zero))
		l.Texts["en"].Beats[i].Passages(func(p Passage, option string, _ bool) {
			if text, err := s.Say(b, p, option, "en"); text != "" || err != nil {
				fmt.Fprintf(&out, "  %s %s\n", option, strings.ReplaceAll(text, "\n", "\n    "))
			}
		})
	}
	return out.String()
}

// FuzzParse: whatever files hold, they are refused with a line, or they are a lesson.
func FuzzParse(f *testing.F) {
	for _, l := range Embedded() {
		for _, language := range Languages {
			text, _ := fs.ReadFile(files, "lessons/"+l.Name+"/"+language+".md")
			f.Add(string(text))
		}
	}
	f.Add("---\nlanguage: x\nscenario: [1]\nmoments: {a: first}\n---\n## predict a\n```beat\nright: {}\noptions: [1, [2]]\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		l, err := Parse("lesson", map[string]string{"en.md": text})
		if err == nil && (len(l.Beats) == 0 || l.Branches[""] == nil) {
			t.Errorf("%+v", l)
		}
	})
}

// Korean lessons have one style: sentences end in -요, and titles do so or are nouns. What others say, in *…*, is as they say it.
func TestKoreanHasOneStyle(t *testing.T) {
	quoted := regexp.MustCompile(`\*[^*]+\*`)
	plain := regexp.MustCompile(`[^\s보마]다([.:;)?!]|$)|[나가라]\?|니다`)
	for _, l := range Embedded() {
		for file, text := range textsOf(t, l.Name) {
			for i, line := range strings.Split(text, "\n") {
				if file == "ko.md" && plain.MatchString(quoted.ReplaceAllString(line, "")) {
					t.Errorf("%s/%s:%d: %s", l.Name, file, i+1, line)
				}
			}
		}
	}
}
