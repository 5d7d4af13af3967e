package postmortem

import (
	"fmt"
	"strconv"
	"strings"

	"kardia/model"
)

// commands reproduce what the report says.
func (r *Report) commands(in *Input) []string {
	var paths []string
	for _, p := range in.Paths {
		paths = append(paths, shell(p))
	}
	on := " " + strings.Join(paths, " ")
	do := func(verb string, flags ...string) string {
		return in.Command + " " + verb + on + strings.Join(flags, "")
	}
	list := []string{do("info"), do("verify"), do("decisions")}
	if r.Chain != nil {
		what, name, _ := strings.Cut(r.Chain.Subject, " ")
		list = append(list, do("why", " --"+what+" "+shell(name), " --at "+model.Instant(r.Chain.At).String()))
	}
	for i := range r.Verdicts {
		list = append(list, do("verdict", " --at "+model.Instant(r.Verdicts[i].At).String()))
	}
	for i, z := range r.Zones {
		if i == 0 || z.Time != r.Zones[i-1].Time {
			list = append(list, do("get zones", " --at "+model.Instant(z.Time).String()))
		}
		if len(list) > 12 {
			break
		}
	}
	list = append(list, do("margin"))
	if r.WhatIf != nil {
		for _, g := range otherGraces {
			if g != in.Found.Result.Params.NodeMonitorGracePeriod.Value {
				list = append(list, do("whatif", " --node-monitor-grace-period "+g.String()))
			}
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

// shell quotes a word for a POSIX shell, where it needs it.
func shell(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@,+=", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// tellPeople are the places that a person fills in.
func (r *Report) tellPeople() chapter {
	c := chapter{title: "For people to fill in"}
	c.say("Kardia sees what the API server saw. What it meant, a person knows.")
	t := &table{head: []string{"What", "Answer"}}
	for _, what := range []string{"Impact on users, and for how long", "What set it off", "What made it worse, or possible", "What went well, and where we were lucky", "How it was noticed, and by whom"} {
		t.add(what, fillIn)
	}
	c.put(t)
	actions := &table{head: []string{"Action", "Owner", "Due"}}
	actions.add(fillIn, fillIn, fillIn)
	c.put(actions)
	return c
}

func (r *Report) tellAppendix() chapter {
	c := chapter{title: "Appendix: inputs, and how to see it yourself"}
	t := &table{head: []string{"Input", "Format", "Changes", "From", "To", "Times known from"}}
	for i := range r.Input.Sources {
		s := &r.Input.Sources[i]
		t.add(s.Path, s.Format, strconv.Itoa(s.Changes), stamp(model.Instant(s.From)), stamp(model.Instant(s.To)), or(s.TimeQuality, "–"))
	}
	if len(t.rows) > most {
		t.rows = t.rows[:most]
	}
	c.put(t)
	if n := len(r.Input.Skipped); n > 0 {
		c.say(fmt.Sprintf("%s found and not read, in no format that is known.", were(n, "file")))
	}
	for _, a := range r.Verification.Assumptions {
		c.say("Assumed: " + a + ".")
	}
	c.blocks = append(c.blocks, block{code: strings.Join(r.Commands, "\n") + "\n"})
	return c
}
