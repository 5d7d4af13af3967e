package live

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
)

// The scheme knows the two API groups that are read, not the sixty of a clientset.
var (
	scheme     = newScheme()
	codecs     = serializer.NewCodecFactory(scheme)
	parameters = runtime.NewParameterCodec(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(s))
	utilruntime.Must(coordinationv1.AddToScheme(s))
	return s
}

// clients are the connections of one set of credentials.
type clients struct {
	core, coordination rest.Interface
}

// newClients connects; times, which may be nil, learns of the API server's clock from its answers.
func newClients(cfg *rest.Config, userAgent string, warnings io.Writer, times *serverClock) (*clients, error) {
	cfg = prepare(cfg, userAgent, warnings, times)
	web, err := rest.HTTPClientFor(cfg)
	if err != nil {
		return nil, fmt.Errorf("connection to %s: %w", cfg.Host, err)
	}
	group := func(path string, gv schema.GroupVersion) (rest.Interface, error) {
		c := rest.CopyConfig(cfg)
		c.APIPath, c.GroupVersion, c.NegotiatedSerializer = path, &gv, codecs.WithoutConversion()
		return rest.RESTClientForConfigAndClient(c, web)
	}
	core, err := group("/api", corev1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	coordination, err := group("/apis", coordinationv1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	return &clients{core: core, coordination: coordination}, nil
}

// prepare is a copy of the configuration made fit for reading for a long time.
func prepare(cfg *rest.Config, userAgent string, warnings io.Writer, times *serverClock) *rest.Config {
	cfg = rest.CopyConfig(cfg)
	cfg.UserAgent = userAgent
	cfg.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	cfg.ContentType = "application/vnd.kubernetes.protobuf"
	// A timeout here would end every watch; requests carry their own.
	cfg.Timeout = 0
	// Pages of one list follow each other and the API server's own fairness rations
	// them; a second limiter would only slow the first screen down.
	cfg.QPS = -1
	cfg.WarningHandler = rest.NewWarningWriter(warnings, rest.WarningWriterOptions{Deduplicate: true})
	cfg.WarningHandlerWithContext = nil
	if cfg.ExecProvider != nil {
		// The keyboard belongs to the screen: a login helper must not read from it.
		helper := *cfg.ExecProvider
		helper.StdinUnavailable = true
		helper.StdinUnavailableMessage = "kardia uses the terminal; log in with kubectl first"
		cfg.ExecProvider = &helper
	}
	cfg.Wrap(func(next http.RoundTripper) http.RoundTripper { return readOnly{next, times} })
	return cfg
}

// readOnly lets GET requests pass and refuses all others, so that nothing in this
// process can write to a cluster through it. It also notes how a request ended, since
// rest.Request.Watch hides that from its caller, and what the answer tells of the server's clock.
type readOnly struct {
	next  http.RoundTripper
	times *serverClock
}

func (r readOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, fmt.Errorf("kardia only reads: refused to send %s %s", req.Method, req.URL.Path)
	}
	asked := r.times.reading()
	resp, err := r.next.RoundTrip(req)
	if err == nil {
		r.times.answered(asked, resp)
	}
	if o, ok := req.Context().Value(outcomeKey{}).(*outcome); ok {
		o.err = err
	}
	if t, ok := req.Context().Value(trafficKey{}).(*traffic); ok {
		t.requests.Add(1)
		if err == nil {
			resp.Body = t.counted(resp.Body)
		}
	}
	return resp, err
}

// WrappedRoundTripper lets client-go find the transport beneath, to close idle connections.
func (r readOnly) WrappedRoundTripper() http.RoundTripper { return r.next }

// outcome is how the transport fared with one request.
type outcome struct{ err error }

type outcomeKey struct{}

// reachTimeout is how long the first question may take: a person waits for it.
const reachTimeout = 3 * time.Second

// Reachable asks the API server for its version, waiting three seconds at most. A
// server that answers but keeps its version to itself is reachable: the version is then
// "". Credentials it does not accept are an error for which
// apierrors.IsUnauthorized holds.
func Reachable(ctx context.Context, cfg *rest.Config) (serverVersion string, err error) {
	ctx, cancel := context.WithTimeout(ctx, reachTimeout)
	defer cancel()
	agent := cfg.UserAgent
	if agent == "" {
		agent = "kardia"
	}
	c, err := newClients(cfg, agent, io.Discard, nil)
	if err != nil {
		return "", err
	}
	v, err := c.version(ctx)
	if apierrors.IsForbidden(err) || apierrors.IsNotFound(err) {
		return "", nil
	}
	return v, err
}

// version is the API server's gitVersion.
func (c *clients) version(ctx context.Context) (string, error) {
	body, err := c.core.Get().AbsPath("/version").MaxRetries(0).
		SetHeader("Accept", "application/json").Do(ctx).Raw()
	if err != nil {
		return "", err
	}
	var v struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := json.Unmarshal(body, &v); err != nil {
		return "", fmt.Errorf("%s: the answer to /version is no version: %w", c.core.Get().URL().Host, err)
	}
	return v.GitVersion, nil
}
