package audit

import (
	"testing"

	"kardia/model"
	"kardia/sources/read/object"
)

// TestWhoRefused: the answer's own words are kept; if the log has none, the annotation shows whether the sender may do
// it.
func TestWhoRefused(t *testing.T) {
	for status, want := range map[string]model.RefusedBy{
		`"responseStatus":{"reason":"Forbidden","message":"admission webhook \"g.example.org\" denied the request: no","code":403}`: model.RefusedWebhook,
		`"responseStatus":{"message":"etcdserver: request timed out","code":500}`:                                                   model.RefusedEtcd,
		`"responseStatus":{"reason":"Forbidden","code":403},"annotations":{"authorization.k8s.io/decision":"forbid"}`:               model.RefusedRights,
		`"responseStatus":{"reason":"Forbidden","code":403},"annotations":{"authorization.k8s.io/decision":"allow"}`:                model.RefusedUnnamed,
		`"responseStatus":{"code":403}`: model.RefusedUnnamed,
		`"responseStatus":{"code":409}`: model.RefusedConflict,
	} {
		line := `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"a","stage":"ResponseComplete","requestURI":"/","verb":"update",` +
			`"user":{"username":"system:node:a"},"objectRef":{"resource":"leases","namespace":"kube-node-lease","name":"a","apiGroup":"coordination.k8s.io"},` + status +
			`,"requestReceivedTimestamp":"2026-01-05T10:01:23.300000Z","stageTimestamp":"2026-01-05T10:01:23.304000Z"}`
		ch, err := NewReader(&object.Decoder{}, 0).Line(lineOf([]byte(line)))
		if err != nil || ch == nil {
			t.Fatalf("%s: %v", status, err)
		}
		if got, ok := ch.Refused(); !ok || got.By != want || ch.Writer != model.WriterKubelet {
			t.Errorf("%s: by %d, want %d, of %s", status, got.By, want, ch.Writer)
		}
	}
}
