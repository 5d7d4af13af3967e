package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// programs are what the cluster is made of, by the package each is built from.
var programs = map[string]string{
	"etcd":                    "go.etcd.io/etcd/server/v3",
	"kube-apiserver":          "k8s.io/kubernetes/cmd/kube-apiserver",
	"kube-controller-manager": "k8s.io/kubernetes/cmd/kube-controller-manager",
}

// binary is where a program is: in $KARDIA_E2E_BIN, or in the user's cache, where it is built first if it is missing. That
// takes some minutes, once.
func binary(name string) (path string, err error) {
	if dir := os.Getenv("KARDIA_E2E_BIN"); dir != "" {
		path = filepath.Join(dir, name)
		if _, err := os.Stat(path); err != nil {
			return "", fmt.Errorf("KARDIA_E2E_BIN: %w", err)
		}
		return path, nil
	}
	version, err := run("go", "list", "-m", "-f", "{{.Version}}", "k8s.io/kubernetes")
	if err != nil {
		return "", err
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	path = filepath.Join(cache, "kardia", "e2e", version, name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	fmt.Fprintf(os.Stderr, "building %s, once\n", path)
	// Built aside and renamed: an interrupted build leaves nothing that looks finished.
	if _, err := run("go", "build", "-ldflags", stamp(version), "-o", path+".part", programs[name]); err != nil {
		return "", err
	}
	return path, os.Rename(path+".part", path)
}

// stamp gives the API server its version, without which it takes itself for an unknown one.
func stamp(version string) string {
	const pkg = "k8s.io/component-base/version."
	parts := strings.Split(strings.TrimPrefix(version, "v"), ".")
	return fmt.Sprintf("-s -w -X %sgitVersion=%s -X %sgitMajor=%s -X %sgitMinor=%s", pkg, version, pkg, parts[0], pkg, parts[1])
}

// run runs a command in the module that pins the programs, and returns what it prints.
func run(name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = "../../../model/conformance"
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
