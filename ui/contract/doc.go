// Package contract describes the state at a time, as data and as plain tables. Its functions are pure: they take a
// Cluster and a time, and return structs for JSON. Tables are made from these structs alone, so that both always agree.
//
// docs/json.md is the contract of the JSON, with units and the meaning of every null, which a nil pointer is.
package contract
