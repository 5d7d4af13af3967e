//go:build unix

package credential

import (
	"os/exec"
	"syscall"
)

// apart runs a plugin in a session of its own. It has no terminal to write over or to wait for, and ends together with
// the processes that it started.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
