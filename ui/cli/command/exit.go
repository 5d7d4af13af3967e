package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kardia/internal/crash"
	"kardia/ui/paint"
)

// Code is an exit code of the program.
type Code int

// The exit codes are part of the contract with scripts.
const (
	OK          Code = 0
	Failed      Code = 1   // it could not be done
	Misused     Code = 2   // the command line makes no sense
	Found       Code = 3   // a check found something
	Partial     Code = 4   // a part of the request was done
	Unreadable  Code = 5   // nothing of the input could be read
	Interrupted Code = 130 // ctrl+c
)

// order ranks the codes: if several hold, the first of these is returned.
var order = []Code{Interrupted, Misused, Unreadable, Failed, Partial, Found}

func worst(codes []Code) Code {
	for _, code := range order {
		if slices.Contains(codes, code) {
			return code
		}
	}
	return OK
}

// Fault is an error for the person: what happened, its consequence, what to do next.
type Fault struct {
	Code  Code
	What  string
	Means string // "" if What is complete by itself
	Next  string // "" if there is nothing to do
	// Stack is the place of a fault of the program itself, line by line; "" for all others.
	Stack string
	Err   error
}

// Error implements error.
func (f *Fault) Error() string { return f.What }

// Unwrap returns Err.
func (f *Fault) Unwrap() error { return f.Err }

func misuse(format string, args ...any) *Fault {
	return &Fault{Code: Misused, What: fmt.Sprintf(format, args...)}
}

func required(what string) *Fault { return misuse("%s is required", what) }

// faultOf makes a Fault of any error. Others than Faults come from cobra, which only reports the command line.
func faultOf(err error) *Fault {
	var f *Fault
	var bug *crash.Error
	switch {
	case errors.As(err, &bug):
		return &Fault{Code: Failed, What: bug.Error(), Stack: bug.Stack, Err: err,
			Means: "This is a bug in Kardia. Nothing was changed, and bookmarks are saved.",
			Next:  "Report it with the command, the lines below, 'kardia version' and, if you can share it, the input:"}
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled):
		return &Fault{Code: Interrupted, What: "interrupted", Err: err}
	}
	// cobra's suggestions come on lines of their own
	what, _, _ := strings.Cut(err.Error(), "\n")
	return &Fault{Code: Misused, What: what, Err: err}
}

// print writes a Fault: one line for a misused command line and a hint, up to three for others, all cleaned.
func (f *Fault) print(w io.Writer, program, help string) {
	fmt.Fprintf(w, "%s: %s\n", program, paint.Clean(f.What))
	next := f.Next
	if next == "" && f.Code == Misused {
		next = fmt.Sprintf("See '%s --help'.", help)
	}
	for _, line := range []string{f.Means, next} {
		if line != "" {
			fmt.Fprintf(w, "  %s\n", paint.Clean(line))
		}
	}
	for line := range strings.Lines(f.Stack) {
		fmt.Fprintf(w, "  %s\n", paint.Clean(strings.TrimRight(line, "\n")))
	}
}
