package e2e

import "syscall"

// bound makes a process end with the test, even when that is killed.
func bound() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
