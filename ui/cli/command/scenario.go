package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kardia/sources/recording"
	"kardia/sources/scenario"
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
	output := ""
	var seed uint64
	cmd := &cobra.Command{
		Use:     "run SCENARIO -o FILE",
		Short:   "Play a scenario, and write it as a recording",
		Example: "  kardia scenario run outage.scenario -o outage.mcap\n  kardia scenario run scenario:failover --seed 7 -o failover.mcap",
		Args:    wants(1, 1, "one SCENARIO: a file, scenario:NAME, or - for standard input"),
		RunE: does(func(cmd *cobra.Command, args []string) error {
			if output == "" {
				return required("-o FILE")
			}
			s, err := r.readScenario(args[0])
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("seed") {
				s.Seed = seed
			}
			w, err := recording.CreateFile(output, s.Meta("kardia "+thisBuild().Version, args[0]), recording.Options{Packed: true})
			if errors.Is(err, os.ErrExist) {
				return &Fault{Code: Failed, What: output + " is there already", Means: "Nothing was written.", Next: "Name another file, or remove that one.", Err: err}
			}
			if err != nil {
				return &Fault{Code: Failed, What: fmt.Sprintf("cannot write %s: %v", output, err), Err: err}
			}
			told, done := r.working(cmd.Context(), "playing "+args[0])
			err = s.Record(cmd.Context(), w, func(played time.Duration) { told(float64(played) / float64(s.Length)) })
			done()
			if err != nil {
				return errors.Join(err, w.Abandon())
			}
			if err := w.Close(); err != nil {
				return err
			}
			r.say("%s: %s of %d nodes, %d bytes", output, s.Length, len(s.Nodes), w.Size())
			return nil
		}),
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "the recording to write; an existing file is never overwritten")
	cmd.Flags().Uint64Var(&seed, "seed", 0, "seed, in place of the one in the file")
	return cmd
}

func (r *run) scenarioValidate() *cobra.Command {
	return &cobra.Command{
		Use:     "validate SCENARIO…",
		Short:   "Check scenarios, and print the line of each mistake",
		Example: "  kardia scenario validate outage.scenario",
		Args:    wants(1, -1, "at least one SCENARIO: a file, scenario:NAME, or - for standard input"),
		RunE: does(func(cmd *cobra.Command, args []string) error {
			var wrong error
			for _, path := range args {
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
		}),
	}
}

func (r *run) scenarioShow() *cobra.Command {
	return &cobra.Command{
		Use:       "show NAME",
		Short:     "Print the text of an embedded scenario",
		Example:   "  kardia scenario show all-dark > mine.scenario",
		Args:      wants(1, 1, "the NAME of an embedded scenario"),
		ValidArgs: scenario.Examples(),
		RunE: does(func(cmd *cobra.Command, args []string) error {
			text, err := scenario.Example(strings.TrimPrefix(args[0], scenarioPrefix))
			if err != nil {
				return misuse("%v", err)
			}
			_, err = io.WriteString(r.Out, text)
			return err
		}),
	}
}

func (r *run) scenarioList() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the embedded scenarios",
		Args:  wants(0, 0, "no arguments"),
		RunE: does(func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(r.Out, scenarioList())
			return err
		}),
	}
}
