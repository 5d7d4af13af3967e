package infer

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kardia/model"
)

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
	var other *run
	if other, t.err = r.supposingUnder(p); t.err != nil {
		return false
	}
	more := other.found.Findings() - t.of.Findings()
	if more > 0 {
		t.refused = min(t.refused, more)
	}
	return more <= 0
}

// supposingUnder runs the same input under other flags and the same assumptions.
func (r *run) supposingUnder(p model.Params) (*run, error) {
	return r.again(func(c *run) {
		c.suppose(r.assumed)
		c.o.Params, c.fixed = p, true
	})
}
