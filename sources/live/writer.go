package live

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/model"
)

// writerSince is the only field manager with a newer timestamp than any in the version before; else WriterUnknown. It
// holds for a version from a watch, which is one write, not for one of a list. All controllers of
// kube-controller-manager are one field manager, so their writes stay unknown.
func writerSince(managed []metav1.ManagedFieldsEntry, before model.Instant) (by model.Writer) {
	for i := range managed {
		e := &managed[i]
		if e.Time == nil || at(*e.Time) <= before {
			continue
		}
		is := model.WriterOf(e.Manager)
		if is == model.WriterUnknown || by != model.WriterUnknown && by != is {
			return model.WriterUnknown
		}
		by = is
	}
	return by
}
