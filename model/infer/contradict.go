package infer

import (
	"strings"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
)

// Contradiction is a flag, given by hand or stated by the input, that the observations contradict.
type Contradiction struct {
	// Flag is its name without dashes, Given its value, and Fits a value under which less is open.
	Flag, Given, Fits string
	// Within are all values that fit; unknown without bounds.
	Within model.Maybe[Fit]
	// Findings counts the writes, decisions and log lines that disagree with Given, Left those that disagree with Fits.
	Findings, Left int
}

// suspects are the flags that decisions depend on, in the order of suspicion.
var suspects = []*model.Flag{
	model.FlagNamed("node-monitor-grace-period"), model.FlagNamed("node-monitor-period"), model.FlagNamed("node-startup-grace-period"),
	model.FlagNamed("node-eviction-rate"), model.FlagNamed("secondary-node-eviction-rate"),
	model.FlagNamed("large-cluster-size-threshold"), model.FlagNamed("unhealthy-zone-threshold"), model.FlagNamed("feature-gates"),
}

// given reports whether a flag was given by hand, or stated by the input.
func given(f *model.Flag, p *model.Params) bool { return f.From(p) >= model.FromFile }

// Stated are the names of given flags.
func Stated(p *model.Params) (names []string) {
	for _, f := range suspects {
		if given(f, p) {
			names = append(names, f.Name)
		}
	}
	return names
}

// Differing are the flags whose value changes, as "name=value".
func Differing(was, is *model.Params) (list []string) {
	for _, f := range suspects {
		if text := f.Value(is); text != f.Value(was) {
			list = append(list, f.Name+"="+text)
		}
	}
	return list
}

// contradicted finds given flags without which more agrees with the observations, and withdraws findings under them.
func (r *run) contradicted() {
	best, wrong, doubt := r, []*model.Flag(nil), &doubt{}
	for best.found.Findings() > 0 && len(best.found.Unsupported) == 0 {
		other, f := best.without(doubt)
		if other == nil {
			break
		}
		best, wrong = other, append(wrong, f)
	}
	if len(wrong) > 0 && best.found.Findings() <= r.found.Findings()/mostLeft {
		r.withdraw(wrong, best)
	} else if len(doubt.left) > 0 {
		r.found.rests(Note{Code: NotDoubted, Name: strings.Join(doubt.left, ", --")})
	}
	r.err = best.err
}

// doubt is the cost of trying without given flags.
type doubt struct {
	cost int      // of the repeated drives
	left []string // flags that were not tried
}

// explains reports whether another value of a flag could explain an open finding.
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

// openKinds are the kinds of the findings.
func (r *Result) openKinds() map[model.DecisionKind]bool {
	kinds := map[model.DecisionKind]bool{}
	for w := range r.Open() {
		kinds[w.Kind] = true
	}
	for d := range r.Lacking() {
		kinds[d.Kind] = true
	}
	for c := range model.Each(r.denied) {
		kinds[c.Kind] = true
	}
	return kinds
}

// without is the best run that lacks one given flag; nil if none is clearly better. A long input gets fewer trials.
func (r *run) without(d *doubt) (best *run, wrong *model.Flag) {
	least, standard, kinds := r.found.Findings(), model.Defaults(r.o.Params.Version), r.found.openKinds()
	for _, f := range suspects {
		if !given(f, &r.o.Params) || !explains(f, kinds) {
			continue
		}
		if d.cost > maxAgain {
			d.left = append(d.left, f.Name)
			continue
		}
		other := r.trial(func(c *run) {
			f.Copy(&c.o.Params, &standard)
			c.enough = 1 // a wrong flag needs less evidence to be replaced
			c.quick = len(suspects)*r.cost > maxAgain
		})
		d.cost += other.driven
		// Some findings may be settled by chance, and a value that fits as well is not contradicted. A value that is no
		// version's default needs the evidence that overrides a default, or to leave nothing open.
		few := f.From(&other.o.Params) == model.FromInferred && other.found.Fits[f.Name].Evidence < flags.Enough
		n := other.found.Findings()
		open := fits(f, &other.found, &r.o.Params) && (n > 0 || least < 4*flags.Enough) // bounds may be wide
		if f.Value(&other.o.Params) == f.Value(&r.o.Params) {
			continue // the same value
		}
		if (n <= least-2 || n == 0 && len(r.found.denied) > 0) && (n == 0 || !few) && !open {
			best, wrong, least = other, f, n
		}
	}
	return best, wrong
}

// mostLeft is the share of findings, one in so many, that a value that fits may leave.
const mostLeft = 3

// fits reports whether a flag's value in some Params is within its Fit.
func fits(f *model.Flag, r *Result, p *model.Params) bool {
	fit, ok := r.Fits[f.Name]
	value, _ := number(f.Value(p))
	return ok && fit.Min <= value && value <= fit.Max
}

// withdraw removes the findings under wrong flags, and adds the values that fit.
func (r *run) withdraw(wrong []*model.Flag, best *run) {
	before := r.found
	r.found = Result{Params: best.found.Params, Fits: best.found.Fits, Coverage: r.coverage, Mode: r.o.Mode, Writes: r.writes, run: r}
	for _, f := range wrong {
		c := Contradiction{Flag: f.Name, Findings: before.Findings(), Left: best.found.Findings()}
		c.Given, c.Fits = f.Value(&r.o.Params), f.Value(&best.o.Params)
		if fit, ok := best.found.Fits[f.Name]; ok {
			c.Within = model.Some(fit)
		}
		r.found.Contradicted = append(r.found.Contradicted, c)
	}
	for w := range model.Each(r.writes) {
		w.Decision, w.Lag, w.Unexplained = 0, model.Maybe[time.Duration]{}, evidence.Unexplained{Code: evidence.FlagContradicted, Flag: wrong[0].Name + "=" + r.found.Contradicted[0].Given}
	}
}
