// Package model answers which state a cluster's nodes had at a time: it holds the observed facts, and folds them into
// that state. For example: a Change with a lease's renewTime 10:00:00 gives, at 10:00:12, an Age of 12 s.
//
// A source yields Changes. A Change is one observed fact: an object version, a heartbeat, or a refused attempt. It has
// its place in the order, the interval in which it was written, and its origin. Changes fold into a Cluster, the state
// at one time, from which all screens and JSON answers are made.
//
// The package is pure: standard library only, no I/O, no goroutines, no wall clock, no logging, and the same input
// gives the same bytes. Time comes in with the data.
package model
