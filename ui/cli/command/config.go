package command

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/themes"
	"kardia/ui/app"
	"kardia/ui/config"
	"kardia/ui/screens"
)

// configured is the person's configuration, and its faults.
type configured struct {
	read bool
	config.Config
	problems []error
}

// configuration reads the person's configuration, once. Commands that use it report its faults: see understood.
func (r *run) configuration() *configured {
	c := &r.configured
	if c.read || r.ConfigDir == "" {
		return c
	}
	c.read = true
	c.Config, c.problems = config.Read(os.DirFS(r.ConfigDir), r.configPath(), r.usual())
	for _, text := range app.CheckKeys(c.Keys) {
		c.problems = append(c.problems, &config.Problem{Path: r.configPath(), Text: text})
	}
	return c
}

func (r *run) configPath() string { return filepath.Join(r.ConfigDir, config.Name) }

// usual is the state without a configuration.
func (r *run) usual() config.Usual {
	u := config.Usual{Themes: r.themeNames(), Views: screens.Names(), Keys: app.UsualKeys(), Columns: map[string][]string{}, Flags: flagsOf(&paramFlags{})}
	for _, s := range screens.All() {
		if s.Columns != nil {
			u.Columns[s.ID] = s.Columns
		}
	}
	return u
}

func flagsOf(p *paramFlags) *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	p.add(flags)
	return flags
}

func (r *run) themeNames() (names []string) {
	for _, t := range themes.With(r.ownThemes()) {
		names = append(names, t.Name)
	}
	return names
}

// understood refuses a faulty configuration: it is not known which part of it holds.
func (r *run) understood() error {
	c := r.configuration()
	if len(c.problems) == 0 {
		return nil
	}
	f := misuse("%v", c.problems[0])
	if more := len(c.problems) - 1; more > 0 {
		f.Means = fmt.Sprintf("And %d more.", more)
	}
	f.Next = fmt.Sprintf("'%s config check' lists what is wrong with it; moved out of the way, it is not read.", r.program)
	return f
}

// inContext is p over the configuration's flags for the current context.
func (r *run) inContext(p *paramFlags) *paramFlags {
	context, ok := r.configuration().Contexts[r.Kube.Context()]
	if !ok {
		return p
	}
	both := &paramFlags{}
	for name, value := range context.Flags {
		_ = both.set(name, value) // checked when it was read
	}
	both.given.SetOver(&p.given, model.FromFlag)
	if p.version != "" {
		both.version = p.version
	}
	return both
}

func (r *run) config() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Create, show or check the configuration",
		Long: `The configuration is one YAML file, and everything in it is optional. It sets
appearance, keys, columns, and the flags of your clusters' control planes.
'kardia help environment' prints its path. docs/configuration.md describes it.`,
		Example: "  kardia config init\n  kardia config view\n  kardia config check",
		Args:    unknownCommand,
		RunE:    does(func(cmd *cobra.Command, _ []string) error { return cmd.Help() }),
	}
	sub := func(use, short string, run func() error) {
		cmd.AddCommand(r.command(command{use: use, short: short, run: func(*call) error {
			if r.ConfigDir == "" {
				return &Fault{Code: Failed, What: "there is no place for a configuration", Next: "Set XDG_CONFIG_HOME, or HOME, to a directory."}
			}
			return run()
		}}))
	}
	sub("init", "Write a configuration with every setting commented out", r.configInit)
	sub("view", "Print the settings in force, and which the file sets", r.configView)
	sub("check", "Check the configuration; exit code 3 on a mistake", r.configCheck)
	return cmd
}

func (r *run) configPlace() string {
	if r.ConfigDir == "" {
		return "$XDG_CONFIG_HOME/kardia/" + config.Name
	}
	return r.configPath()
}

func (r *run) configInit() error {
	if err := os.MkdirAll(r.ConfigDir, 0o755); err != nil {
		return err
	}
	file, err := os.OpenFile(r.configPath(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return &Fault{Code: Failed, What: r.configPath() + " is there already", Means: "It was left as it is.",
			Next: fmt.Sprintf("'%s config view' prints what is in force.", r.program)}
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(file, config.Sample(r.usual()))
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	_, err = fmt.Fprintln(r.Out, r.configPath())
	return err
}

func (r *run) configView() error {
	if err := r.understood(); err != nil {
		return err
	}
	_, err := io.WriteString(r.Out, config.View(r.configuration().Config, r.usual()))
	return err
}

func (r *run) configCheck() error {
	c := r.configuration()
	for _, problem := range c.problems {
		fmt.Fprintln(r.Out, problem)
	}
	if len(c.problems) > 0 {
		r.note(Found)
		return nil
	}
	if _, err := os.Stat(r.configPath()); errors.Is(err, fs.ErrNotExist) {
		_, err := fmt.Fprintf(r.Out, "%s does not exist: everything is as usual\n", r.configPath())
		return err
	}
	_, err := fmt.Fprintf(r.Out, "%s: nothing is wrong\n", r.configPath())
	return err
}

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
