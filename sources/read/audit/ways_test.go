package audit

import (
	"fmt"
	"strings"
	"testing"

	"kardia/sources/read/object"
)

// Requests for which an API server turns to a kubelet show whether it got through. Those that it refused itself, that a
// kubelet refused, that go to a pod, or only read, show nothing. None of them is a change.
func TestWaysToKubelets(t *testing.T) {
	r := NewReader(&object.Decoder{}, 0)
	line := func(second int, verb, uri, resource, subresource, name, status string) {
		t.Helper()
		namespace := `"namespace":"shop",`
		if resource == "nodes" {
			namespace = ""
		}
		text := fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"%d","stage":"ResponseComplete","requestURI":"%s","verb":"%s","user":{"username":"alice"},"userAgent":"kubectl/v1.36.3","objectRef":{"resource":"%s",%s"name":"%s","apiVersion":"v1","subresource":"%s"},"responseStatus":{"metadata":{},%s},"requestReceivedTimestamp":"2026-11-20T12:00:%02d.000000Z","stageTimestamp":"2026-11-20T12:00:%02d.900000Z"}`,
			second, uri, verb, resource, namespace, name, subresource, status, second, second)
		ch, err := r.Line(lineOf([]byte(text)))
		if ch != nil || err != nil {
			t.Errorf("%s: %+v, %v", uri, ch, err)
		}
	}
	pods, nodes := "/api/v1/namespaces/shop/pods/", "/api/v1/nodes/"
	line(1, "get", pods+"cart/log?container=app&follow=true", "pods", "log", "cart", `"code":200`)
	line(2, "get", pods+"cart/log?container=app", "pods", "log", "cart", `"code":200`)
	line(3, "create", pods+"cart/exec?command=sh", "pods", "exec", "cart", `"code":101`)
	line(4, "get", pods+"pay/log?container=app", "pods", "log", "pay", `"status":"Failure","message":"Get \"https://10.0.0.7:10250/containerLogs/shop/pay/app\": dial tcp 10.0.0.7:10250: i/o timeout","code":500`)
	line(5, "get", nodes+"n1/proxy/healthz", "nodes", "proxy", "n1", `"message":"error trying to reach service: context deadline exceeded","code":502`)
	line(6, "get", pods+"pay/exec?command=sh", "pods", "exec", "pay", `"code":504`)
	line(7, "get", pods+"pay/log", "pods", "log", "pay", `"message":"previous terminated container \"app\" not found","code":400`)
	line(8, "create", pods+"pay/exec?command=sh", "pods", "exec", "pay", `"reason":"Forbidden","code":403`)
	line(9, "create", pods+"pay/exec?command=sh", "pods", "exec", "pay", `"message":"unable to upgrade connection: container not found (\"app\")","code":500`)
	line(10, "get", pods+"pay/proxy/metrics", "pods", "proxy", "pay", `"code":502`)
	line(11, "get", pods+"pay", "pods", "", "pay", `"code":200`)
	line(12, "get", "/api/v1/namespaces/shop/services/web/proxy/", "services", "proxy", "web", `"code":200`)
	line(5, "get", nodes+"n1/proxy/healthz", "nodes", "proxy", "n1", `"message":"error trying to reach service: context deadline exceeded","code":502`) // a copy
	var got []string
	for _, s := range r.Said() {
		got = append(got, fmt.Sprintf("%s %s %d %s %s", s.At.Clock(), s.Until.Clock(), s.Times, s.What, s.Text))
	}
	want := []string{
		"12:00:01Z 12:00:03Z 3 Reached log of shop/cart: 200",
		`12:00:04Z 12:00:04Z 1 Unreached log of shop/pay: 500, Get "https://10.0.0.7:10250/containerLogs/shop/pay/app": dial tcp 10.0.0.7:10250: i/o timeout`,
		"12:00:05Z 12:00:05Z 1 Unreached proxy of n1: 502, error trying to reach service: context deadline exceeded",
		"12:00:06Z 12:00:06Z 1 Unreached exec of shop/pay: 504",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("said\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
