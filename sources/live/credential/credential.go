// Package credential adds credentials to requests, as kubectl does, from a kubeconfig's credential plugin ("exec"). It
// runs `aws eks get-token`, reads an ExecCredential, and sends its token or shows its certificate until that expires or
// is refused.
//
// client-go's own runner waits for a plugin without end and gives it the terminal. Here waiting ends with the context
// and after Patience, the plugin's processes end with it, and its stderr becomes text for a message.
package credential

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/pkg/apis/clientauthentication"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/connrotation"
	"k8s.io/utils/dump"
)

const (
	// Patience is how long a plugin may take to answer.
	Patience = 30 * time.Second
	// maxPause is the longest pause between runs of a plugin that fails, or whose credentials are refused.
	maxPause = 30 * time.Second
	// lasting is how long credentials must have worked for their refusal to be usual.
	lasting = time.Minute
)

// Plugin is one credential plugin and its last credentials.
type Plugin struct {
	config   clientcmdapi.ExecConfig
	cluster  *clientauthentication.Cluster
	patience time.Duration
	now      func() time.Time

	// connections were opened with the plugin's certificate.
	connections *connrotation.ConnectionTracker
	certificate *transport.GetCertHolder

	mu   sync.Mutex
	run  *run
	have *credentials
	// failure is why the last run failed; failures counts failed or refused runs in a row. No run starts before again.
	failure  error
	failures int
	again    time.Time
}

type credentials struct {
	token       string
	certificate *tls.Certificate
	since       time.Time
	expires     time.Time // zero for never
	refused     bool
	wrote       string // messages of the run that brought them, until they are handed on
}

// plugins are those of this process: several connections share one login.
var plugins = struct {
	sync.Mutex
	by map[string]*Plugin
}{by: map[string]*Plugin{}}

// Of is the plugin of a configuration; nil if it has none, or other credentials take precedence.
func Of(cfg *rest.Config) (*Plugin, error) {
	if cfg.ExecProvider == nil || cfg.AuthProvider != nil || cfg.BearerToken != "" || cfg.BearerTokenFile != "" || cfg.Username != "" ||
		len(cfg.CertData) > 0 || cfg.CertFile != "" {
		return nil, nil
	}
	var cluster *clientauthentication.Cluster
	if cfg.ExecProvider.ProvideClusterInfo {
		var err error
		if cluster, err = rest.ConfigToExecCluster(cfg); err != nil {
			return nil, err
		}
	}
	key := dump.Pretty([]any{cfg.ExecProvider, cluster})
	plugins.Lock()
	defer plugins.Unlock()
	p := plugins.by[key]
	if p == nil {
		p = newPlugin(*cfg.ExecProvider, cluster)
		plugins.by[key] = p
	}
	return p, nil
}

func newPlugin(config clientcmdapi.ExecConfig, cluster *clientauthentication.Cluster) *Plugin {
	p := &Plugin{config: config, cluster: cluster, patience: Patience, now: time.Now, connections: connrotation.NewConnectionTracker()}
	p.certificate = &transport.GetCertHolder{GetCert: p.shown}
	return p
}

// Login waits for credentials, and returns the plugin's text for people, once for each run. When the context ends by a
// deadline the plugin continues, for the next request; if it is cancelled the plugin is ended.
func (p *Plugin) Login(ctx context.Context) (wrote string, err error) {
	is, err := p.get(ctx)
	if err != nil {
		return "", err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if is.wrote != "" {
		wrote = fmt.Sprintf("the credential plugin %s writes: %s", p.fails("").Name, is.wrote)
		is.wrote = ""
	}
	return wrote, nil
}

func (p *Plugin) get(ctx context.Context) (*credentials, error) {
	for {
		is, r, err := p.begin()
		if is != nil || err != nil {
			return is, err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				r.end()
				return nil, ctx.Err()
			}
			return nil, p.fails("has not answered for %v", p.now().Sub(r.began).Round(time.Second))
		}
		if !errors.Is(r.err, errEnded) || ctx.Err() != nil {
			return r.credentials, r.err
		}
	}
}

// begin is the credentials, or why there are none, or the run for them.
func (p *Plugin) begin() (*credentials, *run, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	rests := now.Before(p.again)
	switch is := p.have; {
	case is != nil && is.expires.IsZero() && !is.refused, is != nil && now.Before(is.expires) && !is.refused:
		return is, nil, nil
	case p.run != nil:
		return nil, p.run, nil
	case rests && p.failure != nil:
		return nil, nil, p.failure
	case rests && is != nil:
		return is, nil, nil // refused just now: the API server refuses it again
	}
	p.run = &run{plugin: p, began: now, done: make(chan struct{})}
	p.run.start()
	return nil, p.run, nil
}

func (p *Plugin) ended(r *run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.run, p.failure = nil, nil
	if errors.Is(r.err, errEnded) {
		return
	}
	if r.err != nil {
		p.failure = r.err
		p.pause()
		return
	}
	before := p.have
	p.have = r.credentials
	if before != nil && !sameCertificate(before.certificate, p.have.certificate) {
		p.connections.CloseAll() // they were opened with the one before
	}
}

func sameCertificate(a, b *tls.Certificate) bool {
	if a == nil || b == nil {
		return a == b
	}
	return string(a.Certificate[0]) == string(b.Certificate[0])
}

// pause delays the next run, the longer the more in a row failed. The lock is held.
func (p *Plugin) pause() {
	p.again = p.now().Add(min(time.Second<<min(p.failures, 10), maxPause))
	p.failures++
}

func (p *Plugin) refused(is *credentials) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.have != is || is.refused {
		return
	}
	is.refused = true
	if p.now().Sub(is.since) >= lasting {
		p.failures, p.again = 0, time.Time{}
		return
	}
	p.pause()
}

// End ends a run in progress.
func (p *Plugin) End() {
	p.mu.Lock()
	r := p.run
	p.mu.Unlock()
	if r != nil {
		r.end()
	}
}

// shown is the certificate for a connection. It does not wait: every request has logged in before.
func (p *Plugin) shown() (*tls.Certificate, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.have == nil {
		return nil, nil
	}
	return p.have.certificate, nil
}

// Into lets a transport use the plugin's credentials.
func (p *Plugin) Into(c *transport.Config) {
	c.Wrap(func(next http.RoundTripper) http.RoundTripper { return &roundTripper{p, next} })
	if c.Transport != nil {
		return // it has its own way to connect
	}
	c.TLS.GetCertHolder = p.certificate
	dial := (&net.Dialer{Timeout: Patience, KeepAlive: Patience}).DialContext
	if c.DialHolder != nil {
		dial = c.DialHolder.Dial
	}
	c.DialHolder = &transport.DialHolder{Dial: connrotation.NewDialerWithTracker(dial, p.connections).DialContext}
}

type roundTripper struct {
	plugin *Plugin
	next   http.RoundTripper
}

// WrappedRoundTripper lets client-go find the transport beneath.
func (r *roundTripper) WrappedRoundTripper() http.RoundTripper { return r.next }

func (r *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Header.Get("Authorization") != "" {
		return r.next.RoundTrip(req)
	}
	is, err := r.plugin.get(req.Context())
	if err != nil {
		return nil, err
	}
	if is.token != "" {
		req = utilnet.CloneRequest(req)
		req.Header.Set("Authorization", "Bearer "+is.token)
	}
	resp, err := r.next.RoundTrip(req)
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		r.plugin.refused(is)
	}
	return resp, err
}

// Failure is why a plugin gave no credentials, in one line for people. Wrote is the plugin's own text.
type Failure struct{ Name, Why, Wrote string }

// Error implements error.
func (f *Failure) Error() string {
	text := fmt.Sprintf("the credential plugin %s %s", f.Name, f.Why)
	if f.Wrote != "" {
		text += ": " + f.Wrote
	}
	return text
}
