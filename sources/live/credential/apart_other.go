//go:build !unix

package credential

import "os/exec"

// apart does nothing: without sessions only the plugin's own process is ended.
func apart(*exec.Cmd) {}
