package contract

import (
	"fmt"
	"strings"

	"kardia/model"
	"kardia/model/explain/incident"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer/hypotheses"
	"kardia/model/past"
	"kardia/ui/render"
	"kardia/ui/topics"
)

// PostmortemInput is what a report is made of.
type PostmortemInput struct {
	Name    string
	History history.History
	// Found is the models' result, with the hypotheses that count.
	Found         *hypotheses.Found
	ServerVersion string
	Skipped       []string
	Marks         []past.Bookmark
	Scope         incident.Scope
	// Command is the command line up to the Paths, for the commands that reproduce the report.
	Command string
	Paths   []string
	// Redaction is the level at which names were replaced; "" for none.
	Redaction string
}

// Postmortem is a report that can be written in each form.
type Postmortem struct {
	topic topics.Incident
	input Info
	chain *Why
}

// PostmortemOf makes a report. Errors are those of reading the History.
func PostmortemOf(in *PostmortemInput) (*Postmortem, error) {
	found, err := incident.Of(&incident.Input{History: in.History, Found: in.Found, Marks: in.Marks, Scope: in.Scope})
	if err != nil {
		return nil, err
	}
	end, err := history.StateAt(in.History, in.History.Coverage().Latest)
	if err != nil {
		return nil, err
	}
	m := &Postmortem{input: InfoOf(in.History, end, in.Skipped, in.ServerVersion)}
	m.topic = topics.Incident{Incident: found, Name: in.Name, Version: in.ServerVersion, Redaction: in.Redaction, Counts: [3]*int{m.input.Nodes, m.input.Zones, m.input.Pods}, Skipped: len(in.Skipped)}
	for i := range m.input.Sources {
		s := &m.input.Sources[i]
		m.topic.Sources = append(m.topic.Sources, topics.Source{Path: s.Path, Format: s.Format, Changes: s.Changes, From: model.Instant(s.From), To: model.Instant(s.To), Quality: or(s.TimeQuality, "")})
	}
	if c := found.Chain; c != nil {
		subject := "node " + c.Decision.Node
		if c.Decision.Pod != (model.Key{}) {
			subject = "pod " + c.Decision.Pod.String()
		}
		why := WhyOf(c.Decision.Time, subject, c.Links, nil, topics.Notes(found.Result.Assumptions))
		m.chain = &why
		var b strings.Builder
		_ = render.Text(&b, why.Doc(true), render.Page{}) // a strings.Builder has no errors
		m.topic.Why = b.String()
	}
	m.topic.Commands = m.commands(in)
	return m, nil
}

// Judgement is the result of 'verify' for the same input.
func (m *Postmortem) Judgement() *verify.Report { return &m.topic.Judgement }

// Partial reports whether nodes may be missing where the report ends.
func (m *Postmortem) Partial() bool {
	return m.topic.Standing != nil && len(m.topic.Standing.Caveats) > 0
}

// commands reproduce the report's statements.
func (m *Postmortem) commands(in *PostmortemInput) []string {
	paths := each(in.Paths, shell)
	do := func(verb string, flags ...string) string {
		return in.Command + " " + verb + " " + strings.Join(paths, " ") + strings.Join(flags, "")
	}
	list := []string{do("info"), do("verify"), do("decisions")}
	if m.chain != nil {
		what, name, _ := strings.Cut(m.chain.Subject, " ")
		list = append(list, do("why", " --"+what+" "+shell(name), " --at "+model.Instant(m.chain.At).String()))
	}
	for _, v := range m.topic.Verdicts {
		list = append(list, do("verdict", " --at "+v.At.String()))
	}
	for i, z := range m.topic.Zones {
		if i == 0 || z.At != m.topic.Zones[i-1].At {
			list = append(list, do("get zones", " --at "+z.At.String()))
		}
		if len(list) > 12 {
			break
		}
	}
	list = append(list, do("margin"))
	if m.topic.WhatIf != nil {
		for _, g := range m.topic.OtherGraces() {
			list = append(list, do("whatif", fmt.Sprint(" --node-monitor-grace-period ", g)))
		}
	}
	var flags string
	for _, f := range [][2]string{{"node", in.Scope.Node}, {"zone", in.Scope.Zone}} {
		if f[1] != "" {
			flags += " --" + f[0] + " " + shell(f[1])
		}
	}
	if in.Scope.From.Known() {
		flags += " --from " + in.Scope.From.String()
	}
	if in.Scope.To.Known() {
		flags += " --to " + in.Scope.To.String()
	}
	return append(list, do("report", flags, " -o html"))
}

// shell quotes a word for a POSIX shell, if it needs that.
func shell(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@,+=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
