// Package rows writes and reads Changes as JSON that stock MCAP tools show: every version of an object by its
// differences from the one before.
package rows
