package live

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kardia/model"
)

// writerSince is who made the write that a version shows, by the field managers whose stamps are newer
// than any of the version before it; WriterUnknown where that is not one alone. It holds only for a
// version that a watch shows, which is one write, and not for one of a list.
//
// All controllers of kube-controller-manager are one field manager, and what it wrote may be any
// controller's: that stays unknown.
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
