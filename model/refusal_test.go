package model

import "testing"

// The first words that name what refused a write count: those behind them are of a webhook, which may write what it likes.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		code     int16
		note     string
		by       RefusedBy
		name     string
		admitted bool
	}{
		{401, "Unauthorized: Unauthorized", RefusedCredentials, "", false},
		{403, "Forbidden", RefusedUnnamed, "", false},
		{403, "Forbidden: authorization.k8s.io/decision: allow", RefusedUnnamed, "", true},
		{403, "Forbidden: authorization.k8s.io/decision: forbid", RefusedRights, "", false},
		{403, `Forbidden: leases.coordination.k8s.io "a" is forbidden: User "system:node:a" cannot update resource "leases"`, RefusedRights, "", false},
		{403, `Forbidden: leases.coordination.k8s.io "a" is forbidden: can only access node lease with the same name as the requesting node`, RefusedUnnamed, "", false},
		{403, `Forbidden: admission webhook "g.example.org" denied the request: etcdserver: is forbidden: User "a`, RefusedWebhook, "g.example.org", true},
		{400, `BadRequest: admission webhook "g.example.org" attempted to modify the object, which is not supported for this kind of request`, RefusedWebhook, "g.example.org", true},
		{500, `InternalError: Internal error occurred: failed calling webhook "g.example.org": failed to call webhook: Post "https://g.svc:443/?timeout=10s": context deadline exceeded`, RefusedNoWebhook, "g.example.org", true},
		{422, `Invalid: leases "a" is forbidden: ValidatingAdmissionPolicy 'freeze' with binding 'all' denied request: no`, RefusedPolicy, "freeze", true},
		{500, "etcdserver: request timed out", RefusedEtcd, "", true},
		{500, "etcdserver: leader changed", RefusedEtcd, "", true},
		{500, "etcdserver: no leader", RefusedEtcd, "", true},
		{500, "etcdserver: mvcc: database space exceeded", RefusedEtcd, "", true},
		{500, "mvcc: database space exceeded", RefusedEtcd, "", true},
		{500, "context deadline exceeded", RefusedUnnamed, "", false},
		{504, "Timeout: Timeout: request did not complete within the allotted timeout", RefusedTimeout, "", false},
		{409, "Conflict: Operation cannot be fulfilled", RefusedConflict, "", true},
		{429, "TooManyRequests", RefusedOverload, "", false},
		{503, "ServiceUnavailable", RefusedUnnamed, "", false},
		// Evictions: 429 alone may be a budget's.
		{429, EvictNote("TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget."), RefusedBudget, "", true},
		{429, EvictNote("Cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 2 healthy pods and has 2 currently"), RefusedBudget, "web", true},
		{429, EvictNote("The disruption budget web"), RefusedBudget, "web", true},
		{429, EvictNote("TooManyRequests"), RefusedBudgetOrOverload, "", false},
		{429, EvictNote(""), RefusedBudgetOrOverload, "", false},
		{429, EvictNote("Too many requests, please try again later."), RefusedOverload, "", false},
		{403, EvictNote(`Forbidden: admission webhook "g.example.org" denied the request: violate the pod's disruption budget`), RefusedWebhook, "g.example.org", true},
		{409, EvictNote("Conflict"), RefusedConflict, "", true},
	} {
		r, ok := (&Change{Kind: KindPod, Op: OpAttempt, Code: c.code, Note: c.note}).Refused()
		if !ok || r.By != c.by || r.Name != c.name || r.Admitted() != c.admitted {
			t.Errorf("%d %s: by %d %q, admitted %v", c.code, c.note, r.By, r.Name, r.Admitted())
		}
	}
	if _, ok := (&Change{Op: OpModify, Code: 200}).Refused(); ok {
		t.Error("a write that was taken counts as refused")
	}
}
