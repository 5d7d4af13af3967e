package forecast_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kardia/model"
	"kardia/model/simulate/forecast"
)

// Nodes whose silence is over get no token, and of their pods those go on that are deleted already; for who is left nothing
// changes, and the forecast itself stays as it is.
func TestWithoutThoseThatAreBack(t *testing.T) {
	w := newWorld([]int{12}, map[string]float64{"a00": 103, "a01": 103, "a02": 103, "a03": 103})
	f := forecast.Run(w.state(w.loop(157), w.next(second(157))), forecast.Options{Silent: w.falls})
	told := func(f *forecast.Forecast) string {
		var tokens, waits, pods []string
		for _, c := range f.Coming {
			if c.Decision.Kind == model.TaintNoExecute {
				tokens = append(tokens, fmt.Sprint(c.Among))
			}
		}
		for _, w := range f.Waits {
			waits = append(waits, w.Node)
		}
		for _, e := range f.Evictions {
			pods = append(pods, e.Node+" "+e.State.Word())
		}
		slices.Sort(pods)
		return strings.Join(tokens, " ") + "; " + strings.Join(waits, " ") + "; " + strings.Join(slices.Compact(pods), ", ")
	}
	before := told(f)
	if got, want := told(f.Without([]string{"a00", "a01", "a02"})), "[a03]; a03; a00 ending, a03 never, a03 waits"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if told(f) != before || !slices.Equal(f.Nodes(), []string{"a00", "a01", "a02", "a03"}) {
		t.Errorf("the forecast is another: %s, of %v; it was %s", told(f), f.Nodes(), before)
	}
}
