// Package live watches a real cluster and hands on its Changes as a stream.Stream.
//
// One watch runs for each kind: nodes, their leases, pods, Events of nodes and of pods, and each leader lease. A watch
// first lists (streamed if the API server can, in pages if not), then follows, and survives what ends it: see watcher.
// Objects are trimmed to the model one by one as they arrive.
//
// It does not use client-go's Reflector, which does not show four things that a person must see here:
//
//   - when a connection broke, and when it will be retried;
//   - that a resumed watch lost nothing, while a new list did;
//   - how far the first list has come;
//   - which objects vanished in between.
//
// The Reflector's good parts are kept: streamed lists, bookmarks, resuming from the last resourceVersion, jittered
// back-off.
//
// While nothing arrives the API server is asked every other second for a sign of life: see contact. So silent nodes are
// distinguished from a silent API server within seconds.
//
// It never writes: its transport refuses every request but GET.
package live
