package contract

import (
	"maps"
	"slices"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/simulate/whatif"
	"kardia/ui/topics"
	"kardia/ui/words"
)

// WhatIf is the controllers' decisions in a branch of a recording. All of the branch is simulated.
type WhatIf struct {
	Caveats

	From Stamp `json:"from"`
	// Flags are those of the recorded cluster and of the branch.
	Flags     map[string]BranchFlag `json:"flags"`
	Fit       Fit                   `json:"fit"`
	Decisions BranchDecisions       `json:"decisions"`
	Changes   []DecisionChange      `json:"changes"`
	// Pods is nil if the input shows no pods.
	Pods        *BranchPods `json:"pods"`
	Assumptions []string    `json:"assumptions"`

	name    string
	until   Stamp
	changed []words.Say // what the branch changes
	answer  *whatif.Answer
}

// BranchFlag is a flag of the recorded cluster, the source of its value, and the branch's.
type BranchFlag struct {
	Recorded string `json:"recorded"`
	From     string `json:"from"`
	Branch   string `json:"branch"`
}

// Fit is how the unchanged run compares with the recording.
type Fit struct {
	Writes     int        `json:"writes"`
	Reproduced int        `json:"reproduced"`
	Missing    []FitWrite `json:"missing"`
	Extra      []FitWrite `json:"extra"`
	says       string
}

// FitWrite is a write on which they do not agree.
type FitWrite struct {
	Time   Stamp   `json:"time"`
	Window *Window `json:"window,omitempty"`
	Kind   string  `json:"kind"`
	Node   *string `json:"node"`
	Pod    *string `json:"pod"`
}

// BranchDecisions are the recorded decisions, and those of the branch.
type BranchDecisions struct {
	Recorded []Decision       `json:"recorded"`
	Branch   []BranchDecision `json:"branch"`
}

// BranchDecision is one of the branch. Time is from the run that is most like the recording.
type BranchDecision struct {
	Decision
	// Certain: it is made in every race.
	Certain bool `json:"certain"`
}

// DecisionChange is a decision that differs.
type DecisionChange struct {
	Change  string  `json:"change"`
	Certain bool    `json:"certain"`
	Kind    string  `json:"kind"`
	Node    *string `json:"node"`
	Pod     *string `json:"pod"`
	// Recorded is nil if it was not recorded, Branch if it vanishes in every run. Unchanged is simulated without any
	// change, after the end of the recording.
	Recorded  *Timed `json:"recorded"`
	Branch    *Timed `json:"branch"`
	Unchanged *Timed `json:"unchanged"`

	subject string
}

// Timed is when a decision is made.
type Timed struct {
	Time   Stamp   `json:"time"`
	Window *Window `json:"window,omitempty"`
}

// Between is a range of numbers.
type Between struct {
	Least int `json:"least"`
	Most  int `json:"most"`
}

// BranchPods is what becomes of the pods.
type BranchPods struct {
	DeletedRecorded  int     `json:"deletedRecorded"`
	DeletedBranch    Between `json:"deletedBranch"`
	DeletedUnchanged Between `json:"deletedUnchanged"`
	// LaterRecorded were still to be deleted at the end of the recording, if their nodes stay silent. LaterBranch are
	// the same at the end of the branch: delayed, and not spared.
	LaterRecorded int     `json:"laterRecorded"`
	LaterBranch   Between `json:"laterBranch"`
	Spared        PodSet  `json:"spared"`
	Lost          PodSet  `json:"additional"`
	// Ended are still Terminating at the end of the unchanged run, and gone by then in the branch.
	Ended PodSet `json:"ended"`
}

// PodSet are the certain and the possible pods, and how many there are together.
type PodSet struct {
	Between
	Certain  []string `json:"certain"`
	Possible []string `json:"possible"`
}

// WhatIfOf reports a branch.
func WhatIfOf(name string, b *whatif.Base, branch *whatif.Branch, a *whatif.Answer) WhatIf {
	out := WhatIf{From: Stamp(b.From), until: Stamp(b.Until), name: name, answer: a, Flags: branchFlags(&b.Params, &branch.Params), Fit: fitOf(&b.Fit),
		Changes: each(a.Changes, changeOfBranch), Pods: known(b.ShowsPods, BranchPodsOf(&a.Pods)), Assumptions: printed(topics.BranchAssumes(a))}
	out.Decisions = BranchDecisions{each(a.Recorded, func(d model.Decision) Decision { return DecisionOf(&d) }),
		each(a.Branch, func(d whatif.Decision) BranchDecision { return BranchDecision{DecisionOf(&d.Decision), d.Certain} })}
	out.changed = changed(&out, branch)
	return out
}

func changeOfBranch(c whatif.Change) DecisionChange {
	d := c.Decision()
	one := DecisionChange{Change: c.Change.String(), Certain: c.Certain, Kind: d.Kind.String(), Node: text(d.Node), Pod: known(d.Pod != model.Key{}, d.Pod.String()), Recorded: timed(c.Recorded), subject: d.Subject()}
	if d.Kind == model.ZoneState || d.Kind == model.SetRate {
		one.subject += ": " + topics.Why(d).String()
	}
	if c.Branch != nil {
		one.Branch = timed(&c.Branch.Decision)
	}
	if c.Unchanged != nil {
		one.Unchanged = timed(&c.Unchanged.Decision)
	}
	return one
}

func timed(d *model.Decision) *Timed {
	if d == nil {
		return nil
	}
	return &Timed{Stamp(d.Time), inexact(d.Window)}
}

func branchFlags(base, branch *model.Params) map[string]BranchFlag {
	out := map[string]BranchFlag{"kubernetes-version": {base.Version.String(), "input", branch.Version.String()}}
	is := verify.Flags(branch)
	for name, p := range verify.Flags(base) {
		out[name] = BranchFlag{p.Value, paramOf(&p).From, is[name].Value}
	}
	for name, p := range is {
		if _, ok := out[name]; !ok {
			out[name] = BranchFlag{model.GateComparisonOperators + "=false", model.FromDefault.String(), p.Value}
		}
	}
	return out
}

func fitOf(f *whatif.Fit) Fit {
	write := func(w whatif.Write) FitWrite {
		return FitWrite{Stamp(w.Window.Earliest), inexact(w.Window), w.Kind.String(), text(w.Node), known(w.Pod != model.Key{}, w.Pod.String())}
	}
	return Fit{f.Writes, f.Reproduced, each(f.Missing, write), each(f.Extra, write), topics.BranchFit(f).String()}
}

// BranchPodsOf reports a branch's pods.
func BranchPodsOf(p *whatif.Pods) BranchPods {
	set := func(s *whatif.Set, least, most int) PodSet {
		return PodSet{Between{least, most}, podNames(s.Certain), podNames(s.Possible)}
	}
	return BranchPods{p.Recorded, Between{p.Least, p.Most}, Between{p.UnchangedLeast, p.UnchangedMost}, p.LaterRecorded, Between{p.LaterLeast, p.LaterMost}, set(&p.Spared, p.SparedLeast, p.SparedMost), set(&p.Lost, p.LostLeast, p.LostMost),
		set(&p.Ended, len(p.Ended.Certain), len(p.Ended.Certain)+len(p.Ended.Possible))}
}

func podNames(pods []whatif.Pod) []string {
	return each(pods, func(p whatif.Pod) string { return p.Key.String() })
}

func changed(w *WhatIf, branch *whatif.Branch) (list []words.Say) {
	for _, name := range slices.Sorted(maps.Keys(w.Flags)) {
		if f := w.Flags[name]; f.Recorded != f.Branch {
			list = append(list, words.Of("branch.flag", "name", name, "recorded", f.Recorded, "from", f.From, "branch", f.Branch))
		}
	}
	if t := branch.Tolerations; t != nil {
		list = append(list, topics.BranchTolerates(t.Seconds))
	}
	for _, e := range branch.Edits {
		list = append(list, words.Of("branch.edit", "what", e.String(), "at", millis(Stamp(e.At))))
	}
	if len(list) == 0 {
		list = []words.Say{words.Text("nothing")}
	}
	return list
}
