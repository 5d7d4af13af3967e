package command

import (
	"bytes"
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"kardia/model"
	"kardia/ui/contract"
	"kardia/ui/paint"
	"kardia/ui/render"
)

// forms is a flag for the output's form.
func forms(more ...string) *word {
	return &word{"table", append([]string{"table", "json", "yaml"}, more...)}
}

// printAs writes a report in a form. A table's heading goes to stderr: ages mean nothing without its time.
func (r *run) printAs(form, heading string, data contract.Printed) error {
	switch form {
	case "json":
		return contract.WriteJSON(r.Out, data)
	case "yaml":
		var b bytes.Buffer
		if err := contract.WriteJSON(&b, data); err != nil {
			return err
		}
		text, err := yaml.JSONToYAML(b.Bytes())
		if err != nil {
			return err
		}
		_, err = r.Out.Write(text)
		return err
	case "name":
		for _, name := range data.(contract.Listed).Names() {
			fmt.Fprintln(r.Out, paint.Clean(name))
		}
		return nil
	}
	if heading != "" {
		fmt.Fprintln(r.Err, heading)
	}
	if list, ok := data.(contract.Listed); ok && len(list.Names()) == 0 {
		if nothing := list.Nothing(); nothing != "" {
			fmt.Fprintln(r.Err, nothing)
		}
		return nil
	}
	page := render.Page{NoHeaders: r.noHeaders}
	if r.Terminal {
		page.Width = r.Width
	}
	return render.Text(r.Out, data.Doc(form == "wide"), page)
}

// heading is the input, time and subject of a table.
func heading(name string, at model.Instant, subject string) string {
	heading := fmt.Sprintf("%s at %s", name, at.Time().UTC().Format("2006-01-02T15:04:05Z"))
	if subject != "" {
		heading += ", " + subject
	}
	return paint.Clean(strings.ReplaceAll(heading, "\n", " "))
}
