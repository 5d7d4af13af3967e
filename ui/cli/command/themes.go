package command

import (
	"os"
	"path/filepath"
	"strings"

	"kardia/themes"
)

// own are the person's themes, and the faults of their files.
type own struct {
	read     bool
	themes   []themes.Theme
	problems []error
}

// ownThemes are the themes in the person's configuration, read once.
func (r *run) ownThemes() []themes.Theme {
	if !r.own.read && r.ConfigDir != "" {
		r.own.themes, r.own.problems = themes.Read(os.DirFS(filepath.Join(r.ConfigDir, "themes")))
	}
	r.own.read = true
	return r.own.themes
}

// sayThemes prints the faults of the person's themes, and the failed checks of the chosen one, which is used anyway.
func (r *run) sayThemes(name string) {
	list := r.ownThemes()
	for _, problem := range r.own.problems {
		r.say("%v", problem)
	}
	if t, asked := themes.Named(list, name); asked {
		if failed := themes.Check(t); failed != nil {
			r.say("theme %s: %s", name, strings.Join(failed, "; "))
		}
	}
}
