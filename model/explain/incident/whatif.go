package incident

import (
	"errors"
	"time"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/simulate/whatif"
)

// WhatIf is what other grace periods would have done. All of it is simulated.
type WhatIf struct {
	// TooMany is how many decisions there are, where these are too many to be played; Refused is why there is no answer
	// else, "" where there is one.
	TooMany int
	Refused *whatif.Refusal
	// Fit is what the models make with nothing changed; nil where they were not run.
	Fit *whatif.Fit
	// ShowsPods says that the input shows pods: else nothing is known of them.
	ShowsPods bool
	Graces    []Grace
}

// Grace is one of them.
type Grace struct {
	Grace time.Duration
	*whatif.Answer
}

// maxPlayed is how many decisions there may be for other flags to be tried: each is played many times.
const maxPlayed = 1000

// TooManyToPlay says that there are more.
func (x *Incident) TooManyToPlay() bool { return len(x.Result.Decisions) > maxPlayed }

// OtherGraces are those that are tried: some but for the one in force.
func (x *Incident) OtherGraces() (list []time.Duration) {
	for _, grace := range [...]time.Duration{40 * time.Second, 2 * time.Minute, 5 * time.Minute} {
		if grace != x.Result.Params.NodeMonitorGracePeriod.Value {
			list = append(list, grace)
		}
	}
	return list
}

// whatIf plays the recording under other grace periods; nil where nothing was lost, or nobody watched.
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
