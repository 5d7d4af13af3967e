package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/model/history"
	"kardia/sources/demo"
	"kardia/sources/open"
	"kardia/sources/read/identity"
	"kardia/ui/contract"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/session"
	"kardia/ui/timeinput"
	"kardia/ui/topics"
)

// demoPrefix names an embedded incident, in place of a path.
const demoPrefix = "demo:"

// open opens recordings, and prints the parts that could not be used.
func (r *run) open(ctx context.Context, paths []string) (*open.Opened, error) {
	if err := checkDemos(paths); err != nil {
		return nil, err
	}
	opens := open.Open
	if r.Opens != nil {
		opens = r.Opens
	}
	opened, err := opens(ctx, paths, r.tells(r.reading()))
	if r.ErrTerminal {
		paint.EraseLine(r.Err)
	}
	return opened, r.wasOpened(paths, opened, err)
}

// wasOpened prints the parts of opened recordings that could not be used.
func (r *run) wasOpened(paths []string, opened *open.Opened, err error) error {
	if err != nil {
		return r.cannotOpen(paths, err)
	}
	r.sayUnused(opened)
	return nil
}

func (r *run) reading() open.Options {
	return open.Options{Says: topics.Finding, CapturedAt: r.capturedAt, Year: r.year, LogZone: r.logZone, LookBack: r.lookBack}
}

// checkDemos refuses demos that do not exist: the command line is wrong, and not a recording.
func checkDemos(paths []string) error {
	for _, p := range paths {
		if name, ok := strings.CutPrefix(p, demoPrefix); ok && !slices.Contains(demoNames(), name) {
			return misuse("there is no demo %q; demos: %s", name, strings.Join(demoNames(), ", "))
		}
	}
	return nil
}

func (r *run) cannotOpen(paths []string, err error) error {
	if mixed := (*identity.Mixed)(nil); errors.As(err, &mixed) {
		return &Fault{Code: Misused, What: mixed.Error(), Err: err,
			Means: "Objects of different clusters are never merged: the nodes of one would be silent in the other.",
			Next:  "Open the files of each cluster separately."}
	}
	if errors.Is(err, open.ErrCapturedAt) {
		return misuse("%v", err)
	}
	if !errors.Is(err, open.ErrUnreadable) {
		return err
	}
	fault := &Fault{Code: Unreadable, What: err.Error(), Err: err,
		Next: fmt.Sprintf("Arguments are recordings: kubectl watch output, object dumps or an audit log; '%s demo' shows an example.", r.program)}
	for _, p := range paths {
		if _, err := os.Stat(p); !errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(p, "@:") {
			continue
		}
		if fault.What = fmt.Sprintf("no file or directory %q", p); !strings.Contains(p, "/") && strings.Count(p, ".") != 1 {
			fault.Next = fmt.Sprintf("Arguments are recordings. For one node of the live cluster: %s get nodes --node %s", r.program, p)
		}
		break
	}
	return fault
}

// tells adds the progress of reading, on a terminal after the first second.
func (r *run) tells(o open.Options) open.Options {
	if r.ErrTerminal {
		m := newMeter(r.Err, time.Now)
		o.Progress = m.tell
		o.Played = func(played, length time.Duration, what string) {
			m.working(float64(played)/float64(length), "playing "+what, 0)
		}
	} else {
		o.Waits = func(what string) {
			r.say("waiting until something is written into %s; ctrl+c ends this", what)
		}
	}
	return o
}

// maxUnused is how many problems are printed; info lists all.
const maxUnused = 10

func (r *run) sayUnused(o *open.Opened) {
	told, more := 0, 0
	for _, s := range o.History.Sources() {
		for _, p := range s.Problems {
			if told++; told > maxUnused {
				more++
				continue
			}
			if p.Used {
				r.say("%s", contract.ProblemOf(p))
			} else {
				r.say("not used: %s", contract.ProblemOf(p))
			}
		}
		more += s.Dropped
	}
	if more > 0 {
		r.say("… and %d more; '%s info' lists them", more, r.program)
	}
	if n := len(o.Skipped); n > 0 {
		names := strings.Join(o.Skipped[:min(n, 3)], ", ")
		if n > 3 {
			names += ", …"
		}
		r.say("skipped %s of unknown format: %s", model.Counted(n, "file", "files"), names)
	}
	if o.Partial {
		r.note(Partial)
	}
}

// instant reads --at, which must be covered by the recording; standard if text is "".
func instant(text string, h history.History, standard model.Instant) (model.Instant, error) {
	return instantOf("--at", text, h, standard)
}

// instantOf is instant for any flag.
func instantOf(flag, text string, h history.History, standard model.Instant) (model.Instant, error) {
	if text == "" {
		return standard, nil
	}
	coverage := h.Coverage()
	at, err := timeinput.Parse(text, coverage, coverage.Latest, time.UTC)
	if err != nil {
		return 0, misuse("%s: %v", flag, err)
	}
	if coverage.Bounded() && !coverage.Contains(at) {
		return 0, misuse("%s %s is %s: outside the recording, which covers %s to %s",
			flag, text, at, coverage.Earliest, coverage.Latest)
	}
	return at, nil
}

// end is the end of --to: at most the recording's, which is then reported.
func (r *run) end(text string, h history.History) (model.Instant, error) {
	latest := h.Coverage().Latest
	if at, err := timeinput.Parse(text, h.Coverage(), latest, time.UTC); text != "" && err == nil && at > latest {
		r.say("--to %s is %s: the recording ends at %s, and so does the output", text, at, latest)
		return latest, nil
	}
	return instantOf("--to", text, h, latest)
}

// sayCaptured prints that a time is that of a capture, and when it was taken.
func (r *run) sayCaptured(h history.History, at model.Instant) {
	c, _ := history.Alone(h, at)
	switch {
	case c == nil || c.At != at:
	case c.Told():
		r.say("a capture, taken at %s: its history is not known", c.At)
	case c.Taken.Latest.Bounded():
		r.say("a capture, taken between %s and %s: ages are at least those shown, and its history is not known", c.Taken.Earliest, c.Taken.Latest)
	default:
		r.say("a capture, taken at %s or later: ages are at least those shown (--captured-at gives the time), and its history is not known", c.Taken.Earliest)
	}
}

func demoNames() []string {
	var names []string
	for _, d := range demo.List() {
		names = append(names, d.Name)
	}
	return names
}

// opening is recordings that are opened while the program runs.
type opening struct {
	// lengthy fires if it takes long, done is closed at the end.
	lengthy <-chan time.Time
	done    chan struct{}
	// read has the newest progress.
	read chan screen.Opening

	// Valid when done:
	opened *open.Opened
	err    error
}

func openBeside(ctx context.Context, paths []string, given open.Options) *opening {
	o := &opening{lengthy: time.After(quiet), done: make(chan struct{}), read: make(chan screen.Opening, 1)}
	began := time.Now()
	tell := func(is screen.Opening) {
		is.For = time.Since(began)
		select {
		case <-o.read:
		default:
		}
		o.read <- is
	}
	go func() {
		defer close(o.done)
		defer crash.Into(&o.err)
		given.Progress = func(done, total int64, _ string) {
			tell(screen.Opening{Done: done, Total: total})
		}
		given.Played = func(played, length time.Duration, _ string) {
			tell(screen.Opening{Done: int64(played), Total: int64(length), Plays: true})
		}
		o.opened, o.err = open.Open(ctx, paths, given)
	}()
	return o
}

// long waits for the end, or until it takes long.
func (o *opening) long() bool {
	select {
	case <-o.done:
		return false
	case <-o.lengthy:
		return true
	}
}

// showOpening runs the app while a recording is opened. Unused parts are printed after the app, which owns the screen.
func (r *run) showOpening(ctx context.Context, f *showFlags, o *opening, paths []string) error {
	open := func(ctx context.Context, progress func(screen.Opening)) (session.Recording, error) {
		for {
			select {
			case read := <-o.read:
				progress(read)
			case <-ctx.Done():
				return session.Recording{}, ctx.Err()
			case <-o.done:
				return o.recording(f)
			}
		}
	}
	s := session.Opening(open, session.Options{Name: calledFor(paths), Play: r.plays(f), Keep: keeper(paths), ZoneLabel: r.configuration().ZoneLabel, Thresholds: r.configuration().Thresholds})
	options := r.options(f, s)
	options.Report = func(form string) (string, error) {
		<-o.done // the program asks for it only then
		if o.err != nil {
			return "", o.err
		}
		return r.reporter(&f.params, o.opened, paths)(form)
	}
	if err := r.show(ctx, f, options); err != nil {
		return err
	}
	select {
	case <-o.done:
	default:
		return nil // left before it was open
	}
	return r.wasOpened(paths, o.opened, o.err)
}

// calledFor is the name of the input until its own is known.
func calledFor(paths []string) string {
	name := filepath.Base(paths[0])
	if len(paths) > 1 {
		name += fmt.Sprintf(" +%d", len(paths)-1)
	}
	return name
}

func (o *opening) recording(f *showFlags) (session.Recording, error) {
	if o.err != nil {
		return session.Recording{}, o.err
	}
	start, err := instant(f.at, o.opened.History, o.opened.Start)
	if err != nil {
		start = o.opened.Start
	}
	if err == nil && o.opened.Partial {
		err = fmt.Errorf("a part of %s could not be used: details follow at the end, and in 'info'", o.opened.Name)
	}
	return session.Recording{History: o.opened.History, Name: o.opened.Name, Start: start, Marks: o.opened.Marks(),
		Params: f.params.paramsOf(o.opened)}, err
}
