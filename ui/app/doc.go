// Package app is the terminal program: it routes keys, and lays out the screen around the views. For example: "w" opens
// the page with the reasons of the item under the cursor.
//
// There is one Bubble Tea model, App. Views are plain structs that it calls. One table (bindings) has all keys; the
// help, the palette and the key line are made from it. A frame is kept until something on it has changed. Every screen
// shows the source of its time.
package app
