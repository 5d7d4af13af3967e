package command

import (
	"context"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/caveat"
	"kardia/model/explain/compare"
	"kardia/model/explain/why"
	"kardia/model/infer"
	"kardia/ui/contract"
	"kardia/ui/render"
	"kardia/ui/screen"
	"kardia/ui/session"
)

type diffFlags struct {
	show   showFlags
	output *word
}

// framed reports whether they are shown on a screen, and not printed.
func (f *diffFlags) framed(r *run) bool {
	switch f.output.value {
	case "":
		return r.Terminal || f.show.once || f.show.size != size{}
	case "text", "svg":
		return true
	}
	return false
}

func (r *run) diff() *cobra.Command {
	f := &diffFlags{output: &word{"", []string{"table", "json", "md", "html", "text", "svg"}}}
	return r.command(command{
		use:   "diff A B",
		short: "Compare two incidents side by side",
		long: `Aligns two incidents on the first loss, and shows the decisions of each and how
long each step took: two outages before and after a change of flags, or a
recording and its scenario. An unknown value is -, not 0. Both are judged under
the flags given, else under those found in each.

On a terminal it is a screen: A is replayed, B is beside it, '.' goes from row to
row, and enter explains one. Elsewhere, or with -o, it is printed.`,
		example: "  kardia diff demo:zone-outage demo:all-dark\n  kardia diff before.mcap after.mcap -o html > diff.html",
		args:    arguments{2, 2, "two incidents, each a file, a directory, or demo:NAME"},
		shares:  captures,
		flags: func(flags *pflag.FlagSet) {
			f.show.addLook(flags, r)
			f.show.addAt(flags)
			flags.VarP(f.output, "output", "o", "how to print; text and svg are one frame of the screen")
			inGroup(flags, controllerFlags, f.show.params.add)
		},
		run: func(k *call) error {
			if err := f.show.check(r); err != nil {
				return err
			}
			var sides [2]*judged
			var incidents [2]compare.Incident
			for i, path := range k.args {
				j, err := r.incident(k.cmd, path, &f.show.params)
				if err != nil {
					return err
				}
				defer j.Close()
				sides[i] = j
				if incidents[i], err = compare.Judged(j.History, j.result); err != nil {
					return err
				}
			}
			a, b := sides[0], sides[1]
			compared := compare.Of(incidents[0], incidents[1])
			if f.framed(r) {
				return r.showBeside(k.cmd.Context(), f, k.args[0], a, b, compared)
			}
			found := contract.DiffOf(compared, a.Name, b.Name)
			for i, began := range [...]model.Instant{compared.A.Start, compared.B.Start} {
				if began.Bounded() {
					continue
				}
				unseen, err := r.saySeen(sides[i], "", caveat.Decided) // "no node failed" needs evidence
				if err != nil {
					return err
				}
				found.NotKnown = append(found.NotKnown, unseen.NotKnown...)
			}
			switch f.output.value {
			case "md":
				return render.Markdown(r.Out, found.Title(), found.Page())
			case "html":
				return render.HTML(r.Out, found.Title(), found.Page())
			}
			return r.printAs(f.output.value, "", found)
		},
	})
}

func (r *run) incident(cmd *cobra.Command, path string, params *paramFlags) (*judged, error) {
	j, err := r.runModels(cmd, []string{path}, params, &watchFlags{}, infer.Calibrated)
	if err != nil {
		return nil, err
	}
	r.sayAssumed(j)
	r.sayMissing(j.result)
	return j, nil
}

// showBeside shows the first of two incidents, from its first loss on, with the other beside it.
func (r *run) showBeside(ctx context.Context, f *diffFlags, path string, a, b *judged, compared *compare.Comparison) error {
	f.show.once = f.show.once || f.output.value == "text"
	if f.output.value == "svg" {
		f.show.output.value = "svg"
	}
	start, err := instant(f.show.at, a.History, compared.A.Start)
	if err != nil {
		return err
	}
	s := session.Replay(a.History, session.Options{Name: a.Name, Start: start, Params: a.params, Judging: r.judging(&f.show), Marks: a.Marks(), Keep: keeper([]string{path}),
		ZoneLabel: r.configuration().ZoneLabel, Thresholds: r.configuration().Thresholds,
		Beside: &screen.Beside{Name: b.Name, Comparison: compared, A: why.Of(a.result, a.History), B: why.Of(b.result, b.History)}})
	defer s.Close()
	o := r.options(&f.show, s)
	o.View, o.Report = "compare", r.reporter(&f.show.params, a.Opened, []string{path})
	return r.show(ctx, &f.show, o)
}
