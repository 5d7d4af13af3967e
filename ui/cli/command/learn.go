package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/sources/lesson"
	"kardia/sources/lesson/play"
	"kardia/ui/app"
	"kardia/ui/learn"
	"kardia/ui/learn/tour"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/session"
	"kardia/ui/words"
)

type learnFlags struct {
	show  showFlags
	class bool
	check bool
	// events prints what happens in a lesson, too.
	events bool
}

func (r *run) learn() *cobra.Command {
	f := &learnFlags{}
	return r.command(command{
		use:   "learn [LESSON]",
		short: "Take lessons: predict the control plane, then check",
		long: `Starts a lesson: you predict what the control plane does next, then see it
decide. Without a LESSON it lists them, with your progress. A LESSON is a name, a
number (L2), tour (Kardia itself, in ten minutes), or a Markdown file or folder of
your own: docs/lessons.md.`,
		example: "  kardia learn\n  kardia learn kubelet-stops\n  kardia learn L9 --class --language ko\n  kardia learn --check my-lesson.md",
		args:    arguments{0, 1, "one LESSON at most"},
		valid:   append([]string{tour.Name}, lesson.Names()...),
		flags: func(flags *pflag.FlagSet) {
			f.show.addFrame(flags, r)
			flags.BoolVar(&f.class, "class", false, "for a class: big digits, and votes instead of answers")
			flags.BoolVar(&f.check, "check", false, "play a LESSON of your own to its end in each language, and print its mistakes")
			flags.BoolVar(&f.events, "events", false, "with --check: first print the events of the run that is shown, in the words of queries")
		},
		run: func(k *call) error {
			if err := f.show.check(r); err != nil {
				return err
			}
			if f.events && !f.check {
				return required("--events: --check")
			}
			return r.showLessons(k.cmd.Context(), f, k.args)
		},
	})
}

func (r *run) showLessons(ctx context.Context, f *learnFlags, args []string) error {
	look, err := app.LookOf(r.options(&f.show, nil))
	if err != nil {
		return err
	}
	if len(args) > 0 && args[0] == tour.Name {
		return r.showTour(ctx, f, look)
	}
	o := learn.Options{Lessons: lesson.Embedded(), Language: r.language.value, Class: f.class, Look: look}
	if len(args) > 0 {
		one, err := r.lesson(args[0])
		if err != nil {
			return err
		}
		o.Open = one.Name
		if !slices.Contains(o.Lessons, one) {
			o.Lessons = []*lesson.Lesson{one}
		}
		if f.check {
			return r.checkLesson(one, f.events)
		}
	} else if f.check {
		return required("--check: LESSON")
	}
	if r.StateDir != "" {
		kept, err := learn.OpenFile(filepath.Join(r.StateDir, "lessons.json"))
		if err != nil {
			r.say("how far you have come is not known: %v", err)
		}
		o.Progress = kept
	}
	if r.single(&f.show) {
		return r.printLessons(f, o)
	}
	o.Tour = true
	defer words.Speak(r.language.value) // L changes the language of lessons alone
	return takeLessons(o, func(o learn.Options) (*learn.Outcome, error) {
		left, err := learn.Run(ctx, o)
		if ctx.Err() != nil {
			err = context.Canceled
		}
		return left, err
	}, func(real lesson.Real) error { return r.showReal(ctx, f, real) }, func() error {
		in := *f
		in.show.within = words.Label("lessons")
		return r.showTour(ctx, &in, look)
	})
}

// printLessons prints the list, or a frame of one lesson.
func (r *run) printLessons(f *learnFlags, o learn.Options) error {
	if o.Open == "" {
		_, err := fmt.Fprint(r.Out, learn.List(o.Lessons, o.Progress, o.Language))
		return err
	}
	frame := f.show.size
	if frame == (size{}) {
		frame = standardSize
	}
	_, err := fmt.Fprintln(colorprofile.NewWriter(paint.Styles(r.Out), r.Environ), learn.Once(o, frame.w, frame.h))
	return err
}

// takeLessons shows lessons, and the tour and real cases they lead to, until the person leaves.
func takeLessons(o learn.Options, teach func(learn.Options) (*learn.Outcome, error), show func(lesson.Real) error, tour func() error) error {
	for {
		left, err := teach(o)
		switch {
		case err != nil:
		case left.Tour:
			err = tour()
		case left.Real != (lesson.Real{}):
			err = show(left.Real)
		default:
			return nil
		}
		if err != nil {
			return err
		}
		o.Resume = left
	}
}

// showReal opens a recording at the decision that a lesson leads to.
func (r *run) showReal(ctx context.Context, f *learnFlags, real lesson.Real) error {
	paths := []string{demoPrefix + real.Demo}
	opened, err := r.open(ctx, paths)
	if err != nil {
		return err
	}
	d, err := realDecision(opened.History, f.show.params.paramsOf(opened), real)
	if err != nil {
		return err
	}
	show := f.show
	show.within = words.Label("lesson")
	show.begin(d)
	return r.showOpened(ctx, &show, opened, paths)
}

// showTour shows the tour in a demo; without a terminal it prints the demo's frame.
func (r *run) showTour(ctx context.Context, f *learnFlags, look app.Look) error {
	paths := []string{demoPrefix + tour.Demo}
	opened, err := r.open(ctx, paths)
	if err != nil {
		return err
	}
	if r.single(&f.show) {
		return r.showOpened(ctx, &f.show, opened, paths)
	}
	s := session.Replay(opened.History, session.Options{Name: opened.Name, Start: opened.Start, Play: true, Params: f.show.params.paramsOf(opened),
		Judging: session.InBackground})
	defer s.Close()
	return tour.Run(ctx, r.options(&f.show, s), look, r.language.value)
}

// lesson is an embedded lesson by its name or number, or one in a file or folder.
func (r *run) lesson(name string) (*lesson.Lesson, error) {
	var names []string
	for _, l := range lesson.Embedded() {
		if strings.EqualFold(name, l.Name) || l.Number > 0 && strings.EqualFold(name, learn.Label(l)) {
			return l, nil
		}
		names = append(names, l.Name)
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nobody("lesson", name, r.program, names)
	}
	if err != nil {
		return nil, &Fault{Code: Unreadable, What: err.Error(), Err: err}
	}
	folder, only := name, "*"
	if !info.IsDir() {
		folder, only = filepath.Dir(name), filepath.Base(name)
	}
	l, err := lesson.Read(os.DirFS(folder), strings.TrimSuffix(filepath.Base(name), ".md"), only)
	if err != nil {
		return nil, r.notALesson(name, err)
	}
	return l, nil
}

// notALesson prints each mistake of a lesson in its own line.
func (r *run) notALesson(name string, err error) error {
	for mistake := range strings.Lines(err.Error()) {
		r.say("%s", strings.TrimSpace(mistake))
	}
	return &Fault{Code: Unreadable, What: name + " is not a lesson that can be taught", Next: "docs/lessons.md says how one is written.", Err: err}
}

// printEvents prints the events of each branch except renewals, with times from the lesson's zero.
func (r *run) printEvents(stage *lesson.Stage) error {
	var text strings.Builder
	for _, branch := range slices.Sorted(maps.Keys(stage.Lesson.Branches)) {
		if branch != "" {
			fmt.Fprintf(&text, "\nbranch %s\n", branch)
		}
		for _, e := range stage.Shown(&lesson.Beat{Branch: branch}).Events {
			if e.Kind != play.Renewal {
				about := strings.TrimSpace(e.Node + " " + e.Pod.Name)
				fmt.Fprintf(&text, "%8s  %-16s  %s\n", model.Clock(e.At-stage.Lesson.Zero), e.Kind, cmp.Or(about, e.Zone))
			}
		}
	}
	_, err := fmt.Fprintln(r.Out, text.String())
	return err
}

func (r *run) checkLesson(l *lesson.Lesson, events bool) error {
	stage := lesson.NewStage(l, lesson.Plays)
	if events {
		if err := r.printEvents(stage); err != nil {
			return err
		}
	}
	if err := stage.Check(); err != nil {
		return r.notALesson(l.Name, err)
	}
	questions := 0
	for i := range l.Beats {
		if l.Beats[i].Question != nil {
			questions++
		}
	}
	_, err := fmt.Fprintf(r.Out, "%s: %s, %s, %s; %d runs agree with all of it\n", l.Name, model.Counted(len(l.Beats), "step", "steps"),
		model.Counted(questions, "question", "questions"), model.Counted(len(l.Texts), "language", "languages"), lesson.Plays)
	return err
}

// begin starts the program where the objects show a decision.
func (f *showFlags) begin(d *model.Decision) {
	f.view.value, f.at = "zones", screen.Stands(d).Time().Format(time.RFC3339Nano)
	if d.Node != "" {
		f.view.value, f.node = "node", d.Node
	}
}

// realDecision is the decision that a lesson leads to: the first seen one of its kind, rule and node, if named.
func realDecision(h history.History, params model.Params, real lesson.Real) (*model.Decision, error) {
	result, err := infer.Run(h, infer.Options{Params: params})
	if err != nil {
		return nil, err
	}
	for i := range result.Decisions {
		d := &result.Decisions[i]
		did := d.Outcome == model.Did || d.Outcome == model.Cancelled
		fits := (real.Rule == model.RuleNone || d.Rule == real.Rule) && (d.Kind != model.ZoneState || real.State == model.ZoneNone || d.State.To == real.State)
		if did && fits && strings.EqualFold(d.Kind.String(), real.Decision) && (real.Node == "" || d.Node == real.Node) && (d.Basis == model.Observed || !d.LeavesTrace) {
			return d, nil
		}
	}
	return nil, fmt.Errorf("demo:%s shows no %s %s", real.Demo, real.Decision, real.Node)
}
