//go:build !linux

package e2e

import "syscall"

// bound could make a process end with the test; only Linux can.
func bound() *syscall.SysProcAttr { return nil }
