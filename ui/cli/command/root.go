package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kardia/internal/crash"
	"kardia/model/infer"
	"kardia/ui/paint"
)

// run is one run of the program.
type run struct {
	World
	// program is what the person types to get here.
	program string
	// capturedAt is when the capture among what is opened was taken; unknown if nobody says.
	capturedAt instantFlag
	// year is of which year logs are that name none; 0 if nobody says.
	year int
	// logZone is the time zone of logs that name none.
	logZone zone
	// lookBack is how far the Prometheus looks back that answered; 0 if nobody says.
	lookBack time.Duration
	codes    []Code
	own      own
	// configured is the person's configuration, read once.
	configured configured
}

// Run runs the command that the World's Args name, and returns the exit code.
func Run(ctx context.Context, w World) Code {
	w.Out, w.Err = paint.NewWriter(w.Out), paint.NewWriter(w.Err) // all that is printed goes through these
	r := &run{World: w, program: programName(w.Args[0])}
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	defer crash.Watch(func(e *crash.Error) { end(e) })()
	help, err := r.execute(ctx)
	if err == nil {
		return worst(r.codes)
	}
	var bug *crash.Error
	if ctx.Err() != nil && !errors.As(err, &bug) {
		if err = context.Canceled; errors.As(context.Cause(ctx), &bug) {
			err = bug
		}
	}
	f := faultOf(err)
	f.print(w.Err, r.program, help)
	return worst(append(r.codes, f.Code))
}

// execute runs the command that is named, and tells which one's help is to be offered.
func (r *run) execute(ctx context.Context) (help string, err error) {
	defer crash.Into(&err)
	root := r.root()
	root.SetArgs(r.Args[1:])
	root.SetIn(r.In)
	root.SetOut(r.Out)
	root.SetErr(r.Err)
	at, err := root.ExecuteContextC(ctx)
	return at.CommandPath(), err
}

// note records that a code holds, without ending the command.
func (r *run) note(c Code) { r.codes = append(r.codes, c) }

// say prints a message. Messages go to stderr; foreign text in them is cleaned.
func (r *run) say(format string, args ...any) {
	fmt.Fprintln(r.Err, r.program+": "+paint.Clean(fmt.Sprintf(format, args...)))
}

// programName is what the person types: kardia, or "kubectl kardia" for a plugin. In a
// plugin's file name "-" parts words and "_" stands for "-".
func programName(arg0 string) string {
	name := strings.TrimSuffix(filepath.Base(arg0), ".exe")
	plugin, ok := strings.CutPrefix(name, "kubectl-")
	if !ok {
		return "kardia"
	}
	return "kubectl " + strings.ReplaceAll(strings.ReplaceAll(plugin, "-", " "), "_", "-")
}

// does turns a function that returns any error into a command's, whose errors are
// all Faults: what is none is a runtime error.
func does(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		var fault *Fault
		if errors.Is(err, infer.ErrStopped) { // the models stop only when they are told to
			err = context.Canceled
		}
		if err == nil || errors.As(err, &fault) || errors.Is(err, context.Canceled) {
			return err
		}
		return &Fault{Code: Failed, What: err.Error(), Err: err}
	}
}

func (r *run) root() *cobra.Command {
	show := &showFlags{}
	root := &cobra.Command{
		Use:   "kardia",
		Short: "The debugger for node health",
		Long: `Kardia shows how old every Kubernetes node's heartbeat is and what the control
plane has concluded from it: live, or replayed from watch files and audit logs.

Without a command it watches the cluster of the current context, and waits for it
if it does not answer. If none is configured, it shows how to start. It only reads.`,
		Example: `  kardia demo                                 a real zone outage, replayed; no cluster needed
  kardia live --context prod                  watch a cluster
  kardia replay audit.log nodes.json          replay what was recorded
  kardia get nodes demo:zone-outage --at +200s -o json`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: r.program},
		Args:          unknownCommand,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: does(func(cmd *cobra.Command, _ []string) error {
			return r.begin(cmd, show)
		}),
	}
	inGroup(root.Flags(), clusterFlags, r.Kube.AddFlags)
	show.add(root.Flags(), r)
	root.AddCommand(r.demo(), r.replay(), r.live(), r.record(), r.get(), r.decisions(), r.why(), r.verdict(), r.check(), r.margin(), r.verify(), r.whatif(), r.diff(), r.scenario(), r.sandbox(), r.learn(), r.report(), r.info(), r.convert(), r.cut(),
		r.redact(), r.repair(), r.rbac(), r.captureScript(), r.config(), r.version(), exitCodes())
	root.SetUsageFunc(usage)
	root.SetHelpCommand(helpCommand())
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return root
}

// unknownCommand refuses words that name no command, and suggests the nearest; of something that can be opened, the
// command that does.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	fault := misuse("there is no command %q", args[0])
	if _, err := os.Stat(args[0]); !cmd.HasParent() && (err == nil || strings.HasPrefix(args[0], demoPrefix)) {
		fault.Next = fmt.Sprintf("'%s replay %s' opens it. See '%s --help'.", cmd.CommandPath(), strings.Join(args, " "), cmd.CommandPath())
		return fault
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		fault.Next = fmt.Sprintf("Did you mean '%s %s'? See '%s --help'.", cmd.CommandPath(), near[0], cmd.CommandPath())
	}
	return fault
}

// wants checks how many words a command gets.
func wants(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misuse("'%s' takes %s", cmd.CommandPath(), what)
		case most >= 0 && len(args) > most:
			return misuse("unexpected argument %q: '%s' takes %s", args[most], cmd.CommandPath(), what)
		}
		return nil
	}
}
