package conformance

import (
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/watch"
)

// watcher is one watch request. It loses no event.
type watcher struct {
	events chan watch.Event
	once   sync.Once
	done   chan struct{}
}

func newWatcher() *watcher {
	return &watcher{events: make(chan watch.Event, 64), done: make(chan struct{})}
}

func (w *watcher) ResultChan() <-chan watch.Event { return w.events }
func (w *watcher) Stop()                          { w.once.Do(func() { close(w.done) }) }

// send waits for a slow reader and gives up on one that has stopped.
func (w *watcher) send(e watch.Event) {
	select {
	case w.events <- e:
	case <-w.done:
	}
}

// each visits the objects of a table by name, and returns the version of the list.
func each[T object](s *APIServer, t *table[T], visit func(T)) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range t.sorted() {
		visit(o)
	}
	return strconv.FormatInt(s.version, 10)
}

// watchTable starts a watch. No write comes between an informer's list and its watch: the runner lets them finish.
func watchTable[T object](s *APIServer, t *table[T]) watch.Interface {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := newWatcher()
	live := t.watchers[:0]
	for _, old := range t.watchers {
		select {
		case <-old.done:
		default:
			live = append(live, old)
		}
	}
	t.watchers = append(live, w)
	return w
}
