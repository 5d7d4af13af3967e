package postmortem

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kardia/model"
	"kardia/ui/report"
)

func (r *Report) tellFlags() chapter {
	c := chapter{title: "Flags of the controller manager"}
	c.say("The flags that the models ran with, and which values agree with what was seen. A default stands where nothing tells otherwise: it need not be what the cluster had.")
	t := &table{head: []string{"Flag", "Value", "From", "Values that agree", "Observations"}}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		p := r.params[name]
		from, fits := p.From.String(), "anything: nothing determines it"
		if p.From == model.FromFile {
			from = "input"
		}
		evidence := "0"
		if p.Fits.Known {
			fits, evidence = report.FitWords(p.Fits.Value), strconv.Itoa(p.Fits.Value.Evidence)
			if p.Fits.Value.Or != "" {
				fits += "; or " + p.Fits.Value.Or
			}
		}
		t.add("--"+name, p.Value, from, fits, evidence)
	}
	c.put(t)
	c.say(r.explained())
	return c
}

// explained is how much of what was seen the models explain, as verify has it.
func (r *Report) explained() string {
	v := &r.Verification
	if v.Observed == 0 {
		return "The input shows no write of the controllers, so nothing checks the models against it."
	}
	text := fmt.Sprintf("The models explain %d of the %s of the controllers that the whole input shows; %s decided on %s not seen.",
		v.Explained, counted(v.Observed, "write"), counted(len(v.Unobserved), "effect"), map[bool]string{true: "was", false: "were"}[len(v.Unobserved) == 1])
	if v.ExplainedIf > 0 {
		text += fmt.Sprintf(" %d more are explained only if a hypothesis holds that nobody tells of.", v.ExplainedIf)
	}
	return text + r.testified()
}

// testified is what the controllers' own logs say of the decisions; empty where none was read.
func (r *Report) testified() string {
	l := r.Verification.Logs
	if l == nil || l.Statements == 0 {
		return ""
	}
	text := fmt.Sprintf(" %s: %s about decisions, of which %d confirm one of the models'", strings.ToUpper(l.Of()[:1])+l.Of()[1:], counted(l.Statements, "statement"), l.Confirmed)
	if n := len(l.Contradicted); n > 0 {
		text += fmt.Sprintf(", and in %d the two disagree", n)
	}
	return text + "."
}
