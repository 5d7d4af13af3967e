package command

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/past"
	"kardia/sources/bookmarks"
	"kardia/sources/demo"
	"kardia/sources/open"
	"kardia/themes"
	"kardia/ui/app"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/screens"
	"kardia/ui/session"
)

// showFlags are the flags of every command that shows screens.
type showFlags struct {
	once   bool
	view   word
	node   string
	size   size
	at     string // recordings only
	theme  word
	glyphs word
	output word
	params paramFlags
	within string // app.Options.Within
}

// add adds them, with the person's configuration as their defaults.
func (f *showFlags) add(flags *pflag.FlagSet, r *run) {
	f.addFrame(flags, r)
	flags.VarP(&f.view, "view", "", "the screen to start with")
	flags.StringVar(&f.node, "node", "", "the node to start with, on the node screen")
	inGroup(flags, controllerFlags, f.params.add)
}

// addFrame adds those of a frame.
func (f *showFlags) addFrame(flags *pflag.FlagSet, r *run) {
	f.addLook(flags, r)
	flags.VarP(&f.output, "output", "o", "print one frame as text, or as an svg picture, and exit")
}

// addLook is addFrame without -o, for commands with other forms.
func (f *showFlags) addLook(flags *pflag.FlagSet, r *run) {
	c := &r.configuration().Config
	f.view = word{c.View, screens.Names()}
	f.theme = word{cmp.Or(c.Theme, "auto"), append([]string{"auto"}, r.themeNames()...)}
	f.glyphs = word{cmp.Or(c.Glyphs, "auto"), []string{"auto", "unicode", "ascii"}}
	f.output = word{"text", []string{"text", "svg"}}
	flags.BoolVar(&f.once, "once", false, "print one frame and exit; the default if stdout is no terminal")
	flags.Var(&value[size]{is: &f.size, kind: "WxH", read: readSize}, "size", "print one frame of this size and exit; --once alone uses the terminal's, or 120x36")
	flags.VarP(&f.theme, "theme", "", "colours: "+strings.Join(f.theme.allowed, ", ")+"; auto asks the terminal")
	flags.VarP(&f.glyphs, "glyphs", "", "what to draw with: auto (as the locale has it), unicode, ascii")
}

func (f *showFlags) addAt(flags *pflag.FlagSet) {
	flags.StringVar(&f.at, "at", "", "the time to start at: "+times)
}

// check refuses contradicting flags, and a faulty configuration.
func (f *showFlags) check(r *run) error {
	if err := r.understood(); err != nil {
		return err
	}
	if f.node != "" && f.view.value != r.configuration().View && f.view.value != "node" {
		return misuse("--node is shown by --view node, not by --view %s", f.view.value)
	}
	_, err := f.params.resolve("")
	return err
}

func (r *run) options(f *showFlags, s *session.Session) app.Options {
	r.sayThemes(f.theme.value)
	c := r.configuration()
	o := app.Options{Session: s, View: f.view.value, Node: f.node, Theme: f.theme.value, Themes: r.ownThemes(), Glyphs: f.glyphs.value,
		Environ: r.Environ, Location: time.UTC, Local: time.Local, Keys: c.Keys, Columns: c.Columns, Within: f.within}
	if c.Times == "local" {
		o.Location = time.Local
	}
	if f.node != "" {
		o.View = "node"
	}
	if o.View == c.View && s != nil && showsNoNode(s.Snapshot()) {
		o.View = "timeline"
	}
	return o
}

// showsNoNode reports whether a recording has logs and Events alone: there are no nodes to start with.
func showsNoNode(s *screen.Snapshot) bool {
	return s.Loading == 1 && !s.Mode.Watches() && !s.Has(model.KindNode) && !s.Has(model.KindNodeLease) && !s.Has(model.KindPod) &&
		(len(s.Said) > 0 || s.Has(model.KindEvent))
}

// single reports whether one frame is printed instead of running the app.
func (r *run) single(f *showFlags) bool {
	return f.once || f.size != size{} || f.output.value == "svg" || !r.Terminal
}

// light reports whether the frame is for a light background.
func (r *run) light(f *showFlags) bool {
	theme, known := themes.Named(themes.With(r.ownThemes()), f.theme.value)
	return known && theme.Light
}

var standardSize = size{120, 36}

// show runs the app, or prints one frame of it.
func (r *run) show(ctx context.Context, f *showFlags, o app.Options) error {
	if !r.single(f) {
		err := app.Run(ctx, o)
		if ctx.Err() != nil {
			return context.Cause(ctx) // by a signal; ctrl+c is a key in the app, and leaves like q
		}
		return err
	}
	frame := f.size
	if frame == (size{}) && r.Terminal && r.Width > 0 && r.Height > 1 {
		frame = size{r.Width, r.Height - 1} // the prompt needs a line
	}
	if frame == (size{}) {
		frame = standardSize
	}
	text, err := app.Once(o, frame.w, frame.h)
	if err != nil {
		return err
	}
	if f.output.value == "svg" {
		_, err = fmt.Fprint(r.Out, render.Frame(text, r.light(f)))
		return err
	}
	// Colours as the terminal has them; none into a file.
	_, err = fmt.Fprintln(colorprofile.NewWriter(paint.Styles(r.Out), r.Environ), text)
	return err
}

// showRecording opens recordings and shows them: the progress of a long one in the app, faults of a short one before.
func (r *run) showRecording(cmd *cobra.Command, f *showFlags, paths []string) error {
	if err := f.check(r); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	if !r.single(f) {
		if err := checkDemos(paths); err != nil {
			return err
		}
		o := openBeside(ctx, paths, r.reading())
		if o.long() {
			return r.showOpening(ctx, f, o, paths)
		}
		if err := r.wasOpened(paths, o.opened, o.err); err != nil {
			return err
		}
		return r.showOpened(ctx, f, o.opened, paths)
	}
	opened, err := r.open(ctx, paths)
	if err != nil {
		return err
	}
	return r.showOpened(ctx, f, opened, paths)
}

func (r *run) showOpened(ctx context.Context, f *showFlags, opened *open.Opened, paths []string) error {
	s, err := r.sitting(f, opened, paths)
	if err != nil {
		return err
	}
	defer s.Close()
	if f.node != "" && s.Snapshot().Cluster.Node(f.node) == nil {
		if err := ever(f.node, opened); err != nil {
			return err
		}
		r.say("there is no node %q at %s", f.node, s.At())
	}
	if r.single(f) {
		if withdrawn := s.Snapshot().Judged.Withdrawn(); withdrawn != nil {
			contradicted(withdrawn, opened.Name).print(r.Err, r.program, "")
			r.note(Found)
		}
	}
	o := r.options(f, s)
	o.Report = r.reporter(&f.params, opened, paths)
	return r.show(ctx, f, o)
}

// sitting starts a session of a recording, with the marks beside it. Without --at it plays.
func (r *run) sitting(f *showFlags, opened *open.Opened, paths []string) (*session.Session, error) {
	standard := opened.Start
	if coverage := opened.History.Coverage(); f.at == "" && r.single(f) && standard == coverage.Earliest {
		standard = r.worthSeeing(opened.History, f.params.paramsOf(opened).NodeMonitorGracePeriod.Value)
	}
	start, err := instant(f.at, opened.History, standard)
	if err != nil {
		return nil, err
	}
	return session.Replay(opened.History, session.Options{Name: opened.Name, Start: start, Play: r.plays(f),
		Params: f.params.paramsOf(opened), Judging: r.judging(f), Marks: opened.Marks(), Keep: keeper(paths), ZoneLabel: r.configuration().ZoneLabel, Thresholds: r.configuration().Thresholds}), nil
}

// worthSeeing is the default time of a single frame: at its start an audit log has no node yet. It prints the time.
func (r *run) worthSeeing(h history.History, grace time.Duration) model.Instant {
	if first, ok := open.FirstUnknown(h); ok {
		r.say("showing %s, when the first node was declared Unknown; --at shows any other time", first)
		return first
	}
	if silent, ok := firstSilent(h, grace); ok {
		r.say("showing %s, when the first node had been silent for %s: none was seen to be declared Unknown; --at shows any other time", silent, grace)
		return silent
	}
	end := h.Coverage().Latest
	r.say("showing %s, the end: no node was seen to be declared Unknown; --at shows any other time", end)
	return end
}

// mostLooked is how many Changes worthSeeing reads, in a second or two.
const mostLooked = 2_000_000

// firstSilent is when the first node that later renewed had been silent for the grace period. It is false for none, or
// if there is too much to read. Other nodes are silent at the end.
func firstSilent(h history.History, grace time.Duration) (first model.Instant, ok bool) {
	var o past.Overview
	if done, err := o.Extend(h, mostLooked); !done || err != nil {
		return 0, false
	}
	kept, _ := o.Quiets()
	for _, q := range kept {
		if at := q.Earliest.Add(grace); q.Width() > grace && (!ok || at < first) {
			first, ok = at, true
		}
	}
	return first, ok
}

// keeper stores the marks of a recording beside it; nil if that is not possible.
func keeper(paths []string) session.Keeper {
	if f, ok := bookmarks.Beside(paths); ok {
		return f
	}
	return nil
}

// judging: a single frame waits for the models, the app does not.
func (r *run) judging(f *showFlags) session.Judging {
	if r.single(f) {
		return session.AtOnce
	}
	return session.InBackground
}

func (r *run) plays(f *showFlags) bool { return f.at == "" && !r.single(f) }

func (r *run) replay() *cobra.Command {
	f := &showFlags{}
	return r.command(command{
		use:   "replay PATH…",
		short: "Replay recordings: watch files, object dumps, audit logs",
		long: `Replays output of kubectl and the API server: kubectl get --watch, kubectl get
--raw '…?watch=true', lists in JSON or YAML, and audit logs; plain, gzip or zstd.
Several files, or a directory, become one timeline. File types are detected by
content.`,
		example: "  kardia replay ./incident\n  kardia replay audit.log nodes.json --at 14:05 --node ip-10-0-1-7",
		args:    somePaths,
		shares:  captures,
		flags: func(flags *pflag.FlagSet) {
			f.add(flags, r)
			f.addAt(flags)
		},
		run: func(k *call) error { return r.showRecording(k.cmd, f, k.args) },
	})
}

func (r *run) demo() *cobra.Command {
	f := &showFlags{}
	return r.command(command{
		use:   "demo [NAME]",
		short: "Replay a real incident; no cluster needed",
		long: "Replays an incident that was recorded from a real control plane. It starts 20 seconds\nbefore the first node is declared Unknown.\n\n" +
			demoList() + "\n\nWherever a PATH is taken, demo:NAME names one of them.",
		example: "  kardia demo\n  kardia demo node-loss --at +470s",
		args:    arguments{0, 1, "one NAME at most"},
		valid:   demoNames(),
		flags: func(flags *pflag.FlagSet) {
			f.add(flags, r)
			f.addAt(flags)
		},
		run: func(k *call) error {
			name := strings.TrimPrefix(append(k.args, demoNames()[0])[0], demoPrefix)
			return r.showRecording(k.cmd, f, []string{demoPrefix + name})
		},
	})
}

func demoList() string {
	var lines []string
	for _, d := range demo.List() {
		lines = append(lines, fmt.Sprintf("  %-14s%s", d.Name, d.Title))
	}
	return strings.Join(lines, "\n")
}
