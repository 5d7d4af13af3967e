package forecast

import (
	"fmt"
	"slices"

	"kardia/model"
)

// unwatched takes into account that it is asked at an instant up to which nobody has watched anything since the state
// that the forecast is made of. What was due by then is no more to come, and what may have been is not certain.
func (f *Forecast) unwatched(asked model.Instant) {
	past := func(w model.Interval) bool { return w.Bounded() && w.Latest < asked }
	f.Coming = slices.DeleteFunc(f.Coming, func(c Coming) bool { return past(c.Decision.Window) })
	for i := range f.Coming {
		c := &f.Coming[i]
		c.Sure = c.Sure && c.Decision.Window.Earliest > asked
	}
	before := len(f.Evictions)
	f.Evictions = slices.DeleteFunc(f.Evictions, func(e Eviction) bool { return past(e.Window) })
	for i := range f.Evictions {
		e := &f.Evictions[i]
		e.Certain = e.Certain && e.Window.Earliest > asked
	}
	f.Assumptions = append(f.Assumptions, "nobody has watched anything since "+f.At.String()+": told is what was to come then")
	if n := before - len(f.Evictions); n > 0 {
		f.Assumptions = append(f.Assumptions, fmt.Sprintf("%s fell due since: whether they came nobody has seen", model.Counted(n, "deletion", "deletions")))
	}
}
