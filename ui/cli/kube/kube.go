// Package kube is the way from kubectl's flags to a live cluster. No other part of the command line uses client-go.
package kube

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	_ "k8s.io/client-go/plugin/pkg/client/auth" // the login helpers that kubeconfigs may name
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/sources/live"
)

// Kube is kubectl's configuration. It implements command.Kube.
type Kube struct {
	kubeconfig string // a path; "" for KUBECONFIG and ~/.kube/config
	userExtra  []string
	overrides  clientcmd.ConfigOverrides
	messages   io.Writer
}

// New is kubectl's configuration, until flags change it. Without a watch, messages gets lines of credential plugins and
// the API server.
func New(messages io.Writer) *Kube {
	return &Kube{overrides: clientcmd.ConfigOverrides{ClusterDefaults: clientcmd.ClusterDefaults}, messages: messages}
}

// AddFlags adds kubectl's flags except caching and timeouts: nothing is cached, and a timeout would end every watch.
func (k *Kube) AddFlags(flags *pflag.FlagSet) {
	names := clientcmd.RecommendedConfigOverrideFlags("")
	names.Timeout.LongName = ""
	names.AuthOverrideFlags.Username.LongName = "" // kubectl has no flags for these two either
	names.AuthOverrideFlags.Password.LongName = ""
	names.ClusterOverrideFlags.APIServer.ShortName = "s"
	names.ContextOverrideFlags.Namespace.Description = "Pods and events of this namespace only"
	clientcmd.BindOverrideFlags(&k.overrides, flags, names)
	flags.StringVar(&k.kubeconfig, clientcmd.RecommendedConfigPathFlag, "", "Path to the kubeconfig file to use for CLI requests.")
	flags.StringArrayVar(&k.userExtra, "as-user-extra", nil, "User extras to impersonate for the operation, this flag can be repeated to specify multiple values for the same key.")
}

// load reads the kubeconfig under the flags, each time, so that a new login is noticed.
func (k *Kube) load() (clientcmd.ClientConfig, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.DefaultClientConfig = &clientcmd.DefaultClientConfig
	rules.ExplicitPath = k.kubeconfig
	overrides := k.overrides
	for _, extra := range k.userExtra {
		key, value, ok := strings.Cut(extra, "=")
		if !ok {
			return nil, fmt.Errorf("--as-user-extra %q: expected KEY=VALUE", extra)
		}
		if overrides.AuthInfo.ImpersonateUserExtra == nil {
			overrides.AuthInfo.ImpersonateUserExtra = map[string][]string{}
		}
		values := overrides.AuthInfo.ImpersonateUserExtra
		values[key] = append(values[key], value)
	}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &overrides), nil
}

// Reach asks the API server for its version.
func (k *Kube) Reach(ctx context.Context) (serverVersion string, err error) {
	config, err := k.config()
	if err != nil {
		return "", err
	}
	return live.Reachable(ctx, config, k.messages)
}

// Watch prepares a watch of some kinds, or of all, without connecting.
func (k *Kube) Watch(logTo io.Writer, version string, kinds ...model.Kind) (stream.Stream, error) {
	return live.New(live.Options{Config: k.config, Name: k.name(), Version: version, LogTo: logTo, Namespaces: k.namespaces(), Kinds: kinds})
}

// namespaces are those of requested pods and Events; nil for all.
func (k *Kube) namespaces() []string {
	if ns := k.overrides.Context.Namespace; ns != "" {
		return []string{ns}
	}
	return nil
}

// Pods is how many pods there are in all, or on one node.
func (k *Kube) Pods(ctx context.Context, version, node string) (int, error) {
	config, err := k.config()
	if err != nil {
		return 0, err
	}
	return live.CountPods(ctx, config, "kardia/"+version, k.messages, k.namespaces(), node)
}

// Context is the name of the context in use; "" if there is none.
func (k *Kube) Context() string {
	if name := k.overrides.CurrentContext; name != "" {
		return name
	}
	return k.raw().CurrentContext
}

// Contexts are the names of all contexts, in order.
func (k *Kube) Contexts() []string { return slices.Sorted(maps.Keys(k.raw().Contexts)) }

// raw is the kubeconfig as written; empty if it cannot be read.
func (k *Kube) raw() (raw clientcmdapi.Config) {
	if loaded, err := k.load(); err == nil {
		raw, _ = loaded.RawConfig() // empty, too
	}
	return raw
}

// Role is the least that must be allowed, as YAML.
func (k *Kube) Role() string { return live.ClusterRole }

// errNoConfig: no cluster is configured. kubectl would try localhost:8080.
var errNoConfig = errors.New("no kubeconfig found; set KUBECONFIG, --kubeconfig or --server")

func (k *Kube) config() (*rest.Config, error) {
	loaded, err := k.load()
	if err != nil {
		return nil, err
	}
	raw, err := loaded.RawConfig()
	if err != nil {
		return nil, err
	}
	named := k.overrides.ClusterInfo.Server != "" || os.Getenv("KUBERNETES_MASTER") != "" || os.Getenv("KUBERNETES_SERVICE_HOST") != ""
	if len(raw.Clusters) == 0 && !named {
		return nil, errNoConfig
	}
	return loaded.ClientConfig()
}

func (k *Kube) name() string {
	context, raw := k.Context(), k.raw()
	if raw.Contexts[context] == nil {
		return context
	}
	cluster := raw.Contexts[context].Cluster
	if cluster == "" || cluster == context {
		return context
	}
	return fmt.Sprintf("%s (%s)", context, cluster)
}
