// Package conformance runs the real node-lifecycle and taint-eviction controllers of
// Kubernetes in virtual time and compares them with Kardia's models of them.
//
// A Scenario is a script of what nodes, kubelets and people do; Scenarios generates them
// at random. Play runs one through the real controllers, over an in-memory API server
// and inside a testing/synctest bubble, and returns a Trace: every write with its time
// and writer, what each pass saw and remembered, which node each token went to, what was
// logged of decisions that leave no object behind. Compare plays the same inputs through
// the models and wants both to have done the same, at the same time to a tick.
//
//	go test ./...                                         1,500 scenarios of seed 1, scripts
//	go test -run TestAgreement -scenarios 300 -seed 7 -v  others, with counts
//	go test -run TestOnly -only 41 -seed 7 -from 50 -v    one of them, step by step
//	go test -run TestOnly -only testdata/x.txt -v         a script, step by step
//	go test -run TestMutants -mutants -scenarios 600 -timeout 20m  mistakes that must be noticed
//	go test -modfile=go.1.33.mod ./...                    v1.33.5; go.1.37.mod: v1.37.1
//
// A scenario that disagrees is made minimal and printed as a script: put it into
// testdata, mend whoever is wrong, and keep the script.
//
// What is forgiven, and counted: a pod evaluated or deleted twice at one instant, and a
// countdown that ends at the instant of its cancelling. Other races do not occur, because
// every loop works in its own millisecond of ten (see listers.go); the lag of the cache
// that a tick reads is drawn by the scenario instead.
package conformance
