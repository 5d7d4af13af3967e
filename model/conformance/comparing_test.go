package conformance

import (
	"fmt"
	"testing"

	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"kardia/model"
)

// Pods that tolerate by Gt and Lt fare as the real helper decides, with the feature gate on and off.
// Models that take the gate for the opposite must disagree, else nothing was compared.
func TestAgreementOfComparisons(t *testing.T) {
	for _, on := range []bool{false, true} {
		t.Run(fmt.Sprint("gate ", on), func(t *testing.T) {
			compareNumbers(t, on)
			n := *scenarios / 10
			agreeOn(t, Comparing, n)
			decided := 0
			for i := range n / 5 {
				s := Comparing(*seed*1000000 + i)
				params := s.Flags().params(reference)
				params.ComparisonOperators.Value = !on
				if len(compareUnder(params, s, play(t, s)).Differences) > 0 {
					decided++
				}
			}
			if decided < n/50 {
				t.Errorf("the gate decides in %d of %d scenarios", decided, n/5)
			}
		})
	}
}

// compareNumbers sets the feature gate of the real controllers, which is one for the process, for a test.
func compareNumbers(t *testing.T, on bool) {
	t.Helper()
	set := func(on bool) error {
		return utilfeature.DefaultMutableFeatureGate.Set(fmt.Sprintf("%s=%v", model.GateComparisonOperators, on))
	}
	was := compares()
	if err := set(on); err != nil {
		t.Skip("Kubernetes ", reference, ": ", err)
	}
	t.Cleanup(func() {
		if err := set(was); err != nil {
			t.Error(err)
		}
	})
}
