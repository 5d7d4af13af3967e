// Package collector runs the real pod garbage collector against Kardia's model of it, in the
// scenarios of package conformance. It stands apart because the real one drags in the kubelet.
package collector

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/synctest"

	coreinformers "k8s.io/client-go/informers/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/kubernetes/pkg/controller/podgc"

	"kardia/model"
	"kardia/model/conformance"
)

var (
	scenarios = flag.Int("scenarios", 300, "how many scenarios")
	seed      = flag.Int("seed", 1, "which scenarios")
	version   = model.Version{Major: 1, Minor: 36}
)

func init() {
	conformance.Settle()
	conformance.NewCollector = func(ctx context.Context, client kubernetes.Interface, pods coreinformers.PodInformer,
		nodes coreinformers.NodeInformer, threshold int) func(context.Context) {
		return podgc.NewPodGC(ctx, client, pods, nodes, threshold).Run
	}
}

func agree(t *testing.T, s conformance.Scenario) *conformance.Agreement {
	t.Helper()
	var trace *conformance.Trace
	synctest.Test(t, func(t *testing.T) {
		var err error
		if trace, err = conformance.Play(s); err != nil {
			t.Fatal(err)
		}
	})
	return conformance.Compare(s, trace, version)
}

// least are how often 300 scenarios must collect a pod by each rule.
var least = map[string]int{"CollectPod did": 250, model.RuleNodeMissed.String(): 200, model.RulePodCollection.String(): 60}

// TestAgreement: what the collector deletes, and when, is what the model says.
func TestAgreement(t *testing.T) {
	met, written, differ := map[string]int{}, 0, 0
	for i := range *scenarios {
		s := conformance.Numbered(*seed*1000000 + i)
		a := agree(t, s)
		written += a.Written
		for _, counts := range []map[string]int{a.Kinds, a.Rules} {
			for what, n := range counts {
				met[what] += n
			}
		}
		if len(a.Differences) == 0 {
			continue
		}
		if differ++; differ <= 3 {
			s = conformance.Shrink(s, 300, func(s conformance.Scenario) bool { return len(agree(t, s).Differences) > 0 })
		}
		t.Errorf("scenario %d of seed %d:\n%s# %s", i, *seed, s, first(agree(t, s).Differences))
	}
	t.Logf("seed %d: %d scenarios, %d differ; %d writes and events agree", *seed, *scenarios, differ, written)
	for _, what := range slices.Sorted(maps.Keys(least)) {
		t.Logf("%8d %s", met[what], what)
		if want := least[what] * *scenarios / 300; met[what] < want && *scenarios >= 300 {
			t.Errorf("%s: met %d times, not even %d", what, met[what], want)
		}
	}
}

func first(list []conformance.Difference) (text string) {
	for _, d := range list[:min(len(list), 6)] {
		text += fmt.Sprintln(d)
	}
	return text
}
