package infer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
	"kardia/model/infer/evidence"
	"kardia/model/infer/flags"
)

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

// ladders are the values to try of flags without other bounds, in order.
var ladders = map[string][]string{
	"node-monitor-period":          {"1s", "2s", "4s", "5s", "10s", "20s", "1m"},
	"node-monitor-grace-period":    {"10s", "20s", "30s", "40s", "50s", "1m", "2m", "5m", "1h"},
	"node-startup-grace-period":    {"5s", "30s", "1m", "2m", "5m", "24h"},
	"node-eviction-rate":           {"0", "0.001", "0.01", "0.1", "1", "10", "1000"},
	"secondary-node-eviction-rate": {"0", "0.001", "0.01", "0.1", "1", "1000"},
	"large-cluster-size-threshold": {"0", "5", "10", "20", "50", "100", "500", "1000000"},
	"unhealthy-zone-threshold":     {"0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1"},
}

// Bound tries values of a flag, to find those under which no more disagrees than under the value in use. The Fit is
// unknown if all agree. ok is false if nothing is judged, or the input is too long.
func (r *Result) Bound(name string) (fit model.Maybe[Fit], ok bool, err error) {
	f := model.FlagNamed(name)
	if !r.judges() || f == nil || len(r.Contradicted) > 0 || r.Undone() {
		return fit, false, nil
	}
	used, unit := number(f.Value(&r.Params))
	below, above := []string{}, []string{}
	for _, value := range ladders[name] {
		if v, _ := number(value); v < used {
			below = append(below, value)
		} else if v > used {
			above = append(above, value)
		}
	}
	slices.Reverse(below)
	t := trying{of: r, flag: f, refused: math.MaxInt}
	least, low := t.farthest(below, used)
	most, high := t.farthest(above, used)
	if t.err != nil || t.spent {
		return fit, false, t.err
	}
	if low && high {
		return fit, true, nil
	}
	if strings.HasSuffix(name, "-rate") {
		unit = "1/s"
	}
	is := Fit{Min: least, Max: most, Unit: unit, Evidence: t.refused}
	if low {
		is.Min = 0
	}
	if high {
		is.Max = math.Inf(1)
	}
	return model.Some(is), true, nil
}

// number is a flag's value in the unit of a Fit.
func number(text string) (value float64, unit string) {
	if d, err := time.ParseDuration(text); err == nil && text != "0" {
		return d.Seconds(), "s"
	}
	value, _ = strconv.ParseFloat(text, 64)
	return value, ""
}

// trying is the trial of a flag's values.
type trying struct {
	of      *Result
	flag    *model.Flag
	refused int // the fewest additional findings under a value that does not fit
	cost    int
	spent   bool  // the input is too long to try more
	err     error // the first one of reading: nothing is tried after it
}

// farthest is the last value, in order of distance, up to which all agree; all says that every value does.
func (t *trying) farthest(values []string, used float64) (agrees float64, all bool) {
	if len(values) == 0 || t.fits(values[len(values)-1]) {
		return used, true
	}
	agrees = used
	for _, value := range values[:len(values)-1] {
		if !t.fits(value) {
			break
		}
		agrees, _ = number(value)
	}
	return agrees, false
}

// fits reports whether no more disagrees under a value than under the one in use.
func (t *trying) fits(value string) bool {
	r := t.of.run
	if t.cost += r.cost; t.err != nil || t.cost > maxAgain/len(ladders) {
		t.spent = true
		return false
	}
	p := r.o.Params
	if err := t.flag.Set(&p, value, model.FromUser); err != nil || p.Sound() != nil {
		return true // an impossible value
	}
	other, err := r.again(func(c *run) {
		c.suppose(r.assumed)
		c.o.Params, c.fixed = p, true
	})
	if t.err = err; err != nil {
		return false
	}
	more := other.found.Findings() - t.of.Findings()
	if more > 0 {
		t.refused = min(t.refused, more)
	}
	return more <= 0
}
