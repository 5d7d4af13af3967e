package command

import (
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kardia/sources/scenario"
	"kardia/ui/session"
)

func (r *run) sandbox() *cobra.Command {
	f := &showFlags{}
	cmd := &cobra.Command{
		Use:   "sandbox [SCENARIO]",
		Short: "Break a simulated cluster, by keys, while it runs",
		Long: `Plays a scenario (a small cluster by default) and lets you break it: K switches
off the machine under the cursor, F opens the faults of the machine, its zone or
the control plane, X takes the last one back. All other keys are those of a replay:
play, step, why, and b for a what-if. Going back and doing something else discards
what came later. Later events are hidden until they are played, or c shows them.
':save scenario' writes your actions as a scenario.`,
		Example: "  kardia sandbox\n  kardia sandbox scenario:failover",
		Args:    wants(0, 1, "one SCENARIO at most: a file, or scenario:NAME"),
		RunE: does(func(cmd *cobra.Command, args []string) error {
			if err := f.check(r); err != nil {
				return err
			}
			b, err := r.sandboxOf(args)
			if err != nil {
				return err
			}
			judging := session.InBackground
			if r.single(f) {
				judging = session.AtOnce
			}
			box := &session.Sandbox{Sandbox: b, Options: session.Options{Name: "sandbox", Judging: judging}}
			first, err := box.First()
			if err != nil {
				return err
			}
			o := r.options(f, first)
			o.Sandbox = box
			return r.show(cmd.Context(), f, o)
		}),
	}
	f.add(cmd.Flags(), r)
	completeWords(cmd)
	return cmd
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
