// Package guard keeps a fault of the program, a panic, from costing more than the part of the work that
// it is in, and brings it from whichever goroutine it is in to the one that waits for the work. Nobody else
// starts goroutines.
package guard

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Fault is a panic as an error. It is text alone, so that it can be sent to another machine.
type Fault struct { //nolint:errname // the word for panics that users see
	Part  string `json:"part,omitempty"` // what was being done; "" if nothing but the run
	Value string `json:"value"`          // of the panic
	Stack string `json:"stack"`          // functions and places of them, without arguments, which may be values of signals
}

// Error is the sentence about the fault, which has neither value nor stack: those are for the report.
func (f *Fault) Error() string { return Sentence([]*Fault{f}) }

// Sentence says what some faults ended.
func Sentence(faults []*Fault) string {
	var parts []string
	for _, f := range faults {
		part := f.Part
		if part == "" {
			part = "the run"
		}
		if !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	return "a fault of the program, not of your data, ended " + strings.Join(parts, " and ")
}

// Run does a part and returns its error. A panic is one, too: a [*Fault] with what the part is called.
func Run(part string, do func() error) (err error) {
	defer func() {
		if f := caught(recover()); f != nil {
			now := *f
			if now.Part == "" {
				now.Part = part
			}
			err = &now
		}
	}()
	return do()
}

// Split returns the faults in an error, and what else is in it.
func Split(err error) (faults []*Fault, rest error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var others []error
		for _, e := range joined.Unwrap() {
			more, other := Split(e)
			faults, others = append(faults, more...), append(others, other)
		}
		if len(faults) > 0 {
			return faults, errors.Join(others...)
		}
		return nil, err
	}
	if f, ok := errors.AsType[*Fault](err); ok {
		return []*Fault{f}, nil
	}
	return nil, err
}

// caught returns as a fault what recover returned: nil for nil, and a fault as it is.
func caught(p any) *Fault {
	switch p := p.(type) {
	case nil:
		return nil
	case *Fault:
		return p
	}
	return &Fault{Value: fmt.Sprint(p), Stack: stack()}
}

// mostFrames is how much of a stack is kept.
const mostFrames = 100

// stack says where the panic is that is being recovered from.
func stack() string {
	at := make([]uintptr, mostFrames)
	frames := runtime.CallersFrames(at[:runtime.Callers(1, at)])
	var b strings.Builder
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if f.Function == "runtime.gopanic" { // what is above is of this package
			b.Reset()
			continue
		}
		fmt.Fprintf(&b, "%s\n\t%s:%d\n", f.Function, f.File, f.Line)
	}
	return b.String()
}

// A First keeps the first panic of some goroutines for the one that waits for them. The zero value is ready.
type First struct{ fault atomic.Pointer[Fault] }

// Keep is deferred by each of the goroutines.
func (k *First) Keep() {
	if f := caught(recover()); f != nil {
		k.fault.CompareAndSwap(nil, f)
	}
}

// Found reports whether there was a panic.
func (k *First) Found() bool { return k.fault.Load() != nil }

// Throw panics with what was kept, if there is anything, in the goroutine that waits.
func (k *First) Throw() {
	if f := k.fault.Load(); f != nil {
		panic(f)
	}
}

// A Group is goroutines that somebody waits for. The zero value is ready.
type Group struct {
	First

	working sync.WaitGroup
}

// Go does work in a goroutine of its own.
func (g *Group) Go(work func()) {
	g.working.Go(func() {
		defer g.Keep()
		work()
	})
}

// Wait waits until all work is done. If some of it has panicked, so does Wait.
func (g *Group) Wait() {
	g.working.Wait()
	g.Throw()
}
