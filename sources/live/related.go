package live

import (
	"context"
	"slices"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

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

// relatedLists lists related objects while a screen asks for them. Its lists belong to one goroutine.
type relatedLists struct {
	source *Source
	lists  map[model.Kind][]*relatedList

	mu    sync.Mutex
	asked []model.Kind
	wake  chan struct{}
}

// relatedList is a watcher that only lists.
type relatedList struct {
	*watcher
	due model.Instant
}

func newRelatedLists(s *Source) *relatedLists {
	return &relatedLists{source: s, lists: map[model.Kind][]*relatedList{}, wake: make(chan struct{}, 1)}
}

// Ask implements stream.Asker.
func (s *Source) Ask(kinds ...model.Kind) {
	r := s.related
	r.mu.Lock()
	changed := !slices.Equal(r.asked, kinds)
	r.asked = slices.Clone(kinds)
	r.mu.Unlock()
	if changed {
		select {
		case r.wake <- struct{}{}:
		default:
		}
	}
}

func (r *relatedLists) run(ctx context.Context) {
	for ctx.Err() == nil {
		r.mu.Lock()
		asked := slices.Clone(r.asked)
		r.mu.Unlock()
		next := time.Hour // until one is asked for
		for _, kind := range asked {
			for _, l := range r.of(kind) {
				if ctx.Err() != nil {
					return
				}
				if !l.due.Known() || l.now() >= l.due {
					l.repeat(ctx)
				}
				next = min(next, max(l.due.Sub(l.now()), 10*time.Millisecond))
			}
		}
		until(ctx, next, r.wake)
	}
}

// of are the lists of a kind, which has a status from now on.
func (r *relatedLists) of(kind model.Kind) []*relatedList {
	if lists := r.lists[kind]; lists != nil {
		return lists
	}
	for _, list := range related {
		if list.kind != kind {
			continue
		}
		var namespaces []string
		if kind == model.KindPodDisruptionBudget || kind == model.KindEndpointSlice {
			namespaces = r.source.options.Namespaces
		}
		for _, one := range list.in(namespaces) {
			w := r.source.watch(one)
			w.begun = func() {}
			w.status(func(s *stream.Status) { s.State = stream.Loading })
			r.lists[kind] = append(r.lists[kind], &relatedList{watcher: w})
		}
	}
	return r.lists[kind]
}

func (l *relatedList) repeat(ctx context.Context) {
	ctx = l.progress.traffic.counting(ctx)
	clients := l.source.current()
	err := clients.login(ctx)
	if err == nil {
		_, err = l.list(ctx, clients)
	}
	now := l.now()
	switch {
	case ctx.Err() != nil:
		return
	case apierrors.IsNotFound(err): // a kind unknown to the API server has no objects
	case err != nil:
		l.failures++
		l.due = now.Add(max(wait(err, l.failures), relatedEvery/10))
		l.status(func(s *stream.Status) { s.State, s.Why, s.Retry = stateFor(err), explain(err), l.due })
		if apierrors.IsUnauthorized(err) {
			l.source.renew(clients)
		}
		return
	}
	l.settle(ctx, "")
	l.failures, l.good, l.due = 0, now, now.Add(relatedEvery*time.Duration(1+len(l.known)/pageSize))
	l.status(func(s *stream.Status) {
		s.State, s.Why, s.Retry, s.Last, s.Loaded = stream.Live, "", 0, now, len(l.known)
	})
}
