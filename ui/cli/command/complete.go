package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model/history"
	"kardia/sources/demo"
	"kardia/sources/scenario"
)

// completes lets shells complete inputs, and flags with values from an input or the kubeconfig, in every command.
func (r *run) completes(cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		r.completes(sub)
	}
	if takesPaths(cmd) {
		cmd.ValidArgsFunction = inputs
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		var complete cobra.CompletionFunc
		switch f.Name {
		case "node", "zone", "pod":
			complete = r.namesOfInput(f.Name)
		case "context":
			complete = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return r.Kube.Contexts(), cobra.ShellCompDirectiveNoFileComp
			}
		case "kind":
			complete = cobra.FixedCompletions(kindNames(), cobra.ShellCompDirectiveNoFileComp)
		case "kubeconfig":
			complete = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
				return nil, cobra.ShellCompDirectiveDefault
			}
		default:
			w, ok := f.Value.(*word)
			if !ok {
				return
			}
			complete = cobra.FixedCompletions(w.allowed, cobra.ShellCompDirectiveNoFileComp)
		}
		_ = cmd.RegisterFlagCompletionFunc(f.Name, complete) // fails only for a flag that has one
	})
}

// inputs are the demos and scenarios; the shell adds its files.
func inputs(_ *cobra.Command, _ []string, typed string) (list []string, _ cobra.ShellCompDirective) {
	for _, d := range demo.List() {
		list = append(list, demoPrefix+d.Name)
	}
	for _, e := range scenario.Examples() {
		list = append(list, scenarioPrefix+e)
	}
	var out []string
	for _, name := range list {
		if strings.HasPrefix(name, typed) {
			out = append(out, name)
		}
	}
	return out, cobra.ShellCompDirectiveDefault
}

// namesOfInput are the nodes, zones or pods at the end of the typed inputs. A live cluster is not asked.
func (r *run) namesOfInput(kind string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, paths []string, _ string) ([]string, cobra.ShellCompDirective) {
		if len(paths) == 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		opened, err := r.open(cmd.Context(), paths)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		c, err := history.StateAt(opened.History, opened.History.Coverage().Latest)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names := namesIn(c)[kind]
		slices.Sort(names)
		return slices.Compact(names), cobra.ShellCompDirectiveNoFileComp
	}
}
