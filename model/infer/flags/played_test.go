package flags_test

import (
	"testing"
	"time"

	"kardia/internal/played"
	"kardia/model"
	"kardia/model/infer"
	"kardia/model/infer/flags"
)

// A cluster runs under flags that its recording does not show. Kardia starts from the defaults: values that the recording
// contradicts are replaced, and the true ones agree with it.
func TestFlagsOfARecording(t *testing.T) {
	const (
		few   = "nodes a-1..a-8 zone=a\nlength 3m\nat 30s kill a-1\nat 47s kill a-2\nat 1m9s kill a-3\n"
		small = "nodes a-1..a-12 zone=a\nlength 3m\nat 30s kill a-1..a-5\n"
		large = "nodes a-1..a-12 zone=a\nnodes b-1..b-3 zone=b\nlength 3m\nat 30s kill a-1..a-8\n"
	)
	for _, c := range []struct {
		what, flags, statements string
		grace, period           time.Duration
		// tokens is the rate at which the zone's nodes get their taints; 0 if it is not shown.
		tokens float64
	}{
		{"defaults", "", few, 50 * time.Second, 5 * time.Second, 0},
		{"a shorter grace period", "node-monitor-grace-period=30s", few, 30 * time.Second, 5 * time.Second, 0},
		{"a longer grace period", "node-monitor-grace-period=75s", few, 75 * time.Second, 5 * time.Second, 0},
		{"fewer passes", "node-monitor-period=10s", few, 50 * time.Second, 10 * time.Second, 0},
		{"a lower rate", "node-eviction-rate=0.05", small, 50 * time.Second, 5 * time.Second, .05},
		{"a large zone is disrupted", "large-cluster-size-threshold=10 secondary-node-eviction-rate=0.05", large, 50 * time.Second, 5 * time.Second, .05},
	} {
		set := ""
		if c.flags != "" {
			set = "flags " + c.flags + "\n"
		}
		s := played.Play(t, set+c.statements)
		res, err := infer.Run(s.History, infer.Options{Params: model.Defaults(s.Params.Version)})
		if err != nil {
			t.Fatal(err)
		}
		if p := &res.Params; p.NodeMonitorGracePeriod.Value != c.grace || p.NodeMonitorPeriod.Value != c.period {
			t.Errorf("%s: grace period %v, monitor period %v", c.what, p.NodeMonitorGracePeriod.Value, p.NodeMonitorPeriod.Value)
		}
		want := map[string]float64{"node-monitor-grace-period": c.grace.Seconds(), "node-monitor-period": c.period.Seconds()}
		if c.tokens > 0 {
			want["node-eviction-rate"] = c.tokens
		}
		for flag, value := range want {
			if fit, ok := res.Fits[flag]; !ok || value < fit.Min || value > fit.Max {
				t.Errorf("%s: %s fits from %v to %v, and is truly %v", c.what, flag, fit.Min, fit.Max, value)
			}
		}
		// Seen from one zone, the rate may be that of a disrupted zone: the alternative has the threshold that it needs.
		if or := res.Fits["node-eviction-rate"].Or; c.tokens > 0 && (or.Code != flags.SecondaryRate || or.N != 12 || float64(or.Rate) < c.tokens-.001 || or.Share > 8./12) {
			t.Errorf("%s: the rate may be %+v", c.what, or)
		}
	}
}
