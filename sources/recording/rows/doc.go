// Package rows writes and reads Changes as JSON that stock MCAP tools show: every version of an object
// by what is different from the one before.
package rows
