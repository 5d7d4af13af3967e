// Package wire is what a recording's typed messages are made of: numbers, strings and the model's
// objects as bytes, one after another, and the limits that hold for everything in a file. What it
// reads may come from anywhere: every length is checked before memory is taken for it.
package wire
