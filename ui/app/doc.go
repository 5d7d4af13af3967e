// Package app is the terminal program: it routes keys, lays out the screen around the views, and shows on every screen
// where the instant shown comes from.
//
// There is one Bubble Tea model, App. Views are plain structs that it calls; they send no messages. The effects of all
// keys are in one table (see bindings), from which the help, the palette and the key line are made. The frame is kept
// until something that it shows has changed.
package app
