package open

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"kardia/model"
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
