package command

import (
	"cmp"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/sources/open"
	"kardia/ui/contract"
)

// command is a command as data: its texts, arguments and flags, and its function. For example, a command that shares atTime
// and controllers has --at and the flags of kube-controller-manager.
type command struct {
	use, short, long, example string
	aliases                   []string
	args                      arguments // the zero value is none
	valid                     []string  // words to complete
	shares                    shared
	forms                     *word                // of -o; nil without it
	asks                      []model.Kind         // related kinds that a watched cluster is asked for
	flags                     func(*pflag.FlagSet) // its own; nil for none
	run                       func(*call) error
	// write, in place of run, writes the opened inputs to the new file that -o names.
	write func(*call, *open.Opened) error
}

// shared are flags that several commands have.
type shared uint8

const (
	atTime      shared = 1 << iota
	controllers        // the flags of kube-controller-manager
	captures           // those that date inputs
	cluster            // kubectl's
	watching           // how long to watch the cluster, beside kubectl's
	newFile            // -o FILE
)

// arguments are how many a command takes, most of them -1 for any number, and what.
type arguments struct {
	least, most int
	what        string
}

var (
	noArguments = arguments{0, 0, "no arguments"}
	somePaths   = arguments{1, -1, "at least one PATH: a file, a directory, or demo:NAME"}
	pathsOrLive = arguments{0, -1, "a file, a directory, demo:NAME, or no PATH for the live cluster"}
)

// call is one run of a command: its arguments, and the values of the shared flags.
type call struct {
	*run
	cmd      *cobra.Command
	args     []string
	params   paramFlags
	watched  watchFlags
	at, file string
	form     *word
}

// command makes a command of its data.
func (r *run) command(c command) *cobra.Command {
	k := &call{run: r, form: c.forms, watched: watchFlags{asks: c.asks}}
	cmd := &cobra.Command{Use: c.use, Short: c.short, Long: c.long, Example: c.example, Aliases: c.aliases, ValidArgs: c.valid, Args: cmp.Or(c.args, noArguments).check}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		k.cmd, k.args = cmd, args
		if c.shares&newFile != 0 {
			if k.file == "" {
				return required("-o FILE")
			}
			if err := mayCreate(k.file, false, elsewhere); err != nil {
				return err
			}
		}
		if c.write == nil {
			return c.run(k)
		}
		opened, err := r.open(cmd.Context(), args)
		if err != nil {
			return err
		}
		defer opened.Close()
		return c.write(k, opened)
	})
	k.add(cmd.Flags(), &c)
	return cmd
}

// add adds the flags of a command.
func (k *call) add(flags *pflag.FlagSet, c *command) {
	has := func(s shared) bool { return c.shares&s != 0 }
	if has(atTime) {
		flags.StringVar(&k.at, "at", "", "the time; the recording's end if not given: "+times)
	}
	if has(watching) {
		flags.DurationVar(&k.watched.lasts, "for", 0, "without a PATH: how long to watch the cluster before it is judged")
	}
	if has(watching | cluster) {
		inGroup(flags, clusterFlags, k.Kube.AddFlags)
	}
	if has(controllers) {
		inGroup(flags, controllerFlags, k.params.add)
	}
	if has(captures) {
		k.takesCaptures(flags)
	}
	if has(newFile) {
		flags.StringVarP(&k.file, "output", "o", "", "the recording to write; an existing file is never overwritten")
	}
	if k.form != nil {
		flags.VarP(k.form, "output", "o", "how to print")
	}
	if c.flags != nil {
		c.flags(flags)
	}
}

// judged runs the models over the inputs, or over the live cluster, and prints what they suppose.
func (k *call) judged() (*judged, error) {
	j, err := k.runModels(k.cmd, k.args, &k.params, &k.watched, infer.Calibrated)
	if err == nil {
		k.sayAssumed(j)
	}
	return j, err
}

// judgedAt is judged, with the time of --at.
func (k *call) judgedAt() (j *judged, at model.Instant, err error) {
	if j, err = k.judged(); err == nil {
		at, err = k.time(j.History)
	}
	return j, at, err
}

// time is that of --at, or the end of the input.
func (k *call) time(h history.History) (model.Instant, error) {
	return instant(k.at, h, h.Coverage().Latest)
}

// print prints an answer in the form of -o, if there was no error.
func (k *call) print(answer contract.Printed, err error) error { return k.printAt("", answer, err) }

// printAt is print with a heading for tables.
func (k *call) printAt(heading string, answer contract.Printed, err error) error {
	if err != nil {
		return err
	}
	return k.printAs(k.form.value, heading, answer)
}

// spanFlags are --from and --to.
type spanFlags struct{ from, to string }

func (f *spanFlags) add(flags *pflag.FlagSet, what string) {
	flags.StringVar(&f.from, "from", "", "only "+what+" from this time on: "+times)
	flags.StringVar(&f.to, "to", "", "only "+what+" up to this time")
}

// in is the span in an input; standard has the ends that are not given.
func (f *spanFlags) in(h history.History, standard model.Interval) (span model.Interval, err error) {
	if span.Earliest, err = instantOf("--from", f.from, h, standard.Earliest); err != nil {
		return span, err
	}
	if span.Latest, err = instantOf("--to", f.to, h, standard.Latest); err != nil {
		return span, err
	}
	if span.Earliest > span.Latest {
		return span, misuse("--from %s is after --to %s", span.Earliest, span.Latest)
	}
	return span, nil
}
