// Package e2e tries package live against a real etcd and kube-apiserver, on loopback.
//
// It is a module of its own: run go test in this folder. The first run builds the
// programs from their modules into the user's cache, which takes some minutes (give it
// -timeout 60m on a slow machine); later ones take under a minute. -faults plays outages of the control
// plane besides, in some five minutes more. KARDIA_E2E_BIN names a folder that has the programs already.
package e2e

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/yaml"

	"kardia/model"
	"kardia/sources/capture/stream"
	"kardia/sources/live"
)

// kube is the control plane all tests share; they use nodes of their own.
var kube *cluster

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kardia-e2e-")
	if err == nil {
		kube, err = startCluster(dir)
	}
	code := 1
	if err == nil {
		code = m.Run()
	} else {
		fmt.Fprintln(os.Stderr, err)
	}
	if kube != nil {
		kube.stop()
	}
	if code == 0 {
		os.RemoveAll(dir)
	} else {
		fmt.Fprintln(os.Stderr, "logs and data are kept in", dir)
	}
	os.Exit(code)
}

// watching is a feed at work and the state it folds into.
type watching struct {
	*live.Source
	t *testing.T

	mu      sync.Mutex
	cluster *model.Cluster
	status  map[model.Kind]stream.Status
	gaps    []model.Change
	ops     map[string][]model.Op // by kind and key
}

// watch starts a feed as a user; it ends with the test.
func watch(t *testing.T, user string) *watching {
	t.Helper()
	source, err := live.New(live.Options{
		Config:  func() (*rest.Config, error) { return kube.config(user), nil },
		Version: "e2e",
		LogTo:   t.Output(),
	})
	if err != nil {
		t.Fatal(err)
	}
	w := &watching{Source: source, t: t, cluster: model.NewCluster(), status: map[model.Kind]stream.Status{}, ops: map[string][]model.Op{}}
	ctx, cancel := context.WithCancel(context.Background())
	finished := make(chan error, 1)
	go func() { finished <- source.Run(ctx, w.take) }()
	t.Cleanup(func() {
		cancel()
		if err := <-finished; err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *watching) take(b stream.Batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range b.Changes {
		ch := &b.Changes[i]
		w.cluster.Fold(ch)
		if ch.Op == model.OpGap {
			w.gaps = append(w.gaps, *ch)
		} else {
			key := ch.Kind.String() + " " + ch.Key.Name
			w.ops[key] = append(w.ops[key], ch.Op)
		}
	}
	for _, s := range b.Status {
		w.status[s.Kind] = s
	}
}

// until waits for something to hold, and fails the test when it does not within a minute.
func (w *watching) until(what string, holds func() bool) {
	w.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		w.mu.Lock()
		ok := holds()
		w.mu.Unlock()
		if ok {
			return
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.t.Fatalf("not within a minute: %s\nstatus %+v\ngaps %+v", what, w.status, w.gaps)
}

// are says whether all the kinds are in a state.
func (w *watching) are(state stream.State, kinds ...model.Kind) bool {
	for _, k := range kinds {
		if w.status[k].State != state {
			return false
		}
	}
	return true
}

func makeNode(t *testing.T, name string) {
	t.Helper()
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{corev1.LabelTopologyZone: "z1"}}}
	if _, err := kube.admin.CoreV1().Nodes().Create(t.Context(), n, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// renew writes a lease as its holder would, and makes it if it is not there.
func renew(t *testing.T, namespace, name string) {
	t.Helper()
	leases := kube.admin.CoordinationV1().Leases(namespace)
	now := metav1.NowMicro()
	l, err := leases.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		l = &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
		l.Spec.RenewTime = &now
		_, err = leases.Create(t.Context(), l, metav1.CreateOptions{})
	} else {
		l.Spec.RenewTime = &now
		_, err = leases.Update(t.Context(), l, metav1.UpdateOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func makePod(t *testing.T, name, node string) {
	t.Helper()
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: corev1.PodSpec{
		NodeName: node, Containers: []corev1.Container{{Name: "c", Image: "none"}}}}
	if _, err := kube.admin.CoreV1().Pods("default").Create(t.Context(), p, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func makeEvent(t *testing.T, name, kind, about string) {
	t.Helper()
	e := &corev1.Event{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}, Reason: "Tried", Type: "Normal",
		InvolvedObject: corev1.ObjectReference{Kind: kind, Name: about, Namespace: "default"}}
	if kind == "Node" {
		e.InvolvedObject.Namespace = ""
	}
	if _, err := kube.admin.CoreV1().Events("default").Create(t.Context(), e, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestEverythingAppears(t *testing.T) {
	makeNode(t, "appears-0")
	w := watch(t, admin)
	w.until("all kinds live", func() bool { return w.are(stream.Live, model.Kinds[:]...) })
	makeNode(t, "appears-1")
	makePod(t, "appears-pod", "appears-1")
	makeEvent(t, "appears-event", "Node", "appears-1")
	makeEvent(t, "appears-of-pod", "Pod", "appears-pod")
	makeEvent(t, "appears-foreign", "Job", "appears-job")
	renew(t, "kube-system", "kube-scheduler")
	w.until("the second node, its pod and its Event", func() bool {
		row := w.cluster.Node("appears-1")
		return row != nil && len(row.Pods()) == 1 && len(row.Events()) == 1
	})
	w.until("the leader and the pod's Event", func() bool {
		return len(w.cluster.Leaders()) == 1 && w.ops["Event appears-of-pod"] != nil
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	for key, want := range map[string]string{
		"Node appears-0": "[baseline]", "Node appears-1": "[add]", "Event appears-event": "[add]", "Event appears-foreign": "[]",
	} {
		if got := fmt.Sprint(w.ops[key]); got != want {
			t.Errorf("%s: %s, want %s", key, got, want)
		}
	}
	if zone := w.cluster.Node("appears-1").Zone(); zone != model.Some(model.ZoneKey{Zone: "z1"}) {
		t.Errorf("in %+v", zone)
	}
	if len(w.gaps) != 0 {
		t.Errorf("gaps %+v", w.gaps)
	}
	if !strings.HasPrefix(w.ServerVersion(), "v1.") {
		t.Errorf("server version %q", w.ServerVersion())
	}
}

func TestARenewalMovesHeard(t *testing.T) {
	makeNode(t, "beats")
	renew(t, "kube-node-lease", "beats")
	w := watch(t, admin)
	w.until("the lease", func() bool { n := w.cluster.Node("beats"); return n != nil && n.Lease.Seen })
	w.mu.Lock()
	if heard := w.cluster.Node("beats").Lease.Heard; heard.Known() {
		t.Errorf("heard at %v, before any renewal", heard)
	}
	w.mu.Unlock()
	var last model.Instant
	for range 2 {
		before := model.At(time.Now())
		renew(t, "kube-node-lease", "beats")
		w.until("the renewal heard", func() bool { return w.cluster.Node("beats").Lease.Heard > before })
		w.mu.Lock()
		heard := w.cluster.Node("beats").Lease.Heard
		ages := w.cluster.Node("beats").Ages(heard)
		w.mu.Unlock()
		if heard <= last || ages.Skew.Value.Abs() > 5*time.Second {
			t.Errorf("heard at %v after %v, skew %v", heard, last, ages.Skew)
		}
		last = heard
	}
}

func TestARestartOfTheAPIServerIsSurvivedWithAGap(t *testing.T) {
	makeNode(t, "restart-0")
	w := watch(t, admin)
	w.until("all kinds live", func() bool { return w.are(stream.Live, model.Kinds[:]...) })
	killed := model.At(time.Now())
	kube.killAPI()
	w.until("disconnected, and a retry announced", func() bool {
		return w.are(stream.Disconnected, model.Kinds[:]...) && w.status[model.KindNode].Retry.Known()
	})
	w.mu.Lock()
	if w.cluster.Node("restart-0") == nil || w.status[model.KindNode].Why == "" {
		t.Errorf("the last good state is gone, or nobody says why: %+v", w.status)
	}
	w.mu.Unlock()
	time.Sleep(3 * time.Second) // longer than dialling again normally takes
	if err := kube.startAPI(); err != nil {
		t.Fatal(err)
	}
	ready := model.At(time.Now())
	w.until("all kinds live again", func() bool { return w.are(stream.Live, model.Kinds[:]...) })
	makeNode(t, "restart-1")
	w.until("a node made after the restart", func() bool { return w.cluster.Node("restart-1") != nil })
	w.mu.Lock()
	defer w.mu.Unlock()
	if got := fmt.Sprint(w.ops["Node restart-0"]); got != "[baseline]" {
		t.Errorf("the node that did not change was told of again: %s", got)
	}
	blind := map[model.Kind]bool{}
	for _, g := range w.gaps {
		blind[g.Kind] = true
		if g.Time.Earliest < killed || g.Time.Latest < ready.Add(-30*time.Second) || g.Note == "" {
			t.Errorf("killed at %v, ready at %v, gap %v %q", killed, ready, g.Time, g.Note)
		}
	}
	if len(blind) != len(model.Kinds) {
		t.Errorf("gaps of %v", blind)
	}
}

func TestAViewerOfNodesOnlyGetsNodes(t *testing.T) {
	makeNode(t, "permitted")
	grant(t, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: nodesOnly},
		Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"nodes"}, Verbs: []string{"list", "watch"}}}}, nodesOnly)
	w := watch(t, nodesOnly)
	w.until("nodes live, the rest forbidden", func() bool {
		return w.are(stream.Live, model.KindNode) &&
			w.are(stream.Forbidden, model.KindNodeLease, model.KindPod, model.KindEvent, model.KindLeaderLease)
	})
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.cluster.Node("permitted") == nil {
		t.Error("no node")
	}
	if why := w.status[model.KindPod].Why; !strings.Contains(why, "pods is forbidden") {
		t.Errorf("pods: %q", why)
	}
}

// The role that kardia rbac prints is enough, unchanged.
func TestThePrintedRoleIsEnough(t *testing.T) {
	for doc := range strings.SplitSeq(live.ClusterRole, "---\n") {
		var r rbacv1.Role
		if err := yaml.Unmarshal([]byte(doc), &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind == "ClusterRole" {
			grant(t, &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: r.Name}, Rules: r.Rules}, viewer)
			continue
		}
		rbac := kube.admin.RbacV1()
		if _, err := rbac.Roles(r.Namespace).Create(t.Context(), &r, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		binding := &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: r.Name}, Subjects: []rbacv1.Subject{{Kind: "User", Name: viewer}},
			RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: r.Name}}
		if _, err := rbac.RoleBindings(r.Namespace).Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	w := watch(t, viewer)
	w.until("all kinds live", func() bool {
		for _, k := range model.Kinds {
			if w.status[k].State == stream.Forbidden {
				w.RetryNow() // the API server takes a moment to learn of new roles
			}
		}
		return w.are(stream.Live, model.Kinds[:]...)
	})
}

func grant(t *testing.T, role *rbacv1.ClusterRole, user string) {
	t.Helper()
	rbac := kube.admin.RbacV1()
	if _, err := rbac.ClusterRoles().Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	binding := &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: role.Name}, Subjects: []rbacv1.Subject{{Kind: "User", Name: user}},
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}}
	if _, err := rbac.ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// What the API server itself has written down of the requests that came from Kardia, in
// this test and all before it.
func TestOnlyReadsReachTheServer(t *testing.T) {
	w := watch(t, admin)
	w.until("all kinds live", func() bool { return w.are(stream.Live, model.Kinds[:]...) })
	if _, err := live.Reachable(t.Context(), kube.config(admin), io.Discard); err != nil {
		t.Error(err)
	}
	verbs := map[string]int{}
	w.until("the audit log tells of watches", func() bool {
		verbs = auditedVerbs(t, "kardia/e2e")
		return verbs["watch"] >= 7
	})
	for verb := range verbs {
		if verb != "get" && verb != "list" && verb != "watch" {
			t.Errorf("%d requests to %s", verbs[verb], verb)
		}
	}
}

// auditedVerbs counts the requests of a user agent by verb.
func auditedVerbs(t *testing.T, agent string) map[string]int {
	t.Helper()
	f, err := os.Open(kube.path("audit.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	verbs := map[string]int{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e struct{ Verb, UserAgent string }
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			continue // the last line, half written
		}
		if strings.HasPrefix(e.UserAgent, agent) {
			verbs[e.Verb]++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return verbs
}
