// Package wire is the parts of a recording's typed messages: numbers, strings and the model's objects as bytes, one
// after another, and the limits for everything in a file. Its input may come from anywhere: every length is checked
// before memory is taken for it.
package wire
