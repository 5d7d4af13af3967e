package credential

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/pkg/apis/clientauthentication"
	"k8s.io/client-go/pkg/apis/clientauthentication/install"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

const (
	// infoVariable describes the request to a plugin.
	infoVariable = "KUBERNETES_EXEC_INFO"
	// maxAnswer limits a plugin's answer; maxWrote is how much of the end of its messages is kept.
	maxAnswer = 1 << 20
	maxWrote  = 1 << 10
	// closing is how long a plugin's processes may keep its output open after its end.
	closing = time.Second
)

var (
	scheme = newScheme()
	codecs = serializer.NewCodecFactory(scheme)
)

func newScheme() *runtime.Scheme {
	s := runtime.NewScheme()
	install.Install(s)
	return s
}

var (
	// errEnded: the answer is no longer wanted.
	errEnded    = errors.New("the credential plugin was ended")
	errPatience = errors.New("the credential plugin took too long")
	errTooLong  = errors.New("the answer is too long")
)

type run struct {
	plugin *Plugin
	began  time.Time
	cancel context.CancelCauseFunc
	// done is closed at the end; then the rest is set.
	done        chan struct{}
	credentials *credentials
	err         error
}

func (r *run) start() {
	ctx, cancel := context.WithCancelCause(context.Background())
	r.cancel = cancel
	go func() {
		defer cancel(nil)
		r.credentials, r.err = r.plugin.execute(ctx)
		r.plugin.ended(r)
		close(r.done)
	}()
}

// end ends the plugin's processes, and returns when they have ended.
func (r *run) end() {
	r.cancel(errEnded)
	<-r.done
}

func (p *Plugin) fails(why string, args ...any) *Failure {
	return &Failure{Name: filepath.Base(p.config.Command), Why: fmt.Sprintf(why, args...)}
}

func (p *Plugin) execute(ctx context.Context) (*credentials, error) {
	version, err := schema.ParseGroupVersion(p.config.APIVersion)
	if err != nil || version.Group != clientauthentication.GroupName || !scheme.IsVersionRegistered(version) {
		return nil, p.fails("is configured with the apiVersion %q, which is not known", p.config.APIVersion)
	}
	if p.config.InteractiveMode == clientcmdapi.AlwaysExecInteractiveMode {
		return nil, p.fails("asks for input on the terminal, which kardia does not hand on: log in with kubectl first")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, p.patience, errPatience)
	defer cancel()
	var out answer
	var wrote tail
	cmd := exec.CommandContext(ctx, p.config.Command, p.config.Args...)
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &wrote, closing
	if cmd.Env, err = p.environment(version); err != nil {
		return nil, err
	}
	apart(cmd)
	err = cmd.Run()
	var is *credentials
	f := p.failed(context.Cause(ctx), err, &out)
	switch {
	case errors.Is(context.Cause(ctx), errEnded):
		return nil, errEnded
	case f == nil:
		is, f = p.read(out.text, version)
	}
	if f != nil {
		f.Wrote = wrote.line()
		return nil, f
	}
	is.wrote = wrote.line()
	return is, nil
}

func (p *Plugin) environment(version schema.GroupVersion) ([]string, error) {
	asked, err := runtime.Encode(codecs.LegacyCodec(version), &clientauthentication.ExecCredential{
		Spec: clientauthentication.ExecCredentialSpec{Cluster: p.cluster}})
	if err != nil {
		return nil, p.fails("cannot be asked: %v", err)
	}
	env := os.Environ()
	for _, v := range p.config.Env {
		env = append(env, v.Name+"="+v.Value)
	}
	return append(env, infoVariable+"="+string(asked)), nil
}

func (p *Plugin) failed(ended, err error, out *answer) *Failure {
	var exit *exec.ExitError
	switch {
	case errors.Is(ended, errPatience):
		return p.fails("has not answered for %v", p.patience)
	case out.over:
		return p.fails("answers more than %d bytes", maxAnswer)
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // a process that it left behind keeps its output open
		return nil
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, os.ErrNotExist):
		f := p.fails("is not installed")
		if hint := strings.Join(strings.Fields(p.config.InstallHint), " "); hint != "" {
			f.Why += " (" + hint[:min(len(hint), maxWrote)] + ")"
		}
		return f
	case errors.As(err, &exit) && exit.Exited():
		return p.fails("failed with exit code %d", exit.ExitCode())
	case errors.As(err, &exit):
		return p.fails("was ended (%v)", exit.ProcessState)
	}
	return p.fails("cannot be run: %v", err)
}

// read reads credentials. No text of an answer gets into an error: it may be the secret.
func (p *Plugin) read(out []byte, version schema.GroupVersion) (*credentials, *Failure) {
	var cred clientauthentication.ExecCredential
	_, kind, err := codecs.UniversalDecoder(version).Decode(out, nil, &cred)
	switch {
	case err != nil || kind.GroupVersion() != version:
		return nil, p.fails("does not answer with an ExecCredential of %s", version)
	case cred.Status == nil || cred.Status.Token == "" && cred.Status.ClientCertificateData == "" && cred.Status.ClientKeyData == "":
		return nil, p.fails("answers without a token or a certificate")
	}
	is := &credentials{token: cred.Status.Token, since: p.now()}
	if cred.Status.ExpirationTimestamp != nil {
		is.expires = cred.Status.ExpirationTimestamp.Time
	}
	if cred.Status.ClientCertificateData == "" && cred.Status.ClientKeyData == "" {
		return is, nil
	}
	certificate, err := tls.X509KeyPair([]byte(cred.Status.ClientCertificateData), []byte(cred.Status.ClientKeyData))
	if err != nil {
		return nil, p.fails("answers with a certificate and a key that do not belong together")
	}
	is.certificate = &certificate
	return is, nil
}

// answer is a plugin's output. One that is too long is not read on, which ends the plugin.
type answer struct {
	text []byte
	over bool
}

// Write implements io.Writer.
func (a *answer) Write(p []byte) (int, error) {
	if len(a.text)+len(p) > maxAnswer {
		a.over = true
		return 0, errTooLong
	}
	a.text = append(a.text, p...)
	return len(p), nil
}

type tail struct{ text []byte }

// Write implements io.Writer.
func (t *tail) Write(p []byte) (int, error) {
	t.text = append(t.text, p[max(0, len(p)-maxWrote):]...)
	t.text = bytes.Clone(t.text[max(0, len(t.text)-maxWrote):])
	return len(p), nil
}

func (t *tail) line() string { return strings.Join(strings.Fields(string(t.text)), " ") }
