//go:build servers

// Package servers pins the programs of the end-to-end test of sources/live beside the controllers of the same Kubernetes.
// Their common packages are compiled once. This one is never built; that test builds the programs by name.
package servers

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
