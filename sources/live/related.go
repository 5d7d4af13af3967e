package live

import (
	"context"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kardia/internal/crash"
	"kardia/model"
	"kardia/sources/capture/stream"
)

// relatedEvery is how often requested related objects are listed, if they are one page. Longer lists are read in
// proportion more seldom, so that the load does not grow. They are not watched: they are shown only now and then, and
// an observer should not add to the load for good.
const relatedEvery = 30 * time.Second

// related are the lists of related objects, but for namespaces.
var related = []resource{
	{kind: model.KindVolumeAttachment, group: "/apis/storage.k8s.io/v1/", plural: "volumeattachments"},
	{kind: model.KindPersistentVolume, group: core, plural: "persistentvolumes"},
	{kind: model.KindPodDisruptionBudget, group: "/apis/policy/v1/", plural: "poddisruptionbudgets"},
	{kind: model.KindEndpointSlice, group: "/apis/discovery.k8s.io/v1/", plural: "endpointslices"},
	{kind: model.KindNodeClaim, group: "/apis/karpenter.sh/v1/", plural: "nodeclaims"},
	{kind: model.KindNodeHealthCheck, group: "/apis/remediation.medik8s.io/v1alpha1/", plural: "nodehealthchecks"},
	{kind: model.KindAutoscalerStatus, group: core, plural: "configmaps", namespace: model.SystemNamespace, fields: "metadata.name=cluster-autoscaler-status"},
	{kind: model.KindServerLease, group: coordination, plural: "leases", namespace: model.SystemNamespace, labels: "apiserver.kubernetes.io/identity=kube-apiserver"},
}

// Ask implements stream.Asker.
func (s *Source) Ask(kinds ...model.Kind) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.asked, kinds) {
		s.asked = slices.Clone(kinds)
		close(s.asks)
		s.asks = make(chan struct{})
	}
}

// requested are the related kinds that are asked for; changed is closed when others are.
func (s *Source) requested() (kinds []model.Kind, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked, s.asks
}

// keepListing lists each related kind from the first request for it on: then the kind has a status, too.
func (s *Source) keepListing(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for begun := map[model.Kind]bool{}; ctx.Err() == nil; {
		kinds, changed := s.requested()
		for _, list := range related {
			if begun[list.kind] || !slices.Contains(kinds, list.kind) {
				continue
			}
			begun[list.kind] = true
			var namespaces []string
			if list.kind == model.KindPodDisruptionBudget || list.kind == model.KindEndpointSlice {
				namespaces = s.options.Namespaces
			}
			for _, r := range list.in(namespaces) {
				w := s.watch(r)
				all.Go(crash.Guarded(func() { w.run(ctx) }))
			}
		}
		select {
		case <-ctx.Done():
		case <-changed:
		}
	}
}

// await waits until a related kind is asked for.
func (s *Source) await(ctx context.Context, kind model.Kind) {
	for kinds, changed := s.requested(); ctx.Err() == nil && !slices.Contains(kinds, kind); kinds, changed = s.requested() {
		select {
		case <-ctx.Done():
		case <-changed:
		}
	}
}

// repeat lists a related kind once, and waits until the next list is due.
func (w *watcher) repeat(ctx context.Context, c *clients) error {
	// A kind unknown to the API server has no objects.
	if _, err := w.list(ctx, c); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	w.settle(ctx, "")
	w.failures, w.good = 0, w.now()
	w.status(func(s *stream.Status) {
		s.State, s.Why, s.Last, s.Loaded = stream.Live, "", w.good, len(w.known)
	})
	until(ctx, relatedEvery*time.Duration(1+len(w.known)/pageSize), nil)
	return nil
}
