// Package model holds what is true: the facts observed of a cluster's node
// heartbeats, and the state they fold into.
//
// A source yields Changes. A Change is one observed fact: an object version, a
// heartbeat, or a refused attempt, with its place in the order, the interval
// in which it must have been written, and where it came from. Changes fold
// into a Cluster, the state at one instant. Everything a screen or a JSON
// answer says is read from there.
//
// The package is pure: standard library only, no I/O, no goroutines, no wall
// clock, no logging, and the same input gives the same bytes. Time comes in
// with the data.
package model
