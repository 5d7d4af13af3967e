package command

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/sources/capture/recorder"
	"kardia/sources/open"
	"kardia/ui/paint"
)

func (r *run) cut() *cobra.Command {
	var from, to, output string
	cmd := &cobra.Command{
		Use:   "cut PATH… -o FILE",
		Short: "Copy a part of a recording to a new one",
		Long: `Writes the part between two times to a new file, which starts with the state at
the first of them.`,
		Example: "  kardia cut day.mcap --from 02:55:00 --to 03:40:00 -o outage.mcap\n  kardia cut audit.log --from -30m -o end.mcap",
		Args:    wants(1, -1, "at least one PATH: a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			if output == "" {
				return required("-o FILE")
			}
			if err := mayCreate(output, false, elsewhere); err != nil {
				return err
			}
			opened, err := r.open(cmd.Context(), paths)
			if err != nil {
				return err
			}
			defer opened.Close()
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
			if err := r.saveTo(cmd.Context(), opened, part, output); err != nil {
				return err
			}
			r.carryMarks(opened, paths, part, output)
			return nil
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&from, "from", "", "start time: "+times)
	flags.StringVar(&to, "to", "", "end time")
	flags.StringVarP(&output, "output", "o", "", "the recording to write; an existing file is never overwritten")
	r.takesCaptures(flags)
	return cmd
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
