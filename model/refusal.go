package model

import (
	"strconv"
	"strings"
)

// RefusedBy is the component that refused a write, by the API server's answer; zero if not named.
type RefusedBy uint8

const (
	RefusedUnnamed RefusedBy = iota
	// RefusedCredentials: the API server did not authenticate the sender.
	RefusedCredentials
	// RefusedRights: the sender is known, and lacks the right.
	RefusedRights
	// RefusedWebhook: an admission webhook denied it; RefusedNoWebhook: it could not be called.
	RefusedWebhook
	RefusedNoWebhook
	RefusedPolicy
	RefusedEtcd
	// RefusedConflict: the object or its version is not the expected one.
	RefusedConflict
	RefusedOverload
	// RefusedTimeout: not done in time, for a reason not named.
	RefusedTimeout
	// RefusedBudget: a PodDisruptionBudget forbids the eviction.
	RefusedBudget
	// RefusedBudgetOrOverload: an eviction got the status of both, without words.
	RefusedBudgetOrOverload
)

func (r RefusedBy) String() string {
	return [...]string{"unnamed", "credentials", "rights", "webhook", "no-webhook", "policy", "etcd", "conflict", "overload", "timeout", "budget",
		"budget-or-overload"}[min(r, RefusedBudgetOrOverload)]
}

// Refusal is the API server's answer to a write that it refused.
type Refusal struct {
	By RefusedBy
	// Name is that of the webhook, the policy or the budget (in its pods' namespace); "" if unknown.
	Name string
	// Code is the HTTP status, Words the API server's own; "" if unknown.
	Code  int16
	Words string
}

// refusals are words of answers, by the component that refused. The first in the text counts: a webhook's own words may
// follow, and can be anything.
// Source: kubernetes: apiserver/pkg/admission/plugin/webhook/errors, ToStatusErr; apiserver/pkg/util/webhook,
// ErrCallingWebhook; apiserver/pkg/admission/plugin/policy/validating, Dispatch;
// apiserver/pkg/endpoints/handlers/responsewriters, forbiddenMessage; apiserver/pkg/server/filters, tooManyRequests;
// pkg/registry/core/pod/storage/eviction.go; etcd: api/v3rpc/rpctypes.
var refusals = [...]struct {
	words string
	by    RefusedBy
}{
	{`admission webhook "`, RefusedWebhook},
	{`failed calling webhook "`, RefusedNoWebhook},
	{`failed calling admission webhook "`, RefusedNoWebhook},
	{`failed to call webhook "`, RefusedNoWebhook},
	{`ValidatingAdmissionPolicy '`, RefusedPolicy},
	{`etcdserver: `, RefusedEtcd},
	{`mvcc: `, RefusedEtcd},
	{`is forbidden: User "`, RefusedRights},
	{`authorization.k8s.io/decision: forbid`, RefusedRights},
	{`Too many requests, please try again later`, RefusedOverload},
	{`violate the pod's disruption budget`, RefusedBudget},
	{budgetNamed, RefusedBudget},
}

const budgetNamed = `The disruption budget `

// Refused is the answer to a refused write; ok is false for other writes.
func (c *Change) Refused() (r Refusal, ok bool) {
	if c.Op != OpAttempt {
		return r, false
	}
	if words, evicts := c.Evicts(); evicts {
		r = refusal(c.Code, words)
		if r.By == RefusedOverload && !strings.Contains(words, " ") { // the reason alone
			r.By = RefusedBudgetOrOverload
		}
		return r, true
	}
	return refusal(c.Code, c.Note), true
}

func refusal(code int16, words string) (r Refusal) {
	r.Code, r.Words = code, words
	first := len(words)
	for _, is := range refusals {
		at := strings.Index(words, is.words)
		if at < 0 || at >= first {
			continue
		}
		first, r.By, r.Name = at, is.by, ""
		if quote := is.words[len(is.words)-1]; (quote == '"' || quote == '\'') && is.by != RefusedRights {
			r.Name, _, _ = strings.Cut(words[at+len(is.words):], string(quote))
		}
	}
	switch r.By {
	case RefusedUnnamed:
		r.By = refusedWith[code]
	case RefusedBudget:
		_, named, _ := strings.Cut(words, budgetNamed)
		r.Name, _, _ = strings.Cut(named, " ")
	}
	return r
}

// refusedWith is the component by the HTTP status alone.
var refusedWith = map[int16]RefusedBy{401: RefusedCredentials, 409: RefusedConflict, 429: RefusedOverload, 504: RefusedTimeout}

// Admitted reports whether the sender was authenticated and authorized: it was refused later.
func (r *Refusal) Admitted() bool {
	switch r.By {
	case RefusedWebhook, RefusedNoWebhook, RefusedPolicy, RefusedEtcd, RefusedConflict, RefusedBudget:
		return true
	}
	return strings.Contains(r.Words, allowed)
}

// allowed is an audit annotation: the sender is authorized. It is kept if the answer has no words.
const allowed = "authorization.k8s.io/decision: allow"

const mostWords = 240

// Says is the answer: its code, and its words if the source has them.
func (r *Refusal) Says() string {
	var parts []string
	if r.Code != 0 {
		parts = append(parts, strconv.Itoa(int(r.Code)))
	}
	if words := r.Words; len(words) > mostWords {
		parts = append(parts, strings.ToValidUTF8(words[:mostWords], "")+"…")
	} else if words != "" {
		parts = append(parts, words)
	}
	return strings.Join(parts, " ")
}
