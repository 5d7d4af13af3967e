// Package columns holds the heartbeats of a recording, which are nearly all there is: whole numbers in
// columns, instants against those that are expected, and blocks of renewals whose objects stand in a
// dictionary.
package columns
