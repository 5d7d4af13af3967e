package command

import (
	"bytes"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"kardia/model"
	"kardia/ui/paint"
	"kardia/ui/render"
	"kardia/ui/report"
)

// forms is a flag for the output's form.
func forms(more ...string) *word {
	return &word{"table", append([]string{"table", "json", "yaml"}, more...)}
}

// print writes a report in a form. A table's time goes to stderr, because ages mean nothing without it.
func (r *run) print(data report.Printed, output string, s *state) error {
	switch output {
	case "json":
		return report.WriteJSON(r.Out, data)
	case "yaml":
		var b bytes.Buffer
		if err := report.WriteJSON(&b, data); err != nil {
			return err
		}
		text, err := yaml.JSONToYAML(b.Bytes())
		if err != nil {
			return err
		}
		_, err = r.Out.Write(text)
		return err
	case "name":
		for _, name := range data.(report.Listed).Names() {
			fmt.Fprintln(r.Out, paint.Clean(name))
		}
		return nil
	}
	if s != nil {
		r.sayWhere(s.name, s.scope.At, "")
	}
	if list, ok := data.(report.Listed); ok && len(list.Names()) == 0 {
		if nothing := list.Nothing(); nothing != "" {
			fmt.Fprintln(r.Err, nothing)
		}
		return nil
	}
	page := render.Page{NoHeaders: r.noHeaders}
	if r.Terminal {
		page.Width = r.Width
	}
	return render.Text(r.Out, data.Doc(output == "wide"), page)
}

// sayWhere prints the input and time of a table: a heading on stderr.
func (r *run) sayWhere(name string, at model.Instant, subject string) {
	heading := fmt.Sprintf("%s at %s", name, at.Time().UTC().Format("2006-01-02T15:04:05Z"))
	if subject != "" {
		heading += ", " + subject
	}
	fmt.Fprintln(r.Err, paint.Clean(strings.ReplaceAll(heading, "\n", " ")))
}
