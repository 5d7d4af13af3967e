// Package snapshots holds the states by which any instant of a recording is near: keyframes, and the
// layers of what changes seldom that they rest on.
package snapshots
