package live

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/tidwall/gjson"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/sources/read/object"
)

// relatedEvery is how often requested related objects are listed, if they are one page. Longer lists are read in
// proportion more seldom, so that the load does not grow. They are not watched: they are shown only now and then, and
// an observer should not add to the load for good.
const (
	relatedEvery    = 30 * time.Second
	relatedPageSize = 500
)

// relatedPath is the path of their list. Named are objects of one name, labelled those with a label.
type relatedPath struct {
	group, plural    string // the group with its version
	namespace, named string
	labelled         string // a label selector
	namespaced       bool   // in those namespaces that are watched
	item             string // the kind of items that are not of the list's kind
}

var relatedPaths = map[model.Kind]relatedPath{
	model.KindVolumeAttachment:    {group: "/apis/storage.k8s.io/v1/", plural: "volumeattachments"},
	model.KindPersistentVolume:    {group: "/api/v1/", plural: "persistentvolumes"},
	model.KindPodDisruptionBudget: {group: "/apis/policy/v1/", plural: "poddisruptionbudgets", namespaced: true},
	model.KindEndpointSlice:       {group: "/apis/discovery.k8s.io/v1/", plural: "endpointslices", namespaced: true},
	model.KindNodeClaim:           {group: "/apis/karpenter.sh/v1/", plural: "nodeclaims"},
	model.KindNodeHealthCheck:     {group: "/apis/remediation.medik8s.io/v1alpha1/", plural: "nodehealthchecks"},
	model.KindAutoscalerStatus:    {group: "/api/v1/", plural: "configmaps", namespace: model.SystemNamespace, named: "cluster-autoscaler-status", item: "ConfigMap"},
	model.KindServerLease: {group: "/apis/coordination.k8s.io/v1/", plural: "leases", namespace: model.SystemNamespace, item: "Lease",
		labelled: "apiserver.kubernetes.io/identity=kube-apiserver"},
}

func (p *relatedPath) in(namespace string) string {
	if namespace == "" {
		return p.group + p.plural
	}
	return p.group + "namespaces/" + namespace + "/" + p.plural
}

// relatedLists lists related objects while a screen asks for them. Its maps belong to one goroutine.
type relatedLists struct {
	source *Source
	lists  map[model.Kind]*relatedList
	decode object.Decoder

	mu    sync.Mutex
	asked []model.Kind
	wake  chan struct{}
}

type relatedList struct {
	kind     model.Kind
	progress *progress
	known    map[model.Key]known
	// last is when the last list was complete, due when the next is, failures how many attempts in a row failed.
	last, due model.Instant
	failures  int
}

func newRelatedLists(s *Source) *relatedLists {
	return &relatedLists{source: s, lists: map[model.Kind]*relatedList{}, wake: make(chan struct{}, 1)}
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
			if relatedPaths[kind].plural == "" || ctx.Err() != nil {
				continue
			}
			l := r.of(kind)
			if now := r.source.clock.now(); !l.due.Known() || now >= l.due {
				r.list(ctx, l)
			}
			next = min(next, max(l.due.Sub(r.source.clock.now()), 10*time.Millisecond))
		}
		until(ctx, next, r.wake)
	}
}

// of is the list of a kind, which has a status from now on.
func (r *relatedLists) of(kind model.Kind) *relatedList {
	l := r.lists[kind]
	if l == nil {
		b := r.source.batch
		l = &relatedList{kind: kind, known: map[model.Key]known{},
			progress: &progress{Status: stream.Status{Kind: kind, Since: r.source.clock.now(), State: stream.Loading}, name: kind.String()}}
		r.lists[kind] = l
		b.mu.Lock()
		b.watches = append(b.watches, l.progress)
		b.setDirtyLocked()
		b.mu.Unlock()
	}
	return l
}

func (r *relatedLists) list(ctx context.Context, l *relatedList) {
	clients := r.source.current()
	changes, seen, err := r.pages(l.progress.traffic.counting(ctx), clients, l)
	now := r.source.clock.now()
	if ctx.Err() != nil {
		return
	}
	if err != nil && !apierrors.IsNotFound(err) {
		l.failures++
		d := wait(err, l.failures)
		l.due = now.Add(max(d, relatedEvery/10))
		r.source.batch.update(l.progress, func(s *stream.Status) { s.State, s.Why, s.Retry = stateFor(err), explain(err), l.due })
		if apierrors.IsUnauthorized(err) {
			r.source.renew(clients)
		}
		return
	}
	// A kind unknown to the API server has no objects.
	var gone []model.Change
	for key, k := range l.known {
		if now, ok := seen[key]; !ok || now.uid != k.uid {
			ch := model.Change{Kind: l.kind, Op: model.OpDelete, Key: key, UID: k.uid}
			ch.Time.Earliest = l.last
			gone = append(gone, ch)
		}
	}
	changes = append(gone, changes...) // a deletion comes before the addition of another object of its name
	slices.SortStableFunc(changes, func(a, b model.Change) int { return model.CompareKeys(a.Key, b.Key) })
	if len(changes) > 0 && !r.source.batch.put(ctx, changes...) {
		return
	}
	l.known, l.failures, l.last, l.due = seen, 0, now, now.Add(relatedEvery*time.Duration(1+len(seen)/relatedPageSize))
	r.source.batch.update(l.progress, func(s *stream.Status) {
		s.State, s.Why, s.Retry, s.Last, s.Loaded = stream.Live, "", 0, now, len(seen)
	})
}

func (r *relatedLists) pages(ctx context.Context, c *clients, l *relatedList) (changes []model.Change, seen map[model.Key]known, err error) {
	seen = map[model.Key]known{}
	path, namespaces := relatedPaths[l.kind], []string{""}
	switch {
	case path.namespace != "":
		namespaces[0] = path.namespace
	case path.namespaced && len(r.source.options.Namespaces) > 0:
		namespaces = r.source.options.Namespaces
	}
	if err := c.login(ctx); err != nil {
		return nil, nil, err
	}
	read := &l.progress.traffic.bytes
	is := extent{limits: r.source.limits, began: r.source.clock.now(), read: read.Load()}
	for _, namespace := range namespaces {
		for from, more := "", true; more; more = from != "" {
			page, err := r.page(ctx, c, &path, namespace, from)
			if err != nil {
				return nil, nil, err
			}
			root := gjson.ParseBytes(page)
			if !root.Get("items").IsArray() {
				return nil, nil, errors.New("the answer is no list")
			}
			root.Get("items").ForEach(func(_, item gjson.Result) bool {
				if ch, ok := r.listed(l, seen, item); ok {
					changes = append(changes, ch)
				}
				return true
			})
			next := root.Get("metadata.continue").String()
			if err := cmp.Or(is.turns(from, next), is.exceeds(r.source.clock.now(), len(seen), read.Load())); err != nil {
				return nil, nil, err
			}
			from = next
		}
	}
	return changes, seen, nil
}

func (r *relatedLists) page(ctx context.Context, c *clients, path *relatedPath, namespace, from string) ([]byte, error) {
	if err := r.source.pace.Wait(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	options := metav1.ListOptions{Limit: relatedPageSize, LabelSelector: path.labelled, Continue: from}
	if path.named != "" {
		options.FieldSelector = "metadata.name=" + path.named
	}
	page, err := c.core.Get().AbsPath(path.in(namespace)).MaxRetries(0).SetHeader("Accept", "application/json").
		VersionedParams(&options, parameters).Do(ctx).Raw()
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, slow(err)
	case apierrors.IsForbidden(err): // its text is not decoded from a raw answer
		return nil, apierrors.NewForbidden(schema.GroupResource{Resource: path.plural}, path.named, errors.New("no right to list them"))
	}
	if err == nil && !gjson.ValidBytes(page) {
		return nil, errors.New("the answer is no JSON")
	}
	return page, err
}

// listed takes one object of a list; ok is false if it is model.OpRepeat.
func (r *relatedLists) listed(l *relatedList, seen map[model.Key]known, item gjson.Result) (ch model.Change, ok bool) {
	o := r.decode.DecodeAs(item, cmp.Or(relatedPaths[l.kind].item, l.kind.String()))
	if o.Kind != l.kind || o.Key.Name == "" {
		return ch, false
	}
	before, had := l.known[o.Key]
	now := known{uid: o.UID, version: o.Version}
	seen[o.Key] = now
	ch = model.Change{Kind: l.kind, Op: now.after(before, had), Key: o.Key, UID: o.UID, Version: o.Version, Related: o.Related}
	ch.Time.Earliest = max(o.Stamps.Created, o.Stamps.Managed)
	if l.last.Known() {
		ch.Time.Earliest = max(ch.Time.Earliest, l.last)
		return ch, ch.Op != model.OpRepeat
	}
	ch.Op = model.OpBaseline
	return ch, true
}
