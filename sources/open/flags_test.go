package open

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/infer"
)

// withFlags is the real log of an incident, after the lines in which a controller manager lists its flags.
func withFlags(t testing.TB, name string, flags ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, f := range flags {
		fmt.Fprintf(&b, "I1120 23:34:12.103421       1 flags.go:64] FLAG: --%s\n", f)
	}
	return append(b.Bytes(), controllerLog(t, name)...)
}

// TestTheLogStatesItsFlags: what the controller manager lists when it starts holds over the defaults, unless it was
// started with two values; flags that decide nothing here, and other components' lines, say nothing.
func TestTheLogStatesItsFlags(t *testing.T) {
	o := besides(t, "zone-outage", withFlags(t, "zone-outage", `node-monitor-grace-period="50s"`, `node-eviction-rate="0.1"`, `v="2"`, `secondary-node-eviction-rate="much"`,
		`large-cluster-size-threshold="50"`, `large-cluster-size-threshold="30"`))
	is := o.Stated()
	if is == nil || is.NodeMonitorGracePeriod != (model.Param[time.Duration]{Value: 50 * time.Second, From: model.FromFile}) || is.NodeEvictionRate.From != model.FromFile {
		t.Fatalf("%+v", is)
	}
	for what, from := range map[string]model.Provenance{"a value that is none": is.SecondaryNodeEvictionRate.From, "two values": is.LargeClusterSizeThreshold.From, "nothing": is.NodeMonitorPeriod.From} {
		if from != model.FromDefault {
			t.Errorf("%s is stated", what)
		}
	}
	if is := besides(t, "zone-outage", controllerLog(t, "zone-outage")).Stated(); is != nil {
		t.Errorf("a log without such lines states %+v", is)
	}
}

// A Node that is deleted takes nothing away from earlier observations: its zone was in FullDisruption, and the tokens
// that came to it do not bound a threshold.
func TestADeletedNodeChangesNoFlag(t *testing.T) {
	o := playing(t, "scenario 1\nlength 10m\nnodes a-1..a-8 zone=a\nnodes b-1..b-8 zone=b\ndeployment shop/web replicas=16\n"+
		"at 1m kill a-1..a-8\nat 4m return a-1..a-8\nat 6m kill a-3\nat 8m delete a-3\n")
	for _, after := range []time.Duration{7 * time.Minute, 8*time.Minute + 10*time.Second, 10 * time.Minute} {
		res, err := infer.Run(o.History, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36}), Mode: infer.Causal, Until: o.History.Coverage().Earliest.Add(after)})
		if err != nil {
			t.Fatal(err)
		}
		if p := res.Params.UnhealthyZoneThreshold; p.From != model.FromDefault {
			t.Errorf("after %v the threshold is %v, %s", after, p.Value, p.From)
		}
	}
}
