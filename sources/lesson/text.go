package lesson

import (
	"maps"
	"slices"
	"strings"
)

func (d *document) text(s *section) (t BeatText) {
	t.Options, t.Traps = map[string]Passage{}, map[string]Passage{}
	for i := range s.parts {
		p := &s.parts[i]
		switch {
		case i == 0:
			t.Body = p.passage()
		case p.name == "hint":
			t.Hints = append(t.Hints, p.passage())
		case p.name == "why":
			t.Why = p.passage()
		case p.name == "notes":
			t.Notes = p.passage()
		case p.name == "options":
			d.options(p, &t)
		case strings.HasPrefix(p.name, "title "):
			t.Title = strings.TrimPrefix(p.name, "title ")
			if text := p.passage(); text.Text != "" && t.Body.Text == "" {
				t.Body = text
			} else if text.Text != "" {
				d.fail(p.line, "text belongs above the title, or below it, not to both")
			}
		default:
			d.fail(p.line-1, "### %s is not known: expected title WORDS, options, hint, why or notes", p.name)
		}
	}
	return t
}

// options reads
//
//   - a) text of the option
//     > explanation for a person who chose it
func (d *document) options(p *part, t *BeatText) {
	id := ""
	add := func(m map[string]Passage, text string, line int) {
		if have, ok := m[id]; ok {
			m[id] = Passage{have.Text + " " + text, have.Line}
			return
		}
		m[id] = Passage{text, line}
	}
	for i, line := range p.lines {
		item, isItem := strings.CutPrefix(line, "- ")
		name, said, named := strings.Cut(item, ")")
		trimmed := strings.TrimSpace(line)
		switch {
		case isItem && named && !strings.ContainsAny(name, " *`"):
			if id = name; t.Options[id] != (Passage{}) {
				d.fail(p.line+i, "option %s is there already", id)
			}
			add(t.Options, strings.TrimSpace(said), p.line+i)
			if t.Options[id].Text == "" {
				t.Options[id] = Passage{Line: p.line + i} // it is there for the explanation below it
			}
		case trimmed == "":
		case id == "":
			d.fail(p.line+i, "expected an option: - a) what it says")
		case strings.HasPrefix(trimmed, ">"):
			add(t.Traps, strings.TrimSpace(trimmed[1:]), p.line+i)
		case t.Traps[id] != Passage{}:
			add(t.Traps, trimmed, p.line+i)
		default:
			add(t.Options, trimmed, p.line+i)
		}
	}
}

// Passages are all texts of a step, each with its option.
func (t *BeatText) Passages(each func(p Passage, option string, later bool)) {
	each(t.Body, "", false)
	for _, id := range ids(t.Options) {
		each(t.Options[id], id, false)
	}
	for _, id := range ids(t.Traps) {
		each(t.Traps[id], id, true)
	}
	for _, h := range t.Hints {
		each(h, "", false)
	}
	each(t.Why, "", true)
	each(t.Notes, "", true)
}

func ids(m map[string]Passage) []string { return slices.Sorted(maps.Keys(m)) }
