// Package recording is Kardia's own file: an MCAP container (https://mcap.dev, profile "kardia") of Changes in recorded
// order, with their times.
//
// Heartbeats, which are nearly all of the Changes, are in typed blocks of columns; everything else is JSON that stock
// MCAP tools show. A file that was not closed opens up to its last whole chunk. A closed one has an index and
// keyframes, from which any time is reached fast. docs/recording.md explains the format, docs/recording-bytes.md every
// byte.
//
// A file may be hostile: every length in it is checked against the file and a limit before memory is allocated for it.
package recording
