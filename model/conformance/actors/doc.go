// Package actors runs the code of Kubernetes' own components beside the components that scenarios simulate, in virtual
// time. It answers the question: does a scenario's kubelet, cloud or Eviction API do what the real one does?
//
// The kubelet's shutdown and eviction managers play the scenarios of sources/scenario/testdata/kubelet-*. The flag
// -rewrite writes what they do there. The tests of that package hold the scenario's kubelets to it.
//
// The cloud's node and node-lifecycle controllers get the nodes of scenarios with join and leave. They must write what
// the scenario's cloud writes, at the same time.
//
// The Eviction API and the disruption controller get the pods of scenarios with drain. Each request must get the same
// answer, and each budget the same status. The flag -seeds is how many seeds of each scenario are compared.
//
// It is not part of package conformance because it needs the kubelet and the API server.
package actors
