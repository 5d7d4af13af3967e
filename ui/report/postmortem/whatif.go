package postmortem

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/simulate/whatif"
	"kardia/ui/report"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// WhatIf is what other grace periods would have done, as 'whatif' has it over the whole input. All of it
// is simulated.
type WhatIf struct {
	// Refused says why there is no answer; null where there is one.
	Refused *string `json:"refused"`
	// Writes were recorded in the time that is played, and the models make Reproduced of them with
	// nothing changed. They, and all numbers that follow, are nil where they are not known.
	Writes     *int `json:"writes"`
	Reproduced *int `json:"reproduced"`
	// NodesTainted and PodsDeleted are what was recorded; of pods nothing is known where the input shows none.
	NodesTainted *int `json:"nodesTainted"`
	PodsDeleted  *int `json:"podsDeleted"`
	// PodsLater were still to be deleted at the end of what was recorded, if their nodes stayed silent.
	PodsLater *int          `json:"podsLater"`
	Graces    []WhatIfGrace `json:"graces"`

	fit *whatif.Fit
}

// WhatIfGrace is one of them.
type WhatIfGrace struct {
	GraceSeconds report.Seconds  `json:"graceSeconds"`
	NodesTainted report.Between  `json:"nodesTainted"`
	PodsDeleted  *report.Between `json:"podsDeleted"`
	// Later are still to be deleted when the branch ends, if their nodes stay silent: put off, and not spared.
	Later  *report.Between `json:"later"`
	Spared *report.PodSet  `json:"spared"`
	Lost   *report.PodSet  `json:"additional"`
	// Open were deleted, are not by the end of the branch, and may be after it.
	Open *int `json:"open"`
}

// maxPlayed is how many decisions a report may tell of for other flags to be tried: each is played many
// times.
const maxPlayed = 1000

// tooManyToPlay says that a report tells of more.
func tooManyToPlay(in *Input) bool { return len(in.Found.Result.Decisions) > maxPlayed }

// otherGraces are tried, but for the one in force.
var otherGraces = []time.Duration{40 * time.Second, 2 * time.Minute, 5 * time.Minute}

// whatIf plays the recording under other grace periods; nil where nothing was lost, or nobody watched.
func (r *Report) whatIf(in *Input) (*WhatIf, error) {
	if len(r.Silences) == 0 || r.undecided != "" {
		return nil, nil
	}
	out := &WhatIf{Graces: []WhatIfGrace{}}
	if tooManyToPlay(in) {
		out.Refused = text(words.Of("branch.report.too-many", "n", len(in.Found.Result.Decisions)).String())
		return out, nil
	}
	base, err := whatif.Prepare(in.History, in.Found.Result, whatif.Options{})
	var refusal *whatif.Refusal
	if errors.As(err, &refusal) {
		out.Refused = text(refusal.Why)
		if f := refusal.Fit; f != nil {
			out.Writes, out.Reproduced = &f.Writes, &f.Reproduced
		}
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	out.Writes, out.Reproduced, out.fit = &base.Fit.Writes, &base.Fit.Reproduced, &base.Fit
	for _, grace := range otherGraces {
		if grace == base.Params.NodeMonitorGracePeriod.Value {
			continue
		}
		branch := &whatif.Branch{Params: base.Params}
		branch.Params.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: grace, From: model.FromFlag}
		a := base.Branch(branch)
		one := WhatIfGrace{GraceSeconds: seconds(grace), NodesTainted: report.Between{Least: a.Nodes.Least, Most: a.Nodes.Most}}
		out.NodesTainted = &a.Nodes.Recorded
		if base.ShowsPods {
			p, open := report.BranchPodsOf(&a.Pods), len(a.Pods.Open)
			out.PodsDeleted, out.PodsLater = &p.DeletedRecorded, &p.LaterRecorded
			one.PodsDeleted, one.Later, one.Spared, one.Lost, one.Open = &p.DeletedBranch, &p.LaterBranch, &p.Spared, &p.Lost, &open
		}
		out.Graces = append(out.Graces, one)
	}
	return out, nil
}

func (r *Report) tellWhatIf() chapter {
	c := chapter{title: "What another grace period would have done"}
	w := r.WhatIf
	switch {
	case w == nil:
		c.say(r.nothing(words.Of("branch.report.nothing").String()))
		return c
	case w.Refused != nil:
		c.say(words.Of("branch.report.refused", "why", *w.Refused).String())
		return c
	}
	c.say(words.Of("branch.report.method", "fit", topics.BranchFit(w.fit)).String())
	c.say(words.Of("branch.report.pods").String())
	if !r.watchedAll() {
		c.say(words.Of("branch.report.before").String())
	}
	t := &table{head: []string{"--node-monitor-grace-period", "Nodes tainted NoExecute", "Pods deleted by the end", "Still to be deleted then", "Spared by name", "Lost by name"}}
	number := func(n *int) string {
		if n == nil {
			return "not known"
		}
		return strconv.Itoa(*n)
	}
	t.add(r.params["node-monitor-grace-period"].Value+" (as it was)", number(w.NodesTainted), number(w.PodsDeleted), number(w.PodsLater), "–", "–")
	for _, g := range w.Graces {
		row := []string{g.GraceSeconds.Value.String(), g.NodesTainted.String(), "not known", "not known", "not known", "not known"}
		if g.PodsDeleted != nil {
			row = append(row[:2], fewer(*w.PodsDeleted, *g.PodsDeleted), g.Later.String(), byName(g.Spared), byName(g.Lost))
		}
		t.add(row...)
	}
	c.put(t)
	return c
}

// fewer is how many pods are deleted, and how many that is fewer, or more, than those that were.
func fewer(were int, are report.Between) string {
	switch {
	case are.Most < were:
		return words.Of("branch.report.fewer", "pods", are, "by", report.Between{Least: were - are.Most, Most: were - are.Least}).String()
	case are.Least > were:
		return words.Of("branch.report.more", "pods", are, "by", report.Between{Least: are.Least - were, Most: are.Most - were}).String()
	}
	return are.String()
}

// byName names pods, those of which it is only possible apart.
func byName(s *report.PodSet) string {
	var parts []string
	if len(s.Certain) > 0 {
		parts = append(parts, names(s.Certain, 3))
	}
	if len(s.Possible) > 0 {
		parts = append(parts, "possibly "+names(s.Possible, 3))
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}
