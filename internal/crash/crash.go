// Package crash turns a panic on any goroutine into an error: the program restores the terminal, and prints the stack.
package crash

import (
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
)

// Error is a panic: the value, and the stack of the goroutine.
type Error struct {
	Value any
	Stack string
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Of makes an Error of recover's value, nil for nil. Call it in the deferred function, for the stack of the panic.
func Of(value any) *Error {
	if value == nil {
		return nil
	}
	stack := string(debug.Stack())
	if _, below, ok := strings.Cut(stack, "\npanic("); ok { // this package's own frames are above it
		_, stack, _ = strings.Cut(below, "\n\t")
		_, stack, _ = strings.Cut(stack, "\n")
	}
	return &Error{Value: value, Stack: strings.ReplaceAll(stack, "\t", "  ")}
}

// Into, deferred, turns a panic into the error that the function returns.
func Into(err *error) {
	if e := Of(recover()); e != nil {
		*err = e
	}
}

// watchers end the program after a panic in the background, the innermost last.
var (
	mu       sync.Mutex
	watchers []*func(*Error)
)

// Watch calls end with each panic of a Guarded function, until stop is called.
func Watch(end func(*Error)) (stop func()) {
	mu.Lock()
	defer mu.Unlock()
	watcher := &end
	watchers = append(watchers, watcher)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		watchers = slices.DeleteFunc(watchers, func(w *func(*Error)) bool { return w == watcher })
	}
}

// Guarded is f for a goroutine. Its panics go to the watchers; without one they end the process.
func Guarded(f func()) func() {
	return func() {
		defer func() {
			e := Of(recover())
			if e == nil {
				return
			}
			mu.Lock()
			told := slices.Clone(watchers)
			mu.Unlock()
			if len(told) == 0 {
				panic(e)
			}
			for _, end := range told {
				(*end)(e)
			}
		}()
		f()
	}
}
