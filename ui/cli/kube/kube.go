// Package kube is the way from kubectl's flags to a live cluster. It is the only part of
// the command line that knows client-go.
package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // the login helpers that kubeconfigs may name
	"k8s.io/client-go/rest"

	"kardia/sources/feed"
	"kardia/sources/live"
)

// Kube is kubectl's configuration. It implements command.Kube.
type Kube struct {
	flags *genericclioptions.ConfigFlags
}

// New is the configuration that kubectl would use, until flags say otherwise.
func New() *Kube {
	// Not persistent: the kubeconfig is read anew each time, so that a new login is noticed.
	flags := genericclioptions.NewConfigFlags(false)
	flags.CacheDir, flags.Timeout = nil, nil // nothing is cached, and a timeout would end every watch
	return &Kube{flags}
}

// AddFlags adds kubectl's flags.
func (k *Kube) AddFlags(flags *pflag.FlagSet) {
	k.flags.AddFlags(flags)
	flags.Lookup("namespace").Usage = "Pods and events of this namespace only"
}

// Reach asks the API server for its version.
func (k *Kube) Reach(ctx context.Context) (serverVersion string, err error) {
	config, err := k.config()
	if err != nil {
		return "", err
	}
	return live.Reachable(ctx, config)
}

// Watch prepares a watch without connecting.
func (k *Kube) Watch(logTo io.Writer, version string) (feed.Feed, error) {
	options := live.Options{Config: k.config, Name: k.name(), Version: version, LogTo: logTo}
	if ns := *k.flags.Namespace; ns != "" {
		options.Namespaces = []string{ns}
	}
	return live.New(options)
}

// Context is the name of the context in use; "" where there is none.
func (k *Kube) Context() string {
	if name := *k.flags.Context; name != "" {
		return name
	}
	raw, err := k.flags.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return ""
	}
	return raw.CurrentContext
}

// Role is the least that must be allowed, as YAML.
func (k *Kube) Role() string { return live.ClusterRole() }

// errNoConfig says that nothing tells which cluster is meant. kubectl would try localhost:8080.
var errNoConfig = errors.New("no kubeconfig tells which cluster is meant: set KUBECONFIG, --kubeconfig or --server")

// config is the connection's configuration.
func (k *Kube) config() (*rest.Config, error) {
	raw, err := k.flags.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil, err
	}
	named := *k.flags.APIServer != "" || os.Getenv("KUBERNETES_MASTER") != "" || os.Getenv("KUBERNETES_SERVICE_HOST") != ""
	if len(raw.Clusters) == 0 && !named {
		return nil, errNoConfig
	}
	return k.flags.ToRESTConfig()
}

// name is the context and the cluster, where they are called differently.
func (k *Kube) name() string {
	context := k.Context()
	raw, err := k.flags.ToRawKubeConfigLoader().RawConfig()
	if err != nil || raw.Contexts[context] == nil {
		return context
	}
	cluster := raw.Contexts[context].Cluster
	if cluster == "" || cluster == context {
		return context
	}
	return fmt.Sprintf("%s (%s)", context, cluster)
}
