package command

import (
	"github.com/spf13/cobra"

	"kardia/model/infer"
	"kardia/model/shadow"
	"kardia/ui/report"
	"kardia/ui/report/postmortem"
)

// reportForms are the forms of a report, in the order in which help names them.
var reportForms = []string{"md", "json"}

func (r *run) report() *cobra.Command {
	f, params := &decisionFilter{}, &paramFlags{}
	output := &word{"md", reportForms}
	cmd := &cobra.Command{
		Use:   "report PATH…",
		Short: "Write the post-mortem of an incident",
		Long: `Writes a report of an incident: what happened in five sentences, what became of pods, each node's
silence, one timeline, the zones, why the first pod was deleted, how near others came, detection
and recovery times, flags, what is not known and which capture would have told, and the commands
that show the same. Its figures are those of 'verify', 'decisions', 'why' and 'get'. The same input
gives the same bytes. docs/report.md describes it.`,
		Example: "  kardia report demo:zone-outage > outage.md\n  kardia report incident/ --zone us-east-1b --from 23:50:00 -o json",
		Args:    wants(1, -1, "at least one PATH: a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			j, err := r.judge(cmd, paths, params, shadow.Calibrated)
			if err != nil {
				return err
			}
			defer j.Close()
			if err := f.check(j); err != nil {
				return err
			}
			if err := f.readSpan(j); err != nil {
				return err
			}
			made, err := r.postmortem(j, f, paths)
			if err != nil {
				return err
			}
			if output.value == "json" {
				return report.WriteJSON(r.Out, made)
			}
			return postmortem.Markdown(r.Out, made)
		}),
	}
	flags := cmd.Flags()
	flags.StringVar(&f.node, "node", "", "only what is about this node and its pods")
	flags.StringVar(&f.zone, "zone", "", "only what is about this zone and its nodes: region/zone, zone, or none")
	flags.StringVar(&f.from, "from", "", "only what was decided from this instant on: "+times)
	flags.StringVar(&f.to, "to", "", "only what was decided up to this instant")
	flags.VarP(output, "output", "o", "how to write")
	inGroup(flags, controllerFlags, params.add)
	r.takesCaptures(flags)
	completeWords(cmd)
	return cmd
}

// postmortem makes the report, and notes what verify would.
func (r *run) postmortem(j *judged, f *decisionFilter, paths []string) (*postmortem.Report, error) {
	found, err := infer.Search(j.result)
	if err != nil {
		return nil, err
	}
	r.sayUnsupported(j.result.Unsupported)
	r.sayInstants(j.result)
	scope := postmortem.Scope{Node: f.node, Zone: f.zone}
	if f.from != "" {
		scope.From = f.span.Earliest
	}
	if f.to != "" {
		scope.To = f.span.Latest
	}
	return postmortem.Of(&postmortem.Input{Name: j.Name, History: j.History, Found: found, ServerVersion: j.ServerVersion, Skipped: j.Skipped,
		Marks: marksIn(j.Opened), Scope: scope, Command: r.program, Paths: paths})
}
