package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/sources/bookmarks"
	"kardia/sources/capture/recorder"
	"kardia/sources/open"
	"kardia/sources/recording"
	"kardia/ui/contract"
	"kardia/ui/paint"
)

func (r *run) convert() *cobra.Command {
	return r.command(command{
		use:   "convert PATH… -o FILE",
		short: "Convert inputs of any format to one recording",
		long: `Reads recordings in any known format and writes them as one recording (.mcap):
each object version, its time and the quality of that time, and the file and
line it came from. Kardia gives the same answers for the files and for the
recording.

Controller flags that are given are stored in it, and apply whenever it is read.`,
		example: "  kardia convert ./incident -o incident.mcap\n  kardia convert demo:node-loss -o node-loss.mcap",
		args:    somePaths,
		shares:  newFile | controllers | captures,
		write: func(k *call, opened *open.Opened) error {
			opened.ServerVersion = cmp.Or(k.params.version, opened.ServerVersion)
			stated, err := k.params.statedOf(opened)
			if err != nil {
				return err
			}
			size, err := r.write(k.cmd.Context(), opened, stated, k.file)
			if err != nil {
				return err
			}
			_, changes := opened.History.Span()
			r.say("%s: %d changes, %d bytes", k.file, changes, size)
			r.carryMarks(opened, k.args, model.Always, k.file)
			return nil
		},
	})
}

func (r *run) repair() *cobra.Command {
	return r.command(command{
		use:   "repair FILE -o FILE",
		short: "Save the readable part of a damaged recording",
		long: `Reads a recording that is damaged or was not closed, and writes the readable
part as a new one. Lost parts are listed, and are gaps in the new file; after a
gap the state is the last known one until the next complete state. The old file
is not changed, and nothing is deleted.

Exits with 4 if anything is lost.`,
		example: "  kardia repair torn.mcap -o whole.mcap",
		args:    arguments{1, 1, "one FILE: a recording"},
		shares:  newFile,
		write: func(k *call, opened *open.Opened) error {
			if len(opened.Recordings) == 0 {
				return &Fault{Code: Failed, What: fmt.Sprintf("%s is no recording by Kardia", k.args[0]),
					Next: fmt.Sprintf("'%s convert' makes one of it.", r.program)}
			}
			size, err := r.write(k.cmd.Context(), opened, opened.Recordings[0].Meta().Params, k.file)
			if err != nil {
				return err
			}
			r.carryMarks(opened, k.args, model.Always, k.file)
			r.sayLeftovers(k.args[0])
			if len(opened.Recordings[0].Problems()) == 0 {
				r.say("%s: nothing was damaged; %d bytes", k.file, size)
				return nil
			}
			r.note(Partial)
			r.say("%s: what could be read, %d bytes", k.file, size)
			return nil
		},
	})
}

// sayLeftovers names what packings left beside a recording, or in a directory of them.
func (r *run) sayLeftovers(path string) {
	for _, left := range recording.Leftovers(path) {
		r.say("%s", contract.Leftover(left))
	}
}

// write writes the opened input as a recording, and returns its size.
func (r *run) write(ctx context.Context, opened *open.Opened, stated *model.Params, path string) (size int64, err error) {
	meta, marks := opened.About("kardia " + thisBuild().Version)
	meta.Params = stated
	return create(path, meta, func(w *recording.Writer) error {
		works := r.works(ctx, opened.History)
		ends := works.begins("writing " + path)
		err := w.Copy(works.through(opened.History))
		ends()
		for _, m := range marks {
			if err == nil {
				err = w.AddMark(m)
			}
		}
		return err
	})
}

// create makes a recording, and returns its size. If it cannot be filled, no file is left.
func create(path string, meta recording.Meta, fill func(*recording.Writer) error) (size int64, err error) {
	w, err := recording.CreateFile(path, meta, recording.Options{Packed: true})
	if err != nil {
		return 0, cannotWrite(path, err)
	}
	if err := fill(w); err != nil {
		return 0, errors.Join(err, w.Abandon())
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return w.Size(), nil
}

func (r *run) cut() *cobra.Command {
	var from, to string
	return r.command(command{
		use:   "cut PATH… -o FILE",
		short: "Copy a part of a recording to a new one",
		long: `Writes the part between two times to a new file, which starts with the state at
the first of them.`,
		example: "  kardia cut day.mcap --from 02:55:00 --to 03:40:00 -o outage.mcap\n  kardia cut audit.log --from -30m -o end.mcap",
		args:    somePaths,
		shares:  newFile | captures,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&from, "from", "", "start time: "+times)
			flags.StringVar(&to, "to", "", "end time")
		},
		write: func(k *call, opened *open.Opened) (err error) {
			part := opened.History.Coverage()
			if part.Earliest, err = instantOf("--from", from, opened.History, part.Earliest); err != nil {
				return err
			}
			if part.Latest, err = r.end(to, opened.History); err != nil {
				return err
			}
			if part.Earliest > part.Latest {
				return misuse("--from %s comes after --to %s", part.Earliest, part.Latest)
			}
			if err := r.saveTo(k.cmd.Context(), opened, part, k.file); err != nil {
				return err
			}
			r.carryMarks(opened, k.args, part, k.file)
			return nil
		},
	})
}

func (r *run) saveTo(ctx context.Context, opened *open.Opened, part model.Interval, path string) error {
	meta, marks := opened.About("kardia " + thisBuild().Version)
	if !part.Contains(meta.Start) {
		meta.Start = 0
	}
	if meta.Params == nil {
		var err error
		if meta.Params, err = (&paramFlags{}).statedOf(opened); err != nil {
			return err
		}
	}
	w := r.works(ctx, opened.History)
	ends := w.beginsEndless("writing " + path)
	err := recorder.Save(w.through(opened.History), meta, marks, part, path)
	if ends(); ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return cannotWrite(path, err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	r.say("%s holds %s to %s, %s", path, part.Earliest, part.Latest, paint.Bytes(info.Size()))
	return nil
}

// carryMarks writes a person's marks beside a recording made of others. It reports an error, and does not fail.
func (r *run) carryMarks(opened *open.Opened, paths []string, window model.Interval, output string) {
	n, err := bookmarks.Carry(paths, opened.Marks(), window, output)
	if err != nil {
		r.say("%v", err)
	}
	if n > 0 {
		r.say("%s: %s", output+bookmarks.Suffix, model.Counted(n, "mark", "marks"))
	}
}
