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

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/sources/capture/recorder"
	"kardia/sources/capture/stream"
	"kardia/sources/recording"
	"kardia/ui/paint"
	"kardia/ui/screen"
)

// recordFlags are the flags of record.
type recordFlags struct {
	output  string
	length  time.Duration
	ring    time.Duration
	maxSize byteSize
	force   bool
	metrics string
	params  paramFlags
}

func (r *run) record() *cobra.Command {
	f := &recordFlags{}
	cmd := &cobra.Command{
		Use:   "record -o FILE",
		Short: "Record a cluster without a screen",
		Long: `Records nodes, their leases, pods and events of kubectl's current cluster, until
it is interrupted (SIGINT, SIGTERM, SIGHUP) or a limit is reached. It also lists
volumes, budgets, EndpointSlices and the objects of autoscalers and other actors
now and then, if that is permitted, and reports what is not.
A crash loses at most the last five seconds. Objects are reduced to the fields
that node health depends on; only the owner can read the file.

With --ring it records forever into a directory of files, and deletes the oldest.

Control-plane flags from the command line or the configuration are stored in the
recording, and used for the predictions of --metrics.`,
		Example: "  kardia record -o incident.mcap --for 2h\n  kardia record -o day.mcap --metrics :9464\n  kardia record --ring 4h -o /var/lib/kardia --max-size 2GiB",
		Args:    wants(0, 0, "no arguments; -o names the file"),
		RunE: does(func(cmd *cobra.Command, _ []string) error {
			return r.recordTo(cmd.Context(), f)
		}),
	}
	flags := cmd.Flags()
	flags.StringVarP(&f.output, "output", "o", "", "the file to record to; with --ring the directory")
	flags.DurationVar(&f.length, "for", 0, "stop after this time, as in 90m; 0: no limit")
	flags.DurationVar(&f.ring, "ring", 0, "keep this much time, in several files; the oldest are deleted")
	flags.VarP(&f.maxSize, "max-size", "", "stop at this size, as in 500M; with --ring, the size to keep (default 1GiB)")
	flags.BoolVar(&f.force, "force", false, "replace an existing file")
	flags.StringVar(&f.metrics, "metrics", "", "serve OpenMetrics at HOST:PORT; :9464 is on loopback")
	inGroup(flags, controllerFlags, f.params.add)
	inGroup(flags, clusterFlags, r.Kube.AddFlags)
	return cmd
}

// check refuses what makes no sense.
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
	version, err := r.Kube.Reach(ctx)
	if err != nil {
		return r.unreachable(ctx, err.Error()) // a watch would go on trying, and the file stay empty
	}
	stated, err := r.statedFlags(&f.params, version)
	if err != nil {
		return err
	}
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
	meta := recording.Meta{Tool: "kardia " + thisBuild().Version, Name: source.Name(), ServerVersion: version,
		Clock: "recorder", Redaction: "slim", Whole: true, Sources: stream.Describe(source.Name()), Params: stated}
	out, err := f.open(meta)
	if err != nil {
		return cannotWrite(f.output, err)
	}
	o := recorder.Options{Meta: meta, For: f.length, Free: func() (int64, error) { return freeSpace(filepath.Dir(f.output)) }, Progress: progress}
	if f.ring == 0 {
		o.MaxSize = int64(f.maxSize)
	}
	r.say("recording %s to %s", source.Name(), f.output)
	if f.ring > 0 {
		r.sayLeftovers(f.output) // they take room, and nobody else looks there
	}
	sum, err := recorder.Record(ctx, source, out, o)
	if r.ErrTerminal {
		fmt.Fprint(r.Err, eraseLine)
	}
	return r.recorded(ctx, f, sum, err)
}

// statedFlags are the flags of the control plane that are given, or that the configuration has; nil where there are
// none, and whoever reads the recording infers them.
func (r *run) statedFlags(p *paramFlags, version string) (*model.Params, error) {
	flags := r.inContext(p)
	if !flags.any() {
		return nil, nil
	}
	params, err := flags.resolve(version)
	return &params, err
}

// open opens what is recorded to.
func (f *recordFlags) open(m recording.Meta) (recorder.Output, error) {
	if f.ring > 0 {
		return recorder.NewRing(f.output, recorder.RingOptions{Meta: m, Keep: f.ring, MaxSize: int64(f.maxSize)})
	}
	if err := makeWay(f.output, f.force); err != nil {
		return nil, err
	}
	return recording.CreateFile(f.output, m, recording.Options{ArrivalUnit: time.Millisecond})
}

// recorded says what was recorded, and why no more was.
func (r *run) recorded(ctx context.Context, f *recordFlags, sum recorder.Summary, err error) error {
	if sum.Coverage.Known() && err == nil {
		r.say("%s holds %s to %s: %d changes, %s%s", f.output, sum.Coverage.Earliest, sum.Coverage.Latest, sum.Changes, paint.Bytes(sum.Size), gapsText(sum.Gaps))
	}
	switch {
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
		r.say("nothing was received, and nothing is in %s", f.output)
	}
	if sum.Reason == recorder.Asked && interrupted(ctx) {
		r.note(Interrupted)
	}
	return nil
}

// interrupted says that ctrl+c ended it. To be told to end by a signal that is meant for
// that is no interruption.
func interrupted(ctx context.Context) bool {
	cause := context.Cause(ctx)
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

// recordProgress is a line on a terminal that is written over and over; elsewhere a line
// when a watch breaks or comes back.
func (r *run) recordProgress(f *recordFlags, name string) func(recorder.Progress) {
	before := recorder.Progress{}
	short := paint.Clean(name)
	if r := []rune(short); len(r) > 30 {
		short = string(r[:29]) + "…" // a line that wraps cannot be written over
	}
	last := ""
	return func(p recorder.Progress) {
		trouble := troubles(p.Status)
		if trouble != last {
			if r.ErrTerminal {
				fmt.Fprint(r.Err, eraseLine)
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
			line += " of " + paint.Bytes(int64(f.maxSize))
		}
		before = p
		fmt.Fprint(r.Err, eraseLine+line)
	}
}

// troubles says which watches do not bring anything, and why.
func troubles(status []stream.Status) string {
	var parts []string
	for _, s := range status {
		if s.State != stream.Live && s.State != stream.Waiting && s.State != stream.Loading {
			parts = append(parts, plural(s.Kind)+" "+reason(s))
		}
	}
	return strings.Join(parts, "; ")
}

const elsewhere = "Name another file, or remove that one."

// mayCreate refuses to overwrite what was not said to be overwritten, and directories.
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

// makeWay takes away the file that is to be replaced.
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
