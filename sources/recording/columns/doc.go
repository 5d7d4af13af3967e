// Package columns holds the heartbeats of a recording, which are nearly all of its Changes. It has whole numbers in
// columns, times as differences from expected ones, and blocks of renewals whose objects are in a dictionary. Example:
// renewals exactly ten seconds apart are a column of zeros.
package columns
