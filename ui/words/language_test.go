package words_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kardia/model"
	"kardia/ui/words"
)

// Each language has the sentences that English has, with no placeholder that English has not. Nothing is missing.
func TestEveryLanguageSaysTheSame(t *testing.T) {
	english := sentences(t, "en.yaml")
	for _, language := range words.Languages[1:] {
		own := sentences(t, language+".yaml")
		for key, texts := range english {
			if own[key] == nil {
				t.Errorf("%s.yaml: %s is missing: %q", language, key, texts)
				continue
			}
			known := placeholder.FindAllString(strings.Join(texts, " "), -1)
			for _, m := range placeholder.FindAllString(strings.Join(own[key], " "), -1) {
				if !slices.Contains(known, m) {
					t.Errorf("%s.yaml: %s has %s, which English has not: %q", language, key, m, texts)
				}
			}
		}
		for key := range own {
			if english[key] == nil && !strings.HasPrefix(key, "label.") {
				t.Errorf("%s.yaml: %s is no sentence of English", language, key)
			}
		}
	}
}

// plain is the end of a Korean sentence in the plain style, -다. The particles 보다 and 마다 end no sentence.
var plain = regexp.MustCompile(`[^\s보마아]다([.:;()'" {]|$)|니다([. ]|$)|아니다`)

// Korean has one style: sentences end in -요. Nouns may stand alone.
func TestKoreanHasOneStyle(t *testing.T) {
	for key, texts := range sentences(t, "ko.yaml") {
		for _, text := range texts {
			if plain.MatchString(text) {
				t.Errorf("%s ends a sentence in -다: %q", key, text)
			}
		}
	}
}

// labels are where the program has labels, by their English text: titles of screens, panes and lists, orders, and the words
// and groups of keys.
var labels = regexp.MustCompile(`(?:Pane\{|pane\.|screen\.Screen\{.*|list\.Of\[.*\]\{|\{ID: .*)Title(?:: | = )"([^"]+)"|Orders: \[\]string\{([^}]+)\}|Label\("([^"]+)"\)|` +
	`Hint: "([^"]+)"|\bkey\("[^"]*", [^,]+, "([^"]+)"|"next decision": "([^"]+)"|"filter": "([^"]+)"|screen\.Open: "([^"]+)"|\bgroup\w+ += "([A-Z][^"]*)"`)

// Each label of the program, each action and each rule has a text in each language, and no language has another.
func TestEveryLabel(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range labels.FindAllStringSubmatch(string(text), -1) {
			for _, label := range slices.Concat(strings.Split(m[2], ","), m[1:2], m[3:]) {
				if label = strings.Trim(label, ` "`); label != "" && label != "-" {
					used[label] = true
				}
			}
		}
		return err
	})
	nodes, _ := filepath.Glob("../screens/node/*.go")
	for _, path := range nodes {
		text, _ := os.ReadFile(path)
		for _, m := range facts.FindAllStringSubmatch(string(text), -1) {
			used[m[1]] = true
		}
	}
	if err != nil || len(used) < 20 {
		t.Fatal(used, err)
	}
	terms := map[string]bool{}
	for _, path := range []string{"../glossary/glossary.go", "../glossary/mechanisms.go"} {
		text, _ := os.ReadFile(path)
		for _, m := range term.FindAllStringSubmatch(string(text), -1) {
			terms[m[1]] = true
		}
	}
	for key := range sentences(t, "en.yaml") {
		if action, is := strings.CutPrefix(key, "keys."); is {
			used[action] = true
		}
	}
	for _, r := range model.Rules() {
		used[r.String()] = true
	}
	for _, language := range words.Languages[1:] {
		own := sentences(t, language+".yaml")
		for label := range used {
			if own["label."+label] == nil {
				t.Errorf("%s.yaml: the label %q is missing", language, label)
			}
		}
		for key := range own {
			if label, is := strings.CutPrefix(key, "label."); is && !used[label] && !terms[label] {
				t.Errorf("%s.yaml: nothing is called %q", language, label)
			}
		}
	}
}

// term is a word of the glossary. It may be the same in another language, and has no label then.
var term = regexp.MustCompile(`\t\{"([^"]+)", words\.Of\("glossary\.`)

// facts are the words before the facts of a node.
var facts = regexp.MustCompile(`\t(?:add|say|part)\("([^"]+)"`)

// What a language lacks is said in English, and another language says the same sentence of its own.
func TestSpeak(t *testing.T) {
	defer words.Speak(words.English)
	say := words.Of("recovery.open", "n", 2)
	for language, want := range map[string]string{"en": "2 checks open", "xx": "2 checks open", "ko": ""} {
		words.Speak(language)
		got := say.String()
		if want != "" && got != want || want == "" && (got == "2 checks open" || !strings.Contains(got, "2")) {
			t.Errorf("%s: %q", language, got)
		}
	}
	words.Speak("ko")
	if d := words.Of("and-more", "names", "a", "n", 3).String(); strings.Contains(d, "more") || words.Label("Nodes") == "Nodes" || words.Label("no such label") != "no such label" {
		t.Errorf("%q, %q", d, words.Label("Nodes"))
	}
}

func TestListed(t *testing.T) {
	for want, list := range map[string][]string{"": nil, "a": {"a"}, "a and b": {"a", "b"}, "a, b and c": {"a", "b", "c"}} {
		if got := words.Listed(list); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
