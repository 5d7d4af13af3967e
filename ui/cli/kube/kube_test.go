package kube

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/pflag"
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
	k := New()
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

// TestNoRequestTimeout: a timeout for requests would end every watch.
func TestNoRequestTimeout(t *testing.T) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	New().AddFlags(flags)
	if flags.Lookup("request-timeout") != nil || flags.Lookup("cache-dir") != nil {
		t.Error("a flag that must not be there")
	}
}
