package infer

import (
	"time"

	"kardia/model"
	"kardia/model/infer/flags"
)

// How far apart passes and declarations are often leaves open which period the monitor has, and so where its passes
// were. What the models make of each tells more: under a wrong one much of what was written has no reason.

// maxTried is how many Changes are driven, all in all, to find the times that explain most.
const maxTried = 1_000_000

// tryTimes drives the models under other periods and grace periods, where those that were inferred leave much open, and
// goes by those that leave clearly less.
func (r *run) tryTimes() (changed bool, err error) {
	least := r.found.findings()
	if r.fixed || r.assumed != nil || r.quick || least < flags.Enough || r.judgeable() != "" {
		return false, nil
	}
	var best *run
	for i, t := range r.observed().Times(least*2 > len(r.writes)) {
		if (i+1)*(r.input.End-r.input.First) > maxTried {
			break
		}
		other, err := r.again(func(c *run) { c.fixed, c.quick = true, true; c.setTimes(t) })
		if err != nil {
			return false, err
		}
		if n := other.found.findings(); n < least {
			best, least = other, n
		}
	}
	if best == nil || least > r.found.findings()/mostLeft || least > r.found.findings()-flags.Enough {
		return false, nil
	}
	r.o.Params, r.fixed, r.tried = best.o.Params, true, true
	return true, nil
}

// setTimes sets those that nobody stated.
func (r *run) setTimes(t flags.Times) {
	for _, x := range []struct {
		p     *model.Param[time.Duration]
		value time.Duration
	}{{&r.o.Params.NodeMonitorPeriod, t.Period}, {&r.o.Params.NodeMonitorGracePeriod, t.Grace}} {
		if x.p.From < model.FromFile {
			*x.p = model.Param[time.Duration]{Value: x.value, From: model.FromInferred}
		}
	}
}
