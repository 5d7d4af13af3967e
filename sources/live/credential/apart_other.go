//go:build !unix

package credential

import "os/exec"

// apart is for systems with sessions; elsewhere the plugin's own process is ended.
func apart(*exec.Cmd) {}
