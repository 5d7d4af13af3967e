// Package model answers which state a cluster's nodes had at a time: it holds the observed facts, and folds them into
// that state. For example: a Change with a lease's renewTime 10:00:00 gives, at 10:00:12, an Age of 12 s.
//
// A source yields Changes: object versions, heartbeats and refused attempts, each with its order, the interval in which
// it was written, and its origin. They fold into a Cluster, from which all screens and JSON answers are made.
//
// The package is pure: standard library only, no I/O, goroutines, wall clock or logging, and the same input gives the
// same bytes. Time comes in with the data.
package model
