package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/history"
	"kardia/sources/capture/recorder"
	"kardia/sources/capture/stream"
	"kardia/sources/recording"
	"kardia/ui/paint"
	"kardia/ui/screen"
	"kardia/ui/topics"
)

type recordFlags struct {
	output  string
	length  time.Duration
	ring    time.Duration
	maxSize int64
	force   bool
	metrics string
	params  paramFlags
}

func (r *run) record() *cobra.Command {
	f := &recordFlags{}
	return r.command(command{
		use:   "record -o FILE",
		short: "Record a cluster without a screen",
		long: `Records nodes, their leases, pods and events of kubectl's current cluster, until
it is interrupted (SIGINT, SIGTERM, SIGHUP) or a limit is reached. It also lists
volumes, budgets, EndpointSlices and the objects of autoscalers and other actors
now and then, if that is permitted, and reports what is not.
If the cluster does not answer or refuses, it waits and asks again, as 'live' does,
and stderr says for what. The file is written from the first list on.
A crash loses at most the last five seconds. Objects are reduced to the fields
that node health depends on; only the owner can read the file.

With --ring it records forever into a directory of files, and deletes the oldest.

Control-plane flags from the command line or the configuration are stored in the
recording, and used for the predictions of --metrics.`,
		example: "  kardia record -o incident.mcap --for 2h\n  kardia record -o day.mcap --metrics :9464\n  kardia record --ring 4h -o /var/lib/kardia --max-size 2GiB",
		args:    arguments{0, 0, "no arguments; -o names the file"},
		shares:  cluster,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVarP(&f.output, "output", "o", "", "the file to record to; with --ring the directory")
			flags.DurationVar(&f.length, "for", 0, "stop after this time, as in 90m; 0: no limit")
			flags.DurationVar(&f.ring, "ring", 0, "keep this much time, in several files; the oldest are deleted")
			flags.Var(&value[int64]{is: &f.maxSize, kind: "size", read: readBytes}, "max-size", "stop at this size, as in 500M; with --ring, the size to keep (default 1GiB)")
			flags.BoolVar(&f.force, "force", false, "replace an existing file")
			flags.StringVar(&f.metrics, "metrics", "", "serve OpenMetrics at HOST:PORT; :9464 is on loopback")
			inGroup(flags, controllerFlags, f.params.add)
		},
		run: func(k *call) error { return r.recordTo(k.cmd.Context(), f) },
	})
}

func (f *recordFlags) check() error {
	switch {
	case f.output == "":
		return required("-o FILE (with --ring a directory)")
	case f.length < 0 || f.ring < 0:
		return misuse("--for and --ring must be above 0")
	case f.ring > 0 && f.force:
		return misuse("--ring adds to its directory; --force is for files")
	}
	return nil
}

func (r *run) recordTo(ctx context.Context, f *recordFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	if f.ring == 0 {
		if err := mayCreate(f.output, f.force, "Name another file, or say --force to replace it."); err != nil {
			return err
		}
	}
	unbroken()
	stated, err := r.statedFlags(ctx, &f.params, "")
	if err != nil {
		return err
	}
	release, err := f.lock()
	if err != nil {
		return r.notLocked(f, err)
	}
	defer release()
	source, done, err := r.openStream(ctx)
	if err != nil {
		return err
	}
	defer done()
	if s, ok := source.(stream.Asker); ok { // else replays lack what live views show
		s.Ask(slices.Concat(screen.Served, screen.Acting, screen.Serving)...)
	}
	progress := r.recordProgress(f, source.Name())
	if f.metrics != "" {
		exporter, first, stop, err := r.serveMetrics(ctx, f.metrics, stated, source)
		if err != nil {
			return err
		}
		defer stop()
		source, progress = first, tellAlso(exporter, progress)
	}
	meta := recording.Meta{Tool: "kardia " + thisBuild().Version, Name: source.Name(),
		Clock: "recorder", Redaction: "slim", Whole: true, Sources: stream.Describe(source.Name())}
	if stated != (model.Params{}) {
		meta.Params = &stated
	}
	o := recorder.Options{Meta: meta, SaysClock: func(c *history.ClockReading) string { return topics.RecorderClock(c).String() }, For: f.length, Free: func() (int64, error) { return freeSpace(filepath.Dir(f.output)) }, Progress: progress}
	if f.ring == 0 {
		o.MaxSize = f.maxSize
	}
	sum, err := recorder.Record(ctx, source, func(meta recording.Meta) (recorder.Output, error) { return r.openOutput(f, meta) }, o)
	if r.ErrTerminal {
		paint.EraseLine(r.Err)
	}
	return r.recorded(ctx, f, sum, err)
}

// unbroken keeps SIGPIPE from ending the process when a reader of its messages ends. The signal is not ignored: login
// helpers would inherit that.
func unbroken() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// statedFlags are the given or configured flags of the control plane, and the version's defaults; zero if there are none:
// sessions and readers then infer them. version is "" if it is not known yet.
func (r *run) statedFlags(ctx context.Context, p *paramFlags, version string) (model.Params, error) {
	flags := r.inContext(p)
	if !flags.any() {
		return model.Params{}, nil
	}
	if version == "" {
		version, _ = r.Kube.Reach(ctx) // the watch reports any fault
	}
	return flags.resolve(version)
}

// lock keeps other recorders from the file, or from the directory of a ring.
func (f *recordFlags) lock() (release func(), err error) {
	if f.ring > 0 {
		return recorder.LockRing(f.output)
	}
	if !recorder.IsSegment(f.output) {
		return recording.Lock(f.output)
	}
	ring, err := recorder.LockRing(filepath.Dir(f.output)) // it may be the file that a ring writes
	if err != nil {
		return nil, err
	}
	file, err := recording.Lock(f.output)
	if err != nil {
		ring()
		return nil, err
	}
	return func() { file(); ring() }, nil
}

func (r *run) notLocked(f *recordFlags, err error) error {
	var taken *recording.ErrTaken
	if !errors.As(err, &taken) {
		return cannotWrite(f.output, err)
	}
	next := "Name another file, or end that recorder first."
	if f.ring > 0 {
		next = "Name another directory, or end that recorder first."
	}
	return &Fault{Code: Failed, What: fmt.Sprintf("cannot record to %s: %v", f.output, err), Means: "Nothing was written.", Next: next, Err: err}
}

func (r *run) openOutput(f *recordFlags, m recording.Meta) (recorder.Output, error) {
	out, err := f.open(m)
	if err != nil {
		return nil, cannotWrite(f.output, err)
	}
	r.say("recording %s to %s", m.Name, f.output)
	if f.ring > 0 {
		r.sayLeftovers(f.output) // they take space, and nothing else reports them
	}
	return out, nil
}

func (f *recordFlags) open(m recording.Meta) (recorder.Output, error) {
	if f.ring > 0 {
		return recorder.NewRing(f.output, recorder.RingOptions{Meta: m, Keep: f.ring, MaxSize: f.maxSize})
	}
	if err := makeWay(f.output, f.force); err != nil {
		return nil, err
	}
	return recording.CreateFile(f.output, m, recording.Options{ArrivalUnit: time.Millisecond})
}

// recorded prints the extent of the recording, and why it ended.
func (r *run) recorded(ctx context.Context, f *recordFlags, sum recorder.Summary, err error) error {
	if sum.Coverage.Known() && err == nil {
		r.say("%s holds %s to %s: %d changes, %s%s", f.output, sum.Coverage.Earliest, sum.Coverage.Latest, sum.Changes, paint.Bytes(sum.Size), gapsText(sum.Gaps))
	}
	var fault *Fault
	switch {
	case errors.As(err, &fault):
		return fault // it could not be opened
	case errors.Is(err, recording.ErrGone):
		return &Fault{Code: Failed, What: "recording ended early: " + err.Error(), Err: err,
			Means: "What was written is lost if the file was removed; if it was moved, it can be read there.",
			Next:  fmt.Sprintf("Start '%s record' again.", r.program)}
	case err != nil:
		return &Fault{Code: Failed, What: "recording ended early: " + err.Error(), Err: err,
			Means: "What was written until a few seconds before can be read.",
			Next:  fmt.Sprintf("'%s info %s' says what the file holds; '%s repair' makes a clean one of it.", r.program, f.output, r.program)}
	case sum.Reason == recorder.NoRoom:
		return &Fault{Code: Failed, What: "recording ended early: the disk is nearly full",
			Means: "The file was closed, and holds everything until then."}
	case sum.Coverage.Known():
	default:
		r.note(Failed)
		r.say("nothing was received: %s was not written", f.output)
	}
	if sum.Reason == recorder.Asked && interrupted(ctx) {
		r.note(Interrupted)
	}
	return nil
}

// interrupted reports whether ctrl+c ended it; other signals are a normal end.
func interrupted(ctx context.Context) bool {
	cause := context.Cause(ctx)
	//nolint:errorlint // a signal is another cause, and may wrap it
	return cause == context.Canceled || cause != nil && strings.HasPrefix(cause.Error(), os.Interrupt.String()+" ")
}

func gapsText(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", with a gap"
	}
	return fmt.Sprintf(", with %d gaps", n)
}

// recordProgress updates one line on a terminal; elsewhere it prints a line if a watch breaks or returns.
func (r *run) recordProgress(f *recordFlags, name string) func(recorder.Progress) {
	before := recorder.Progress{}
	short := paint.Clean(name)
	if r := []rune(short); len(r) > 30 {
		short = string(r[:29]) + "…" // a line that wraps cannot be overwritten
	}
	last := ""
	return func(p recorder.Progress) {
		trouble := troubles(p.Status)
		if p.Changes == 0 {
			trouble = waiting(p.Elapsed, trouble)
		}
		if trouble != last {
			if r.ErrTerminal {
				paint.EraseLine(r.Err)
			}
			if last = trouble; trouble == "" {
				trouble = "everything is received"
			}
			r.say("%s: %s", name, trouble)
		}
		if !r.ErrTerminal {
			return
		}
		line := fmt.Sprintf("%s  %s  %d changes", short, p.Elapsed.Truncate(time.Second), p.Changes)
		if s := (p.Elapsed - before.Elapsed).Seconds(); s > 0 {
			line += fmt.Sprintf("  %.0f/s", float64(p.Changes-before.Changes)/s)
		}
		line += "  " + paint.Bytes(p.Size)
		if f.maxSize > 0 {
			line += " of " + paint.Bytes(f.maxSize)
		}
		before = p
		paint.EraseLine(r.Err)
		fmt.Fprint(r.Err, line)
	}
}

// patience is how long the first list may take without a message.
const patience = 3 * time.Second

// waiting is why the first list has not come.
func waiting(elapsed time.Duration, trouble string) string {
	switch {
	case trouble != "":
		return "waiting for the first lists: " + trouble
	case elapsed >= patience:
		return "waiting for the first lists: the API server has not answered yet"
	}
	return ""
}

// troubles are the watches that receive nothing, by reason.
func troubles(status []stream.Status) string {
	var reasons []string
	kinds := map[string][]string{}
	for _, s := range status {
		if s.State == stream.Live || s.State == stream.Waiting || s.State == stream.Loading {
			continue
		}
		why := s.Reason()
		if kinds[why] == nil {
			reasons = append(reasons, why)
		}
		kinds[why] = append(kinds[why], plural(s.Kind))
	}
	for i, why := range reasons {
		reasons[i] = strings.Join(kinds[why], ", ") + " " + why
	}
	return strings.Join(reasons, "; ")
}

const elsewhere = "Name another file, or remove that one."

// mayCreate refuses to overwrite files without permission, and directories.
func mayCreate(path string, force bool, next string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return cannotWrite(path, err)
	case info.IsDir():
		return cannotWrite(path, errors.New("it is a directory"))
	case !force:
		return &Fault{Code: Failed, What: path + " is there already", Means: "Nothing was written.", Next: next}
	case !info.Mode().IsRegular():
		return cannotWrite(path, errors.New("it is no ordinary file"))
	}
	return nil
}

func makeWay(path string, force bool) error {
	if !force {
		return nil
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cannotWrite(path, err)
	}
	return nil
}

func cannotWrite(path string, err error) error {
	return &Fault{Code: Failed, What: fmt.Sprintf("cannot write %s: %v", path, err), Err: err}
}
