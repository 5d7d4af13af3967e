package crash

import (
	"errors"
	"strings"
	"testing"
)

// beyond reads behind the end of a list.
func beyond(list []int) int { return list[len(list)] }

func TestAPanicIsAnError(t *testing.T) {
	err := func() (err error) {
		defer Into(&err)
		beyond(nil)
		return nil
	}()
	var e *Error
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "index out of range") || !strings.Contains(e.Stack, "crash.beyond") {
		t.Errorf("%v", err)
	}
}

func TestAPanicInTheBackgroundIsTold(t *testing.T) {
	told := make(chan *Error, 1)
	stop := Watch(func(e *Error) { told <- e })
	go Guarded(func() { beyond(nil) })()
	if e := <-told; !strings.Contains(e.Stack, "crash.beyond") {
		t.Error(e.Stack)
	}
	stop()
	defer func() {
		if recover() == nil {
			t.Error("without a watcher the panic is lost")
		}
	}()
	Guarded(func() { beyond(nil) })()
}
