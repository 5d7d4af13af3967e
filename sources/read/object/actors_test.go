package object

import (
	"os"
	"testing"

	"github.com/tidwall/gjson"

	"kardia/model"
)

// Objects of those who act on nodes, as they are written by Karpenter 1, medik8s' node-healthcheck-operator and the
// cluster autoscaler.
func TestThoseWhoActOnNodes(t *testing.T) {
	for _, c := range []struct {
		file string
		kind model.Kind
		want string
	}{
		{"nodeclaim", model.KindNodeClaim, "condition Drained=Unknown Draining 2026-11-20T11:58:00Z\ncondition Initialized=True Initialized 2026-11-19T09:12:31Z\nnode=ip-10-0-2-003"},
		{"nodehealthcheck", model.KindNodeHealthCheck, "condition Disabled=False NodeHealthCheckEnabled 2026-11-19T09:00:00Z\nphase=Remediating\nreason=NHC is remediating 1 nodes\n" +
			"unhealthy ip-10-0-2-003=2026-11-20T11:55:01Z\nunhealthy ip-10-0-2-004=-\nwaits Ready False=300s\nwaits Ready Unknown=300s"},
		{"autoscaler", model.KindAutoscalerStatus, "health=Healthy\nprobed=2026-11-20 11:59:55.123456789 +0000 UTC\nruns=Running\nscaleDown=CandidatesPresent"},
		{"autoscaler-1.29", model.KindAutoscalerStatus, "health=Unhealthy\nprobed=2026-11-20 11:59:55.123456789 +0000 UTC\nscaleDown=NoCandidates"},
		{"poddisruptionbudget", model.KindPodDisruptionBudget, "currentHealthy=2\ndesiredHealthy=2\ndisruptionsAllowed=0\nexpectedPods=3\nselector=app=db,tier In data|cache"},
		{"apiserver", model.KindServerLease, "component=kube-apiserver\nholder=apiserver-uqdbtqxuyxrbcgbmbjx6ekhjie_c1b0a8d4-3a55-4f0e-9f55-2a4f4bdb7d7c\nhost=cp-1\nlasts=3600\nrenewed=2026-11-20T11:59:55.123456Z"},
		{"endpointslice", model.KindEndpointSlice, "endpoint db/db-0=true\nendpoint db/db-1=false\nendpoint db/db-2=true\nservice=db"},
	} {
		text, err := os.ReadFile("testdata/related/" + c.file + ".json")
		if err != nil {
			t.Fatal(err)
		}
		if o := (&Decoder{}).Decode(gjson.ParseBytes(text)); o.Kind != c.kind || o.Related == nil || string(o.Related.Details) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.file, o.Kind, o.Related.Details, c.want)
		}
	}
	if o := (&Decoder{}).Decode(gjson.Parse(`{"kind":"ConfigMap","metadata":{"name":"coredns","namespace":"kube-system"},"data":{"status":"x"}}`)); o.Kind != model.KindNone {
		t.Errorf("another ConfigMap is %v", o.Kind)
	}
}
