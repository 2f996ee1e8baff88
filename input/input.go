// Package input has the one error type with which every package refuses bad input:
// files, signals and options alike.
package input

import (
	"errors"
	"fmt"
	"strings"
)

// An Error says in one sentence what is wrong with a file, with signals or with
// an option, where, and how to fix it. Several faults come joined by [errors.Join].
type Error struct {
	Op    string // who refuses the input, such as "learn" or "glasso"; empty for files
	Field Field  // what is at fault, if it is not a file
	Msg   string // the sentence without the file and the field, with the place in it
	// Complete says that Msg is clear without Field, as "only 1 of 3 vertices vary"
	// is without "signals".
	Complete bool

	File         string // as the user named it
	Line, Column int    // in the file, from 1; 0 where there is no such place
	Format       string // what the file really is, if that can be seen
	// Variables are the names of what the file holds, if one has to be chosen.
	Variables []string
	// Option is the key of the document of a run that helps, without what is before its last point, such as columns.
	Option string

	Err error // the system's error behind this one, such as fs.ErrNotExist, or nil
}

// Error returns who refuses what, and why, with colons between.
func (e *Error) Error() string {
	var parts []string
	for _, part := range []string{e.Op, e.File, string(e.Field), e.Msg} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ": ")
}

// Fault returns what is wrong, without who refuses it and the file it is in: Msg,
// after Field unless Msg is complete without it.
func (e *Error) Fault() string {
	if e.Field == "" || e.Complete {
		return e.Msg
	}
	return string(e.Field) + ": " + e.Msg
}

// Unwrap returns e.Err.
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error about a field.
func Errorf(op string, field Field, format string, args ...any) *Error {
	return &Error{Op: op, Field: field, Msg: fmt.Sprintf(format, args...)}
}

// Completef returns an Error about a field whose sentence is complete without it.
func Completef(op string, field Field, format string, args ...any) *Error {
	e := Errorf(op, field, format, args...)
	e.Complete = true
	return e
}

// Negative returns the error of a graph with that many negative edges where only positive ones
// make sense, such as to filters and kernels; nil if it has none.
func Negative(op string, field Field, edges int, needs string) error {
	switch edges {
	case 0:
		return nil
	case 1:
		return Errorf(op, field, "it has an edge of negative weight, and %s weights from 0 up", needs)
	}
	return Errorf(op, field, "it has %d edges of negative weight, and %s weights from 0 up", edges, needs)
}

// Find returns the first Error in err's tree, or nil.
func Find(err error) *Error {
	e, _ := errors.AsType[*Error](err)
	return e
}

// All returns every Error in err's tree, in order.
func All(err error) []*Error {
	switch e := err.(type) { //nolint:errorlint // the tree is walked here
	case *Error:
		return []*Error{e}
	case interface{ Unwrap() error }:
		return All(e.Unwrap())
	case interface{ Unwrap() []error }:
		var list []*Error
		for _, inner := range e.Unwrap() {
			list = append(list, All(inner)...)
		}
		return list
	}
	return nil
}

// A Field names what is at fault: the signals, an option, or a parameter of a
// method, which goes by its own name.
type Field string

// The fields that several packages report. Parameters of methods are fields, too.
const (
	Signals        Field = "signals"
	Vertices       Field = "vertices"
	Names          Field = "names"
	Graph          Field = "graph"
	AllowedPairs   Field = "allowed pairs"
	ForbiddenPairs Field = "forbidden pairs"
	Init           Field = "init"
	Prior          Field = "prior"
	Edges          Field = "edges"
	Threshold      Field = "threshold"
	Kernels        Field = "kernels"
	KernelCount    Field = "kernel count"
	KernelDegree   Field = "kernel degree"
	Sparsity       Field = "sparsity"
	Rounds         Field = "rounds"
	Block          Field = "block"
	Folds          Field = "folds"
	Log            Field = "log"
	LogOffset      Field = "log offset"
	Difference     Field = "difference"
	Rows           Field = "rows"
	Autoregression Field = "autoregression"
	Season         Field = "season"
	Detrend        Field = "detrend"
	Times          Field = "times"
	Center         Field = "center"
	Scale          Field = "scale"
	CommonMode     Field = "common mode"
	Scores         Field = "scores"
)

// Sentence is what an error says to people: without the packages it came through if it is
// about the input, and on one line.
func Sentence(err error) string {
	if fault := Find(err); fault != nil {
		return fault.Fault()
	}
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' }), "; ")
}
