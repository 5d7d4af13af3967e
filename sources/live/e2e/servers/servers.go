//go:build servers

// Package servers pins the programs of the end-to-end test, in its own module: they need the k8s.io modules of their
// own minor. It is never built; the test builds the programs by name.
package servers

import (
	_ "go.etcd.io/etcd/server/v3"
	_ "k8s.io/kubernetes/cmd/kube-apiserver"
	_ "k8s.io/kubernetes/cmd/kube-controller-manager"
)
