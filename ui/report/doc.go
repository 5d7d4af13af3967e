// Package report describes the state at an instant, as data and as plain tables. Its functions are pure: a Cluster and
// an instant in, structs for JSON out. A table is made from such a struct and from nothing else, so that both always
// agree.
//
// docs/json.md is the contract of the JSON, with units and the meaning of every null.
package report
