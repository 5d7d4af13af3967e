//go:build unix

package credential

import (
	"os/exec"
	"syscall"
)

// apart runs a plugin in its own session: without a terminal, and ended with the processes that it started.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
