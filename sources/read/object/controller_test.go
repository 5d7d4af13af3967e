package object

import (
	"fmt"
	"testing"

	"github.com/tidwall/gjson"
)

// The command line and the image of kube-controller-manager's Pods are read as people write them, and what two Pods show
// differently is not known.
func TestControllerPods(t *testing.T) {
	pod := func(namespace, name, image, words string) string {
		return fmt.Sprintf(`{"kind":"Pod","metadata":{"namespace":%q,"name":%q,"uid":"u"},"spec":{"containers":[{"name":"sidecar","image":"a:v1.2"},{"name":"kube-controller-manager","image":%q,%s}]}}`, namespace, name, image, words)
	}
	const name, flag = "kube-controller-manager-a", "node-monitor-grace-period"
	for _, c := range []struct {
		pods           []string
		value, version string
	}{
		{[]string{pod("kube-system", name, "registry.k8s.io/kube-controller-manager:v1.28.3", `"command":["kube-controller-manager","--node-monitor-grace-period=30s"]`)}, "30s", "v1.28.3"},
		{[]string{pod("kube-system", name, "mirror:5000/kube-controller-manager:v1.30.1@sha256:00", `"command":["kube-controller-manager"],"args":["--node-monitor-grace-period","20s"]`)}, "20s", "v1.30.1"},
		{[]string{pod("openshift-kube-controller-manager", name, "quay.io/x@sha256:00", `"command":["/bin/sh","-c"],"args":["exec kube-controller-manager --v=2 --node-monitor-grace-period=25s"]`)}, "25s", ""},
		{[]string{pod("kube-system", name, "x:v1.28.3", `"args":["--node-monitor-grace-period=30s"]`), pod("kube-system", name+"b", "x:v1.28.3", `"args":["--node-monitor-grace-period=40s"]`)}, "", "v1.28.3"},
		{[]string{pod("kube-system", name, "x:v1.28.3", `"args":["--node-monitor-grace-period=30s"]`), pod("kube-system", name+"b", "x:v1.29.0", `"args":[]`)}, "", ""},
		{[]string{pod("shop", name, "x:v1.28.3", `"args":["--node-monitor-grace-period=30s"]`)}, "", ""},
	} {
		d := &Decoder{}
		for _, p := range c.pods {
			d.Decode(gjson.Parse(p))
		}
		if d.Controller.Flags[flag] != c.value || d.Controller.Version != c.version {
			t.Errorf("%s: %q, %q; want %q, %q", c.pods, d.Controller.Flags[flag], d.Controller.Version, c.value, c.version)
		}
	}
}
