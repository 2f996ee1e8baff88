package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"gonum.org/v1/gonum/mat"

	"github.com/nervure/nervure/dataio"
	"github.com/nervure/nervure/input"
)

// signalFlags are the flags that say how a file of signals is to be read.
type signalFlags struct {
	format    *choice
	transpose bool
	variable  string
}

func (f *signalFlags) define(s *pflag.FlagSet) {
	f.format = newChoice("", dataio.CSV, dataio.TSV, dataio.NPY, dataio.NPZ, dataio.MAT, dataio.Parquet)
	s.Var(f.format, "format", "format of the signals, if the name of the file does not say: csv, tsv, npy, npz, mat or parquet")
	s.StringVar(&f.variable, "variable", "", "array to read from a file of several, .npz or .mat, by its `NAME` (default: the only matrix, or the one called signals, Y, X or data)")
	s.BoolVar(&f.transpose, "transpose", false, "vertices are in rows, observations in columns")
}

// file returns where the signals are.
func (f *signalFlags) file(path string) signalFile {
	return signalFile{path: path, options: dataio.ReadOptions{Format: dataio.Format(f.format.value), Transpose: f.transpose, Variable: f.variable}}
}

// A signalFile is where a command takes its signals from.
type signalFile struct {
	path    string // or "-" for standard input
	options dataio.ReadOptions
	hint    string // how the signals may be meant, if they look odd; set by read
}

// name is the file in a sentence.
func (f *signalFile) name() string {
	if f.path == "-" {
		return "standard input"
	}
	return f.path
}

// truth is where the graph behind the signals is known, if it is: beside them, as
// generate leaves it, or in their sample.
func (f *signalFile) truth() string {
	if isSample(f.path) {
		return f.path
	}
	beside := filepath.Join(filepath.Dir(f.path), "truth.csv")
	if _, err := os.Stat(beside); err != nil || f.path == "-" {
		return ""
	}
	return beside
}

func (f *signalFile) read(c console, quiet bool) (*dataio.Signals, error) {
	signals, err := f.decode(c, quiet)
	if err != nil {
		return nil, err
	}
	if n, m := signals.Y.Dims(); n > m && !f.options.Transpose {
		f.hint = "if vertices are in rows, add --transpose"
	}
	return signals, nil
}

func (f *signalFile) decode(c console, quiet bool) (*dataio.Signals, error) {
	signals, err := f.decodeAs(c, quiet)
	if e, ok := errors.AsType[*input.Error](err); ok && len(e.Variables) > 0 {
		e.Msg += " (--variable " + e.Variables[0] + ")"
	}
	return signals, err
}

func (f *signalFile) decodeAs(c console, quiet bool) (*dataio.Signals, error) {
	switch {
	case isSample(f.path):
		return readSampleSignals(f.path, f.options)
	case f.path != "-":
		return dataio.ReadSignals(f.path, f.options)
	}
	if watched(c.in) && !quiet {
		fmt.Fprintln(c.err, "reading signals from the terminal; Ctrl-D ends them")
	}
	format := f.options.Format
	if format == "" {
		format = dataio.CSV
	}
	signals, err := dataio.DecodeSignals(c.in, f.name(), format, f.options)
	if e, ok := errors.AsType[*input.Error](err); ok && e.Format != "" {
		e.Msg = fmt.Sprintf("this is not %s: add --format %s", format, e.Format)
	}
	return signals, err
}

// note says what there is to doubt about the signals before they are learned from,
// and returns it.
func (f *signalFile) note(c console, quiet bool, signals *dataio.Signals) []string {
	notes := slices.Clone(signals.Notes)
	if n, m := signals.Y.Dims(); f.hint != "" && m > 1 { // else there is nothing to learn
		notes = append(notes, fmt.Sprintf("%s and %s: %s", plural(n, "vertex"), plural(m, "signal"), f.hint))
	}
	if signals.Missing > 0 {
		n, m := signals.Y.Dims()
		notes = append(notes, fmt.Sprintf("%d of %s missing", signals.Missing, plural(n*m, "value")))
	}
	for _, words := range notes {
		if !quiet {
			fmt.Fprintln(c.err, wrapped("note: "+words))
		}
	}
	return notes
}

// checkUsable finds signals that no method can learn from.
func (f *signalFile) checkUsable(y *mat.Dense) error {
	n, m := y.Dims()
	switch varying := n - len(still(y)); {
	case n < 2:
		return f.inFile(fault{"vertices", fmt.Sprintf("got %d, want at least 2", n)})
	case m < 2:
		return f.inFile(fault{"signals", fmt.Sprintf("got %d, want at least 2", m)})
	case varying < 2:
		return f.inFile(fault{"signals", fmt.Sprintf("only %d of %d vertices vary, want at least 2", varying, n)})
	}
	return nil
}

// faultFlags are the flags by which a user sets what methods call otherwise.
var faultFlags = map[string]string{
	"sparsity": "--sparsity", "edges": "--edges", "threshold": "--threshold", "kernels": "--kernel",
	"allowed pairs": "--allow and --forbid",
	"rounds":        "--rounds", "step size": "--step", "edge penalty": "--beta",
	"kernel count": "--kernel free", "kernel degree": "--degree",
	"count": "--kernels", "degree": "--degree", "graph": "--graph",
}

// explain words what a method finds wrong: with a flag, a parameter or the signals.
func (f *signalFile) explain(err error, params map[string]string) error {
	fault, ok := faultOf(err)
	if !ok {
		return err
	}
	if flag, ok := faultFlags[fault.field]; ok {
		return misuse("%s: %s", flag, fault.msg)
	}
	if _, ok := params[fault.field]; ok {
		return misuse("--param %s: %s", fault.field, fault.msg)
	}
	return f.inFile(fault)
}

// inFile words a fault that no flag can mend.
func (f *signalFile) inFile(fault fault) error {
	msg := fault.msg
	if fault.field != "signals" || strings.HasPrefix(msg, "got ") {
		msg = fault.field + ": " + msg
	}
	if (fault.field == "vertices" || fault.field == "signals") && f.hint != "" {
		msg += "; " + f.hint
	}
	return &input.Error{File: f.name(), Msg: msg}
}
