package live

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/model"
)

// The manager whose timestamp moved made the write. If none moved, or more than one did, the writer is not known.
func TestTheWriterOfAVersion(t *testing.T) {
	noon := time.Date(2026, 8, 14, 12, 0, 0, 0, time.UTC)
	by := func(manager string, second int) metav1.ManagedFieldsEntry {
		stamp := metav1.NewTime(noon.Add(time.Duration(second) * time.Second))
		return metav1.ManagedFieldsEntry{Manager: manager, Time: &stamp}
	}
	before := model.At(noon)
	for what, c := range map[string]struct {
		managed []metav1.ManagedFieldsEntry
		want    model.Writer
	}{
		"a person taints":                                 {[]metav1.ManagedFieldsEntry{by("kubelet", -9), by("kubectl-taint", 3)}, model.WriterPerson},
		"its kubelet posts":                               {[]metav1.ManagedFieldsEntry{by("kubectl-taint", -60), by("kubelet", 1)}, model.WriterKubelet},
		"some controller of kube-controller-manager":      {[]metav1.ManagedFieldsEntry{by("kubelet", -9), by("kube-controller-manager", 2)}, model.WriterUnknown},
		"no timestamp moves when something is removed":    {[]metav1.ManagedFieldsEntry{by("kubelet", 0), by("kubectl-taint", -3)}, model.WriterUnknown},
		"two timestamps moved":                            {[]metav1.ManagedFieldsEntry{by("kubelet", 1), by("kubectl-taint", 2)}, model.WriterUnknown},
		"another, and one that has nothing to do with it": {[]metav1.ManagedFieldsEntry{by("karpenter", 2), {Manager: "nobody"}}, model.WriterPerson},
		"nobody manages it":                               {nil, model.WriterUnknown},
	} {
		raw, err := json.Marshal(c.managed)
		if err != nil {
			t.Fatal(err)
		}
		if got := writerSince(gjson.ParseBytes(raw), before); got != c.want {
			t.Errorf("%s: %s, want %s", what, got, c.want)
		}
	}
}
