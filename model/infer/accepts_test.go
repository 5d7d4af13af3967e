package infer

import (
	"testing"

	"kardia/model"
)

// TestNumberOfAFlag: values are compared as numbers, lengths of time in seconds.
func TestNumberOfAFlag(t *testing.T) {
	for text, want := range map[string]float64{"0": 0, "1m": 60, "0.55": .55, "50": 50, "1m0s": 60} {
		if got, _ := number(text); got != want {
			t.Errorf("%s is %v", text, got)
		}
	}
	for name, values := range ladders {
		last := -1.0
		for _, value := range values {
			p := model.Defaults(model.Version{Major: 1, Minor: 36})
			if err := model.FlagNamed(name).Set(&p, value, model.FromUser); err != nil {
				t.Errorf("%s %s: %v", name, value, err)
			}
			if is, _ := number(value); is <= last {
				t.Errorf("%s: %s is out of order", name, value)
			} else {
				last = is
			}
		}
	}
}
