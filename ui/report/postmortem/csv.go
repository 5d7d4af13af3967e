package postmortem

import (
	"encoding/csv"
	"io"
	"regexp"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/ui/paint"
	"kardia/ui/report"
)

// CSV writes one row a decision. Foreign text that a spreadsheet would take for a formula begins with
// an apostrophe, which spreadsheets take for a sign that text follows.
func CSV(w io.Writer, r *Report) error {
	out := csv.NewWriter(w)
	_ = out.Write([]string{"id", "time", "earliest", "latest", "since_seconds", "controller", "kind", "outcome", "node", "zone", "pod", "rule", "why", "checks", "effect",
		"basis", "observed", "causes", "writer", "user", "user_agent", "address"}) // what goes wrong, Error says at the end
	for _, d := range r.inScope {
		row := r.aftermath.Decision(d)
		_ = out.Write(r.csvRow(&row))
	}
	out.Flush()
	return out.Error()
}

func (r *Report) csvRow(d *report.Decision) []string {
	at := model.Instant(d.Time)
	earliest, latest, observed, since := at, at, "", ""
	if d.Window != nil {
		earliest, latest = model.Instant(d.Window.Earliest), model.Instant(d.Window.Latest)
	}
	if d.Observed != nil {
		observed = isoTime(model.Instant(d.Observed.Time))
	}
	if r.zero.Bounded() && at.Bounded() {
		since = strconv.FormatFloat(at.Sub(r.zero).Seconds(), 'f', 3, 64)
	}
	zone := ""
	if d.Zone != nil {
		zone = model.ZoneKey{Region: or(d.Region, ""), Zone: *d.Zone}.String()
	}
	var checks []string
	for _, c := range d.Checks {
		checks = append(checks, c.String())
	}
	var writer, user, agent, address *string
	if o := d.Observed; o != nil {
		if writer = o.Writer; writer == nil {
			writer = text("not told")
		}
		if o.Requester != nil {
			user, agent, address = o.Requester.User, o.Requester.UserAgent, o.Requester.Address
		}
	}
	return []string{cell(d.ID), isoTime(at), isoTime(earliest), isoTime(latest), since, cell(d.Controller), cell(d.Kind), cell(d.Outcome), cell(or(d.Node, "")), cell(zone),
		cell(or(d.Pod, "")), cell(d.Rule), cell(d.Why), cell(strings.Join(checks, "; ")), cell(strings.Join(d.Effect, "; ")), cell(d.Basis), observed, cell(strings.Join(d.Causes, " ")), cell(or(writer, "")), cell(or(user, "")), cell(or(agent, "")), cell(or(address, ""))}
}

// isoTime is empty where there is no time.
func isoTime(i model.Instant) string {
	if !i.Bounded() {
		return ""
	}
	return i.String()
}

// cell makes text harmless to a spreadsheet.
func cell(s string) string {
	s = paint.Clean(s)
	if strings.IndexAny(s, "=+-@\t\r＝＋－＠") == 0 || rewritten(s) {
		return "'" + s
	}
	return s
}

// dated is what a spreadsheet takes for a date.
var dated = regexp.MustCompile(`^[0-9]{1,4}[-/.][0-9]{1,2}([-/.][0-9]{1,4})?$`)

// rewritten says that a spreadsheet would take a text for a number, or a date, and show another: 007, 1e5, an id of
// digits alone.
func rewritten(s string) bool {
	if s == "" || s[0] < '0' || s[0] > '9' {
		return false
	}
	const digits = 15 // more than these no spreadsheet keeps
	n, err := strconv.ParseFloat(s, 64)
	return err == nil && (len(s) > digits || strconv.FormatFloat(n, 'f', -1, 64) != s) || dated.MatchString(s)
}
