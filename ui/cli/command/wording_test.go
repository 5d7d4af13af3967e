package command

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestOneWording: a reason and a verdict have the same words in JSON, in the command's text, and in the report.
func TestOneWording(t *testing.T) {
	t.Parallel()
	flat := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	for _, name := range []string{"node-loss", "zone-outage", "all-dark"} {
		var r struct {
			Commands []string
		}
		ok(t, json.Unmarshal([]byte(reportOf(t, "report -o json demo:"+name).out), &r))
		whole := flat(reportOf(t, "report -o md demo:"+name).out)
		compared := 0
		holds := func(where, text, says string) {
			if says = flat(says); says == "" {
				return
			}
			if compared++; !strings.Contains(text, says) {
				t.Errorf("%s: %s does not say %q", name, where, says)
			}
		}
		for _, command := range r.Commands {
			line, is := strings.CutPrefix(command, "kardia why ")
			if !is {
				continue
			}
			var w struct {
				Chain []struct{ Decision *struct{ Why string } }
			}
			ok(t, json.Unmarshal([]byte(kardia(t, nil, "why -o json "+line).out), &w))
			text := flat(kardia(t, nil, "why "+line).out)
			for _, link := range w.Chain {
				if link.Decision != nil {
					holds("why", text, link.Decision.Why)
					holds("report", whole, link.Decision.Why)
				}
			}
		}
		for _, command := range r.Commands {
			line, is := strings.CutPrefix(command, "kardia verdict ")
			if !is {
				continue
			}
			var v struct{ Verdicts []struct{ Text string } }
			ok(t, json.Unmarshal([]byte(kardia(t, nil, "verdict -o json "+line).out), &v))
			text := flat(kardia(t, nil, "verdict "+line).out)
			for _, is := range v.Verdicts {
				holds("verdict", text, is.Text)
				holds("report", whole, is.Text)
			}
		}
		if compared < 6 {
			t.Errorf("%s: only %d sentences were compared", name, compared)
		}
	}
}
