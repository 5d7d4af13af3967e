package command

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/infer"
	"kardia/model/past"
	"kardia/sources/bookmarks"
	"kardia/sources/open"
	"kardia/sources/redact"
	"kardia/ui/contract"
	"kardia/ui/topics"
)

// reportForms are the forms of a report, in the order of help.
var reportForms = func() (names []string) {
	for _, f := range contract.Forms {
		names = append(names, f.Name)
	}
	return names
}()

type reportFlags struct {
	decisionFilter
	params  paramFlags
	output  *word
	level   *word
	keyFile string
}

func (r *run) report() *cobra.Command {
	f := &reportFlags{output: &word{"md", reportForms}, level: &word{"", redact.Levels}}
	return r.command(command{
		use:   "report PATH…",
		short: "Write the post-mortem of an incident",
		long: `Writes a report of an incident. It begins with the answer: what happened, five
numbers, whether it is over, and what persons did. Then come the pods, each node's
silence, one timeline, the zones, why the first pod was deleted, near misses, other
grace periods, detection and recovery times, flags, what is not known and which
capture would have shown it, and the commands behind each chapter. Its figures are
those of 'verify', 'decisions', 'why', 'margin', 'whatif' and 'get'. The same input
gives the same bytes. docs/report.md describes it.

  md    Markdown, as GitHub renders it
  html  one self-contained page, light and dark, for a browser and for paper
  json  the data
  csv   one row a decision
  svg   the timeline as a picture

--redact reports on a redacted copy, as 'redact' writes it. The key of the
pseudonyms is thrown away, and they differ between reports, unless --key keeps it.`,
		example: "  kardia report demo:shop -o html > outage.html\n  kardia report incident/ --zone us-east-1b --from 23:50:00 -o json\n  kardia report incident.mcap --redact public --key ~/.kardia.key",
		args:    somePaths,
		shares:  captures,
		flags: func(flags *pflag.FlagSet) {
			flags.StringVar(&f.node, "node", "", "only this node and its pods")
			flags.StringVar(&f.zone, "zone", "", "only this zone and its nodes: region/zone, zone, or none")
			f.spanFlags.add(flags, "decisions")
			flags.VarP(f.output, "output", "o", "how to write")
			flags.VarP(f.level, "redact", "", "redact first: slim, share or public, as 'redact' does")
			flags.StringVar(&f.keyFile, "key", "", "with --redact: the file with the key; created with a new key if it does not exist")
			inGroup(flags, controllerFlags, f.params.add)
		},
		run: func(k *call) error {
			if f.keyFile != "" && f.level.value == "" {
				return misuse("--key is for --redact")
			}
			if _, err := f.params.resolve(""); err != nil {
				return err
			}
			opened, err := r.open(k.cmd.Context(), k.args)
			if err != nil {
				return err
			}
			defer opened.Close()
			return r.reportOf(k.cmd.Context(), f, opened, k.args)
		},
	})
}

// reporter makes the report of a recording that the program shows, without output to its terminal.
func (r *run) reporter(params *paramFlags, opened *open.Opened, paths []string) func(form string) (string, error) {
	return func(form string) (string, error) {
		var out strings.Builder
		quiet := &run{World: r.World, program: r.program}
		quiet.Out, quiet.Err, quiet.ErrTerminal = &out, io.Discard, false
		forked := *opened
		forked.History = opened.History.Fork()
		f := &reportFlags{params: *params, output: &word{form, reportForms}, level: &word{"", redact.Levels}}
		err := quiet.reportOf(context.Background(), f, &forked, paths)
		return out.String(), err
	}
}

func (r *run) reportOf(ctx context.Context, f *reportFlags, opened *open.Opened, paths []string) error {
	return r.makeReport(ctx, f, opened, paths, func(made *contract.Postmortem) error {
		return contract.Forms[slices.Index(reportForms, f.output.value)].Write(r.Out, made)
	})
}

// makeReport makes the report of the open input, and calls use with it.
func (r *run) makeReport(ctx context.Context, f *reportFlags, opened *open.Opened, paths []string, use func(*contract.Postmortem) error) (err error) {
	in := contract.PostmortemInput{Name: opened.Name, Skipped: opened.Skipped, Redaction: f.level.value, Command: r.program, Paths: paths, Marks: r.marksOf(opened, paths)}
	for _, recording := range opened.RecordingsRead() {
		if was := recording.Meta().Redaction; in.Redaction == "" && was != redact.Slim.String() {
			in.Redaction = was
		}
	}
	if f.level.value != "" {
		if opened, err = r.redacted(ctx, f, opened, in.Marks); err != nil {
			return err
		}
		defer opened.Close()
		in.Marks = opened.Marks()
		in.Name, in.Skipped, in.Paths = "redacted", nil, []string{"redacted.mcap"}
	}
	j, err := r.judge(ctx, opened, &f.params, infer.Calibrated)
	if err != nil {
		return err
	}
	if len(j.result.Contradicted) > 0 {
		return contradicted(j.result, in.Name)
	}
	if err := f.check(j); err != nil {
		return err
	}
	r.sayMissing(j.result)
	in.History, in.ServerVersion, in.Scope, in.Found = j.History, j.ServerVersion, f.scope(), j.found
	ends := j.work.beginsEndless("writing the report")
	in.History = j.work.through(j.History)
	made, err := contract.PostmortemOf(&in)
	ends()
	if err != nil {
		return err
	}
	r.noteJudgement(made.Judgement(), &j.result.Overdue)
	if made.Partial() {
		r.note(Partial)
	}
	return use(made)
}

// marksOf are the bookmarks in a recording, and beside it.
func (r *run) marksOf(opened *open.Opened, paths []string) []past.Bookmark {
	var all past.Bookmarks
	for _, m := range opened.Marks() {
		_ = all.Set(m) // the screens leave out the same ones
	}
	if beside, ok := bookmarks.Beside(paths); ok {
		var err error
		if all, err = beside.Load(all); err != nil {
			r.say("%v", err)
		}
	}
	return all.List()
}

func (f *reportFlags) scope() incident.Scope {
	scope := incident.Scope{Node: f.node, Zone: f.zone}
	if f.from != "" {
		scope.From = f.span.Earliest
	}
	if f.to != "" {
		scope.To = f.span.Latest
	}
	return scope
}

// redacted is a redacted copy of the opened input, already removed from the disk. f.node becomes its pseudonym.
func (r *run) redacted(ctx context.Context, f *reportFlags, opened *open.Opened, marked []past.Bookmark) (*open.Opened, error) {
	key, err := r.redactionKey(f.keyFile)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kardia-report-*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "redacted.mcap")
	level, _ := redact.ParseLevel(f.level.value)
	redactor := redact.New(level, key)
	meta, _ := opened.About("kardia " + thisBuild().Version)
	if err := redactor.Write(redact.Recording{History: opened.History, Meta: meta, Marks: marked}, path); err != nil {
		return nil, r.notRedacted("the report", err)
	}
	r.sayKept(redactor)
	if f.node != "" {
		alias := redactor.Change(&model.Change{Kind: model.KindNode, Key: model.Key{Name: f.node}})
		f.node = alias.Key.Name
	}
	return open.Open(ctx, []string{path}, open.Options{Says: topics.Finding})
}
