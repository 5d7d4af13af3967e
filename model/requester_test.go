package model

import (
	"strconv"
	"testing"
)

func TestRequester(t *testing.T) {
	for _, c := range []struct {
		is                      *Requester
		program, client, string string
	}{
		{&Requester{}, "", "", ""},
		{&Requester{"alice", "kubectl/v1.36.3 (linux/amd64) kubernetes/1234abc", "10.0.0.5"}, "kubectl", "", "alice, kubectl/v1.36.3, from 10.0.0.5"},
		{&Requester{"system:kube-controller-manager", "kube-controller-manager/v1.36.3 (linux/amd64) kubernetes/1234abc/system:serviceaccount:kube-system:node-controller", ""},
			"kube-controller-manager", "node-controller", "system:kube-controller-manager, kube-controller-manager/v1.36.3/node-controller"},
		{&Requester{"", "drain", "1.2.3.4, 10.0.0.1"}, "drain", "", "drain, from 1.2.3.4, 10.0.0.1"},
	} {
		if c.is.Program() != c.program || c.is.Client() != c.client || c.is.String() != c.string {
			t.Errorf("%+v: %q, %q, %q", *c.is, c.is.Program(), c.is.Client(), c.is.String())
		}
	}
	if (*Requester)(nil).String() != "" {
		t.Error("nobody has a name")
	}
}

// TestInternedRequesters: equal ones are one, and a log in which each line has another takes no more
// memory than the limit allows.
func TestInternedRequesters(t *testing.T) {
	in := Interner{Limit: 100}
	a := in.Requester(Requester{User: "alice"})
	if in.Requester(Requester{User: "alice"}) != a || in.Requester(Requester{}) != nil {
		t.Error("equal requesters are two")
	}
	for i := range 1000 {
		if got := in.Requester(Requester{User: strconv.Itoa(i)}); got.User != strconv.Itoa(i) {
			t.Fatal(got)
		}
	}
	if n := len(in.requesters); n > 100 {
		t.Errorf("%d are kept", n)
	}
}
