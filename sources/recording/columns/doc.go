// Package columns holds the heartbeats of a recording, which are nearly all of its Changes. It has whole numbers in
// columns, instants against those that are expected, and blocks of renewals whose objects are in a dictionary.
package columns
