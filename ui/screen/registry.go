package screen

import (
	"slices"

	"kardia/model"
	"kardia/ui/words"
)

// Screen is one screen as the app sees it: its name, its keys, how its body is made. A screen is a package under
// ui/screens and a line in its list; tabs, mouse, --view, help, palette and tests range over that list.
type Screen struct {
	// ID is its name in --view and in the palette, Key the digit that opens it, Title the text of its tab.
	ID, Key, Title string
	// Answers are the common actions that its body performs, besides moving.
	Answers []Action
	// Keys are those of this screen alone. Its body performs them.
	Keys []Binding
	// Words are the key line's names of common actions whose usual name misleads here.
	Words map[Action]string
	// Scope limits the changes and decisions at which steps through time stop.
	Scope Scope
	// Opens is the kind of subject that Enter on another screen opens here. The body is an Opener then.
	Opens SubjectKind
	// Columns are the titles of the columns that a person may choose from. The body is Tabular then.
	Columns []string
	// SearchesTime reports that / searches the whole time instead of filtering rows.
	SearchesTime bool
	// ShowsTime reports that it shows something even without a known node, ShowsSource even without any data.
	ShowsTime, ShowsSource bool
	// Asks are unwatched kinds that it shows: a live session asks the cluster for them while it is in sight.
	Asks []model.Kind
	// Branches reports that its key opens the palette of changed conditions.
	Branches bool
	// Compares reports that it exists only if another incident is compared.
	Compares bool
	// New makes its body, once for a session.
	New func() View
}

// Does reports whether a screen answers an action.
func (s *Screen) Does(action Action) bool { return slices.Contains(s.Answers, action) }

// Binding is one thing a person can do on a screen.
type Binding struct {
	// Keys as Bubble Tea prints them; none if only the palette offers it.
	Keys   []string
	Action Action
	// Hint is the word in the key line; "" leaves it out.
	Hint string
}

// Help is what the binding does, in a sentence.
func (b *Binding) Help() string { return b.Action.Help() }

// Name is what an action is called in the language spoken.
func (a Action) Name() string { return words.Label(string(a)) }

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
