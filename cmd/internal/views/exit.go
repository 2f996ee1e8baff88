package views

import (
	"errors"
	"fmt"
	"io"

	"github.com/nervure/nervure/cmd/internal/arguments"
	"github.com/nervure/nervure/input"
	"github.com/nervure/nervure/internal/guard"
	"github.com/nervure/nervure/internal/words"
)

// The exit codes.
const (
	ExitDone        = 0
	ExitFailed      = 1   // the run failed
	ExitMisuse      = 2   // bad usage or bad input
	ExitFault       = 70  // the program has a fault, as sysexits.h counts
	ExitInterrupted = 130 // as a shell counts a process that SIGINT ended
)

// ExitMeanings say the same to users, in the manual.
var ExitMeanings = []struct {
	Code    int
	Meaning string
}{
	{ExitDone, "Done."},
	{ExitFailed, "The run failed, for example because the disk is full, a file cannot be written, no method found a graph or, for batch, a file has none. If only a report, figure or summary could not be made, the graph has been written all the same."},
	{ExitMisuse, "Bad usage or bad input. The message names the flag, or the file with line and column."},
	{ExitFault, "A fault of the program. The message names a report to send to us, nervure-fault-….txt, which has no values of signals. What was learned before has been written, with a warning; for batch, all other files."},
	{ExitInterrupted, "Interrupted, for example by Ctrl-C. The best graph so far has been pruned quickly and written if there was one; the message says so."},
}

// An interruption ended the run early; it says what there is to show for it.
type interruption struct{ outcome string }

func (e *interruption) Error() string { return "interrupted: " + e.outcome }

// Interrupted is the error of a run that ended early; outcome says what there is to show for it.
func Interrupted(outcome string) error { return &interruption{outcome} }

// ExitCode tells which code an error ends the process with.
func ExitCode(err error) int {
	switch {
	case err == nil:
		return ExitDone
	case isA[*guard.Fault](err):
		return ExitFault
	case isA[*interruption](err):
		return ExitInterrupted
	case isA[*arguments.UsageError](err), isA[*input.Error](err):
		return ExitMisuse
	}
	return ExitFailed
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

// Complain prints an error as one line, with a hint if the command line was at fault.
func Complain(w io.Writer, err error) {
	if err == nil {
		return
	}
	line := "nervure: " + words.OneLine(err)
	if Watched(w) { // a log has an error on one line
		line = Wrapped(line)
	}
	printHead(w, red, "nervure:", line)
	if e, ok := errors.AsType[*arguments.UsageError](err); ok && e.Command != "" {
		fmt.Fprintf(w, "run '%s --help' for usage\n", e.Command)
	}
}
