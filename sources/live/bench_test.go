package live

import (
	"context"
	"fmt"
	"strconv"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kardia/model"
	"kardia/sources/capture/stream"
)

// A renewal from the decoded object to the batch. 5,000 nodes renew 500 times a second.
func BenchmarkRenewal(b *testing.B) {
	a := newAPI()
	s, err := New(Options{Config: a.config})
	if err != nil {
		b.Fatal(err)
	}
	var w *watcher
	for _, w = range s.watches {
		if w.kind == model.KindNodeLease {
			break
		}
	}
	w.complete = true
	leases := make([]*coordinationv1.Lease, 5000)
	for i := range leases {
		leases[i] = leaseOf(fmt.Sprintf("node-%04d", i))
		at := metav1.NewTime(time.Now())
		leases[i].ManagedFields = []metav1.ManagedFieldsEntry{{Manager: "kubelet", Time: &at}}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		l := leases[i%len(leases)]
		l.ResourceVersion = strconv.Itoa(1000 + i)
		w.event(context.Background(), watch.Event{Type: watch.Modified, Object: l}, false)
		if i%1000 == 0 {
			s.batch.flush(func(stream.Batch) {})
		}
	}
}
