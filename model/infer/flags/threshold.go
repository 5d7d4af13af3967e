package flags

import (
	"math"

	"kardia/model"
)

// Threshold bounds unhealthy-zone-threshold by the states of zones in a log: more than Over, at most Most.
type Threshold struct {
	Over, Most float64
	// Evidence is how many states bound it.
	Evidence int
}

// Unbounded is a Threshold without evidence.
var Unbounded = Threshold{Most: math.Inf(1)}

// Add adds the state of a zone with a share of nodes not Ready: more than two, and not all.
func (t *Threshold) Add(state model.DisruptionState, share float64) {
	switch state {
	case model.ZonePartial:
		t.Most = min(t.Most, share)
	case model.ZoneNormal:
		t.Over = max(t.Over, share)
	default:
		return
	}
	t.Evidence++
}

// agrees reports whether a value is within the bounds; true for all if these contradict each other.
func (t *Threshold) agrees(value float64) bool {
	return t.Over >= t.Most || value > t.Over && value <= t.Most
}

// InferThreshold replaces a value that no source states by the roundest that agrees with the states of zones.
func (o *Observed) InferThreshold(t Threshold) (changed bool) {
	p := &o.Params.UnhealthyZoneThreshold
	if p.From >= model.FromFile || t.agrees(float64(p.Value)) {
		return false
	}
	value := min(t.Most, 1)
	for _, step := range [...]float64{10, 20, 100} {
		if round := math.Floor(value*step+1e-6) / step; t.agrees(float64(float32(round))) {
			value = round
			break
		}
	}
	*p = model.Param[float32]{Value: float32(value), From: model.FromInferred}
	return true
}

// fit merges the bounds with those by taints.
func (t *Threshold) fit(out map[string]Fit) {
	const name, step = "unhealthy-zone-threshold", 1e-4
	if t.Evidence == 0 || t.Over >= t.Most {
		return
	}
	least := 0.0
	if t.Over > 0 {
		least = math.Floor(t.Over/step+1) * step
	}
	fit := Fit{Min: digits(least), Max: digits(t.Most), Evidence: t.Evidence}
	if other, ok := out[name]; ok {
		fit = Fit{Min: max(fit.Min, other.Min), Max: min(fit.Max, other.Max), Evidence: fit.Evidence + other.Evidence}
	}
	out[name] = fit
}
