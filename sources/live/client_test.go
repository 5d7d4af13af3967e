package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"
	"sigs.k8s.io/yaml"
)

func TestOnlyGetLeavesTheProcess(t *testing.T) {
	a := newAPI()
	cfg, _ := a.config()
	c, err := newClients(cfg, connection{agent: "kardia/test", messages: &bytes.Buffer{}, limits: &production})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for verb, r := range map[string]*rest.Request{
		"POST": c.api.Post(), "PUT": c.api.Put(), "DELETE": c.api.Delete(),
		"PATCH": c.api.Patch("application/merge-patch+json"), "OPTIONS": c.api.Verb("OPTIONS"), "HEAD": c.api.Verb("HEAD"),
	} {
		err := r.Resource("nodes").Name("n1").Body([]byte("{}")).Do(ctx).Error()
		if err == nil || !strings.Contains(err.Error(), "kardia only reads") {
			t.Errorf("%s: %v", verb, err)
		}
	}
	if len(a.requests) != 0 {
		t.Errorf("sent %v", a.requests)
	}
	if err := c.api.Get().Resource("nodes").Do(ctx).Error(); err != nil || len(a.requests) != 1 {
		t.Errorf("GET: %v, sent %v", err, a.requests)
	}
}

func TestTheConfigurationIsMadeFitForWatching(t *testing.T) {
	given := &rest.Config{Host: "http://x", Timeout: 5, ExecProvider: &clientcmdapi.ExecConfig{}}
	got := prepare(given, connection{agent: "kardia/1", messages: &bytes.Buffer{}, limits: &production})
	if got.Timeout != 0 || got.UserAgent != "kardia/1" || got.ExecProvider != nil {
		t.Errorf("%+v", got)
	}
	if given.Timeout != 5 || given.UserAgent != "" || given.ExecProvider == nil {
		t.Error("the caller's configuration was changed")
	}
}

func TestReachable(t *testing.T) {
	for _, c := range []struct {
		say     string
		fail    func(*http.Request) (*http.Response, error)
		version string
		ok      func(error) bool
	}{
		{"it answers", nil, "v1.37.2", func(err error) bool { return err == nil }},
		{"it keeps its version to itself", func(*http.Request) (*http.Response, error) {
			return failure(403, metav1.StatusReasonForbidden, "no"), nil
		}, "", func(err error) bool { return err == nil }},
		{"it knows us no more", func(*http.Request) (*http.Response, error) {
			return failure(401, metav1.StatusReasonUnauthorized, "Unauthorized"), nil
		}, "", apierrors.IsUnauthorized},
		{"nobody is there", refused, "", func(err error) bool { return err != nil }},
		{"something else answers", func(*http.Request) (*http.Response, error) {
			return answer(200, "hello"), nil
		}, "", func(err error) bool { return err != nil && strings.Contains(err.Error(), "no version") }},
		{"it takes forever", func(req *http.Request) (*http.Response, error) {
			if _, bounded := req.Context().Deadline(); !bounded {
				return nil, errors.New("no deadline")
			}
			return nil, context.DeadlineExceeded
		}, "", func(err error) bool { return errors.Is(err, context.DeadlineExceeded) }},
	} {
		a := newAPI()
		a.failWith(c.fail)
		cfg, _ := a.config()
		if version, err := Reachable(t.Context(), cfg, io.Discard); version != c.version || !c.ok(err) {
			t.Errorf("%s: %q, %v", c.say, version, err)
		}
	}
}

func TestNewSaysWhatIsWrong(t *testing.T) {
	if _, err := New(Options{}); err == nil {
		t.Error("no configuration, and no error")
	}
	mine := errors.New("no current context")
	if _, err := New(Options{Config: func() (*rest.Config, error) { return nil, mine }}); !errors.Is(err, mine) {
		t.Errorf("%v", err)
	}
	bad := func() (*rest.Config, error) {
		return &rest.Config{Host: "https://x", TLSClientConfig: rest.TLSClientConfig{CAFile: "/nowhere/ca.crt"}}, nil
	}
	if _, err := New(Options{Config: bad}); err == nil || !strings.Contains(err.Error(), "/nowhere/ca.crt") {
		t.Errorf("%v", err)
	}
}

func TestClientLogsGoWhereTheyAreSent(t *testing.T) {
	var out bytes.Buffer
	a := newAPI()
	if _, err := New(Options{Config: a.config, LogTo: &out}); err != nil {
		t.Fatal(err)
	}
	klog.Error("from klog")
	klog.Background().Info("from a logger")
	log.Print("from net/http")
	utilruntime.HandleError(errors.New("from apimachinery"))
	for _, want := range []string{"from klog", "from a logger", "from net/http", "from apimachinery"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no line %s", want)
		}
	}
}

// The role allows what is watched, with the verbs used, and no more.
func TestTheRoleIsTheLeast(t *testing.T) {
	var asked []string // listed, and not watched
	for _, r := range related {
		asked = append(asked, r.plural)
	}
	allowed := map[string]bool{}
	for doc := range strings.SplitSeq(ClusterRole, "---\n") {
		var r rbacv1.Role // a ClusterRole has the same fields
		if err := yaml.UnmarshalStrict([]byte(doc), &r); err != nil {
			t.Fatal(err)
		}
		for _, rule := range r.Rules {
			if verbs := strings.Join(rule.Verbs, " "); verbs != "list watch" && !(verbs == "list" && slices.Contains(asked, rule.Resources[0])) {
				t.Errorf("%s: verbs %v", r.Name, rule.Verbs)
			}
			names := rule.ResourceNames
			if names == nil {
				names = []string{""}
			}
			for _, res := range rule.Resources {
				for _, name := range names {
					allowed[rule.APIGroups[0]+" "+res+" "+r.Namespace+" "+name] = true
				}
			}
		}
	}
	used := map[string]bool{}
	for _, r := range append(resources(nil), related...) {
		group := strings.TrimPrefix(r.group, "/apis/")
		group = strings.TrimPrefix(group[:strings.LastIndexByte(group[:len(group)-1], '/')], "/api")
		name, _ := strings.CutPrefix(r.fields, "metadata.name=")
		if strings.Contains(name, "=") {
			name = ""
		}
		used[group+" "+r.plural+" "+r.namespace+" "+name] = true
	}
	if !maps.Equal(allowed, used) {
		t.Errorf("allowed %v\n   used %v", allowed, used)
	}
}
