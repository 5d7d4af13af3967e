// Package conformance runs the real node-lifecycle, taint-eviction and pod-garbage-collection controllers of Kubernetes
// in virtual time, and compares them with Kardia's models of them.
//
// A Scenario is a script of what nodes, kubelets and people do; Scenarios generates them at random. Play runs one
// through the real controllers, over an in-memory API server inside a testing/synctest bubble. Its Trace has every
// write with time and writer, each pass's view and memory, each token's node, and logged decisions without an object.
// Compare plays the same inputs through the models. Both must do the same, at the same time to a tick.
//
//	go test ./...                                         1,500 scenarios of seed 1, scripts
//	go test -run TestAgreement -scenarios 300 -seed 7 -v  others, with counts
//	go test -run TestOnly -only 41 -seed 7 -from 50 -v    one of them, step by step
//	go test -run TestOnly -only testdata/x.txt -v         a script, step by step
//	go test -run TestMutants -mutants -scenarios 600 -timeout 20m  mistakes that must be noticed
//	go test -modfile=go.1.33.mod .                        v1.33.5; go.1.37.mod: v1.37.1
//
// A scenario that disagrees is made minimal and printed. Put it into testdata, mend the wrong side, and keep it.
//
// Forgiven and counted: a pod evaluated or deleted twice at one time, and a countdown cancelled when it ends. Other
// races do not occur: every loop has its own millisecond of ten (see listers.go). The scenario sets the lag of caches.
package conformance
