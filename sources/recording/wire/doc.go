// Package wire is the parts of a recording's typed messages: numbers, strings and the model's objects as bytes. It also
// has the limits for everything in a file. Its input may be hostile: every length is checked before memory is allocated
// for it. Example: a string is its length and its bytes.
package wire
