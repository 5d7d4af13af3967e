package model

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Flag is a flag of kube-controller-manager that node-lifecycle decisions depend on.
type Flag struct {
	// Name has no dashes; Kind is the type of the value in help.
	Name, Kind string

	value func(*Params) string
	from  func(*Params) Provenance
	set   func(*Params, string, Provenance) error
	over  func(to, given *Params, least Provenance)
}

// Flags are all modelled flags, in the order of lists.
var Flags = []Flag{
	flagOf("node-monitor-period", "duration",
		func(p *Params) *Param[time.Duration] { return &p.NodeMonitorPeriod }, parseLength),
	flagOf("node-monitor-grace-period", "duration",
		func(p *Params) *Param[time.Duration] { return &p.NodeMonitorGracePeriod }, parseLength),
	flagOf("node-startup-grace-period", "duration",
		func(p *Params) *Param[time.Duration] { return &p.NodeStartupGracePeriod }, parseLength),
	flagOf("node-eviction-rate", "float",
		func(p *Params) *Param[float32] { return &p.NodeEvictionRate }, parseUpTo(math.MaxFloat32)),
	flagOf("secondary-node-eviction-rate", "float",
		func(p *Params) *Param[float32] { return &p.SecondaryNodeEvictionRate }, parseUpTo(math.MaxFloat32)),
	flagOf("large-cluster-size-threshold", "int",
		func(p *Params) *Param[int32] { return &p.LargeClusterSizeThreshold }, parseNumber),
	flagOf("unhealthy-zone-threshold", "float",
		func(p *Params) *Param[float32] { return &p.UnhealthyZoneThreshold }, parseUpTo(1)),
	flagOf("feature-gates", "gate",
		func(p *Params) *Param[bool] { return &p.ComparisonOperators }, parseGate),
}

// FlagNamed finds a flag; nil if none is modelled.
func FlagNamed(name string) *Flag {
	for i := range Flags {
		if Flags[i].Name == name {
			return &Flags[i]
		}
	}
	return nil
}

// Value is the flag's value, in the flag's own form.
func (f *Flag) Value(p *Params) string { return f.value(p) }

// From is the provenance of the flag's value.
func (f *Flag) From(p *Params) Provenance { return f.from(p) }

// Set reads and sets a value and its provenance. The error has the accepted form.
func (f *Flag) Set(p *Params, value string, from Provenance) error { return f.set(p, value, from) }

// Copy copies the flag from other Params.
func (f *Flag) Copy(to, from *Params) { f.over(to, from, 0) }

// SetOver copies the flags whose provenance in given is at least least.
func (p *Params) SetOver(given *Params, least Provenance) {
	for i := range Flags {
		Flags[i].over(p, given, least)
	}
}

// ParamsOf are the flags that a file states, by name: "" is an unknown value. nil if no flag has a possible one.
func ParamsOf(values map[string]string) *Params {
	p, any := Params{}, false
	for name, value := range values {
		if f := FlagNamed(name); f != nil && value != "" {
			any = f.Set(&p, value, FromFile) == nil || any
		}
	}
	if !any {
		return nil
	}
	return &p
}

// Sound is why the flags contradict each other; nil if they do not.
func (p *Params) Sound() error {
	if grace, period := p.NodeMonitorGracePeriod.Value, p.NodeMonitorPeriod.Value; grace < period {
		return fmt.Errorf("--node-monitor-grace-period %s must be a duration from --node-monitor-period, %s, up to 24h", grace, period)
	}
	if p.ComparisonOperators.Value && !p.Version.AtLeast(1, 35) {
		return fmt.Errorf("--feature-gates %s=true: Kubernetes has this gate since v1.35, and the control plane is %s; --kubernetes-version says otherwise", GateComparisonOperators, p.Version)
	}
	return nil
}

func flagOf[T any](name, kind string, of func(*Params) *Param[T], parse func(string) (T, error)) Flag {
	return Flag{Name: name, Kind: kind,
		value: func(p *Params) string { return flagText(of(p).Value) },
		from:  func(p *Params) Provenance { return of(p).From },
		set: func(p *Params, text string, from Provenance) error {
			v, err := parse(text)
			if err == nil {
				*of(p) = Param[T]{Value: v, From: from}
			}
			return err
		},
		over: func(to, given *Params, least Provenance) {
			if is := *of(given); is.From >= least {
				*of(to) = is
			}
		}}
}

func flagText(v any) string {
	switch v := v.(type) {
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case bool:
		return GateComparisonOperators + "=" + strconv.FormatBool(v)
	}
	return fmt.Sprint(v)
}

// longestFlag is the longest duration that a flag may have.
const longestFlag = 24 * time.Hour

func parseLength(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 || d > longestFlag {
		return 0, errors.New("must be a duration above 0 and up to 24h, as in 50s")
	}
	return d, nil
}

func parseUpTo(most float64) func(string) (float32, error) {
	return func(s string) (float32, error) {
		f, err := strconv.ParseFloat(s, 32)
		switch {
		case err == nil && f >= 0 && f <= most:
			return float32(f), nil
		case most == 1:
			return 0, errors.New("must be a number from 0 to 1")
		}
		return 0, errors.New("must be a number of 0 or more")
	}
}

func parseNumber(s string) (int32, error) {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || n < 0 {
		return 0, errors.New("must be a whole number of 0 or more")
	}
	return int32(n), nil
}

func parseGate(s string) (bool, error) {
	name, value, _ := strings.Cut(s, "=")
	on, err := strconv.ParseBool(value)
	if name != GateComparisonOperators || err != nil {
		return false, errors.New("must be " + GateComparisonOperators + "=true or =false: Kardia models no other gate")
	}
	return on, nil
}
