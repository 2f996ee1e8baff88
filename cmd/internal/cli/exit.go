package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/nervure/nervure/input"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1   // the run failed
	exitMisuse      = 2   // bad usage or bad input
	exitInterrupted = 130 // as a shell counts a process that SIGINT ended
)

// exitMeanings say the same to users, in the manual.
var exitMeanings = []struct {
	code    int
	meaning string
}{
	{exitDone, "Done."},
	{exitFailed, "The run failed, for example because the disk is full, a file cannot be written or no method found a graph. If only a report, figure or summary could not be made, the graph has been written all the same."},
	{exitMisuse, "Bad usage or bad input. The message names the flag, or the file with line and column."},
	{exitInterrupted, "Interrupted, for example by Ctrl-C. The best graph so far has been pruned quickly and written if there was one; the message says so."},
}

// An interruption ended the run early; it says what there is to show for it.
type interruption struct{ outcome string }

func (e *interruption) Error() string { return "interrupted: " + e.outcome }

// exitCode tells which code an error ends the process with.
func exitCode(err error) int {
	switch {
	case err == nil:
		return exitDone
	case isA[*interruption](err):
		return exitInterrupted
	case isA[*usageError](err), isA[*input.Error](err):
		return exitMisuse
	}
	return exitFailed
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// complain prints an error as one line, with a hint if the command line was at fault.
func complain(w io.Writer, err error) {
	if err == nil {
		return
	}
	fmt.Fprintf(w, "nervure: %s\n", oneLine(err))
	if e, ok := errors.AsType[*usageError](err); ok && e.command != "" {
		fmt.Fprintf(w, "run '%s --help' for usage\n", e.command)
	}
}

// oneLine returns the text of an error, joined errors after one another.
func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}

// await runs work, which knows nothing of contexts, and leaves it behind when ctx
// ends: reading a pipe that stays silent, or drawing a huge graph.
func await[T any](ctx context.Context, work func() (T, error)) (T, error) {
	type outcome struct {
		value T
		err   error
		panic any
	}
	done := make(chan outcome, 1)
	go func() {
		var o outcome
		defer func() {
			o.panic = recover()
			done <- o
		}()
		o.value, o.err = work()
	}()
	select {
	case o := <-done:
		if o.panic != nil {
			panic(o.panic) // where Run can catch it
		}
		return o.value, o.err
	case <-ctx.Done():
		var zero T
		return zero, &interruption{"nothing was written"}
	}
}
