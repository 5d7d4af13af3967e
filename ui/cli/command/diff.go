package command

import (
	"github.com/spf13/cobra"

	"kardia/model/explain/compare"
	"kardia/model/infer"
	"kardia/ui/report"
	"kardia/ui/report/postmortem"
)

func (r *run) diff() *cobra.Command {
	params := &paramFlags{}
	output := &word{"table", []string{"table", "json", "md", "html"}}
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Put two incidents side by side",
		Long: `Aligns two incidents on the first loss, and prints what was decided when in each of them, and how long
each step took: two outages, one before and one after flags were changed, or a recording and its
scenario. What one of them cannot tell of is -, and not 0. Both are judged under the flags that are given, else under those found in each.`,
		Example: "  kardia diff demo:zone-outage demo:all-dark\n  kardia diff before.mcap after.mcap -o html > diff.html",
		Args:    wants(2, 2, "two incidents, each a file, a directory, or demo:NAME"),
		RunE: does(func(cmd *cobra.Command, paths []string) error {
			var sides [2]*judged
			for i, path := range paths {
				j, err := r.runModels(cmd, []string{path}, params, infer.Calibrated)
				if err != nil {
					return err
				}
				if err := r.suppose(j); err != nil {
					return err
				}
				r.sayUnsupported(j.result.Unsupported)
				r.sayInstants(j.result)
				sides[i] = j
			}
			a, b := sides[0], sides[1]
			found := report.DiffOf(compare.Of(compare.Incident{Decisions: a.result.Decisions, Tells: a.result.Tells},
				compare.Incident{Decisions: b.result.Decisions, Tells: b.result.Tells}), a.Name, b.Name)
			switch output.value {
			case "md":
				return postmortem.DiffMarkdown(r.Out, &found)
			case "html":
				return postmortem.DiffHTML(r.Out, &found)
			}
			return r.print(found, output.value, nil)
		}),
	}
	cmd.Flags().VarP(output, "output", "o", "how to print")
	inGroup(cmd.Flags(), controllerFlags, params.add)
	r.takesCaptures(cmd.Flags())
	completeWords(cmd)
	return cmd
}
