package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kardia/themes"
	"kardia/ui/paint"
	"kardia/ui/session"
	"kardia/ui/words"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
)

// Options are how the app begins.
type Options struct {
	// Session is shown first; nil shows the start screen. The app starts and closes it.
	Session *session.Session
	// Demos are offered on the start screen, and Open opens one that is not Elsewhere. Hint is the line below them.
	Demos []Demo
	Open  func(name string) (*session.Session, error)
	Hint  string

	// Report makes the report of the recording shown, as "html" or "md", in the background; nil if there is none.
	Report func(form string) (string, error)

	// Sandbox is the cluster to break that the Session shows, if any.
	Sandbox *session.Sandbox

	// Within is the caller that q returns to, as "lesson"; "" if q quits.
	Within string

	// View is the first screen: fleet (also ""), node or zones. Node is the node of the node screen; "" is the first.
	View, Node string

	// Theme is a theme's name; "" asks the terminal for its background. Themes are the person's own.
	Theme  string
	Themes []themes.Theme
	// Glyphs is "unicode", "ascii", or "" for the locale's.
	Glyphs string
	// Environ is the environment, for NO_COLOR and the locale.
	Environ []string
	// Location is the zone of printed times; nil is UTC. Local is the one that U switches to.
	Location, Local *time.Location
	// Keys replace the keys of actions (see CheckKeys), Columns the columns of tables, both by name.
	Keys, Columns map[string][]string
	// Named is the colour of the watched object's name; zero is that of text.
	Named themes.Token
	// Context is the kubeconfig context in commands for copying; "" for none.
	Context string
}

// Demo is an embedded recording, or something else to begin with.
type Demo struct {
	Name, Summary string
	// Elsewhere: another program shows it. Choosing it ends this one, with a Chosen.
	Elsewhere bool
}

// Chosen is the error with which Run ends when the choice on the start screen is shown elsewhere.
type Chosen struct{ Name string }

func (c *Chosen) Error() string { return words.Of("start.elsewhere", "name", c.Name).String() }

// Run runs the app in the terminal until the person leaves it.
func Run(ctx context.Context, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a, err := New(ctx, o)
	if err != nil {
		return err
	}
	err = RunModel(ctx, a, a.Plain)
	cancel()
	if a.session != nil {
		a.session.Close()
	}
	if err == nil && a.chosen != nil {
		return a.chosen
	}
	return err
}

// RunModel runs a model in the terminal until it ends, or until the context does, with its error. A panic in the model
// restores the terminal, and is a crash.Error.
func RunModel(ctx context.Context, m tea.Model, plain bool, options ...tea.ProgramOption) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	_, err := tea.NewProgram(guarded{m, end}, append(programOptions(ctx, plain), options...)...).Run()
	if errors.Is(err, tea.ErrProgramKilled) && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// programOptions leave signals to the context. Bubble Tea's own handler would wait forever for a receiver of one, once
// the program has ended for it (2.0.9).
func programOptions(ctx context.Context, plain bool) []tea.ProgramOption {
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithoutSignalHandler(), tea.WithFPS(30)}
	if plain {
		// Bubble Tea reads NO_COLOR as a boolean; no-color.org means any value.
		options = append(options, tea.WithColorProfile(colorprofile.ASCII))
	}
	return options
}

// Once is one frame of w×h cells of the loaded session, with colours as escape sequences.
func Once(o Options, w, h int) (string, error) {
	if w < 1 || h < 1 {
		return "", fmt.Errorf("a frame of %d×%d cells has no room", w, h)
	}
	a, err := New(context.Background(), o)
	if err != nil {
		return "", err
	}
	a.width, a.height = w, h
	return strings.Join(a.frame(), "\n"), nil
}

// Look is how the program looks.
type Look struct {
	Theme  themes.Theme
	Glyphs themes.Glyphs
	// Auto: the terminal's background decides between Themes. Plain: no colours, whatever the theme.
	Auto, Plain bool
	Themes      []themes.Theme
}

// LookOf is how options and environment want the program to look.
func LookOf(o Options) (is Look, err error) {
	is.Themes = themes.With(o.Themes)
	is.Theme, is.Auto = themes.For(is.Themes, true), true
	if o.Theme != "" && o.Theme != "auto" {
		var ok bool
		if is.Theme, ok = themes.Named(is.Themes, o.Theme); !ok {
			return is, fmt.Errorf("there is no theme %q; themes are auto, %s", o.Theme, strings.Join(themeNames(is.Themes), ", "))
		}
		is.Auto = false
	}
	if environ(o.Environ, "NO_COLOR") != "" {
		is.Theme, is.Auto, is.Plain = themes.NoColour(), false, true
	}
	switch o.Glyphs {
	case "ascii":
		is.Glyphs = themes.ASCII()
	case "unicode":
		is.Glyphs = themes.Unicode()
	case "", "auto":
		is.Glyphs = pick(utf8Locale(o.Environ), themes.Unicode(), themes.ASCII())
	default:
		err = fmt.Errorf("there is no glyph set %q; there are auto, unicode and ascii", o.Glyphs)
	}
	return is, err
}

func themeNames(list []themes.Theme) []string {
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
	}
	return names
}

func environ(list []string, name string) string {
	for i := len(list) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(list[i], name+"="); ok {
			return value
		}
	}
	return ""
}

// utf8Locale reports whether the locale prints UTF-8. Without a locale, modern terminals do; with C and POSIX not.
func utf8Locale(list []string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := environ(list, name); value != "" {
			value = strings.ToLower(value)
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return true
}

func (a *App) newPainter() {
	a.painter = paint.New(a.Theme, a.Glyphs, a.location)
}
