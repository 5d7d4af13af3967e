package infer

import (
	"fmt"
	"strconv"
	"time"

	"kardia/model"
)

// Contradiction is a flag, given by hand or stated by the input, that what was seen contradicts.
type Contradiction struct {
	// Flag is its name without dashes, Given the value that was given, and Fits one under which
	// less is left unexplained, both as the flag takes them.
	Flag, Given, Fits string
	// Within are all values that fit; unknown where the input bounds none.
	Within model.Maybe[Fit]
	// Findings are the writes and decisions that do not agree under the value given, and Left
	// those that do not under the one that fits.
	Findings, Left int
}

// String is one sentence for the person who gave the flag.
func (c Contradiction) String() string {
	left := "none"
	if c.Left > 0 {
		left = strconv.Itoa(c.Left)
	}
	return fmt.Sprintf("--%s=%s contradicts what was seen, %s fits: %s disagree with %s, %s with %s",
		c.Flag, c.Given, c.Fits, counted(c.Findings, "write or effect", "writes and effects"), c.Given, left, c.Fits)
}

// setting is one flag of Params, whatever its type.
type setting struct {
	name string
	of   func(*model.Params) (from *model.Provenance, text string)
	// reset takes the flag from other Params.
	reset func(p, from *model.Params)
}

func settingOf[T any](name string, field func(*model.Params) *model.Param[T], text func(T) string) setting {
	return setting{name,
		func(p *model.Params) (*model.Provenance, string) { f := field(p); return &f.From, text(f.Value) },
		func(p, from *model.Params) { *field(p) = *field(from) }}
}

func float(f float32) string { return strconv.FormatFloat(float64(f), 'g', -1, 32) }

// settings are the flags that decisions depend on, in the order in which they are suspected.
var settings = []setting{
	settingOf("node-monitor-grace-period", func(p *model.Params) *model.Param[time.Duration] { return &p.NodeMonitorGracePeriod }, time.Duration.String),
	settingOf("node-monitor-period", func(p *model.Params) *model.Param[time.Duration] { return &p.NodeMonitorPeriod }, time.Duration.String),
	settingOf("node-startup-grace-period", func(p *model.Params) *model.Param[time.Duration] { return &p.NodeStartupGracePeriod }, time.Duration.String),
	settingOf("node-eviction-rate", func(p *model.Params) *model.Param[float32] { return &p.NodeEvictionRate }, float),
	settingOf("secondary-node-eviction-rate", func(p *model.Params) *model.Param[float32] { return &p.SecondaryNodeEvictionRate }, float),
	settingOf("large-cluster-size-threshold", func(p *model.Params) *model.Param[int32] { return &p.LargeClusterSizeThreshold },
		func(n int32) string { return strconv.Itoa(int(n)) }),
	settingOf("unhealthy-zone-threshold", func(p *model.Params) *model.Param[float32] { return &p.UnhealthyZoneThreshold }, float),
	settingOf("feature-gates", func(p *model.Params) *model.Param[bool] { return &p.ComparisonOperators },
		func(on bool) string { return model.GateComparisonOperators + "=" + strconv.FormatBool(on) }),
}

// given says that the flag was given by hand, or stated by the input.
func (f setting) given(p *model.Params) bool {
	from, _ := f.of(p)
	return *from >= model.FromFile
}

// Stated are the names of the flags that were given by hand, or stated by the input.
func Stated(p *model.Params) (names []string) {
	for _, f := range settings {
		if f.given(p) {
			names = append(names, f.name)
		}
	}
	return names
}

// Differing are the flags that have another value in the one than in the other, as "name=value".
func Differing(was, is *model.Params) (list []string) {
	for _, f := range settings {
		_, before := f.of(was)
		if _, text := f.of(is); text != before {
			list = append(list, f.name+"="+text)
		}
	}
	return list
}

// contradicted looks for flags given by hand without which more agrees with what was seen, and
// withdraws what was found under them.
func (r *run) contradicted() error {
	best, wrong := r, []setting{}
	for best.found.findings() > 0 && len(best.found.Unsupported) == 0 {
		other, f, err := best.without()
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
	}
	return nil
}

// without is the run that agrees best with what was seen of those that lack one of the flags
// given by hand; nil if none agrees clearly better.
func (r *run) without() (best *run, wrong setting, err error) {
	least, standard := r.found.findings(), model.Defaults(r.o.Params.Version)
	for _, f := range settings {
		if !f.given(&r.o.Params) {
			continue
		}
		other, err := r.under(func(c *run) {
			f.reset(&c.o.Params, &standard)
			c.enough = 1 // a flag that is known to be wrong needs less to be replaced
		})
		if err != nil {
			return nil, f, err
		}
		// Some of what is left open may be anything, and be settled by chance; and what fits as well is
		// not contradicted. A value that no version has for its default needs what a default needs to be
		// given up, or to leave nothing open.
		from, _ := f.of(&other.o.Params)
		few := *from == model.FromInferred && other.found.Fits[f.name].Evidence < enough
		if n := other.found.findings(); n <= least-2 && (n == 0 || !few) && !f.fits(&other.found, &r.o.Params) {
			best, wrong, least = other, f, n
		}
	}
	return best, wrong, nil
}

// mostLeft is the share, one in so many, of what disagrees that may be left under a value that fits.
const mostLeft = 3

// fits says that the value in some Params agrees with what bounds the flag.
func (f setting) fits(r *Result, p *model.Params) bool {
	fit, ok := r.Fits[f.name]
	if !ok {
		return false
	}
	_, text := f.of(p)
	value, err := strconv.ParseFloat(text, 64)
	if d, failed := time.ParseDuration(text); failed == nil {
		value, err = d.Seconds(), nil
	}
	return err == nil && fit.Min <= value && value <= fit.Max
}

// withdraw takes back what was found under flags that are wrong, and says what fits.
func (r *run) withdraw(wrong []setting, best *run) {
	before := r.found
	r.found = Result{Params: best.found.Params, Fits: best.found.Fits, Coverage: r.coverage, Mode: r.o.Mode, Writes: r.writes, run: r}
	for _, f := range wrong {
		c := Contradiction{Flag: f.name, Findings: before.findings(), Left: best.found.findings()}
		_, c.Given = f.of(&r.o.Params)
		_, c.Fits = f.of(&best.o.Params)
		if fit, ok := best.found.Fits[f.name]; ok {
			c.Within = model.Some(fit)
		}
		r.found.Contradicted = append(r.found.Contradicted, c)
	}
	for i := range r.writes {
		w := &r.writes[i]
		w.Decision, w.Lag, w.Unexplained = 0, model.Maybe[time.Duration]{}, "nothing is judged under --"+wrong[0].name+"="+r.found.Contradicted[0].Given
	}
}
