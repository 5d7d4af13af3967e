package infer

import (
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
)

// Contradiction is a flag, given by hand or stated by the input, that what was seen contradicts.
type Contradiction struct {
	// Flag is its name without dashes, Given the value that was given, and Fits one under which
	// less is left unexplained, both as the flag takes them.
	Flag, Given, Fits string
	// Within are all values that fit; unknown where the input bounds none.
	Within model.Maybe[Fit]
	// Findings are the writes, decisions and lines of logs that do not agree under the value given, and Left
	// those that do not under the one that fits.
	Findings, Left int
}

// suspects are the flags that decisions depend on, in the order in which they are suspected.
var suspects = []*model.Flag{
	model.FlagNamed("node-monitor-grace-period"), model.FlagNamed("node-monitor-period"), model.FlagNamed("node-startup-grace-period"),
	model.FlagNamed("node-eviction-rate"), model.FlagNamed("secondary-node-eviction-rate"),
	model.FlagNamed("large-cluster-size-threshold"), model.FlagNamed("unhealthy-zone-threshold"), model.FlagNamed("feature-gates"),
}

// given says that a flag was given by hand, or stated by the input.
func given(f *model.Flag, p *model.Params) bool { return f.From(p) >= model.FromFile }

// Stated are the names of the flags that were given by hand, or stated by the input.
func Stated(p *model.Params) (names []string) {
	for _, f := range suspects {
		if given(f, p) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Differing are the flags that have another value in the one than in the other, as "name=value".
func Differing(was, is *model.Params) (list []string) {
	for _, f := range suspects {
		if text := f.Value(is); text != f.Value(was) {
			list = append(list, f.Name+"="+text)
		}
	}
	return list
}

// contradicted looks for flags given by hand without which more agrees with what was seen, and
// withdraws what was found under them.
func (r *run) contradicted() error {
	best, wrong, doubt := r, []*model.Flag(nil), &doubt{}
	for best.found.findings() > 0 && len(best.found.Unsupported) == 0 {
		other, f, err := best.without(doubt)
		if err != nil {
			return err
		}
		if other == nil {
			break
		}
		best, wrong = other, append(wrong, f)
	}
	if len(wrong) > 0 && best.found.findings() <= r.found.findings()/mostLeft {
		r.withdraw(wrong, best)
	} else if len(doubt.left) > 0 {
		r.found.rests(Note{Code: NotDoubted, Name: strings.Join(doubt.left, ", --")})
	}
	return nil
}

// doubt is what doubting flags costs.
type doubt struct {
	cost int      // of what was driven again
	left []string // flags that were not doubted any more
}

// explains says whether another value of a flag could explain any of what does not agree.
func explains(f *model.Flag, open map[model.DecisionKind]bool) bool {
	switch f.Name {
	case "node-monitor-grace-period", "node-startup-grace-period":
		return open[model.MarkUnknown]
	case "node-eviction-rate", "secondary-node-eviction-rate", "large-cluster-size-threshold", "unhealthy-zone-threshold":
		return open[model.TaintNoExecute] || open[model.UntaintNoExecute] || open[model.ZoneState]
	case "feature-gates":
		return open[model.EvictPod]
	}
	return true
}

// open are the kinds of the writes and decisions that do not agree.
func (r *Result) open() map[model.DecisionKind]bool {
	kinds, missing := map[model.DecisionKind]bool{}, r.Missing()
	for i := range r.Writes {
		if r.Writes[i].Decision == 0 {
			kinds[r.Writes[i].Kind] = true
		}
	}
	for i := range r.Decisions {
		if missing[r.Decisions[i].ID] {
			kinds[r.Decisions[i].Kind] = true
		}
	}
	for i := range r.denied {
		kinds[r.denied[i].Kind] = true
	}
	return kinds
}

// without is the run that agrees best with what was seen of those that lack one of the flags
// given by hand; nil if none agrees clearly better. Of a long input not all of them are tried, and few pass instants.
func (r *run) without(d *doubt) (best *run, wrong *model.Flag, err error) {
	least, standard, kinds := r.found.findings(), model.Defaults(r.o.Params.Version), r.found.open()
	for _, f := range suspects {
		if !given(f, &r.o.Params) || !explains(f, kinds) {
			continue
		}
		if d.cost > maxAgain {
			d.left = append(d.left, f.Name)
			continue
		}
		other, err := r.again(func(c *run) {
			f.Copy(&c.o.Params, &standard)
			c.enough = 1 // a flag that is known to be wrong needs less to be replaced
			c.quick = len(suspects)*r.cost > maxAgain
		})
		if err != nil {
			return nil, f, err
		}
		d.cost += other.driven
		// Some of what is left open may be anything, and be settled by chance; and what fits as well is
		// not contradicted. A value that no version has for its default needs what a default needs to be
		// given up, or to leave nothing open.
		few := f.From(&other.o.Params) == model.FromInferred && other.found.Fits[f.Name].Evidence < flags.Enough
		n := other.found.findings()
		open := fits(f, &other.found, &r.o.Params) && (n > 0 || least < 4*flags.Enough) // bounds may be wide
		if f.Value(&other.o.Params) == f.Value(&r.o.Params) {
			continue // that it was stated makes no difference
		}
		if (n <= least-2 || n == 0 && len(r.found.denied) > 0) && (n == 0 || !few) && !open {
			best, wrong, least = other, f, n
		}
	}
	return best, wrong, nil
}

// mostLeft is the share, one in so many, of what disagrees that may be left under a value that fits.
const mostLeft = 3

// fits says that a flag's value in some Params agrees with what bounds the flag.
func fits(f *model.Flag, r *Result, p *model.Params) bool {
	fit, ok := r.Fits[f.Name]
	if !ok {
		return false
	}
	text := f.Value(p)
	value, err := strconv.ParseFloat(text, 64)
	if d, failed := time.ParseDuration(text); failed == nil {
		value, err = d.Seconds(), nil
	}
	return err == nil && fit.Min <= value && value <= fit.Max
}

// withdraw takes back what was found under flags that are wrong, and says what fits.
func (r *run) withdraw(wrong []*model.Flag, best *run) {
	before := r.found
	r.found = Result{Params: best.found.Params, Fits: best.found.Fits, Coverage: r.coverage, Mode: r.o.Mode, Writes: r.writes, run: r}
	for _, f := range wrong {
		c := Contradiction{Flag: f.Name, Findings: before.findings(), Left: best.found.findings()}
		c.Given, c.Fits = f.Value(&r.o.Params), f.Value(&best.o.Params)
		if fit, ok := best.found.Fits[f.Name]; ok {
			c.Within = model.Some(fit)
		}
		r.found.Contradicted = append(r.found.Contradicted, c)
	}
	for i := range r.writes {
		w := &r.writes[i]
		w.Decision, w.Lag, w.Unexplained = 0, model.Maybe[time.Duration]{}, evidence.Unexplained{Code: evidence.FlagContradicted, Flag: wrong[0].Name + "=" + r.found.Contradicted[0].Given}
	}
}
