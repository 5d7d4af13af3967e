//go:build !linux && !darwin && !freebsd

package command

import "errors"

// freeSpace is not asked for here: a full disk shows when it is full.
func freeSpace(string) (int64, error) { return 0, errors.ErrUnsupported }
