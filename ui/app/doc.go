// Package app is the terminal program: it routes keys, and lays out the screen around the views. Every screen shows
// the source of its time.
//
// There is one Bubble Tea model, App. Views are plain structs that it calls; they send no messages. One table (see
// bindings) holds the effects of all keys; the help, the palette and the key line are made from it. A frame is kept
// until something on it has changed.
package app
