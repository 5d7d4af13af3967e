package app

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kardia/internal/golden"
	"kardia/ui/glossary"
	"kardia/ui/screen"
	"kardia/ui/screens"
)

// readmeKeys are the actions that the README's table of keys lists.
var readmeKeys = []string{"play or pause", "next decision", "previous decision", "next change", "go to a time", "why", "verdict", "forecast", "options",
	"bookmark", "next bookmark", "hide later", "diff", "jump back", "filter", "copy command", "export", "palette", "help", "back or quit"}

// TestPagesListTheKeys: the pages that list screens, keys and words say what the program's own tables say;
// -update writes them.
func TestPagesListTheKeys(t *testing.T) {
	all := table(screens.All())
	a := replay(t, 60, 120, 36).app
	row := func(b *binding) string {
		keys := make([]string, len(b.Keys))
		for i, k := range b.Keys {
			keys[i] = "`" + a.keyName(k) + "`"
		}
		return fmt.Sprintf("| %s | %s | %s |\n", strings.Join(keys, " "), b.Action, b.Help())
	}

	var list strings.Builder
	list.WriteString("| Key | Screen | Shows |\n|---|---|---|\n")
	for _, s := range screens.All() {
		if s.Key != "" && !s.Compares {
			shows, _, _ := strings.Cut(screen.Action(s.ID).Help(), ":")
			fmt.Fprintf(&list, "| `%s` | %s | %s |\n", s.Key, s.Title, shows)
		}
	}
	golden.Section(t, "../../README.md", "screens", list.String())

	// Two actions a row, each by its keys and its name.
	short := "| Key | | Key | |\n|---|---|---|---|\n"
	for i, action := range readmeKeys {
		at := slices.IndexFunc(all, func(b binding) bool { return string(b.Action) == action })
		if at < 0 {
			t.Fatalf("there is no action %q", action)
		}
		short += fmt.Sprintf("| `%s` | %s ", a.keyName(all[at].Keys[0]), action)
		if i%2 == 1 {
			short += "|\n"
		}
	}
	golden.Section(t, "../../README.md", "keys", short)

	head := "| Key | Action | What it does |\n|---|---|---|\n"
	var page strings.Builder
	page.WriteString("# Keys\n\nThis page lists every key. In Kardia, `?` shows those of the present screen, and `:` finds an action by its name. [configuration.md](configuration.md) explains how to change a key. An action without a key is reached by `:` and its name.\n")
	for _, g := range groups {
		var rows string
		for i := range all {
			if all[i].group == g {
				rows += row(&all[i])
			}
		}
		if g == groupHere {
			for _, s := range screens.All() {
				for i := range s.Keys {
					rows += row(&binding{Binding: s.Keys[i]})
				}
			}
		}
		if rows != "" {
			fmt.Fprintf(&page, "\n## %s\n\n%s%s", g, head, rows)
		}
	}
	golden.File(t, "../../docs/keys.md", page.String())

	var words strings.Builder
	words.WriteString("# Glossary\n\nThis page explains every word, rule and mechanism that the screens name. In Kardia, `?` shows the words under the cursor first. [mechanisms.md](mechanisms.md) lists mechanisms with their lessons and screens.\n")
	for _, g := range []struct {
		title string
		terms []glossary.Term
	}{{"Words", glossary.Words()}, {"Rules of the controllers", glossary.Rules()}, {"Parts and mechanisms", glossary.Mechanisms()}} {
		fmt.Fprintf(&words, "\n## %s\n\n", g.title)
		for _, w := range g.terms {
			fmt.Fprintf(&words, "- **%s**: %s.\n", w.Name, strings.TrimSuffix(w.Meaning, "."))
		}
	}
	golden.File(t, "../../docs/glossary.md", words.String())
}
