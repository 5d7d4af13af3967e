package command

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/sources/recording"
	"kardia/sources/scenario"
	"kardia/ui/session"
)

const scenarioPrefix = "scenario:"

func (r *run) scenario() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scenario",
		Short: "Simulate a cluster and its faults from a text file",
		Long: `A scenario is a text file: nodes, zones, workloads, and faults with their times.
Its control plane is the models of the real controllers in virtual time; the same
file gives the same incident. docs/scenarios.md describes the format.

Every PATH can be a scenario file, or scenario:NAME for an embedded one:` + scenarioList(),
		Example: "  kardia replay scenario:flapping\n  kardia scenario show flapping > mine.scenario\n  kardia scenario validate mine.scenario\n  kardia scenario run mine.scenario -o mine.mcap",
	}
	cmd.AddCommand(r.scenarioRun(), r.scenarioValidate(), r.scenarioShow(), r.scenarioList())
	return cmd
}

func scenarioList() string {
	var lines []string
	for _, name := range scenario.Examples() {
		lines = append(lines, fmt.Sprintf("  %-20s%s", name, scenarioTitle(name)))
	}
	return strings.Join(lines, "\n")
}

func scenarioTitle(name string) string {
	text, _ := scenario.Example(name)
	s, err := scenario.Parse(name, text)
	if err != nil {
		return ""
	}
	return s.Title
}

// readScenario reads a scenario file, an embedded scenario, or standard input ("-").
func (r *run) readScenario(path string) (*scenario.Scenario, error) {
	var text string
	var err error
	switch name, embedded := strings.CutPrefix(path, scenarioPrefix); {
	case embedded:
		text, err = scenario.Example(name)
	case path == "-":
		var all []byte
		all, err = io.ReadAll(io.LimitReader(r.In, 1<<20))
		text = string(all)
	default:
		var all []byte
		all, err = os.ReadFile(path)
		text = string(all)
	}
	if err != nil {
		return nil, &Fault{Code: Unreadable, What: err.Error(), Next: fmt.Sprintf("'%s scenario list' names the embedded ones.", r.program), Err: err}
	}
	s, err := scenario.Parse(path, text)
	if err != nil {
		for mistake := range strings.Lines(err.Error()) {
			r.say("%s", strings.TrimSpace(mistake))
		}
		return nil, &Fault{Code: Unreadable, What: path + " cannot be played", Next: "docs/scenarios.md says how a scenario is written.", Err: err}
	}
	return s, nil
}

func (r *run) scenarioRun() *cobra.Command {
	var seed uint64
	return r.command(command{
		use:     "run SCENARIO -o FILE",
		short:   "Play a scenario, and write it as a recording",
		example: "  kardia scenario run outage.scenario -o outage.mcap\n  kardia scenario run scenario:failover --seed 7 -o failover.mcap",
		args:    arguments{1, 1, "one SCENARIO: a file, scenario:NAME, or - for standard input"},
		shares:  newFile,
		flags: func(flags *pflag.FlagSet) {
			flags.Uint64Var(&seed, "seed", 0, "seed, in place of the one in the file")
		},
		run: func(k *call) error {
			path, ctx := k.args[0], k.cmd.Context()
			s, err := r.readScenario(path)
			if err != nil {
				return err
			}
			if k.cmd.Flags().Changed("seed") {
				s.Seed = seed
			}
			told, done := r.working(ctx, "playing "+path)
			size, err := create(k.file, s.Meta("kardia "+thisBuild().Version, path), func(w *recording.Writer) error {
				return s.Record(ctx, w, func(played time.Duration) { told(float64(played) / float64(s.Length)) })
			})
			if done(); err == nil {
				r.say("%s: %s of %d nodes, %d bytes", k.file, s.Length, len(s.Nodes), size)
			}
			return err
		},
	})
}

func (r *run) scenarioValidate() *cobra.Command {
	return r.command(command{
		use:     "validate SCENARIO…",
		short:   "Check scenarios, and print the line of each mistake",
		example: "  kardia scenario validate outage.scenario",
		args:    arguments{1, -1, "at least one SCENARIO: a file, scenario:NAME, or - for standard input"},
		run: func(k *call) error {
			var wrong error
			for _, path := range k.args {
				s, err := r.readScenario(path)
				if err != nil {
					wrong = err
					continue
				}
				if _, err := fmt.Fprintf(r.Out, "%s: %d nodes, %d workloads, %d faults in %s\n", path, len(s.Nodes), len(s.Workloads), len(s.Faults), s.Length); err != nil {
					return err
				}
			}
			return wrong
		},
	})
}

func (r *run) scenarioShow() *cobra.Command {
	return r.command(command{
		use:     "show NAME",
		short:   "Print the text of an embedded scenario",
		example: "  kardia scenario show all-dark > mine.scenario",
		args:    arguments{1, 1, "the NAME of an embedded scenario"},
		valid:   scenario.Examples(),
		run: func(k *call) error {
			text, err := scenario.Example(strings.TrimPrefix(k.args[0], scenarioPrefix))
			if err != nil {
				return misuse("%v", err)
			}
			_, err = io.WriteString(r.Out, text)
			return err
		},
	})
}

func (r *run) scenarioList() *cobra.Command {
	return r.command(command{
		use:   "list",
		short: "List the embedded scenarios",
		run: func(*call) error {
			_, err := fmt.Fprintln(r.Out, scenarioList())
			return err
		},
	})
}

func (r *run) sandbox() *cobra.Command {
	f := &showFlags{}
	return r.command(command{
		use:   "sandbox [SCENARIO]",
		short: "Break a simulated cluster, by keys, while it runs",
		long: `Plays a scenario (a small cluster by default) and lets you break it: K switches
off the machine under the cursor, F opens the faults of the machine, its zone or
the control plane, X takes the last one back. All other keys are those of a replay:
play, step, why, and b for a what-if. Going back and doing something else discards
what came later. Later events are hidden until they are played, or c shows them.
':save scenario' writes your actions as a scenario.`,
		example: "  kardia sandbox\n  kardia sandbox scenario:failover",
		args:    arguments{0, 1, "one SCENARIO at most: a file, or scenario:NAME"},
		flags:   func(flags *pflag.FlagSet) { f.add(flags, r) },
		run: func(k *call) error {
			if err := f.check(r); err != nil {
				return err
			}
			b, err := r.sandboxOf(k.args)
			if err != nil {
				return err
			}
			box := &session.Sandbox{Sandbox: b, Options: session.Options{Name: "sandbox", Judging: r.judging(f)}}
			first, err := box.First()
			if err != nil {
				return err
			}
			o := r.options(f, first)
			o.Sandbox = box
			return r.show(k.cmd.Context(), f, o)
		},
	})
}

func (r *run) sandboxOf(args []string) (*scenario.Sandbox, error) {
	if len(args) == 0 {
		return scenario.NewSandbox("", "")
	}
	path, text := args[0], ""
	if _, err := r.readScenario(path); err != nil { // reports every mistake
		return nil, err
	}
	if name, embedded := strings.CutPrefix(path, scenarioPrefix); embedded {
		text, _ = scenario.Example(name)
	} else {
		all, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		text = string(all)
	}
	return scenario.NewSandbox(path, text)
}
