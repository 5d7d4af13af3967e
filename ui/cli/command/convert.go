package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kardia/model"
	"kardia/sources/open"
	"kardia/sources/recording"
	"kardia/ui/report"
)

func (r *run) convert() *cobra.Command {
	output, params := "", &paramFlags{}
	cmd := &cobra.Command{
		Use:   "convert PATH… -o FILE",
		Short: "Convert inputs of any format to one recording",
		Long: `Reads recordings in any known format and writes them as one recording (.mcap):
each object version, its time and the quality of that time, and the file and
line it came from. Kardia gives the same answers for the files and for the
recording.

Controller flags that are given are stored in it, and apply whenever it is read.`,
		Example: "  kardia convert ./incident -o incident.mcap\n  kardia convert demo:node-loss -o node-loss.mcap",
		Args:    wants(1, -1, "at least one PATH: a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			if output == "" {
				return required("-o FILE")
			}
			opened, err := r.open(cmd.Context(), paths)
			if err != nil {
				return err
			}
			defer opened.Close()
			opened.ServerVersion = cmp.Or(params.version, opened.ServerVersion)
			stated, err := params.statedOf(opened)
			if err != nil {
				return err
			}
			size, err := r.write(cmd.Context(), opened, stated, output)
			if err != nil {
				return err
			}
			_, changes := opened.History.Span()
			r.say("%s: %d changes, %d bytes", output, changes, size)
			r.carryMarks(opened, paths, model.Always, output)
			return nil
		}),
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the recording to write; an existing file is never overwritten")
	inGroup(cmd.Flags(), controllerFlags, params.add)
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}

func (r *run) repair() *cobra.Command {
	output := ""
	cmd := &cobra.Command{
		Use:   "repair FILE -o FILE",
		Short: "Save the readable part of a damaged recording",
		Long: `Reads a recording that is damaged or was not closed, and writes the readable
part as a new one. Lost parts are listed, and are gaps in the new file; after a
gap the state is the last known one until the next complete state. The old file
is not changed, and nothing is deleted.

Exits with 4 if anything is lost.`,
		Example: "  kardia repair torn.mcap -o whole.mcap",
		Args:    wants(1, 1, "one FILE: a recording"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			if output == "" {
				return required("-o FILE")
			}
			opened, err := r.open(cmd.Context(), paths)
			if err != nil {
				return err
			}
			defer opened.Close()
			if len(opened.Recordings) == 0 {
				return &Fault{Code: Failed, What: fmt.Sprintf("%s is no recording by Kardia", paths[0]),
					Next: fmt.Sprintf("'%s convert' makes one of it.", r.program)}
			}
			size, err := r.write(cmd.Context(), opened, opened.Recordings[0].Meta().Params, output)
			if err != nil {
				return err
			}
			r.carryMarks(opened, paths, model.Always, output)
			r.sayLeftovers(paths[0])
			whole := len(opened.Recordings[0].Problems()) == 0
			switch {
			case !whole:
				r.note(Partial)
				r.say("%s: what could be read, %d bytes", output, size)
			default:
				r.say("%s: nothing was damaged; %d bytes", output, size)
			}
			return nil
		}),
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the recording to write; an existing file is never overwritten")
	return cmd
}

// sayLeftovers names what packings left beside a recording, or in a directory of them.
func (r *run) sayLeftovers(path string) {
	for _, left := range recording.Leftovers(path) {
		r.say("%s", report.Leftover(left))
	}
}

// write writes the opened input as a recording, and returns its size.
func (r *run) write(ctx context.Context, opened *open.Opened, stated *model.Params, path string) (size int64, err error) {
	meta, marks := opened.About("kardia " + thisBuild().Version)
	meta.Params = stated
	w, err := recording.CreateFile(path, meta, recording.Options{Packed: true})
	if errors.Is(err, os.ErrExist) {
		return 0, &Fault{Code: Failed, What: path + " is there already", Means: "Nothing was written.", Next: "Name another file, or remove that one.", Err: err}
	}
	if err != nil {
		return 0, &Fault{Code: Failed, What: fmt.Sprintf("cannot write %s: %v", path, err), Err: err}
	}
	works := r.works(ctx, opened.History)
	ends := works.begins("writing " + path)
	err = w.Copy(works.through(opened.History))
	ends()
	if err == nil {
		for _, m := range marks {
			err = errors.Join(err, w.AddMark(m))
		}
	}
	if err != nil {
		return 0, errors.Join(err, w.Abandon())
	}
	if err := w.Close(); err != nil {
		return 0, err
	}
	return w.Size(), nil
}
