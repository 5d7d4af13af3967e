// Package rows writes and reads Changes as JSON that stock MCAP tools show. Example: a version of a pod is its
// differences from the one before.
package rows
