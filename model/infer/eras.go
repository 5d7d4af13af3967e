package infer

import (
	"cmp"
	"slices"
	"strings"

	"kardia/model"
	"kardia/model/history"
	"kardia/model/infer/evidence"
)

// A process logs its flags when it starts. Earlier processes may have had others.

// erasOf are the logged processes with known clocks, by time; without any, the recorded restarts.
func (r *run) erasOf(said []history.Statement) (list []era) {
	type process struct {
		source int32
		id     int
	}
	listed := map[process]*model.Params{}
	for x := range model.Each(said) {
		of := process{x.Origin.Source, x.Process}
		switch x.What {
		case history.SaidFlag:
			if listed[of] == nil {
				listed[of] = &model.Params{}
			}
			name, value := x.Flag()
			if f := model.FlagNamed(name); f != nil {
				_ = f.Set(listed[of], value, model.FromFile) // an unreadable value is ignored
			}
		case history.SaidStart:
			if at, ok := r.began(x); ok {
				list = append(list, era{at, listed[of]})
			}
		}
	}
	if len(list) == 0 { // restarts without flags
		for _, v := range r.evidence.Restarts {
			list = append(list, era{from: v.Earliest})
		}
	}
	slices.SortStableFunc(list, func(a, b era) int { return cmp.Compare(a.from, b.from) })
	return list
}

// began is the earliest start of a logged process: by the log's clock or, if unknown, by a source of about that time.
func (r *run) began(x *history.Statement) (at model.Instant, ok bool) {
	for l := range model.Each(r.evidence.Logs) {
		if l.Source == x.Origin.Source && l.Ahead.Known {
			return x.At.Add(-l.Ahead.Value.Most), true
		}
	}
	about := model.Interval{Earliest: x.At.Add(-evidence.OneBurst), Latest: x.At.Add(evidence.OneBurst)}
	for _, v := range r.evidence.Restarts {
		if v.Overlaps(about) {
			return v.Earliest, true
		}
	}
	return 0, false
}

// tryBefore proposes the defaults for an earlier process with unknown flags.
func (r *run) tryBefore() (changed bool) {
	least := r.found.Findings()
	if !r.mayAssume() || r.otherBefore || len(r.eras) == 0 || least < 2 || r.o.Tried.noMore(least) {
		return false
	}
	return r.adopt(2, func(c *run) { c.otherBefore = true })
}

// assumeFlags notes the assumed flags of earlier processes.
func (r *run) assumeFlags(res *Result) {
	since := r.sinceFlags()
	if since <= r.coverage.Earliest {
		return
	}
	before, code := r.flagsAt(since-1), FlagsSaid
	if i := slices.IndexFunc(r.eras, func(e era) bool { return e.from >= since }); i < 1 || r.eras[i-1].flags == nil {
		code = FlagsDefault
	}
	res.rests(Note{Code: code, Since: since, Name: strings.Join(Differing(&r.o.Params, &before), ", --")})
}
