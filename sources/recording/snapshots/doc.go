// Package snapshots holds keyframes, from which any time of a recording is reached fast, and their layers of rarely
// changing objects. Example: a keyframe has the leases of 5000 nodes; its layer has the Nodes.
package snapshots
