package redact

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"kardia/model"
	"kardia/model/explain/verify"
	"kardia/model/history"
	"kardia/model/infer"
	"kardia/model/infer/hypotheses"
	"kardia/sources/open"
	"kardia/sources/recording"
)

var testKey = Key{1, 2, 3}

// fill puts a text of its own into every string a value has, however deep.
func fill(v reflect.Value, text func(field string) string, field string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text(field))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), text, field)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[model.UID]() {
			s := text(field)
			v.Set(reflect.ValueOf(model.ParseUID(s, func(s string) *string { return &s })))
			return
		}
		for i := range v.NumField() {
			fill(v.Field(i), text, join(field, v.Type().Field(i).Name))
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(text(field)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), text, field)
	}
}

// texts lists every text in a value with the field it is in.
func list(v any) map[string]string {
	all := map[string]string{}
	var collect func(v reflect.Value, field string)
	collect = func(v reflect.Value, field string) {
		switch v.Kind() {
		case reflect.String:
			all[field] = v.String()
		case reflect.Pointer:
			if !v.IsNil() {
				collect(v.Elem(), field)
			}
		case reflect.Struct:
			for i := range v.NumField() {
				collect(v.Field(i), join(field, v.Type().Field(i).Name))
			}
		case reflect.Slice:
			if v.Type().Elem() == reflect.TypeFor[byte]() {
				all[field] = string(v.Bytes())
				return
			}
			for i := range v.Len() {
				collect(v.Index(i), field)
			}
		}
	}
	collect(reflect.ValueOf(v), "")
	return all
}

// Whatever a Change may ever hold, only the intended parts of it survive.
func TestNothingOfItsOwnSurvives(t *testing.T) {
	keeps := map[Level]map[string]bool{
		Share:  {"Node.Zone.Region": true, "Node.Zone.Zone": true, "Node.InstanceType": true},
		Public: {},
	}
	for _, kind := range model.Kinds {
		for level, kept := range keeps {
			var ch model.Change
			fill(reflect.ValueOf(&ch).Elem(), func(field string) string { return "secret-" + field }, "")
			ch.Kind = kind
			out := New(level, testKey).Change(&ch)
			for field, text := range list(out) {
				if strings.Contains(text, "secret") != kept[field] {
					t.Errorf("%v, %v: %s is %q", kind, level, field, text)
				}
			}
		}
	}
}

func TestNothingOfTheMetadataSurvives(t *testing.T) {
	var m recording.Meta
	fill(reflect.ValueOf(&m).Elem(), func(field string) string { return "secret " + field }, "")
	for field, text := range list(New(Share, testKey).Meta(m)) {
		if strings.Contains(text, "secret") {
			t.Errorf("%s is %q", field, text)
		}
	}
	m = recording.Meta{Tool: "kardia v1.2.3", Clock: "audit log", Redaction: "public", Sources: []history.Source{{Format: "live Node"}}}
	if got := New(Share, testKey).Meta(m); got.Tool != m.Tool || got.Clock != m.Clock || got.Redaction != "public" || got.Sources[0].Format != "live Node" {
		t.Errorf("%+v", got)
	}
}

// A secret in any field at all is found, and its place is reported without it.
func TestScanFindsASecretAnywhere(t *testing.T) {
	const secret = "10.11.12.13"
	for _, kind := range model.Kinds {
		var whole model.Change
		fill(reflect.ValueOf(&whole).Elem(), func(string) string { return "Ready" }, "")
		for field := range list(whole) {
			ch := whole
			fill(reflect.ValueOf(&ch).Elem(), func(f string) string {
				if field == f || strings.HasPrefix(field, f+".") {
					return secret
				}
				return "Ready"
			}, "")
			ch.Kind = kind
			if kind == model.KindNodeLease { // which has no objects
				ch.Node, ch.Pod, ch.Event, ch.Related = nil, nil, nil, nil
				if !strings.Contains(fmt.Sprint(list(ch)), secret) {
					continue
				}
			}
			s := scannerFor(New(Share, testKey))
			s.change(0, &ch)
			if len(s.findings) != 1 || s.findings[0].What != "an IP address" || strings.Contains(s.findings[0].String(), secret) {
				t.Errorf("%v: a secret in %s: %v", kind, field, s.findings)
			}
		}
	}
}

func TestSearch(t *testing.T) {
	r := New(Share, testKey)
	r.name("ip-10-0-1-7")
	r.name("kubelet")
	r.name("3")
	for text, want := range map[string]string{
		"node 10.1.2.3 is gone": "an IP address", "10.1.2.3:6443": "an IP address", "[fe80::1]:80": "an IP address", "2001:db8::17": "an IP address",
		"12:30:45":                   "",
		"v1.36.3":                    "",
		"eyJhbGciOiJIUzI1NiJ9.x.y":   "a JSON web token",
		"AKIAIOSFODNN7EXAMPLE":       "an AWS access key",
		"-----BEGIN RSA PRIVATE KEY": "a PEM block",
		"https://bob:pw@host/":       "a password in a URL",
		"mail bob@example.com":       "an e-mail address",
		"etcd-ip-10-0-1-7":           "a name that was to be replaced",
		"ip-10-0-1-77":               "",
		"kubelet has disk pressure":  "",
		"kubelet on fire":            "",
		removedText:                  "",
	} {
		if got := scannerFor(r).search(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := scannerFor(New(Slim, testKey)).search("10.1.2.3"); got != "" {
		t.Errorf("a slim recording may hold addresses: %q", got)
	}
}

// One name has one pseudonym wherever it occurs.
func TestNamesStayTogether(t *testing.T) {
	r := New(Share, testKey)
	node := r.Change(&model.Change{Kind: model.KindNode, Key: model.Key{Name: "n1"}, Node: &model.Node{}})
	lease := r.Change(&model.Change{Kind: model.KindNodeLease, Key: model.Key{Namespace: "kube-node-lease", Name: "n1"}, Lease: model.Lease{Holder: "n1"}})
	pod := r.Change(&model.Change{Kind: model.KindPod, Key: model.Key{Namespace: "shop", Name: "p"}, Pod: &model.Pod{Key: model.Key{Namespace: "shop", Name: "p"}, Node: "n1"}})
	event := r.Change(&model.Change{Kind: model.KindEvent, Key: model.Key{Namespace: "default", Name: "n1.17"},
		Event: &model.Event{Regarding: model.Reference{Kind: "Node", Key: model.Key{Name: "n1"}}, Message: "Node n1 status is now: NodeNotReady"}})
	x := node.Key.Name
	if x == "n1" || lease.Key.Name != x || lease.Lease.Holder != x || pod.Pod.Node != x || event.Event.Regarding.Name != x ||
		event.Event.Message != "Node "+x+" status is now: NodeNotReady" || pod.Pod.Key != pod.Key || lease.Key.Namespace != "kube-node-lease" {
		t.Errorf("%+v %+v %+v %+v", node, lease, pod.Pod, event.Event)
	}
	if New(Share, NewKey()).name("n1") == x || New(Public, testKey).name("n1") != x {
		t.Error("pseudonyms depend on the key, and on nothing else")
	}
	taint := r.node(&model.Node{Taints: []model.Taint{{Key: "acme.example/gpu", Value: "blue"}}}).Taints[0]
	for manager, want := range map[string]string{"kubelet": "kubelet", "kube-controller-manager": "kube-controller-manager", "k3s": "k3s",
		"kubectl-acme 2026-11-20T12:00:00Z": "kubectl 2026-11-20T12:00:00Z", "acme fixer 2026-11-20T12:00:00Z": r.name("acme fixer") + " 2026-11-20T12:00:00Z"} {
		n := r.node(&model.Node{Details: model.PackNode(model.Detail{Name: model.DetailReadyBy, Value: manager})})
		if got, _ := n.Details.Get(model.DetailReadyBy); got != want {
			t.Errorf("who wrote Ready, %q, is %q, want %q", manager, got, want)
		}
	}
	ended := r.pod(&model.Pod{Phase: model.PhaseFailed, Details: "ended=Evicted resource memory\npriority=1000"})
	if ended.Details != "ended=Evicted resource memory\npriority=1000" {
		t.Errorf("a pod ended by its kubelet is %q", ended.Details)
	}
	if own := r.pod(&model.Pod{Phase: model.PhaseFailed, Details: "ended=Evicted resource acme-credits\npriority=shop"}); strings.Contains(string(own.Details), "acme") || strings.Contains(string(own.Details), "shop") {
		t.Errorf("what is nobody's word stays: %q", own.Details)
	}
	toleration := r.pod(&model.Pod{Tolerations: &model.Tolerations{{Key: "acme.example/gpu", Value: "blue", Operator: "Equal"}}}).Tolerations.List()[0]
	if taint.Key == "acme.example/gpu" || taint.Key != toleration.Key || taint.Value != toleration.Value || toleration.Operator != "Equal" {
		t.Errorf("%+v and %+v no longer match", taint, toleration)
	}
}

// Kubernetes components keep their names as request senders; all others are removed.
func TestRequesters(t *testing.T) {
	r := New(Share, testKey)
	node := r.name("n1")
	for _, c := range []struct{ user, agent, wantUser, wantAgent string }{
		{"system:node:n1", "kubelet/v1.30.4-eks-a737599 (linux/amd64) kubernetes/1", "system:node:" + node, "kubelet/v1.30.4"},
		{"system:serviceaccount:kube-system:node-controller", "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/1/node-controller",
			"system:serviceaccount:kube-system:node-controller", "kube-controller-manager/v1.36.3 (removed) kubernetes/removed/node-controller"},
		{"system:serviceaccount:drainer:acme", "acme-drainer/1.0", "system:serviceaccount:" + r.name("drainer") + ":" + r.name("acme"), r.name("acme-drainer") + "/1.0"},
		{"alice@example.com", "kubectl", r.name("alice@example.com"), "kubectl"},
		{"system:masters-friend", "", "system:" + r.name("masters-friend"), ""},
	} {
		got := r.requester(&model.Requester{User: c.user, Agent: c.agent, Address: "10.1.2.3"})
		if *got != (model.Requester{User: c.wantUser, Agent: c.wantAgent}) {
			t.Errorf("%s, %s: %+v", c.user, c.agent, *got)
		}
		if p, is := got.Program(), (&model.Requester{Agent: c.agent}).Client(); p == "" && c.agent != "" || got.Client() != is {
			t.Errorf("%s: %q, %q", c.agent, p, got.Client())
		}
	}
	if r.requester(nil) != nil {
		t.Error("nobody became somebody")
	}
}

// That an eviction was asked for stays, and which budget refused it, by another name; in a state as in a Change.
func TestEvictions(t *testing.T) {
	key := model.Key{Namespace: "shop", Name: "web-0"}
	for answer, want := range map[string]model.Refusal{
		"TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget. The disruption budget secret-web needs 2 healthy pods and has 2 currently": {By: model.RefusedBudget, Name: "secret-web"},
		"TooManyRequests: Cannot evict pod as it would violate the pod's disruption budget.":                                                                           {By: model.RefusedBudget},
		"TooManyRequests": {By: model.RefusedBudgetOrOverload}, "": {By: model.RefusedBudgetOrOverload},
		"Slow down: secret policy": {By: model.RefusedBudgetOrOverload},
	} {
		for _, level := range []Level{Share, Public} {
			r, c, states := New(level, testKey), model.NewCluster(), [2]*model.Cluster{model.NewCluster(), model.NewCluster()}
			if want.Name != "" {
				want.Name = r.name("secret-web")
			}
			ch := model.Change{Kind: model.KindPod, Op: model.OpAttempt, Key: key, Code: 429, Time: model.Exactly(1767607200e9), Note: model.EvictNote(answer), Requester: &model.Requester{User: "secret-ops", Agent: "kubectl/v1.36.3"}}
			out := r.Change(&ch)
			states[0].Fold(&out)
			c.Fold(&ch)
			for ch := range c.Baseline(1767607201e9, nil) {
				out := r.Change(ch)
				states[1].Fold(&out)
			}
			for i, state := range states {
				e, ok := state.Eviction(r.keyOf(key))
				if !ok || e.Answer.By != want.By || e.Answer.Name != want.Name || e.Refusals != 1 || e.By != (model.Requester{User: r.name("secret-ops"), Agent: "kubectl/v1.36.3"}) || strings.Contains(fmt.Sprint(list(e)), "secret") {
					t.Errorf("%s, %v, %d: %v %+v", answer, level, i, ok, e)
				}
			}
		}
	}
}

// What the models make of a redacted recording is what they make of its source.
func TestVerifySaysTheSame(t *testing.T) {
	for _, name := range []string{"node-loss", "zone-outage", "all-dark"} {
		opened, err := open.Open(context.Background(), []string{"demo:" + name}, open.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := judge(t, opened.History)
		for _, level := range []Level{Slim, Share, Public} {
			if got := judge(t, inMemory(New(level, testKey), opened.History)); got != want {
				t.Errorf("%s at %v: %s\nthe source: %s", name, level, got, want)
			}
		}
	}
}

func judge(t *testing.T, h history.History) string {
	t.Helper()
	r, err := infer.Run(h, infer.Options{Params: model.Defaults(model.Version{Major: 1, Minor: 36})})
	if err != nil {
		t.Fatal(err)
	}
	v := verify.Evaluate(&hypotheses.Found{Base: r, Result: r})
	return fmt.Sprint(v.Observed, v.Explained, len(v.Unobserved), v.ByKind, v.Params, v.Lag, v.Window, v.Exit)
}

func inMemory(r *Redactor, h history.History) history.History {
	var changes []model.Change
	_ = each(h, func(ch *model.Change) error { changes = append(changes, r.Change(ch)); return nil })
	var gaps []history.Gap
	for _, g := range h.Gaps() {
		gaps = append(gaps, r.Gap(g))
	}
	m := r.Meta(recording.Meta{Sources: h.Sources()})
	return history.NewMemory(changes, r.interval(h.Coverage()), gaps, m.Sources)
}

func TestPublicTimesAreShiftedTogether(t *testing.T) {
	r := New(Public, testKey)
	at := model.At(time.Date(2026, 11, 20, 23, 51, 40, 123, time.UTC))
	ch := r.Change(&model.Change{Kind: model.KindNodeLease, Time: model.Interval{Earliest: model.FarPast, Latest: at}, Arrival: at.Add(time.Second),
		Lease: model.Lease{Renewed: at.Add(-time.Second)}})
	by := at.Sub(ch.Time.Latest)
	if by < 4*365*24*time.Hour || by%time.Second != 0 || ch.Time.Earliest != model.FarPast || ch.At.Known() ||
		ch.Arrival != at.Add(time.Second-by) || ch.Lease.Renewed != at.Add(-time.Second-by) {
		t.Errorf("shifted by %v: %+v", by, ch)
	}
}
