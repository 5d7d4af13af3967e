package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kardia/sources/lesson"
	"kardia/ui/glossary"
	"kardia/ui/screens"
)

// places of docs/mechanisms.md: `lesson`, **Screen**, *word*, [page](page.md#part).
var places = map[string]*regexp.Regexp{
	"lesson": regexp.MustCompile("`([^`]+)`"),
	"screen": regexp.MustCompile(`\*\*([^*]+)\*\*`),
	"word":   regexp.MustCompile(`(?:^|[^*])\*([^*]+)\*(?:[^*]|$)`),
	"page":   regexp.MustCompile(`\[[^]]+\]\(([^)]+)\)`),
}

// TestEachMechanismHasItsPlace: docs/mechanisms.md has the 78 mechanisms, each with a place that exists.
func TestEachMechanismHasItsPlace(t *testing.T) {
	page, err := os.ReadFile("docs/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	var words, titles []string
	for _, w := range slices.Concat(glossary.Words(), glossary.Rules(), glossary.Mechanisms()) {
		words = append(words, w.Name)
	}
	for _, s := range screens.All() {
		titles = append(titles, s.Title)
	}
	exists := map[string]func(string) bool{
		"lesson": func(name string) bool { return slices.Contains(lesson.Names(), name) },
		"screen": func(name string) bool { return slices.Contains(titles, name) },
		"word":   func(name string) bool { return slices.Contains(words, name) },
		"page":   func(link string) bool { return slices.Contains(parts(t, link), link) },
	}
	rows := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^\| (.+) \| (.+) \|$`).FindAllStringSubmatch(string(page), -1) {
		mechanism, where := m[1], m[2]
		if mechanism == "Mechanism" {
			continue
		}
		if rows[mechanism] {
			t.Errorf("%q has two rows", mechanism)
		}
		rows[mechanism] = true
		found := 0
		for kind, place := range places {
			for _, m := range place.FindAllStringSubmatch(where, -1) {
				if found++; !exists[kind](m[1]) {
					t.Errorf("%q: there is no %s %q", mechanism, kind, m[1])
				}
			}
		}
		if found == 0 {
			t.Errorf("%q has no place: %q", mechanism, where)
		}
	}
	if len(rows) != 78 {
		t.Errorf("%d mechanisms, not 78", len(rows))
	}
}

// parts are the page of a link, and its headings, as links write them.
func parts(t *testing.T, link string) []string {
	name, _, _ := strings.Cut(link, "#")
	text, err := os.ReadFile(filepath.Join("docs", name))
	if err != nil {
		t.Error(err)
		return nil
	}
	all := []string{name}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.+)$`).FindAllStringSubmatch(string(text), -1) {
		heading := regexp.MustCompile(`[^a-z0-9 -]`).ReplaceAllString(strings.ToLower(m[1]), "")
		all = append(all, name+"#"+strings.ReplaceAll(heading, " ", "-"))
	}
	return all
}
