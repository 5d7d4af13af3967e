//go:build linux || darwin || freebsd

package command

import "syscall"

// freeSpace is how many bytes an ordinary user may still write to a directory's disk.
func freeSpace(dir string) (int64, error) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil //nolint:unconvert // the type differs by system
}
