// Package recording is Kardia's own file: an MCAP container (https://mcap.dev, profile "kardia") of Changes, in the
// order and with the times in which they were recorded.
//
// Heartbeats, which are nearly all of the Changes, are in typed blocks of columns; everything else is JSON that stock
// MCAP tools show. A file that was not closed opens up to its last whole chunk. One that was closed has an index, and
// keyframes make any instant near. docs/recording.md explains the format, docs/recording-bytes.md every byte.
//
// A file may come from anywhere: every length in it is checked against the file and against a limit before memory is
// taken for it.
package recording
