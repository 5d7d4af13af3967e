package audit

import (
	"fmt"
	"testing"

	"kardia/model"
	"kardia/sources/read/object"
)

// The renewal of an API server's lease is reported, with the object if the log shows it, and else by the request: at
// Metadata that it was renewed, and when. It still shows that the log goes on. A refused one renews nothing.
func TestRenewalsOfAPIServers(t *testing.T) {
	line := func(id string, second, code int, more string) []byte {
		return fmt.Appendf(nil, `{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%s","stage":"ResponseComplete","requestURI":"/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/apiserver-x","verb":"update","user":{"username":"system:apiserver"},"userAgent":"kube-apiserver/v1.36.3","objectRef":{"resource":"leases","namespace":"kube-system","name":"apiserver-x","uid":"0f6a0f8e-3d0c-4c3c-9a0b-0e9f0a5f0b11","apiGroup":"coordination.k8s.io","apiVersion":"v1"},"responseStatus":{"metadata":{},"code":%d}%s,"requestReceivedTimestamp":"2026-11-20T12:00:%02d.000000Z","stageTimestamp":"2026-11-20T12:00:%02d.004000Z"}`, id, code, more, second, second)
	}
	r := NewReader(&object.Decoder{}, 0)
	c := model.NewCluster()
	read := func(text []byte) *model.Change {
		ch, err := r.Line(lineOf(text))
		if err != nil || ch == nil || ch.Kind != model.KindServerLease {
			t.Fatalf("%+v, %v", ch, err)
		}
		c.Fold(ch)
		return ch
	}
	read(line("a", 10, 200, `,"responseObject":{"kind":"Lease","apiVersion":"coordination.k8s.io/v1","metadata":{"name":"apiserver-x","namespace":"kube-system","uid":"0f6a0f8e-3d0c-4c3c-9a0b-0e9f0a5f0b11","resourceVersion":"7","creationTimestamp":"2026-11-19T09:12:31Z","labels":{"kubernetes.io/hostname":"cp-1"}},"spec":{"holderIdentity":"apiserver-x_1","renewTime":"2026-11-20T12:00:09.900000Z"}}`))
	list, _ := c.Servers()
	if len(list) != 1 || list[0].Host != "cp-1" || list[0].Holder != "apiserver-x_1" || list[0].Renewed.Clock() != "12:00:09Z" {
		t.Fatalf("with the object: %+v", list)
	}
	if ch := read(line("b", 20, 200, "")); ch.Related == nil {
		t.Fatal("by the request alone it is not told")
	}
	read(line("c", 30, 409, ""))
	list, at := c.Servers()
	if len(list) != 1 || list[0].Renewed.Clock() != "12:00:20Z" || at.Clock() != "12:00:20Z" || list[0].Made.Clock() != "09:12:31Z" {
		t.Errorf("by the request alone: %+v, read %v", list, at)
	}
	if n := len(r.Servers()); n != 2 {
		t.Errorf("%d renewals tell that the log goes on, want 2", n)
	}
}
