package live

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/model"
)

// writerSince is the writer of the change that a version shows: the only field manager whose timestamps are newer than
// any of the version before it. WriterUnknown if there is not exactly one. It holds only for a version from a watch,
// which is one write, and not for one of a list.
//
// All controllers of kube-controller-manager are one field manager, so a write by it may come from any of them: that
// stays unknown.
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
