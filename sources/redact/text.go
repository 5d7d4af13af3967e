package redact

import (
	"strings"

	"kardia/model"
)

var templates = func() (all [][]string) {
	for _, t := range texts {
		all = append(all, strings.Split(t, " "))
	}
	return
}()

func (r *Redactor) text(s string) string {
	if s == "" || r.level == Slim {
		return s
	}
	said := strings.Split(s, " ")
	for _, t := range templates {
		if out, ok := r.follow(t, said); ok {
			return out
		}
	}
	r.removed["texts"]++
	return removedText
}

// note is the note of a Change. A request to evict stays, with the refusing budget, without its numbers.
func (r *Redactor) note(ch *model.Change) string {
	_, evicts := ch.Evicts()
	if !evicts || r.level == Slim {
		return r.text(ch.Note)
	}
	answer, _, _ := strings.Cut(ch.Note, " needs ")
	if out := r.text(answer); out != removedText {
		return out
	}
	return model.EvictNote(removedText)
}

// follow replaces the names in a text that follows a template.
func (r *Redactor) follow(template, said []string) (string, bool) {
	if len(template) != len(said) {
		return "", false
	}
	out := make([]string, len(said))
	for i, want := range template {
		switch want {
		case "%":
			out[i] = r.name(said[i])
		case "@":
			if !words[said[i]] {
				return "", false
			}
			out[i] = said[i]
		case "%/%":
			namespace, name, ok := strings.Cut(said[i], "/")
			if !ok {
				return "", false
			}
			out[i] = r.namespace(namespace) + "/" + r.name(name)
		default:
			if said[i] != want {
				return "", false
			}
			out[i] = want
		}
	}
	return strings.Join(out, " "), true
}
