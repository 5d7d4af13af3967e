package live

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"kardia/sources/live/credential"
)

// codecs decode the refusals of an API server. Everything else is read by sources/read/object.
var codecs = func() serializer.CodecFactory {
	s := runtime.NewScheme()
	metav1.AddToGroupVersion(s, version)
	return serializer.NewCodecFactory(s)
}()

var version = schema.GroupVersion{Version: "v1"}

type clients struct {
	api rest.Interface
	// plugin gives the credentials; nil if the kubeconfig names none. messages takes what it writes for people.
	plugin   *credential.Plugin
	messages io.Writer
}

type connection struct {
	agent    string
	messages io.Writer // warnings of the API server, and what a credential plugin writes
	times    *serverClock
	limits   *limits
}

func newClients(cfg *rest.Config, o connection) (*clients, error) {
	takeLogs()
	plugin, err := credential.Of(cfg)
	if err != nil {
		return nil, err
	}
	cfg = prepare(cfg, o)
	web, err := client(cfg, plugin)
	if err != nil {
		return nil, fmt.Errorf("connection to %s: %w", address(cfg.Host), err)
	}
	cfg.APIPath, cfg.GroupVersion, cfg.NegotiatedSerializer = "/api", &version, codecs.WithoutConversion()
	api, err := rest.RESTClientForConfigAndClient(cfg, web)
	if err != nil {
		return nil, err
	}
	return &clients{api: api, plugin: plugin, messages: o.messages}, nil
}

func client(cfg *rest.Config, plugin *credential.Plugin) (*http.Client, error) {
	c, err := cfg.TransportConfig()
	if err != nil {
		return nil, err
	}
	if plugin != nil {
		plugin.Into(c)
	}
	rt, err := transport.New(c)
	if err != nil {
		return nil, err
	}
	if cfg.AuthProvider != nil {
		rt = &raced{rt}
	}
	return &http.Client{Transport: rt}, nil
}

// login waits for a plugin's credentials, so that this time is not the API server's.
func (c *clients) login(ctx context.Context) error {
	if c.plugin == nil {
		return nil
	}
	wrote, err := c.plugin.Login(ctx)
	if wrote != "" {
		fmt.Fprintln(c.messages, wrote)
	}
	return err
}

// prepare is a copy of the configuration for reading for a long time.
func prepare(cfg *rest.Config, o connection) *rest.Config {
	cfg = rest.CopyConfig(cfg)
	cfg.UserAgent = o.agent
	cfg.AcceptContentTypes, cfg.ContentType = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	// A timeout here would end every watch; requests have their own.
	cfg.Timeout = 0
	// Pages and watches have their own pace: client-go has none for watches.
	cfg.QPS = -1
	cfg.WarningHandler = rest.NewWarningWriter(o.messages, rest.WarningWriterOptions{Deduplicate: true})
	cfg.WarningHandlerWithContext = nil
	cfg.ExecProvider = nil // its credentials come from package credential
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper { return readOnly{next, o} })
	return cfg
}

// readOnly lets only GET requests pass, so that nothing in this process can write to a cluster. It limits answers, and
// keeps redirects with the API server of the credentials. It also notes the server's time in the answer.
type readOnly struct {
	next http.RoundTripper
	connection
}

func (r readOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, fmt.Errorf("kardia only reads: refused to send %s %s", req.Method, req.URL.Path)
	}
	sent.note(req.Header.Get("Authorization"))
	asked := r.times.reading()
	resp, err := r.next.RoundTrip(req)
	if err == nil {
		err = stays(req, resp)
	}
	t, _ := req.Context().Value(trafficKey{}).(*traffic)
	t = cmp.Or(t, &traffic{})
	t.requests.Add(1)
	if err != nil {
		return nil, err
	}
	r.times.answered(asked, resp)
	resp.Body = r.limits.limited(req, resp, t)
	return resp, nil
}

// stays refuses a redirect to another server, or without TLS: it would get the credentials.
func stays(req *http.Request, resp *http.Response) error {
	to := resp.Header.Get("Location")
	if resp.StatusCode < 300 || resp.StatusCode > 399 || to == "" {
		return nil
	}
	u, err := req.URL.Parse(to)
	if err == nil && u.Scheme == req.URL.Scheme && strings.EqualFold(u.Host, req.URL.Host) {
		return nil
	}
	resp.Body.Close()
	elsewhere := "an address that cannot be read"
	if err == nil {
		elsewhere = u.Scheme + "://" + u.Host
	}
	return overrunf("the API server redirects to %s: not followed, because the credentials would go there", elsewhere)
}

// WrappedRoundTripper lets client-go find the transport beneath, to close idle connections.
func (r readOnly) WrappedRoundTripper() http.RoundTripper { return r.next }

// raced is a transport that may wait without a context for more than the network: client-go's OIDC login.
type raced struct{ next http.RoundTripper }

// WrappedRoundTripper lets client-go find the transport beneath.
func (r *raced) WrappedRoundTripper() http.RoundTripper { return r.next }

func (r *raced) RoundTrip(req *http.Request) (*http.Response, error) {
	type answer struct {
		resp *http.Response
		err  error
	}
	got := make(chan answer)
	go func() {
		resp, err := r.next.RoundTrip(req)
		select {
		case got <- answer{resp, err}:
		case <-req.Context().Done():
			if err == nil {
				resp.Body.Close()
			}
		}
	}()
	select {
	case is := <-got:
		return is.resp, is.err
	case <-req.Context().Done():
		return nil, req.Context().Err()
	}
}

func address(host string) string {
	u, err := url.Parse(host)
	if err != nil || u.User == nil {
		return host
	}
	u.User = nil
	return u.String()
}

// dial makes clients for a few requests. Its errors are in words.
func dial(ctx context.Context, cfg *rest.Config, agent string, messages io.Writer) (*clients, error) {
	c, err := newClients(cfg, connection{agent: agent, messages: messages, limits: &production})
	if err == nil {
		err = inWords(c.login(ctx))
	}
	return c, err
}

// reachTimeout limits the first request: a person waits for it.
const reachTimeout = 3 * time.Second

// Reachable asks the API server for its version, for three seconds at most after the login. A server that does not show
// it is reachable, with version "". For refused credentials apierrors.IsUnauthorized holds. messages are a plugin's.
func Reachable(ctx context.Context, cfg *rest.Config, messages io.Writer) (serverVersion string, err error) {
	c, err := dial(ctx, cfg, cmp.Or(cfg.UserAgent, "kardia"), messages)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	v, err := c.version(ctx)
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return "", nil
	}
	return v, inWords(err)
}

func (c *clients) version(ctx context.Context) (string, error) {
	body, err := c.api.Get().AbsPath("/version").MaxRetries(0).Do(ctx).Raw()
	if err != nil {
		return "", err
	}
	var v struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return "", fmt.Errorf("%s: the answer to /version is no version: %w", c.api.Get().URL().Host, err)
	}
	return v.GitVersion, nil
}
