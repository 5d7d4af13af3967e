package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/model/infer"
	"kardia/ui/paint"
	"kardia/ui/words"
)

type run struct {
	World
	// program is the program's name as typed.
	program string
	// capturedAt is when the capture among the opened files was taken; unknown if not given.
	capturedAt model.Instant
	// year is the year of logs without one; 0 if not given.
	year int
	// logZone is the time zone of logs without one.
	logZone *time.Location
	// lookBack is the look-back of the Prometheus that answered; 0 if not given.
	lookBack   time.Duration
	noHeaders  bool
	language   word // of screens and reports
	codes      []Code
	own        own
	configured configured
}

// Run runs the command that the World's Args name, and returns the exit code.
func Run(ctx context.Context, w World) Code {
	w.Out, w.Err = paint.NewWriter(w.Out), paint.NewWriter(w.Err) // these clean all output
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

// execute runs the named command, and returns the command whose help to offer.
func (r *run) execute(ctx context.Context) (help string, err error) {
	defer crash.Into(&err)
	root := r.root()
	root.SetArgs(named(r.Args[1:]))
	root.SetIn(r.In)
	root.SetOut(r.Out)
	root.SetErr(r.Err)
	at, err := root.ExecuteContextC(ctx)
	return at.CommandPath(), err
}

// speaks is the language of a command's output. JSON, also as YAML, has codes, and its few texts in English.
func (r *run) speaks(cmd *cobra.Command) string {
	if form := cmd.Flags().Lookup("output"); form != nil && slices.Contains([]string{"json", "yaml"}, form.Value.String()) {
		return words.English
	}
	return r.language.value
}

// locale is its language if there is a file of it, else English.
func (r *run) locale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if value := r.environ(name); value != "" {
			if len(value) > 1 && slices.Contains(words.Languages, value[:2]) {
				return value[:2]
			}
			break
		}
	}
	return words.English
}

// note adds an exit code, without ending the command.
func (r *run) note(c Code) { r.codes = append(r.codes, c) }

// say prints a message to stderr, cleaned.
func (r *run) say(format string, args ...any) {
	fmt.Fprintln(r.Err, r.program+": "+paint.Clean(fmt.Sprintf(format, args...)))
}

// programName is kardia, or "kubectl kardia" for a plugin, whose file name has "-" for spaces and "_" for "-".
func programName(arg0 string) string {
	name := strings.TrimSuffix(filepath.Base(arg0), ".exe")
	plugin, ok := strings.CutPrefix(name, "kubectl-")
	if !ok {
		return "kardia"
	}
	return "kubectl " + strings.ReplaceAll(strings.ReplaceAll(plugin, "-", " "), "_", "-")
}

// does makes a command's function, which returns Faults only: any other error becomes a runtime error.
func does(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		var fault *Fault
		if errors.Is(err, infer.ErrStopped) { // the models stop only on request
			err = context.Canceled
		}
		if err == nil || errors.As(err, &fault) || errors.Is(err, context.Canceled) {
			return err
		}
		return &Fault{Code: Failed, What: err.Error(), Err: err}
	}
}

// Tree is all commands, to describe them and not to run them.
func Tree(w World) *cobra.Command { return (&run{World: w, program: programName(w.Args[0])}).root() }

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
		Version:       thisBuild().line(),
		// It runs after the check of arguments, and with the flags known.
		PersistentPreRunE: func(cmd *cobra.Command, args []string) error {
			words.Speak(r.speaks(cmd))
			return liveOnly(cmd, args)
		},
		RunE: does(func(cmd *cobra.Command, _ []string) error {
			return r.begin(cmd, show)
		}),
	}
	r.language = word{r.locale(), words.Languages}
	if own := r.configuration().Language; slices.Contains(words.Languages, own) {
		r.language.value = own
	}
	root.PersistentFlags().VarP(&r.language, "language", "", "language of screens and reports: "+strings.Join(words.Languages, ", "))
	inGroup(root.Flags(), clusterFlags, r.Kube.AddFlags)
	show.add(root.Flags(), r)
	for _, group := range r.groups() {
		root.AddGroup(&cobra.Group{ID: group.title, Title: group.title})
		for _, cmd := range group.commands {
			cmd.GroupID = group.title
			root.AddCommand(cmd)
		}
	}
	root.SetCompletionCommandGroupID("Set up")
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetFlagErrorFunc(unknownFlag)
	root.SetUsageFunc(usage)
	root.SetHelpCommand(helpCommand())
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	r.completes(root)
	return root
}

type group struct {
	title    string
	commands []*cobra.Command
}

func (r *run) groups() []group {
	return []group{
		{"Watch", []*cobra.Command{r.live(), r.record(), r.check()}},
		{"Look", []*cobra.Command{r.replay(), r.get(), r.decisions()}},
		{"Explain", []*cobra.Command{r.why(), r.verdict(), r.margin(), r.whatif(), r.report(), r.diff(), r.verify()}},
		{"Files", []*cobra.Command{r.info(), r.convert(), r.cut(), r.redact(), r.repair(), r.captureScript()}},
		{"Learn", []*cobra.Command{r.demo(), r.learn(), r.scenario(), r.sandbox()}},
		{"Set up", []*cobra.Command{r.config(), r.rbac(), r.version()}},
		{topicGroup, r.topics()},
	}
}

// check checks the number of a command's arguments.
func (a arguments) check(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) < a.least:
		return misuse("'%s' takes %s", cmd.CommandPath(), a.what)
	case a.most >= 0 && len(args) > a.most:
		return misuse("unexpected argument %q: '%s' takes %s", args[a.most], cmd.CommandPath(), a.what)
	}
	return nil
}
