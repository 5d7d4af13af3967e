package open

import (
	"testing"
	"time"

	"kardia/model/infer"
)

// Every zone is dark, and the controllers have nothing to do: that is not that they do not act. By the passes that are tried
// first one node would not have been declared with the others, and another tainted after them.
func TestNothingIsOverdueWhileEveryZoneIsDark(t *testing.T) {
	o := playing(t, "scenario 1\nseed 104\nlength 16m\nnodes a-01..a-06 zone=ams-1\nnodes b-01..b-06 zone=ams-2\n"+
		"deployment web/front replicas=24 tolerate=60s\nstatefulset data/es replicas=4\nat 1m30s kill a-04\nat 4m partition all\nat 9m heal all\n")
	for after := 250 * time.Second; after < 9*time.Minute; after += 10 * time.Second {
		res, err := infer.Run(o.History, infer.Options{Params: flags, Mode: infer.Causal, Until: o.History.Coverage().Earliest.Add(after)})
		if err != nil {
			t.Fatal(err)
		}
		if res.Overdue.Known() || res.Findings() > 0 {
			t.Errorf("after %v: overdue since %v: %d decisions; %d findings", after, res.Overdue.Since, len(res.Overdue.Decisions), res.Findings())
		}
	}
}
