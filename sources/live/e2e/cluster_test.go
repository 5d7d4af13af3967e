package e2e

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// cluster is a control plane of etcd and kube-apiserver on loopback, and of kube-controller-manager
// where a test starts one.
type cluster struct {
	dir             string
	port, etcd      int
	apiserver, data *exec.Cmd
	controller      *exec.Cmd
	// admin may do anything: it plays kubelets, controllers and people.
	admin *kubernetes.Clientset
}

// Users of the cluster, by token. Only admin has rights until they are granted.
const (
	admin     = "admin"
	viewer    = "viewer"     // is given the role that Kardia prints
	nodesOnly = "nodes-only" // may see nodes and nothing else
	nobody    = "nobody"     // may see nothing, until later
)

const policy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`

func startCluster(dir string) (*cluster, error) {
	c := &cluster{dir: dir}
	err := c.prepare()
	if err != nil {
		return nil, err
	}
	url := fmt.Sprintf("http://127.0.0.1:%d", c.etcd)
	peer := fmt.Sprintf("http://127.0.0.1:%d", c.etcd+1)
	if c.data, err = c.start("etcd", "--data-dir="+c.path("etcd"), "--unsafe-no-fsync",
		"--listen-client-urls="+url, "--advertise-client-urls="+url,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=default="+peer); err != nil {
		return nil, err
	}
	if c.admin, err = kubernetes.NewForConfig(c.config(admin)); err != nil {
		return nil, err
	}
	return c, c.startAPI()
}

// prepare writes the files the API server wants and chooses ports.
func (c *cluster) prepare() error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	tokens := "admin,admin,admin,system:masters\nviewer,viewer,viewer,viewers\nnodes-only,nodes-only,nodes-only,\nnobody,nobody,nobody,\n"
	block := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	for name, text := range map[string]string{"tokens.csv": tokens, "policy.yaml": policy, "sa.key": string(block)} {
		if err := os.WriteFile(c.path(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	if c.port, err = freePort(); err != nil {
		return err
	}
	c.etcd, err = freePort()
	return err
}

// freePort finds two neighbouring unused ports, and returns the first.
func freePort() (int, error) {
	for range 100 {
		first, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return 0, err
		}
		port := first.Addr().(*net.TCPAddr).Port
		second, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		first.Close()
		if err == nil {
			second.Close()
			return port, nil
		}
	}
	return 0, errors.New("no two neighbouring ports are free")
}

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

// start runs a program in the background; its output goes to a file beside its data.
func (c *cluster) start(name string, args ...string) (*exec.Cmd, error) {
	path, err := binary(name)
	if err != nil {
		return nil, err
	}
	log, err := os.OpenFile(c.path(name+".log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, bound()
	return cmd, cmd.Start()
}

// startAPI runs the API server and waits until it is ready.
func (c *cluster) startAPI() (err error) {
	c.apiserver, err = c.start("kube-apiserver",
		fmt.Sprintf("--etcd-servers=http://127.0.0.1:%d", c.etcd), "--cert-dir="+c.path("certs"),
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", c.port), "--service-cluster-ip-range=10.96.0.0/16",
		"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file="+c.path("sa.key"),
		"--service-account-signing-key-file="+c.path("sa.key"), "--token-auth-file="+c.path("tokens.csv"),
		"--authorization-mode=RBAC", "--disable-admission-plugins=ServiceAccount",
		"--audit-policy-file="+c.path("policy.yaml"), "--audit-log-path="+c.path("audit.log"))
	if err != nil {
		return err
	}
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		body, err := c.admin.RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		cancel()
		if err == nil && string(body) == "ok" {
			return nil
		}
	}
	return fmt.Errorf("kube-apiserver is not ready after two minutes; see %s", c.path("kube-apiserver.log"))
}

// startController runs the controllers that judge nodes, as quick as they are asked to be.
func (c *cluster) startController(flags ...string) (err error) {
	config := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "admin",
"clusters": [{"name": "e2e", "cluster": {"server": "https://127.0.0.1:%d", "insecure-skip-tls-verify": true}}],
"users": [{"name": "admin", "user": {"token": "admin"}}], "contexts": [{"name": "admin", "context": {"cluster": "e2e", "user": "admin"}}]}`, c.port)
	if err := os.WriteFile(c.path("kubeconfig"), []byte(config), 0o600); err != nil {
		return err
	}
	port, err := freePort()
	if err != nil {
		return err
	}
	c.controller, err = c.start("kube-controller-manager", append([]string{"--kubeconfig=" + c.path("kubeconfig"), "--leader-elect=false",
		"--controllers=node-lifecycle-controller,taint-eviction-controller,pod-garbage-collector-controller",
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port), "--cert-dir=" + c.path("certs"), "-v=2"}, flags...)...)
	return err
}

// killAPI ends the API server as a crash would: at once, with all its connections.
func (c *cluster) killAPI() { kill(c.apiserver) }

func (c *cluster) stop() {
	kill(c.controller)
	kill(c.apiserver)
	kill(c.data)
}

func kill(cmd *exec.Cmd) {
	if cmd != nil && cmd.Process != nil {
		cmd.Process.Kill()
		cmd.Wait()
	}
}

// config is how a user reaches the API server.
func (c *cluster) config(user string) *rest.Config {
	return &rest.Config{
		Host: fmt.Sprintf("https://127.0.0.1:%d", c.port), BearerToken: user, UserAgent: "e2e", QPS: -1, // kubelets do not wait for each other
		TLSClientConfig: rest.TLSClientConfig{Insecure: true},
	}
}
