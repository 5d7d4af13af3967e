// Package verify judges the models by what was observed: is every write of the controllers
// explained, and was every effect decided on seen.
package verify

import (
	"math"
	"slices"
	"strconv"
	"time"

	"kardia/model"
	"kardia/model/shadow"
)

// Report is the judgement, in the shape in which it is printed.
type Report struct {
	Observed    int                `json:"observed"`
	Explained   int                `json:"explained"`
	Unexplained []Unexplained      `json:"unexplained"`
	Unobserved  []Unobserved       `json:"unobserved"`
	ByKind      map[string]Count   `json:"byKind"`
	Params      map[string]Param   `json:"params"`
	Lag         map[string]float64 `json:"lagSeconds"`
	Window      map[string]float64 `json:"windowSeconds"`
	Mode        string             `json:"mode"`
	Assumptions []string           `json:"assumptions"`
	// Exit is the exit code: 0 all explained, 3 findings, 4 the input cannot support the
	// judgement, and Why says why.
	Exit int      `json:"-"`
	Why  []string `json:"-"`
}

// Unexplained is a write that no Decision explains.
type Unexplained struct {
	Time    model.Interval `json:"-"`
	At      string         `json:"time"`
	Kind    string         `json:"kind"`
	Subject string         `json:"subject"`
	Detail  string         `json:"detail"`
}

// Unobserved is a Decision whose effect was not seen though the input would show it.
type Unobserved struct {
	ID      string        `json:"id"`
	Time    model.Instant `json:"-"`
	At      string        `json:"time"`
	Kind    string        `json:"kind"`
	Subject string        `json:"subject"`
}

// Count is how many writes of a kind were seen, and how many of them are explained.
type Count struct {
	Observed  int `json:"observed"`
	Explained int `json:"explained"`
}

// Param is a flag as used. Fits is [min, max], absent where the input determines nothing.
type Param struct {
	Value    string   `json:"value"`
	From     string   `json:"from"`
	Fits     []string `json:"fits,omitempty"`
	Evidence int      `json:"evidence"`
}

// Verify judges a run.
func Verify(r *shadow.Result) Report {
	v := Report{Mode: r.Mode.String(), Assumptions: r.Assumptions, Why: r.Unsupported, ByKind: map[string]Count{},
		Unexplained: []Unexplained{}, Unobserved: []Unobserved{}, Params: params(r)}
	var lags, windows []time.Duration
	byID := map[model.DecisionID]*model.Decision{}
	for i := range r.Decisions {
		byID[r.Decisions[i].ID] = &r.Decisions[i]
	}
	for i := range r.Writes {
		w := &r.Writes[i]
		v.Observed++
		c := v.ByKind[w.Kind.String()]
		c.Observed++
		if w.Decision != 0 {
			v.Explained++
			c.Explained++
			if w.Lag.Known {
				lags = append(lags, w.Lag.Value)
			}
			windows = append(windows, byID[w.Decision].Window.Width())
		} else {
			v.Unexplained = append(v.Unexplained, Unexplained{Time: w.Time, At: w.Time.Earliest.String(), Kind: w.Kind.String(), Subject: w.Subject(),
				Detail: w.Detail + ": " + w.Unexplained})
		}
		v.ByKind[w.Kind.String()] = c
	}
	for _, id := range r.Unobserved {
		d := byID[id]
		subject := d.Node
		if d.Pod != (model.Key{}) {
			subject = d.Pod.String()
		}
		v.Unobserved = append(v.Unobserved, Unobserved{ID: id.String(), Time: d.Time, At: d.Time.String(), Kind: d.Kind.String(), Subject: subject})
	}
	v.Lag = percentiles(lags, map[string]float64{"p50": .5, "p99": .99, "max": 1})
	v.Window = percentiles(windows, map[string]float64{"p50": .5, "p95": .95, "max": 1})
	switch {
	case len(r.Unsupported) > 0:
		v.Exit = 4
	case len(v.Unexplained) > 0 || len(v.Unobserved) > 0:
		v.Exit = 3
	}
	return v
}

// percentiles are in seconds; the map is empty where nothing was measured.
func percentiles(list []time.Duration, which map[string]float64) map[string]float64 {
	out := map[string]float64{}
	if len(list) == 0 {
		return out
	}
	slices.Sort(list)
	for name, q := range which {
		out[name] = list[int(q*float64(len(list)-1))].Seconds()
	}
	return out
}

// params are the flags as used, by their real names.
func params(r *shadow.Result) map[string]Param {
	p := &r.Params
	out := map[string]Param{
		"node-monitor-period":          {Value: p.NodeMonitorPeriod.Value.String(), From: from(p.NodeMonitorPeriod.From)},
		"node-monitor-grace-period":    {Value: p.NodeMonitorGracePeriod.Value.String(), From: from(p.NodeMonitorGracePeriod.From)},
		"node-startup-grace-period":    {Value: p.NodeStartupGracePeriod.Value.String(), From: from(p.NodeStartupGracePeriod.From)},
		"node-eviction-rate":           {Value: rate(p.NodeEvictionRate.Value), From: from(p.NodeEvictionRate.From)},
		"secondary-node-eviction-rate": {Value: rate(p.SecondaryNodeEvictionRate.Value), From: from(p.SecondaryNodeEvictionRate.From)},
		"large-cluster-size-threshold": {Value: strconv.Itoa(int(p.LargeClusterSizeThreshold.Value)), From: from(p.LargeClusterSizeThreshold.From)},
		"unhealthy-zone-threshold":     {Value: rate(p.UnhealthyZoneThreshold.Value), From: from(p.UnhealthyZoneThreshold.From)},
	}
	for name, fit := range r.Fits {
		x := out[name]
		x.Fits, x.Evidence = []string{inUnit(fit.Min, fit.Unit), inUnit(fit.Max, fit.Unit)}, fit.Evidence
		out[name] = x
	}
	return out
}

// inUnit is an end of a fit as text, with its unit.
func inUnit(v float64, unit string) string {
	if unit == "s" {
		return time.Duration(math.Round(v * 1e9)).String()
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

func rate(f float32) string { return strconv.FormatFloat(float64(f), 'g', -1, 32) }

// from is the word for where a flag came from, as the output has it.
func from(p model.Provenance) string {
	if p == model.FromFile {
		return "input"
	}
	return p.String()
}
