package kube

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
)

const kubeconfig = `apiVersion: v1
kind: Config
clusters:
- {name: east, cluster: {server: "http://127.0.0.1:1"}}
users:
- {name: me, user: {}}
contexts:
- {name: prod, context: {cluster: east, user: me}}
- {name: east, context: {cluster: east, user: me}}
current-context: prod
`

// with is a Kube after a command line, with a kubeconfig or without.
func with(t *testing.T, config string, args ...string) *Kube {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config")
	if config != "" {
		if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("KUBECONFIG", path)
	t.Setenv("KUBERNETES_MASTER", "")
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	k := New(io.Discard)
	// several commands share the flags; the last one parsed counts for all
	other, flags := pflag.NewFlagSet("", pflag.ContinueOnError), pflag.NewFlagSet("", pflag.ContinueOnError)
	k.AddFlags(other)
	k.AddFlags(flags)
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	return k
}

func TestContext(t *testing.T) {
	for _, tt := range []struct {
		args                []string
		context, name, host string
	}{
		{nil, "prod", "prod (east)", "http://127.0.0.1:1"},
		{[]string{"--context", "east"}, "east", "east", "http://127.0.0.1:1"},
		{[]string{"-s", "http://127.0.0.1:2"}, "prod", "prod (east)", "http://127.0.0.1:2"},
	} {
		k := with(t, kubeconfig, tt.args...)
		config, err := k.config()
		if err != nil {
			t.Fatal(err)
		}
		if k.Context() != tt.context || k.name() != tt.name || config.Host != tt.host {
			t.Errorf("%v: context %q, name %q, host %q", tt.args, k.Context(), k.name(), config.Host)
		}
		feed, err := k.Watch(io.Discard, "test")
		if err != nil || feed.Name() != tt.name {
			t.Errorf("%v: %v, %v", tt.args, feed, err)
		}
	}
}

// TestNoConfig: without a kubeconfig nothing is tried, least of all localhost:8080.
func TestNoConfig(t *testing.T) {
	if _, err := with(t, "").Reach(context.Background()); !errors.Is(err, errNoConfig) {
		t.Error(err)
	}
	if _, err := with(t, "").Watch(io.Discard, "test"); !errors.Is(err, errNoConfig) {
		t.Error(err)
	}
	if _, err := with(t, "", "--server", "http://127.0.0.1:1").config(); err != nil {
		t.Error(err)
	}
	if _, err := with(t, kubeconfig, "--context", "nowhere").config(); err == nil {
		t.Error("a context that does not exist is accepted")
	}
}

// TestFlags: kubectl's flags with its shorthands, but for two: a timeout for requests would
// end every watch, and nothing is cached.
func TestFlags(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	New(io.Discard).AddFlags(flags)
	var names []string
	flags.VisitAll(func(f *pflag.Flag) {
		name := f.Name
		if f.Shorthand != "" {
			name += " -" + f.Shorthand
		}
		names = append(names, name)
	})
	want := []string{"as", "as-group", "as-uid", "as-user-extra", "certificate-authority", "client-certificate", "client-key",
		"cluster", "context", "disable-compression", "insecure-skip-tls-verify", "kubeconfig", "namespace -n", "proxy-url",
		"server -s", "tls-server-name", "token", "user"}
	if !slices.Equal(names, want) {
		t.Errorf("flags\n%q, want\n%q", names, want)
	}
}

// TestOverrides: what a flag says wins over the kubeconfig.
func TestOverrides(t *testing.T) {
	config, err := with(t, kubeconfig, "--server", "https://127.0.0.1:3", "--token", "t", "--as", "me", "--as-uid", "7",
		"--as-group", "a", "--as-group", "b", "--as-user-extra", "k=1", "--as-user-extra", "k=2", "--insecure-skip-tls-verify",
		"--tls-server-name", "east", "--disable-compression", "--proxy-url", "http://127.0.0.1:4").config()
	if err != nil {
		t.Fatal(err)
	}
	want := rest.ImpersonationConfig{UserName: "me", UID: "7", Groups: []string{"a", "b"}, Extra: map[string][]string{"k": {"1", "2"}}}
	if !reflect.DeepEqual(config.Impersonate, want) {
		t.Errorf("impersonates %+v, want %+v", config.Impersonate, want)
	}
	if config.BearerToken != "t" || !config.Insecure || config.ServerName != "east" || !config.DisableCompression || config.Proxy == nil || config.Timeout != 0 {
		t.Errorf("the configuration is %+v", config)
	}
	if _, err := with(t, kubeconfig, "--as-user-extra", "k").config(); err == nil || !strings.Contains(err.Error(), "KEY=VALUE") {
		t.Errorf("an extra without a value: %v", err)
	}
}

// TestKubeconfigFlag: --kubeconfig wins over KUBECONFIG, and must exist.
func TestKubeconfigFlag(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(kubeconfig, "east", "west")), 0o600); err != nil {
		t.Fatal(err)
	}
	if k := with(t, kubeconfig, "--kubeconfig", path); k.name() != "prod (west)" {
		t.Errorf("the name is %q", k.name())
	}
	if _, err := with(t, kubeconfig, "--kubeconfig", path+"-not").config(); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestNamespace: pods of one namespace, written as kubectl takes it.
func TestNamespace(t *testing.T) {
	for _, arg := range []string{"shop", "ns/shop"} {
		if k := with(t, kubeconfig, "-n", arg); k.overrides.Context.Namespace != "shop" {
			t.Errorf("-n %s is %q", arg, k.overrides.Context.Namespace)
		}
	}
}
