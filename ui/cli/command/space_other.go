//go:build !linux && !darwin && !freebsd

package command

import "errors"

// freeSpace is not known: a full disk shows when a write fails.
func freeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }
