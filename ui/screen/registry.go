package screen

import (
	"kardia/model"
	"kardia/ui/words"
)

// Screen is one screen as the app sees it: its name, its keys, how its body is made. A screen is a package under
// ui/screens and a line in its list; tabs, mouse, --view, help, palette and tests range over that list.
type Screen struct {
	// ID is its name in --view and in the palette, Key the digit that goes to it, Title the text of its tab.
	ID, Key, Title string
	// Answers are the actions of the common keys that its body performs, beside moving.
	Answers []Action
	// Keys are those that only this screen has. Its body performs them.
	Keys []Binding
	// Words are what its key line calls common actions, where their usual word misleads here.
	Words map[Action]string
	// Scope is which changes and decisions the steps through time stop at.
	Scope Scope
	// Opens is the kind of subject that enter on another screen opens here. The body is an
	// Opener then.
	Opens SubjectKind
	// Columns are the titles of the columns that its table may have, if a person may choose them. The body is Tabular
	// then.
	Columns []string
	// SearchesTime reports that / looks for words across the whole time instead of filtering rows.
	SearchesTime bool
	// ShowsTime reports that it shows something even if no node is known, ShowsSource even if nothing came from the source.
	ShowsTime, ShowsSource bool
	// Asks are kinds that it shows and that are not watched: a live session asks the cluster for them while it is in sight.
	Asks []model.Kind
	// Branches reports that its key opens the palette of what may be otherwise.
	Branches bool
	// Compares reports that it is there only if another incident is beside the one shown.
	Compares bool
	// New makes its body, once for a sitting.
	New func() View
}

// Does reports whether a screen answers an action.
func (s *Screen) Does(action Action) bool {
	for _, a := range s.Answers {
		if a == action {
			return true
		}
	}
	return false
}

// Binding is one thing a person can do on a screen.
type Binding struct {
	// Keys as Bubble Tea prints them; none for what only the palette offers.
	Keys   []string
	Action Action
	// Hint is the word for the key line at the bottom; "" leaves it out.
	Hint string
}

// Help is what the binding does, in a sentence.
func (b *Binding) Help() string { return b.Action.Help() }

// Help is what an action does, or what the screen of that name shows.
func (a Action) Help() string { return words.Of("keys." + string(a)).String() }

// Scope is which changes and decisions count on a screen.
type Scope uint8

const (
	// OfAll: those of every node.
	OfAll Scope = iota
	// OfSelected: those of the node or zone under the cursor.
	OfSelected
)
