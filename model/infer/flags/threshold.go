package flags

import (
	"math"

	"kardia/model"
)

// Threshold bounds unhealthy-zone-threshold by the states of zones that a log tells of: it is more than Over, and at most Most.
type Threshold struct {
	Over, Most float64
	// Evidence is how often a zone's state told of it.
	Evidence int
}

// Unbounded is the Threshold of which nothing is known.
var Unbounded = Threshold{Most: math.Inf(1)}

// Add takes in the state that a zone had with a share of nodes not ready that is more than two and not all of them.
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

// agrees says whether a value lies within the bounds; any does where they contradict each other.
func (t *Threshold) agrees(value float64) bool {
	return t.Over >= t.Most || value > t.Over && value <= t.Most
}

// InferThreshold replaces a value that nobody stated and that the states of zones contradict by the roundest that agrees.
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

// fit puts the bounds with what the taints tell of the threshold.
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
