package incident

import (
	"errors"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/simulate/whatif"
)

// WhatIf is the effect of other grace periods. All of it is simulated.
type WhatIf struct {
	// TooMany is the number of decisions if they are too many to simulate, Refused any other reason for no answer.
	TooMany int
	Refused *whatif.Refusal
	// Fit compares an unchanged simulation with the record; nil if none was run.
	Fit *whatif.Fit
	// ShowsPods: the input shows pods; without it nothing is known of them.
	ShowsPods bool
	Graces    []Grace
}

// Grace is the answer for one grace period.
type Grace struct {
	Grace time.Duration
	*whatif.Answer
}

// maxPlayed is the most decisions with which other flags are tried: each is simulated many times.
const maxPlayed = 1000

// TooManyToPlay reports whether there are more decisions than maxPlayed.
func (x *Incident) TooManyToPlay() bool { return len(x.Result.Decisions) > maxPlayed }

// OtherGraces are the grace periods to try, without the one in force.
func (x *Incident) OtherGraces() (list []time.Duration) {
	for _, grace := range [...]time.Duration{40 * time.Second, 2 * time.Minute, 5 * time.Minute} {
		if grace != x.Result.Params.NodeMonitorGracePeriod.Value {
			list = append(list, grace)
		}
	}
	return list
}

// whatIf simulates the recording with other grace periods; nil without silences or if nothing was watched.
func (x *Incident) whatIf(h history.History) (*WhatIf, error) {
	if len(x.Silences) == 0 || x.Undecided.Is() {
		return nil, nil
	}
	if x.TooManyToPlay() {
		return &WhatIf{TooMany: len(x.Result.Decisions)}, nil
	}
	base, err := whatif.Prepare(h, x.Result, whatif.Options{})
	var refusal *whatif.Refusal
	if errors.As(err, &refusal) {
		return &WhatIf{Refused: refusal, Fit: refusal.Fit}, nil
	}
	if err != nil {
		return nil, err
	}
	out := &WhatIf{Fit: &base.Fit, ShowsPods: base.ShowsPods}
	for _, grace := range x.OtherGraces() {
		branch := &whatif.Branch{Params: base.Params}
		branch.Params.NodeMonitorGracePeriod = model.Param[time.Duration]{Value: grace, From: model.FromFlag}
		out.Graces = append(out.Graces, Grace{grace, base.Branch(branch)})
	}
	return out, nil
}
